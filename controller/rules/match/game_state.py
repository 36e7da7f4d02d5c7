"""The state of one game, as a frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self

from controller.rules.board.cube import CENTRED, Cube, Win
from controller.rules.board.diagram import draw_diagram
from controller.rules.board.dice import Dice
from controller.rules.board.position import Player, Position
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import Laws, Stakes
from controller.rules.match.actions import Action, Beavered, GamePhase
from controller.rules.notation.situation import Situation
from controller.rules.plays.steps import Step
from sentences import Key, say


class Ending(Enum):
    """How a game ended; the value is the key of its words."""

    BORNE_OFF = Key("all_borne_off")
    PASSED = Key("double_passed")
    RESIGNED = Key("resigned")


PLAIN_STAKES = Stakes()
NO_ROLL: Mapping[str, Any] = {"dice": None, "from_opening": False, "touched": (), "quitted": ()}
"""Fields of a game with no roll to be played: nothing binds the player on turn."""
NO_OFFER: Mapping[str, Any] = {"asked": None, "offered": None, "interrupted": None}
"""Fields of a game in which nobody has to answer."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """The result of a game; `points` is what it counts, cube included."""

    winner: Player
    win: Win
    points: int
    ending: Ending


@dataclass(frozen=True, kw_only=True)
class GameState:
    """A game at one moment. `Game` adds the actions.

    first: who has the first turn without an opening throw; None when an opening throw decides.
    turn: whose roll or play is due, or was due when a double or a resignation was offered.
    dice: the roll to be played; kept when a resignation ends the game before it is played.
    from_opening: the dice to be played are those of the opening throw.
    touched, quitted: the men touched and the steps let go of that bind the player on turn.
    mistaken: the game before the wrong play just made, until another play or a double follows.
    unduly_borne: how many men White and Black bore while one was on the bar and may have to put up again.
    cube_at_start: the cube before the first action.
    ties: how many opening throws were ties.
    asked: who has to answer a double or a resignation.
    offered: the size of the resignation on offer. interrupted: the phase in which it was offered.
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
    cube_at_start: Cube = CENTRED
    ties: int = 0
    asked: Player | None = None
    offered: Win | None = None
    interrupted: GamePhase | None = None
    outcome: Outcome | None = None
    actions: tuple[Action, ...] = ()

    def changed(self, **changes: object) -> Self:
        """The game with some fields changed; several times faster than `dataclasses.replace`."""
        game = object.__new__(type(self))
        game.__dict__.update(self.__dict__)
        game.__dict__.update(changes)
        return game

    @property
    def has_cube(self) -> bool:
        """Whether the cube may be turned at all in this game."""
        return self.laws.has_cube and self.stakes.cube

    def has_cube_for(self, player: Player) -> bool:
        """Whether `player` may turn the cube when he is next to throw."""
        return self.has_cube and self.cube.owner in (None, player)

    def situation(self, length: int = 0, score: tuple[int, int] = (0, 0)) -> Situation:
        """The position with all that a player must know, for IDs; `length` and `score` belong to the match.

        ValueError before the opening throw, after the game and after a beaver.
        """
        resigner = self.asked.opponent if self.phase is GamePhase.RESIGNING and self.asked else None
        on_roll = resigner or self.turn
        if on_roll is None or self.phase is GamePhase.OVER:
            raise ValueError(say("nobody_on_roll", waits=self.phase))
        beavered = (
            self.phase is GamePhase.DOUBLED and bool(self.actions) and type(self.actions[-1]) is Beavered
        )
        if beavered:
            raise ValueError(say("no_id_of_beaver"))
        return Situation(
            position=self.position,
            on_roll=on_roll,
            dice=self.dice if on_roll is self.turn else None,
            doubled=self.phase is GamePhase.DOUBLED,
            resigned=self.offered,
            cube=self.cube,
            length=length,
            score=score,
            crawford=bool(length) and self.laws.has_cube and not self.stakes.cube,
            jacoby=self.stakes.jacoby,
            beavers=self.stakes.beavers,
        )

    def __str__(self) -> str:
        """The board, and what the game waits for: `white to play 31; cube 2, black's`."""
        waits = self._waits_for()
        if self.has_cube:
            waits = f"{waits}; {self._cube_words()}"
        return f"{draw_diagram(self.position)}\n{waits}"

    def _cube_words(self) -> str:
        value, owner = self.cube.value, self.cube.owner
        if owner is None:
            return say("cube_shows", value=value)
        return say("cube_shows_of", value=value, owner=owner.value)

    def _waits_for(self) -> str:
        player = self.asked or self.turn
        who = player.value if player else say("nobody")
        match self.phase:
            case GamePhase.OPENING:
                return say("both_to_throw")
            case GamePhase.TO_ROLL:
                return say("to_roll", name=who)
            case GamePhase.TO_MOVE:
                return say("to_play", player=who, dice=self.dice)
            case GamePhase.OVER:
                assert self.outcome is not None
                number, winner = self.outcome.points, self.outcome.winner.value
                points = say("one_point") if number == 1 else say("points", number=number)
                return say("won_so", player=winner, points=points, ending=say(self.outcome.ending.value))
        return say("to_answer", player=who, waits=self.phase)
