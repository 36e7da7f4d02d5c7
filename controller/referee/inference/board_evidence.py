"""What a view of the board says of each place. The model includes the reader's errors.

A place that nobody touches looks the same in every picture, so its reading counts once. A reading may be
stuck: then it stays as it is, whatever is played there. Both follow from one forward step of a hidden Markov
model with two states of the reader at each place, right and stuck; docs/referee.md has the formulas.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from controller.referee import priors
from controller.referee.events import MAX_COUNT, N_ROWS
from controller.referee.inference.board_memory import (
    COUNTS,
    ROW_INDICES,
    BoardMemory,
    Table,
    columns,
    of_board,
)
from controller.rules import BAR, Player, Position

Shares = npt.NDArray[np.float64]

_STICKS_SO = priors.P_GETS_STUCK * priors.P_ONE_LOOK
"""How likely a reading gets stuck on one particular content."""

_STACKS = np.sign(COUNTS) * (np.abs(COUNTS) >= priors.TALL_STACK)
"""(31,) for each column of a point: 1 if it is a tall stack of White's, -1 if of Black's, else 0."""

_ON_POINTS = ROW_INDICES[:, None] < BAR - 1
"""(26, 1) whether each row is a point."""

_APART = np.abs(COUNTS[:, None] - COUNTS)
MISREAD = np.where(_APART == 1, priors.P_ONE_OFF / 2, (1 - priors.P_ONE_OFF) / (len(COUNTS) - 3)) * (
    _APART > 0
)
"""(31, 31) probability that a misread place says one content while it holds another."""


@dataclass(frozen=True, eq=False)
class PlaceStates:
    """The places when the board was last weighed for good.

    position: the board. look: the view of it; without readings when it was not seen. stuck: (26,) probability
    that the reading of each place is stuck.
    """

    position: Position
    look: BoardMemory
    stuck: Shares

    @classmethod
    def unknown(cls, position: Position, stuck: Shares | None = None) -> "PlaceStates":
        """The places before the board was seen. stuck: as known from an earlier game."""
        return cls(position, BoardMemory(), np.full(N_ROWS, priors.P_GETS_STUCK) if stuck is None else stuck)


@dataclass(frozen=True, eq=False)
class BoardEvidence:
    """What one view of the board says of each course of the game.

    now: the board as far as it is visible. full_view: the last full view since the roll; None if there was
    none.
    """

    now: BoardMemory
    full_view: BoardMemory | None = None
    _tables: dict[PlaceStates, Table] = field(default_factory=dict)
    _moved_since: dict[BoardMemory, Shares] = field(default_factory=dict)

    def of_full_view(self) -> "BoardEvidence":
        """What the last full view says."""
        return BoardEvidence(now=self.full_view or BoardMemory(), full_view=self.full_view)

    def _moved(self, look: BoardMemory) -> Shares:
        """(26, 1) how far each place looks different from `look`, cached: many courses share a look."""
        if look not in self._moved_since:
            self._moved_since[look] = self.now.moved_since(look)[:, None]
        return self._moved_since[look]

    def _forward(self, states: PlaceStates) -> tuple[Shares, Shares]:
        """(26, 31) each: likelihood of the look by content, with the reader right, and with it stuck."""
        look, seen, stuck = states.look, self.now.likelihood, states.stuck[:, None]
        rows, held = ROW_INDICES[:, None], np.array(columns(states.position))[:, None]
        apart, is_first = self._moved(look), look.n_readings[:, None] == 0
        is_alike = ~is_first & (apart < priors.ALIKE_READING_SHARE)
        is_other = ~is_first & (apart >= priors.UNLIKE_READING_SHARE)
        # A place left alone that fits less well than before pays for the loss, so slow changes add up.
        # The less surely it was read, the likelier it looks different.
        less = np.minimum(1.0, seen / look.likelihood)
        ended = np.minimum(priors.P_MISREADING_ENDS, priors.UNTOUCHED_BUT_DIFFERENT / look.shares[rows, held])
        left_alone = np.where(is_other, seen * ended, less)
        # The worse a place was read, the likelier it looks the same after a play.
        stacks = (_STACKS[held] * _STACKS > 0) & _ON_POINTS
        alike = np.where(stacks, priors.STACK_CHANGED_BUT_ALIKE, priors.CHANGED_BUT_ALIKE)
        alike = np.minimum(seen, alike / look.likelihood[rows, held])
        played_on = np.where(is_alike, alike, seen)
        free = np.where(is_other, (1 - stuck) + stuck * priors.P_COMES_LOOSE, 1 - stuck)
        right = free * np.where(held == COUNTS + MAX_COUNT, left_alone, played_on)
        anew = (1 - stuck) * _STICKS_SO + stuck * (priors.P_ERRS_AGAIN * self._misread)
        return right, np.where(is_first, stuck * priors.P_ONE_LOOK, np.where(is_other, anew, stuck))

    @cached_property
    def _misread(self) -> Shares:
        """(26, 31) likelihood of the look if each content lies there and is misread."""
        said = self.now.likelihood - math.exp(priors.PLACE_FLOOR_NATS)
        return np.asarray(said / said.sum(axis=1, keepdims=True) @ MISREAD)

    def rows(self, states: PlaceStates) -> Table:
        """(26, 31) log-likelihood of each content of each row, for a course with `states` before the view."""
        if states not in self._tables:
            right, kept = self._forward(states)
            nats = np.minimum(np.log(right + kept), 0.0)
            self._tables[states] = np.where(self.now.visible[:, None], nats, 0.0)
        return self._tables[states]

    def log_likelihood(self, position: Position, states: PlaceStates) -> float:
        """Log-likelihood of `position`. A point with both colours is seen so, or taken for one colour."""
        rows = self.rows(states)
        nats = of_board(rows, position)
        for row in _rows_with_both(position):
            if self.now.visible[row]:
                nats[row] = 0.0 if row in self.now.mixed else _taken_for_one(position, row, rows[row])
        return float(nats.sum())

    def states_after(self, position: Position, states: PlaceStates) -> PlaceStates:
        """The states after this view was weighed for good while `position` lay there."""
        right, kept = (of_board(table, position) for table in self._forward(states))
        stuck = np.clip(kept / (right + kept), _STICKS_SO, 1 - priors.P_GETS_STUCK)
        return PlaceStates(position, self.now, np.where(self.now.visible, stuck, states.stuck))

    def likeliest_board(
        self, states: PlaceStates, fallback: Position, *, restore_nats: float = priors.DOUBTFUL_COUNT_NATS
    ) -> Position:
        """The likeliest content of every place; in a tie, as on hidden places, what `fallback` has there.

        Checkers that are seen nowhere count as borne off, unless a place may hold them at a cost of less than
        `restore_nats`. On a mixed place each player has as many checkers as in `fallback`, at least one, and
        those that are missing elsewhere.
        """
        return self._board(self.rows(states), fallback, restore_nats)

    def board_as_read(self, states: PlaceStates, fallback: Position) -> Position:
        """What every place reads as by itself, without those whose reading is known to be stuck."""
        is_read = self.now.visible & (states.stuck <= priors.STUCK_FROM)
        return self._board(np.where(is_read[:, None], self.now.table, 0.0), fallback, 0.0)

    def _board(self, nats: Table, fallback: Position, restore_nats: float) -> Position:
        """The likeliest content of every place by (26, 31) log-likelihoods; see `likeliest_board`."""
        is_due = of_board(nats, fallback) >= nats.max(axis=1)
        known = np.where(is_due, columns(fallback), nats.argmax(axis=1)).tolist()
        white, black = (
            self._side(player, known, nats, fallback.side(player), restore_nats) for player in Player
        )
        return Position(white, black)

    def _side(
        self, player: Player, known: list[int], nats: Table, held: tuple[int, ...], restore_nats: float
    ) -> list[int]:
        """The counts of `player`, who held `held`, by the `known` columns.

        Counts change if then none of his checkers is missing or too many: tall stacks are read with little
        certainty, stuck places say nothing, and of two boards that are almost equally likely, the one that
        loses no checker is true. Checkers missing elsewhere lie on a mixed place, beside what lay there.
        """
        sign, bar = (1, BAR - 1) if player is Player.WHITE else (-1, BAR)
        rows = range(BAR - 1)[::sign]
        mixed = [place for place, row in enumerate(rows, start=1) if row in self.now.mixed]
        own = [0, *(max(0, sign * (known[row] - MAX_COUNT)) for row in rows), known[bar]]
        for place in mixed:
            own[place] = max(1, held[place])
        gone = sum(held[1:]) - sum(own)
        if gone > 0 and mixed:
            own[mixed[0]] += gone
        elif gone:
            step, n_due = (1 if gone > 0 else -1), abs(gone)
            room = [MAX_COUNT - n if gone > 0 else n for n in own]
            costs = {
                place: [
                    nats[row, known[row]] - nats[row, known[row] + sign * step * n]
                    for n in range(1, min(room[place], n_due) + 1)
                ]
                for place, row in enumerate(rows, start=1)
                if place not in mixed and own[place] > (gone > 0)
            }
            for place, n in _cheapest_changes(costs, n_due, restore_nats).items():
                own[place] += step * n
        return [max(0, min(MAX_COUNT, sum(held)) - sum(own)), *own[1:]]


def _cheapest_changes(costs: Mapping[int, Sequence[float]], n_due: int, most_nats: float) -> dict[int, int]:
    """By how many checkers to change each place, so that `n_due` change at the least cost; {} for none.

    costs: by place, the cost in nats of changing it by one checker, by two, and so on. most_nats: the changes
    must cost less together.
    """
    ways: dict[int, tuple[float, dict[int, int]]] = {0: (0.0, {})}
    for place, of_place in costs.items():
        for n_done, (cost, changes) in tuple(ways.items()):
            for n, more in enumerate(of_place[: n_due - n_done], start=1):
                if cost + more < ways.get(n_done + n, (most_nats,))[0]:
                    ways[n_done + n] = cost + more, {**changes, place: n}
    _, changes = ways.get(n_due, (most_nats, {}))
    return changes


def _taken_for_one(position: Position, row: int, nats: Table) -> float:
    """Log-likelihood of a mixed row read as the greater number's colour: all checkers, or that number."""
    white, black = position.white[row + 1], position.black[BAR - 1 - row]
    sign = 1 if white >= black else -1
    told = [MAX_COUNT + sign * min(n, MAX_COUNT) for n in (white + black, max(white, black))]
    shares = np.log([priors.BOTH_COUNTED_AS_ONE, 1 - priors.BOTH_COUNTED_AS_ONE])
    return math.log(priors.BOTH_TAKEN_FOR_ONE) + float(np.logaddexp.reduce(shares + nats[told]))


@lru_cache(maxsize=4096)
def _rows_with_both(position: Position) -> frozenset[int]:
    """The rows of the points on which both players have checkers."""
    white, black = position.white, position.black
    return frozenset(row for row in range(BAR - 1) if white[row + 1] > 0 and black[BAR - 1 - row] > 0)
