"""Two dice and the 36 ways they fall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sentences import say


class DiceError(ValueError):
    """Numbers or a text that no two dice can show."""


@dataclass(frozen=True, order=True, slots=True)
class Dice:
    """What two dice show; `Dice(1, 3)` and `Dice(3, 1)` are the same roll."""

    high: int
    low: int

    def __post_init__(self) -> None:
        if not (1 <= self.high <= 6 and 1 <= self.low <= 6):
            raise DiceError(say("no_such_dice", high=self.high, low=self.low))
        if self.low > self.high:
            high, low = self.low, self.high
            object.__setattr__(self, "high", high)
            object.__setattr__(self, "low", low)

    @classmethod
    def parse(cls, text: str) -> Dice:
        """Read two digits in any order, as in `31`."""
        if len(text) != 2 or any(char not in "123456" for char in text):
            raise DiceError(say("no_roll", text=text))
        return cls(int(text[0]), int(text[1]))

    def __str__(self) -> str:
        return f"{self.high}{self.low}"

    @property
    def is_double(self) -> bool:
        return self.high == self.low

    @property
    def ways(self) -> int:
        """How many of the 36 throws give this roll."""
        return 1 if self.is_double else 2

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers to play: two, or four for a double."""
        return (self.high,) * 4 if self.is_double else (self.high, self.low)

    @classmethod
    def rolls(cls) -> Iterator[Dice]:
        """The 21 different rolls, 11 first; their `ways` add up to 36."""
        return (cls(high, low) for high in range(1, 7) for low in range(1, high + 1))
