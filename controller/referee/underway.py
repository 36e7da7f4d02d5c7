"""Boards that a player may show while his play is not yet complete."""

from functools import lru_cache

from controller.rules import Dice, Player, Position
from controller.rules.steps import Packed, after_each_step, pack, unpack


@lru_cache(maxsize=256)
def on_the_way(position: Position, player: Player, dice: Dice) -> frozenset[Position]:
    """Every board between `position` and the end of a legal play of `dice`, both ends included."""
    start = pack(position, player)
    if dice.is_double:
        lines = _lines(start, dice.numbers)
    else:
        lines = _lines(start, (dice.high, dice.low)) + _lines(start, (dice.low, dice.high))
    longest = max(len(line) for line in lines)
    seen = {packed for line in lines if len(line) == longest for packed in line}
    return frozenset(unpack(packed, player) for packed in seen)


def _lines(packed: Packed, numbers: tuple[int, ...]) -> list[tuple[Packed, ...]]:
    """Every way to play `numbers` in this order as far as it goes, as the boards passed through."""
    if not numbers:
        return [(packed,)]
    rest = [line for after in after_each_step(packed, numbers[0]) for line in _lines(after, numbers[1:])]
    return [(packed, *line) for line in rest] or [(packed,)]
