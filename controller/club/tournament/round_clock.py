"""The clock of a round: how long its matches may take. Times are handed in."""

from dataclasses import dataclass, replace

MINUTES_A_POINT = 9.0
"""Of a match without clocks: seven points take about an hour. Guess; the director sets it."""
MS_A_MINUTE = 60_000


@dataclass(frozen=True, kw_only=True)
class RoundClock:
    """A clock that runs down. began_ms: None while it stands. used_ms: what had run before it stood last."""

    allowed_ms: int
    began_ms: int | None = None
    used_ms: int = 0

    @classmethod
    def for_length(cls, length: int, minutes_a_point: float = MINUTES_A_POINT) -> "RoundClock":
        """A clock for matches to `length` points."""
        return cls(allowed_ms=round(length * minutes_a_point * MS_A_MINUTE))

    @property
    def is_running(self) -> bool:
        return self.began_ms is not None

    def left_ms(self, now_ms: int) -> int:
        """What is left; negative when the time is over."""
        running = now_ms - self.began_ms if self.began_ms is not None else 0
        return self.allowed_ms - self.used_ms - running

    def started(self, now_ms: int) -> "RoundClock":
        """Running from now on."""
        return self if self.is_running else replace(self, began_ms=now_ms)

    def stopped(self, now_ms: int) -> "RoundClock":
        """Standing from now on."""
        return replace(self, began_ms=None, used_ms=self.allowed_ms - self.left_ms(now_ms))

    def prolonged(self, minutes: float) -> "RoundClock":
        """With more time, or less."""
        return replace(self, allowed_ms=max(0, self.allowed_ms + round(minutes * MS_A_MINUTE)))
