"""Which of the 36 throws hit which blot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import and_

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, Player, Position
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import Laws, ordinary
from controller.rules.plays.packed_steps import opposing, pack
from controller.rules.plays.whole_rolls import whole_roll_results

_ROLLS = tuple(Dice.rolls())


@dataclass(frozen=True, slots=True)
class Shots:
    """What the opponent can hit with his next throw.

    rolls: for each blot, by its point in its owner's numbering, the rolls with a legal play that hits it. The
        play may hit others too, or hit on its way. () for a safe blot. The highest point comes first.
    """

    rolls: Mapping[int, tuple[Dice, ...]]

    def count(self, point: int) -> int:
        """How many of the 36 throws hit the blot on `point`."""
        return sum(dice.ways for dice in self.rolls[point])

    @property
    def any_count(self) -> int:
        """How many of the 36 throws hit some blot."""
        return sum(dice.ways for dice in {dice for rolls in self.rolls.values() for dice in rolls})


def shots(position: Position, player: Player, laws: Laws = MODERN) -> Shots:
    """The shots at the blots of `player` when his opponent throws next.

    Blocked points, checkers on the bar and the duty to play the whole roll count.
    """
    ordinary(laws)
    own = position.side(player)
    blots = {point: opposing(BAR - point, 1) for point in range(BAR - 1, 0, -1) if own[point] == 1}
    hitters = pack(position, player.opponent)
    rolls: dict[int, list[Dice]] = {point: [] for point in blots}
    for dice in _ROLLS if blots else ():
        never_hit = reduce(and_, whole_roll_results(hitters, dice, laws))
        for point, blot in blots.items():
            if not never_hit & blot:
                rolls[point].append(dice)
    return Shots({point: tuple(hitting) for point, hitting in rolls.items()})
