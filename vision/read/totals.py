"""The prior over a board's totals: most often all checkers are on it, all but one, or equally many of both.

This prior decides what a shadow leaves open, or a checker that lies on others. It is weak for a photograph,
which may show any position, and strong for a game that is watched. A side with all its checkers in one
quarter may have borne some off: then each total up to 15 is equally likely.
"""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from vision.board_reading import BAR_PLACE, MAX_COUNT, N_POINTS, BoardReading
from vision.geometry import FloatArray

POINTS_A_QUARTER = 6
"""Points of a quarter of the board; from the game."""
MOST_TOTAL = MAX_COUNT + 5
"""Largest total of one side that is considered: a reading may count too many; guess."""
BEARING_SHARE = 0.5
"""Weight of each total of a side whose checkers all lie in one quarter; where they do not, all totals
together weigh 1. Misreadings seldom gather a side in one quarter. Guess: on 36 recordings, in sight, 0.2 to 1
give the same, 0.06 and 3 worse."""
DOUBTED_SHARE = 0.25
"""Share of the reading without the prior that is kept where the prior changes no count: agreement with it
often proves nothing. Chosen on rendered boards: with it, one in a thousand of their places that are given
99.9 % or more is wrong."""
NEGLIGIBLE_PROBABILITY = 1e-5
"""Counts with at most this probability are left out; guess."""


@dataclass(frozen=True, kw_only=True)
class TotalShares:
    """Prior probabilities of totals.

    While no side bears off: all_on_board, one_missing (knocked off, or in a hand), even (equal totals) and
    any_totals. all_of_one: one side has all its checkers on the board while the other bears off.
    """

    all_on_board: float
    one_missing: float
    even: float
    any_totals: float
    all_of_one: float


USUAL_IN_PHOTOGRAPHS = TotalShares(
    all_on_board=0.45, one_missing=0.1, even=0.2, any_totals=0.25, all_of_one=0.8
)
"""Of a photograph; guesses."""
USUAL_IN_GAMES = TotalShares(all_on_board=0.92, one_missing=0.06, even=0.0, any_totals=0.02, all_of_one=0.97)
"""Of a picture from a game that began with all checkers on the board; guesses. Of 1,813 clear pictures of 20
games in which no side bore off, 12 lacked one checker and none lacked more. On eight games a one_missing of
0.01 to 0.08 gives nearly the same."""


def with_usual_totals(reading: BoardReading, shares: TotalShares = USUAL_IN_PHOTOGRAPHS) -> BoardReading:
    """The reading under the prior over totals; hidden places stay unchanged.

    Its counts are those of the likeliest whole board: each count is weighed by the likeliest board with it.
    Where the prior does not change a count, a share of the likelihoods of the place alone is kept.
    """
    points, bar = _weighed_rows(reading, shares)
    hidden = [place for place in reading.unseen if place != BAR_PLACE]
    points[hidden] = reading.points[hidden]
    return replace(
        reading,
        points=_partly(reading.points, points),
        bar=reading.bar if BAR_PLACE in reading.unseen else _partly(reading.bar, bar),
    )


def _partly(before: FloatArray, after: FloatArray) -> FloatArray:
    """The rows `after`, mixed with those `before` where both have their greatest entry at the same count."""
    same = before.argmax(axis=1) == after.argmax(axis=1)
    mixed = np.logaddexp(np.log(DOUBTED_SHARE) + before, np.log(1 - DOUBTED_SHARE) + after)
    return np.where(same[:, None], mixed, after)


@dataclass(frozen=True)
class _Option:
    """A number of light and of dark checkers on a place, with its probability.

    light_out, dark_out: 1 if any of them lies outside the quarter from which its side may bear off, else 0.
    """

    light: int
    dark: int
    chance: float
    light_out: int
    dark_out: int


def _weighed_rows(reading: BoardReading, shares: TotalShares) -> tuple[FloatArray, FloatArray]:
    """Log-likelihoods by the likeliest board with each count, for the points (24, 31) and the bar (2, 16)."""
    points, bar = reading.points, reading.bar
    homes = _home(reading, 1), _home(reading, -1)
    options = [_on_point(row, place // POINTS_A_QUARTER, homes) for place, row in enumerate(points)]
    options.append([_Option(n, 0, chance, int(n > 0), 0) for n, chance in _likely(bar[0])])
    options.append([_Option(0, n, chance, 0, int(n > 0)) for n, chance in _likely(bar[1])])
    before = [_nothing_yet()]
    for of_place in options[:-1]:
        before.append(_added(before[-1], of_place))
    after = [_prior(shares)]
    for of_place in reversed(options[1:]):
        after.append(_removed(after[-1], of_place))
    after.reverse()
    weights = [
        {(one.light, one.dark): _joined(b, one, a) for one in of_place}
        for of_place, b, a in zip(options, before, after, strict=True)
    ]
    new_points = np.stack([_weighed_place(points[i], weights[i]) for i in range(N_POINTS)])
    new_bar = np.stack([_weighed_bar(bar[0], weights[N_POINTS]), _weighed_bar(bar[1], weights[N_POINTS + 1])])
    return new_points, new_bar


def _home(reading: BoardReading, sign: int) -> int:
    """The quarter of the board that seems to hold most checkers of a side (1 light, -1 dark)."""
    held = np.maximum(0, sign * np.array(reading.counts())).reshape(-1, POINTS_A_QUARTER)
    return int(held.sum(axis=1).argmax())


def _likely(row: FloatArray) -> list[tuple[int, float]]:
    chances = np.exp(row)
    return [(int(n), float(chances[n])) for n in np.flatnonzero(chances > NEGLIGIBLE_PROBABILITY)]


def _on_point(row: FloatArray, quarter: int, homes: tuple[int, int]) -> list[_Option]:
    """What may lie on a point of this quarter, from its row of log-likelihoods."""
    options = []
    for number, chance in _likely(row):
        held = max(0, number - MAX_COUNT), max(0, MAX_COUNT - number)
        light_out, dark_out = (int(n > 0 and quarter != home) for n, home in zip(held, homes, strict=True))
        options.append(_Option(*held, chance, light_out, dark_out))
    return options


def _nothing_yet() -> FloatArray:
    start = np.zeros((2, 2, MOST_TOTAL + 1, MOST_TOTAL + 1))
    start[0, 0, 0, 0] = 1.0
    return start


@cache
def _prior(shares: TotalShares) -> FloatArray:
    """(2, 2, 21, 21) weights of totals.

    Indices: whether any light, and any dark, checker lies outside the quarter from which its side may bear
    off, then the total of light and of dark checkers.
    """
    sides = np.stack([_totals_of_side(shares, bears_off=bears_off) for bears_off in (True, False)])
    prior = sides[:, None, :, None] * sides[None, :, None, :]
    usual = np.full((MOST_TOTAL + 1, MOST_TOTAL + 1), shares.any_totals / (MOST_TOTAL + 1) ** 2)
    even = np.arange(MAX_COUNT + 1)
    usual[even, even] += shares.even / (MAX_COUNT + 1)
    usual[MAX_COUNT, MAX_COUNT] += shares.all_on_board
    usual[[MAX_COUNT - 1, MAX_COUNT], [MAX_COUNT, MAX_COUNT - 1]] += shares.one_missing / 2
    prior[1, 1] = usual
    return prior


def _totals_of_side(shares: TotalShares, *, bears_off: bool) -> FloatArray:
    """(21,) weights of a side's totals, if it may bear off itself or if only its opponent may."""
    totals = np.zeros(MOST_TOTAL + 1)
    if bears_off:
        totals[: MAX_COUNT + 1] = BEARING_SHARE
    else:
        totals[: MAX_COUNT + 1] = (1 - shares.all_of_one) / (MAX_COUNT + 1)
        totals[MAX_COUNT] += shares.all_of_one
    return totals


def _added(ways: FloatArray, options: list[_Option]) -> FloatArray:
    """Probability of the likeliest way to reach each entry of `_prior`, after one more place."""
    grown = np.zeros_like(ways)
    for one in options:
        way = _with_room(ways, one)
        for axis, is_out in enumerate((one.light_out, one.dark_out)):
            way = way.max(axis=axis, keepdims=True) if is_out else way
        there = _beyond(grown, one)
        np.maximum(there, one.chance * way, out=there)
    return grown


def _removed(ways: FloatArray, options: list[_Option]) -> FloatArray:
    """Weight of the likeliest way on from each entry before a place, given those after it."""
    worth = np.zeros_like(ways)
    for one in options:
        here = _with_room(worth, one)
        np.maximum(here, one.chance * _beyond(ways, one), out=here)
    return worth


def _joined(before: FloatArray, option: _Option, after: FloatArray) -> float:
    """Weight of the likeliest board on which a place holds what the option says."""
    return float((_with_room(before, option) * _beyond(after, option)).max())


def _with_room(ways: FloatArray, option: _Option) -> FloatArray:
    """The entries of `ways` to which the option can be added without exceeding the largest total."""
    size = MOST_TOTAL + 1
    return ways[..., : size - option.light, : size - option.dark]


def _beyond(ways: FloatArray, option: _Option) -> FloatArray:
    """The entries of `ways` that result when the option is added to those of `_with_room`."""
    return ways[option.light_out :, option.dark_out :, option.light :, option.dark :]


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
