"""Places that are counted wrongly while the truth is known are counted with that in mind later.

A stack whose checkers lie straight on one another may show too few of them, the same in every picture.
"""

from dataclasses import dataclass, replace

import numpy as np

from vision.board_reading import MAX_COUNT, BoardReading
from vision.geometry import FloatArray

BIAS_SHARE = 0.7
"""Probability that a place which was miscounted is miscounted by as many again; guess."""


@dataclass(frozen=True)
class CountBiases:
    """By how many checkers places are undercounted.

    missing: for each place that was miscounted, its side (1 light, -1 dark), and how many were not seen.
    """

    missing: dict[int, tuple[int, int]]

    @staticmethod
    def measured(reading: BoardReading, truth: tuple[int, ...]) -> "CountBiases":
        """From a reading of a board that is known: 24 signed counts."""
        missing = {}
        for place, (seen, true) in enumerate(zip(reading.counts(), truth, strict=True)):
            if seen * true > 0 and seen != true and place not in reading.unseen:
                missing[place] = (1 if true > 0 else -1), abs(true) - abs(seen)
        return CountBiases(missing)

    def allowed_for(self, reading: BoardReading) -> BoardReading:
        """The reading with these places in doubt between what they show and what they then would hold."""
        points = reading.points.copy()
        for place, (side, missed) in self.missing.items():
            if reading.counts()[place] * side > 0 and place not in reading.unseen:
                points[place] = _in_doubt(points[place], side * missed)
        return replace(reading, points=points) if self.missing else reading


def _in_doubt(row: FloatArray, shift: int) -> FloatArray:
    """(31,) log-likelihoods mixed with themselves, moved by so many signed checkers."""
    chances = np.exp(row)
    moved = np.full_like(chances, chances.min())
    counts = np.arange(-MAX_COUNT, MAX_COUNT + 1)
    held = (counts != 0) & (np.abs(counts + shift) <= MAX_COUNT) & (counts * (counts + shift) > 0)
    moved[(counts + shift)[held] + MAX_COUNT] = chances[held]
    mixed = (1 - BIAS_SHARE) * chances + BIAS_SHARE * moved
    return np.asarray(np.log(mixed / mixed.sum()))
