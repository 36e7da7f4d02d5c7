"""Reads the dice that lie on the field: a second witness beside the sensor.

The network of vision/checkers.py sees where dice may lie; each face is then compared, at many angles and
sizes, with the picture of the die's upper side. The face that explains most of the picture best is taken.
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.checkers import MARGIN_PITCHES, BoardView, view_board
from vision.geometry import BoardGeometry

Image = npt.NDArray[np.uint8]
Patch = npt.NDArray[np.float32]

PITCH_PX = 64
"""Width of a point in the pictures in which faces are compared."""
PATCH_PITCHES = 1.1
SIZES_PITCHES = (0.22, 0.25, 0.285, 0.325, 0.37, 0.42, 0.48)
STEP_DEGREES = 7.5
PIP_REACH, PIP_RADIUS = 0.27, 0.1
"""Where pips lie and how large they are, as fractions of a die's width."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
HALF_TURN_FACES = (2, 3, 6)
"""Faces that look different after a quarter turn."""
FAINTEST = 0.015
"""The network's map of dice must exceed this where faces are looked for."""
SURELY_A_DIE = 0.4
"""From this height on, what has no readable face is a die that leans."""
MOST_CANDIDATES = 10
LEAST_LIKENESS = 0.67
"""Correlation below which what lies there is no readable face."""
LEAST_CONTRAST = 5.0
"""Spread of grey values that pips make at least."""
LEAST_CONFIDENCE = 0.65
APART_PITCHES = 0.25
SHARPNESS = 0.06
"""Turns the evidence of faces into their probabilities; neighbouring pixels are not independent."""


@dataclass(frozen=True, kw_only=True)
class SeenDie:
    """A die on the field.

    face: 1 to 6, or None when it cannot be read, as it leans or is hidden. confidence: 0 to 1.
    x, y: the middle of its upper face in field coordinates. box_px: left, top, right, bottom in the picture.
    brightness: grey value (0 to 255) of its upper face; the players' dice often differ.
    """

    face: int | None
    confidence: float
    x: float
    y: float
    box_px: tuple[float, float, float, float]
    brightness: float


@dataclass(frozen=True, kw_only=True)
class _Match:
    """The best of the faces in a patch: evidence of each face (6,), correlation, middle and size in px."""

    evidence: npt.NDArray[np.float64]
    likeness: float
    x: float
    y: float
    size: float


def read_dice(image_bgr: Image, geometry: BoardGeometry) -> tuple[SeenDie, ...]:
    """The dice on the field in a picture (h, w, 3), surest first; those in trays and on rims do not count."""
    view = view_board(image_bgr, geometry)
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    dice: list[SeenDie] = []
    for x, y, height in _candidates(view):
        die = _die_at(grey, geometry, view, x, y)
        if die is None or (die.face is None and height < SURELY_A_DIE):
            continue
        apart = APART_PITCHES / view.width
        if all(np.hypot(die.x - d.x, (die.y - d.y) * geometry.height) > apart for d in dice):
            dice.append(die)
    return tuple(sorted(dice, key=lambda die: -die.confidence))


def readable_faces(dice: tuple[SeenDie, ...]) -> tuple[int, ...]:
    """The faces of the two surest dice, as far as they can be read: a roll is two dice."""
    faces = [die.face for die in dice if die.face is not None and die.confidence > LEAST_CONFIDENCE]
    return tuple(faces[:2])


def _candidates(view: BoardView) -> list[tuple[float, float, float]]:
    """(x, y) in pitches and height of the peaks where the network sees dice, surest first."""
    heat = view.sights.dice
    summit = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > FAINTEST)
    places = sorted(zip(*np.nonzero(summit), strict=True), key=lambda at: -heat[at])
    scale, inside = view.map_scale, []
    for row, column in places:
        x, y = (column + 0.5) / scale - MARGIN_PITCHES, (row + 0.5) / scale - MARGIN_PITCHES
        if 0 < x < view.width and 0 < y < view.height:
            inside.append((float(x), float(y), float(heat[row, column])))
    return inside[:MOST_CANDIDATES]


def _die_at(grey: Image, geometry: BoardGeometry, view: BoardView, x: float, y: float) -> SeenDie | None:
    """The die near a place (pitches), if its upper face can be made out there."""
    side = round(PATCH_PITCHES * PITCH_PX)
    offsets = (np.arange(side) + 0.5) / PITCH_PX - PATCH_PITCHES / 2
    at = np.stack(np.meshgrid((x + offsets) / view.width, (y + offsets) / view.height), axis=-1)
    where = geometry.to_px(at.reshape(-1, 2)).reshape(side, side, 2).astype(np.float32)
    patch = cv2.remap(grey, where[..., 0], where[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    match = _best_match(patch.astype(np.float32))
    if match is None:
        return None
    odds = np.exp(SHARPNESS * (match.evidence - match.evidence.max()))
    face = int(odds.argmax()) + 1
    field = (
        (x - PATCH_PITCHES / 2 + match.x / PITCH_PX) / view.width,
        (y - PATCH_PITCHES / 2 + match.y / PITCH_PX) / view.height,
    )
    reach = match.size / PITCH_PX
    corners = [
        (field[0] + a * reach / view.width, field[1] + b * reach / view.height)
        for a in (-1, 1)
        for b in (-1, 1)
    ]
    seen = geometry.to_px(corners)
    (left, top), (right, bottom) = seen.min(axis=0), seen.max(axis=0)
    middle = patch[int(match.y) - 4 : int(match.y) + 5, int(match.x) - 4 : int(match.x) + 5]
    return SeenDie(
        face=face if match.likeness > LEAST_LIKENESS else None,
        confidence=float(odds.max() / odds.sum()) * match.likeness,
        x=float(field[0]),
        y=float(field[1]),
        box_px=(float(left), float(top), float(right), float(bottom)),
        brightness=float(np.median(middle)) if middle.size else 0.0,
    )


def _best_match(patch: Patch) -> _Match | None:
    """The face, angle and size that explain most: n pixels at correlation r explain -n log(1 - r^2)."""
    evidence = np.zeros(6)
    best: tuple[float, float, float, float, float] | None = None
    square = patch**2
    for size, mask, faces in _templates():
        count = float(mask.sum())
        mean = cv2.matchTemplate(patch, mask, cv2.TM_CCORR) / count
        spread = np.sqrt(np.maximum(cv2.matchTemplate(square, mask, cv2.TM_CCORR) / count - mean**2, 1e-3))
        for face, template in faces:
            likeness = np.abs(cv2.matchTemplate(patch, template, cv2.TM_CCORR)) / (count * spread)
            likeness[spread < LEAST_CONTRAST] = 0
            row, column = np.unravel_index(int(likeness.argmax()), likeness.shape)
            r = min(float(likeness[row, column]), 0.99)
            explained = -count * float(np.log(1 - r * r))
            evidence[face - 1] = max(evidence[face - 1], explained)
            if best is None or explained > best[0]:
                half = mask.shape[0] / 2
                best = explained, r, float(column) + half, float(row) + half, size
    if best is None or best[1] <= 0:
        return None
    return _Match(evidence=evidence, likeness=best[1], x=best[2], y=best[3], size=best[4])


@cache
def _templates() -> list[tuple[float, Patch, list[tuple[int, Patch]]]]:
    """For each size (px) and angle the mask of the upper face and the faces' patterns on it, of mean 0 and
    spread 1 under the mask."""
    templates = []
    for pitches in SIZES_PITCHES:
        size = pitches * PITCH_PX
        for degrees in np.arange(0, 180, STEP_DEGREES):
            mask = _drawn(size, degrees, None)
            faces = []
            for face in PIPS:
                if degrees < 90 or face in HALF_TURN_FACES:
                    pips = _drawn(size, degrees, face) * mask
                    flat = (pips - (pips * mask).sum() / mask.sum()) * mask
                    faces.append((face, (flat / np.sqrt((flat**2).sum() / mask.sum())).astype(np.float32)))
            templates.append((size, mask, faces))
    return templates


def _drawn(size: float, degrees: float, face: int | None) -> Patch:
    """A turned square of `size` px, or the pips of a face on it: 0 to 1."""
    side = int(np.ceil(size * 1.42)) + 1
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    ys, xs = np.mgrid[0 : side * 4, 0 : side * 4].astype(np.float64)
    u, v = turn.T @ ((np.stack([xs.ravel(), ys.ravel()]) + 0.5) / 4 - side / 2)
    if face is None:
        inside = np.maximum(np.abs(u), np.abs(v)) < size * 0.47
    else:
        spots = np.array(PIPS[face]) * size * PIP_REACH
        inside = (np.hypot(u[:, None] - spots[:, 0], v[:, None] - spots[:, 1]) < size * PIP_RADIUS).any(
            axis=1
        )
    fine = inside.reshape(side * 4, side * 4).astype(np.float32)
    small = cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.2) if face else small, dtype=np.float32)
