"""Detects the dice that lie on the field: a second source beside the dice sensor.

A network (vision/networks/dice_network.py) sees the whole field from straight above and says for each cell of
8 x 8 pixels what body lies there. Another (vision/networks/face_network.py) looks closely at each die and
reads it.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from vision.board_reading import N_POINTS, PLACES_IN_ROW, BoardReading
from vision.dice.field_view import DiceView, field_view
from vision.geometry import BoardGeometry, FloatArray, Image
from vision.networks.dice_network import COCKED, CUBE, NO_BODY, Answers, SeenView, see_dice
from vision.networks.face_network import see_face
from vision.sharpness import detail_over_contrast

LEANING_FACE = 6
"""Index of a leaning die in `SeenDie.odds`, after those of the faces 1 to 6."""
LEAST_CELL = 0.25
"""Least probability of a die in a cell from which one is searched for there; guess."""
CELLS_OF_A_DIE = 3.0
"""Sum of the cells' probabilities from which a die is surely there; guess."""
LEAST_PRESENCE = 0.7
"""Dice with a lower presence (0 to 1) are not reported; guess."""
LEAST_PRINTED = 0.3
"""A die detected with at least this presence while no dice are thrown is part of the board; guess."""
PRINTED_PLACE = 0.02
"""A die detected nearer than this to such a part is that part, in field widths; guess."""
MORE_SURELY_A_DIE = 0.3
"""A real die on such a part is detected with at least this much more sureness than the part; guess."""
MOST_DICE = 8
"""Most dice that are searched for; guess."""
READABLE_PROBABILITY = 0.42
"""Probability above which a face is reported as seen. Just above it, up to 0.52, 37 of 71 were right on
boards of kinds not trained on."""
LEANING_PRIOR_FACTOR = 0.3
"""How often dice lean in play relative to the training; guess."""
ANSWER_FLOOR = 0.001
"""Added to the probability of every face, which limits how sure the network can be. Measured: of 1,539 dice
to which it gives 0.95 or more, on boards of kinds not trained on, one face is wrong."""
SAME_DIE_PX = 6.0
"""Cells whose middles of a die are nearer than this show the same die; in pixels of the view, guess."""
NEXT_DIE_SHARE = 0.7
"""Least distance between the middles of two dice, as a share of a die's size in the view; guess."""
BAR_SHARE = 0.005
"""A die whose middle is less than this far inside the bar lies beside it, in field widths; guess."""
PLAIN_FACE = 0.84
"""Probability of a face above which a die on the bar is no hinge; guess. Hinges had at most 0.66."""
LARGE_DICE_SHARES = (0.8, 0.65)
"""Scales of the coarser views in which large dice are searched for, as shares of the usual scale. Chosen with
31 photographs in sight, one of which shows such dice."""
LARGE_DIE_SURENESS = 0.84
"""Sureness above which a die seen in such a view counts: other things pass for dice there; guess."""
DICE_IN_A_ROLL = 2
OUT_OF_FOCUS_SHARE = 0.7
"""A picture below this share of the usual sharpness is out of focus. Blur reduced it to 0.6, dim light to
0.83."""
SHARPNESS_KEPT = 15
"""Number of last pictures whose median is the usual sharpness; guess."""
SAME_PLACE = 0.03
"""A die that moved less than this, in field widths, and shows the same face was not thrown again; guess."""
SAME_FACE = 0.1
"""Two looks show the same face if the probability of that is at least this; guess."""
PICTURES_OVERLOOKED = 4
"""A die that is not seen in so many pictures in a row is gone; guess."""
UPPER_FACE_SHARE = 0.3
"""Half the width of the part of a die whose brightness is measured, as a share of its size; guess."""


@dataclass(frozen=True, kw_only=True)
class SeenDie:
    """A die on the field.

    face: the likeliest, 1 to 6, or None when leaning is likeliest. presence: 0 to 1, how surely it is a die.
    odds: (7,) the probability of each face, 1 first, and of leaning last; they add up to one.
    x, y: its visible middle, in field coordinates. box_px: left, top, right, bottom in the picture.
    brightness: grey level (0 to 255) of its middle; the players' dice often differ.
    """

    face: int | None
    presence: float
    odds: tuple[float, ...]
    x: float
    y: float
    box_px: tuple[float, float, float, float]
    brightness: float

    @property
    def sureness(self) -> float:
        """0 to 1: how surely it is a die that shows its likeliest face, or leans."""
        return self.presence * max(self.odds)


@dataclass(kw_only=True)
class DiceReader:
    """Detects the dice in picture after picture of a board."""

    _sharpness: deque[float] = field(default_factory=lambda: deque(maxlen=SHARPNESS_KEPT), init=False)
    _seen: SeenView | None = field(default=None, init=False)
    _pictures: int = field(default=0, init=False)
    _resting: list["_RestingDie"] = field(default_factory=list, init=False)
    _printed: tuple[SeenDie, ...] = field(default=(), init=False)

    def learn_board(self, image_bgr: Image, geometry: BoardGeometry) -> None:
        """Learn which parts of the board look like dice, from a picture (h, w, 3) without thrown dice."""
        view = field_view(geometry)
        shown = view.of(image_bgr)
        self._printed = _dice_in(shown, see_dice(shown), view, LEAST_PRINTED)

    def detect(self, image_bgr: Image, geometry: BoardGeometry) -> tuple[SeenDie, ...] | None:
        """The dice on the field in a picture (h, w, 3), surest first; None when it is out of focus."""
        view = field_view(geometry)
        shown = view.of(image_bgr)
        sharp = detail_over_contrast(shown)
        self._sharpness.append(sharp)
        if sharp < OUT_OF_FOCUS_SHARE * float(np.median(self._sharpness)):
            return None
        self._seen = see_dice(shown, self._seen)
        dice = tuple(
            die
            for die in _dice_in(shown, self._seen, view)
            if not self._is_printed(die) and not _lies_on_bar(die, geometry)
        )
        self._note(dice)
        return dice

    def _is_printed(self, die: SeenDie) -> bool:
        return any(
            _apart(die, part) < PRINTED_PLACE and die.sureness < part.sureness + MORE_SURELY_A_DIE
            for part in self._printed
        )

    def _note(self, dice: tuple[SeenDie, ...]) -> None:
        """Keep track of the picture since which each die has lain in its place."""
        self._pictures += 1
        for die in dice:
            there = next((one for one in self._resting if one.is_same(die)), None)
            if there is None:
                there = _RestingDie(die=die, since=self._pictures, last=self._pictures)
                self._resting.append(there)
            there.die, there.last = die, self._pictures
        self._resting = [one for one in self._resting if self._pictures - one.last < PICTURES_OVERLOOKED]

    def thrown_last(self, dice: tuple[SeenDie, ...]) -> tuple[SeenDie, ...]:
        """The dice of the last picture, sorted so that those that came to rest last are first.

        Players with dice of their own leave them lying until they throw again.
        """

        def since(die: SeenDie) -> int:
            return max((one.since for one in self._resting if one.is_same(die)), default=0)

        return tuple(sorted(dice, key=since, reverse=True))


@dataclass(kw_only=True)
class _RestingDie:
    """A die as it was last seen, and the numbers of the first and the last picture of it."""

    die: SeenDie
    since: int
    last: int

    def is_same(self, die: SeenDie) -> bool:
        """Whether a die seen now is this one: in the same place and with the same face."""
        return _apart(die, self.die) < SAME_PLACE and float(np.dot(die.odds, self.die.odds)) >= SAME_FACE


def _apart(one: SeenDie, other: SeenDie) -> float:
    """How far apart two dice lie, in field widths."""
    return float(np.hypot(one.x - other.x, one.y - other.y))


def detect_dice(image_bgr: Image, geometry: BoardGeometry) -> tuple[SeenDie, ...]:
    """The dice in a single picture (h, w, 3), surest first.

    In play, dice on the bar are no roll. Here they are reported, too, if their face is plain. If fewer than
    two plain dice are seen, large ones are searched for: they look smaller in a coarser view.
    """
    view = field_view(geometry)
    dice = _told_in(image_bgr, view)
    if sum(map(_is_plain, dice)) < DICE_IN_A_ROLL:
        coarser = [replace(view, pitch_px=share * view.pitch_px) for share in LARGE_DICE_SHARES]
        large = (die for each in coarser for die in _told_in(image_bgr, each))
        dice = _surest([*dice, *(die for die in large if die.sureness > LARGE_DIE_SURENESS)])
    return dice


def _told_in(image_bgr: Image, view: DiceView) -> tuple[SeenDie, ...]:
    shown = view.of(image_bgr)
    dice = _dice_in(shown, see_dice(shown), view)
    return tuple(die for die in dice if _is_plain(die) or not _lies_on_bar(die, view.geometry))


def _surest(dice: Iterable[SeenDie]) -> tuple[SeenDie, ...]:
    """Each of the dice seen in several views once, from the view where it is surest; surest first."""
    kept: list[SeenDie] = []
    for die in sorted(dice, key=lambda one: -one.sureness):
        if all(_apart(die, other) >= SAME_PLACE for other in kept):
            kept.append(die)
    return tuple(kept)


def beside_checkers(
    dice: tuple[SeenDie, ...], reading: BoardReading, geometry: BoardGeometry
) -> tuple[SeenDie, ...]:
    """The dice without those that lie on checkers of a visible point.

    A die on a checker is no roll, and what looks like one may be the checker's own pattern.
    """
    return tuple(die for die in dice if not _on_checkers(die, reading, geometry))


def _on_checkers(die: SeenDie, reading: BoardReading, geometry: BoardGeometry) -> bool:
    top = die.y < 0.5
    places = range(PLACES_IN_ROW) if top else range(PLACES_IN_ROW, N_POINTS)
    place = min(places, key=lambda one: abs(geometry.column_x(one) - die.x))
    count = 0 if place in reading.unseen else abs(reading.counts()[place])
    return (die.y if top else 1 - die.y) < geometry.row_reach(count)


def readable_faces(dice: tuple[SeenDie, ...], least: float = READABLE_PROBABILITY) -> tuple[int, ...]:
    """The faces of the first two dice, as far as they can be read: a roll is two dice.

    least: a face counts as read when its probability is greater.
    """
    return tuple(die.face for die in dice[:DICE_IN_A_ROLL] if die.face is not None and max(die.odds) > least)


def _dice_in(
    view_bgr: Image, seen: SeenView, view: DiceView, least: float = LEAST_PRESENCE
) -> tuple[SeenDie, ...]:
    """The dice in a view, also those on the bar, surest first.

    view_bgr: the picture of the view. seen: the network's answer to it. least: the least presence of a die.
    """
    odds, bodies = seen.odds, seen.bodies
    left = odds[..., NO_BODY + 1 : CUBE].sum(axis=-1)
    dice: list[SeenDie] = []
    for _ in range(MOST_DICE):
        row, column = np.unravel_index(int(left.argmax()), left.shape)
        if left[row, column] < LEAST_CELL:
            break
        away = np.hypot(*np.moveaxis(bodies[..., :2] - bodies[row, column, :2], -1, 0))
        same = np.where(away < SAME_DIE_PX, left, 0.0)
        body = np.average(bodies.reshape(-1, 3), axis=0, weights=same.ravel())
        die = _die(view_bgr, view, np.array((body, bodies[row, column])), same)
        left[away < max(SAME_DIE_PX, NEXT_DIE_SHARE * float(bodies[row, column, 2]))] = 0.0
        left[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2] = 0.0
        if die.presence >= least and 0 < die.x < 1 and 0 < die.y < 1:
            dice.append(die)
    return tuple(sorted(dice, key=lambda one: -one.sureness))


def _lies_on_bar(die: SeenDie, geometry: BoardGeometry) -> bool:
    """Whether a die lies on the bar, where it is no roll."""
    left, right = geometry.bar
    return left + BAR_SHARE < die.x < right - BAR_SHARE


def _is_plain(die: SeenDie) -> bool:
    return die.face is not None and max(die.odds) > PLAIN_FACE


def _die(view_bgr: Image, view: DiceView, bodies: FloatArray, cells: Answers) -> SeenDie:
    """The die at `bodies` (2, 3): two estimates of its middle and size, the better one first.

    The face network looks at both, at the second as a mirror image. cells: the probability that each cell
    shows this die.
    """
    presence = float(min(1.0, cells.max(), cells.sum() / CELLS_OF_A_DIE))
    looks = [
        see_face(view_bgr, one[:2], float(one[2]), mirrored)
        for mirrored, one in zip((False, True), bodies, strict=True)
    ]
    *faces, no_die = np.mean(looks, axis=0)
    body = bodies[0]
    presence *= 1 - no_die
    told = np.array(faces, dtype=np.float64) + ANSWER_FLOOR
    told[COCKED - 1] *= LEANING_PRIOR_FACTOR
    told /= told.sum()
    answer = int(told.argmax())
    middle, half = body[:2], body[2] / 2
    corners = middle + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    seen = view.geometry.to_px(view.to_field(corners))
    (left, top), (right, bottom) = seen.min(axis=0), seen.max(axis=0)
    x, y = view.to_field(middle[None])[0]
    near = max(1.0, UPPER_FACE_SHARE * body[2])
    columns, rows = (slice(max(0, round(at - near)), round(at + near) + 1) for at in middle)
    grey = cv2.cvtColor(view_bgr, cv2.COLOR_BGR2GRAY)[rows, columns]
    return SeenDie(
        face=None if answer == LEANING_FACE else answer + 1,
        presence=presence,
        odds=tuple(float(p) for p in told),
        x=float(x),
        y=float(y),
        box_px=(float(left), float(top), float(right), float(bottom)),
        brightness=float(np.median(grey)) if grey.size else 0.0,
    )
