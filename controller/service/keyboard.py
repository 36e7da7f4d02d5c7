"""Reads the lines that people type, in a separate thread."""

import queue
import threading
from collections.abc import Callable
from typing import TextIO


class Keyboard:
    """Queues the lines that are typed.

    on_taken: called whenever lines have been taken from the queue.
    """

    def __init__(self, source: TextIO, on_taken: Callable[[], None]) -> None:
        self._source = source
        self._on_taken = on_taken
        self._typed: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._closed = False
        threading.Thread(target=self._run, name="keyboard", daemon=True).start()

    @property
    def ended(self) -> bool:
        """Whether the input is closed and every line was taken."""
        return self._closed and self._typed.empty()

    def lines(self) -> list[str]:
        """The lines typed since the last call."""
        found = []
        while not self._typed.empty():
            found.append(self._typed.get())
        if found:
            self._on_taken()
        return found

    def _run(self) -> None:
        for line in self._source:
            self._typed.put(line)
        self._closed = True
