"""Refines where a found board lies, by the position that is known to lie on it."""

from collections.abc import Sequence

import numpy as np

from vision.board_reading import BoardReading
from vision.geometry import BoardGeometry, GeometryError, Image
from vision.networks.strips import StripView
from vision.read.calibration import NETWORK, PlaceCounts, agreeing, either_way
from vision.read.place_likelihoods import reading_of
from vision.read.side_colours import with_sides_by_colour

EDGE_STEP = 0.015
"""How far an edge is moved in a trial, in field widths. On rendered boards readings change little while edges
are wrong by less than 0.01; at 0.03 they do change."""
LEAST_GAIN_NATS = 2.0
"""A move is kept if it raises the log-likelihood of the position by at least this; guess."""
MOST_MOVES = 4
"""Most moves of all edges together; guess."""
LEAST_ALIKE = 18
"""The board is refined only if at least so many of the 24 places are read as in a position; guess."""


def placed_by_position(
    image_bgr: Image, found: BoardGeometry, positions: Sequence[PlaceCounts]
) -> BoardGeometry:
    """Where the board found in a picture (h, w, 3) lies; unchanged if it shows none of the positions.

    positions: the checkers on each of the 24 places; either side may be the light one. Each edge is moved
    outwards and inwards. The move under which a position is likeliest is kept, until no move gains enough.
    """
    reading = _read(image_bgr, found)
    both = either_way(positions)
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
    """The reading of the picture without a reference."""
    view = StripView(geometry)
    said = NETWORK.read_alone(view.cut(image_bgr), view.leans)
    return reading_of(with_sides_by_colour(said, image_bgr, geometry))


def _log_likelihood(reading: BoardReading, positions: Sequence[PlaceCounts]) -> float:
    """Log-likelihood of the likeliest of the positions."""
    return max(reading.log_likelihood(counts) for counts in positions)


def _moved(geometry: BoardGeometry) -> list[BoardGeometry]:
    """The board with each edge moved by a step either way, without impossible fields."""
    made = []
    for side in range(4):
        step = EDGE_STEP / geometry.height if side % 2 else EDGE_STEP
        for moved_by in (step, -step):
            box = [0.0, 0.0, 1.0, 1.0]
            box[side] += moved_by
            try:
                made.append(geometry.reaching(*box))
            except GeometryError:
                continue
    return made
