"""The events of a dice sensor. Pure values.

Every source of dice gives them: the serial tray, a log of it, a simulated table, pictures.
`die` is the sensor's own number for the die (1 or 2); `t_ms` is monotonic milliseconds.
"""

from dataclasses import dataclass, field

SENSOR_SURE = 0.9994
"""Probability that a face reported by a dice sensor is right. Measured: of 4,752 throws in the simulated tray
(hardware/tray/README.md) none was read wrongly, so at most 6 in 10,000 are (95 %); real dice are untried."""

N_OUTCOMES = 7
"""What a die that lies still may show: six faces, or that it leans."""
LEANS = N_OUTCOMES - 1
"""The place of leaning among the odds of a die, after the faces 1 to 6."""


@dataclass(frozen=True, kw_only=True)
class DiceMoving:
    """A die began to move. Or it lies there, and its face is not sure: then odds tells, as in DiceSettled.

    Events are compared by their times and dice.
    """

    t_ms: int
    die: int
    odds: tuple[float, ...] = field(default=(), compare=False)


@dataclass(frozen=True, kw_only=True)
class DiceSettled:
    """A die came to rest. `face` is 1 to 6, or None when it lies there but cannot be read (cocked).

    odds: (7,) how likely each face is, 1 first, and leaning last; () when the source does not say.
    thrower_known: False in an opening throw of which nothing shows who threw which die.

    Events are compared by their times, dice and faces.
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
