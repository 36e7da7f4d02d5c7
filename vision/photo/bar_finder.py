"""Finds the bar's edges from where the checkers lie, when only the field's corners are known."""

from itertools import product

import numpy as np
import numpy.typing as npt

from vision.photo.checker_finder import SURE_CHECKER, BoardView, SeenChecker

FEWEST_FOR_BAR = 6
"""With fewer sure checkers the guess is kept; guess."""
USUAL_ASKEW_PITCHES = 0.15
"""How far checkers usually lie beside the middle of their column, in pitches; guess."""
BAR_WIDTHS = np.arange(0.0, 0.121, 0.004)
BAR_MIDDLES = np.arange(0.48, 0.5201, 0.004)
"""Widths and middles of the bar that are tried, as fractions of the field's width; guesses."""
PARALLAX_SHIFTS = (-0.012, -0.006, 0.0, 0.006, 0.012)
PARALLAX_GROWTHS = (-0.02, 0.0, 0.02, 0.04)
"""Shifts (fractions of the field's width) and growths of the checkers' faces that are tried; guesses."""
USUAL_BAR_WIDTH, BAR_WIDTH_SPREAD = 0.065, 0.042
BAR_MIDDLE_SPREAD, PARALLAX_SHIFT_SPREAD, PARALLAX_GROWTH_SPREAD = 0.018, 0.015, 0.036
"""Usual width of the bar and spreads of all four, in the same units; guesses."""


def fit_bar(
    checkers: tuple[SeenChecker, ...], view: BoardView, guess: tuple[float, float]
) -> tuple[float, float]:
    """The bar's left and right edge as fractions of the field's width.

    The columns' middles must meet the checkers; parallax may shift and spread the checkers' faces a little.
    """
    sure = [c for c in checkers if c.sureness > SURE_CHECKER and 0 < c.y < view.height]
    if len(sure) < FEWEST_FOR_BAR:
        return guess
    x = np.array([c.x / view.width for c in sure])
    seen = np.stack(
        [(x - 0.5) * (1 - grown) + 0.5 - shift for shift, grown in product(PARALLAX_SHIFTS, PARALLAX_GROWTHS)]
    )
    doubt = np.array(
        [
            (s / PARALLAX_SHIFT_SPREAD) ** 2 + (g / PARALLAX_GROWTH_SPREAD) ** 2
            for s, g in product(PARALLAX_SHIFTS, PARALLAX_GROWTHS)
        ]
    )
    best_score, best = -np.inf, guess
    for width, middle in product(BAR_WIDTHS, BAR_MIDDLES):
        left, right = middle - width / 2, middle + width / 2
        score = float((_agreement(seen, left, right) - doubt / 2).max())
        score -= ((width - USUAL_BAR_WIDTH) / BAR_WIDTH_SPREAD) ** 2 / 2 + (
            (middle - 0.5) / BAR_MIDDLE_SPREAD
        ) ** 2 / 2
        if score > best_score:
            best_score, best = score, (float(left), float(right))
    return best


def _agreement(x: npt.NDArray[np.float64], left: float, right: float) -> npt.NDArray[np.float64]:
    """For each row of x (fractions of the width), how many checkers lie in the middle of a column."""
    column = (np.arange(6) + 0.5) / 6
    middles = np.concatenate([left * column, right + (1 - right) * column])
    away = np.abs(x[..., None] - middles).min(axis=-1) * 12
    return np.asarray(np.exp(-((away / USUAL_ASKEW_PITCHES) ** 2)).sum(axis=-1))
