"""The boards that a roll may lead to, laid out so that all are weighed at once."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import overload

import numpy as np
import numpy.typing as npt

from controller.referee.events import MAX_COUNT
from controller.referee.inference.board_memory import ROW_INDICES as ROW_INDICES
from controller.referee.inference.board_memory import Table
from controller.rules import BAR, OFF, Dice, Plays, Position, Rules, TurnState
from controller.rules.board.position import N_PLACES

Columns = npt.NDArray[np.intp]
"""(n, 26): for each of n boards, the column of what lies there in each row of BoardSeen."""

BOARD_BYTES = 2 * N_PLACES


@dataclass(frozen=True, eq=False)
class BoardLayout:
    """Boards with their columns, (n, 26), and the checkers that both players have off, (n,)."""

    boards: "PackedBoards"
    columns: Columns
    off: npt.NDArray[np.int8]

    @classmethod
    def of(cls, boards: Iterable[Position]) -> "BoardLayout":
        return cls.packed(b"".join(board.packed.to_bytes(BOARD_BYTES, "little") for board in boards))

    @classmethod
    def packed(cls, boards: bytes) -> "BoardLayout":
        """The layout of boards of 52 bytes each, as in `Position.packed`."""
        counts = np.frombuffer(boards, np.int8).reshape(-1, 2, N_PLACES)
        white, black = counts[:, 0], counts[:, 1]
        own, other = white[:, 1:BAR], black[:, BAR - 1 : 0 : -1]
        more = np.where(own >= other, own, -other) + np.int8(MAX_COUNT)
        columns = np.column_stack([more, white[:, BAR], black[:, BAR]]).astype(np.intp)
        return cls(PackedBoards(boards), columns, white[:, OFF] + black[:, OFF])

    def index(self, board: Position) -> int | None:
        """The index of `board`; None when it is none of the boards."""
        sought, packed, at = board.packed.to_bytes(BOARD_BYTES, "little"), self.boards.packed, -1
        while (at := packed.find(sought, at + 1)) % BOARD_BYTES:
            if at < 0:
                return None
        return at // BOARD_BYTES

    def likeliest_index(self, row_nats: Table) -> int:
        """The index of the likeliest board by (26, 31) log-likelihoods of each content of each row."""
        return int(row_nats[ROW_INDICES, self.columns].sum(axis=1).argmax())


class PackedBoards(Sequence[Position]):
    """Boards that are unpacked into positions on access."""

    def __init__(self, packed: bytes) -> None:
        self.packed = packed

    def __len__(self) -> int:
        return len(self.packed) // BOARD_BYTES

    @overload
    def __getitem__(self, index: int) -> Position: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Position]: ...

    def __getitem__(self, index: int | slice) -> Position | Sequence[Position]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not 0 <= index < len(self):
            raise IndexError(index)
        board = self.packed[BOARD_BYTES * index : BOARD_BYTES * (index + 1)]
        return Position.from_packed(int.from_bytes(board, "little"))


@dataclass(frozen=True, eq=False)
class PlayResults:
    """All plays of a throw, and the boards that they leave."""

    plays: Plays
    layout: BoardLayout

    def play_log_priors(self, p_bears_all: float) -> npt.NDArray[np.float64]:
        """(n,) log of the prior of each play. p_bears_all: probability that he bears off all he can."""
        most = self._bears_most
        share = (1 - p_bears_all) / len(most) + p_bears_all * most / most.sum()
        return np.asarray(np.log(share))

    def evidence_of_bearing_all(self, board: Position) -> float:
        """Log-likelihood ratio of `board`: bearing off all one can against any play alike. Nats."""
        off = board.white[OFF] + board.black[OFF]
        return -math.log(self._bears_most.mean()) if off == self.layout.off.max() else -math.inf

    @cached_property
    def _bears_most(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.layout.off == self.layout.off.max())


def play_results(rules: Rules, turn_state: TurnState, dice: Dice) -> PlayResults:
    """Every legal play of `dice`, and the boards that they leave."""
    return (
        _many_play_results(rules, turn_state, dice)
        if rules.is_wide(dice)
        else _play_results(rules, turn_state, dice)
    )


def boards_on_the_way(
    rules: Rules, turn_state: TurnState, rolls: tuple[Dice, ...], towards: Position | None = None
) -> BoardLayout:
    """The board, and every one up to and at the end of a legal play of one of `rolls`.

    towards: if a roll has tens of thousands of plays, only the boards on the way to this one.
    """
    is_wide = any(rules.is_wide(dice) for dice in rolls)
    return _boards_on_the_way(rules, turn_state, rolls, towards if is_wide else None)


@lru_cache(maxsize=512)
def _play_results(rules: Rules, turn_state: TurnState, dice: Dice) -> PlayResults:
    """The same, cached: a search for a missed roll asks for some 440 of them at each picture."""
    plays = rules.plays(turn_state, dice)
    return PlayResults(plays, BoardLayout.packed(plays.boards()))


@lru_cache(maxsize=256)
def _boards_on_the_way(
    rules: Rules, turn_state: TurnState, rolls: tuple[Dice, ...], towards: Position | None
) -> BoardLayout:
    here = turn_state.position.packed.to_bytes(BOARD_BYTES, "little")
    boards = {here}.union(*(rules.plays(turn_state, dice).on_the_way(towards) for dice in rolls))
    return BoardLayout.packed(b"".join(boards))


_many_play_results = lru_cache(maxsize=8)(_play_results.__wrapped__)
"""The same for doublets with tens of thousands of boards: the cache keeps few."""
