"""Finds where the floor of the field ends: at the feet of the walls round it.

Columns of points tell the field's left and right edge only as far as the points fill it. On many boards
they stand a little apart from the walls beside them, on others these cut them off, and the two leaves of a
folding board are hardly ever quite in line. So the wall's foot itself is looked for near such an edge: the
first clear step of colour, on the way outwards, that goes on in the same way along most of the edge. A shadow
on the floor is such a step too, but lies on the points; then the foot is not seen, and the edge stays as it
was.
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
"""Pixels of the upright picture inside and outside of an edge in which the foot of its wall is looked for."""
WALL_STEP_PX = 2
"""What lies so many pixels inside of a place is compared with what lies as far outside."""
EDGE_PARTS = 22
"""Of an edge, about half a pitch each, looked at one by one."""
LEAST_EDGE_PARTS = EDGE_PARTS / 3
"""Of these, how many must show the foot; checkers may hide it in the others."""
FREE_PARTS, ALL_PARTS = slice(EDGE_PARTS // 2 - 1, EDGE_PARTS // 2 + 1), slice(None)
"""The parts of a left or right edge where there are neither points nor, as a rule, checkers: rows of these
end at a line too; and those of a top or bottom edge, all alike."""
PARTS_ALONG = (np.arange(EDGE_PARTS) + 0.5) / EDGE_PARTS - 0.5
ENDS_ALONG = np.array([-0.5, 0.5])
"""Where along an edge its parts and its ends lie."""
SLANTS_PITCHES = np.linspace(-0.3, 0.3, 13)
"""How many pitches farther out than its beginning the end of a foot may lie."""
FOOT_SLANT_SPREAD, FOOT_SLANT_LEFT, FOOT_BOW_SPREAD = 0.2, 0.1, 0.03
"""Pitches that feet usually are slanted at first, are still slanted when nearly right, and are bowed between
their middle and their ends."""
CLEAR_STEP_GREYS, CLEAR_STEP_SHARE = 12.0, 0.35
"""A clear step has so many grey values at least, and so much of the greatest step near the edge."""
PART_REACH_PX = round(0.125 * UPRIGHT_PITCH_PX)
"""A part's own foot is looked for so near to where that of the whole edge is."""
FOOT_NOISE_PITCHES, FOOT_ASTRAY_PITCHES = 0.03, (0.04, 0.08)
"""Pitches that the foot in one part is usually off the line, and beyond which, outside and inside, it is not
believed: tall checkers lean over the foot and then seem to end the floor too far outside."""
HIDING_LEAN_PITCHES = 0.05
"""Pitches by which a wall half as high as a checker is wide leans over the field when it hides its foot."""
FARTHEST_WALL_PITCHES = 0.3
"""Pitches that points stand apart from the walls beside them at most."""
WALL_OVERLAP_PITCHES, UNBOUNDED_PITCHES = 0.04, -1.0
"""Pitches that a point may seem to lie under the wall beside it; and no bound where points tell nothing."""


def fit_to_walls(
    image_bgr: Image, geometry: BoardGeometry, half_base: float, rows_end: tuple[bool, bool]
) -> BoardGeometry:
    """A field that its points told, with its edges moved to the feet of the walls there as far as these are
    seen: left and right, and top and bottom where the points do not tell enough.

    half_base: half the width of a point at its base in pitches. rows_end: whether the points tell the field's
    top and bottom. They stay in the middle of their half of the field, so the bar becomes the narrower the
    wider the field becomes.
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
    """Whether the foot of a wall is seen near the left and the right edge of a field, and whether near where
    these would be one pitch farther inside."""
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
    """(EDGE_PARTS, n, 3): how the colours of each part of an upright picture's left (-1) or right (1) edge change
    on the way outwards, in the middle just at the edge. size: how far apart the two edges are in pitches;
    inside: how many pitches farther inside it is looked."""
    edge = (UPRIGHT_MARGIN_PITCHES + (size if side > 0 else 0) - side * inside) * UPRIGHT_PITCH_PX
    at = int(edge) + side * np.arange(-WALL_REACH_PX, WALL_REACH_PX + 1)
    sums = np.pad(np.cumsum(view, axis=1, dtype=np.float64), ((0, 0), (1, 0), (0, 0)))
    sums[:, :-1] += edge % 1 * view
    steps = side * (sums[:, at + WALL_STEP_PX] - 2 * sums[:, at] + sums[:, at - WALL_STEP_PX]) / WALL_STEP_PX
    margin = round(UPRIGHT_MARGIN_PITCHES * UPRIGHT_PITCH_PX)
    rows = np.linspace(margin, len(view) - margin, EDGE_PARTS + 1).astype(int)
    return np.stack([np.median(steps[a:b], axis=0) for a, b in pairwise(rows)]).astype(np.float32)


def _foot(steps: Map, least: float, free: slice = FREE_PARTS) -> FloatArray | None:
    """(2,): how many pitches outside of an edge the foot of its wall begins and ends; None where it is not
    seen, also in the free parts, or is not so far outside that it can be the foot."""
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
    """How many pitches outside of a place each part (EDGE_PARTS, n) has its highest step, and how much to trust
    that: not at all where the steps only rise towards something farther off."""
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
    """A line's shift, slant and bow that the parts (EDGE_PARTS,) tell, what lies astray not counting, and how many
    of them agree."""
    ways, weight = _ways(PARTS_ALONG), trust
    known = np.diag(
        [1e-6, (FOOT_NOISE_PITCHES / FOOT_SLANT_LEFT) ** 2, (FOOT_NOISE_PITCHES / FOOT_BOW_SPREAD) ** 2]
    )
    for _ in range(REWEIGHTINGS):
        line = np.linalg.solve(ways.T @ (ways * weight[:, None]) + known, ways.T @ (weight * off))
        wrong = off - ways @ line
        far = np.where(wrong > 0, *FOOT_ASTRAY_PITCHES)
        weight = trust * np.clip(1 - (wrong / far) ** 2, 0, None) ** 2
    return np.asarray(line), int((weight > 0.2).sum())
