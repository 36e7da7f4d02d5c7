"""From single dice to rolls: what lies in the tray, and when a roll is made or taken up."""

from dataclasses import dataclass, replace
from enum import Enum, auto

from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled

Odds = tuple[float, ...]
"""As in DiceSettled."""


class DieState(Enum):
    """What one die is doing, as last reported. SPENT: it lies there, but its throw is over."""

    AWAY = auto()
    MOVING = auto()
    COCKED = auto()
    LYING = auto()
    SPENT = auto()


@dataclass(frozen=True)
class DiceTray:
    """Both dice; `faces` are what was last read of each, None when it was not read since it moved.

    odds: of each die, as in DiceSettled.
    """

    dice: tuple[DieState, DieState] = (DieState.AWAY, DieState.AWAY)
    faces: tuple[int | None, int | None] = (None, None)
    odds: tuple[Odds, Odds] = ((), ())

    @property
    def roll(self) -> tuple[int, int] | None:
        """Both faces when both dice lie flat: a valid roll, die 1 first."""
        first, second = self.faces
        if self.dice == (DieState.LYING, DieState.LYING) and first is not None and second is not None:
            return first, second
        return None

    @property
    def half_read_face(self) -> int | None:
        """The face of a die that lies flat while the other one was not reported to have come to rest."""
        if (
            sorted(die is DieState.LYING for die in self.dice) == [False, True]
            and DieState.COCKED not in self.dice
        ):
            return self.faces[self.dice.index(DieState.LYING)]
        return None

    def spent(self) -> "DiceTray":
        """The tray with the throw over, whose dice still lie there."""
        first, second = (DieState.SPENT if die is DieState.LYING else die for die in self.dice)
        return replace(self, dice=(first, second))


def tray_after(tray: DiceTray, event: DiceMoving | DiceSettled | DiceLifted) -> DiceTray:
    """The tray after one event of one die."""
    match event:
        case DiceMoving():
            return _with(tray, event.die, DieState.MOVING, None)
        case DiceSettled(face=None):
            return _with(tray, event.die, DieState.COCKED, None)
        case DiceSettled():
            return _with(tray, event.die, DieState.LYING, event.face, event.odds)
        case DiceLifted():
            # Dice are lifted one after the other.
            return _with(tray.spent(), event.die, DieState.AWAY, None)


def _with(tray: DiceTray, die: int, now: DieState, face: int | None, odds: Odds = ()) -> DiceTray:
    if die == 1:
        return DiceTray((now, tray.dice[1]), (face, tray.faces[1]), (odds, tray.odds[1]))
    return DiceTray((tray.dice[0], now), (tray.faces[0], face), (tray.odds[0], odds))
