"""From single dice to rolls: what lies in the tray, and when a roll is made or taken up."""

from dataclasses import dataclass, replace
from enum import Enum, auto

from hardware.dice_events import SURE, DiceLifted, DiceMoving, DiceSettled


class Die(Enum):
    """What one die is doing, as far as it was heard. SPENT: it lies there, but its throw is over."""

    AWAY = auto()
    MOVING = auto()
    COCKED = auto()
    LYING = auto()
    SPENT = auto()


@dataclass(frozen=True)
class Tray:
    """Both dice; `faces` are what was last read of each, None when it was not read since it moved.

    sure: how likely each face is right.
    """

    dice: tuple[Die, Die] = (Die.AWAY, Die.AWAY)
    faces: tuple[int | None, int | None] = (None, None)
    sure: tuple[float, float] = (SURE, SURE)

    @property
    def roll(self) -> tuple[int, int] | None:
        """Both faces when both dice lie flat: a valid roll, die 1 first."""
        first, second = self.faces
        if self.dice == (Die.LYING, Die.LYING) and first is not None and second is not None:
            return first, second
        return None

    @property
    def doubt(self) -> float:
        """How likely one of the faces is wrong."""
        return 1 - self.sure[0] * self.sure[1]

    @property
    def half_heard(self) -> int | None:
        """The face of a die that lies flat while nothing was heard of the other one coming to rest."""
        if sorted(die is Die.LYING for die in self.dice) == [False, True] and Die.COCKED not in self.dice:
            return self.faces[self.dice.index(Die.LYING)]
        return None

    def spent(self) -> "Tray":
        """The tray with the throw over, whose dice still lie there."""
        first, second = (Die.SPENT if die is Die.LYING else die for die in self.dice)
        return replace(self, dice=(first, second))


def hear(tray: Tray, event: DiceMoving | DiceSettled | DiceLifted) -> Tray:
    """The tray after one event of one die."""
    match event:
        case DiceMoving():
            return _with(tray, event.die, Die.MOVING, None)
        case DiceSettled(face=None):
            return _with(tray, event.die, Die.COCKED, None)
        case DiceSettled():
            return _with(tray, event.die, Die.LYING, event.face, event.sure)
        case DiceLifted():
            # Dice are lifted one after the other.
            return _with(tray.spent(), event.die, Die.AWAY, None)


def _with(tray: Tray, die: int, now: Die, face: int | None, sure: float = SURE) -> Tray:
    if die == 1:
        return Tray((now, tray.dice[1]), (face, tray.faces[1]), (sure, tray.sure[1]))
    return Tray((tray.dice[0], now), (tray.faces[0], face), (tray.sure[0], sure))
