"""One interface for all games: ordinary backgammon under every set of laws, Russian and Turkish backgammon.

Referee and record know no set of laws by its name. `rules_of(laws)` returns the `Rules`, which tell the legal
plays from a turn state, the offences, the blots at risk and the size of a won game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from controller.rules.board.cube import Win
from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, HOME_POINTS, Player, Position
from controller.rules.board.turn_state import TurnState
from controller.rules.entering.circuit import ENTRANCE_CIRCUIT, HOME_CIRCUIT, circuit
from controller.rules.entering.entering_faults import explain_throw
from controller.rules.entering.entering_laws import ENTERING_LAWS, Complement, EnteringLaws
from controller.rules.entering.entering_shots import entering_shots
from controller.rules.entering.throw_plays import throw_plays
from controller.rules.laws.law_sets import LAWS
from controller.rules.laws.law_terms import Laws
from controller.rules.match.game import win_on
from controller.rules.plays.explanations import explain
from controller.rules.plays.legal_plays import LegalPlays, Play, legal_plays, parse_play
from controller.rules.plays.offences import Offence
from controller.rules.plays.partial_plays import on_the_way
from controller.rules.plays.shots import Shots, shots
from controller.rules.plays.steps import PlayError, Step
from sentences import say

_ROLLS = tuple(Dice.rolls())
_DOUBLETS = tuple(dice for dice in _ROLLS if dice.is_double)


class PlayMade(Protocol):
    """One play of a throw. `str` writes it in the notation of its game."""

    @property
    def result(self) -> Position:
        """The board it leaves."""

    @property
    def turn_state(self) -> TurnState:
        """The turn state after it."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the player who threw, in his own numbering of the ordinary game.

        0 is off the board; a checker that is entered by a throw also starts from 0.
        """


class Plays(Protocol):
    """All legal plays of a throw; never empty."""

    def __iter__(self) -> Iterator[PlayMade]: ...

    def __len__(self) -> int: ...

    def __contains__(self, item: object) -> bool: ...

    def __getitem__(self, index: int) -> PlayMade: ...

    def boards(self) -> bytes:
        """The boards that the plays leave, in their order, each as the 52 bytes of `Position.packed`."""

    def on_the_way(self, towards: Position | None = None) -> AbstractSet[bytes]:
        """Every board that may be seen before, during and after the play, 52 bytes each.

        towards: a hint for throws with tens of thousands of boards: leave out those that cannot lead to it.
        """

    def leading_to(self, position: Position) -> tuple[PlayMade, ...]:
        """The plays that leave `position`; () for none."""

    def parse(self, text: str) -> PlayMade:
        """The play written as `text`; PlayError when no legal play is written so."""


class Rules(Protocol):
    """How one game is played; there is one value for each set of laws."""

    def __hash__(self) -> int: ...

    @property
    def laws(self) -> Laws | EnteringLaws:
        """The laws by which it is played."""

    def start(self, leader: Player) -> TurnState:
        """The turn state before the first throw, which is the leader's."""

    def throws(self, turn_state: TurnState) -> tuple[Dice, ...]:
        """The rolls that may be thrown, or chosen, from a turn state."""

    def plays(self, turn_state: TurnState, dice: Dice) -> Plays:
        """The legal plays of `dice` for the player on roll."""

    def find_ahead(self, turn_state: TurnState, throws: Iterable[Dice]) -> None:
        """Find and cache the plays of the first of `throws` that has none cached. It may take long."""

    def explain(self, turn_state: TurnState, dice: Dice, seen: Position) -> tuple[Offence, ...]:
        """The offences of the player on roll if the board is now `seen`; () when a legal play leaves it."""

    def shots(self, turn_state: TurnState, player: Player) -> Shots:
        """The shots at the blots of `player` if his opponent is to throw."""

    def win(self, turn_state: TurnState) -> Win | None:
        """The size of the won game; None while the game goes on."""

    def words(self, play: PlayMade) -> str:
        """The play in the notation of its game; "" where standard notation of its steps says the same."""

    def most_borne(self, turn_state: TurnState, seen: Position, n_numbers: int) -> int:
        """The most checkers that the player on roll may bear off with `n_numbers` numbers, leaving `seen`."""

    def may_let_be(self, turn_state: TurnState) -> bool:
        """Whether the player on roll may pass his turn without a throw."""

    def is_wide(self, dice: Dice) -> bool:
        """Whether `dice` may have tens of thousands of plays, too many to handle each one quickly."""


@dataclass(frozen=True, eq=False)
class OrdinaryRules:
    """Ordinary backgammon under any laws: every checker is set up before the first throw."""

    laws: Laws

    def start(self, leader: Player) -> TurnState:
        return TurnState(self.laws.start, leader)

    def throws(self, turn_state: TurnState) -> tuple[Dice, ...]:
        return _ROLLS

    def plays(self, turn_state: TurnState, dice: Dice) -> OrdinaryPlays:
        return OrdinaryPlays(legal_plays(turn_state.position, turn_state.on_roll, dice, self.laws))

    def find_ahead(self, turn_state: TurnState, throws: Iterable[Dice]) -> None:
        pass  # no search takes long

    def explain(self, turn_state: TurnState, dice: Dice, seen: Position) -> tuple[Offence, ...]:
        return explain(turn_state.position, turn_state.on_roll, dice, seen, self.laws)

    def shots(self, turn_state: TurnState, player: Player) -> Shots:
        return shots(turn_state.position, player, self.laws)

    def win(self, turn_state: TurnState) -> Win | None:
        winner = turn_state.position.winner
        return win_on(turn_state.position, winner, self.laws) if winner else None

    def words(self, play: PlayMade) -> str:
        return ""

    def most_borne(self, turn_state: TurnState, seen: Position, n_numbers: int) -> int:
        return 0 if any(seen.side(turn_state.on_roll)[HOME_POINTS.stop :]) else n_numbers

    def may_let_be(self, turn_state: TurnState) -> bool:
        return turn_state.position.is_closed_out(turn_state.on_roll)

    def is_wide(self, dice: Dice) -> bool:
        return False


class OrdinaryPlay:
    """A play of the ordinary game; the opponent throws next."""

    __slots__ = ("_play", "turn_state")

    def __init__(self, play: Play, player: Player) -> None:
        self._play = play
        self.turn_state = TurnState(play.result, player.opponent)

    @property
    def result(self) -> Position:
        return self.turn_state.position

    @property
    def steps(self) -> tuple[Step, ...]:
        return self._play.steps

    def __str__(self) -> str:
        return str(self._play)


class OrdinaryPlays:
    """The legal plays of the ordinary game."""

    def __init__(self, legal: LegalPlays) -> None:
        self._legal = legal
        self._ordered: list[Play] | None = None

    def _plays(self) -> list[Play]:
        if self._ordered is None:
            self._ordered = self._legal.in_order()
        return self._ordered

    def __iter__(self) -> Iterator[OrdinaryPlay]:
        return map(self._made, self._plays())

    def __len__(self) -> int:
        return len(self._legal)

    def __getitem__(self, index: int) -> OrdinaryPlay:
        return self._made(self._plays()[index])

    def __contains__(self, item: object) -> bool:
        return (item.result if isinstance(item, OrdinaryPlay) else item) in self._legal

    def boards(self) -> bytes:
        return self._legal.boards()

    def on_the_way(self, towards: Position | None = None) -> frozenset[bytes]:
        return on_the_way(self._legal.position, self._legal.player, self._legal.dice)

    def leading_to(self, position: Position) -> tuple[OrdinaryPlay, ...]:
        return tuple(map(self._made, self._legal.leading_to(position)))

    def parse(self, text: str) -> OrdinaryPlay:
        legal = self._legal
        play, is_legal = parse_play(text, legal.position, legal.player, legal.dice, legal.laws)
        if not is_legal:
            raise PlayError(say("cannot_play_so", player=say(legal.player.value), dice=legal.dice, play=text))
        return self._made(play)

    def _made(self, play: Play) -> OrdinaryPlay:
        return OrdinaryPlay(play, self._legal.player)


@dataclass(frozen=True, eq=False)
class EnteringRules:
    """Russian and Turkish backgammon: throws enter the checkers, and both players travel the same way."""

    laws: EnteringLaws

    def start(self, leader: Player) -> TurnState:
        return circuit(self.laws).start(leader)

    def throws(self, turn_state: TurnState) -> tuple[Dice, ...]:
        return _DOUBLETS if turn_state.choosing else _ROLLS

    def plays(self, turn_state: TurnState, dice: Dice) -> Plays:
        return _throw_plays(turn_state, dice, self.laws)

    def find_ahead(self, turn_state: TurnState, throws: Iterable[Dice]) -> None:
        plays = (_throw_plays(turn_state, dice, self.laws) for dice in throws)
        if new := next((one for one in plays if not one.is_found), None):
            len(new)  # counting the plays finds them

    def explain(self, turn_state: TurnState, dice: Dice, seen: Position) -> tuple[Offence, ...]:
        return explain_throw(_throw_plays(turn_state, dice, self.laws), seen)

    def shots(self, turn_state: TurnState, player: Player) -> Shots:
        return _entering_shots(turn_state, player, self.laws)

    def win(self, turn_state: TurnState) -> Win | None:
        """The size of the won game.

        It is a backgammon when the loser has borne none, and has one on the bar, waiting or in his entrance.
        """
        winner = turn_state.winner
        if winner is None:
            return None
        loser = winner.opponent
        if turn_state.borne(loser):
            return Win.SINGLE
        points = [circuit(self.laws).point(loser, place) for place in (*ENTRANCE_CIRCUIT, BAR)]
        far_back = turn_state.waiting_of(loser) or any(
            turn_state.position.side(loser)[point] for point in points
        )
        return Win.BACKGAMMON if far_back else Win.GAMMON

    def words(self, play: PlayMade) -> str:
        return str(play)

    def most_borne(self, turn_state: TurnState, seen: Position, n_numbers: int) -> int:
        """Doublets may be followed by as many numbers of their complement, which doubles the bound."""
        outside = [
            circuit(self.laws).point(turn_state.on_roll, place) for place in range(HOME_CIRCUIT.stop, BAR + 1)
        ]
        all_home = not any(seen.side(turn_state.on_roll)[point] for point in outside)
        return 2 * n_numbers if all_home else 0

    def may_let_be(self, turn_state: TurnState) -> bool:
        return False

    def is_wide(self, dice: Dice) -> bool:
        return dice.is_double and self.laws.complement is not Complement.NONE


_throw_plays = lru_cache(maxsize=8)(throw_plays)
"""Cached because the plays of doublets take long to find."""
_entering_shots = lru_cache(maxsize=64)(entering_shots)


@lru_cache
def rules_of(laws: Laws | EnteringLaws) -> Rules:
    """The rules of the game that is played by `laws`."""
    return EnteringRules(laws) if isinstance(laws, EnteringLaws) else OrdinaryRules(laws)


ALL_LAWS: Mapping[str, Laws | EnteringLaws] = {**LAWS, **ENTERING_LAWS}
"""Every set of laws of every game, by name."""
