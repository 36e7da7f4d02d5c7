"""Measures the points of a roughly known field: where the two sides of each lie, row by row.

The measurements are made in an upright picture of the field. A point differs in the same way from what lies
left and right of it, so both sides are looked for at once. That gives its middle and its half width.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, FloatArray, Image, Map

UPRIGHT_PITCH_PX = 24
"""Pixels for each pitch (the width of a point) in the upright picture; guess."""
UPRIGHT_HEIGHT_PITCHES = 11.0
"""Height of the upright field in pitches, whatever the real one's is; guess."""
UPRIGHT_MARGIN_PITCHES = 1.5
"""Pitches round the field in the upright picture; guess."""
ROW_DISTANCES = np.linspace(0.05, 0.40, 15)
"""Distances from the base at which sides are looked for, as fractions of the field's height; guess."""
PROFILE_REACH_PITCHES = 1.1
"""How far the profile across a point reaches to either side, in pitches; guess."""
BAND_PITCHES = 0.3
"""Height of the band of rows that is averaged for a profile, in pitches; guess."""
STEP_PITCHES = 0.08
"""Inside and outside of a point's side are compared so far from it, in pitches; guess."""
HALF_BASES_PITCHES = (0.36, 0.40, 0.44, 0.48)
"""Half widths of points at the base that are tried, in pitches; guess."""
POINT_LENGTHS = np.linspace(0.28, 0.50, 12)
"""Lengths of points that are tried, as fractions of the field's height; guess."""
MOST_HALF_PITCHES, LEAST_SHOWN_HALF_PITCHES = 0.55, 0.04
"""Half widths of points that are looked for are below the first and above the second, in pitches; guesses."""
REWEIGHTINGS = 8
"""Rounds of reweighting in a robust least-squares fit; guess."""
LOOSE_SLACK_PITCHES, TIGHT_SLACK_PITCHES = (0.30, 0.12), (0.10, 0.10)
"""How far a point's middle and its half width may be off, at first and when nearly right, in pitches;
guesses."""


@dataclass(frozen=True)
class PointSides:
    """What was measured of 24 points at each of the rows (24, rows): how far the middle is off and the half
    width, in pitches, and how much the inside differs from the outside, in grey values."""

    off: FloatArray
    half: FloatArray
    contrast: FloatArray


def bar_pitches(geometry: BoardGeometry) -> float:
    """The bar's width in pitches."""
    left, right = geometry.bar
    return 12 * (right - left) / (1 - (right - left))


def with_bar(geometry: BoardGeometry, pitches: float) -> BoardGeometry:
    """The geometry with a bar of some width in its middle."""
    bar = max(0.0, float(pitches))
    return replace(geometry, bar=(6 / (12 + bar), (6 + bar) / (12 + bar)))


def upright_view(image_bgr: Image, geometry: BoardGeometry) -> Map:
    """(rows, columns, 3): the field with its surroundings, `UPRIGHT_PITCH_PX` pixels a pitch."""
    wide = 12 + bar_pitches(geometry)
    x = (
        np.arange(round((wide + 2 * UPRIGHT_MARGIN_PITCHES) * UPRIGHT_PITCH_PX)) + 0.5
    ) / UPRIGHT_PITCH_PX - UPRIGHT_MARGIN_PITCHES
    y = (
        np.arange(round((UPRIGHT_HEIGHT_PITCHES + 2 * UPRIGHT_MARGIN_PITCHES) * UPRIGHT_PITCH_PX)) + 0.5
    ) / UPRIGHT_PITCH_PX - UPRIGHT_MARGIN_PITCHES
    field = np.stack(np.meshgrid(x / wide, y / UPRIGHT_HEIGHT_PITCHES), axis=-1).reshape(-1, 2)
    at = geometry.to_px(field).astype(np.float32).reshape(len(y), len(x), 2)
    seen = cv2.remap(image_bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return seen.astype(np.float32)


def column_middles_pitches(geometry: BoardGeometry) -> FloatArray:
    """(24,) middles of the columns in pitches."""
    wide = 12 + bar_pitches(geometry)
    return np.array([geometry.column_x(place) for place in range(24)]) * wide


def colour_steps(view: Map, columns: FloatArray) -> Map:
    """(24, rows, n, 3): along each row across each point, how colours change to the right, from
    `STEP_PITCHES` left of a place to as far right of it."""
    profiles = _profiles(view, columns)
    d = max(1, round(STEP_PITCHES * UPRIGHT_PITCH_PX))
    steps = np.zeros_like(profiles)
    steps[:, :, d:-d] = profiles[:, :, 2 * d :] - profiles[:, :, : -2 * d]
    return steps


def _profiles(view: Map, columns: FloatArray) -> Map:
    """(24, rows, n, 3): colours along each row across each point."""
    n = 2 * round(PROFILE_REACH_PITCHES * UPRIGHT_PITCH_PX) + 1
    x = (
        columns[:, None] + (np.arange(n) - n // 2) / UPRIGHT_PITCH_PX + UPRIGHT_MARGIN_PITCHES
    ) * UPRIGHT_PITCH_PX - 0.5
    band = max(1, round(BAND_PITCHES * UPRIGHT_PITCH_PX)) | 1
    smooth = cv2.blur(view, (1, band))
    out = np.empty((24, len(ROW_DISTANCES), n, 3), np.float32)
    for place in range(24):
        away = ROW_DISTANCES if place < 12 else 1 - ROW_DISTANCES
        y = (away * UPRIGHT_HEIGHT_PITCHES + UPRIGHT_MARGIN_PITCHES) * UPRIGHT_PITCH_PX - 0.5
        grid = np.meshgrid(x[place].astype(np.float32), y.astype(np.float32))
        out[place] = cv2.remap(smooth, grid[0], grid[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return out


def _contrasts(steps: Map, offs: npt.NDArray[np.int64], halves: npt.NDArray[np.int64]) -> Map:
    """(24, rows, offs, halves): how much a point with that middle and half width would differ from both of
    its sides. offs: (offs,) pixels; halves: (rows, halves) pixels."""
    middle = steps.shape[2] // 2
    left = middle + offs[None, :, None] - halves[:, None, :]
    right = middle + offs[None, :, None] + halves[:, None, :]
    rows = np.arange(len(halves))[:, None, None]
    return np.asarray(np.linalg.norm(steps[:, rows, left] - steps[:, rows, right], axis=-1) / 2)


def first_half_widths(steps: Map) -> FloatArray:
    """(rows,): half widths in pitches of straight points that fit best, taking all points together."""
    halves = np.arange(0, round(MOST_HALF_PITCHES * UPRIGHT_PITCH_PX))
    each = _contrasts(steps, np.arange(-2, 3), np.tile(halves, (len(ROW_DISTANCES), 1))).max(axis=2)
    doubt = np.median(each) + 1
    seen = (each / (each + doubt)).mean(axis=0)
    best, found = -1.0, np.zeros(len(ROW_DISTANCES))
    for base in HALF_BASES_PITCHES:
        for length in POINT_LENGTHS:
            half = base * (1 - ROW_DISTANCES / length)
            there = half > LEAST_SHOWN_HALF_PITCHES
            at = np.clip(np.round(half * UPRIGHT_PITCH_PX).astype(int), 0, len(halves) - 1)
            score = float((seen[np.arange(len(ROW_DISTANCES)), at] - seen.mean(axis=1))[there].sum())
            if score > best:
                best, found = score, np.maximum(half, 0.0)
    return found


def measure_sides(steps: Map, halves: FloatArray, slack: tuple[float, float]) -> PointSides:
    """The sides of all points near where they are expected, to a fraction of a pixel."""
    offs = np.arange(-round(slack[0] * UPRIGHT_PITCH_PX), round(slack[0] * UPRIGHT_PITCH_PX) + 1)
    around = np.arange(-round(slack[1] * UPRIGHT_PITCH_PX), round(slack[1] * UPRIGHT_PITCH_PX) + 1)
    middle = np.maximum(np.round(halves * UPRIGHT_PITCH_PX).astype(int), len(around) // 2)
    tried = middle[:, None] + around[None]
    each = _contrasts(steps, offs, tried)
    best = each.reshape(24, len(ROW_DISTANCES), -1).argmax(axis=2)
    a, w = np.unravel_index(best, (len(offs), len(around)))
    k, j = np.meshgrid(np.arange(24), np.arange(len(ROW_DISTANCES)), indexing="ij")
    across = each[
        k[..., None], j[..., None], np.clip(a[..., None] + (-1, 0, 1), 0, len(offs) - 1), w[..., None]
    ]
    along = each[
        k[..., None], j[..., None], a[..., None], np.clip(w[..., None] + (-1, 0, 1), 0, len(around) - 1)
    ]
    off = (offs[a] + parabola_vertex(across)) / UPRIGHT_PITCH_PX
    half = (tried[j, w] + parabola_vertex(along)) / UPRIGHT_PITCH_PX
    return PointSides(off, half, each[k, j, a, w].astype(np.float64))


def parabola_vertex(three: Map) -> FloatArray:
    """Where between its neighbours (..., 3) a peak is highest, -0.5 to 0.5 (a parabola's vertex)."""
    before, peak, after = np.moveaxis(three.astype(np.float64), -1, 0)
    bend = np.minimum(before - 2 * peak + after, -1e-9)
    return np.asarray(np.clip((before - after) / (2 * bend), -0.5, 0.5), dtype=np.float64)
