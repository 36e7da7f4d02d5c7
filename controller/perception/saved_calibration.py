"""A board watcher that saves its calibration on disk and tries it first at the next start."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from controller.perception.board_settings import BoardSettings
from controller.perception.board_watcher import BoardWatcher
from controller.perception.orientation import Orientation
from controller.referee import BoardSeen
from controller.rules import OFF, Player, Position
from hardware.camera import Frame
from hardware.device_errors import disk_remedy
from sentences import say
from vision.board_reading import MAX_COUNT, BoardReading
from vision.geometry import BoardGeometry
from vision.read.board_reader import BoardReader
from vision.read.calibration import LEAST_AGREEING, Calibration, CalibrationError, Calibrator

Say = Callable[[str], None]

STILL_THERE = 12
"""Places (of 24) that must be as when the game stopped; a turn or two may have been played since. Guess."""
BORNE_OFF_SINCE = ENTERED_SINCE = 4
"""Checkers that a side may have borne off, or entered, since it stopped: those of one doublet. Guess."""
SAME_CORNERS = 0.02
"""Distance in field widths by which a corner may differ from the saved calibration. Guess."""
PATIENCE_MS = 10_000
"""Time without a frame that shows a known position, after which people are asked for help. Guess."""


class SavedCalibration(BoardWatcher):
    """A BoardWatcher that may have a calibration from an earlier run.

    path: the file of the calibration. start: the position of a new game. known: the position when the game
    stopped; `start` when no game was interrupted. tell: gets each sentence for people.
    entering: checkers are entered by throws; `start` is only shown to learn the checkers.
    """

    def __init__(
        self,
        board: BoardSettings,
        path: Path,
        start: Position,
        known: Position,
        tell: Say,
        *,
        entering: bool = False,
    ) -> None:
        super().__init__(board, furnished=known)
        self._entering = entering
        self.start = start
        self._path = path
        self.known = known
        self._tell = tell
        self._on_trial = self._load()
        self._first_ms: int | None = None
        self._helpless = False

    def shows(self, reading: BoardReading, position: Position, orientation: Orientation) -> bool:
        """Whether a reading shows `position`, or in an interrupted game one that may have followed it."""
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

    def exchange_players(self, t_ms: int) -> BoardSeen:
        seen = super().exchange_players(t_ms)
        if self.exchanged:
            self._tell(self.exchanged)
        return seen

    def _load(self) -> BoardReader | None:
        if not self._path.exists():
            return None
        try:
            return BoardReader(calibration=Calibration.load(self._path))
        except CalibrationError:
            self._tell(say("calibration_unusable", path=self._path, wanted=self._wanted))
            return None

    def _learn(self, frame: Frame) -> Calibration | None:
        """The saved calibration, once a frame shows that it fits; else the one learnt from this frame."""
        saved = self._try_saved(frame)
        if saved is not None:
            return saved
        learnt = super()._learn(frame)
        if learnt is None:
            self._ask_for_help(frame.t_ms)
        else:
            self._save(learnt)
            elsewhere = self._elsewhere(learnt.geometry)
            if elsewhere:
                self._tell(elsewhere)
        return learnt

    def _try_saved(self, frame: Frame) -> Calibration | None:
        """The saved calibration, when the frame shows that it fits."""
        if self._on_trial is None:
            return None
        given = self._given_in(frame)
        if given and not same_place(self._on_trial.calibration.geometry, given):
            self._dismiss(say("other_corners"))
            return None
        trial = self._on_trial
        reading = trial.read_picture(frame.image_bgr, frame.t_ms)
        is_of_size = frame.image_bgr.shape[1::-1] == trial.geometry.image_wh
        if reading.refused and (trial.lost or not is_of_size):
            self._dismiss(say("calibration_of_no_use", problem=reading.refused))
        if reading.refused or reading.hand or reading.unseen:
            return None  # the first pictures of a camera may be black
        shown = [one for one in self._candidates if self.shows(reading, *one)]
        if not shown:
            return None
        position, orientation = max(shown, key=lambda one: reading.log_likelihood(one[1].counts(one[0])))
        self.began_with, self.orientation = position, orientation
        return self._renewed(trial, frame, orientation.counts(position))

    def _renewed(self, trial: BoardReader, frame: Frame, counts: tuple[int, ...]) -> Calibration:
        """The calibration from the frame itself where it shows these counts, else the saved one.

        A frame of a board on which people have played on since would teach wrong counts.
        """
        learnt = Calibrator(geometry=trial.geometry).learn_from(frame.image_bgr, [counts], strictly=True)
        if learnt is None:
            return trial.calibration
        self._save(learnt[1])
        return learnt[1]

    def _dismiss(self, why: str) -> None:
        self._tell(say("learnt_anew", problem=why.rstrip("."), wanted=self._wanted))
        self._on_trial = None

    def _save(self, learnt: Calibration) -> None:
        """Write a new file and then replace the old one, so that a crash leaves a complete one."""
        written = self._path.with_name(f"new-{self._path.name}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            learnt.save(written)
            with written.open("rb") as file:
                os.fsync(file.fileno())
            written.replace(self._path)
        except OSError as error:
            with suppress(OSError):
                written.unlink()
            self._tell(say("calibration_not_kept", reason=error.strerror, remedy=disk_remedy(error)))

    def _ask_for_help(self, t_ms: int) -> None:
        """Ask once for a known position, when no frame has shown one for some time."""
        self._first_ms = t_ms if self._first_ms is None else self._first_ms
        if t_ms - self._first_ms > PATIENCE_MS and not self._helpless:
            self._helpless = True
            self._tell(say("board_looks_wrong", wanted=self._wanted))

    @property
    def _candidates(self) -> tuple[tuple[Position, Orientation], ...]:
        """The positions that the board may show, the start first, each with every possible orientation.

        In an interrupted match, sides may have changed since a game: there every orientation is possible.
        """
        positions = dict.fromkeys((self.start, self.known))
        if self._entering and not self._board.home_known:
            positions = {self.start: None}  # few checkers, or none, do not show the orientation
        is_fresh = self._entering or self.known == self.start
        possible = self._board.orientations if is_fresh else self._board.orientation.with_each_home
        return tuple((position, orientation) for position in positions for orientation in possible)

    @property
    def _wanted(self) -> str:
        if self._entering:
            return say("as_when_stopped_entering")
        start = say("the_start_position")
        return start if self.known == self.start else say("as_when_stopped", start=start)


def same_place(one: BoardGeometry, other: BoardGeometry) -> bool:
    """Whether two geometries show the board at the same place, in pictures of the same size."""
    if one.image_wh != other.image_wh:
        return False
    apart = np.abs(np.array(one.corners_px) - np.array(other.corners_px)).max()
    width = np.linalg.norm(np.subtract(one.corners_px[1], one.corners_px[0]))
    return bool(apart <= SAME_CORNERS * width)


def _totals(reading: BoardReading) -> tuple[int, int]:
    """The light and the dark checkers that are seen, with those on the bar."""
    bar_light, bar_dark = reading.bar_counts()
    light = sum(max(count, 0) for count in reading.counts())
    dark = sum(max(-count, 0) for count in reading.counts())
    return light + bar_light, dark + bar_dark
