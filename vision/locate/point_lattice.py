"""Fits the 24 points of a field to a picture, from roughly known corners.

Both sides of each point are looked for along many rows. The middles between them lie on twelve straight
columns of one pitch, six on either side of the bar. The widths are the same for all points at the same
distance from their base. This ties the whole field together, even where a frame's wall hides its edge. The
rows of points end where neighbouring columns no longer differ in colour.
"""

from dataclasses import dataclass, replace

import numpy as np

from vision.geometry import UNIT_SQUARE, BoardGeometry, FloatArray, Image
from vision.locate.column_count import recount_columns
from vision.locate.point_bases import (
    FREE_ROWS,
    PointBases,
    measure_bases,
    rows_are_seen,
    trusted_where_agreeing,
    trusted_where_unhidden,
)
from vision.locate.point_sides import (
    LOOSE_SLACK_PITCHES,
    REWEIGHTINGS,
    ROW_DISTANCES,
    TIGHT_SLACK_PITCHES,
    UPRIGHT_HEIGHT_PITCHES,
    PointSides,
    bar_pitches,
    colour_steps,
    column_middles_pitches,
    first_half_widths,
    measure_sides,
    upright_view,
    with_bar,
)

LEAST_FAR_PITCHES = 0.045
"""No measurement within so many pitches counts as far off; guess."""
FAR_FACTOR = 4.5
"""A measurement counts for nothing when it is so many times farther off than the median; guess."""
FIT_ROUNDS, LOOSE_ROUNDS = 6, 2
"""Rounds of the fit, and of these the first ones with loose slack and without the ends of rows; guesses."""
PRIOR_WEIGHTS = np.array([0.05] * 8 + [0.05] + [0.2])
"""Weights that hold corners and bar (1 / pitches squared) and lens where they are; guesses."""
HALF_WIDTH_WEIGHT = 1e-3
"""Weight that holds the half widths of points where they are (1 / pitches squared); guess."""
STRAIGHTNESS_WEIGHT = 10.0
"""Weight that keeps the sides of points straight; guess."""
MOST_DISTORTION, WIDEST_HALF_PITCHES = 0.25, 0.6
"""Bounds on the radial distortion, and on the half width of a point in pitches; guesses."""
SHIFT_STEP = 0.02
"""Step of the numeric derivatives, in pitches; guess."""


@dataclass(frozen=True, kw_only=True)
class PointLattice:
    """A field fitted to a picture.

    support: the share (0 to 1) of the 24 points whose sides were seen where they should be.
    half_base: half the width of a point at its base in pitches.
    rows_end: whether it was seen where the upper and the lower row of points end.
    """

    geometry: BoardGeometry
    support: float
    half_base: float
    rows_end: tuple[bool, bool]


def _point_shifts(geometry: BoardGeometry, x: FloatArray, y: FloatArray) -> FloatArray:
    """(10, N, 2): how many pitches points of the field (N,) move in the upright picture when a corner moves
    (eight ways, by a pitch of the upright picture), when the bar widens by a pitch, and when the lens bends
    by 1. x: in columns, 0 to 11, halves between them; y: fractions of the height."""
    size = np.array([12 + bar_pitches(geometry), UPRIGHT_HEIGHT_PITCHES])

    def moved(other: BoardGeometry) -> FloatArray:
        columns = np.array([other.column_x(place) for place in range(12)])
        points = np.stack([np.interp(x, np.arange(12), columns), y], axis=-1)
        shifted: FloatArray = geometry.to_field(other.to_px(points)) * size
        return shifted

    before, small = moved(geometry), SHIFT_STEP
    ways = [(moved(_changed(geometry, small * way)) - before) / small for way in np.eye(10)]
    return np.asarray(np.stack(ways), dtype=np.float64)


def _changed(geometry: BoardGeometry, change: FloatArray) -> BoardGeometry:
    """The geometry with its corners moved by so many pitches (4 times x, y) of the upright picture, with a
    wider bar, and with another lens."""
    wide = 12 + bar_pitches(geometry)
    corners = UNIT_SQUARE + change[:8].reshape(4, 2) / (
        wide,
        UPRIGHT_HEIGHT_PITCHES,
    )
    bent = replace(
        geometry,
        distortion=float(np.clip(geometry.distortion + change[9], -MOST_DISTORTION, MOST_DISTORTION)),
    )
    return with_bar(bent, bar_pitches(geometry) + change[8]).with_corners(geometry.to_px(corners))


def _improved(
    geometry: BoardGeometry, sides: PointSides, halves: FloatArray, bases: PointBases | None
) -> tuple[BoardGeometry, FloatArray, FloatArray]:
    """The geometry and the half widths (rows,) under which the sides lie best (least squares, what lies far
    off counting less and less), and the weights (24, rows) that each measurement had in the end."""
    n = len(ROW_DISTANCES)
    offs, widths = _side_equations(geometry, halves)
    equations = np.concatenate([offs, widths]).reshape(-1, 10 + n)
    values = np.concatenate([sides.off, sides.half]).reshape(-1)
    known, known_values = _prior_equations(halves)
    base, base_values = _base_equations(geometry, bases)
    noise = np.median(sides.contrast) / 3 + 1
    trust = sides.contrast**2 / (sides.contrast**2 + noise**2)
    weight, solution = trust, np.concatenate([np.zeros(10), halves])
    for _ in range(REWEIGHTINGS):
        weights = np.concatenate([weight, weight]).reshape(-1)
        normal = equations.T @ (equations * weights[:, None]) + known + base
        solution = np.linalg.solve(normal, equations.T @ (weights * values) + known_values + base_values)
        wrong = np.hypot(sides.off - offs @ solution, sides.half - widths @ solution)
        far = max(LEAST_FAR_PITCHES, FAR_FACTOR * float(np.median(wrong)))
        weight = trust * np.clip(1 - (wrong / far) ** 2, 0, None) ** 2
    return _changed(geometry, solution[:10]), np.clip(solution[10:], 0.0, WIDEST_HALF_PITCHES), weight


def _side_equations(geometry: BoardGeometry, halves: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(24, rows, 10 + rows) each: how the middle and the half width that are seen of the points depend on
    the ten changes of the geometry and on the half widths at each distance from the base."""
    n, places = len(ROW_DISTANCES), np.arange(24)
    y = np.where(places[:, None] < 12, ROW_DISTANCES, 1 - ROW_DISTANCES)
    x = np.broadcast_to((places % 12)[:, None], y.shape).astype(np.float64)
    shifts = np.moveaxis(_point_shifts(geometry, x.ravel(), y.ravel()).reshape(10, 24, n, 2), 0, -1)
    inward = np.where(places < 12, 1.0, -1.0)[:, None, None]
    slope = np.gradient(halves, ROW_DISTANCES * UPRIGHT_HEIGHT_PITCHES)[None, :, None]
    own = np.broadcast_to(np.eye(n), (24, n, n))
    offs = np.concatenate([shifts[:, :, 0], np.zeros((24, n, n))], axis=-1)
    return offs, np.concatenate([-inward * slope * shifts[:, :, 1], own], axis=-1)


def _prior_equations(halves: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Normal equations that keep everything roughly where it is, and the sides of points straight."""
    n = len(halves)
    held = np.concatenate([PRIOR_WEIGHTS, np.full(n, HALF_WIDTH_WEIGHT)])
    bends = np.zeros((n - 2, 10 + n))
    bends[:, 10:] = np.diff(np.eye(n), n=2, axis=0)
    return np.diag(held) + STRAIGHTNESS_WEIGHT * bends.T @ bends, held * np.concatenate(
        [np.zeros(10), halves]
    )


def _base_equations(geometry: BoardGeometry, bases: PointBases | None) -> tuple[FloatArray, FloatArray]:
    """Normal equations that put the field's edges where the rows of points end."""
    n = len(ROW_DISTANCES)
    if bases is None or not len(bases.out):
        return np.zeros((10 + n, 10 + n)), np.zeros(10 + n)
    out, trust = bases.out, trusted_where_agreeing(bases).trust
    shifts = _point_shifts(geometry, bases.x, np.where(bases.upper, 0.0, 1.0))[..., 1]
    way = np.where(bases.upper, -1.0, 1.0)
    equations = np.concatenate([shifts.T, np.zeros((len(out), n))], axis=1) * way[:, None]
    return equations.T @ (equations * trust[:, None]), equations.T @ (trust * out)


def fit_lattice(image_bgr: Image, rough: BoardGeometry, seen: BoardGeometry | None = None) -> PointLattice:
    """The field that its points fix, nearest to a roughly known one.

    seen: the field as it was seen at first sight, if that is not the roughly known one.
    """
    geometry = rough
    halves = first_half_widths(colour_steps(upright_view(image_bgr, rough), column_middles_pitches(rough)))
    bases: PointBases | None = None
    weight = np.zeros((24, len(ROW_DISTANCES)))
    for number in range(FIT_ROUNDS):
        view, columns = upright_view(image_bgr, geometry), column_middles_pitches(geometry)
        steps = colour_steps(view, columns)
        if number >= LOOSE_ROUNDS:
            all_bases = measure_bases(view, columns, weight)
            bases = trusted_where_unhidden(geometry, all_bases)
        sides = measure_sides(
            steps, halves, LOOSE_SLACK_PITCHES if number < LOOSE_ROUNDS else TIGHT_SLACK_PITCHES
        )
        geometry, halves, weight = _improved(geometry, sides, halves, bases)
    half_base = _half_base(halves)
    geometry, support = recount_columns(image_bgr, geometry, halves, half_base, seen or rough)
    return PointLattice(
        geometry=geometry,
        support=support,
        half_base=half_base,
        rows_end=rows_are_seen(trusted_where_agreeing(all_bases)),
    )


def _half_base(halves: FloatArray) -> float:
    """Half the width of points at their base: what it is at the rows near there, carried on."""
    near = ROW_DISTANCES < FREE_ROWS
    return float(np.polynomial.Polynomial.fit(ROW_DISTANCES[near], halves[near], 1)(0.0))
