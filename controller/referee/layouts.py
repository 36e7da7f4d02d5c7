"""The boards that a roll may lead to, laid out so that all of them are weighed at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from controller.referee.events import MAX_COUNT, N_ROWS
from controller.referee.underway import on_the_way
from controller.rules import BAR, Dice, Player, Position, legal_plays
from controller.rules.position import N_PLACES

Columns = npt.NDArray[np.intp]
"""(n, 26): for each of n boards and each row of a sighting the column that stands for what lies there."""

ROWS = np.arange(N_ROWS)


@dataclass(frozen=True, eq=False)
class Layout:
    """Some boards, and their columns (n, 26)."""

    boards: tuple[Position, ...]
    columns: Columns

    @classmethod
    def of(cls, boards: Iterable[Position]) -> "Layout":
        laid = tuple(boards)
        packed = b"".join(board.packed.to_bytes(2 * N_PLACES, "little") for board in laid)
        counts = np.frombuffer(packed, np.uint8).reshape(len(laid), 2, N_PLACES).astype(np.intp)
        white, black = counts[:, 0], counts[:, 1]
        net = white[:, 1:BAR] - black[:, BAR - 1 : 0 : -1] + MAX_COUNT
        return cls(laid, np.column_stack([net, white[:, BAR], black[:, BAR]]))


@lru_cache(maxsize=1024)
def results(position: Position, player: Player, dice: Dice) -> Layout:
    """What every legal play of `dice` leaves."""
    return Layout.of(play.result for play in legal_plays(position, player, dice))


@lru_cache(maxsize=256)
def underway(position: Position, player: Player, rolls: tuple[Dice, ...]) -> Layout:
    """`position`, and every board between it and the end of a legal play of one of `rolls`."""
    return Layout.of({board for dice in rolls for board in on_the_way(position, player, dice)} | {position})
