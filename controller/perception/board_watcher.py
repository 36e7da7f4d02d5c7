"""Turns frames into BoardSeen events: learns the board first, then reads it."""

import math
from collections import deque
from dataclasses import replace
from functools import partial

import numpy as np

from controller.perception.board_check import corners_text
from controller.perception.board_settings import BoardSettings
from controller.perception.orientation import Orientation
from controller.referee import BoardSeen
from controller.rules import Position
from hardware.camera import Frame
from sentences import say
from vision.board_reading import BoardReading
from vision.dice.dice_reader import (
    READABLE_PROBABILITY,
    DiceReader,
    SeenDie,
    beside_checkers,
    readable_faces,
)
from vision.geometry import BoardGeometry, Corners
from vision.locate.board_finder import BoardNotFound, find_board
from vision.read.board_reader import SURER_NATS, BoardReader
from vision.read.calibration import LEAST_AGREEING, Calibration, Calibrator, PlaceCounts, agreeing, reduced
from vision.read.placing import placed_by_position
from vision.read.side_colours import are_nearly_equally_bright
from vision.read.totals import with_usual_totals

LOOK_EVERY_MS = 1000
"""Time between searches when the board is not where it should be, or after the camera was moved. Guess."""
LOOK_IN_DOUBT_EVERY_MS = 10_000
"""Time between searches when readings are in doubt. Guess: a search takes a slow computer a second."""
SETTLED_FINDS, SAME_FIND = 3, 0.005
"""How many times in a row a board must be found at one place to count as lying there; how far apart its
corners may be then, in picture widths. Guesses."""
FIND_EVERY_MS, FIND_AFTER_SHARE = 15_000, 0.4
"""Time between searches for such a board while it cannot be learnt. Until a board lies there settled: this
share of the time since the first search, if that is less. Guesses: all searches in a film without a board may
take half a minute."""
COVERS_STAY_MS = 3000
"""What seems to cover the start position for so long, and changes the count of no place, belongs to the look
of the board. Guess."""
DOUBTED_NATS = math.log(0.3)
"""A reading of the whole board with a lower log-probability is in doubt. Nats. Three of 1,596 photoreal
pictures of 16 boards were in doubt, although the boards had been followed to where they lay."""


class BoardWatcher:
    """Learns one board from a frame that shows it set up for the game, and then reads each frame.

    Until the board has been learnt it is looked for: without corners in the settings in each frame at first,
    and less often the longer it takes; with corners now and then while it cannot be learnt there. After the
    camera was moved too far to be followed, the board is looked for again. While it is being learnt, corners
    that do not fit in the picture raise GeometryError at the first frame. calibration: how the board looks,
    if that is known. joined_at: the position of a game joined in progress, from which the board can be learnt
    as well.
    """

    def __init__(
        self,
        board: BoardSettings,
        furnished: Position = Position.START,
        calibration: Calibration | None = None,
        joined_at: Position | None = None,
    ) -> None:
        self.orientation = board.orientation
        """How the game lies in the picture. Once the board has been learnt it changes only between games."""
        self._board = board
        self._learnable = tuple(dict.fromkeys((furnished, joined_at or furnished)))
        self.began_with: Position | None = None
        """The position in the first frame that could be read; None before."""
        self._found: BoardGeometry | None = None
        self._finds: deque[BoardGeometry] = deque(maxlen=SETTLED_FINDS)
        """The places of the latest finds, without a failed search between them."""
        self._searched_ms: tuple[int, int] | None = None
        """The times of the first and of the last search before the board was learnt."""
        self._n_searches = 0
        """The number of these searches. The first, second, fourth, eighth and so on are thorough."""
        self._given: tuple[Frame, BoardGeometry | None] | None = None
        self._calibrator: Calibrator | None = None
        self._reader = BoardReader(calibration=calibration) if calibration else None
        self._dice_reader = DiceReader()
        self._dice: tuple[BoardReading, tuple[SeenDie, ...] | None] | None = None
        self._at_rest = False
        """Whether the last frame shows the same picture as the one before."""
        self.dice_looked_ms: int | None = None
        """The time of the last frame in which dice were looked for."""
        self.hold_dice_until_ms = 0
        """Before this time dice are looked for only in pictures at rest: the search takes as long as four
        readings, and a slow computer has no time for it while something moves."""
        self._looked_ms: int | None = None
        self._covered_since_ms: int | None = None
        """Since when frames cannot be learnt from only because something seems to cover the field."""
        self._whole: BoardReading | None = None
        """The last reading that was not refused and shows no hand."""
        self.elsewhere: str | None = None
        """A sentence that says where the board was learnt, if not at the corners of the settings."""
        self.exchangeable = False
        """Whether nothing but the checkers' brightness, which is nearly equal, tells who has which."""
        self.exchanged: str | None = None
        """A sentence that says that the players were exchanged, if they were."""
        self.frame: Frame | None = None
        """The last frame."""
        self.reading: BoardReading | None = None
        """The reading of the last frame; None while the board is being learnt."""

    @property
    def calibrated(self) -> bool:
        """Whether the board has been learnt."""
        return self._reader is not None

    @property
    def calibration(self) -> Calibration | None:
        """How the board looks; None while it is being learnt."""
        return self._reader.calibration if self._reader else None

    @property
    def geometry(self) -> BoardGeometry | None:
        """Where the board lies in the last frame; None while the board is being learnt."""
        return self._reader.geometry if self._reader else None

    def observe_frame(self, frame: Frame) -> BoardSeen | None:
        """The board in the frame; None while it is being learnt and when the frame cannot be read."""
        self.frame = frame
        if self._reader is None:
            calibration = self._learn(frame)
            if calibration is None:
                return None
            self._reader = BoardReader(calibration=calibration)
            self._dice_reader.learn_board(frame.image_bgr, calibration.geometry)
            self.elsewhere = self._elsewhere(calibration.geometry)
            self.exchangeable = not self._board.home_known and are_nearly_equally_bright(
                calibration.counts, frame.image_bgr, calibration.geometry
            )
            self._given = None
        before = self.reading
        self.reading = self._reader.read_picture(frame.image_bgr, frame.t_ms)
        self._at_rest = self.reading is before
        if self._reader.lost:
            self._look_again(frame)
        elif _is_doubted(self.reading) and self._may_look(frame.t_ms, LOOK_IN_DOUBT_EVERY_MS):
            self._look_nearby(frame)
        if self.reading.refused:
            return None
        if _can_be_used(self.reading):
            self._whole = self.reading
        return self.orientation.board_seen(self.reading, frame.t_ms)

    def change_sides(self, start: Position) -> None:
        """Between games: take White's home from the last frame if that shows the board set up for a game."""
        if self.reading is None or not _can_be_used(self.reading):
            return
        counts = self.reading.counts()
        possible = self.orientation.with_each_home
        shown = [one for one in possible if agreeing(counts, one.counts(start)) >= LEAST_AGREEING]
        if len(shown) == 1:  # a bare board shows no sides
            self.orientation = shown[0]

    def know(self, position: Position) -> None:
        """Learn that the last frame surely shows this position."""
        assert self._reader
        self._reader.know(self.orientation.counts(position))

    def exchange_players(self, t_ms: int) -> BoardSeen:
        """Give each player the other's checkers, and return the board in the last frame, which was read."""
        assert self.reading
        self.orientation, self.exchangeable = self.orientation.exchanged, False
        self.exchanged = say("players_exchanged", player=say(self.orientation.light.value))
        return self.orientation.board_seen(self.reading, t_ms)

    def dice_on_field(self, frame: Frame) -> tuple[SeenDie, ...] | None:
        """The dice on the field in the frame observed last; None when a hand or blur hides them.

        Also None in pictures that change, before `hold_dice_until_ms`.
        """
        if self.reading is None or self.geometry is None or self.reading.refused or self.reading.hand:
            return None
        if self._dice is None or self._dice[0] is not self.reading:
            if frame.t_ms < self.hold_dice_until_ms and not self._at_rest:
                return None
            dice = self._dice_reader.detect(frame.image_bgr, self.geometry)
            if dice:
                dice = beside_checkers(dice, with_usual_totals(self.reading), self.geometry)
            self._dice = self.reading, dice
            self.dice_looked_ms = frame.t_ms
        return self._dice[1]

    def dice_thrown_last(self, frame: Frame, least: float = READABLE_PROBABILITY) -> tuple[int, ...]:
        """The faces of the two dice that came to rest last, as far as they can be read in the last frame.

        least: see `readable_faces`.
        """
        return readable_faces(self._dice_reader.thrown_last(self.dice_on_field(frame) or ()), least)

    @property
    def _candidates(self) -> tuple[tuple[Position, Orientation], ...]:
        """The positions from which the board may be learnt, each with a possible orientation."""
        return tuple(
            (position, orientation)
            for position in self._learnable
            for orientation in self._board.orientations
        )

    @property
    def _counts(self) -> list[PlaceCounts]:
        """For each candidate, the checkers on the places of the picture."""
        return [orientation.counts(position) for position, orientation in self._candidates]

    def _learn(self, frame: Frame) -> Calibration | None:
        """The calibration from this frame, if it shows a position to learn from."""
        since_ms, self._covered_since_ms = self._covered_since_ms, None
        stays = since_ms is not None and frame.t_ms - since_ms >= COVERS_STAY_MS
        learnt = self._learn_somewhere(frame, stays)
        if self._covered_since_ms is not None and since_ms is not None:
            self._covered_since_ms = since_ms
        return learnt

    def _learn_somewhere(self, frame: Frame, covers_stay: bool) -> Calibration | None:
        """The same, learnt at the given corners, or else where the board is found."""
        given = self._given_in(frame)
        if given:
            learnt = self._learn_at(given, frame, covers_stay)
            if learnt or not self._may_look(frame.t_ms):
                return learnt
        learnt = self._learn_at(self._found, frame, covers_stay) if self._found else None
        if learnt or not self._may_find(frame.t_ms):
            return learnt
        self._n_searches += 1
        thorough = self._n_searches.bit_count() == 1
        self._searched_ms = self._searched_ms[0] if self._searched_ms else frame.t_ms, frame.t_ms
        try:
            found = find_board(frame.image_bgr, quickly=not thorough).geometry
        except BoardNotFound:
            self._finds.clear()
            return None
        self._finds.append(found)
        self._found = placed_by_position(frame.image_bgr, found, self._counts)
        return self._learn_at(self._found, frame, covers_stay)

    def _may_find(self, t_ms: int) -> bool:
        """Whether to look for the board: the longer in vain, and once it lies settled, the more rarely."""
        if self._searched_ms is None:
            return True
        first_ms, last_ms = self._searched_ms
        wait_ms = min(FIND_AFTER_SHARE * (last_ms - first_ms), FIND_EVERY_MS)
        places = self._finds
        if len(places) == SETTLED_FINDS:
            farthest = max(_apart_px(one.corners_px, places[-1]) for one in places)
            if farthest <= SAME_FIND * places[-1].image_wh[0]:
                wait_ms = FIND_EVERY_MS
        return t_ms - last_ms >= wait_ms

    def _given_in(self, frame: Frame) -> BoardGeometry | None:
        """Where the settings say that the board lies in a frame. Computed once for each frame."""
        if self._given is None or self._given[0] is not frame:
            self._given = frame, self._board.geometry_in(frame.image_bgr)
        return self._given[1]

    def _elsewhere(self, learnt: BoardGeometry) -> str | None:
        given = self._board.corners_px
        if given is None or given == learnt.corners_px:
            return None
        return say("board_lies_elsewhere", corners=corners_text(learnt))

    def _may_look(self, t_ms: int, every_ms: int = LOOK_EVERY_MS) -> bool:
        """Whether `every_ms` has passed since the board was last looked for, or since the first call."""
        if self._looked_ms is None:
            self._looked_ms = t_ms
        if t_ms - self._looked_ms < every_ms:
            return False
        self._looked_ms = t_ms
        return True

    def _look_again(self, frame: Frame) -> None:
        """Continue where landmarks or a search place the board, if it shows nearly the same position there.

        It does not when people have played on meanwhile. Then continue at the place nearest to the old
        corners, where the board is seen from the same end, unless its reading there is in doubt.
        """
        assert self._reader
        lay, followed = self._reader.geometry.corners_px, self._reader.seems_at
        found = _found_in(frame) if self._may_look(frame.t_ms) else ()
        places = sorted((*((followed,) if followed else ()), *found), key=partial(_apart_px, lay))
        nearest: tuple[BoardReader, BoardReading] | None = None
        for geometry in places:
            reader, reading = self._read_at(geometry, frame)
            if not _can_be_used(reading):
                continue
            if self._shows_the_same(reading):
                self._reader, self.reading = reader, reading
                return
            nearest = nearest or (reader, reading)
        if nearest and not _is_doubted(nearest[1]):
            self._reader, self.reading = nearest

    def _shows_the_same(self, reading: BoardReading) -> bool:
        """Whether a reading shows nearly what was read last."""
        return self._whole is not None and agreeing(reading.counts(), self._whole.counts()) >= LEAST_AGREEING

    def _look_nearby(self, frame: Frame) -> None:
        """Continue where a search near the old place finds the board, if it is read more surely there."""
        assert self._reader
        assert self.reading
        lies = self._reader.geometry.corners_px
        ends = _found_in(frame, lies)
        if not ends:
            return
        reader, reading = self._read_at(min(ends, key=partial(_apart_px, lies)), frame)
        if _can_be_used(reading) and _sureness(reading) > _sureness(self.reading) + SURER_NATS:
            self._reader, self.reading = reader, reading

    def _read_at(self, geometry: BoardGeometry, frame: Frame) -> tuple[BoardReader, BoardReading]:
        """A reader of the board at this place in a frame, and what it reads there."""
        assert self._reader
        calibration = self._reader.calibration
        moved = replace(calibration, geometry=geometry, reference_bgr=reduced(frame.image_bgr))
        reader = BoardReader(calibration=moved, stacks=self._reader.stacks)
        return reader, reader.read_picture(frame.image_bgr, frame.t_ms)

    def _learn_at(self, geometry: BoardGeometry, frame: Frame, covers_stay: bool) -> Calibration | None:
        """The calibration from the candidate that the frame shows, if it shows one."""
        if self._calibrator is None or self._calibrator.geometry != geometry:
            self._calibrator = Calibrator(geometry=geometry)
        learnt = self._calibrator.learn_from(frame.image_bgr, self._counts, covers_stay=covers_stay)
        if self._calibrator.covered:
            self._covered_since_ms = frame.t_ms
        if learnt is None:
            return None
        number, calibration = learnt
        self.began_with, self.orientation = self._candidates[number]
        return calibration


def _found_in(frame: Frame, about: Corners | None = None) -> tuple[BoardGeometry, ...]:
    """Where a search finds the board in a frame, once for each end; () if it is not found."""
    try:
        found = find_board(frame.image_bgr, about).geometry
    except BoardNotFound:
        return ()
    return found, found.turned()


def _apart_px(one: Corners, geometry: BoardGeometry) -> float:
    """The largest change of a corner in x or y, in pixels."""
    return float(np.abs(np.subtract(geometry.corners_px, one)).max())


def _can_be_used(reading: BoardReading) -> bool:
    return not reading.refused and not reading.hand


def _sureness(reading: BoardReading) -> float:
    """Log-probability that all points are read correctly, in nats."""
    return float(np.log(reading.confidences()).sum())


def _is_doubted(reading: BoardReading) -> bool:
    return _can_be_used(reading) and _sureness(reading) < DOUBTED_NATS
