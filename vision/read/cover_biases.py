"""What always looks covered, such as a pane of a mosaic, is not believed to be."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.geometry import FloatArray
from vision.networks.place_reader import PlaceReading

USUAL_ODDS = 0.005
"""Odds of being covered up to which a place, or the field, is told as it should be; guess."""


@dataclass(frozen=True)
class CoverBiases:
    """How many times too likely covers are told: hidden (26,) of each place, hand over the field."""

    hidden: FloatArray
    hand: float

    @staticmethod
    def measured(clear: PlaceReading) -> "CoverBiases":
        """From what is said of a picture of the board in which nothing lies over it."""
        hidden, hand = (np.maximum(1.0, _odds(share) / USUAL_ODDS) for share in (clear.hidden, clear.hand))
        return CoverBiases(hidden, float(hand))

    def lessened_to(self, said: PlaceReading) -> "CoverBiases":
        """What is left of them after a picture that tells less: then something had lain there."""
        now = CoverBiases.measured(said)
        return CoverBiases(np.minimum(self.hidden, now.hidden), min(self.hand, now.hand))

    def allowed_for(self, said: PlaceReading) -> PlaceReading:
        """The same with covers that much less likely."""
        hidden, hand = _odds(said.hidden) / self.hidden, _odds(said.hand) / self.hand
        return replace(said, hidden=(hidden / (1 + hidden)).astype(np.float32), hand=float(hand / (1 + hand)))


def _odds(shares: npt.ArrayLike) -> FloatArray:
    """Of probabilities; those of certainty are finite, too."""
    known = np.asarray(shares, dtype=np.float64)
    return known / np.maximum(1 - known, 1e-9)
