"""One game: whose turn it is, which actions are legal, how it ends. A game is a sequence of actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from controller.rules.board.cube import Cube, Win
from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, OFF, Player, Position
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import ClosedOut, Laws, Stakes, ordinary
from controller.rules.match import mishaps
from controller.rules.match.actions import (
    AcceptedResignation,
    Action,
    Beavered,
    DidNotThrow,
    Doubled,
    EditedBoard,
    GamePhase,
    IllegalAction,
    Moved,
    MovedIrregularly,
    OfferedResignation,
    OpeningThrow,
    Passed,
    RefusedResignation,
    Rolled,
    Took,
    require,
)
from controller.rules.match.game_state import NO_OFFER, NO_ROLL, Ending, GameState, Outcome
from controller.rules.notation.situation import Situation
from controller.rules.plays.legal_plays import LegalPlays, Play, after_steps, legal_plays, with_hits
from controller.rules.plays.steps import PlayError, notation
from controller.rules.plays.touched_men import bound_plays
from sentences import say

ACES = Dice(1, 1)
"""The best throw, which may be given to a weaker player as odds."""
_PLAYS = (str, Play)
_RESIGNABLE = (GamePhase.TO_ROLL, GamePhase.TO_MOVE)
_BEGINS_PLAY = (Moved, MovedIrregularly, EditedBoard)


@dataclass(frozen=True, kw_only=True)
class Game(GameState):
    """A game at one moment. Immutable; `push` returns the game after an action. Its fields: `GameState`."""

    @classmethod
    def new(cls, laws: Laws = MODERN, stakes: Stakes | None = None, first: Player | None = None) -> Game:
        """A game about to begin; `first` has the first turn without an opening throw.

        stakes: None for what the laws propose in a session. ValueError when the laws do not allow them.
        """
        agreed = ordinary(laws).stakes(0) if stakes is None else stakes
        if agreed.backgammon not in (None, *laws.backgammon_may_count):
            may = f" {say('or')} ".join(map(str, laws.backgammon_may_count))
            raise ValueError(say("backgammon_counts", laws=laws.name, may=may, points=agreed.backgammon))
        first = agreed.aces_to or first
        phase = GamePhase.OPENING if first is None else GamePhase.TO_ROLL
        return cls(laws=laws, stakes=agreed, position=laws.start, phase=phase, first=first, turn=first)

    @classmethod
    def from_situation(cls, situation: Situation, laws: Laws = MODERN) -> Game:
        """A game in progress, to be played on from `situation`. Its first actions set up the board.

        ValueError when the game cannot be played on.
        """
        if situation.position.winner or situation.beavers_made:
            why = say("the_game_is_over") if situation.position.winner else say("a_beaver_waits")
            raise ValueError(say("not_played_on", why=why))
        stakes = replace(
            ordinary(laws).stakes(situation.length),
            cube=laws.has_cube and not situation.crawford,
            jacoby=situation.jacoby and not situation.length,
            beavers=situation.beavers and not situation.length,
        )
        game = cls.new(laws, stakes)
        game = game.changed(cube=situation.cube, cube_at_start=situation.cube)
        game = game.push(EditedBoard(position=situation.position, on_roll=situation.on_roll))
        if situation.doubled:
            return game.push(Doubled(player=situation.on_roll))
        if situation.dice:
            game = game.push(Rolled(player=situation.on_roll, dice=situation.dice))
        if situation.resigned:
            game = game.push(OfferedResignation(player=situation.on_roll, win=situation.resigned))
        return game

    @classmethod
    def replay(cls, actions: Iterable[Action], laws: Laws = MODERN, stakes: Stakes | None = None) -> Game:
        """The game after all `actions`; IllegalAction at the first that is not legal."""
        game = cls.new(laws, stakes)
        for action in actions:
            game = game.push(action)
        return game

    def push(self, action: Action | Play | str) -> Game:
        """The game after `action`; IllegalAction says why it cannot be done.

        A Play, or a text such as `8/5 6/5`, is the play that the player on turn makes with his roll.
        """
        if isinstance(action, _PLAYS):
            play, action = action, self._moved(action)
            if isinstance(play, Play) and self._is_surely_legal(play):
                return self._next_turn(play.result).changed(actions=(*self.actions, action))
        carry_out = _PUSH.get(type(action))
        if carry_out is None:
            raise IllegalAction(say("no_action", action=action))
        after = carry_out(self, action)
        return after.changed(actions=(*self.actions, action))

    def _is_surely_legal(self, play: Play) -> bool:
        assert self.turn is not None
        assert self.dice is not None
        is_bound = self.touched or self.quitted
        return not is_bound and play.is_legal_for(self.position, self.turn, self.dice, self.laws)

    def _moved(self, play: Play | str) -> Moved:
        """The action of the player on turn who makes `play`."""
        require(self.phase is GamePhase.TO_MOVE, "waits_not_for_play", waits=self.phase)
        assert self.turn is not None
        if isinstance(play, str):
            try:
                play = self._legal_plays().parse(play)
            except PlayError as error:
                raise IllegalAction(str(error)) from None
        return Moved(player=self.turn, steps=play.steps)

    def legal_actions(self) -> Iterator[Action]:
        """Everything that may be done now except irregular plays, edited boards and mishaps."""
        match self.phase:
            case GamePhase.OPENING:
                yield from (OpeningThrow(white=w, black=b) for w in range(1, 7) for b in range(1, 7))
            case GamePhase.TO_ROLL:
                yield from self._before_the_roll()
            case GamePhase.TO_MOVE:
                assert self.turn is not None
                for play in self._plays():
                    yield Moved(player=self.turn, steps=play.steps)
                if self._may_throw_again():
                    yield from (Rolled(player=self.turn, dice=dice) for dice in Dice.rolls())
            case GamePhase.DOUBLED:
                yield from self._answers_to_a_double()
            case GamePhase.RESIGNING:
                assert self.asked is not None
                yield AcceptedResignation(player=self.asked)
                yield RefusedResignation(player=self.asked)
        if self.phase in _RESIGNABLE:
            yield from (OfferedResignation(player=who, win=win) for who in Player for win in Win)

    def may_double(self, player: Player) -> bool:
        """Whether `player` may turn the cube now."""
        return self.phase is GamePhase.TO_ROLL and self.turn is player and self.has_cube_for(player)

    def _legal_plays(self) -> LegalPlays:
        assert self.turn is not None
        assert self.dice is not None
        return legal_plays(self.position, self.turn, self.dice, self.laws)

    def _plays(self) -> LegalPlays | tuple[Play, ...]:
        """The legal plays that are open to the player on turn, who may be bound."""
        plays = self._legal_plays()
        bound = self.touched or self.quitted
        return bound_plays(plays, self.touched, self.quitted) if bound else plays

    def _may_throw_over(self) -> bool:
        return self.laws.first_player_may_throw_again or self.stakes.throw_over

    def _may_throw_again(self) -> bool:
        """Whether the dice are those of the opening throw and may be thrown again instead of played."""
        return self.from_opening and self.phase is GamePhase.TO_MOVE and self._may_throw_over()

    def _before_the_roll(self) -> Iterator[Action]:
        assert self.turn is not None
        closed_out = self.position.is_closed_out(self.turn)
        if not closed_out or self.laws.closed_out is not ClosedOut.SUSPENDED:
            rolls = [ACES] if self._is_given_aces() else Dice.rolls()
            yield from (Rolled(player=self.turn, dice=dice) for dice in rolls)
        if closed_out:
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
        require(self.phase is GamePhase.OPENING, "opening_throw_made")
        if action.white != action.black:
            first = Player.WHITE if action.white > action.black else Player.BLACK
            return self._rolled(first, Dice(action.white, action.black), from_opening=True)
        turned = self.has_cube and self.ties < self.stakes.automatic_doubles
        cube = Cube(self.cube.value * 2) if turned else self.cube
        return self.changed(cube=cube, ties=self.ties + 1)

    def _roll(self, action: Rolled) -> Game:
        """The game after a roll. A roll by a closed-out player whose play is suspended is accepted too."""
        if self.phase is GamePhase.OPENING:
            return self._first_roll(action)
        if self.phase is not GamePhase.TO_ROLL and not self._may_throw_again():
            raise IllegalAction(say("waits_not_for_roll", waits=self.phase))
        self._require_turn(action.player)
        if self._is_given_aces() and action.dice != ACES:
            raise IllegalAction(say("given_aces", player=action.player.value, aces=ACES))
        game = self._thrown_over() if self.phase is GamePhase.TO_MOVE else self
        return game._rolled(action.player, action.dice)

    def _is_given_aces(self) -> bool:
        """Whether the throw that is due is the 1-1 given as odds."""
        to_weaker = self.stakes.aces_to is not None and self.turn is self.stakes.aces_to
        return to_weaker and not any(isinstance(action, _BEGINS_PLAY) for action in self.actions)

    def _first_roll(self, action: Rolled) -> Game:
        """The game after its first roll. A double is no opening throw: that must have been thrown over."""
        if not action.dice.is_double:
            return self._rolled(action.player, action.dice, from_opening=True)
        require(self._may_throw_over(), "no_opening_throw", dice=action.dice)
        return self._thrown_over()._rolled(action.player, action.dice)

    def _thrown_over(self) -> Game:
        turned = self.has_cube and self.stakes.throw_over_turns_cube
        cube = Cube(self.cube.value * 2) if turned else self.cube
        return self.changed(cube=cube, **NO_ROLL)

    def _rolled(self, player: Player, dice: Dice, *, from_opening: bool = False) -> Game:
        return self.changed(phase=GamePhase.TO_MOVE, turn=player, dice=dice, from_opening=from_opening)

    def _let_the_throw_be(self, action: DidNotThrow) -> Game:
        require(self.phase is GamePhase.TO_ROLL, "game_waits", waits=self.phase)
        self._require_turn(action.player)
        require(self.position.is_closed_out(action.player), "not_closed_out")
        return self._next_turn(self.position)

    def _move(self, action: Moved) -> Game:
        self._require_roll_of(action.player)
        player, dice = action.player, self.dice
        try:
            result = after_steps(self.position, player, action.steps)
        except PlayError as error:
            raise IllegalAction(str(error)) from None
        plays = self._legal_plays()
        require(result in plays, "cannot_play", player=player.value, dice=dice)
        require(plays.are_single_steps(action.steps), "one_number_a_step", dice=dice)
        hits = with_hits(action.steps, self.position, player)
        if hits != tuple(action.steps):
            raise IllegalAction(say("play_with_hits", play=notation(hits)))
        if self.touched or self.quitted:
            require(any(play.result == result for play in self._plays()), "bound_by_touched_man")
        return self._next_turn(result)

    def _move_irregularly(self, action: MovedIrregularly) -> Game:
        self._require_roll_of(action.player)
        before, after = (board.side(action.player) for board in (self.position, action.result))
        unduly = max(after[OFF] - before[OFF], 0) if before[BAR] and after[BAR] else 0
        white, black = self.unduly_borne
        borne = (white + unduly, black) if action.player is Player.WHITE else (white, black + unduly)
        mistaken = self.changed(mistaken=None)
        return self._next_turn(action.result).changed(mistaken=mistaken, unduly_borne=borne)

    def _require_roll_of(self, player: Player) -> None:
        require(self.phase is GamePhase.TO_MOVE, "waits_not_for_play", waits=self.phase)
        self._require_turn(player)

    def _next_turn(self, position: Position) -> Game:
        assert self.turn is not None
        after = self.changed(
            position=position, phase=GamePhase.TO_ROLL, turn=self.turn.opponent, mistaken=None, **NO_ROLL
        )
        return after._over_if_borne_off()

    def _over_if_borne_off(self) -> Game:
        won = self.position.winner
        return self._over(won, win_on(self.position, won, self.laws), Ending.BORNE_OFF) if won else self

    def _double(self, action: Doubled) -> Game:
        require(self.may_double(action.player), "may_not_double_now", player=action.player.value)
        return self.changed(phase=GamePhase.DOUBLED, asked=action.player.opponent, mistaken=None)

    def _beaver(self, action: Beavered) -> Game:
        self._require_asked(action.player, GamePhase.DOUBLED)
        require(self.stakes.beavers, "no_beavers")
        return self.changed(cube=self._cube_turned(), asked=action.player.opponent)

    def _take(self, action: Took) -> Game:
        self._require_asked(action.player, GamePhase.DOUBLED)
        return self.changed(phase=GamePhase.TO_ROLL, cube=self._cube_turned(), asked=None)

    def _cube_turned(self) -> Cube:
        """The cube after a take, a beaver or a raccoon; the opponent of the player on turn owns it."""
        assert self.turn is not None
        return Cube(self.cube.value * 2, self.turn.opponent)

    def _pass(self, action: Passed) -> Game:
        self._require_asked(action.player, GamePhase.DOUBLED)
        return self._over(action.player.opponent, Win.SINGLE, Ending.PASSED)

    def _offer_resignation(self, action: OfferedResignation) -> Game:
        require(self.phase in _RESIGNABLE, "nobody_resigns_now", waits=self.phase)
        return self.changed(
            phase=GamePhase.RESIGNING,
            asked=action.player.opponent,
            offered=action.win,
            interrupted=self.phase,
        )

    def _accept_resignation(self, action: AcceptedResignation) -> Game:
        self._require_asked(action.player, GamePhase.RESIGNING)
        assert self.offered is not None
        return self._over(action.player, self.offered, Ending.RESIGNED)

    def _refuse_resignation(self, action: RefusedResignation) -> Game:
        self._require_asked(action.player, GamePhase.RESIGNING)
        assert self.interrupted is not None
        return self.changed(phase=self.interrupted, **NO_OFFER)

    def _edit(self, action: EditedBoard) -> Game:
        require(self.phase is not GamePhase.OVER, "the_game_is_over")
        return self.changed(
            position=action.position,
            phase=GamePhase.TO_ROLL,
            turn=action.on_roll,
            mistaken=None,
            unduly_borne=(0, 0),
            **NO_ROLL,
            **NO_OFFER,
        )._over_if_borne_off()

    def _over(self, winner: Player, win: Win, ending: Ending) -> Game:
        counted = Win.SINGLE if self.stakes.jacoby and self.cube.owner is None else win
        points = self._points(counted) * self.cube.value
        outcome = Outcome(winner=winner, win=counted, points=points, ending=ending)
        return self.changed(phase=GamePhase.OVER, outcome=outcome, asked=None)

    def _points(self, win: Win) -> int:
        if win is Win.BACKGAMMON and self.stakes.backgammon is not None:
            return self.stakes.backgammon
        return self.laws.points[win.value - 1]

    def _require_turn(self, player: Player) -> None:
        require(player is self.turn, "not_his_turn", player=player.value)

    def _require_asked(self, player: Player, phase: GamePhase) -> None:
        require(self.phase is phase, "waits_not_for", waits=self.phase, other=phase)
        require(player is self.asked, "not_his_to_answer", player=player.value)


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
    **mishaps.PUSH,
}


def win_on(position: Position, winner: Player, laws: Laws = MODERN) -> Win:
    """The size of the game that `winner` has won by bearing off all his checkers."""
    ordinary(laws)
    loser = position.side(winner.opponent)
    none_borne = loser[OFF] == laws.start.side(winner.opponent)[OFF]
    far_back = any(loser[place] for place in laws.backgammon_places)
    if far_back and (none_borne or not laws.backgammon_needs_none_borne):
        return Win.BACKGAMMON
    return Win.GAMMON if none_borne else Win.SINGLE
