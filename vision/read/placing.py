"""Moves a board that was found to where the picture shows best the position that lies on it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.board_reading import BoardReading
from vision.geometry import UNIT_SQUARE, BoardGeometry, FloatArray, GeometryError, Image
from vision.networks.strips import StripView
from vision.read.calibration import NETWORK, PlaceCounts, agreeing, of_sides
from vision.read.place_likelihoods import reading_of
from vision.read.side_colours import with_sides_by_colour

EDGES = (([0, 3], 0), ([1, 2], 0), ([0, 1], 1), ([2, 3], 1))
"""The corners at the left, right, top and bottom edge, and the axis along which each edge moves."""
EDGE_STEP = 0.015
"""By how much an edge is moved to try it, in field widths. On rendered boards readings do not change much as
long as edges are wrong by less than 0.01; by 0.03 they do."""
LEAST_GAIN_NATS = 2.0
"""A move counts that makes the position likelier by so much; guess."""
MOST_MOVES = 4
"""Of all edges together; guess."""
LEAST_ALIKE = 18
"""Places (of 24) that must read as a position has them for the picture to be looked at further; guess."""


def placed_by_position(
    image_bgr: Image, found: BoardGeometry, positions: Sequence[PlaceCounts]
) -> BoardGeometry:
    """Where the board lies that was found in a picture (h, w, 3), if that shows one of the positions.

    positions: the checkers on each of the 24 places; either side may be the light one. Each edge is moved
    outwards and inwards; the move that makes a position likeliest is kept, until none makes it much likelier.
    """
    reading = _read(image_bgr, found)
    both = [of_sides(counts, sign) for counts in positions for sign in (1, -1)]
    if max((agreeing(reading.counts(), counts) for counts in both), default=0) < LEAST_ALIKE:
        return found
    best, likelihood = found, _log_likelihood(reading, both)
    for _ in range(MOST_MOVES):
        if likelihood > -LEAST_GAIN_NATS:
            break
        tried = [(_log_likelihood(_read(image_bgr, one), both), one) for one in _moved(best)]
        likeliest = max(tried, key=lambda one: one[0], default=(-np.inf, best))
        if likeliest[0] < likelihood + LEAST_GAIN_NATS:
            break
        likelihood, best = likeliest
    return best


def _read(image_bgr: Image, geometry: BoardGeometry) -> BoardReading:
    """The picture as it is read without anything being known of the board."""
    view = StripView(geometry)
    said = NETWORK.read(view.cut(image_bgr), NETWORK.no_reference(view.leans))
    return reading_of(with_sides_by_colour(said, image_bgr, geometry))


def _log_likelihood(reading: BoardReading, positions: Sequence[PlaceCounts]) -> float:
    """Of the likeliest of the positions."""
    return max(reading.log_likelihood(counts) for counts in positions)


def _moved(geometry: BoardGeometry) -> list[BoardGeometry]:
    """The board with each edge farther out and farther in, where it still lies in the picture."""
    made = []
    for edge, axis in EDGES:
        unit = geometry.height if axis else 1.0
        for step in (-EDGE_STEP / unit, EDGE_STEP / unit):
            quad = UNIT_SQUARE.copy()
            quad[edge, axis] += np.where(quad[edge, axis] > 0, step, -step)
            try:
                field = geometry.with_corners(geometry.to_px(quad))
                made.append(replace(field, bar=_bar_in(geometry, quad)))
            except GeometryError:
                continue
    return made


def _bar_in(geometry: BoardGeometry, quad: FloatArray) -> tuple[float, float]:
    """The bar's edges in a field whose corners are given in the coordinates of the old one."""
    left, right = quad[:, 0].min(), quad[:, 0].max()
    first, last = ((edge - left) / (right - left) for edge in geometry.bar)
    return float(first), float(last)
