"""Being told to stop: by systemd, by Ctrl-C, by the terminal's end. Lights must be dark then."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""What ends a program unless it listens; without a handler nothing is tidied up."""

Handler = Callable[[int, FrameType | None], Any]


@contextmanager
def stop_asked() -> Iterator[threading.Event]:
    """Within, a signal that would end the program only sets the event."""
    asked = threading.Event()
    with _handled_by(lambda number, frame: asked.set()):
        yield asked


@contextmanager
def interrupted() -> Iterator[None]:
    """Within, a signal that would end the program raises KeyboardInterrupt, so that `finally` is done."""
    with _handled_by(_interrupt):
        yield


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def _handled_by(handler: Handler) -> Iterator[None]:
    before = {number: signal.signal(number, handler) for number in ENDING}
    try:
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)
