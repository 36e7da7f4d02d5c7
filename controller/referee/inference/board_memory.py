"""What the board has shown lately, place by place.

A single reading is never trusted. The memory averages the readings of each place. The average starts anew
when the place looks different or was hidden, so each row is evidence only of what lies there now.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from controller.referee import priors
from controller.referee.events import MAX_COUNT, N_ROWS, BoardSeen, Rows
from controller.rules import Position

N_COLUMNS = 2 * MAX_COUNT + 1

ROW_INDICES = np.arange(N_ROWS)

COUNTS = np.arange(N_COLUMNS) - MAX_COUNT
"""(31,) the content of each column of a point: White's checkers, or Black's as a negative number."""

Table = npt.NDArray[np.float64]
"""(26, 31): the rows of BoardSeen; the unused columns of the bar hold PLACE_FLOOR_NATS."""


@dataclass(frozen=True, eq=False)
class BoardMemory:
    """The latest log-likelihoods of each place.

    table: log-likelihoods relative to the best: 0 for the likeliest content, never below PLACE_FLOOR_NATS. A
        row that is hidden now is as it was last seen.
    n_readings: (26,) number of readings that each row averages.
    visible: the rows that the last reading showed; mixed: those of them on which both colours surely lie.
    t_ms: time of the last reading. changed_ms: the last time that a place changed, was hidden or uncovered,
        or that a hand came or went. played_ms: the last time that a reading contradicted its average.
    """

    table: Table = field(default_factory=lambda: np.zeros((N_ROWS, N_COLUMNS)))
    n_readings: npt.NDArray[np.int_] = field(default_factory=lambda: np.zeros(N_ROWS, np.int_))
    visible: frozenset[int] = frozenset()
    mixed: frozenset[int] = frozenset()
    t_ms: int | None = None
    changed_ms: int = 0
    played_ms: int = 0
    hand: bool = False

    @cached_property
    def likelihood(self) -> Table:
        """(26, 31) likelihood of each content, relative to the best."""
        return np.exp(self.table)

    @cached_property
    def shares(self) -> Table:
        """(26, 31) probability of each content by the reading of its place alone."""
        return np.asarray(self.likelihood / self.likelihood.sum(axis=1, keepdims=True))

    @property
    def fully_visible(self) -> bool:
        """Whether the whole board was seen, with no hand over it."""
        return not self.hand and len(self.visible) == N_ROWS

    def settled(self, settle_ms: int) -> bool:
        """Whether the whole board was seen to lie unchanged, with no hand over it, for `settle_ms`."""
        return self.fully_visible and self.t_ms is not None and self.t_ms - self.changed_ms >= settle_ms


@lru_cache(maxsize=4096)
def columns(position: Position) -> tuple[int, ...]:
    """The column of the content of `position` in each of the 26 rows; of two colours the greater number."""
    white, black = position.white, position.black
    return (
        *(MAX_COUNT + (white[p] if white[p] >= black[25 - p] else -black[25 - p]) for p in range(1, 25)),
        white[25],
        black[25],
    )


def updated_memory(memory: BoardMemory, seen: BoardSeen) -> BoardMemory:
    """The memory after one more reading."""
    visible = frozenset(range(N_ROWS)) - seen.unseen
    shown = np.array([i in visible for i in range(N_ROWS)])
    was_shown = np.array([i in memory.visible for i in range(N_ROWS)])
    new, old = _table(seen.rows), memory.table
    n = np.where(shown & was_shown, np.minimum(memory.n_readings, priors.MOST_READINGS_AVERAGED - 1), 0)
    mixed = seen.mixed & visible
    known = shown & (memory.n_readings > 0)
    # Rows of mixed points say nothing about the counts.
    known[list(mixed | memory.mixed)] = False
    played = known & _contradict(old, new, priors.CONTRADICTION_NATS)
    n[~known | _contradict(old, new, priors.OTHERWISE_NATS)] = 0
    averaged = _relative((n[:, None] * old + new) / (n[:, None] + 1))
    changed = played.any() or (visible, mixed, seen.hand) != (memory.visible, memory.mixed, memory.hand)
    return BoardMemory(
        table=np.where(shown[:, None], averaged, old),
        n_readings=np.where(shown, n + 1, memory.n_readings),
        visible=visible,
        mixed=mixed,
        t_ms=seen.t_ms,
        changed_ms=seen.t_ms if changed else memory.changed_ms,
        played_ms=seen.t_ms if played.any() else memory.played_ms,
        hand=seen.hand,
    )


def looks_otherwise(before: BoardMemory, now: BoardMemory) -> bool:
    """Whether some place that is visible in both looks different now."""
    both = sorted(before.visible & now.visible)
    return bool((moved(before, now)[both] >= priors.UNLIKE_READING_SHARE).any())


def moved(before: BoardMemory, now: BoardMemory) -> npt.NDArray[np.float64]:
    """(26,) how far each place looks different now: total variation, 0 to 1."""
    return np.asarray(np.abs(before.shares - now.shares).sum(axis=1) / 2)


def _table(rows: Rows) -> Table:
    """The rows of BoardSeen as one table."""
    table = np.full((N_ROWS, N_COLUMNS), -np.inf)
    n_points = N_ROWS - 2
    table[:n_points] = rows[:n_points]
    for row in range(n_points, N_ROWS):
        table[row, : len(rows[row])] = rows[row]
    return _relative(table)


def _relative(table: Table) -> Table:
    """Each row shifted to a best of 0, and floored. Counts above that of a tall stack have a higher floor."""
    likeliest = table.argmax(axis=1)[:, None] - MAX_COUNT
    more = (np.abs(COUNTS) > np.abs(likeliest)) & (COUNTS * likeliest > 0)
    tall = more & (np.abs(likeliest) >= priors.TALL_STACK)
    tall[N_ROWS - 2 :] = False
    floor = np.where(tall, priors.STACK_FLOOR_NATS, priors.PLACE_FLOOR_NATS)
    return np.asarray(np.maximum(table - table.max(axis=1, keepdims=True), floor))


def _contradict(old: Table, new: Table, nats: float) -> npt.NDArray[np.bool_]:
    """(26,) whether two readings of a row have different best contents, each by more than `nats`."""
    then, now = old.argmax(axis=1), new.argmax(axis=1)
    apart = (old[ROW_INDICES, now] < -nats) & (new[ROW_INDICES, then] < -nats)
    return np.asarray((then != now) & apart)
