"""All legal plays of a throw in games whose checkers are entered, one for each turn state they can leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, repeat

from controller.rules.board.dice import Dice, DiceError
from controller.rules.board.position import Player, Position
from controller.rules.board.turn_state import TurnState
from controller.rules.entering.circuit import PackedTurn, circuit, lying_so
from controller.rules.entering.entering_laws import EnteringLaws
from controller.rules.entering.entering_throws import End, Ends, EnteringThrow, Link, Move, orders
from controller.rules.plays.steps import PlayError, Step, notation, parse_steps
from sentences import say


@dataclass(frozen=True, slots=True)
class Stage:
    """The steps that one player made in one stage of a throw.

    steps: in the numbering of `player` in the ordinary game; an entered checker comes from 0.
    words: the same steps in notation, in the places of his circuit.
    """

    player: Player
    steps: tuple[Step, ...]
    words: str


class StagedPlay:
    """One legal play of a throw. Two plays are equal when they leave the same turn state."""

    __slots__ = ("_end", "_link", "_stages", "_throw")

    def __init__(self, throw: ThrowPlays, end: End, link: Link | PackedTurn) -> None:
        self._throw = throw
        self._end = end
        self._link = link
        self._stages: tuple[Stage, ...] | None = None

    @property
    def turn_state(self) -> TurnState:
        """The turn state it leaves."""
        return self._throw.state_after(self._end)

    @property
    def result(self) -> Position:
        """The board it leaves."""
        return self.turn_state.position

    @property
    def stages(self) -> tuple[Stage, ...]:
        """The stages in order; a player who plays on for the other has stages of his own."""
        if self._stages is None:
            self._stages = self._find_stages()
        return self._stages

    def _find_stages(self) -> tuple[Stage, ...]:
        moves = self._throw.moves_to(self._end, self._link)
        player, circuit_ = self._throw.turn_state.on_roll, self._throw.circuit
        found = []
        for (mine, _), group in groupby(moves, key=lambda move: (move.mine, move.stage)):
            steps = tuple(move.step for move in group)
            mover = player if mine else player.opponent
            moved = tuple(circuit_.step(mover, step) for step in steps)
            found.append(Stage(mover, moved, notation(tuple(Step(*step) for step in steps))))
        return tuple(found)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of the player who threw, in his own numbering of the ordinary game."""
        player = self._throw.turn_state.on_roll
        return tuple(step for stage in self.stages if stage.player is player for step in stage.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, StagedPlay) and self.turn_state == other.turn_state

    def __hash__(self) -> int:
        return hash(self.turn_state)

    def __str__(self) -> str:
        """The stages in notation: `off/23 off/24; off/20(4); 20/18(4)`; `no move` when there are no steps."""
        return "; ".join(self._words(stage) for stage in self.stages) or "no move"

    def _words(self, stage: Stage) -> str:
        other = stage.player is not self._throw.turn_state.on_roll
        return f"{stage.player.value} {stage.words}" if other else stage.words

    def __repr__(self) -> str:
        return f"<{self} from {self._throw.turn_state} to {self.turn_state}>"


class ThrowPlays:
    """All legal plays of a throw, one for each turn state that it can leave, in no particular order.

    They are found when first asked for. There is always at least one: of no steps, when nothing can be moved.
    """

    __slots__ = ("_ends", "_ordered", "circuit", "dice", "turn_state")

    def __init__(self, turn_state: TurnState, dice: Dice, laws: EnteringLaws) -> None:
        self.turn_state = turn_state
        self.dice = dice
        self.circuit = circuit(laws)
        self._ends: Ends | None = None
        self._ordered: list[End] | None = None

    @property
    def player(self) -> Player:
        """Who plays the throw."""
        return self.turn_state.on_roll

    def _throw(self) -> EnteringThrow:
        return EnteringThrow(self.circuit, self.dice, chosen=self.turn_state.choosing)

    def _found(self) -> Ends:
        if self._ends is None:
            self._ends = self._throw().ends(self.circuit.pack(self.turn_state, self.player))
        return self._ends

    @property
    def is_found(self) -> bool:
        """Whether the plays have been found already."""
        return self._ends is not None

    def _all_ends(self) -> Iterator[End]:
        for again, ends in self._found().items():
            yield from zip(ends, repeat(again))

    def _play(self, end: End) -> StagedPlay:
        packed, again = end
        return StagedPlay(self, end, self._found()[again][packed])

    def __iter__(self) -> Iterator[StagedPlay]:
        for again, ends in self._found().items():
            for packed, link in ends.items():
                yield StagedPlay(self, (packed, again), link)

    def __len__(self) -> int:
        return sum(map(len, self._found().values()))

    def __getitem__(self, index: int) -> StagedPlay:
        if self._ordered is None:
            self._ordered = list(self._all_ends())
        return self._play(self._ordered[index])

    def boards(self) -> bytes:
        """The boards that the plays leave, in their order, each as the 52 bytes of `Position.packed`."""
        return self.circuit.board_bytes((packed for packed, _ in self._all_ends()), self.player)

    def moves_to(self, end: End, link: Link | PackedTurn) -> list[Move]:
        """The moves to `end`, whose way is `link`."""
        return self._throw().moves_to(self.circuit.pack(self.turn_state, self.player), end[0], link)

    def __contains__(self, item: object) -> bool:
        """Whether a legal play leaves this TurnState, this Position, or the turn state of this StagedPlay."""
        if isinstance(item, Position):
            return bool(self._leaving(item))
        turn_state = item.turn_state if isinstance(item, StagedPlay) else item
        return isinstance(turn_state, TurnState) and any(
            play.turn_state == turn_state for play in self.leading_to(turn_state.position)
        )

    def leading_to(self, position: Position) -> tuple[StagedPlay, ...]:
        """The legal plays that leave `position`; () when there is none.

        There may be two when the adversary plays on, because either player may have played the last number.
        """
        return tuple(map(self._play, self._leaving(position)))

    def _leaving(self, position: Position) -> list[End]:
        sought = self.circuit.pack(TurnState(position, self.player), self.player)
        return [(end, again) for again, ends in self._found().items() for end in lying_so(ends, sought)]

    def state_after(self, end: End) -> TurnState:
        """The TurnState of an end of this throw."""
        packed, again = end
        after = self.circuit.unpack(packed, self.player, self.player if again else self.player.opponent)
        return replace(after, choosing=True) if again and not self.dice.is_double else after

    @property
    def orders(self) -> tuple[tuple[int, ...], ...]:
        """The orders in which the numbers may be played: `((6, 5), (5, 6))`."""
        choices = self._throw().choices(self.circuit.pack(self.turn_state, self.player))
        return tuple(tuple(number for _, number in order) for stages in choices for order in orders(stages))

    def made_by(self, steps: Sequence[Step]) -> StagedPlay:
        """The legal play of these steps in the places of the thrower's circuit; PlayError when there is none.

        A play of all numbers is found without finding all other plays.
        """
        begun = self.circuit.pack(self.turn_state, self.player)
        for end, link, is_complete in self._throw().followed(begun, steps):
            if is_complete or end[0] in self._found()[end[1]]:
                return StagedPlay(self, end, link)
        raise PlayError(
            say("cannot_play_so", player=say(self.player.value), dice=self.dice, play=notation(tuple(steps)))
        )

    def parse(self, text: str) -> StagedPlay:
        """The legal play that is written as `text`; PlayError when there is none."""
        if any(f"{player.value} " in text for player in Player):
            for play in self:
                if str(play) == text:
                    return play
            raise PlayError(say("cannot_play_so", player=say(self.player.value), dice=self.dice, play=text))
        return self.made_by(parse_steps(text.replace(";", " ")))

    def on_the_way(self, towards: Position | None = None) -> set[bytes]:
        """Every board that may be seen before, during and after the thrower's steps, each as in `boards`.

        towards: leave out boards that can no longer become this one.
        """
        packed = self.circuit.pack(self.turn_state, self.player)
        sought = self.circuit.pack(TurnState(towards, self.player), self.player) if towards else None
        passed = self._throw().passed_through(packed, sought)
        boards = self.circuit.board_bytes(passed, self.player)
        n = len(boards) // len(passed)
        return {boards[at : at + n] for at in range(0, len(boards), n)}

    def __repr__(self) -> str:
        return f"throw_plays({self.turn_state!r}, {self.dice!r}, {self.circuit.laws!r})"


def throw_plays(turn_state: TurnState, dice: Dice, laws: EnteringLaws) -> ThrowPlays:
    """All legal plays of `dice`, thrown or chosen, for the player on roll.

    Never empty: a player who cannot move has one play, of no steps, that leaves the board as it is. DiceError
    when he has to choose doublets and `dice` are not doublets.
    """
    if turn_state.choosing and not dice.is_double:
        raise DiceError(say("no_doublets", player=turn_state.on_roll.value, dice=dice))
    return ThrowPlays(turn_state, dice, laws)
