"""From single dice to rolls: what lies in the tray, and when a roll is made or lifted."""

from dataclasses import dataclass, replace
from enum import Enum, auto

from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled

DieEvent = DiceMoving | DiceSettled | DiceLifted

Odds = tuple[float, ...]
"""As in DiceSettled."""


class DieState(Enum):
    """The state of one die, as last reported.

    UNREAD: it lies there, but its face is not sure. SPENT: it lies there, but its throw is over.
    LEFT: it lay there before the sensor was lost or found, and was not reported since.
    """

    AWAY = auto()
    MOVING = auto()
    COCKED = auto()
    LYING = auto()
    UNREAD = auto()
    SPENT = auto()
    LEFT = auto()


AT_REST = (DieState.LYING, DieState.UNREAD)
"""The states of a die that came to rest in the throw that counts."""


@dataclass(frozen=True)
class DiceTray:
    """Both dice. faces: the last face read of each; None when it was not read since it moved.

    odds: as in DiceSettled, for each die that was reported with its odds; else ().
    """

    dice: tuple[DieState, DieState] = (DieState.AWAY, DieState.AWAY)
    faces: tuple[int | None, int | None] = (None, None)
    odds: tuple[Odds, Odds] = ((), ())

    @property
    def roll(self) -> tuple[int, int] | None:
        """Both faces, die 1 first, when both dice lie flat: a valid roll. Else None."""
        first, second = self.faces
        if self.dice == (DieState.LYING, DieState.LYING) and first is not None and second is not None:
            return first, second
        return None

    @property
    def is_half_read(self) -> bool:
        """Whether a throw lies there of which one face was not reported or is not sure, or neither."""
        n_lying, n_unread = self.dice.count(DieState.LYING), self.dice.count(DieState.UNREAD)
        return DieState.COCKED not in self.dice and (n_lying == 1 or n_unread == 2)

    @property
    def lies_whole(self) -> bool:
        """Whether both dice of the throw are at rest."""
        return all(die in AT_REST for die in self.dice)

    @property
    def shows_throw(self) -> bool:
        """Whether two dice surely lie there: both are at rest, and at least one face is sure."""
        return self.lies_whole and DieState.LYING in self.dice

    def spent(self) -> "DiceTray":
        """The tray after the throw is over, while its dice still lie there."""
        first, second = (DieState.SPENT if die in AT_REST else die for die in self.dice)
        return replace(self, dice=(first, second))

    def left(self) -> "DiceTray":
        """The tray when the sensor is lost or found: dice that lay there may have been taken since."""
        lay = (DieState.LYING, DieState.LEFT)
        first, second = (DieState.LEFT if die in lay else DieState.AWAY for die in self.dice)
        return DiceTray(dice=(first, second))


def tray_after(tray: DiceTray, event: DieEvent) -> DiceTray:
    """The tray after one event of one die."""
    match event:
        case DiceMoving():
            now = DieState.UNREAD if event.odds else DieState.MOVING
            return _with(tray, event.die, now, None, event.odds)
        case DiceSettled(face=None):
            return _with(tray, event.die, DieState.COCKED, None)
        case DiceSettled():
            return _with(tray, event.die, DieState.LYING, event.face, event.odds)
        case DiceLifted():
            # Dice are lifted one by one: the first one lifted ends the throw.
            return _with(tray.spent(), event.die, DieState.AWAY, None)


def _with(tray: DiceTray, die: int, now: DieState, face: int | None, odds: Odds = ()) -> DiceTray:
    if die == 1:
        return DiceTray((now, tray.dice[1]), (face, tray.faces[1]), (odds, tray.odds[1]))
    return DiceTray((tray.dice[0], now), (tray.faces[0], face), (tray.odds[0], odds))
