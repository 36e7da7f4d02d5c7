"""What the board has shown lately, place by place.

A single reading is never trusted. The memory averages the readings of each place. It starts a place afresh
when the place changes or was hidden, so that each row is evidence only of what lies there now.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from controller.referee.events import MAX_COUNT, N_ROWS, BoardSeen, Rows
from controller.referee.priors import (
    CONTRADICTION_NATS,
    DOUBTFUL_COUNT_NATS,
    MOST_READINGS_AVERAGED,
    PLACE_FLOOR_NATS,
    UNWATCHED_GAP_MS,
)
from controller.rules import BAR, Position

N_COLUMNS = 2 * MAX_COUNT + 1
_FLAT = (0.0,) * N_COLUMNS

Table = npt.NDArray[np.float64]
"""(26, 31): the rows of a sighting; those of the bar are filled up with FLOOR."""


@dataclass(frozen=True)
class BoardMemory:
    """The latest log-likelihoods of each place.

    rows: 26 rows laid out as in BoardSeen, relative to the best (0 is the likeliest, never below FLOOR); of
        a place that is hidden now, as it was seen last.
    n_readings: how many readings each row averages.
    visible: the rows that the last reading showed; mixed: those of them on which both colours surely lie.
    t_ms: the last reading; changed_ms: the last time that a place changed, was hidden or was uncovered;
        played_ms: the last time that a place in full sight changed.
    touched_ms: for each row the last time that it changed or was hidden. watched_ms: since then readings have
        come without a gap of more than LOOKED_AWAY_MS.
    """

    rows: Rows = (_FLAT,) * N_ROWS
    n_readings: tuple[int, ...] = (0,) * N_ROWS
    visible: frozenset[int] = frozenset()
    mixed: frozenset[int] = frozenset()
    t_ms: int | None = None
    changed_ms: int = 0
    played_ms: int = 0
    hand: bool = False
    touched_ms: tuple[int, ...] = (0,) * N_ROWS
    watched_ms: int = 0

    @property
    def fully_visible(self) -> bool:
        """Whether the whole board was seen, with no hand over it."""
        return not self.hand and len(self.visible) == N_ROWS

    def settled(self, settle_ms: int) -> bool:
        """Whether the whole board was seen to lie unchanged, with no hand over it, for `settle_ms`."""
        return self.fully_visible and self.t_ms is not None and self.t_ms - self.changed_ms >= settle_ms

    @cached_property
    def table(self) -> Table:
        """The rows, one below the other."""
        return np.array([row + (PLACE_FLOOR_NATS,) * (N_COLUMNS - len(row)) for row in self.rows])

    def row_log_likelihoods(self, since: Position) -> Table:
        """(26, 31) log-likelihood of each content of each row.

        since: what lay there before anybody touched it. A place that is hidden now keeps the log-likelihood
            of
        what it held then, and has 0 for anything else.
        """
        if len(self.visible) == N_ROWS:
            return self.table
        hidden = [i for i in range(N_ROWS) if i not in self.visible]
        due = np.array(columns(since))[hidden]
        table = self.table.copy()
        table[hidden] = 0.0
        table[hidden, due] = self.table[hidden, due]
        return table

    def log_likelihood(self, position: Position, since: Position) -> float:
        """Log-likelihood of `position`, relative to the likeliest content of every place (so at most 0).

        A mixed place fits a position that has both colours there.
        """
        row_nats = self.row_log_likelihoods(since)[_ROWS, columns(position)]
        both = [row for row in self.mixed if row < BAR - 1 and _has_both(position, row)]
        return float(row_nats.sum() - row_nats[both].sum())

    def changed_rows(self, now: "BoardMemory") -> npt.NDArray[np.bool_]:
        """(26,) whether a row plainly shows something else `now`."""
        pairs = zip(self.rows, self.n_readings, now.rows, now.n_readings, strict=True)
        return np.array([bool(n and m) and _contradict(then, row) for then, n, row, m in pairs])

    def touched_rows(self, since: "BoardMemory") -> npt.NDArray[np.bool_] | None:
        """(26,) whether something came over a row after `since`; None when that was not watched."""
        if since.t_ms is None or self.t_ms is None or self.watched_ms > since.t_ms:
            return None
        touched = np.array(self.touched_ms) > since.t_ms
        return touched if touched.any() else None

    def likeliest_position(
        self, fallback: Position, before: "BoardMemory", *, restore: bool = True
    ) -> Position:
        """The likeliest content of every place that reads otherwise than `before`, else what `fallback` has.

        A place that reads wrongly all the time so changes nothing. Checkers that are nowhere to be seen count
        as borne off, unless one is to `restore` them to a stack that may well hold them. On a mixed place
        both players have what they had, or at least one checker, and those that are missing.
        """
        known = [
            column
            if i not in self.visible or (then.index(0.0) == now.index(0.0) and n_then)
            else now.index(0.0)
            for i, (now, then, n_then, column) in enumerate(
                zip(self.rows, before.rows, before.n_readings, columns(fallback), strict=True)
            )
        ]
        if restore and not self.mixed:  # on a mixed place lies what is missing elsewhere
            _restore(known, self.rows, fallback)
        net = [column - MAX_COUNT for column in known[:24]]
        white = [max(n, 0) for n in net]
        black = [max(-n, 0) for n in reversed(net)]
        for row in self.mixed - {BAR - 1, BAR}:
            # Nobody has taken up what lay there; what is nowhere else has come to it.
            white[row] = max(1, fallback.white[row + 1])
            black[BAR - 2 - row] = max(1, fallback.black[BAR - 1 - row])
            white[row] += max(0, sum(fallback.white[1:]) - sum(white) - known[24])
            black[BAR - 2 - row] += max(0, sum(fallback.black[1:]) - sum(black) - known[25])
        n_white, n_black = (min(MAX_COUNT, sum(side)) for side in (fallback.white, fallback.black))
        return Position(
            white=(max(0, n_white - sum(white) - known[24]), *white, known[24]),
            black=(max(0, n_black - sum(black) - known[25]), *black, known[25]),
        )


def _has_both(position: Position, row: int) -> bool:
    """Whether both players stand on the point of a row."""
    return position.white[row + 1] > 0 and position.black[BAR - 1 - row] > 0


def _restore(known: list[int], rows: Rows, expected: Position) -> None:
    """Put checkers that seem to have gone back onto the stack that may well hold them.

    Tall stacks are read with little certainty; of two counts that are nearly as likely the one that loses no
    checker is true.
    """
    for sign, bar, side in ((1, 24, expected.white), (-1, 25, expected.black)):
        on_points = sum(max(0, sign * (column - MAX_COUNT)) for column in known[:24])
        gone = sum(side[1:]) - on_points - known[bar]
        costs = [
            (rows[i][column] - rows[i][column + sign * gone], i)
            for i, column in enumerate(known[:24])
            if gone
            and sign * (column - MAX_COUNT) > 1
            and 0 < sign * (column - MAX_COUNT) + gone <= MAX_COUNT
        ]
        if costs and min(costs)[0] < DOUBTFUL_COUNT_NATS:
            known[min(costs)[1]] += sign * gone


@lru_cache(maxsize=4096)
def columns(position: Position) -> tuple[int, ...]:
    """The column of each of the 26 rows that stands for what `position` has there."""
    white, black = position.white, position.black
    return (
        *(white[p] - black[25 - p] + MAX_COUNT for p in range(1, 25)),
        white[25],
        black[25],
    )


_ROWS = np.arange(N_ROWS)


def updated_memory(memory: BoardMemory, seen: BoardSeen) -> BoardMemory:
    """The memory after one more reading."""
    rows, n_readings = list(memory.rows), list(memory.n_readings)
    visible = frozenset(range(N_ROWS)) - seen.unseen
    touched_ms = [memory.touched_ms[i] if i in visible else seen.t_ms for i in range(N_ROWS)]
    played = False
    for i in visible:
        row, old = _relative(seen.rows[i]), memory.rows[i]
        n = min(memory.n_readings[i], MOST_READINGS_AVERAGED - 1) if i in memory.visible else 0
        if n and _contradict(old, row):
            played, n = True, 0
            touched_ms[i] = seen.t_ms
        rows[i] = _relative(tuple((n * a + b) / (n + 1) for a, b in zip(old, row, strict=True))) if n else row
        n_readings[i] = n + 1
    mixed = seen.mixed & visible
    now = (visible, mixed, seen.hand)
    changed = played or now != (memory.visible, memory.mixed, memory.hand)
    return BoardMemory(
        rows=tuple(rows),
        n_readings=tuple(n_readings),
        visible=visible,
        mixed=mixed,
        t_ms=seen.t_ms,
        changed_ms=seen.t_ms if changed else memory.changed_ms,
        played_ms=seen.t_ms if played else memory.played_ms,
        hand=seen.hand,
        touched_ms=tuple(touched_ms),
        watched_ms=seen.t_ms if _looked_away(memory, seen) else memory.watched_ms,
    )


def _looked_away(memory: BoardMemory, seen: BoardSeen) -> bool:
    return memory.t_ms is None or seen.t_ms - memory.t_ms > UNWATCHED_GAP_MS


def _relative(row: tuple[float, ...]) -> tuple[float, ...]:
    """`row` shifted so that its best is 0, and floored."""
    best = max(row)
    return tuple(max(x - best, PLACE_FLOOR_NATS) for x in row)


def _contradict(old: tuple[float, ...], new: tuple[float, ...]) -> bool:
    a, b = old.index(0.0), new.index(0.0)
    return a != b and old[b] < -CONTRADICTION_NATS and new[a] < -CONTRADICTION_NATS
