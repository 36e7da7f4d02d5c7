"""The one clock of the service."""

import time


class Clock:
    """Monotonic milliseconds. The current time may be set; `speed` is the rate relative to real time."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._began_ms = -real_ms() * speed

    def begin_at(self, t_ms: int) -> None:
        """Set the current time to `t_ms`."""
        self._began_ms = t_ms - real_ms() * self._speed

    def __call__(self) -> int:
        return round(self._began_ms + real_ms() * self._speed)


def real_ms() -> int:
    """Monotonic milliseconds of this machine."""
    return time.monotonic_ns() // 1_000_000
