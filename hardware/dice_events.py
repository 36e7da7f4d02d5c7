"""The events of a dice sensor, pure values, and the interface of all sources of them.

`die` is the sensor's own number for the die (1 or 2); `t_ms` is monotonic milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

SENSOR_SURE = 0.9994
"""Probability that a face reported by a dice sensor is right. Measured: of 4,752 throws in the simulated tray
(hardware/tray/README.md) none was read wrongly, so at most 6 in 10,000 are (95 %); real dice are untried."""

N_OUTCOMES = 7
"""Outcomes of a die that lies still: six faces, or leaning."""
LEANS = N_OUTCOMES - 1
"""The index of leaning in the odds of a die, after the faces 1 to 6."""


@dataclass(frozen=True, kw_only=True)
class DiceMoving:
    """A die began to move, or it lies still and its face is not sure. Then odds is given, as in DiceSettled.

    Events are compared by time and die.
    """

    t_ms: int
    die: int
    odds: tuple[float, ...] = field(default=(), compare=False)


@dataclass(frozen=True, kw_only=True)
class DiceSettled:
    """A die came to rest. `face` is 1 to 6, or None when it cannot be read (cocked).

    odds: (7,) how likely each face is, 1 first, and leaning last; () when the source does not say.
    thrower_known: False in an opening throw when nothing shows who threw which die.

    Events are compared by time, die and face.
    """

    t_ms: int
    die: int
    face: int | None
    odds: tuple[float, ...] = field(default=(), compare=False)
    thrower_known: bool = field(default=True, compare=False)


@dataclass(frozen=True, kw_only=True)
class DiceLifted:
    """A die was taken out of the tray."""

    t_ms: int
    die: int


@dataclass(frozen=True, kw_only=True)
class SensorLost:
    """The sensor fell silent or was unplugged; `reason` is one sentence for people."""

    t_ms: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class SensorFound:
    """The sensor was found (again)."""

    t_ms: int


DiceEvent = DiceMoving | DiceSettled | DiceLifted | SensorLost | SensorFound


class DiceSensor(Protocol):
    """A source of dice events: the serial tray, or the replay of its log."""

    def events_until(self, t_ms: int) -> Sequence[DiceEvent]:
        """The events up to and including `t_ms` since the last call, in order. Never waits."""

    def close(self) -> None:
        """Release the device. May be called twice."""
