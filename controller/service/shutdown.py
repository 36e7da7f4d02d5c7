"""Stops on a signal of systemd, Ctrl-C or a closing terminal in such a way that the lights go dark."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from types import FrameType
from typing import Any

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Signals that end a program at once when it has no handler for them."""

Handler = Callable[[int, FrameType | None], Any]


@contextmanager
def stop_asked() -> Iterator[threading.Event]:
    """Inside the block, a signal that would end the program only sets the event.

    A separate thread sets it. The handler may interrupt itself, or code that holds the event's lock. So it
    only puts something into a SimpleQueue, which Python's documentation calls reentrant.
    """
    asked, told = threading.Event(), SimpleQueue[int | None]()

    def pass_on() -> None:
        if told.get() is not None:
            asked.set()

    thread = threading.Thread(target=pass_on, name="stop", daemon=True)
    thread.start()
    try:
        with _handled_by(lambda number, frame: told.put(number)):
            yield asked
    finally:
        told.put(None)
        thread.join()


@contextmanager
def interrupted() -> Iterator[None]:
    """Inside the block, a signal that would end the program raises KeyboardInterrupt, so `finally` runs."""
    with _handled_by(_interrupt):
        yield


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def _handled_by(handler: Handler) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in ENDING if not _left_by_nohup(number)}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _left_by_nohup(number: signal.Signals) -> bool:
    """Whether it is the signal of a closing terminal, which nohup lets a program ignore."""
    return number is signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN
