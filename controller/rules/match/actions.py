"""The actions of a game, one frozen value for each. A game is a sequence of these.

Those from NullThrow on put right what went wrong at the table; `mishaps.py` carries them out.
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
    """The action cannot be done now; the game is as it was."""


def require(condition: bool, why_not: str, /, **fields: object) -> None:
    """IllegalAction with the text of the key `why_not` unless `condition` holds."""
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
    """A roll; the first of a game may stand for an opening throw whose dice are known only together."""

    player: Player
    dice: Dice


@dataclass(frozen=True, kw_only=True, slots=True)
class DidNotThrow:
    """A player who is closed out let the throw be."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class Moved:
    """A legal play of the roll; no steps when nothing can be moved."""

    player: Player
    steps: tuple[Step, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class MovedIrregularly:
    """A play that the laws do not allow but that stood. `result` counts; `steps` may be unknown, ()."""

    player: Player
    result: Position
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Doubled:
    """A double, or a redouble by the owner of the cube."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class Beavered:
    """The player doubled at once doubles again and keeps the cube; his opponent may do the same (raccoon)."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class Took:
    """The double is accepted."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class Passed:
    """The double is refused, and the game lost."""

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
    """The board is set up by hand, and `on_roll` is to roll: a game joined in progress, or put right."""

    position: Position
    on_roll: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class NullThrow:
    """A throw that is void and made again, with both dice."""

    player: Player
    fault: ThrowFault


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedThrow:
    """A die was touched too early, and `player`, who did not touch it, named its number: play `dice`."""

    player: Player
    dice: Dice


@dataclass(frozen=True, kw_only=True, slots=True)
class TouchedMan:
    """The player on turn touched a man of his own.

    place: where it stood, in his numbering. taken: he took it from there.
    adjusting: he had said before that he would only adjust it.
    """

    player: Player
    place: int
    taken: bool = True
    adjusting: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class QuittedMan:
    """The player on turn placed a man on a point and let go of it, his play not being complete."""

    player: Player
    step: Step


@dataclass(frozen=True, kw_only=True, slots=True)
class RequiredRightNumber:
    """The player has a wrong play taken back; who made it plays his roll again."""

    player: Player


@dataclass(frozen=True, kw_only=True, slots=True)
class AgreedToAlter:
    """Both players agree to take a wrong play back though a throw has followed; that is made again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PutBackUp:
    """Men that the player bore while one of his was up are put on the bar."""

    player: Player
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class RequiredFurnishing:
    """The player has the board set up as the game begins, for it was not."""

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
