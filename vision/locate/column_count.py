"""Counts the columns of a fitted field again: all of them look alike, so a half may be fitted one too far.

What speaks for a field are the points seen in it, and where its halves were seen at first sight; points under
checkers are not seen, so that the two may well be needed together. Against an edge one column too far inside
speaks that no wall has its foot there.
"""

from itertools import product

import numpy as np

from vision.geometry import BoardGeometry, FloatArray, GeometryError, Image
from vision.locate.field_walls import wall_feet_seen
from vision.locate.point_sides import (
    LOOSE_SLACK_PITCHES,
    bar_pitches,
    colour_steps,
    column_middles_pitches,
    measure_sides,
    upright_view,
    with_bar,
)

MATCH_PITCHES = 0.05
"""A point's middle and half width are right when no farther off. By chance that is so in a row of twenty."""
LEAST_HALF_PITCHES = 0.05
"""Half width in pitches from which on there is something of a point to be seen in a row."""
POINT_NATS, FOOT_NATS = 3.0, 2.0
"""Nats that a point seen where it should be, and the foot of a wall at an edge, speak for a field. By chance
the one is so in a case of twenty; the other seems to be so now and then beside stacked checkers."""
FIRST_SIGHT_PITCHES = 0.4
"""Pitches that an edge of the field usually is off at first sight; now and then it is off much more."""
BAR_SLACK_PITCHES = 0.3
"""Pitches that a bar may be measured too narrow."""


def recount_columns(
    image_bgr: Image, fitted: BoardGeometry, halves: FloatArray, half_base: float, seen: BoardGeometry
) -> tuple[BoardGeometry, float]:
    """The likeliest of a fitted field and those with one half of it, or both, moved by one column; and the
    share (0 to 1) of the 24 points whose sides are seen where they should be.

    halves: half widths of points in pitches at each of the rows; half_base: the same at the base. seen: the
    field as it was seen at first sight.
    """
    wide = 12 + bar_pitches(fitted)
    left_foot, right_foot = wall_feet_seen(image_bgr, fitted, half_base)
    best, best_score, support = fitted, -np.inf, 0.0
    for left, right in product((0, -1, 1), (0, -1, 1)):
        bar = bar_pitches(fitted) + right - left
        if bar < -BAR_SLACK_PITCHES:
            continue
        corners = np.array([[left, 0], [wide + right, 0], [wide + right, 1], [left, 1]]) / (wide, 1)
        try:
            moved = with_bar(fitted, bar).with_corners(fitted.to_px(corners))
        except GeometryError:
            continue
        shares = _shares_seen(image_bgr, moved, halves)
        score = POINT_NATS * float(shares.sum()) + FOOT_NATS * (left_foot[left > 0] + right_foot[right < 0])
        score -= float(np.log1p((_apart(moved, seen) / FIRST_SIGHT_PITCHES) ** 2).sum())
        if score > best_score:
            best, best_score, support = moved, score, float((shares > 0.5).mean())
    return best, support


def _shares_seen(image_bgr: Image, geometry: BoardGeometry, halves: FloatArray) -> FloatArray:
    """(24,): the share of each point's rows in which its sides, looked for in a wide range, are where they
    should be."""
    sides = measure_sides(
        colour_steps(upright_view(image_bgr, geometry), column_middles_pitches(geometry)),
        halves,
        LOOSE_SLACK_PITCHES,
    )
    right = (np.abs(sides.off) < MATCH_PITCHES) & (np.abs(sides.half - halves) < MATCH_PITCHES)
    there = halves > LEAST_HALF_PITCHES
    return np.asarray(right[:, there].mean(axis=1)) if there.any() else np.zeros(24)


def _apart(one: BoardGeometry, other: BoardGeometry) -> FloatArray:
    """(2,): how many pitches the left and the right edges of two fields lie apart."""
    away = (one.to_field(other.corners_px)[:, 0] - (0, 1, 1, 0)) * (12 + bar_pitches(one))
    return np.asarray((away[[0, 1]] + away[[3, 2]]) / 2)
