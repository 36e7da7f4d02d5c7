"""The state of one game, as a frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.rules.board.dice import Dice
from controller.rules.board.position import Player, Position
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import Laws, Stakes
from controller.rules.match.actions import Action, GamePhase, Win
from controller.rules.plays.steps import Step


class Ending(Enum):
    """How a game ended."""

    BORNE_OFF = "all checkers borne off"
    PASSED = "double passed"
    RESIGNED = "resigned"


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube: what it shows, and who may turn it; None for both."""

    value: int = 1
    owner: Player | None = None


PLAIN_STAKES = Stakes()
CENTRED = Cube()


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """How a game ended; `points` is what it counts, cube included."""

    winner: Player
    win: Win
    points: int
    ending: Ending


@dataclass(frozen=True, kw_only=True)
class GameState:
    """A game at one moment. `Game` adds what may be done with it.

    first: who has the first turn without an opening throw; None when it is thrown for.
    turn: whose roll or play is due, or whose was when the double or the resignation was offered.
    dice: the roll to be played; still there when the game was resigned over it.
    from_opening: the dice to be played are those of the opening throw.
    touched, quitted: what binds the player to a play, as TouchedMan and QuittedMan say it.
    mistaken: the game before the wrong play just made, while that may still be altered.
    unduly_borne: men that White and Black bore while one was up, and that may be put up again.
    asked: who has to answer a double or a resignation.
    offered: the size of the resignation on offer, and `interrupted` the phase it came in.
    """

    laws: Laws = MODERN
    stakes: Stakes = PLAIN_STAKES
    position: Position
    phase: GamePhase = GamePhase.OPENING
    first: Player | None = None
    turn: Player | None = None
    dice: Dice | None = None
    from_opening: bool = False
    touched: tuple[int, ...] = ()
    quitted: tuple[Step, ...] = ()
    mistaken: GameState | None = None
    unduly_borne: tuple[int, int] = (0, 0)
    cube: Cube = CENTRED
    ties: int = 0
    asked: Player | None = None
    offered: Win | None = None
    interrupted: GamePhase | None = None
    outcome: Outcome | None = None
    actions: tuple[Action, ...] = ()
