"""Sets a board up step by step with its devices. People say words, and `state` is what to show them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from controller.errors import BlotlightError, InputError
from controller.perception.board_check import check_board
from controller.perception.board_settings import BoardSettings
from controller.record.match_settings import MatchSettings
from controller.referee.effects import Meaning, Mode
from controller.service.devices import Devices
from controller.service.lamp_colours import LAMP_LOOKS
from controller.service.settings import ServiceSettings
from controller.service.setup.dice_test import DiceTest, ThrownDice
from controller.service.setup.settings_writer import Changes, Value, write_settings
from controller.service.setup.setup_words import (
    BoardPlaced,
    BoardSought,
    LampSeen,
    MatchNamed,
    SetupBegun,
    SetupEnded,
    SetupStep,
    SetupWord,
    SidesChosen,
    StepShown,
    WalkBegun,
    WalkLeft,
)
from controller.service.setup.start_check import StartCheck, check_start
from hardware.camera import Frame
from hardware.device_checks import Finding, check_focus, check_light
from hardware.light_port import PlaceLight
from hardware.strip_walk import StripWalk
from sentences import said_of, say
from vision.geometry import GeometryError
from vision.locate.board_finder import BoardNotFound, find_board

JUDGED_EVERY_MS = 700
"""Time between two pictures that are judged. Guess: the slowest look takes about as long on a Pi."""
UNPLACED = (0.2, 0.8)
"""Where the corners are drawn when no board was found, as fractions of the picture. Guess."""


@dataclass(frozen=True, kw_only=True)
class SetupDraft:
    """The settings as they are being set up.

    is_named: whether people have named the match. Otherwise that of the settings stays. order: of the LEDs;
    None to keep that of the settings.
    """

    board: BoardSettings
    match: MatchSettings
    mode: Mode
    is_named: bool = False
    order: tuple[int, ...] | None = None

    @property
    def changes(self) -> Changes:
        """What to write into the settings."""
        board = self.board
        corners = tuple((round(x, 1), round(y, 1)) for x, y in board.corners_px or ())
        changes: dict[str, dict[str, Value | None]] = {
            "board": {
                "corners_px": corners or None,
                "bar": (round(board.bar[0], 4), round(board.bar[1], 4)),
                "white_home": board.orientation.white_home if board.home_known else None,
                "light": board.orientation.light.value,
            }
        }
        if self.is_named:
            changes |= match_changes(self.match, self.mode)
        if self.order:
            changes["lights"] = {"order": self.order}
        return changes


def match_changes(match: MatchSettings, mode: Mode) -> dict[str, dict[str, Value | None]]:
    """What to write into the settings for a match that was named: two people play it from its start."""
    named: dict[str, Value | None] = {
        "white": match.white,
        "black": match.black,
        "length": match.length,
        "laws": match.laws,
    }
    changes: dict[str, Value | None] = dict.fromkeys(("position", "on_roll", "chouette"))
    return {"match": changes | named, "referee": {"mode": mode.value}}


@dataclass(frozen=True, kw_only=True)
class LampWalk:
    """A walk along the strip. place: where light should be now, None at the end. n_seen: LEDs done, of n."""

    place: int | None
    n_seen: int
    n: int


@dataclass(frozen=True, kw_only=True)
class SetupState:
    """Everything that people are shown.

    image_wh: the size of the picture, None before the first. board, light, focus: the findings in the
    picture. start: None before the first check. walk: None except during a walk. refusal: why the last word
    was refused, or "".
    """

    step: SetupStep
    draft: SetupDraft
    image_wh: tuple[int, int] | None = None
    board: Finding | None = None
    light: Finding | None = None
    focus: Finding | None = None
    start: StartCheck | None = None
    dice: ThrownDice = field(default_factory=ThrownDice)
    has_lights: bool = False
    walk: LampWalk | None = None
    refusal: str = ""

    @property
    def is_ready(self) -> bool:
        """Whether the board can be read with this draft."""
        return self.draft.board.corners_px is not None and self.board is not None


class SetupDesk:
    """One set-up of a board. file: the settings to be written. clock_ms: returns milliseconds."""

    def __init__(
        self, settings: ServiceSettings, file: Path, devices: Devices, clock_ms: Callable[[], int]
    ) -> None:
        draft = SetupDraft(board=settings.board, match=settings.match, mode=settings.mode)
        self.state = SetupState(step=SetupStep.BOARD, draft=draft, has_lights=bool(devices.lights))
        self.frame: Frame | None = None
        """The last picture."""
        self.is_over = self.is_kept = False
        """Whether the set-up has ended, and whether the settings were written then."""
        self._file = file
        self._devices = devices
        self._clock_ms = clock_ms
        self._order = settings.lights.order
        self._dice = DiceTest()
        self._walk: StripWalk | None = None
        self._seeks = True
        self._judged: object = None
        self._looked_ms: int | None = None

    def run_once(self) -> None:
        """Take events and a picture from the devices, and judge the picture when it is time."""
        frame = self._devices.camera.next_frame()
        now_ms = self._clock_ms() if frame is None else frame.t_ms
        for event in self._devices.dice.events_until(now_ms):
            self._dice.hear(event)
        if frame is not None:
            self.frame = frame
            if self._looked_ms is None or now_ms - self._looked_ms >= JUDGED_EVERY_MS:
                self._looked_ms = now_ms
                self._look(frame)
        elif self.frame is None and self._devices.camera.problems:
            self.state = replace(self.state, refusal=self._devices.camera.problems[-1])
        self.state = replace(self.state, dice=self._dice.thrown)
        self._light()

    def handle(self, word: SetupWord) -> None:
        """Do what people say. If that fails, `state.refusal` says why."""
        self.state = replace(self.state, refusal="")
        try:
            self._do(word)
        except (BlotlightError, GeometryError, ValueError) as problem:
            self.state = replace(self.state, refusal=said_of(problem))

    def close(self) -> None:
        """Turn all LEDs off."""
        for lights in self._devices.lights:
            lights.show([])

    def _do(self, word: SetupWord) -> None:
        state, draft = self.state, self.state.draft
        match word:
            case SetupBegun():
                pass
            case StepShown(step=step):
                self._leave_walk()
                self.state = replace(state, step=step, walk=None)
            case BoardSought():
                self._seeks = True
            case BoardPlaced(corners_px=corners_px, bar=bar):
                placed = replace(draft.board, corners_px=corners_px, bar=bar)
                if state.image_wh is not None:
                    placed.geometry(state.image_wh)
                self._seeks = False
                self.state = replace(state, draft=replace(draft, board=placed), start=None)
            case SidesChosen(light=light, white_home=home):
                orientation = replace(
                    draft.board.orientation,
                    light=light,
                    white_home=home or draft.board.orientation.white_home,
                )
                board = replace(draft.board, orientation=orientation, home_known=home is not None)
                self.state = replace(state, draft=replace(draft, board=board), start=None)
            case WalkBegun():
                if not self._devices.lights:
                    raise InputError(say("setup_no_lights"))
                self._walk = StripWalk(self._devices.lights[0], self._order)
                self._show_walk()
            case LampSeen(place=place) if self._walk is not None:
                if place is None:
                    self._walk.back()
                else:
                    self._walk.see(place)
                self._show_walk()
            case WalkLeft():
                self._leave_walk()
                self.state = replace(self.state, walk=None, draft=replace(draft, order=None))
            case MatchNamed(match=match, mode=mode):
                self.state = replace(state, draft=replace(draft, match=match, mode=mode, is_named=True))
            case SetupEnded(is_kept=is_kept):
                if is_kept:
                    self._keep()
                self.is_over, self.is_kept = True, is_kept

    def _keep(self) -> None:
        if not self.state.is_ready:
            raise InputError(say("setup_no_board"))
        changes = self.state.draft.changes
        lens_dioptres = self._devices.lens_dioptres()
        if lens_dioptres is not None:
            changes = {**changes, "camera": {"lens_dioptres": round(lens_dioptres, 2)}}
        write_settings(self._file, changes)

    # -- the pictures

    def _look(self, frame: Frame) -> None:
        image = frame.image_bgr
        height, width = image.shape[:2]
        self.state = replace(
            self.state, image_wh=(width, height), light=check_light(image), focus=check_focus(image)
        )
        if self._seeks:
            self._seek(frame)
        board = self.state.draft.board
        if self.state.step is SetupStep.BOARD or self._judged != board:
            self._judged = board
            finding = check_board(image, board) if board.corners_px else None
            self.state = replace(self.state, board=finding or self.state.board)
        if self.state.step is SetupStep.START:
            self._check_start(frame)
        if self.state.step is SetupStep.DICE and not self._dice.has_tray:
            try:
                self._dice.look(image, board.geometry_in(image))
            except GeometryError as problem:
                self.state = replace(self.state, refusal=said_of(problem))

    def _seek(self, frame: Frame) -> None:
        """Put the corners where the board is found. Otherwise leave them, or put missing ones at UNPLACED."""
        height, width = frame.image_bgr.shape[:2]
        board = self.state.draft.board
        try:
            found = find_board(frame.image_bgr).geometry
        except BoardNotFound as problem:
            if board.corners_px is None:
                low, high = UNPLACED
                quad = ((low, low), (high, low), (high, high), (low, high))
                one, two, three, four = ((x * width, y * height) for x, y in quad)
                board = replace(board, corners_px=(one, two, three, four))
            self.state = replace(self.state, refusal=said_of(problem))
        else:
            board = replace(board, corners_px=found.corners_px, bar=found.bar)
        self._seeks = False
        self.state = replace(self.state, draft=replace(self.state.draft, board=board), start=None)

    def _check_start(self, frame: Frame) -> None:
        board, match = self.state.draft.board, self.state.draft.match
        try:
            geometry = board.geometry_in(frame.image_bgr)
        except GeometryError as problem:
            self.state = replace(self.state, refusal=said_of(problem))
            return
        if geometry is None:
            return
        check = check_start(frame.image_bgr, geometry, match.furnished, board.orientations)
        if check.shows_start:
            board = replace(board, orientation=check.orientation)
            self.state = replace(self.state, draft=replace(self.state.draft, board=board))
            self._judged = board
        self.state = replace(self.state, start=check)

    # -- the lights

    def _light(self) -> None:
        """While the start position is checked, light the points that are wrong."""
        if self._walk is not None:
            return
        look = LAMP_LOOKS[Meaning.MUST_ENTER]
        wrong = self.state.start.wrong if self.state.start and self.state.step is SetupStep.START else ()
        for lights in self._devices.lights:
            lights.show([PlaceLight(place=one.place, rgb=look.rgb, blink=look.blink) for one in wrong])

    def _show_walk(self) -> None:
        walk = self._walk
        assert walk is not None
        order = walk.seen if walk.place is None else None
        self.state = replace(
            self.state,
            walk=LampWalk(place=walk.place, n_seen=len(walk.seen), n=len(walk.order)),
            draft=replace(self.state.draft, order=order),
        )

    def _leave_walk(self) -> None:
        self._walk = None
