"""Detects the dice that lie on the field: a second source beside the dice sensor.

The network "checkers" shows where dice may lie. A second one, "dice", examines a piece of the board round
each place and gives the face that lies upward. A piece is turned so that the camera sees it from below its
lower edge. So a die's upper side is the uppermost of the sides that are seen.
"""

from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, FloatArray, Image, Map
from vision.networks.small_networks import MAP_STEP_PX, NETWORK_PITCH_PX, run_network
from vision.sharpness import detail_over_contrast

DICE_OVERSAMPLING, DICE_MARGIN_PITCHES = 2, 0.5
"""Fineness of the rectified board over what the network needs, and the pitches kept round it; guesses."""
FACES_ANSWER, DICE_ANSWER = 1, 4
"""Answers of the network "checkers" for checkers' faces and for dice; from the training."""
MAP_PITCH_PX = NETWORK_PITCH_PX / MAP_STEP_PX
"""Pixels of that network's answer for each pitch."""
CHECKER_THRESHOLD = 0.4
"""Where the network gives a checker's face a higher value, there is no die; guess."""
PIECE_PX = 64
"""Width in pixels of a piece of the board, one pitch; from the training."""
LEANING_FACE = 6
"""The answer for a leaning die, after those for the faces 1 to 6; from the training."""
LEAST_DIE_PEAK = 0.006
"""Least value of dice without checkers' faces at which a die is looked for; guess."""
MOST_CANDIDATES = 6
"""Places at which dice are looked for; guess."""
DIE_THRESHOLD = 0.3
"""Least value of a peak in a piece that may be a die; guess."""
LEAST_PRESENCE = 0.4
"""Dice with a lower presence (0 to 1) are not reported; guess."""
LEAST_DIE_CONTRAST = 0.4
"""Least contrast of half a pitch round a die, as a share of the board's: pips are made to be seen; guess."""
HALF_PIECE, UPPER_FACE = (
    slice(PIECE_PX // 4, -PIECE_PX // 4),
    slice(PIECE_PX // 2 - 5, PIECE_PX // 2 + 5),
)
"""Pixels of a piece that are half a pitch round its middle, and those of a die's upper face; guesses."""
READABLE_PROBABILITY = 0.5
"""Probability from which a face is reported as seen; guess."""
LEANING_PRIOR_FACTOR = 0.15
"""How much rarer leaning dice are in play than in the training; guess."""
DICE_ANSWER_FLOOR = 0.01
"""Added to every answer: the network is never surer than that. The faces share what no answer claims;
guess."""
DICE_APART_PITCHES = 0.2
"""Least distance of two dice, in pitches: the width of the smallest die; guess."""
ASIDE_PITCHES = 0.15
"""How far beside its foot a die's upper face may be seen, in pitches; guess."""
CENTRED_PITCHES = 0.12
"""A die within this distance of the middle of its piece is not examined again, in pitches; guess."""
BODY_PITCHES = 0.15
"""How far above the middle of a die its upper face is looked for, in pitches; guess."""
OUT_OF_FOCUS_SHARE = 0.85
"""A picture below this share of the usual sharpness is out of focus; guess."""
SHARPNESS_KEPT = 15
"""Pictures from which the usual sharpness is taken; guess."""
DIE_BOX_PITCHES = 0.2
"""Half the width of the box drawn round a die's upper face, in pitches; guess."""


@dataclass(frozen=True, kw_only=True)
class SeenDie:
    """A die on the field.

    face: the likeliest, 1 to 6, or None when the die rather leans. presence: 0 to 1, how surely it is a die.
    odds: (7,) how likely each face is, 1 first, and leaning last; they add up to one.
    x, y: the middle of its upper face in field coordinates. box_px: left, top, right, bottom in the picture.
    brightness: grey value (0 to 255) of its upper face; the players' dice often differ.
    """

    face: int | None
    presence: float
    odds: tuple[float, ...]
    x: float
    y: float
    box_px: tuple[float, float, float, float]
    brightness: float


@dataclass(frozen=True, kw_only=True)
class _DieSighting:
    """A possible die at x, y (pitches from the field's corner): (7,) answers for its faces and for leaning.

    aside: how far from the middle of the piece (pitches) it was seen.
    """

    x: float
    y: float
    aside: float
    answers: FloatArray

    @property
    def presence(self) -> float:
        """How surely there is a die, whatever it shows."""
        return float(min(1.0, self.answers.sum()))


@dataclass(kw_only=True)
class DiceReader:
    """Detects the dice in picture after picture of a board."""

    _sharpness: deque[float] = field(default_factory=lambda: deque(maxlen=SHARPNESS_KEPT), init=False)

    def detect(self, image_bgr: Image, geometry: BoardGeometry) -> tuple[SeenDie, ...] | None:
        """The dice on the field in a picture (h, w, 3), surest first; None when it is out of focus."""
        board = _board(image_bgr, geometry)
        sharp = detail_over_contrast(board)
        self._sharpness.append(sharp)
        if sharp < OUT_OF_FOCUS_SHARE * float(np.median(self._sharpness)):
            return None
        return _dice_on(board, image_bgr, geometry)


def detect_dice(image_bgr: Image, geometry: BoardGeometry) -> tuple[SeenDie, ...]:
    """The dice on the field in a picture (h, w, 3), surest first; those in trays and on rims do not count."""
    return _dice_on(_board(image_bgr, geometry), image_bgr, geometry)


def _dice_on(board: Image, image_bgr: Image, geometry: BoardGeometry) -> tuple[SeenDie, ...]:
    picture = _not_too_fine(image_bgr, geometry)
    sights, found = _sights_of(board), list[_DieSighting]()
    for x, y in _candidates(sights, geometry):
        up = BODY_PITCHES * _upward(geometry, x, y)
        found += _sights(picture, geometry, x + up[0], y + up[1])
    lying = [
        sight
        for sight in _apart(found)
        if _on_field(sight.x, sight.y, geometry) and not _on_checker(sights, sight.x, sight.y)
    ]
    centred = _apart([again for sight in lying for again in _centred(sight, picture, geometry)])
    least = LEAST_DIE_CONTRAST * _spread(board)
    dice = [
        _die(sight, piece, geometry)
        for sight in centred
        if sight.presence > LEAST_PRESENCE
        and _spread((piece := _piece(picture, geometry, sight.x, sight.y))[HALF_PIECE, HALF_PIECE]) > least
    ]
    return tuple(sorted(dice, key=lambda die: -max(die.odds)))


def _centred(sight: _DieSighting, picture: tuple[Image, int], geometry: BoardGeometry) -> list[_DieSighting]:
    """A die examined again in the middle of its piece, where the network reads best; [] if it is none."""
    if sight.aside < CENTRED_PITCHES:
        return [sight]
    again = _sights(picture, geometry, sight.x, sight.y)
    near = [other for other in again if np.hypot(other.x - sight.x, other.y - sight.y) < DICE_APART_PITCHES]
    return sorted(near, key=lambda other: -other.presence)[:1]


def readable_faces(dice: tuple[SeenDie, ...]) -> tuple[int, ...]:
    """The faces of the two surest dice, as far as they can be read: a roll is two dice."""
    return tuple(
        die.face for die in dice[:2] if die.face is not None and max(die.odds) > READABLE_PROBABILITY
    )


# -- where dice may lie


def _pitches(geometry: BoardGeometry) -> tuple[float, float]:
    """Width and height of the field in pitches."""
    left, right = geometry.bar
    width = 12 / (1 - (right - left))
    return width, width * geometry.height


def _on_field(x: float, y: float, geometry: BoardGeometry) -> bool:
    """Whether a place (pitches) lies on one of the field's halves. A die on the bar is no roll."""
    width, height = _pitches(geometry)
    left, right = (edge * width for edge in geometry.bar)
    return 0 < x < width and 0 < y < height and not left + ASIDE_PITCHES < x < right - ASIDE_PITCHES


def _board(image_bgr: Image, geometry: BoardGeometry) -> Image:
    """The rectified board, `DICE_OVERSAMPLING` times finer than the network sees it."""
    coarse, fine = _board_map(geometry)
    return np.asarray(cv2.remap(image_bgr, coarse, fine, cv2.INTER_LINEAR), np.uint8)


def _sights_of(board: Image) -> Map:
    """(h, w, 5): the answers of the network "checkers" for the rectified board."""
    size = (board.shape[1] // DICE_OVERSAMPLING, board.shape[0] // DICE_OVERSAMPLING)
    return run_network(
        np.asarray(cv2.resize(board, size, interpolation=cv2.INTER_AREA), np.uint8), "checkers"
    )


def _candidates(sights: Map, geometry: BoardGeometry) -> list[tuple[float, float]]:
    """(x, y) in pitches of the peaks where the network sees dice and no checkers, highest first."""
    heat = np.ascontiguousarray(sights[..., DICE_ANSWER] * (1 - sights[..., FACES_ANSWER]))
    places = [
        (
            (column + 0.5) / MAP_PITCH_PX - DICE_MARGIN_PITCHES,
            (row + 0.5) / MAP_PITCH_PX - DICE_MARGIN_PITCHES,
        )
        for row, column in _summits(heat, LEAST_DIE_PEAK)
    ]
    return [place for place in places if _on_field(*place, geometry)][:MOST_CANDIDATES]


def _on_checker(sights: Map, x: float, y: float) -> bool:
    """Whether the network sees a checker's face at a place (pitches): a die does not lie on one."""
    row, column = (int((at + DICE_MARGIN_PITCHES) * MAP_PITCH_PX) for at in (y, x))
    faces = sights[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2, FACES_ANSWER]
    return float(faces.mean()) > CHECKER_THRESHOLD


@lru_cache(maxsize=2)
def _board_map(geometry: BoardGeometry) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
    width, _ = _pitches(geometry)
    pixels = round(width * NETWORK_PITCH_PX) * DICE_OVERSAMPLING
    map_x, map_y = cv2.split(geometry.rectifying_map(pixels, margin=DICE_MARGIN_PITCHES / width))
    coarse, fine = cv2.convertMaps(map_x, map_y, cv2.CV_16SC2)
    return np.asarray(coarse, np.int16), np.asarray(fine, np.uint16)


def _summits(heat: Map, least: float) -> list[tuple[int, int]]:
    """(row, column) of the peaks of a map above `least`, highest first."""
    peaks = np.argwhere((heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > least))
    return sorted(((int(row), int(column)) for row, column in peaks), key=lambda at: -float(heat[at]))


# -- what lies there


def _not_too_fine(image_bgr: Image, geometry: BoardGeometry) -> tuple[Image, int]:
    """The picture shrunk by a whole number where it is much finer than pieces are, and that number."""
    corners = np.array(geometry.corners_px)
    pitch_px = float(np.linalg.norm(corners[1] - corners[0])) / _pitches(geometry)[0]
    shrink = max(1, int(pitch_px / PIECE_PX))
    if shrink == 1:
        return image_bgr, 1
    size = (-(-image_bgr.shape[1] // shrink), -(-image_bgr.shape[0] // shrink))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8), shrink


def _upward(geometry: BoardGeometry, x: float, y: float) -> FloatArray:
    """(2,): the direction on the board (pitches) in which what stands up from a place (pitches) leans."""
    size = np.array(_pitches(geometry))
    foot = np.array([[x, y]]) / size
    head = geometry.to_field(geometry.to_px(foot, geometry.top_height))
    lean: FloatArray = ((head - foot) * size)[0]
    length = float(np.linalg.norm(lean))
    return lean / length if length > 1e-9 else np.array([0.0, -1.0])


def _piece(picture: tuple[Image, int], geometry: BoardGeometry, x: float, y: float) -> Image:
    """(64, 64, 3): the piece of the board round a place (pitches), turned so that things lean upward."""
    image_bgr, shrink = picture
    up = _upward(geometry, x, y)
    right = np.array([-up[1], up[0]])
    steps = (np.arange(PIECE_PX) + 0.5) / PIECE_PX - 0.5
    there = np.array([x, y]) + steps[None, :, None] * right - steps[:, None, None] * up
    where = geometry.to_px((there / _pitches(geometry)).reshape(-1, 2))
    where = ((where + 0.5) / shrink - 0.5).reshape(PIECE_PX, PIECE_PX, 2).astype(np.float32)
    map_x, map_y = cv2.split(where)
    flags, edge = cv2.INTER_LINEAR, cv2.BORDER_REPLICATE
    return np.asarray(cv2.remap(image_bgr, map_x, map_y, flags, borderMode=edge), np.uint8)


def _sights(picture: tuple[Image, int], geometry: BoardGeometry, x: float, y: float) -> list[_DieSighting]:
    """The dice that the network sees round a place (pitches)."""
    answers = run_network(_piece(picture, geometry, x, y), "dice")
    heat = np.ascontiguousarray(answers.sum(axis=2))
    up = _upward(geometry, x, y)
    right = np.array([-up[1], up[0]])
    found = []
    for row, column in _summits(heat, DIE_THRESHOLD):
        across, down = ((at + 0.5) * MAP_STEP_PX / PIECE_PX - 0.5 for at in (column, row))
        there = np.array([x, y]) + across * right - down * up
        rows, columns = (slice(max(0, at - 1), at + 2) for at in (row, column))
        found.append(
            _DieSighting(
                x=float(there[0]),
                y=float(there[1]),
                aside=float(np.hypot(across, down)),
                answers=answers[rows, columns].max(axis=(0, 1)).astype(np.float64),
            )
        )
    return found


def _apart(sights: list[_DieSighting]) -> list[_DieSighting]:
    """The clearest sights, none nearer to another than dice can lie."""
    kept: list[_DieSighting] = []
    for sight in sorted(sights, key=lambda sight: -sight.presence):
        if all(np.hypot(sight.x - other.x, sight.y - other.y) > DICE_APART_PITCHES for other in kept):
            kept.append(sight)
    return kept


def _spread(picture_bgr: Image) -> float:
    """Root of the mean variance of the colours (0 to 255)."""
    return float(np.sqrt(picture_bgr.astype(np.float32).var(axis=(0, 1)).mean()))


def _die(sight: _DieSighting, piece: Image, geometry: BoardGeometry) -> SeenDie:
    odds = sight.answers + DICE_ANSWER_FLOOR + (1 - sight.presence) / len(sight.answers)
    odds[LEANING_FACE] *= LEANING_PRIOR_FACTOR
    answer = int(odds.argmax())
    size = np.array(_pitches(geometry))
    corners = [
        (np.array([sight.x, sight.y]) + DIE_BOX_PITCHES * np.array([a, b])) / size
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    seen = geometry.to_px(corners)
    (left, top), (right, bottom) = seen.min(axis=0), seen.max(axis=0)
    middle = piece[UPPER_FACE, UPPER_FACE]
    x, y = np.array([sight.x, sight.y]) / size
    return SeenDie(
        face=None if answer == LEANING_FACE else answer + 1,
        presence=sight.presence,
        odds=tuple(float(p) for p in odds / odds.sum()),
        x=float(x),
        y=float(y),
        box_px=(float(left), float(top), float(right), float(bottom)),
        brightness=float(np.median(middle.mean(axis=2))),
    )
