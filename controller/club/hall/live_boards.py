"""The state of every board, now and with the delay of spectators."""

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

LONGEST_DELAY_S = 1800.0
"""The longest delay of spectators. Guess: half an hour is longer than any broadcast game."""


@dataclass(frozen=True, kw_only=True)
class LiveBoard:
    """A board. table: the number of its table. state, health: its last messages, None before the first.

    is_called: whether somebody at the board has called the director.
    """

    board: str
    table: int
    is_online: bool = False
    is_called: bool = False
    state: Mapping[str, Any] | None = None
    health: Mapping[str, Any] | None = None


class LiveBoards:
    """The boards, and their changes of the last `delay_s` seconds for spectators who see them later."""

    def __init__(self, tables: Mapping[str, int], delay_s: float = 0.0) -> None:
        self._lock = threading.Lock()
        self._keep_s = delay_s
        self._now = {board: LiveBoard(board=board, table=table) for board, table in tables.items()}
        self._before = dict(self._now)
        self._changes: deque[tuple[float, LiveBoard]] = deque()
        """The changes that are kept, each with its time."""
        self._n_dropped = 0
        """The number of changes before those."""

    def change(self, board: str, at_s: float, **fields: object) -> None:
        """Note a change of a board. A board that is not known yet is given the next table."""
        with self._lock:
            old = self._now.get(board)
            if old is None:
                table = max((one.table for one in self._now.values()), default=0) + 1
                old = LiveBoard(board=board, table=table)
            new = replace(old, **fields)  # type: ignore[arg-type]
            if new == old and board in self._now:
                return
            self._now[board] = new
            self._changes.append((at_s, new))
            while self._changes and self._changes[0][0] < at_s - self._keep_s - 1:
                _, gone = self._changes.popleft()
                self._before[gone.board] = gone
                self._n_dropped += 1

    def since(self, number: int, until_s: float) -> tuple[int, list[LiveBoard]]:
        """(number of the last change, boards that changed) for the changes after `number` until `until_s`.

        number: -1 for all boards as they were at `until_s`. These are also given where changes after `number`
        are no longer kept.
        """
        with self._lock:
            found = dict(self._before) if number < self._n_dropped else {}
            last = max(number, self._n_dropped)
            for at, (at_s, changed) in enumerate(self._changes, start=self._n_dropped + 1):
                if at > number and at_s <= until_s:
                    found[changed.board] = changed
                    last = at
            return last, sorted(found.values(), key=lambda one: one.table)

    def boards(self) -> list[LiveBoard]:
        """All boards now."""
        with self._lock:
            return sorted(self._now.values(), key=lambda one: one.table)
