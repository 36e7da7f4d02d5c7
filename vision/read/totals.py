"""The prior over a whole board: most often all checkers are on it, or all but one, or equally many of both.

A single picture has no earlier game. This weak prior decides what a shadow leaves open. Where a side has all
its checkers in one quarter of the board, some may have been borne off: then any total up to 15 is as likely.
On a board that is known checkers seldom lie on one another while their row has room.
"""

from dataclasses import replace

import numpy as np

from vision.board_reading import BAR_PLACE, MAX_COUNT, N_POINTS, BoardReading
from vision.geometry import FloatArray

POINTS_A_QUARTER = 6
"""Points of a quarter of the board; from the game."""
MOST_TOTAL = MAX_COUNT + 5
"""Greatest total of one side that is considered: a reading may count too many; guess."""
ALL_ON_BOARD_SHARE, ONE_MISSING_SHARE, EVEN_TOTALS_SHARE, ANY_TOTALS_SHARE = 0.45, 0.1, 0.2, 0.25
"""Prior probabilities of all checkers on the board, of all but one (knocked off, or in a hand), of equally
many, and of any totals; guesses."""
ALL_OF_ONE_SHARE = 0.8
"""Prior probability that one side has all its checkers on the board while the other bears off; guess."""
DOUBTED_SHARE = 0.25
"""Share of boards on which agreement with the prior proves nothing. Chosen on rendered boards:
with it, one in a thousand of their places that are called with 99.9 % or more is wrong."""
ROOM_FOR = 4
"""Checkers for which a row has room on every board; guess."""
PILED_EARLY_SHARE = 0.1
"""How often some lie on others while the row has room, as a share of how often the networks take it for so:
they were taught with boards on which people pile anyhow. Guess: on 31 recordings, in sight, 0.01 to 0.3 give
the same."""
NEGLIGIBLE_PROBABILITY = 1e-5
"""Counts with a lower probability are left out; guess."""


def with_usual_totals(reading: BoardReading, *, rows_first: bool = False) -> BoardReading:
    """The reading under the prior over totals; hidden places as they were.

    Its counts are those of the likeliest whole board: a count is as likely as the likeliest board with it.
    Where the prior does not change a count, a share of the likelihoods stays as the place alone looks.
    rows_first: whether rows are filled before checkers are laid on others, and only others hide any. So it is
    on a board that was learnt from its start position; in a photograph a wall may hide some.
    """
    if rows_first:
        reading = replace(reading, points=_rows_filled_first(reading.points))
    prior = _prior(_may_be_bearing_off(reading, 1), _may_be_bearing_off(reading, -1))
    points, bar = _weighed_rows(reading.points, reading.bar, prior)
    hidden = [place for place in reading.unseen if place != BAR_PLACE]
    points[hidden] = reading.points[hidden]
    return replace(
        reading,
        points=_partly(reading.points, points),
        bar=reading.bar if BAR_PLACE in reading.unseen else _partly(reading.bar, bar),
    )


def _rows_filled_first(points: FloatArray) -> FloatArray:
    """(24, 31) log-likelihoods, those of more checkers than are seen being less where their row has room."""
    counts = np.arange(-MAX_COUNT, MAX_COUNT + 1)
    seen = counts[points.argmax(axis=1)][:, None]
    piled = (np.abs(counts) > np.abs(seen)) & (counts * seen > 0) & (np.abs(seen) < ROOM_FOR)
    weighed = points + np.where(piled, np.log(PILED_EARLY_SHARE), 0.0)
    return np.asarray(weighed - np.logaddexp.reduce(weighed, axis=1)[:, None])


def _partly(before: FloatArray, after: FloatArray) -> FloatArray:
    """Rows after, mixed with those before where the same entry is the greatest."""
    same = before.argmax(axis=1) == after.argmax(axis=1)
    mixed = np.logaddexp(np.log(DOUBTED_SHARE) + before, np.log(1 - DOUBTED_SHARE) + after)
    return np.where(same[:, None], mixed, after)


def _may_be_bearing_off(reading: BoardReading, sign: int) -> bool:
    """Whether all checkers of a side (1 light, -1 dark) that are seen lie in one quarter of the board."""
    held = {place // POINTS_A_QUARTER for place, count in enumerate(reading.counts()) if count * sign > 0}
    return len(held) <= 1 and not reading.bar_counts()[0 if sign > 0 else 1]


def _weighed_rows(points: FloatArray, bar: FloatArray, prior: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Logarithms of the likeliest boards for each count of places (24, 31) and bar (2, 16).

    prior: (21, 21) probabilities of light and dark totals.
    """
    options = [_place_options(row) for row in points]
    options += [[(n, 0, p) for n, p in _likely(bar[0])], [(0, n, p) for n, p in _likely(bar[1])]]
    before = [_nothing_yet()]
    for option in options[:-1]:
        before.append(_added(before[-1], option))
    after = [prior]
    for option in reversed(options[1:]):
        after.append(_removed(after[-1], option))
    after.reverse()
    weights = [
        {(light, dark): _shifted(b, light, dark, a) for light, dark, _ in option}
        for option, b, a in zip(options, before, after, strict=True)
    ]
    new_points = np.stack([_weighed_place(points[i], weights[i]) for i in range(N_POINTS)])
    new_bar = np.stack([_weighed_bar(bar[0], weights[N_POINTS]), _weighed_bar(bar[1], weights[N_POINTS + 1])])
    return new_points, new_bar


def _likely(row: FloatArray) -> list[tuple[int, float]]:
    chances = np.exp(row)
    return [(int(n), float(chances[n])) for n in np.flatnonzero(chances > NEGLIGIBLE_PROBABILITY)]


def _place_options(row: FloatArray) -> list[tuple[int, int, float]]:
    """(light, dark, probability) of each count of a place."""
    return [(max(0, n - MAX_COUNT), max(0, MAX_COUNT - n), p) for n, p in _likely(row)]


def _nothing_yet() -> FloatArray:
    start = np.zeros((MOST_TOTAL + 1, MOST_TOTAL + 1))
    start[0, 0] = 1.0
    return start


def _prior(light_bears_off: bool, dark_bears_off: bool) -> FloatArray:
    """(21, 21) probabilities of light and dark totals."""
    if light_bears_off or dark_bears_off:
        sides = [_totals_of_side(bears_off) for bears_off in (light_bears_off, dark_bears_off)]
        return np.outer(*sides)
    prior = np.full((MOST_TOTAL + 1, MOST_TOTAL + 1), ANY_TOTALS_SHARE / (MOST_TOTAL + 1) ** 2)
    even = np.arange(MAX_COUNT + 1)
    prior[even, even] += EVEN_TOTALS_SHARE / (MAX_COUNT + 1)
    prior[MAX_COUNT, MAX_COUNT] += ALL_ON_BOARD_SHARE
    prior[[MAX_COUNT - 1, MAX_COUNT], [MAX_COUNT, MAX_COUNT - 1]] += ONE_MISSING_SHARE / 2
    return prior


def _totals_of_side(bears_off: bool) -> FloatArray:
    """(21,) probabilities of the totals of a side, where one side bears off."""
    totals = np.zeros(MOST_TOTAL + 1)
    totals[: MAX_COUNT + 1] = 1 / (MAX_COUNT + 1)
    if not bears_off:
        totals *= 1 - ALL_OF_ONE_SHARE
        totals[MAX_COUNT] += ALL_OF_ONE_SHARE
    return totals


def _added(totals: FloatArray, options: list[tuple[int, int, float]]) -> FloatArray:
    """Probabilities of the likeliest way to each pair of totals, after one more place."""
    size = MOST_TOTAL + 1
    grown = np.zeros_like(totals)
    for light, dark, chance in options:
        way = chance * totals[: size - light, : size - dark]
        grown[light:, dark:] = np.maximum(grown[light:, dark:], way)
    return grown


def _removed(totals: FloatArray, options: list[tuple[int, int, float]]) -> FloatArray:
    """The likeliest way on from each pair of totals before one more place, from those after it."""
    size = MOST_TOTAL + 1
    worth = np.zeros_like(totals)
    for light, dark, chance in options:
        before = worth[: size - light, : size - dark]
        np.maximum(before, chance * totals[light:, dark:], out=before)
    return worth


def _shifted(before: FloatArray, light: int, dark: int, after: FloatArray) -> float:
    size = MOST_TOTAL + 1
    return float((before[: size - light, : size - dark] * after[light:, dark:]).max())


def _weighed_place(row: FloatArray, weights: dict[tuple[int, int], float]) -> FloatArray:
    factors = np.zeros(len(row))
    for (light, dark), weight in weights.items():
        factors[MAX_COUNT + light - dark] = weight
    return _weighed(row, factors)


def _weighed_bar(row: FloatArray, weights: dict[tuple[int, int], float]) -> FloatArray:
    factors = np.zeros(len(row))
    for (light, dark), weight in weights.items():
        factors[light + dark] = weight
    return _weighed(row, factors)


def _weighed(row: FloatArray, factors: FloatArray) -> FloatArray:
    chances = np.exp(row) * factors
    if chances.sum() <= 0:
        return row
    chances = chances / chances.sum() + NEGLIGIBLE_PROBABILITY
    return np.asarray(np.log(chances / chances.sum()))
