"""Finds where the two rows of points end: where neighbouring columns no longer differ in colour.

The edges of a frame run on evenly across the columns, so they are not taken for such an end.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, FloatArray, Map
from vision.locate.point_sides import (
    ROW_DISTANCES,
    UPRIGHT_HEIGHT_PITCHES,
    UPRIGHT_MARGIN_PITCHES,
    UPRIGHT_PITCH_PX,
)

BASE_OUTSIDE_PITCHES, BASE_INSIDE_PITCHES = 0.9, 1.0
"""Pitches outside and inside of the expected edge in which the end of the rows is looked for; guesses."""
FREE_ROWS = 0.2
"""Rows nearer to the base than this fraction of the field's height show whether a column is free; guess."""
FREE_WEIGHT = 0.05
"""Weight of a measured row from which on it counts as seen; guess."""
FOOT_STEP_SHARE = 0.3
"""Height on the step at a base where the edge lies, as a share: a wall's shadow dims the top; guess."""
BASE_SPREAD_PITCHES = 0.15
"""A column's end counts for nothing when so far from the median end of its row, in pitches; guess."""
HIDDEN_ROW_PITCHES = 0.05
"""A row that ends so much farther in than the other is hidden, in pitches; guess."""
ENOUGH_COLUMNS = 2.0
"""Equally trusted columns that fix the end of a row; one alone may mislead; guess."""
WEAK_CONTRAST_GREYS = 20.0
"""Contrast of neighbouring columns at which their end counts half, in grey levels; guess."""


@dataclass(frozen=True)
class PointBases:
    """Where the two rows of points end between two columns: x (N,) in columns, which row (N,), how far
    outside of the field's edge (N,) in pitches, and how much to trust it (N,)."""

    x: FloatArray
    upper: npt.NDArray[np.bool_]
    out: FloatArray
    trust: FloatArray


def measure_bases(view: Map, columns: FloatArray, weight: FloatArray) -> PointBases:
    """Where neighbouring columns, both free of checkers, cease to differ in colour."""
    middles, ends, sides, trust = [], [], [], []
    free = (weight[:, ROW_DISTANCES < FREE_ROWS] > FREE_WEIGHT).mean(axis=1)
    reach = np.arange(
        -round(BASE_OUTSIDE_PITCHES * UPRIGHT_PITCH_PX), round(BASE_INSIDE_PITCHES * UPRIGHT_PITCH_PX)
    )
    for place in range(23):
        if place % 12 in (5, 11):
            continue
        upper = place < 12
        rows = reach if upper else round(UPRIGHT_HEIGHT_PITCHES * UPRIGHT_PITCH_PX) - 1 - reach
        rows = rows + round(UPRIGHT_MARGIN_PITCHES * UPRIGHT_PITCH_PX)
        one, other = (_stripe(view, columns[place + i])[rows] for i in (0, 1))
        unlike = one - other
        usual = unlike[reach > 0.3 * UPRIGHT_PITCH_PX].mean(axis=0)
        strength = float(np.linalg.norm(usual))
        share = unlike @ usual / max(strength, 1e-6) ** 2
        end, drop = _end_of(share)
        middles.append(place % 12 + 0.5)
        ends.append(-(end + reach[0] + 0.5) / UPRIGHT_PITCH_PX)
        sides.append(upper)
        seen = max(0.0, drop) * strength**2 / (strength**2 + WEAK_CONTRAST_GREYS**2)
        trust.append(seen * (free[place] * free[place + 1]) ** 4)
    return PointBases(np.array(middles), np.array(sides, dtype=bool), np.array(ends), np.array(trust))


def _end_of(share: FloatArray) -> tuple[float, float]:
    """Where a difference that is there at the end of a curve (n,) begins, to a fraction of a pixel, and how
    high the step is."""
    curve = np.clip(share, -0.5, 1.2)
    sums = np.concatenate([[0.0], np.cumsum(curve)])
    d = round(0.15 * UPRIGHT_PITCH_PX)
    at = np.arange(d, len(curve) - d)
    drops = (sums[at + d] - 2 * sums[at] + sums[at - d]) / d
    best = int(at[drops.argmax()])
    inside, outside = (
        curve[best + d // 2 : best + 2 * d].mean(),
        curve[max(0, best - 2 * d) : best - d // 2].mean(),
    )
    level = outside + FOOT_STEP_SHARE * (inside - outside)
    i = best + d // 2
    while i > 0 and curve[i] > level:
        i -= 1
    share_of_step = (level - curve[i]) / max(curve[i + 1] - curve[i], 1e-6)
    return i + float(np.clip(share_of_step, 0, 1)), float(drops.max())


def _stripe(view: Map, column: float) -> Map:
    """(rows, 3): the mean colour along the middle of a column."""
    first, last = ((column + way * 0.25 + UPRIGHT_MARGIN_PITCHES) * UPRIGHT_PITCH_PX for way in (-1, 1))
    return np.asarray(view[:, round(first) : round(last)].mean(axis=1))


def trusted_where_unhidden(geometry: BoardGeometry, bases: PointBases) -> PointBases:
    """The bases, with less trust in a row that a frame's near wall hides.

    Such a wall leans over the field in the picture, so its row ends farther in than the other row.
    """
    top, bottom = (weighted_median(bases.out[row], bases.trust[row]) for row in (bases.upper, ~bases.upper))
    lean = geometry.to_field(geometry.to_px([[0.5, 0], [0.5, 1]], height=geometry.diameter / 2))[:, 1]
    short_top = max(0.0, bottom - top) if lean[0] > 0 else 0.0
    short_bottom = max(0.0, top - bottom) if lean[1] < 1 else 0.0
    short = np.where(bases.upper, short_top, short_bottom)
    return replace(bases, trust=bases.trust * np.clip(1 - short / HIDDEN_ROW_PITCHES, 0, None))


def trusted_where_agreeing(bases: PointBases) -> PointBases:
    """The bases, each trusted the less the farther its end is from the middle one of its row."""
    middles = {
        row: weighted_median(*(values[bases.upper == row] for values in (bases.out, bases.trust)))
        for row in (True, False)
    }
    wrong = bases.out - np.where(bases.upper, middles[True], middles[False])
    return replace(bases, trust=bases.trust * np.clip(1 - (wrong / BASE_SPREAD_PITCHES) ** 2, 0, None) ** 2)


def rows_are_seen(bases: PointBases) -> tuple[bool, bool]:
    """Whether enough columns show where the upper and the lower row end."""
    upper, lower = (bases.trust[row] for row in (bases.upper, ~bases.upper))
    return _counting(upper) >= ENOUGH_COLUMNS, _counting(lower) >= ENOUGH_COLUMNS


def _counting(weights: FloatArray) -> float:
    """The number of equal weights that are worth as much as these (n,) (Kish 1965)."""
    return float(weights.sum() ** 2 / max((weights**2).sum(), 1e-9))


def weighted_median(values: FloatArray, weights: FloatArray) -> float:
    """The middle of weighted values (n,); 0 when there are none."""
    if not weights.sum() > 0:
        return 0.0
    order = np.argsort(values)
    return float(values[order][np.searchsorted(np.cumsum(weights[order]), weights.sum() / 2)])
