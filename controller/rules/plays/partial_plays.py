"""Boards that may be seen while a play is being made."""

from functools import lru_cache

from controller.rules.board.dice import Dice
from controller.rules.board.position import Player, Position
from controller.rules.plays.packed_steps import Packed, after_each_step, pack, unpack


@lru_cache(maxsize=256)
def on_the_way(position: Position, player: Player, dice: Dice) -> frozenset[Position]:
    """Every board between `position` and the end of a legal play of `dice`, both ends included."""
    start = pack(position, player)
    orders = {dice.numbers, dice.numbers[::-1]}
    ways = [_deepest(start, numbers, {}) for numbers in orders]
    longest = max(length for length, _ in ways)
    seen = {packed for length, boards in ways if length == longest for packed in boards}
    return frozenset(unpack(packed, player) for packed in seen)


Deepest = tuple[int, frozenset[Packed]]
"""The most numbers that can be played, and the boards on the way when so many are played."""


def _deepest(packed: Packed, numbers: tuple[int, ...], known: dict[tuple[Packed, int], Deepest]) -> Deepest:
    """The boards on all lines from `packed` that play the most of `numbers` in this order."""
    if not numbers:
        return 0, frozenset([packed])
    key = packed, len(numbers)
    if key not in known:
        rest = [_deepest(after, numbers[1:], known) for after in after_each_step(packed, numbers[0])]
        most = max((length for length, _ in rest), default=-1)
        passed = frozenset[Packed]().union(*(boards for length, boards in rest if length == most))
        known[key] = most + 1, passed | {packed}
    return known[key]
