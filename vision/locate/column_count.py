"""Counts the columns of a fitted field again: a half may have been fitted one column too far.

All columns look alike, so two things decide: the points seen in the field, and where its halves were at first
sight. Points under checkers are not seen, so both may be needed. An edge one column too far inside shows no
foot of a wall.
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
"""A point's middle and half width match when no farther off, in pitches. In a row without a point that
happens by chance once in twenty; guess."""
LEAST_HALF_PITCHES = 0.05
"""Half width from which a row shows something of a point, in pitches; guess."""
POINT_NATS, FOOT_NATS = 3.0, 2.0
"""Log-likelihood ratios for a field, in nats, of a point seen in its place and of a wall's foot at an edge. A
foot is also seen now and then beside stacked checkers; guesses (3 nats: by chance once in twenty)."""
FIRST_SIGHT_PITCHES = 0.4
"""Usual error of a field's edge at first sight, in pitches; sometimes it is much larger; guess."""
BAR_SLACK_PITCHES = 0.3
"""How much too narrow a bar may be measured, in pitches; guess."""


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
        score -= float(np.log1p((_edge_distances(moved, seen) / FIRST_SIGHT_PITCHES) ** 2).sum())
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


def _edge_distances(one: BoardGeometry, other: BoardGeometry) -> FloatArray:
    """(2,): how many pitches the left and the right edges of two fields lie apart."""
    away = (one.to_field(other.corners_px)[:, 0] - (0, 1, 1, 0)) * (12 + bar_pitches(one))
    return np.asarray((away[[0, 1]] + away[[3, 2]]) / 2)
