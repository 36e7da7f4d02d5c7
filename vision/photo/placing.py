"""Puts the checkers seen in one picture onto the places of the board.

Distances are in pitches, as in vision/photo/checker_finder.py. Nothing here knows colours or rules.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from vision.board_reading import N_POINTS
from vision.geometry import FloatArray
from vision.photo.checker_finder import SURE_CHECKER, BoardView, SeenChecker

COLUMNS_A_SIDE = N_POINTS // 2
"""Columns of points beside each other."""
LEAST_STRAY_SURENESS = 0.3
"""Stray checkers less sure than this are ignored; guess."""
FARTHEST_ASKEW_PITCHES = 0.4
"""How far beside the middle of its column a checker may lie, in pitches; guess."""
NARROWEST_BAR_PITCHES = 0.3
"""A narrower bar holds only checkers on its middle line, in pitches; guess."""
NARROW_BAR_REACH_PITCHES = 0.15
"""How far from that line they may lie, in pitches; guess."""
USUAL_SPACING_PITCHES = 0.95
"""Usual distance of neighbours in a stack, in pitches; guess."""
NEIGHBOUR_ASIDE_PITCHES, NEIGHBOUR_STEPS_PITCHES = 0.3, (0.65, 1.35)
"""Two checkers are neighbours in a stack within these distances across and along the point, in pitches;
guesses."""
FEWEST_STEPS = 3
"""Pairs of neighbours needed to measure the distance; guess."""
FEWEST_FOR_PARALLAX = 6
"""Sure checkers needed to measure the parallax; guess."""
PARALLAX_ROUNDS, PARALLAX_RESIDUAL_PITCHES = 3, 0.35
"""Rounds of that fit, and the residual beyond which a checker is left out, in pitches; guesses."""
PARALLAX_RIDGE = (0.1, 30.0, 30.0)
"""Weights that hold the shift, and its growth across and along the board, near zero; guesses."""
MOST_STACK_GAP = 1.9
"""Greatest distance of neighbours in one stack, in usual distances; a checker farther off is loose; guess."""


@dataclass(frozen=True, kw_only=True)
class PlacedCheckers:
    """Checkers by place, the one nearest the edge first; on the bar; and those that lie on no place."""

    places: tuple[tuple[SeenChecker, ...], ...]
    bar: tuple[SeenChecker, ...]
    loose: tuple[SeenChecker, ...]


def place_checkers(checkers: tuple[SeenChecker, ...], view: BoardView) -> PlacedCheckers:
    """Every checker on its place; a smooth shift removes the parallax of the upper faces."""
    straight = _without_parallax(checkers, view)
    spacing = _spacing(straight)
    columns: list[list[SeenChecker]] = [[] for _ in range(COLUMNS_A_SIDE)]
    bar: list[SeenChecker] = []
    loose: list[SeenChecker] = []
    for checker in straight:
        column = _column_of(checker, view)
        if column is None:
            loose.append(checker)
        elif column == COLUMNS_A_SIDE:
            bar.append(checker)
        else:
            columns[column].append(checker)
    tops, bottoms = [], []
    for column_checkers in columns:
        top, bottom, stray = _two_stacks(column_checkers, spacing, view.height)
        tops.append(top)
        bottoms.append(bottom)
        loose += stray
    return PlacedCheckers(places=(*tops, *bottoms), bar=tuple(bar), loose=tuple(loose))


def column_middles(view: BoardView) -> FloatArray:
    """(13,): the columns' middles from left to right, then the bar's."""
    left, right = view.bar
    columns = [left * (c + 0.5) / 6 for c in range(6)]
    columns += [right + (view.width - right) * (c + 0.5) / 6 for c in range(6)]
    return np.array([*columns, (left + right) / 2])


def _column_of(checker: SeenChecker, view: BoardView) -> int | None:
    """0 to 11, 12 for the bar, None when it lies between columns."""
    away = np.abs(column_middles(view) - checker.x)
    if view.bar[1] - view.bar[0] < NARROWEST_BAR_PITCHES and away[COLUMNS_A_SIDE] > NARROW_BAR_REACH_PITCHES:
        away[COLUMNS_A_SIDE] = np.inf
    nearest = int(away.argmin())
    return nearest if away[nearest] <= FARTHEST_ASKEW_PITCHES else None


def _without_parallax(checkers: tuple[SeenChecker, ...], view: BoardView) -> tuple[SeenChecker, ...]:
    """The checkers moved so that sure ones lie in the middle of their columns on the whole."""
    sure = [c for c in checkers if c.sureness > SURE_CHECKER]
    if len(sure) < FEWEST_FOR_PARALLAX:
        return checkers
    at = np.array([_terms(c, view) for c in sure])
    middles = column_middles(view)
    coefficients = np.zeros(3)
    for _ in range(PARALLAX_ROUNDS):
        x = np.array([c.x for c in sure]) - at @ coefficients
        off = x[:, None] - middles[None]
        residual = off[np.arange(len(off)), np.abs(off).argmin(axis=1)]
        good = np.abs(residual) < PARALLAX_RESIDUAL_PITCHES
        if good.sum() < FEWEST_FOR_PARALLAX:
            return checkers
        ridge = np.diag(PARALLAX_RIDGE)
        a = at[good]
        coefficients += np.linalg.solve(a.T @ a + ridge, a.T @ residual[good])
    return tuple(replace(c, x=c.x - float(_terms(c, view) @ coefficients)) for c in checkers)


def _terms(checker: SeenChecker, view: BoardView) -> FloatArray:
    return np.array([1.0, checker.x - view.width / 2, checker.y - view.height / 2])


def _spacing(checkers: tuple[SeenChecker, ...]) -> float:
    """The usual distance between neighbours of one stack."""
    steps = [
        b.y - a.y
        for a in checkers
        for b in checkers
        if a.sureness > SURE_CHECKER
        and b.sureness > SURE_CHECKER
        and abs(a.x - b.x) < NEIGHBOUR_ASIDE_PITCHES
        and NEIGHBOUR_STEPS_PITCHES[0] < b.y - a.y < NEIGHBOUR_STEPS_PITCHES[1]
    ]
    return float(np.median(steps)) if len(steps) >= FEWEST_STEPS else USUAL_SPACING_PITCHES


def _two_stacks(
    checkers: list[SeenChecker], spacing: float, height: float
) -> tuple[tuple[SeenChecker, ...], tuple[SeenChecker, ...], list[SeenChecker]]:
    """The top and the bottom stack of a column, and what belongs to neither."""
    column = sorted(checkers, key=lambda c: c.y)
    edges = [-spacing / 2, *(c.y for c in column), height + spacing / 2]
    gaps = [(b - a) / spacing for a, b in pairwise(edges)]
    cut = int(np.argmax(gaps))
    top, bottom = column[:cut], column[cut:][::-1]
    stray: list[SeenChecker] = []
    kept = []
    for stack, steps in ((top, gaps[:cut]), (bottom, gaps[cut + 1 :][::-1])):
        whole = next((i for i, gap in enumerate(steps) if gap > MOST_STACK_GAP), len(stack))
        stray += [c for c in stack[whole:] if c.sureness > LEAST_STRAY_SURENESS]
        kept.append(tuple(stack[:whole]))
    return kept[0], kept[1], stray
