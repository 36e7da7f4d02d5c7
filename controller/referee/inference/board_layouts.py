"""The boards that a roll may lead to, laid out so that all are weighed at once."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from controller.referee.events import MAX_COUNT
from controller.referee.inference.board_memory import ROW_INDICES, Table
from controller.rules import BAR, OFF, Dice, Plays, Position, Rules, TurnState
from controller.rules.board.position import N_PLACES

BOARD_BYTES = 2 * N_PLACES


@dataclass(frozen=True, eq=False)
class BoardLayout:
    """Boards, packed into 52 bytes each as in `Position.packed`; they are unpacked on access."""

    packed: bytes

    @classmethod
    def of(cls, boards: Iterable[Position]) -> "BoardLayout":
        return cls(b"".join(map(_packed, boards)))

    def __len__(self) -> int:
        return len(self.packed) // BOARD_BYTES

    def __iter__(self) -> Iterator[Position]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, index: int) -> Position:
        return Position.from_packed(int.from_bytes(self._counts[index].tobytes(), "little"))

    def index(self, board: Position) -> int | None:
        """The index of `board`; None when it is none of the boards."""
        sought, at = _packed(board), -1
        while (at := self.packed.find(sought, at + 1)) % BOARD_BYTES:
            if at < 0:
                return None
        return at // BOARD_BYTES

    def log_likelihoods(self, row_nats: Table) -> npt.NDArray[np.float64]:
        """(n,) log-likelihood of each board by (26, 31) log-likelihoods of each content of each row."""
        return np.asarray(row_nats[ROW_INDICES, self.columns].sum(axis=1))

    def likeliest(self, row_nats: Table) -> Position:
        """The likeliest board by (26, 31) log-likelihoods of each content of each row."""
        return self[int(self.log_likelihoods(row_nats).argmax())]

    @cached_property
    def columns(self) -> npt.NDArray[np.intp]:
        """(n, 26) the column of what lies in each row of BoardSeen."""
        white, black = self._counts[:, 0], self._counts[:, 1]
        own, other = white[:, 1:BAR], black[:, BAR - 1 : 0 : -1]
        more = np.where(own >= other, own, -other) + np.int8(MAX_COUNT)
        return np.column_stack([more, white[:, BAR], black[:, BAR]]).astype(np.intp)

    @cached_property
    def off(self) -> npt.NDArray[np.int_]:
        """(n,) the checkers that both players have off."""
        return np.asarray(self._counts[:, :, OFF].sum(axis=1))

    @cached_property
    def _counts(self) -> npt.NDArray[np.int8]:
        """(n, 2, 26) the counts of White and of Black, each in his own numbering."""
        return np.frombuffer(self.packed, np.int8).reshape(-1, 2, N_PLACES)


@dataclass(frozen=True, eq=False)
class PlayResults(BoardLayout):
    """The boards that all plays of a throw leave, and the plays."""

    plays: Plays

    def play_log_priors(self, p_bears_all: float) -> npt.NDArray[np.float64]:
        """(n,) log of the prior of each play. p_bears_all: probability that he bears off all he can."""
        most = self._bears_most
        share = (1 - p_bears_all) / len(most) + p_bears_all * most / most.sum()
        return np.asarray(np.log(share))

    def log_prior_of(self, board: Position, p_bears_all: float) -> float:
        """The same for the play that leaves `board`."""
        return float(self.play_log_priors(p_bears_all)[self.index(board)])

    def evidence_of_bearing_all(self, board: Position) -> float:
        """Log-likelihood ratio of `board`: bearing off all one can against any play alike. Nats."""
        most, nats = self._most_off
        return nats if board.white[OFF] + board.black[OFF] == most else -math.inf

    @cached_property
    def _most_off(self) -> tuple[int, float]:
        """The most checkers that are off after a play, and the evidence of a play that leaves so many."""
        return int(self.off.max()), -math.log(self._bears_most.mean())

    @cached_property
    def _bears_most(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.off == self.off.max())


def play_results(rules: Rules, turn_state: TurnState, dice: Dice) -> PlayResults:
    """Every legal play of `dice`, and the boards that they leave."""
    found = _many_play_results if rules.is_wide(dice) else _play_results
    return found(rules, turn_state, dice)


@lru_cache(maxsize=512)
def _play_results(rules: Rules, turn_state: TurnState, dice: Dice) -> PlayResults:
    """The same, cached: a search for a missed roll asks for some 440 of them at each picture."""
    plays = rules.plays(turn_state, dice)
    return PlayResults(plays.boards(), plays)


_many_play_results = lru_cache(maxsize=8)(_play_results.__wrapped__)
"""The same for doublets with tens of thousands of boards: the cache keeps few."""


@lru_cache(maxsize=256)
def boards_on_the_way(
    rules: Rules, turn_state: TurnState, rolls: tuple[Dice, ...], towards: Position | None = None
) -> BoardLayout:
    """The board, and every one up to and at the end of a legal play of one of `rolls`.

    towards: if a roll has tens of thousands of plays, leave out boards that cannot lead to this one.
    """
    here = _packed(turn_state.position)
    boards = {here}.union(*(rules.plays(turn_state, dice).on_the_way(towards) for dice in rolls))
    return BoardLayout(b"".join(sorted(boards)))


def _packed(board: Position) -> bytes:
    return board.packed.to_bytes(BOARD_BYTES, "little")
