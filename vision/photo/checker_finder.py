"""Finds the checkers' upper faces in a picture of a board, without knowing their colours.

Distances are in pitches (the width of a point); x runs from the field's left edge, y from its top edge.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, FloatArray, Image, Map
from vision.networks.small_networks import MAP_STEP_PX, NETWORK_PITCH_PX, run_network

PHOTO_OVERSAMPLING = 3
"""The board is rectified so many times finer than the network needs, then averaged against aliasing;
guess."""
PHOTO_MARGIN_PITCHES = 1.0
"""Pitches kept round the rectified field; guess."""
LEAST_CHECKER_PEAK = 0.12
"""Least height (0 to 1) of a peak that may be a checker; guess."""
PEAK_LOGIT_SLOPE, PEAK_LOGIT_OFFSET = 2.5, 2.4
"""Log-odds that a peak is a checker, as a line over the log-odds of its height; measured: fitted to drawn
boards that the network was not trained with (python -m vision.training.trust)."""
SURE_CHECKER = 0.5
"""Probability from which a peak counts as a checker; guess."""
OUTSIDE_PITCHES = 0.5
"""How far outside the field a checker's centre may lie, in pitches; guess."""
FACE_COLOUR_RADIUS_PITCHES = 0.3
"""Radius of the part of a face whose median colour is taken, without its rim, in pitches; guess."""
CLOSEST_FACES_PITCHES = 0.6
"""Least distance of two faces, in pitches; guess."""


@dataclass(frozen=True, kw_only=True)
class SeenChecker:
    """An upper face: x, y in pitches from the field's top left corner; how surely it is one (0 to 1); its
    middle colour in CIE L*a*b* (3,)."""

    x: float
    y: float
    sureness: float
    lab: FloatArray


@dataclass(frozen=True, kw_only=True)
class NetworkMaps:
    """The network's answers, each (h, w), values 0 to 1, a pixel for each `MAP_STEP_PX` of the picture.

    centres: peaks at the middle of each checker's upper face. faces: upper faces of checkers.
    things: cups and other bodies that hide the board. hands: hands and sleeves. dice: dice.
    """

    centres: Map
    faces: Map
    things: Map
    hands: Map
    dice: Map


@dataclass(frozen=True, kw_only=True)
class BoardView:
    """A rectified board with the network's answers.

    fine_bgr: (h, w, 3) `PHOTO_OVERSAMPLING * NETWORK_PITCH_PX` pixels a pitch, margins included.
    width, height: the field in pitches; bar: the bar's edges in pitches from the left.
    """

    fine_bgr: Image
    maps: NetworkMaps
    width: float
    height: float
    bar: tuple[float, float]

    @property
    def map_scale(self) -> float:
        """Pixels of the network's maps for each pitch."""
        return NETWORK_PITCH_PX / MAP_STEP_PX

    @property
    def fine_scale(self) -> float:
        """Pixels of `fine_bgr` for each pitch."""
        return float(NETWORK_PITCH_PX * PHOTO_OVERSAMPLING)


def rectify_board(image_bgr: Image, geometry: BoardGeometry, *, thorough: bool = False) -> BoardView:
    """Rectify the field and run the network on it; `thorough`: average over its mirror images too."""
    left, right = geometry.bar
    width = 12 / (1 - (right - left))
    pixels = round(width * NETWORK_PITCH_PX) * PHOTO_OVERSAMPLING
    fine = geometry.rectify(image_bgr, pixels, margin=PHOTO_MARGIN_PITCHES / width)
    size = (fine.shape[1] // PHOTO_OVERSAMPLING, fine.shape[0] // PHOTO_OVERSAMPLING)
    coarse = cv2.resize(fine, size, interpolation=cv2.INTER_AREA)
    answers = _network_answers(np.asarray(coarse, np.uint8), thorough)
    centres, faces, things, hands, dice = np.moveaxis(answers, 2, 0)
    return BoardView(
        fine_bgr=fine,
        maps=NetworkMaps(centres=centres, faces=faces, things=things, hands=hands, dice=dice),
        width=width,
        height=geometry.height * width,
        bar=(left * width, right * width),
    )


def _network_answers(picture: Image, thorough: bool) -> Map:
    if not thorough:
        return run_network(picture, "checkers")
    padded = np.pad(picture, ((0, -picture.shape[0] % 2), (0, -picture.shape[1] % 2), (0, 0)), mode="edge")
    ways = [(slice(None, None, a), slice(None, None, b)) for a in (1, -1) for b in (1, -1)]
    return np.asarray(
        np.mean([run_network(padded[way], "checkers")[way] for way in ways], axis=0), np.float32
    )


def detect_checkers(view: BoardView) -> tuple[SeenChecker, ...]:
    """Every upper face, surest first."""
    unit = view.fine_bgr.astype(np.float32) / 255
    lab = np.asarray(cv2.cvtColor(unit, cv2.COLOR_BGR2Lab), dtype=np.float32)
    return tuple(
        SeenChecker(x=x, y=y, sureness=_peak_probability(height), lab=_middle_colour(lab, view, x, y))
        for x, y, height in centre_peaks(view)
    )


def _peak_probability(height: float) -> float:
    odds = np.log(height / max(1 - height, 1e-6))
    return float(1 / (1 + np.exp(-PEAK_LOGIT_SLOPE * odds - PEAK_LOGIT_OFFSET)))


def centre_peaks(view: BoardView) -> list[tuple[float, float, float]]:
    """(x, y, height) of the peaks of the map of centres, highest first, none closer than a checker allows."""
    heat = view.maps.centres
    summit = (heat == cv2.dilate(heat, np.ones((3, 3), np.uint8))) & (heat > LEAST_CHECKER_PEAK)
    kept: list[tuple[float, float, float]] = []
    rows, columns = np.nonzero(summit)
    for row, column in sorted(zip(rows, columns, strict=True), key=lambda at: -heat[at]):
        fine_row, fine_column = _summit(heat, int(row), int(column))
        x = (fine_column + 0.5) / view.map_scale - PHOTO_MARGIN_PITCHES
        y = (fine_row + 0.5) / view.map_scale - PHOTO_MARGIN_PITCHES
        inside = (
            -OUTSIDE_PITCHES < x < view.width + OUTSIDE_PITCHES
            and -OUTSIDE_PITCHES < y < view.height + OUTSIDE_PITCHES
        )
        if inside and all(np.hypot(x - a, y - b) > CLOSEST_FACES_PITCHES for a, b, _ in kept):
            kept.append((x, y, float(heat[row, column])))
    return kept


def _summit(heat: npt.NDArray[np.float32], row: int, column: int) -> tuple[float, float]:
    """The middle of a peak to a fraction of a pixel: the centre of gravity of its surroundings."""
    top, left = max(0, row - 1), max(0, column - 1)
    patch = heat[top : row + 2, left : column + 2].astype(np.float64)
    ys, xs = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    return top + float((ys * patch).sum() / patch.sum()), left + float((xs * patch).sum() / patch.sum())


def _middle_colour(lab: npt.NDArray[np.float32], view: BoardView, x: float, y: float) -> FloatArray:
    """The median colour of a face, its rim left out."""
    reach = FACE_COLOUR_RADIUS_PITCHES * view.fine_scale
    column, row = ((v + PHOTO_MARGIN_PITCHES) * view.fine_scale for v in (x, y))
    top, left = max(0, round(row - reach)), max(0, round(column - reach))
    patch = lab[top : round(row + reach) + 1, left : round(column + reach) + 1]
    ys, xs = np.mgrid[top : top + patch.shape[0], left : left + patch.shape[1]]
    face = np.hypot(xs - column, ys - row) <= reach
    return np.asarray(np.median(patch[face], axis=0), dtype=np.float64)
