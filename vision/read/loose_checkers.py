"""Finds a checker that lies on no point: in the middle of the field, out of reach of every stack.

The reader's networks are shown spots in the middle of each column, and of each gap between two, as if the
base of a point were there: once of the top row, once of the bottom row. What looks like one checker both
times is a checker or an ornament. Ornaments seldom have the colour of a side that lacks a checker.
"""

import numpy as np

from vision.board_reading import N_POINTS, PLACES_IN_ROW
from vision.geometry import COLUMNS_A_HALF, BoardGeometry, FloatArray, Image
from vision.networks.place_reader import MOST, Counts, PlaceReading, Reference, most_likely
from vision.networks.strips import StripView, column_middles
from vision.read.calibration import NETWORK
from vision.read.side_colours import colours_of_sides, likeness, medians_lab

ASIDE = (0.0, 0.5)
"""Distances to the right of each column's middle at which spots lie, in column widths."""
MIDDLES_Y = np.linspace(0.3, 0.7, 9)
"""Heights of the spots, in field heights from the top; symmetrical about the middle of the field."""
LEAST_GAP = 0.2
"""Least gap between a loose checker and a stack, in diameters; guess."""
LOOSE_FROM = 0.7
"""Score from which a spot holds a loose checker: probability of one checker times likeness to the colour of a
side that lacks one. Chosen on rendered boards and photographs."""


def has_loose_checker(
    image_bgr: Image, geometry: BoardGeometry, said: PlaceReading, reference: Reference
) -> bool:
    """Whether a picture (h, w, 3) shows a loose checker.

    False unless a side lacks a checker and both sides are seen on the points. said: the networks' answer to
    the picture. reference: the one of this board that they used for it.
    """
    counts = most_likely(said)
    lacking = counts.sum(axis=0) < MOST
    if not lacking.any():
        return False
    colours = colours_of_sides(said, image_bgr, geometry)
    if colours is None:
        return False
    spots = np.concatenate([_spots(geometry, counts, aside) for aside in ASIDE])
    is_free = spots[:, 2]
    faces = medians_lab(list(spots[:, None, :2]), image_bgr, geometry)
    fits = is_free * likeness(faces, colours)[:, lacking].max(axis=1)
    if fits.max() < LOOSE_FROM:
        return False  # asking the networks takes longer, and could not change this
    chances = is_free * np.concatenate(
        [_chances(image_bgr, geometry, reference, aside).ravel() for aside in ASIDE]
    )
    likeliest = chances.argmax()
    return bool(chances[likeliest] * fits[likeliest] >= LOOSE_FROM)


def _spots(geometry: BoardGeometry, counts: Counts, aside: float) -> FloatArray:
    """(N, 3): x and y of the spots, row by row, and 1 where a checker has room, else 0."""
    length = geometry.diameter / geometry.height
    ends = np.array([geometry.row_reach(int(count)) for count in counts[:N_POINTS].sum(axis=1)])
    ends = ends.reshape(2, PLACES_IN_ROW)
    if aside:
        ends = np.maximum(ends, np.roll(ends, -1, axis=1))
        ends[:, [COLUMNS_A_HALF - 1, PLACES_IN_ROW - 1]] = 1.0  # beside the bar and the rim there is no gap
    reach = (0.5 + LEAST_GAP) * length
    is_free = (MIDDLES_Y[:, None] - reach >= ends[0]) & (1 - MIDDLES_Y[:, None] - reach >= ends[1])
    middles, widths = (of_places[:PLACES_IN_ROW] for of_places in column_middles(geometry.bar))
    x, y = np.broadcast_arrays(middles + aside * widths, MIDDLES_Y[:, None])
    return np.stack([x, y, is_free], axis=-1).reshape(-1, 3)


def _chances(image_bgr: Image, geometry: BoardGeometry, reference: Reference, aside: float) -> FloatArray:
    """(9, 12): the probability that one checker lies on each of these spots."""
    length = geometry.diameter / geometry.height
    ones = np.stack(
        [
            _ones(image_bgr, StripView(geometry, aside=aside, inward=y - length / 2), reference)
            for y in MIDDLES_Y
        ]
    )
    return np.minimum(ones[:, :PLACES_IN_ROW], ones[::-1, PLACES_IN_ROW:])


def _ones(image_bgr: Image, view: StripView, reference: Reference) -> FloatArray:
    """(24,) probabilities that one checker, of either side, lies at the base of each of a view's strips."""
    said = NETWORK.read(view.cut(image_bgr), reference).probabilities[:N_POINTS]
    return np.asarray(said[:, 1] + said[:, MOST + 1], dtype=np.float64)
