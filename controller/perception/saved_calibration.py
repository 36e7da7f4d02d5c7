"""A board watcher that keeps what it learnt on disk and tries it first at the next start."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from controller.perception.board_settings import BoardSettings
from controller.perception.board_watcher import BoardWatcher
from controller.perception.orientation import Orientation
from controller.rules import OFF, Player, Position
from hardware.camera import Frame
from vision.appearance.calibration import LEAST_AGREEING, Calibration, CalibrationError
from vision.board_reading import MAX_COUNT, BoardReading
from vision.geometry import BoardGeometry
from vision.read.board_reader import BoardReader

Say = Callable[[str], None]

STILL_THERE = 12
"""Places (of 24) that hold what they did when the game stopped, though a turn or two were played since."""
BORNE_OFF_SINCE = ENTERED_SINCE = 4
"""Checkers of a side that may have been borne off meanwhile, or entered: one double."""
SAME_CORNERS = 0.02
"""Field widths by which the corners may differ from those the board was learnt with."""
PATIENCE_MS = 10_000
"""How long the board may look like nothing that is known before people are asked for help."""


class SavedCalibration(BoardWatcher):
    """A board watcher for a board that may have been learnt before.

    path: where what was learnt is kept. start: the board furnished for a new game. known: the board as it was
    when the game stopped, `start` when none is under way. say: is given each sentence for people.
    entering: checkers off the board may come on it; `start` is shown only for the checkers to be learnt.
    """

    def __init__(
        self,
        board: BoardSettings,
        path: Path,
        start: Position,
        known: Position,
        say: Say,
        *,
        entering: bool = False,
    ) -> None:
        super().__init__(board, furnished=known)
        self._entering = entering
        self.start = start
        self._path = path
        self.known = known
        self._say = say
        self._on_trial = self._load()
        self._first_ms: int | None = None
        self._helpless = False

    def shows(self, reading: BoardReading, position: Position, orientation: Orientation) -> bool:
        """Whether a reading shows `position`, or for a game under way what may have become of it since."""
        expected = orientation.counts(position)
        agreeing = sum(seen == due for seen, due in zip(reading.counts(), expected, strict=True))
        if position == self.start:
            return agreeing >= LEAST_AGREEING
        light, dark = _totals(reading)
        sides = [position.white, position.black]
        due_light, due_dark = sides if orientation.light is Player.WHITE else sides[::-1]
        return (
            agreeing >= STILL_THERE
            and self._may_be(light, due_light[OFF])
            and self._may_be(dark, due_dark[OFF])
        )

    def _may_be(self, n_seen: int, n_off: int) -> bool:
        entered = ENTERED_SINCE if self._entering else 0
        return -BORNE_OFF_SINCE <= n_seen - (MAX_COUNT - n_off) <= entered

    def _load(self) -> BoardReader | None:
        if not self._path.exists():
            return None
        try:
            return BoardReader(calibration=Calibration.load(self._path))
        except CalibrationError as problem:
            self._say(f"{str(problem).capitalize()} from the board as it should lie there.")
            return None

    def _learn(self, frame: Frame) -> Calibration | None:
        """What was kept, once a frame shows that it still fits; else what is learnt from this frame."""
        kept = self._tried(frame)
        if kept is not None:
            return kept
        learnt = super()._learn(frame)
        if learnt is None:
            self._ask_for_help(frame.t_ms)
        else:
            self._keep(learnt)
        return learnt

    def _tried(self, frame: Frame) -> Calibration | None:
        """The calibration on trial, when the frame shows that it fits."""
        if self._on_trial is None:
            return None
        height, width = frame.image_bgr.shape[:2]
        told = self._board.geometry((width, height))
        if told and not same_place(self._on_trial.calibration.geometry, told):
            self._dismiss("The corners are not those that the board was learnt with")
            return None
        reading = self._on_trial.read(frame.image_bgr, frame.t_ms)
        if reading.refused:
            self._dismiss(f"What was learnt of the board is of no use: {reading.refused}")
        if reading.refused or reading.hand:
            return None
        for position, orientation in self._candidates:
            if self.shows(reading, position, orientation):
                self.began_with, self.orientation = position, orientation
                return self._on_trial.calibration
        return None

    def _dismiss(self, why: str) -> None:
        self._say(f"{why.rstrip('.')}; it is learnt anew from {self._wanted}.")
        self._on_trial = None

    def _keep(self, learnt: Calibration) -> None:
        """Write it beside what was kept before, which is replaced only by something whole."""
        written = self._path.with_name(f"new-{self._path.name}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            learnt.save(written)
            written.replace(self._path)
        except OSError as error:
            if written.is_file():
                written.unlink()
            self._say(
                f"What was learnt of the board cannot be kept ({error.strerror}): make room on the disk."
            )

    def _ask_for_help(self, t_ms: int) -> None:
        """Say once what is waited for, when frames have come for some time and none showed it."""
        self._first_ms = t_ms if self._first_ms is None else self._first_ms
        if t_ms - self._first_ms > PATIENCE_MS and not self._helpless:
            self._helpless = True
            self._say(f"The board does not look as it should: lay it as {self._wanted} and keep hands away.")

    @property
    def _candidates(self) -> tuple[tuple[Position, Orientation], ...]:
        """What the board may show, and who may sit where; what is known most exactly comes first."""
        positions = dict.fromkeys((self.start, self.known))
        if self._entering and not self._board.home_known:
            positions = {self.start: None}  # few checkers, or none, do not tell who sits where
        return tuple(
            (position, orientation) for position in positions for orientation in self._board.orientations
        )

    @property
    def _wanted(self) -> str:
        if self._entering:
            return "when the game stopped, or the start position of the ordinary game, to be cleared again"
        start = "the start position"
        return start if self.known == self.start else f"when the game stopped, or {start} for a new one"


def same_place(one: BoardGeometry, other: BoardGeometry) -> bool:
    """Whether two geometries put the board at the same place in pictures of the same size."""
    if one.image_wh != other.image_wh:
        return False
    apart = np.abs(np.array(one.corners_px) - np.array(other.corners_px)).max()
    width = np.linalg.norm(np.subtract(one.corners_px[1], one.corners_px[0]))
    return bool(apart <= SAME_CORNERS * width)


def _totals(reading: BoardReading) -> tuple[int, int]:
    """The light and the dark checkers that are seen, those on the bar too."""
    bar_light, bar_dark = reading.bar_counts()
    light = sum(max(count, 0) for count in reading.counts())
    dark = sum(max(-count, 0) for count in reading.counts())
    return light + bar_light, dark + bar_dark
