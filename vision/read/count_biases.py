"""Corrects counts at places that were misread while the position was known.

A stack whose checkers lie exactly on one another may look too low in every picture.
"""

from dataclasses import dataclass, replace

import numpy as np

from vision.board_reading import MAX_COUNT, BoardReading
from vision.geometry import FloatArray

BIAS_SHARE = 0.7
"""Probability that a misread place is misread by the same number again; guess."""


@dataclass(frozen=True)
class CountBiases:
    """By how many checkers places are undercounted.

    missing: for each misread place its side (1 light, -1 dark), and how many checkers were not counted;
        negative where too many were.
    """

    missing: dict[int, tuple[int, int]]

    @staticmethod
    def measured(reading: BoardReading, truth: tuple[int, ...]) -> "CountBiases":
        """From the reading of a picture and the 24 signed counts that are true of it."""
        missing = {}
        for place, (seen, true) in enumerate(zip(reading.counts(), truth, strict=True)):
            if seen * true > 0 and seen != true and place not in reading.unseen:
                missing[place] = (1 if true > 0 else -1), abs(true) - abs(seen)
        return CountBiases(missing)

    def allowed_for(self, reading: BoardReading) -> BoardReading:
        """The reading with these places undecided between the count they show and the corrected one."""
        points = reading.points.copy()
        for place, (side, missed) in self.missing.items():
            if reading.counts()[place] * side > 0 and place not in reading.unseen:
                points[place] = _in_doubt(points[place], side * missed)
        return replace(reading, points=points) if self.missing else reading


def _in_doubt(row: FloatArray, shift: int) -> FloatArray:
    """(31,) log-likelihoods, mixed with the same ones shifted by so many signed checkers."""
    chances = np.exp(row)
    moved = np.full_like(chances, chances.min())
    counts = np.arange(-MAX_COUNT, MAX_COUNT + 1)
    held = (counts != 0) & (np.abs(counts + shift) <= MAX_COUNT) & (counts * (counts + shift) > 0)
    moved[(counts + shift)[held] + MAX_COUNT] = chances[held]
    mixed = (1 - BIAS_SHARE) * chances + BIAS_SHARE * moved
    return np.asarray(np.log(mixed / mixed.sum()))
