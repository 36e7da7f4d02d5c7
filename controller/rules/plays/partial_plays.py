"""Boards that may be seen while a play is being made."""

from functools import lru_cache

from controller.rules.board.dice import Dice
from controller.rules.board.position import Player, Position
from controller.rules.plays.packed_steps import Packed, after_each_step, board_bytes, pack


@lru_cache(maxsize=256)
def on_the_way(position: Position, player: Player, dice: Dice) -> frozenset[bytes]:
    """Every board between `position` and the end of a legal play of `dice`, both ends included.

    Each is the 52 bytes of `Position.packed`.
    """
    start = pack(position, player)
    orders = {dice.numbers, dice.numbers[::-1]}
    ways = [_longest_lines(start, numbers) for numbers in orders]
    longest = max(length for length, _ in ways)
    seen = {packed for length, boards in ways if length == longest for packed in boards}
    return frozenset(board_bytes(seen, player))


def _longest_lines(start: Packed, numbers: tuple[int, ...]) -> tuple[int, set[Packed]]:
    """The most of `numbers` that can be played in this order, and all boards on lines that play so many."""
    boards = {start}
    stages: list[dict[Packed, list[Packed]]] = []
    for number in numbers:
        stage = {packed: after_each_step(packed, number) for packed in boards}
        if not any(stage.values()):
            break
        stages.append(stage)
        boards = set[Packed]().union(*stage.values())
    found = set(boards)
    for stage in reversed(stages):
        boards = {packed for packed, after in stage.items() if not boards.isdisjoint(after)}
        found |= boards
    return len(stages), found
