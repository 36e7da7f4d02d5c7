"""Puts the checkers seen in one picture onto the places of the board.

Distances are in pitches, as in vision/photo/checker_finder.py. Nothing here knows colours or rules.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from vision.board_reading import N_POINTS
from vision.geometry import FloatArray
from vision.photo.checker_finder import BoardView, SeenChecker

N_COLUMNS = N_POINTS // 2
SURE_CHECKER = 0.5
LEAST_STRAY_SURENESS = 0.3
"""Strays less sure than this are not worth mentioning."""
FARTHEST_ASKEW_PITCHES = 0.4
"""Pitches beside the middle of a column where a checker still belongs to it."""
NARROWEST_BAR_PITCHES = 0.3
"""A bar narrower than this holds no checkers beside the columns' own."""
USUAL_SPACING_PITCHES = 0.95
MOST_STACK_GAP = 1.9
"""Spacings between two neighbours of one stack; a checker farther off lies loose."""


@dataclass(frozen=True, kw_only=True)
class PlacedCheckers:
    """Checkers by place, the one nearest the edge first; on the bar; and those that lie on no place."""

    places: tuple[tuple[SeenChecker, ...], ...]
    bar: tuple[SeenChecker, ...]
    loose: tuple[SeenChecker, ...]


def place_checkers(checkers: tuple[SeenChecker, ...], view: BoardView) -> PlacedCheckers:
    """Every checker on its place; parallax of the upper faces is taken out as one smooth shift."""
    straight = _without_parallax(checkers, view)
    spacing = _spacing(straight)
    columns: list[list[SeenChecker]] = [[] for _ in range(N_COLUMNS)]
    bar: list[SeenChecker] = []
    loose: list[SeenChecker] = []
    for checker in straight:
        column = _column_of(checker, view)
        if column is None:
            loose.append(checker)
        elif column == N_COLUMNS:
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
    if view.bar[1] - view.bar[0] < NARROWEST_BAR_PITCHES and away[N_COLUMNS] > 0.15:
        away[N_COLUMNS] = np.inf
    nearest = int(away.argmin())
    return nearest if away[nearest] <= FARTHEST_ASKEW_PITCHES else None


def _without_parallax(checkers: tuple[SeenChecker, ...], view: BoardView) -> tuple[SeenChecker, ...]:
    """The checkers moved so that sure ones lie in the middle of their columns on the whole."""
    sure = [c for c in checkers if c.sureness > SURE_CHECKER]
    if len(sure) < 6:
        return checkers
    at = np.array([_terms(c, view) for c in sure])
    middles = column_middles(view)
    coefficients = np.zeros(3)
    for _ in range(3):
        x = np.array([c.x for c in sure]) - at @ coefficients
        off = x[:, None] - middles[None]
        residual = off[np.arange(len(off)), np.abs(off).argmin(axis=1)]
        good = np.abs(residual) < 0.35
        if good.sum() < 6:
            return checkers
        ridge = np.diag([0.1, 30.0, 30.0])
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
        and abs(a.x - b.x) < 0.3
        and 0.65 < b.y - a.y < 1.35
    ]
    return float(np.median(steps)) if len(steps) >= 3 else USUAL_SPACING_PITCHES


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
