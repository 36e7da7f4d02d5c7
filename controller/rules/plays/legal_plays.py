"""Plays: what one player does with one roll, and all that the laws allow him."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, repeat

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, OFF, Player, Position
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import Laws
from controller.rules.plays.packed_steps import Packed, pack, unpack
from controller.rules.plays.whole_rolls import path_of_roll, whole_roll_results


class PlayError(ValueError):
    """Steps that cannot be made, or a text that is no play."""


@dataclass(frozen=True, order=True, slots=True)
class Step:
    """One checker moved by one number, in the mover's own numbering: 25 is the bar, 0 is off the board."""

    source: int
    target: int
    hit: bool = False

    def __str__(self) -> str:
        return f"{_place(self.source)}/{_place(self.target)}{'*' * self.hit}"


def _place(place: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(place, str(place))


class Play:
    """The steps of one roll in the order they are made, and the position they leave.

    Immutable; two plays are equal when steps and result are. A player who cannot move makes a play of no
    steps that leaves the position as it was.
    """

    __slots__ = ("_end", "_plays", "_result", "_steps")
    _result: Position
    _steps: tuple[Step, ...]

    def __init__(self, plays: LegalPlays, end: Packed) -> None:
        """One of `plays`: its steps and position are worked out when somebody asks for them."""
        self._plays = plays
        self._end = end

    @classmethod
    def of(cls, steps: tuple[Step, ...], result: Position) -> Play:
        """A play, lawful or not, of which all is known."""
        play = cls.__new__(cls)
        play._steps = steps
        play._result = result
        return play

    @property
    def steps(self) -> tuple[Step, ...]:
        try:
            return self._steps
        except AttributeError:
            self._steps = self._plays._steps_to(self._end)
            return self._steps

    @property
    def result(self) -> Position:
        try:
            return self._result
        except AttributeError:
            self._result = unpack(self._end, self._plays.player)
            return self._result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Play) and self.result == other.result and self.steps == other.steps

    def __hash__(self) -> int:
        return hash(self.result)

    def __str__(self) -> str:
        """Standard notation: `8/5 6/5`, `bar/21 24/20*`, `6/off(2)`; `no move` when there are no steps."""
        return notation(self.steps)

    def __repr__(self) -> str:
        return f"Play.of({self.steps!r}, {self.result!r})"


def notation(steps: tuple[Step, ...]) -> str:
    """Steps as players write them, like steps that follow each other written once with their number."""
    words = []
    for (source, target), group in groupby(steps, key=lambda step: (step.source, step.target)):
        alike = list(group)
        word = str(Step(source, target, any(step.hit for step in alike)))
        words.append(word + f"({len(alike)})" * (len(alike) > 1))
    return " ".join(words) or "no move"


class LegalPlays:
    """All legal plays of a roll, one for each position they can leave; worked out when first asked for.

    There is always at least one: of no steps, when nothing can be moved. In no particular order.
    """

    __slots__ = ("_ends", "dice", "laws", "player", "position")

    def __init__(self, position: Position, player: Player, dice: Dice, laws: Laws = MODERN) -> None:
        self.position = position
        self.player = player
        self.dice = dice
        self.laws = laws
        self._ends: set[Packed] | None = None

    def _found(self) -> set[Packed]:
        if self._ends is None:
            self._ends = whole_roll_results(pack(self.position, self.player), self.dice, self.laws)
        return self._ends

    def __iter__(self) -> Iterator[Play]:
        return map(Play, repeat(self), self._found())

    def __len__(self) -> int:
        return len(self._found())

    def __contains__(self, item: object) -> bool:
        """Whether a position is what a legal play leaves, or a play leaves what a legal one does."""
        if isinstance(item, Play):
            item = item.result
        return isinstance(item, Position) and pack(item, self.player) in self._found()

    def leading_to(self, position: Position) -> tuple[Play, ...]:
        """The legal play that leaves `position`, alone in a tuple; () when there is none."""
        end = pack(position, self.player)
        return (Play(self, end),) if end in self._found() else ()

    def _steps_to(self, end: Packed) -> tuple[Step, ...]:
        return tuple(
            Step(*step) for step in path_of_roll(pack(self.position, self.player), end, self.dice, self.laws)
        )

    def __repr__(self) -> str:
        return f"legal_plays({self.position!r}, {self.player}, {self.dice!r})"


def legal_plays(position: Position, player: Player, dice: Dice, laws: Laws = MODERN) -> LegalPlays:
    """All that `player` may do with `dice` on `position`.

    Never empty: a player who cannot move has one play, of no steps, whose result is `position`.
    """
    return LegalPlays(position, player, dice, laws)


def after_steps(position: Position, player: Player, steps: Iterable[Step]) -> Position:
    """The position after `steps`, lawful or not; a lone opposing checker landed on goes to the bar.

    PlayError when a step starts from a place where `player` has no checker.
    """
    own, opposing = list(position.side(player)), list(position.side(player.opponent))
    for step in steps:
        if not own[step.source]:
            raise PlayError(f"{step} starts where {player.value} has no checker")
        own[step.source] -= 1
        own[step.target] += 1
        if step.target != OFF and opposing[BAR - step.target] == 1:
            opposing[BAR - step.target] -= 1
            opposing[BAR] += 1
    return Position.of(player, own, opposing)
