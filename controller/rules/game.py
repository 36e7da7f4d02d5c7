"""One game: whose turn it is, what may be done now, how it ends. A game is the sequence of its actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from controller.rules.actions import (
    AcceptedResignation,
    Action,
    Beavered,
    DidNotThrow,
    Doubled,
    EditedBoard,
    Moved,
    MovedIrregularly,
    OfferedResignation,
    OpeningThrow,
    Passed,
    RefusedResignation,
    Rolled,
    Took,
    Win,
)
from controller.rules.dice import Dice
from controller.rules.laws import MODERN, Laws
from controller.rules.plays import PlayError, after_steps, legal_plays
from controller.rules.position import BAR, HOME_POINTS, OFF, Player, Position


class IllegalAction(ValueError):
    """The action cannot be done now; the game is as it was."""


class Phase(Enum):
    """What the game waits for."""

    OPENING = "the opening throw"
    TO_ROLL = "a roll or a double"
    TO_MOVE = "a play"
    DOUBLED = "a take or a pass"
    RESIGNING = "an answer to a resignation"
    OVER = "nothing"


_RESIGNABLE = (Phase.TO_ROLL, Phase.TO_MOVE)


class Ending(Enum):
    """How a game ended."""

    BORNE_OFF = "all checkers borne off"
    PASSED = "double passed"
    RESIGNED = "resigned"


@dataclass(frozen=True, kw_only=True, slots=True)
class Stakes:
    """What the players agreed on for the game besides the laws.

    cube: the doubling cube is in play (never in a Crawford game).
    jacoby: gammons count only once the cube has been turned.
    beavers: a double may be beavered.
    automatic_doubles: how many ties of the opening throw turn the cube.
    """

    cube: bool = True
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: int = 0


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
class Game:
    """A game at one moment; immutable, `push` gives the game after an action.

    turn: whose roll or play is due, or whose was when the double or the resignation was offered.
    dice: the roll to be played; still there when the game was resigned over it.
    asked: who has to answer a double or a resignation.
    offered: the size of the resignation on offer, and `interrupted` the phase it came in.
    """

    laws: Laws = MODERN
    stakes: Stakes = PLAIN_STAKES
    position: Position
    phase: Phase = Phase.OPENING
    turn: Player | None = None
    dice: Dice | None = None
    cube: Cube = CENTRED
    ties: int = 0
    asked: Player | None = None
    offered: Win | None = None
    interrupted: Phase | None = None
    outcome: Outcome | None = None
    actions: tuple[Action, ...] = ()

    @classmethod
    def new(cls, laws: Laws = MODERN, stakes: Stakes = PLAIN_STAKES, first: Player | None = None) -> Game:
        """A game about to begin; `first` has the first turn without an opening throw."""
        phase = Phase.OPENING if first is None else Phase.TO_ROLL
        return cls(laws=laws, stakes=stakes, position=laws.start, phase=phase, turn=first)

    @classmethod
    def replay(cls, actions: Iterable[Action], laws: Laws = MODERN, stakes: Stakes = PLAIN_STAKES) -> Game:
        """The game after all `actions`; IllegalAction at the first that cannot be done."""
        game = cls.new(laws, stakes)
        for action in actions:
            game = game.push(action)
        return game

    def push(self, action: Action) -> Game:
        """The game after `action`; IllegalAction says why it cannot be done."""
        after = _PUSH[type(action)](self, action)
        return replace(after, actions=(*self.actions, action))

    def legal_actions(self) -> Iterator[Action]:
        """Everything that may be done now, but for irregular plays and edited boards."""
        match self.phase:
            case Phase.OPENING:
                yield from (OpeningThrow(white=w, black=b) for w in range(1, 7) for b in range(1, 7))
            case Phase.TO_ROLL:
                yield from self._before_the_roll()
            case Phase.TO_MOVE:
                assert self.turn is not None
                assert self.dice is not None
                for play in legal_plays(self.position, self.turn, self.dice, self.laws):
                    yield Moved(player=self.turn, steps=play.steps)
                if self._may_throw_again():
                    yield from (Rolled(player=self.turn, dice=dice) for dice in Dice.rolls())
            case Phase.DOUBLED:
                yield from self._answers_to_a_double()
            case Phase.RESIGNING:
                assert self.asked is not None
                yield AcceptedResignation(player=self.asked)
                yield RefusedResignation(player=self.asked)
        if self.phase in _RESIGNABLE:
            yield from (OfferedResignation(player=who, win=win) for who in Player for win in Win)

    def may_double(self, player: Player) -> bool:
        """Whether `player` may turn the cube now."""
        return (
            self.stakes.cube
            and self.laws.has_cube
            and self.phase is Phase.TO_ROLL
            and self.turn is player
            and self.cube.owner in (None, player)
        )

    def is_closed_out(self, player: Player) -> bool:
        """Whether `player` has a checker on the bar that no throw can enter."""
        return self.position.is_closed_out(player)

    def _need_not_throw(self, player: Player) -> bool:
        return self.laws.closed_out_need_not_throw and self.is_closed_out(player)

    def _may_throw_again(self) -> bool:
        """Whether the dice lying are those of the opening throw and need not be played."""
        just_opened = bool(self.actions) and isinstance(self.actions[-1], OpeningThrow)
        return self.laws.first_player_may_throw_again and just_opened and self.phase is Phase.TO_MOVE

    def _before_the_roll(self) -> Iterator[Action]:
        assert self.turn is not None
        for dice in Dice.rolls():
            yield Rolled(player=self.turn, dice=dice)
        if self._need_not_throw(self.turn):
            yield DidNotThrow(player=self.turn)
        if self.may_double(self.turn):
            yield Doubled(player=self.turn)

    def _answers_to_a_double(self) -> Iterator[Action]:
        assert self.asked is not None
        yield Took(player=self.asked)
        yield Passed(player=self.asked)
        if self.stakes.beavers:
            yield Beavered(player=self.asked)

    def _throw(self, action: OpeningThrow) -> Game:
        self._require(self.phase is Phase.OPENING, "the opening throw has been made")
        if action.white != action.black:
            first = Player.WHITE if action.white > action.black else Player.BLACK
            return self._rolled(first, Dice(action.white, action.black))
        turned = self.ties < self.stakes.automatic_doubles
        cube = Cube(self.cube.value * 2) if turned else self.cube
        return replace(self, cube=cube, ties=self.ties + 1)

    def _roll(self, action: Rolled) -> Game:
        if self.phase is Phase.OPENING:
            self._require(
                not action.dice.is_double, f"{action.dice} is no opening throw: a tie is thrown again"
            )
        else:
            may_roll = self.phase is Phase.TO_ROLL or self._may_throw_again()
            self._require(may_roll, f"the game waits for {self.phase.value}, not a roll")
            self._require_turn(action.player)
        return self._rolled(action.player, action.dice)

    def _rolled(self, player: Player, dice: Dice) -> Game:
        return replace(self, phase=Phase.TO_MOVE, turn=player, dice=dice)

    def _let_the_throw_be(self, action: DidNotThrow) -> Game:
        self._require(self.phase is Phase.TO_ROLL, f"the game waits for {self.phase.value}")
        self._require_turn(action.player)
        self._require(self._need_not_throw(action.player), "only a player who is closed out need not throw")
        return self._next_turn(self.position)

    def _move(self, action: Moved) -> Game:
        dice = self._dice_to_play(action.player)
        try:
            result = after_steps(self.position, action.player, action.steps)
        except PlayError as error:
            raise IllegalAction(str(error)) from None
        plays = legal_plays(self.position, action.player, dice, self.laws)
        self._require(result in plays, f"{action.player.value} cannot play {dice} so")
        return self._next_turn(result)

    def _move_irregularly(self, action: MovedIrregularly) -> Game:
        self._dice_to_play(action.player)
        return self._next_turn(action.result)

    def _dice_to_play(self, player: Player) -> Dice:
        self._require(self.phase is Phase.TO_MOVE, f"the game waits for {self.phase.value}, not a play")
        self._require_turn(player)
        assert self.dice is not None
        return self.dice

    def _next_turn(self, position: Position) -> Game:
        assert self.turn is not None
        after = replace(self, position=position, phase=Phase.TO_ROLL, turn=self.turn.opponent, dice=None)
        if position.winner is None:
            return after
        return after._over(position.winner, win_on(position, position.winner), Ending.BORNE_OFF)

    def _double(self, action: Doubled) -> Game:
        self._require(self.may_double(action.player), f"{action.player.value} may not double now")
        return replace(self, phase=Phase.DOUBLED, asked=action.player.opponent)

    def _beaver(self, action: Beavered) -> Game:
        self._require_asked(action.player, Phase.DOUBLED)
        self._require(self.stakes.beavers, "beavers are not agreed on")
        return replace(self, cube=self._cube_turned(), asked=action.player.opponent)

    def _take(self, action: Took) -> Game:
        self._require_asked(action.player, Phase.DOUBLED)
        return replace(self, phase=Phase.TO_ROLL, cube=self._cube_turned(), asked=None)

    def _cube_turned(self) -> Cube:
        """The cube after a take, a beaver or a raccoon: with the opponent of the player about to roll."""
        assert self.turn is not None
        return Cube(self.cube.value * 2, self.turn.opponent)

    def _pass(self, action: Passed) -> Game:
        self._require_asked(action.player, Phase.DOUBLED)
        return self._over(action.player.opponent, Win.SINGLE, Ending.PASSED)

    def _offer_resignation(self, action: OfferedResignation) -> Game:
        self._require(
            self.phase in _RESIGNABLE, f"nobody can resign while the game waits for {self.phase.value}"
        )
        return replace(
            self,
            phase=Phase.RESIGNING,
            asked=action.player.opponent,
            offered=action.win,
            interrupted=self.phase,
        )

    def _accept_resignation(self, action: AcceptedResignation) -> Game:
        self._require_asked(action.player, Phase.RESIGNING)
        assert self.offered is not None
        return self._over(action.player, self.offered, Ending.RESIGNED)

    def _refuse_resignation(self, action: RefusedResignation) -> Game:
        self._require_asked(action.player, Phase.RESIGNING)
        assert self.interrupted is not None
        return replace(self, phase=self.interrupted, asked=None, offered=None, interrupted=None)

    def _edit(self, action: EditedBoard) -> Game:
        self._require(self.phase is not Phase.OVER, "the game is over")
        return replace(self, position=action.position, phase=Phase.TO_ROLL, turn=action.on_roll, dice=None)

    def _over(self, winner: Player, win: Win, ending: Ending) -> Game:
        counted = Win.SINGLE if self.stakes.jacoby and self.cube.owner is None else win
        points = self.laws.points[counted.value - 1] * self.cube.value
        outcome = Outcome(winner=winner, win=counted, points=points, ending=ending)
        return replace(self, phase=Phase.OVER, outcome=outcome, asked=None)

    def _require_turn(self, player: Player) -> None:
        self._require(player is self.turn, f"it is not {player.value}'s turn")

    def _require_asked(self, player: Player, phase: Phase) -> None:
        self._require(self.phase is phase, f"the game waits for {self.phase.value}, not {phase.value}")
        self._require(player is self.asked, f"it is not for {player.value} to answer")

    @staticmethod
    def _require(condition: bool, why_not: str) -> None:
        if not condition:
            raise IllegalAction(why_not)


_PUSH: dict[type[Action], Callable[[Game, Any], Game]] = {
    OpeningThrow: Game._throw,
    Rolled: Game._roll,
    DidNotThrow: Game._let_the_throw_be,
    Moved: Game._move,
    MovedIrregularly: Game._move_irregularly,
    Doubled: Game._double,
    Beavered: Game._beaver,
    Took: Game._take,
    Passed: Game._pass,
    OfferedResignation: Game._offer_resignation,
    AcceptedResignation: Game._accept_resignation,
    RefusedResignation: Game._refuse_resignation,
    EditedBoard: Game._edit,
}


def win_on(position: Position, winner: Player) -> Win:
    """The size of the game that `winner` has won by bearing off all his checkers."""
    loser = position.side(winner.opponent)
    if loser[OFF]:
        return Win.SINGLE
    in_winners_home = any(loser[BAR - point] for point in HOME_POINTS)
    return Win.BACKGAMMON if in_winners_home or loser[BAR] else Win.GAMMON
