"""The interface of all lights, and the places of the board that they light.

Places are those of the picture: 0 to 11 the top row of points from left to right, 12 to 23 the bottom row
from left to right; 24 and 25 the upper and the lower half of the bar; 26 and 27 the upper and the lower tray,
on either side of the board.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from sentences import say

N_LIGHTS = 28
TOP_BAR, BOTTOM_BAR, TOP_TRAY, BOTTOM_TRAY = 24, 25, 26, 27


@dataclass(frozen=True)
class Rhythm:
    """How a lamp blinks: lit for `lit_ms` of every `period_ms`. With period None it is lit only once."""

    lit_ms: int
    period_ms: int | None


class Blink(Enum):
    """The ways in which a lamp is lit, so that no meaning depends on colour alone. Times chosen by eye."""

    STEADY = Rhythm(lit_ms=1, period_ms=1)
    SLOW = Rhythm(lit_ms=600, period_ms=1200)
    FAST = Rhythm(lit_ms=250, period_ms=500)
    ONCE = Rhythm(lit_ms=800, period_ms=None)

    def is_lit(self, age_ms: int) -> bool:
        """Whether a lamp is lit `age_ms` after it was first asked for."""
        rhythm = self.value
        return (age_ms if rhythm.period_ms is None else age_ms % rhythm.period_ms) < rhythm.lit_ms

    def next_change_ms(self, age_ms: int) -> int | None:
        """Milliseconds until the lamp goes on or off, None when it no longer changes."""
        rhythm = self.value
        if self is Blink.STEADY:
            return None
        if rhythm.period_ms is None:
            return rhythm.lit_ms - age_ms if age_ms < rhythm.lit_ms else None
        phase_ms = age_ms % rhythm.period_ms
        return (rhythm.lit_ms if phase_ms < rhythm.lit_ms else rhythm.period_ms) - phase_ms


@dataclass(frozen=True, kw_only=True)
class PlaceLight:
    """One lit place. rgb: 0 to 255 each. brightness: 0 to 1, as a share of the maximum set."""

    place: int
    rgb: tuple[int, int, int]
    brightness: float = 1.0
    blink: Blink = Blink.STEADY

    def __post_init__(self) -> None:
        if not 0 <= self.place < N_LIGHTS:
            raise ValueError(say("no_such_light", place=self.place, last=N_LIGHTS - 1))
        if len(self.rgb) != 3 or not all(0 <= value <= 255 for value in self.rgb):
            raise ValueError(say("no_colour", colour=self.rgb))
        if not 0 <= self.brightness <= 1:
            raise ValueError(say("no_brightness", brightness=self.brightness))


class Lights(Protocol):
    """Anything that shows lit places, as the LED strip does."""

    def show(self, lamps: Sequence[PlaceLight]) -> None:
        """Light these lamps and no others from now on. Never waits for the device.

        A lamp that is already lit continues: its blinking does not start again.
        """

    def close(self) -> None:
        """Make all places dark. May be called twice."""


@dataclass(frozen=True)
class LampAges:
    """The time since when each lamp has been asked for."""

    since_ms: tuple[tuple[PlaceLight, int], ...] = ()

    def asked(self, lamps: Sequence[PlaceLight], now_ms: int) -> "LampAges":
        """The ages after these lamps were asked for: known lamps keep their age, new ones begin now."""
        known = dict(self.since_ms)
        return LampAges(tuple((lamp, known.get(lamp, now_ms)) for lamp in dict.fromkeys(lamps)))

    def lit(self, now_ms: int) -> tuple[PlaceLight, ...]:
        """The lamps that are lit at `now_ms`."""
        return tuple(lamp for lamp, since_ms in self.since_ms if lamp.blink.is_lit(now_ms - since_ms))

    def next_change_ms(self, now_ms: int) -> int | None:
        """Milliseconds until the next lamp goes on or off, None when none will."""
        waits = [lamp.blink.next_change_ms(now_ms - since_ms) for lamp, since_ms in self.since_ms]
        return min((wait for wait in waits if wait is not None), default=None)
