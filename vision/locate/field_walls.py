"""Finds where the floor of the field ends: at the feet of the walls round it.

The points give the field's left and right edge only as far as they fill it. On many boards they stand a
little apart from the walls, on others the walls cut them off, and the two leaves of a folding board are
seldom quite in line. So the wall's foot itself is looked for: the first clear step of colour on the way
outwards that runs along most of the edge. The shadow of a wall on the floor is such a step too, but lies on
the points. Then the foot is not seen, and the edge stays as it was.
"""

from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, FloatArray, GeometryError, Image, Map
from vision.locate.point_sides import (
    REWEIGHTINGS,
    UPRIGHT_HEIGHT_PITCHES,
    UPRIGHT_MARGIN_PITCHES,
    UPRIGHT_PITCH_PX,
    bar_pitches,
    parabola_vertex,
    upright_view,
)

WALL_REACH_PX = round(0.4 * UPRIGHT_PITCH_PX)
"""Pixels of the upright picture on both sides of an edge in which its wall's foot is looked for; guess."""
WALL_STEP_PX = 2
"""Colours so many pixels inside and outside of a place are compared; guess."""
EDGE_PARTS = 22
"""Parts of an edge, about half a pitch each, that are examined one by one; guess."""
LEAST_EDGE_PARTS = EDGE_PARTS / 3
"""Parts that must show the foot; checkers may hide it in the others; guess."""
FREE_PARTS, ALL_PARTS = slice(EDGE_PARTS // 2 - 1, EDGE_PARTS // 2 + 1), slice(None)
"""Parts of a left or right edge that are free of points and usually of checkers, whose rows end at a line
too; and all parts, for a top or bottom edge."""
PARTS_ALONG = (np.arange(EDGE_PARTS) + 0.5) / EDGE_PARTS - 0.5
ENDS_ALONG = np.array([-0.5, 0.5])
"""Places of an edge's parts and of its ends, along the edge."""
SLANTS_PITCHES = np.linspace(-0.3, 0.3, 13)
"""How much farther out than its beginning the end of a foot may lie, in pitches; guess."""
FOOT_SLANT_SPREAD, FOOT_SLANT_LEFT, FOOT_BOW_SPREAD = 0.2, 0.1, 0.03
"""Spreads of a foot's slant at first and when nearly right, and of its bow, in pitches; guesses."""
CLEAR_STEP_GREYS, CLEAR_STEP_SHARE = 12.0, 0.35
"""Least height of a clear step in grey levels, and as a share of the greatest step near the edge; guesses."""
PART_REACH_PX = round(0.125 * UPRIGHT_PITCH_PX)
"""How near to the whole edge's foot that of one part is looked for, in upright pixels; guess."""
FOOT_NOISE_PITCHES, FOOT_ASTRAY_PITCHES = 0.03, (0.04, 0.08)
"""Spread of one part's foot about the line, and how far outside and inside it counts for nothing, in pitches.
Tall checkers lean over the foot, and then the floor seems to end too far outside; guesses."""
LEAST_PART_WEIGHT = 0.2
"""Weight from which a part agrees with the line; guess."""
HIDING_LEAN_PITCHES = 0.05
"""A wall half a checker high hides its foot when it leans so far over the field, in pitches; guess."""
FARTHEST_WALL_PITCHES = 0.3
"""Greatest distance of the points from the walls beside them, in pitches; guess."""
WALL_OVERLAP_PITCHES, UNBOUNDED_PITCHES = 0.04, -1.0
"""How far a point may seem to lie under the wall beside it, in pitches, guess; and the value for no bound."""


def fit_to_walls(
    image_bgr: Image, geometry: BoardGeometry, half_base: float, rows_end: tuple[bool, bool]
) -> BoardGeometry:
    """A field fitted to its points, with its edges moved to the feet of the walls as far as these are seen.

    That holds for left and right, and for top and bottom where the points do not fix them. half_base: half
    the width of a point at its base in pitches. rows_end: whether the points fix the field's top and bottom.
    The points stay in the middle of their half, so a wider field has a narrower bar.
    """
    wide, unmoved = 12 + bar_pitches(geometry), np.zeros(2)
    view = upright_view(image_bgr, geometry)
    across = (view, wide, half_base - 0.5 - WALL_OVERLAP_PITCHES, FREE_PARTS)
    along = (view.transpose(1, 0, 2), UPRIGHT_HEIGHT_PITCHES, UNBOUNDED_PITCHES, ALL_PARTS)
    feet = []
    for hidden, side, (picture, size, least, free) in zip(
        _hiding(geometry) | (False, rows_end[0], False, rows_end[1]),
        (-1, -1, 1, 1),
        (across, along, across, along),
        strict=True,
    ):
        foot = None if hidden else _foot(_steps_outward(picture, side, size), least, free)
        feet.append(unmoved if foot is None else foot)
    left, top, right, bottom = feet
    beginning = [[-left[0], -top[0]], [wide + right[0], -top[1]]]
    end = [
        [wide + right[1], UPRIGHT_HEIGHT_PITCHES + bottom[1]],
        [-left[1], UPRIGHT_HEIGHT_PITCHES + bottom[0]],
    ]
    corners = np.array(beginning + end) / (wide, UPRIGHT_HEIGHT_PITCHES)
    one, other = float(left.mean()), float(right.mean())
    bar = np.array([6 + 2 * one, max(6 + 2 * one, wide - 6 + one - other)]) / (wide + one + other)
    try:
        return replace(geometry.with_corners(geometry.to_px(corners)), bar=(float(bar[0]), float(bar[1])))
    except GeometryError:
        return geometry


def wall_feet_seen(
    image_bgr: Image, geometry: BoardGeometry, half_base: float
) -> tuple[tuple[bool, bool], ...]:
    """Whether a wall's foot is seen near the left and the right edge, each as it is and one pitch inside."""
    wide = 12 + bar_pitches(geometry)
    view = upright_view(image_bgr, geometry)
    least = half_base - 0.5 - WALL_OVERLAP_PITCHES
    return tuple(
        (
            _foot(_steps_outward(view, side, wide), least) is not None,
            _foot(_steps_outward(view, side, wide, inside=1.0), least) is not None,
        )
        for side in (-1, 1)
    )


def _hiding(geometry: BoardGeometry) -> npt.NDArray[np.bool_]:
    """(4,): whether a wall on the field's left, top, right, bottom leans over it, and so hides its foot."""
    middles = [[0, 0.5], [0.5, 0], [1, 0.5], [0.5, 1]]
    lean = geometry.to_field(geometry.to_px(middles, height=geometry.diameter / 2)) - middles
    size = np.array([12 + bar_pitches(geometry), UPRIGHT_HEIGHT_PITCHES])
    inward = (lean * size)[[0, 1, 2, 3], [0, 1, 0, 1]] * (1, 1, -1, -1)
    return np.asarray(inward > HIDING_LEAN_PITCHES)


def _steps_outward(view: Map, side: int, size: float, inside: float = 0.0) -> Map:
    """(EDGE_PARTS, n, 3): how colours change outwards across each part of an upright picture's edge.

    side: -1 for the left, 1 for the right edge; the middle of n lies at the edge. size: distance of the two
    edges in pitches. inside: look so many pitches farther inside.
    """
    edge = (UPRIGHT_MARGIN_PITCHES + (size if side > 0 else 0) - side * inside) * UPRIGHT_PITCH_PX
    at = int(edge) + side * np.arange(-WALL_REACH_PX, WALL_REACH_PX + 1)
    sums = np.pad(np.cumsum(view, axis=1, dtype=np.float64), ((0, 0), (1, 0), (0, 0)))
    sums[:, :-1] += edge % 1 * view
    steps = side * (sums[:, at + WALL_STEP_PX] - 2 * sums[:, at] + sums[:, at - WALL_STEP_PX]) / WALL_STEP_PX
    margin = round(UPRIGHT_MARGIN_PITCHES * UPRIGHT_PITCH_PX)
    rows = np.linspace(margin, len(view) - margin, EDGE_PARTS + 1).astype(int)
    return np.stack([np.median(steps[a:b], axis=0) for a, b in pairwise(rows)]).astype(np.float32)


def _foot(steps: Map, least: float, free: slice = FREE_PARTS) -> FloatArray | None:
    """(2,): how many pitches outside of an edge the foot of its wall begins and ends.

    None where it is not seen, in the free parts too, or lies too far inside or outside.
    """
    slanted = _slanted(steps)
    usual = np.exp(-((SLANTS_PITCHES / FOOT_SLANT_SPREAD) ** 2) / 2)
    strength = np.linalg.norm(np.median(slanted, axis=1), axis=2) * usual[:, None]
    for at in _clear_peaks(strength.max(axis=0)):
        slant = int(strength[:, at].argmax())
        way = np.median(slanted[slant, :, at], axis=0)
        height = np.linalg.norm(way)
        seen = slanted[slant] @ (way / height)
        if seen[free, max(0, at - PART_REACH_PX) : at + PART_REACH_PX + 1].max(axis=1).mean() > height / 2:
            line, shown = _fitted(*_traced(seen, at))
            foot = (
                _ways(ENDS_ALONG) @ line
                + SLANTS_PITCHES[slant] * ENDS_ALONG
                + (at - WALL_REACH_PX) / UPRIGHT_PITCH_PX
            )
            likely = least <= (at - WALL_REACH_PX) / UPRIGHT_PITCH_PX <= FARTHEST_WALL_PITCHES
            return foot if likely and shown >= LEAST_EDGE_PARTS else None
    return None


def _slanted(steps: Map) -> Map:
    """(slants, EDGE_PARTS, n, 3): the steps of an edge along lines of each slant."""
    n = steps.shape[1]
    across = np.arange(n) + SLANTS_PITCHES[:, None, None] * PARTS_ALONG[:, None] * UPRIGHT_PITCH_PX
    part = np.broadcast_to(np.arange(EDGE_PARTS)[:, None], across.shape)
    x, y = (axis.reshape(-1, n).astype(np.float32) for axis in (across, part))
    seen = cv2.remap(steps, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen.reshape(len(SLANTS_PITCHES), EDGE_PARTS, n, 3), dtype=np.float32)


def _clear_peaks(strength: FloatArray) -> npt.NDArray[np.int64]:
    """Where on a curve (n,) clear peaks are."""
    least = max(CLEAR_STEP_GREYS, CLEAR_STEP_SHARE * float(strength.max()))
    inner = strength[1:-1]
    return 1 + np.flatnonzero((inner >= strength[:-2]) & (inner > strength[2:]) & (inner > least))


def _traced(steps: Map, at: int) -> tuple[FloatArray, FloatArray]:
    """How many pitches outside of a place each part (EDGE_PARTS, n) has its highest step, and its weight.

    The weight is zero where the steps only rise towards something farther off.
    """
    part = np.arange(EDGE_PARTS)
    first, last = max(at - PART_REACH_PX, 1), min(at + PART_REACH_PX, steps.shape[1] - 2)
    peak = first + steps[:, first : last + 1].argmax(axis=1)
    off = (peak + parabola_vertex(steps[part[:, None], peak[:, None] + (-1, 0, 1)]) - at) / UPRIGHT_PITCH_PX
    height = np.maximum(steps[part, peak], 0)
    usual = max(float(np.median(steps[:, at])) / 2, 1.0)
    return off, np.where((peak > first) & (peak < last), height / (height + usual), 0.0)


def _ways(along: FloatArray) -> FloatArray:
    """(n, 3): how much a line's shift, slant and bow move it at places along an edge."""
    return np.stack([np.ones_like(along), along, 4 * along**2 - 1 / 3], axis=1)


def _fitted(off: FloatArray, trust: FloatArray) -> tuple[FloatArray, int]:
    """A line's shift, slant and bow, fitted robustly to the parts (EDGE_PARTS,), and how many of them
    agree."""
    ways, weight = _ways(PARTS_ALONG), trust
    known = np.diag(
        [1e-6, (FOOT_NOISE_PITCHES / FOOT_SLANT_LEFT) ** 2, (FOOT_NOISE_PITCHES / FOOT_BOW_SPREAD) ** 2]
    )
    for _ in range(REWEIGHTINGS):
        line = np.linalg.solve(ways.T @ (ways * weight[:, None]) + known, ways.T @ (weight * off))
        wrong = off - ways @ line
        far = np.where(wrong > 0, *FOOT_ASTRAY_PITCHES)
        weight = trust * np.clip(1 - (wrong / far) ** 2, 0, None) ** 2
    return np.asarray(line), int((weight > LEAST_PART_WEIGHT).sum())
