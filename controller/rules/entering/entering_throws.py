"""Whole throws in games whose checkers are entered: doublets, their complements, and who throws next.

A throw is played in stages. A stage is the numbers of the two dice, or of doublets, or of the doublets on the
opposite faces (the complement). It begins only when the stage before it is complete. The doublets after a
deuce-ace are a throw of their own, which the player chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from controller.rules.board.dice import Dice
from controller.rules.board.turn_state import Marks
from controller.rules.entering.circuit import (
    Circuit,
    CircuitStep,
    PackedTurn,
    all_borne,
    marked,
    marks_in,
    may_become,
    turned,
)
from controller.rules.entering.doublet_ends import doublet_ends
from controller.rules.entering.entering_laws import Complement
from controller.rules.plays.doubles import N_TIMES
from controller.rules.plays.steps import Step

Stages = tuple[tuple[int, ...], ...]
DEUCE_ACE = Dice(2, 1)


@dataclass(frozen=True, slots=True)
class Move:
    mine: bool
    stage: int
    step: CircuitStep


Link = tuple["Link | None", bool, int, CircuitStep] | None
"""The last step to a turn state: the link before it, whether the thrower made it, its stage, the step.

None before the first step.
"""

Order = tuple[tuple[int, int], ...]
"""Numbers in the order of play, as (stage, number)."""

End = tuple[PackedTurn, bool]
"""A turn state with the thrower as mover, and whether he throws again or chooses doublets."""

Ends = dict[bool, dict[PackedTurn, "Link | PackedTurn"]]
"""The ends after which the thrower does not (False) or does (True) throw again, each with a way to it.

The way is a link or, for doublets found by `doublet_ends`, the turn state after their first stage.
"""

Reached = dict[PackedTurn, Link]


def way(link: Link) -> list[Move]:
    moves = []
    while link is not None:
        link, mine, stage, step = link
        moves.append(Move(mine, stage, step))
    return moves[::-1]


@dataclass(frozen=True, slots=True)
class _Line:
    """All ways to play numbers in one order as far as possible.

    stopped: the turn states after the most numbers that can be played.
    borne: the turn states in which the last checker was borne off, which ends the game.
    n_played: the most numbers that can be played. left: the numbers after those, by stages.
    """

    stopped: Reached
    borne: Reached
    n_played: int
    left: Stages


class EnteringThrow:
    """One throw being played. The mover of every packed turn state here is the thrower."""

    def __init__(self, circuit_: Circuit, dice: Dice, *, chosen: bool) -> None:
        self._circuit = circuit_
        self._laws = circuit_.laws
        self._dice = dice
        self._chosen = chosen

    def ends(self, packed: PackedTurn) -> Ends:
        """Every turn state that the throw may leave, each with a way to it."""
        begun = self._begun(packed)
        found: Ends = {False: {}, True: {}}
        for stages in self.choices(packed):
            again = self._earns_more(stages)
            by_doublets = doublet_ends(self._circuit, begun, stages)
            if by_doublets is not None:
                ends, is_complete = by_doublets
                before = found[again and is_complete]
                found[again and is_complete] = {**before, **ends} if before else {**ends}
                continue
            for (end, throws_again), link in self._played({begun: None}, stages, again=again).items():
                found[throws_again][end] = link
        return found

    def moves_to(self, packed: PackedTurn, end: PackedTurn, link: Link | PackedTurn) -> list[Move]:
        """The moves from the turn state before the throw to `end`, one of its `ends` with the way `link`."""
        if not isinstance(link, int):
            return way(link)
        first, begun, number = link, self._begun(packed), self._dice.high
        if first == begun:
            return [Move(True, 0, step) for step in self._path(begun, end, number)]
        return [Move(True, 0, step) for step in self._path(begun, first, number)] + [
            Move(True, 1, step) for step in self._path(first, end, 7 - number)
        ]

    def _path(self, start: PackedTurn, end: PackedTurn, number: int) -> tuple[CircuitStep, ...]:
        """The steps with `number` from `start` to `end`, the rearmost checkers first where allowed."""
        return next(self._paths(start, end, number, N_TIMES))

    def _paths(
        self, start: PackedTurn, end: PackedTurn, number: int, times: int
    ) -> Iterator[tuple[CircuitStep, ...]]:
        """Every way from `start` to `end` in at most `times` steps with `number`."""
        if start == end:
            yield ()
        elif times and may_become(start, end):
            for step, after in self._circuit.steps(start, number):
                yield from ((step, *rest) for rest in self._paths(after, end, number, times - 1))

    def followed(self, begun: PackedTurn, steps: Sequence[Step]) -> Iterator[tuple[End, Link, bool]]:
        """(end, way, whether it is complete) for each order of numbers in which `steps` can be made.

        Complete: all numbers are played, or the last checker is borne off.
        """
        packed = self._begun(begun)
        for stages in self.choices(begun):
            for order in orders(stages):
                walked = self._walked(packed, order, steps)
                if walked is not None:
                    over, is_complete = all_borne(walked[0]), len(steps) == len(order)
                    end = walked[0], is_complete and not over and self._earns_more(stages)
                    yield end, walked[1], is_complete or over

    def _walked(
        self, packed: PackedTurn, order: Order, steps: Sequence[Step]
    ) -> tuple[PackedTurn, Link] | None:
        """The turn state after `steps` with the first numbers of `order`; None when they cannot be made."""
        if len(steps) > len(order):
            return None
        link: Link = None
        for (stage, number), sought in zip(order, steps, strict=False):
            for step, after in self._circuit.steps(packed, number):
                if step[:2] == (sought.source, sought.target):
                    packed, link = after, (link, True, stage, step)
                    break
            else:
                return None
        return packed, link

    def _begun(self, packed: PackedTurn) -> PackedTurn:
        """The turn state after the throw, with first doublets marked where their complement is withheld."""
        counts = self._dice.is_double and self._laws.first_doublets_withheld and not self._chosen
        return marked(packed, Marks.HAD_DOUBLETS) if counts else packed

    def _earns_more(self, stages: Stages) -> bool:
        """Whether a player who has played all of `stages` may choose doublets or throw again."""
        if not self._dice.is_double:
            return self._laws.deuce_ace and self._dice == DEUCE_ACE
        return self._laws.throws_again and len(stages) > 1

    def passed_through(self, packed: PackedTurn, towards: PackedTurn | None) -> set[PackedTurn]:
        """The turn state before the throw, and every one that the thrower's own steps lead to.

        towards: leave out those that can no longer become this board.
        """
        seen = {packed}
        for order in [order for stages in self.choices(packed) for order in orders(stages)]:
            reached: Reached = {packed: None}
            for _, number in order:
                reached = self._after_one(reached, 0, number)
                if towards is not None:
                    reached = {after: link for after, link in reached.items() if may_become(after, towards)}
                seen |= reached.keys()
        return seen

    def choices(self, packed: PackedTurn) -> list[Stages]:
        """The possible sequences of stages of this throw; two where the complement is optional."""
        laws, dice = self._laws, self._dice
        if not dice.is_double:
            return [(dice.numbers,)]
        both = thrown, _ = _doublets(dice.high)
        if self._chosen:
            return [both]
        withheld = laws.first_doublets_withheld and not marks_in(packed) & Marks.HAD_DOUBLETS
        if withheld or laws.complement is Complement.NONE:
            return [(thrown,)]
        return [(thrown,), both] if laws.complement is Complement.OPTIONAL else [both]

    def _played(self, start: Reached, stages: Stages, *, again: bool) -> dict[End, Link]:
        """The ends after as many numbers of `stages` as can be played from `start`.

        again: the thrower throws again when all are played.
        """
        lines = [self._line(start, order) for order in orders(stages)]
        most = max(line.n_played for line in lines)
        found: dict[End, Link] = {(end, False): link for line in lines for end, link in line.borne.items()}
        longest = [line for line in lines if line.n_played == most]
        if self._laws.higher_number_compelled and most == 1:
            longest = longest[:1]
        for line in longest:
            for packed, link in line.stopped.items():
                if line.left and self._laws.continuation:
                    found |= self._played_on(packed, link, line.left, again=again)
                else:
                    found.setdefault((packed, again and not line.left), link)
        return found

    def _line(self, start: Reached, order: Order) -> _Line:
        reached, borne, n_played = start, dict[PackedTurn, Link](), 0
        for stage, number in order:
            further = self._after_one(reached, stage, number)
            if not further:
                break
            n_played += 1
            over = {packed: link for packed, link in further.items() if all_borne(packed)}
            borne |= over
            reached = (
                {packed: link for packed, link in further.items() if packed not in over} if over else further
            )
        return _Line(reached, borne, n_played, _by_stages(order[n_played:]))

    def _after_one(self, reached: Reached, stage: int, number: int) -> Reached:
        """All turn states after one more step, with `number`."""
        further: Reached = {}
        for packed, link in reached.items():
            for step, after in self._circuit.steps(packed, number):
                if after not in further:
                    further[after] = (link, True, stage, step)
        return further

    def _played_on(self, packed: PackedTurn, link: Link, left: Stages, *, again: bool) -> dict[End, Link]:
        """The ends when the adversary plays on: one step of his, then the thrower again if he can play."""
        found: dict[End, Link] = {}
        for number in set(left[0]):
            rest = _without(left[0], number)
            for step, theirs in self._circuit.steps(turned(packed), number):
                after, way = turned(theirs), (link, False, -len(left), step)
                if rest and not all_borne(theirs):
                    found |= self._played({after: way}, (rest, *left[1:]), again=again)
                else:
                    found.setdefault((after, False), way)
        return found or {(packed, False): link}


def _doublets(number: int) -> Stages:
    """The numbers of doublets, and of their complement on the opposite faces."""
    return (number,) * 4, (7 - number,) * 4


def orders(stages: Stages) -> list[Order]:
    """The orders in which the numbers of `stages` may be played, first the one with the higher number first.

    Of n stages the first has the number -n and the last -1.
    """
    first, *rest = stages
    later = tuple((stage - len(rest), number) for stage, numbers in enumerate(rest) for number in numbers)
    firsts = [first] if len(set(first)) == 1 else [first, first[::-1]]
    return [(*((-len(stages), number) for number in numbers), *later) for numbers in firsts]


def _by_stages(order: Order) -> Stages:
    return tuple(tuple(number for _, number in group) for _, group in groupby(order, key=lambda due: due[0]))


def _without(numbers: tuple[int, ...], number: int) -> tuple[int, ...]:
    at = numbers.index(number)
    return numbers[:at] + numbers[at + 1 :]
