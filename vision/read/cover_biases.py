"""What always looks covered, such as a pane of a mosaic, is not believed to be."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.geometry import FloatArray
from vision.networks.place_reader import PlaceReading

USUAL_ODDS = 0.005
"""Odds of being covered up to which a place, or the field, is told as it should be; guess."""
LASTING_ODDS = 0.1
"""Odds of a cover that has stayed for long: it is no cover, but how the board looks; guess."""
MOST_LASTING_ODDS = 4.0
"""Odds up to which anything becomes so: what looks more covered than that is covered; guess."""
STAYS_MS = 10_000.0
"""In so many milliseconds the odds that are told all the time may come to count e times as much; guess."""
LONGEST_RISE = math.log(MOST_LASTING_ODDS / USUAL_ODDS)
"""The logarithm of how many times as much at most: from the least odds to the most."""
PAD_FROM = 0.5
"""Probability from which a pad or telephone lies on the field: that may stay; guess."""


@dataclass(frozen=True, kw_only=True)
class CoverBiases:
    """How much too likely covers are told: of each of the 26 places, and last of a hand over the field.

    learnt: (27,) how many times, by a picture of the board in which nothing lies over it. lasting: (27,) odds
    that have been told all the time, the longer the higher. told: (27,) the odds of the last picture; t_ms:
    when it was taken.
    """

    learnt: FloatArray
    lasting: FloatArray
    told: FloatArray
    t_ms: int | None = None

    @staticmethod
    def measured(clear: PlaceReading) -> "CoverBiases":
        """From what is said of a picture of the board in which nothing lies over it."""
        told = _odds_of(clear)
        return CoverBiases(learnt=told / USUAL_ODDS, lasting=np.full_like(told, USUAL_ODDS), told=told)

    def after(self, said: PlaceReading, t_ms: int) -> "CoverBiases":
        """The biases after one more picture. One that tells less of a cover lessens them.

        A point that is bare for the first time may look covered, and so may the board in another light. Hands
        come and go; what stays for a minute is how the board looks. Between two pictures it looked as in the
        first.
        """
        told = _odds_of(said)
        passed_ms = 0 if self.t_ms is None or said.pad >= PAD_FROM else max(0, t_ms - self.t_ms)
        rise = math.exp(min(passed_ms / STAYS_MS, LONGEST_RISE))
        stayed = np.minimum(np.minimum(self.told, MOST_LASTING_ODDS), self.lasting * rise)
        return CoverBiases(
            learnt=np.minimum(self.learnt, told / USUAL_ODDS),
            lasting=np.minimum(told, stayed),
            told=told,
            t_ms=t_ms,
        )

    def allowed_for(self, said: PlaceReading) -> PlaceReading:
        """The same with covers that much less likely."""
        too_likely, shares = np.maximum(self.learnt, self.lasting / LASTING_ODDS), _shares_of(said)
        lessened = (shares / (shares + too_likely * np.maximum(1 - shares, 1e-9))).astype(np.float32)
        return replace(said, hidden=lessened[:-1], hand=float(lessened[-1]))


def _shares_of(said: PlaceReading) -> FloatArray:
    """(27,) probabilities of a cover at each place, and of a hand."""
    shares: npt.NDArray[np.float64] = np.append(said.hidden.astype(np.float64), said.hand)
    return shares


def _odds_of(said: PlaceReading) -> FloatArray:
    """(27,) odds of the same: from USUAL_ODDS on, and finite."""
    shares = _shares_of(said)
    return np.maximum(shares / np.maximum(1 - shares, 1e-9), USUAL_ODDS)
