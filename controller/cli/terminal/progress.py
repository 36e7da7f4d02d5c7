"""One line on the terminal that says how far long work has come, and how long it still takes."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

from sentences import say

FIRST_AFTER_S = 1.0
"""Time before progress is shown. From the rule that a wait of one second needs no explanation."""
EVERY_S = 0.2
"""Time between two updates. Guess."""
ESTIMATE_AFTER = 0.02
"""Share of the work after which the time left is estimated. Guess."""


class ProgressLine:
    """Shows progress on standard error where that is a terminal.

    what: the name of one step, such as "frame". clock_s: real seconds.
    """

    def __init__(
        self, what: str, out: TextIO | None = None, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._what = what
        self._out = out or sys.stderr
        self._clock_s = clock_s
        self._began_s = clock_s()
        self._shown_s: float | None = None

    def show(self, done: int, total: int) -> None:
        """`done` of `total` steps are done."""
        now_s = self._clock_s()
        if not self._out.isatty() or now_s - self._began_s < FIRST_AFTER_S:
            return
        if self._shown_s is not None and now_s - self._shown_s < EVERY_S:
            return
        self._shown_s = now_s
        self._out.write(f"\r\x1b[K{progress_text(self._what, done, total, now_s - self._began_s)}")
        self._out.flush()

    def close(self) -> None:
        """Clear the line."""
        if self._shown_s is not None:
            self._shown_s = None
            self._out.write("\r\x1b[K")
            self._out.flush()


def progress_text(what: str, done: int, total: int, took_s: float) -> str:
    """`frame 120 of 480, about 1:30 left`."""
    text = say("steps_done", what=what, done=done, total=total)
    if not 0 < done < total or done < ESTIMATE_AFTER * total:
        return text
    left_s = round(took_s / done * (total - done))
    return say("steps_left", steps=text, left=f"{left_s // 60}:{left_s % 60:02}")


@contextmanager
def waiting_line(what: str) -> Iterator[None]:
    """Inside the block, after FIRST_AFTER_S, a line on the terminal says what is being done."""
    stream = sys.stderr
    over = threading.Event()

    def show() -> None:
        began_s = time.monotonic()
        shown = False
        while not over.wait(FIRST_AFTER_S):
            shown = True
            stream.write(f"\r\x1b[K{what}: {time.monotonic() - began_s:.0f} s")
            stream.flush()
        if shown:
            stream.write("\r\x1b[K")
            stream.flush()

    if not stream.isatty():
        yield
        return
    thread = threading.Thread(target=show, name="waiting line", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
