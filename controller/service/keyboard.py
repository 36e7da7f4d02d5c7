"""Lines that people type, gathered by a thread of their own."""

import queue
import threading
from collections.abc import Callable
from typing import TextIO


class Keyboard:
    """Lines as they are typed; a thread waits for them. ended: no more will come.

    taken: is told whenever lines are given away.
    """

    def __init__(self, source: TextIO, taken: Callable[[], None]) -> None:
        self._source = source
        self._taken = taken
        self._typed: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._closed = False
        threading.Thread(target=self._run, name="keyboard", daemon=True).start()

    @property
    def ended(self) -> bool:
        return self._closed and self._typed.empty()

    def lines(self) -> list[str]:
        """The lines that were not given yet."""
        found = []
        while not self._typed.empty():
            found.append(self._typed.get())
        if found:
            self._taken()
        return found

    def _run(self) -> None:
        for line in self._source:
            self._typed.put(line)
        self._closed = True
