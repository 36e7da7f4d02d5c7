"""What one picture says about the board: log-likelihoods, not decisions.

Places are numbered as they lie in the rectified picture, whoever sits where: 0 to 11 are the top row from
left to right, 12 to 23 the bottom row from left to right. `light` and `dark` are the two colours of checkers.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

N_POINTS = 24
"""Points of a board; places 0 to 23 of a reading; from the game."""
PLACES_IN_ROW = N_POINTS // 2
"""Places in the upper row, and in the lower row, of the picture."""
BAR_PLACE = N_POINTS
"""The bar's number among the places of a reading."""
MAX_COUNT = 15
"""Checkers a side, from the game. A row of log-likelihoods runs from 15 dark through none to 15 light."""


@dataclass(frozen=True, kw_only=True)
class BoardReading:
    """Likelihoods of what lies on each place of the board in one picture.

    points: (24, 31) natural logarithms; column n + 15 is n light checkers for n > 0, -n dark ones for n < 0,
        none for n = 0. Each row is normalised: the exponentials add up to one. Unseen places are flat.
    bar: (2, 16) natural logarithms, row 0 light and row 1 dark checkers on the bar, column = count.
    unseen: the places (0 to 23, and 24 for the bar) that something hides.
    mixed: the places (0 to 23) where most likely both colours lie; their rows give the counts of one colour.
    surely_mixed: those of them where that is certain.
    hand: a hand or another foreign object is over the board.
    dice: faces seen lying on the field, () when none could be read.
    refused: why the picture cannot be read, or None.
    """

    points: npt.NDArray[np.float64]
    bar: npt.NDArray[np.float64]
    unseen: frozenset[int] = frozenset()
    mixed: frozenset[int] = frozenset()
    surely_mixed: frozenset[int] = frozenset()
    hand: bool = False
    dice: tuple[int, ...] = ()
    refused: str | None = None

    def counts(self) -> tuple[int, ...]:
        """The likeliest count for each of the 24 places, light positive, dark negative."""
        return tuple(int(n) - MAX_COUNT for n in self.points.argmax(axis=1))

    def bar_counts(self) -> tuple[int, int]:
        """The likeliest number of light and of dark checkers on the bar."""
        light, dark = self.bar.argmax(axis=1)
        return int(light), int(dark)

    def log_likelihood(self, counts: Sequence[int]) -> float:
        """Log-likelihood in nats of these counts on the 24 places, light positive and dark negative."""
        return float(self.points[np.arange(N_POINTS), np.array(counts) + MAX_COUNT].sum())

    def confidences(self) -> tuple[float, ...]:
        """The probability (0 to 1) of the likeliest count, for each of the 24 places."""
        return tuple(float(p) for p in np.exp(self.points.max(axis=1)))


def flat_log_likelihoods(columns: int) -> npt.NDArray[np.float64]:
    """(columns,) equal log-likelihoods that favour no count: the row of an unseen place."""
    return np.full(columns, -np.log(columns))


def refused_reading(reason: str, *, hand: bool = False) -> BoardReading:
    """The reading of a picture that cannot be used: nothing is seen, and `refused` says why."""
    return BoardReading(
        points=np.tile(flat_log_likelihoods(2 * MAX_COUNT + 1), (N_POINTS, 1)),
        bar=np.tile(flat_log_likelihoods(MAX_COUNT + 1), (2, 1)),
        unseen=frozenset(range(N_POINTS + 1)),
        hand=hand,
        refused=reason,
    )
