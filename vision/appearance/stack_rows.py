"""Turns the evidence of a scene into log-likelihoods: the best row of checkers on each place for each count.

A row starts at the place's base, and its checkers more or less touch. Each checker has slack along and across
the point, because players are not exact.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.appearance.checker_looks import SceneEvidence
from vision.appearance.scene import CHECKER_PX, SceneView
from vision.appearance.upper_layers import FULL_ROW, log_odds_against_more
from vision.board_reading import MAX_COUNT, N_POINTS
from vision.geometry import FloatArray, Map

IntArray = npt.NDArray[np.int64]
PlaceCounts = tuple[int, ...]
"""24 numbers: checkers on each place, light positive, dark negative."""

LONGEST_ROW = 7
"""Checkers of the longest row that is searched; guess."""
MOST_ACROSS_DIAMETERS = 0.34
"""How far a checker's centre may lie from the middle of its point, in diameters; guess."""
ACROSS_SPREAD = 0.16
"""Spread of that distance, in diameters; guess."""
FIRST_GAP, FIRST_GAP_SPREAD = 0.55, 0.15
"""Distance of the first checker's centre from the base, and its spread, in diameters; guesses."""
NEXT_GAP, NEXT_GAP_SPREAD = 1.04, 0.08
"""Distance of neighbours in a row, and its spread, in diameters; guesses."""
LEAST_GAP, MOST_GAP = 0.92, 1.5
"""Least and greatest distance of neighbours that is searched, in diameters; guesses."""
SPARE_SEARCH_DIAMETERS = 0.3
"""How far beyond the usual end of the longest row is searched, in diameters; guess."""
BETWEEN_WIDTHS = 0.36
"""A checker farther than this from its point's middle lies between two points, in widths of a point;
guess."""
BETWEEN_REACH_PX = round(0.3 * CHECKER_PX)
"""How far across a better centre is looked for, in scene pixels; guess."""
DOUBT_NATS = 0.5
"""Log-odds that are left to such a checker for belonging to its point, in nats; guess."""
LEAST_PEAK_NATS = -12.0
"""Log-likelihood ratio below which a checker is not considered, in nats; guess."""
NO_ROW_NATS = -1.0
"""Greatest log-likelihood ratio of each checker of a row that was not searched, in nats; guess."""
BAR_REACH_DIAMETERS = 0.25
"""How far from the bar's middle checkers are looked for, in diameters; guess."""
MODEL_ERROR_SHARE = 1e-4
"""Probability that is spread over all counts, because the models may be wrong; guess."""


@dataclass(frozen=True, kw_only=True)
class CheckerRows:
    """The best rows found on one scene.

    scores: (2, 24, LONGEST_ROW + 1) log-likelihood ratio against the bare point, colour (light, dark) by
        place by number of checkers.
    steps, aside: (2, 24, LONGEST_ROW + 1, LONGEST_ROW) and (2, 24, steps), where those checkers lie in the
        grid of possible centres. grid: (24, steps, sideways) scene x, then y.
    """

    scores: FloatArray
    steps: IntArray
    aside: IntArray
    grid: tuple[IntArray, IntArray]

    def centres(self, place: int, count: int) -> FloatArray:
        """(n, 2) scene pixels of the checkers of the best row of `count` (dark if negative) on a place."""
        colour, number = int(count < 0), min(abs(count), LONGEST_ROW)
        step = self.steps[colour, place, number, :number]
        side = self.aside[colour, place, step]
        x, y = self.grid
        return np.stack([x[place, step, side], y[place, step, side]], axis=1).astype(np.float64)


@dataclass(frozen=True, kw_only=True)
class RowFinder:
    """Searches the rows of one scene geometry."""

    view: SceneView

    @cached_property
    def _n_steps(self) -> int:
        return int(
            CHECKER_PX * (FIRST_GAP + (LONGEST_ROW - 1) * NEXT_GAP) + SPARE_SEARCH_DIAMETERS * CHECKER_PX
        )

    @cached_property
    def _sideways(self) -> IntArray:
        reach = int(MOST_ACROSS_DIAMETERS * CHECKER_PX)
        return np.arange(-reach, reach + 1)

    @cached_property
    def _grid(self) -> tuple[IntArray, IntArray]:
        """(24, steps, sideways) scene x and y of every possible centre."""
        bases = np.array([self.view.base_xy(place) for place in range(N_POINTS)])
        inward = np.where(np.arange(N_POINTS) < N_POINTS // 2, 1, -1)
        steps = np.arange(self._n_steps)
        x = np.rint(bases[:, 0])[:, None, None] + self._sideways[None, None, :] + 0 * steps[None, :, None]
        y = (np.rint(bases[:, 1])[:, None] + inward[:, None] * steps[None, :])[:, :, None] + 0 * x
        width, height = self.view.size_wh
        return np.clip(x, 0, width - 1).astype(np.int64), np.clip(y, 0, height - 1).astype(np.int64)

    @cached_property
    def _pixels(self) -> IntArray:
        """(sideways, 24, steps) where those centres are in the flattened scene."""
        x, y = self._grid
        return np.ascontiguousarray(np.moveaxis(y * self.view.size_wh[0] + x, 2, 0))

    def find_in(self, evidence: SceneEvidence) -> CheckerRows:
        """The best rows in the evidence of a scene."""
        return self.find(evidence.centres)

    def find(self, centres: Map) -> CheckerRows:
        """The best rows, from the (2, H, W) log-likelihood ratio of a checker centred on each pixel."""
        best = np.full((2, N_POINTS, self._n_steps), -np.inf, dtype=np.float32)
        aside = np.zeros(best.shape, dtype=np.int64)
        flat = centres.reshape(2, -1)
        strays = 0.5 * (self._sideways / (ACROSS_SPREAD * CHECKER_PX)) ** 2
        for index, (pixels, stray) in enumerate(zip(self._pixels, strays, strict=True)):
            support = flat.take(pixels, axis=1) - np.float32(stray)
            better = support > best
            np.copyto(best, support, where=better)
            np.copyto(aside, index, where=better)
        scores, steps = _likely_chains(best)
        return CheckerRows(scores=scores.astype(np.float64), steps=steps, aside=aside, grid=self._grid)


def _likely_chains(best: Map) -> tuple[Map, IntArray]:
    """The best rows of each length over (colour, place, step), estimated where no checker is likely."""
    top = best.max(axis=2)
    scores = np.minimum(top, NO_ROW_NATS)[..., None] * np.arange(LONGEST_ROW + 1, dtype=np.float32)
    steps = np.zeros((*top.shape, LONGEST_ROW + 1, LONGEST_ROW), dtype=np.int64)
    likely = top > LEAST_PEAK_NATS
    scores[likely], steps[likely] = _chains(best[likely])
    return scores, steps


def _chains(best: Map) -> tuple[Map, IntArray]:
    """Dynamic programme over (row, step): the best chain of each length and where it lies."""
    rows, steps = best.shape
    at = np.arange(steps)
    first = np.asarray(-0.5 * ((at / CHECKER_PX - FIRST_GAP) / FIRST_GAP_SPREAD) ** 2, dtype=np.float32)
    value = best + first
    gaps = np.arange(int(LEAST_GAP * CHECKER_PX), int(MOST_GAP * CHECKER_PX) + 1)
    gap_cost = np.asarray(-0.5 * ((gaps / CHECKER_PX - NEXT_GAP) / NEXT_GAP_SPREAD) ** 2, dtype=np.float32)
    scores = np.zeros((rows, LONGEST_ROW + 1), dtype=np.float32)
    chain = np.zeros((rows, LONGEST_ROW + 1, LONGEST_ROW), dtype=np.int64)
    came: list[IntArray] = []
    every = np.arange(rows)
    for count in range(1, LONGEST_ROW + 1):
        if count > 1:
            before = np.full((len(gaps), rows, steps), -np.inf, dtype=np.float32)
            for number, gap in enumerate(gaps):
                before[number, :, gap:] = value[:, : steps - gap] + gap_cost[number]
            pick = before.argmax(axis=0)
            came.append(gaps[pick])
            value = np.take_along_axis(before, pick[None], axis=0)[0] + best
        end = value.argmax(axis=1)
        scores[:, count] = value[every, end]
        for index in range(count - 1, -1, -1):
            chain[:, count, index] = end
            if index:
                end = end - came[index - 1][every, end]
    return scores, np.clip(chain, 0, steps - 1)


def doubt_between_points(view: SceneView, evidence: SceneEvidence, rows: CheckerRows) -> FloatArray:
    """(2, 24, n) scores of the rows, lowered where a checker lies between two points.

    Such a checker may belong to either point, so a row without it becomes about as likely.
    """
    scores = rows.scores.copy()
    for place, count in enumerate(likeliest_counts(scores)):
        number, colour = abs(count), int(count < 0)
        if not number:
            continue
        middle = view.base_xy(place)[0]
        beyond = BETWEEN_WIDTHS * view.geometry.column_width(place) * view.width_px
        for x, y in rows.centres(place, int(count)).astype(int):
            along = evidence.centres[colour, y, max(0, x - BETWEEN_REACH_PX) : x + BETWEEN_REACH_PX + 1]
            peak = int(along.argmax())
            apart = abs(peak + max(0, x - BETWEEN_REACH_PX) - middle)
            if apart > beyond and 0 < peak < len(along) - 1:
                least = scores[colour, place, number] - scores[colour, place, number - 1]
                scores[colour, place, number:] -= max(0.0, least - DOUBT_NATS)
    return scores


def likeliest_counts(scores: FloatArray) -> PlaceCounts:
    """The count of each place's likeliest row, dark ones negative, from (2, 24, n) scores."""
    numbers = scores.argmax(axis=2)
    light = scores[0].max(axis=1) >= scores[1].max(axis=1)
    return tuple(int(n) for n in np.where(light, numbers[0], -numbers[1]))


def log_likelihoods(scores: FloatArray, piled: Mapping[int, FloatArray] | None = None) -> FloatArray:
    """(24, 31) normalised log-likelihoods from the rows' (2, 24, n) scores; see BoardReading.points.

    piled: for each place with a full row that was examined, the log-odds of 0, 1, ... further checkers on
    that row of n (see vision.appearance.upper_layers).
    """
    longest = scores.shape[2] - 1
    table = np.full((N_POINTS, 2 * MAX_COUNT + 1), -np.inf)
    table[:, MAX_COUNT] = 0.0
    table[:, MAX_COUNT + 1 : MAX_COUNT + 1 + longest] = scores[0, :, 1:]
    table[:, MAX_COUNT - longest : MAX_COUNT] = scores[1, :, :0:-1]
    single, seldom = table.copy(), log_odds_against_more(np.arange(MAX_COUNT + 1))
    for place in range(N_POINTS):
        sure = None if piled is None else piled.get(place)
        for row in range(FULL_ROW, longest + 1) if sure is None else (MAX_COUNT + 1 - len(sure),):
            odds = np.zeros(row + 1) if sure is None else sure
            sign = 1 if scores[0, place, row] > scores[1, place, row] else -1
            for more in range(1, min(len(odds) - 1, MAX_COUNT - row) + 1):
                chance = single[place, MAX_COUNT + sign * row] + odds[more] - seldom[more]
                column = MAX_COUNT + sign * (row + more)
                table[place, column] = max(table[place, column], chance)
    return normalised(table)


def normalised(table: FloatArray) -> FloatArray:
    """Rows of log-likelihoods to log-probabilities, mixed with `MODEL_ERROR_SHARE` of even odds."""
    probability = np.exp(table - table.max(axis=1, keepdims=True))
    probability /= probability.sum(axis=1, keepdims=True)
    mixed = (1 - MODEL_ERROR_SHARE) * probability + MODEL_ERROR_SHARE / table.shape[1]
    result: FloatArray = np.log(mixed)
    return result


def bar_log_likelihoods(view: SceneView, evidence: SceneEvidence, trust: float = 1.0) -> FloatArray:
    """(2, 16) log-likelihoods of how many light and dark checkers lie on the bar, wherever along it.

    trust: weight of the evidence, from 0 to 1.
    """
    left, right = view.geometry.bar
    ends = view.scene_xy([(left, 0.0), (right, 1.0)])
    middle = float(ends[:, 0].mean())
    reach = int(BAR_REACH_DIAMETERS * CHECKER_PX)
    columns = np.rint(middle + np.arange(-reach, reach + 1)).astype(np.int64)
    top, bottom = int(ends[0, 1]), int(ends[1, 1])
    found = trust * evidence.centres[:, top:bottom, columns].max(axis=2)
    share = np.zeros((2, MAX_COUNT + 1))
    share[:, 0] = 1.0
    for light, dark in _peaks(found):
        odds = np.exp(np.array([0.0, light, dark]) - max(0.0, light, dark))
        for colour in range(2):
            here = odds[1 + colour] / odds.sum()
            share[colour, 1:] = (1 - here) * share[colour, 1:] + here * share[colour, :-1]
            share[colour, 0] *= 1 - here
    with np.errstate(divide="ignore"):
        return normalised(np.log(share))


def _peaks(support: npt.NDArray[np.float32]) -> list[tuple[float, float]]:
    """Both colours' evidence at the likeliest places for checkers along a (2, n) profile, a checker apart."""
    best = support.max(axis=0).astype(np.float64)
    reach = int(LEAST_GAP * CHECKER_PX)
    peaks: list[tuple[float, float]] = []
    while len(peaks) < MAX_COUNT and best.max() > LEAST_PEAK_NATS:
        at = int(best.argmax())
        peaks.append((float(support[0, at]), float(support[1, at])))
        best[max(0, at - reach) : at + reach + 1] = -np.inf
    return peaks
