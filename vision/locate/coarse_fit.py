"""Brings a field that is known to about a pitch near enough for its points to be measured.

Fields with slightly other edges are tried, and the best are improved corner by corner. The score of a field
says how much its points differ from what lies on both sides of them.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

import cv2
import numpy as np

from vision.geometry import UNIT_SQUARE, BoardGeometry, FloatArray, GeometryError, Image, Map
from vision.locate.point_sides import (
    BAND_PITCHES,
    ROW_DISTANCES,
    STEP_PITCHES,
    UPRIGHT_HEIGHT_PITCHES,
    UPRIGHT_MARGIN_PITCHES,
    UPRIGHT_PITCH_PX,
    bar_pitches,
    upright_view,
    with_bar,
)

EDGES_PITCHES = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""How far to either side the left and the right edge are tried, in pitches; guess."""
POINT_SHAPES = tuple(product((0.38, 0.44, 0.5), (0.32, 0.38, 0.44)))
"""Half widths of points at the base in pitches, and lengths as fractions of the field's height; guesses."""
BARS_PITCHES = (0.0, 0.4, 0.8, 1.2)
"""Widths of the bar that are tried, in pitches; guess."""
N_FINALISTS = 3
"""Fields that are improved; guess."""
CORNER_STEPS_PITCHES = (0.4, 0.2, 0.1, 0.05)
"""Steps by which corners are moved, in pitches; guess."""
LEAST_SCORE_GAIN = 1e-4
"""Gain in score (0 to 1) below which a step is not taken; guess."""
LEAST_TIP_PITCHES = 0.05
"""Rows in which a point's half width is smaller, in pitches, show nothing of it; guess."""
FIELD_WAYS = np.eye(9)
"""The directions in which a field is moved: four corners' x and y, and the bar's width."""


def nearer_fields(image_bgr: Image, rough: BoardGeometry) -> list[BoardGeometry]:
    """The best few fields near a roughly known one, best first."""
    steps = _colour_changes(upright_view(image_bgr, rough))
    wide = 12 + bar_pitches(rough)
    doubt = 1 + float(np.median(np.linalg.norm(steps[::4, ::4], axis=2)))
    tried = []
    for left, right, bar in product(EDGES_PITCHES, EDGES_PITCHES, BARS_PITCHES):
        quad = UNIT_SQUARE * (wide, UPRIGHT_HEIGHT_PITCHES) + np.array(
            [[left, 0], [right, 0], [right, 0], [left, 0]]
        )
        field = np.append(quad.ravel(), bar)
        score, shape = max((_score(steps, shape, doubt, field), shape) for shape in POINT_SHAPES)
        tried.append((score, shape, field))
    tried.sort(key=lambda item: -item[0])
    best = []
    for _, shape, field in tried[:N_FINALISTS]:
        how_clear = partial(_score, steps, shape, doubt)
        best.append(climb(how_clear, field, CORNER_STEPS_PITCHES, least_gain=LEAST_SCORE_GAIN))
    best.sort(key=lambda item: -item[0])
    found = []
    for _, field in best:
        corners = field[:8].reshape(4, 2) / (wide, UPRIGHT_HEIGHT_PITCHES)
        try:
            found.append(with_bar(rough.with_corners(rough.to_px(corners)), float(field[8])))
        except GeometryError:
            continue
    return found


def _colour_changes(view: Map) -> Map:
    """How the colours of an upright picture change to the right."""
    smooth = cv2.blur(view, (1, max(1, round(BAND_PITCHES * UPRIGHT_PITCH_PX)) | 1))
    d = max(1, round(STEP_PITCHES * UPRIGHT_PITCH_PX))
    steps = np.zeros(view.shape, np.float32)
    steps[:, d:-d] = smooth[:, 2 * d :] - smooth[:, : -2 * d]
    return steps


def climb(
    score: Callable[[FloatArray], float],
    field: FloatArray,
    steps: Sequence[float],
    *,
    ways: FloatArray = FIELD_WAYS,
    least_gain: float = 0.0,
) -> tuple[float, FloatArray]:
    """The best score that hill climbing reaches, and its field (9,): four corners and the bar.

    The field is moved along each of the ways (N, 9) and back, by ever smaller steps, as long as its score
    grows by more than the least gain.
    """
    best = score(field)
    for step in steps:
        improved = True
        while improved:
            improved = False
            for way in (*ways, *-ways):
                tried = field + step * way
                better = score(tried)
                if better > best + least_gain:
                    best, field, improved = better, tried, True
    return best, field


def _score(steps: Map, shape: tuple[float, float], doubt: float, field: FloatArray) -> float:
    """How clearly (0 to 1) 24 points of a shape (half width, length) stand out in a field given by four
    corners and the bar's width in pitches."""
    base, length = shape
    wide = 12 + max(0.0, float(field[8]))
    halves = base * (1 - ROW_DISTANCES / length)
    rows, halves = ROW_DISTANCES[halves > LEAST_TIP_PITCHES], halves[halves > LEAST_TIP_PITCHES]
    columns = np.arange(12) + 0.5 + np.where(np.arange(12) > 5, wide - 12, 0.0)
    x = np.stack([columns[:, None] - halves, columns[:, None] + halves]) / wide
    y = np.broadcast_to(np.stack([rows, 1 - rows])[:, None, None], (2, 2, 12, len(rows)))
    points = np.stack([np.broadcast_to(x, y.shape), y], axis=-1).reshape(1, -1, 2)
    onto = cv2.getPerspectiveTransform(
        UNIT_SQUARE.astype(np.float32), field[:8].reshape(4, 2).astype(np.float32)
    )
    at = cv2.perspectiveTransform(points, onto)[0]
    column, row = np.round((at + UPRIGHT_MARGIN_PITCHES) * UPRIGHT_PITCH_PX - 0.5).astype(int).T
    column, row = np.clip(column, 0, steps.shape[1] - 1), np.clip(row, 0, steps.shape[0] - 1)
    seen = steps[row, column].reshape(2, 2, 12, len(rows), 3)
    contrast = np.linalg.norm(seen[:, 0] - seen[:, 1], axis=-1) / 2
    return float((contrast / (contrast + doubt)).sum()) / (24 * len(ROW_DISTANCES))
