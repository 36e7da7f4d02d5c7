"""Photographs of each settled position and of each offence, kept beside the matches."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

import cv2

from controller.referee import Effect, OffenceShown, TurnRecorded
from controller.service.recordings.pruning import check_room
from hardware.camera import Frame
from hardware.device_errors import disk_remedy
from sentences import say
from vision.board_reading import BoardReading

STILL_WIDTH_PX, STILL_QUALITY = 960, 75
"""Width and JPEG quality (0 to 100) of a photograph: some 80 kB. Guesses: a checker has 30 pixels then."""
MOST_STILLS_BYTES = 500_000_000
"""Bytes that all photographs may take; the oldest go first. Guess: some 60 long matches."""
MOST_NUMBER = 99_999
"""The greatest number of a match, a game or a half-turn that has photographs."""
_NAME = re.compile(r"(\d+)-(\d+)-(turn|offence)\.jpg")


class StillKind(Enum):
    """What a photograph shows."""

    TURN = "turn"
    OFFENCE = "offence"


@dataclass(frozen=True, order=True)
class StillName:
    """A photograph of a match: of which game and half-turn, both from 1."""

    game: int
    number: int
    kind: str


def stills_folder(log: Path) -> Path:
    """Where the photographs of the matches in a log lie."""
    return log.with_name(f"{log.stem}-stills")


def still_file(folder: Path, match: int, name: StillName) -> Path | None:
    """The file of a photograph; None when a number is out of range."""
    if not all(0 < one <= MOST_NUMBER for one in (match, name.game, name.number)):
        return None
    return _match_folder(folder, match) / f"{name.game}-{name.number}-{StillKind(name.kind).value}.jpg"


def stills_of(folder: Path, match: int) -> frozenset[StillName]:
    """The photographs that are kept of a match."""
    with suppress(OSError):
        return frozenset(filter(None, map(_name_in, _match_folder(folder, match).iterdir())))
    return frozenset()


def _name_in(path: Path) -> StillName | None:
    """Which photograph a file is."""
    found = _NAME.fullmatch(path.name)
    return StillName(game=int(found[1]), number=int(found[2]), kind=found[3]) if found else None


def _match_folder(folder: Path, match: int) -> Path:
    return folder / f"{match:05}"


class StillKeeper:
    """Keeps photographs of the current match. While the disk fails it keeps none; `tell` gets one sentence.

    match: gives the number of the match in the log, None while it has none. most_bytes: of all photographs.
    """

    def __init__(
        self,
        folder: Path,
        match: Callable[[], int | None],
        tell: Callable[[str], None],
        most_bytes: int = MOST_STILLS_BYTES,
    ) -> None:
        self._folder, self._match, self._tell, self._most_bytes = folder, match, tell, most_bytes
        self._clear: Frame | None = None
        self._newest: Frame | None = None
        self._has_failed = False
        self._pruned_for: tuple[int, int] | None = None
        """Match and game of the last photograph: old ones are deleted once a game."""

    def keep_frame(self, frame: Frame, reading: BoardReading | None) -> None:
        """Remember the newest picture, and the newest one in which no hand hides the board."""
        self._newest = frame
        if reading is not None and not (reading.refused or reading.hand):
            self._clear = frame

    def note(self, effect: Effect, game: int) -> None:
        """Keep the picture that belongs to an effect of the referee. game: the current one, from 0."""
        match effect:
            case TurnRecorded() if not effect.mended:
                name = StillName(effect.game + 1, effect.index + 1, StillKind.TURN.value)
                self._write(name, self._clear)
            case OffenceShown():
                self._write(StillName(game + 1, effect.index + 1, StillKind.OFFENCE.value), self._newest)

    def _write(self, name: StillName, frame: Frame | None) -> None:
        match = self._match()
        if frame is None or match is None:
            return
        path = still_file(self._folder, match, name)
        if path is None:
            return
        try:
            if self._pruned_for != (match, name.game):
                self._pruned_for = match, name.game
                self._prune()
            path.parent.mkdir(parents=True, exist_ok=True)
            check_room(path.parent)
            path.write_bytes(_jpeg(frame))
        except OSError as error:
            with suppress(OSError):
                path.unlink()
            if not self._has_failed:
                reason, remedy = error.strerror, disk_remedy(error)
                self._tell(say("stills_end", folder=self._folder, reason=reason, remedy=remedy))
            self._has_failed = True
        else:
            self._has_failed = False

    def _prune(self) -> None:
        """Delete the oldest photographs until the rest take no more than `most_bytes`."""
        kept = sorted(
            (path.parent.name, name, path, path.stat().st_size)
            for path in self._folder.glob("*/*.jpg")
            if (name := _name_in(path))
        )
        total = sum(size for *_, size in kept)
        for *_, path, size in kept:
            if total <= self._most_bytes:
                return
            path.unlink()
            with suppress(OSError):  # others lie there
                path.parent.rmdir()
            total -= size


def _jpeg(frame: Frame) -> bytes:
    height, width = frame.image_bgr.shape[:2]
    scale = min(1.0, STILL_WIDTH_PX / width)
    size_wh = (round(width * scale), round(height * scale))
    small = (
        cv2.resize(frame.image_bgr, size_wh, interpolation=cv2.INTER_AREA) if scale < 1 else frame.image_bgr
    )
    _, coded = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, STILL_QUALITY])
    return coded.tobytes()
