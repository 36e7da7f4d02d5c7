"""The actions of a game, each a frozen value. A game is a sequence of them.

The actions from NullThrow on correct what went wrong at the table; `mishaps.py` carries them out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.rules.board.cube import Win
from controller.rules.board.dice import Dice
from controller.rules.board.position import Player, Position
from controller.rules.laws.law_terms import ThrowFault
from controller.rules.plays.steps import Step
from sentences import Key, say


class IllegalAction(ValueError):
    """The action cannot be done now; the game is unchanged."""


def require(condition: bool, why_not: str, /, **fields: object) -> None:
    """Raise IllegalAction, with the text of the key `why_not`, unless `condition` holds."""
    if not condition:
        raise IllegalAction(say(why_not, **fields))


class GamePhase(Enum):
    """What the game waits for; the value is the key of its words."""

    OPENING = Key("the_opening_throw")
    TO_ROLL = Key("a_roll_or_double")
    TO_MOVE = Key("a_play")
    DOUBLED = Key("a_take_or_pass")
    RESIGNING = Key("an_answer")
    OVER = Key("nothing_more")

    def __str__(self) -> str:
        return say(self.value)


@dataclass(frozen=True, kw_only=True, slots=True)
class OpeningThrow:
    """Each player throws one die for the first turn; a tie is thrown again."""

    white: int
    black: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Rolled:
    """A roll. The first of a game may be an opening throw of which only the pair of dice is known."""

    player: Player
    dice: Dice


@dataclass(frozen=True, kw_only=True, slots=True)
class DidNotThrow:
    """A closed-out player does not throw."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """A legal play of the roll; no steps when nothing can be moved."""

    player: Player
    steps: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MovedIrregularly:
    """An illegal play that stood. `result` counts; `steps` is () when they are unknown."""

    player: Player
    result: Position
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubled:
    """A double, or a redouble by the owner of the cube."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class Beavered:
    """A beaver: the player just doubled doubles again at once and keeps the cube.

    A raccoon, the same answer by his opponent, is a Beavered too.
    """

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class Took:
    """The double is accepted."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class Passed:
    """The double is refused, which loses the game."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferedResignation:
    """The player offers to lose a game of this size."""

    player: Player
    win: Win


@dataclass(frozen=True, kw_only=True, slots=True)
class AcceptedResignation:
    """The opponent's resignation is accepted."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class RefusedResignation:
    """The opponent's resignation is refused; the game goes on."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class EditedBoard:
    """The board is set up by hand, to join a game in progress or correct it; `on_roll` rolls next."""

    position: Position
    on_roll: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class NullThrow:
    """A throw is void; it is made again with both dice."""

    player: Player
    fault: ThrowFault

    def voids_roll_of(self, player: Player, *, from_opening: bool) -> bool:
        """Whether the roll that `player` is to play is void; of an opening throw each player threw a die."""
        return self.player is player or (from_opening and self.fault is not ThrowFault.PREMATURE)


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedThrow:
    """`player` named the number of a die that his opponent touched too early; `dice` are to be played."""

    player: Player
    dice: Dice


@dataclass(frozen=True, kw_only=True, slots=True)
class TouchedMan:
    """The player on turn touched a man of his own.

    place: where it stood, in his numbering. taken: he lifted it from there.
    adjusting: he had announced that he would only adjust it.
    """

    player: Player
    place: int
    taken: bool = True
    adjusting: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class QuittedMan:
    """The player on turn placed a man on a point and let go of it before his play was complete."""

    player: Player
    step: Step


@dataclass(frozen=True, kw_only=True, slots=True)
class RequiredRightNumber:
    """The player requires a wrong play to be taken back; its player plays his roll again."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class AgreedToAlter:
    """Both players agree to take back a wrong play though a throw has followed; that throw is made again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PutBackUp:
    """Men that the player bore while one of his was on the bar are put on the bar as well."""

    player: Player
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RequiredFurnishing:
    """The player requires that a wrongly set up board be set up properly."""

    player: Player


Mishap = (
    NullThrow
    | NamedThrow
    | TouchedMan
    | QuittedMan
    | RequiredRightNumber
    | AgreedToAlter
    | PutBackUp
    | RequiredFurnishing
)

Action = (
    OpeningThrow
    | Rolled
    | DidNotThrow
    | Moved
    | MovedIrregularly
    | Doubled
    | Beavered
    | Took
    | Passed
    | OfferedResignation
    | AcceptedResignation
    | RefusedResignation
    | EditedBoard
    | Mishap
)
