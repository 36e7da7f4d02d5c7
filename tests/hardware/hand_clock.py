"""Time in tests: a clock that is set by hand, and waiting for what other threads do."""

import time
from collections.abc import Callable


class HandClock:
    """Milliseconds that pass when told to."""

    def __init__(self, t_ms: int = 0) -> None:
        self.t_ms = t_ms

    def __call__(self) -> int:
        return self.t_ms


def wait_until(holds: Callable[[], object], patience_s: float = 10.0) -> None:
    """Return as soon as something that another thread does holds; fail when it has not in good time."""
    give_up = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < give_up, "waited in vain"
        time.sleep(0.001)
