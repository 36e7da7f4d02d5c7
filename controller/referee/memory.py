"""What the board has shown lately, place by place.

A single reading is never trusted. The memory averages readings of the same thing and starts a place afresh
when it changes or when something hid it, so that each row speaks only of what lies there now.
"""

from dataclasses import dataclass

from controller.referee.events import MAX_COUNT, N_ROWS, BoardSeen, Rows
from controller.rules import Position

FLOOR = -9.0
"""Log-likelihood below which no single place can fall: about one reading in ten thousand is plainly wrong."""

CLEAR = 3.0
"""Two readings of a place contradict each other when each is this many nats against the other's choice."""

MAX_AVERAGED = 4
"""Readings that count towards a place's average; later ones push earlier ones out gently."""

_FLAT = (0.0,) * (2 * MAX_COUNT + 1)


@dataclass(frozen=True)
class Memory:
    """The latest testimony about each place.

    rows: 26 rows laid out as in BoardSeen, relative to the best (0 is the likeliest, never below FLOOR); flat
        for a place that is hidden now.
    n_readings: how many readings each row averages.
    visible: the rows that the last reading showed.
    t_ms: the last reading; changed_ms: the last time that a place changed, was hidden or was uncovered;
        played_ms: the last time that a place in plain sight changed.
    """

    rows: Rows = (_FLAT,) * N_ROWS
    n_readings: tuple[int, ...] = (0,) * N_ROWS
    visible: frozenset[int] = frozenset()
    t_ms: int | None = None
    changed_ms: int = 0
    played_ms: int = 0
    hand: bool = False

    @property
    def plain(self) -> bool:
        """Whether the whole board was seen, with no hand over it."""
        return not self.hand and len(self.visible) == N_ROWS

    def settled(self, settle_ms: int) -> bool:
        """Whether the whole board was seen to lie unchanged, with no hand over it, for `settle_ms`."""
        return self.plain and self.t_ms is not None and self.t_ms - self.changed_ms >= settle_ms

    def score(self, position: Position) -> float:
        """Log-likelihood of `position`, relative to the likeliest content of every place (so at most 0)."""
        rows = self.rows
        return sum(rows[i][n] for i, n in enumerate(columns(position)))

    def likeliest(self, fallback: Position, before: "Memory") -> Position:
        """The likeliest content of every place that reads otherwise than `before`, else what `fallback` has.

        A place that reads wrongly all the time so changes nothing. Checkers that are nowhere to be seen count
        as borne off.
        """
        known = [
            column if not n or (then.index(0.0) == now.index(0.0) and n_then) else now.index(0.0)
            for now, n, then, n_then, column in zip(
                self.rows, self.n_readings, before.rows, before.n_readings, columns(fallback), strict=True
            )
        ]
        net = [column - MAX_COUNT for column in known[:24]]
        white = [max(n, 0) for n in net]
        black = [max(-n, 0) for n in reversed(net)]
        return Position(
            white=(max(0, MAX_COUNT - sum(white) - known[24]), *white, known[24]),
            black=(max(0, MAX_COUNT - sum(black) - known[25]), *black, known[25]),
        )


def columns(position: Position) -> tuple[int, ...]:
    """The column of each of the 26 rows that stands for what `position` has there."""
    white, black = position.white, position.black
    return (
        *(white[p] - black[25 - p] + MAX_COUNT for p in range(1, 25)),
        white[25],
        black[25],
    )


def remember(memory: Memory, seen: BoardSeen) -> Memory:
    """The memory after one more reading."""
    rows, n_readings = [_FLAT] * N_ROWS, [0] * N_ROWS
    visible = frozenset(range(N_ROWS)) - seen.unseen
    played = False
    for i in visible:
        row, old, n = _relative(seen.rows[i]), memory.rows[i], min(memory.n_readings[i], MAX_AVERAGED - 1)
        if n and _contradict(old, row):
            played, n = True, 0
        rows[i] = _relative(tuple((n * a + b) / (n + 1) for a, b in zip(old, row, strict=True))) if n else row
        n_readings[i] = n + 1
    changed = played or visible != memory.visible or seen.hand != memory.hand
    return Memory(
        rows=tuple(rows),
        n_readings=tuple(n_readings),
        visible=visible,
        t_ms=seen.t_ms,
        changed_ms=seen.t_ms if changed else memory.changed_ms,
        played_ms=seen.t_ms if played else memory.played_ms,
        hand=seen.hand,
    )


def _relative(row: tuple[float, ...]) -> tuple[float, ...]:
    """`row` shifted so that its best is 0, and floored."""
    best = max(row)
    return tuple(max(x - best, FLOOR) for x in row)


def _contradict(old: tuple[float, ...], new: tuple[float, ...]) -> bool:
    a, b = old.index(0.0), new.index(0.0)
    return a != b and old[b] < -CLEAR and new[a] < -CLEAR
