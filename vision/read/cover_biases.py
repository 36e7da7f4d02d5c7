"""Corrects for parts of this board that always look covered, such as a tile of a mosaic."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.geometry import FloatArray
from vision.networks.place_reader import PlaceReading

USUAL_ODDS = 0.005
"""Odds of a cover on a place, or of a hand, that are usual where there is none; larger ones are corrected;
guess."""
LASTING_ODDS = 0.1
"""Odds to which a cover that has lasted long is reduced: it is part of how the board looks; guess."""
MOST_LASTING_ODDS = 4.0
"""Cap on the lasting odds: what looks far more covered than that still counts as covered; guess."""
STAYS_MS = 10_000.0
"""Milliseconds in which the lasting odds may grow by a factor of e; guess."""
LONGEST_RISE = math.log(MOST_LASTING_ODDS / USUAL_ODDS)
"""Natural logarithm of the greatest growth of the lasting odds: from the least to the cap."""
PAD_FROM = 0.5
"""Probability from which a pad or telephone lies on the field. It may stay there, so the lasting odds do not
grow; guess."""


@dataclass(frozen=True, kw_only=True)
class CoverBiases:
    """How much the network overstates covers: for each of the 26 places, and last for a hand over the field.

    learnt: (27,) factors by which the odds are overstated, from a picture of the uncovered board. lasting:
    (27,) odds that the network has given all the time; they grow while that goes on. told: (27,) odds in the
    last picture; t_ms: when it was taken.
    """

    learnt: FloatArray
    lasting: FloatArray
    told: FloatArray
    t_ms: int | None = None

    @staticmethod
    def measured(clear: PlaceReading) -> "CoverBiases":
        """From the networks' answer to a picture of the uncovered board."""
        told = _odds_of(clear)
        return CoverBiases(learnt=told / USUAL_ODDS, lasting=np.full_like(told, USUAL_ODDS), told=told)

    def after(self, said: PlaceReading, t_ms: int) -> "CoverBiases":
        """The biases after one more picture. A picture with lower odds of a cover reduces them.

        A point that is bare for the first time may look covered, and so may the board in another light. Hands
        come and go; what stays for a minute is how the board looks. Between two pictures the board is assumed
        to look as in the first.
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
        """The same answer with the odds of covers and of a hand corrected."""
        too_likely, shares = np.maximum(self.learnt, self.lasting / LASTING_ODDS), _shares_of(said)
        lessened = (shares / (shares + too_likely * np.maximum(1 - shares, 1e-9))).astype(np.float32)
        return replace(said, hidden=lessened[:-1], hand=float(lessened[-1]))


def _shares_of(said: PlaceReading) -> FloatArray:
    """(27,) probabilities of a cover at each place, and of a hand."""
    shares: npt.NDArray[np.float64] = np.append(said.hidden.astype(np.float64), said.hand)
    return shares


def _odds_of(said: PlaceReading) -> FloatArray:
    """(27,) odds of the same, at least USUAL_ODDS, and finite."""
    shares = _shares_of(said)
    return np.maximum(shares / np.maximum(1 - shares, 1e-9), USUAL_ODDS)
