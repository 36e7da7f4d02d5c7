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
    visible: (26,) whether the last reading showed each row. mixed: the rows on which it surely showed both
        colours.
    t_ms: time of the last reading. changed_ms: the last time that a place changed, was hidden or uncovered,
        or that a hand came or went. played_ms: the last time that a reading contradicted its average.
    """

    table: Table = field(default_factory=lambda: np.zeros((N_ROWS, N_COLUMNS)))
    n_readings: npt.NDArray[np.int_] = field(default_factory=lambda: np.zeros(N_ROWS, np.int_))
    visible: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(N_ROWS, np.bool_))
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
        return not self.hand and self.n_visible == N_ROWS

    @cached_property
    def n_visible(self) -> int:
        """Number of rows that the last reading showed."""
        return int(self.visible.sum())

    @property
    def lay_still(self) -> bool:
        """Whether more than one picture shows the board so. In a single one, a hand may be overlooked."""
        return self.t_ms is not None and self.t_ms > self.changed_ms

    def settled(self, settle_ms: int) -> bool:
        """Whether the whole board was seen to lie unchanged, with no hand over it, for `settle_ms`."""
        return self.fully_visible and self.t_ms is not None and self.t_ms - self.changed_ms >= settle_ms

    def moved_since(self, before: "BoardMemory") -> npt.NDArray[np.float64]:
        """(26,) how far each place looks different from `before`: total variation, 0 to 1."""
        return np.asarray(np.abs(before.shares - self.shares).sum(axis=1) / 2)


@lru_cache(maxsize=4096)
def columns(position: Position) -> tuple[int, ...]:
    """The column of the content of `position` in each of the 26 rows; of two colours the greater number."""
    white, black = position.white, position.black
    return (
        *(MAX_COUNT + (white[p] if white[p] >= black[25 - p] else -black[25 - p]) for p in range(1, 25)),
        white[25],
        black[25],
    )


def of_board(table: Table, position: Position) -> npt.NDArray[np.float64]:
    """(26,) what `table` has for the content of `position` in each row."""
    return np.asarray(table[ROW_INDICES, columns(position)])


def updated_memory(memory: BoardMemory, seen: BoardSeen) -> BoardMemory:
    """The memory after one more reading."""
    visible = np.ones(N_ROWS, np.bool_)
    visible[list(seen.unseen)] = False
    mixed = seen.mixed - seen.unseen
    new, old = _table(seen.rows), memory.table
    known = visible & (memory.n_readings > 0)
    # Rows of mixed points say nothing about the counts.
    known[list(mixed | memory.mixed)] = False
    apart = _contradiction(old, new)
    played = known & (apart > priors.CONTRADICTION_NATS)
    is_alike = BoardMemory(table=new).moved_since(memory) < priors.UNLIKE_READING_SHARE
    goes_on = known & memory.visible & (apart <= priors.OTHERWISE_NATS) & is_alike
    n = np.where(goes_on, np.minimum(memory.n_readings, priors.MOST_READINGS_AVERAGED - 1), 0)
    averaged = _relative((n[:, None] * old + new) / (n[:, None] + 1))
    covered = (visible != memory.visible).any() or (mixed, seen.hand) != (memory.mixed, memory.hand)
    return BoardMemory(
        table=np.where(visible[:, None], averaged, old),
        n_readings=np.where(visible, n + 1, memory.n_readings),
        visible=visible,
        mixed=mixed,
        t_ms=seen.t_ms,
        changed_ms=seen.t_ms if played.any() or covered else memory.changed_ms,
        played_ms=seen.t_ms if played.any() else memory.played_ms,
        hand=seen.hand,
    )


def looks_otherwise(before: BoardMemory, now: BoardMemory) -> bool:
    """Whether some place that is visible in both looks different now."""
    return bool((_is_otherwise(before, now) & before.visible).any())


def rests_otherwise(before: BoardMemory, now: BoardMemory) -> bool:
    """Whether some place that was read before looks different now, in more than one reading."""
    return bool((_is_otherwise(before, now) & (before.n_readings > 0) & (now.n_readings > 1)).any())


def _is_otherwise(before: BoardMemory, now: BoardMemory) -> npt.NDArray[np.bool_]:
    """(26,) whether each place is visible now and looks different."""
    return now.visible & (now.moved_since(before) >= priors.UNLIKE_READING_SHARE)


def _table(rows: Rows) -> Table:
    """The rows of BoardSeen as one table."""
    table = np.full((N_ROWS, N_COLUMNS), -np.inf)
    for row, nats in enumerate(rows):
        table[row, : len(nats)] = nats
    return _relative(table)


def _relative(table: Table) -> Table:
    """Each row shifted to a best of 0, and floored. Counts above that of a tall stack have a higher floor."""
    likeliest = table.argmax(axis=1)[:, None] - MAX_COUNT
    more = np.sign(likeliest) * COUNTS > np.abs(likeliest)
    tall = more & (np.abs(likeliest) >= priors.TALL_STACK)
    tall[N_ROWS - 2 :] = False
    floor = np.where(tall, priors.STACK_FLOOR_NATS, priors.PLACE_FLOOR_NATS)
    return np.asarray(np.maximum(table - table.max(axis=1, keepdims=True), floor))


def _contradiction(old: Table, new: Table) -> npt.NDArray[np.float64]:
    """(26,) the nats by which either reading of a row puts the other's best below its own; the lesser."""
    then, now = old.argmax(axis=1), new.argmax(axis=1)
    return np.asarray(-np.maximum(old[ROW_INDICES, now], new[ROW_INDICES, then]))
