"""The one clock of the service."""

import time
from datetime import date as Date

from hardware.device_checks import EARLIEST_YEAR


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


def known_day(day: Date | None = None) -> Date | None:
    """The day, by default today; None while the clock is plainly wrong, as on a Pi without a network."""
    day = day or Date.today()
    return day if day.year >= EARLIEST_YEAR else None
