"""What a dice sensor says happened to the dice.

Pure values, shared by every source of dice: the serial tray, its replay from a log, a simulated table.
`die` is the sensor's own number for the die (1 or 2); `t_ms` is monotonic milliseconds.
"""

from dataclasses import dataclass, field

SENSOR_SURE = 0.9975
"""How likely a face is right that a sensor tells."""


@dataclass(frozen=True, kw_only=True)
class DiceMoving:
    """A die began to move."""

    t_ms: int
    die: int


@dataclass(frozen=True, kw_only=True)
class DiceSettled:
    """A die came to rest. `face` is 1 to 6, or None when it lies there but cannot be read (cocked).

    sure: how likely that is what lies there; two events are equal when they tell the same.
    """

    t_ms: int
    die: int
    face: int | None
    sure: float = field(default=SENSOR_SURE, compare=False)


@dataclass(frozen=True, kw_only=True)
class DiceLifted:
    """A die was taken out of the tray."""

    t_ms: int
    die: int


@dataclass(frozen=True, kw_only=True)
class SensorLost:
    """The sensor fell silent or was unplugged; `reason` is one sentence for a person."""

    t_ms: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class SensorFound:
    """The sensor speaks (again)."""

    t_ms: int


DiceEvent = DiceMoving | DiceSettled | DiceLifted | SensorLost | SensorFound
