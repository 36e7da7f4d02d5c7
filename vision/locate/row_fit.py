"""Fits the field to the spots that were seen of its rows."""

from dataclasses import dataclass, replace

import numpy as np

from vision.geometry import BoardGeometry, Corners, FloatArray, apply_homography, field_homography
from vision.locate.row_spots import POINT_LENGTH_SPREAD, USUAL_POINT_LENGTH, RowSpots
from vision.networks.row_network import BASE_MAP, ROW_SCALE, ROW_STEP_PX, SPOT_MAPS, TIP_MAP, row_spots

SPREADS = {BASE_MAP: (0.002, 0.004), TIP_MAP: (0.002, 0.005)}
END_SPREAD = (0.006, 0.02)
"""Standard deviations of a base, a tip and an end of which the network is sure, in field widths and heights.
Like all numbers here without a source, chosen on 716 pictures of 274 boards of held-out kinds."""
OUTLIER = 0.8
"""Scale of the Cauchy weights that make outlying spots count less, in standard deviations."""
LOOSER, LOOSER_OUTLIER = 2.5, 3.0
"""While the field is only roughly known: factor on the spots' standard deviations, and OUTLIER; guesses."""
FAINTEST = 1e-3
"""Least weight of a spot, whatever share of it is seen (0 to 1); guess."""
MAP_SPREAD = 0.8
"""Standard deviation, on the network's maps, of a spot of which it is sure, in map pixels; as in the
training."""
UNEVEN_SPREAD = 0.001
"""Standard deviation of the bar's middle from the field's middle, in field widths."""
LENS_SPREAD = 0.03
"""Standard deviation of the lens's radial distortion."""
TOLD_SPREAD = 0.03
"""Standard deviation of the corners given at the start, in field widths; guess."""
ROUNDS = 6
"""Most Gauss-Newton iterations; guess."""
FITTED, LOOSELY_FITTED = 1e-4, 2e-3
"""Greatest change of an unknown after which there is no further iteration, and the same while the field is
only roughly known; guesses. Coordinates are in field widths."""
WALL_SPREAD = 0.02
"""Standard deviation of the height of the walls above the field, in field widths."""
NO_WALL_SPREAD = 0.002
"""The same for negative heights, which no wall has; guess."""
BAR_MIDDLE, BAR_WIDTH, BEND, POINTS_REACH, WALL = range(8, 13)
"""Indices of the unknowns that follow the eight coordinates of the corners, which are in field widths."""
SLOPE_STEP = 1e-5
"""Step of the numerical derivatives."""


@dataclass(frozen=True, kw_only=True)
class FittedField:
    """geometry: the field with its bar and lens. length: how far its points reach, in field heights."""

    geometry: BoardGeometry
    length: float


def fitted_to_rows(
    told: BoardGeometry, spots: RowSpots, length: float, *, loosely: bool = False
) -> FittedField:
    """The likeliest field, bar, lens and length of points by least squares (Gauss-Newton).

    told: the field to start from. length: how far its points reach, to start from, in field heights. loosely:
    the start is only rough. Raises GeometryError if no possible field results.
    """
    corners = np.array(told.corners_px)
    wide = float(np.linalg.norm(corners[1] - corners[0]))
    to_field = field_homography(corners)
    seen = apply_homography(to_field, spots.px)
    spread, share = _spreads(spots), np.maximum(spots.seen, FAINTEST)[:, None]
    outlier, steady = OUTLIER, FITTED
    if loosely:
        spread, outlier, steady = spread * LOOSER, LOOSER_OUTLIER, LOOSELY_FITTED
    hidden = _hidden(told)

    def off(unknown: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Residuals in standard deviations: (56, 2) of the spots, (12,) of the unknowns from their priors."""
        geometry = _geometry(told, unknown, wide)
        rows = [row_spots(geometry.bar, unknown[POINTS_REACH], bottom) for bottom in (False, True)]
        shown = geometry.to_px(np.concatenate(rows) + unknown[WALL] * hidden)
        priors = [
            (unknown[BAR_MIDDLE] - 0.5) / UNEVEN_SPREAD,
            unknown[BEND] / LENS_SPREAD,
            (unknown[POINTS_REACH] - USUAL_POINT_LENGTH) / POINT_LENGTH_SPREAD,
            unknown[WALL] / (WALL_SPREAD if unknown[WALL] > 0 else NO_WALL_SPREAD),
            *((unknown[:8] - corners.ravel() / wide) / TOLD_SPREAD),
        ]
        return (apply_homography(to_field, shown) - seen) / spread, np.array(priors)

    unknown = np.concatenate(
        [corners.ravel() / wide, [sum(told.bar) / 2, told.bar[1] - told.bar[0], told.distortion, length, 0.0]]
    )
    for _ in range(ROUNDS):
        of_spots, of_priors = off(unknown)
        weights = np.sqrt(share / (1 + (of_spots / outlier) ** 2)).ravel()
        slopes = []
        for step in SLOPE_STEP * np.eye(len(unknown)):
            spots_moved, priors_moved = off(unknown + step)
            moved = [((spots_moved - of_spots).ravel() * weights), priors_moved - of_priors]
            slopes.append(np.concatenate(moved) / SLOPE_STEP)
        now = np.concatenate([of_spots.ravel() * weights, of_priors])
        change = np.linalg.lstsq(np.stack(slopes, axis=1), now, rcond=None)[0]
        unknown = unknown - change
        if abs(change).max() < steady:
            break
    return FittedField(geometry=_geometry(told, unknown, wide), length=float(unknown[POINTS_REACH]))


def _hidden(told: BoardGeometry) -> FloatArray:
    """(56, 2) apparent shift of each spot in field coordinates, per field width of wall height.

    The wall nearer to the camera hides bases and ends. They seem to lie farther inward, at its upper edge.
    """
    edges = np.array([(0.5, 0.0), (0.5, 1.0)])
    above = told.to_field(told.to_px(edges, WALL_SPREAD)) - edges
    inward = np.maximum(0, above[:, 1] * (1, -1)) / WALL_SPREAD * (1, -1)
    along = np.where(SPOT_MAPS == TIP_MAP, 0.0, inward[:, None])
    return np.stack([np.zeros(along.size), along.ravel()], axis=1)


def _spreads(spots: RowSpots) -> FloatArray:
    """(56, 2) standard deviations of the spots."""
    floors = np.array([SPREADS.get(int(kind), END_SPREAD) for kind in SPOT_MAPS])
    floors = np.concatenate([floors, floors])
    unsure = np.maximum(spots.spread**2 - (MAP_SPREAD * ROW_STEP_PX / ROW_SCALE) ** 2, 0)
    return np.asarray(np.sqrt(unsure + floors**2))


def _geometry(told: BoardGeometry, unknown: FloatArray, wide: float) -> BoardGeometry:
    one, two, three, four = ((float(x), float(y)) for x, y in unknown[:8].reshape(4, 2) * wide)
    corners: Corners = (one, two, three, four)
    middle, half = float(unknown[BAR_MIDDLE]), max(0.0, float(unknown[BAR_WIDTH])) / 2
    return replace(
        told, corners_px=corners, bar=(middle - half, middle + half), distortion=float(unknown[BEND])
    )
