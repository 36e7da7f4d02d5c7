"""What a view of the board says of each place. The model includes the reader's errors.

A place that nobody touches looks the same in every picture, so its reading counts once. A reading may be
stuck: then it stays as it is, whatever is played there. Both follow from one forward step of a hidden Markov
model with two states of the reader at each place, right and stuck; docs/referee.md has the formulas.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from controller.referee import priors
from controller.referee.events import MAX_COUNT, N_ROWS
from controller.referee.inference.board_layouts import ROW_INDICES
from controller.referee.inference.board_memory import COUNTS, N_COLUMNS, BoardMemory, Table, columns, moved
from controller.rules import BAR, Position

Shares = npt.NDArray[np.float64]
Looks = npt.NDArray[np.bool_]

_APART = np.abs(np.subtract.outer(np.arange(N_COLUMNS), np.arange(N_COLUMNS)))
_STACKS = np.sign(COUNTS) * (np.abs(COUNTS) >= priors.TALL_STACK)
"""(31,) for each column of a point: 1 if it is a tall stack of White's, -1 if of Black's, else 0."""

_ON_POINTS = ROW_INDICES[:, None] < BAR - 1
"""(26, 1) whether each row is a point."""

MISREAD = np.where(_APART == 1, priors.P_ONE_OFF / 2, (1 - priors.P_ONE_OFF) / (N_COLUMNS - 3)) * (_APART > 0)
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
    _tables: dict[int, tuple[PlaceStates, Table]] = field(default_factory=dict)
    _moved_since: dict[int, tuple[BoardMemory, Shares]] = field(default_factory=dict)

    def of_full_view(self) -> "BoardEvidence":
        """What the last full view says."""
        return BoardEvidence(now=self.full_view or BoardMemory(), full_view=self.full_view)

    @cached_property
    def _hidden(self) -> Looks:
        hidden = np.ones((N_ROWS, 1), np.bool_)
        hidden[list(self.now.visible)] = False
        return hidden

    def _moved(self, look: BoardMemory) -> Shares:
        """(26, 1) how far each place looks different from `look`: total variation, 0 to 1."""
        if id(look) not in self._moved_since:
            self._moved_since[id(look)] = look, moved(look, self.now)[:, None]
        return self._moved_since[id(look)][1]

    def _forward(self, states: PlaceStates) -> tuple[Shares, Shares]:
        """(26, 31) each: likelihood of the look by content, with the reader right, and with it stuck."""
        stuck = states.stuck[:, None]
        fresh, apart = states.look.n_readings[:, None] == 0, self._moved(states.look)
        seen = self.now.likelihood
        loose = (1 - stuck) + stuck * priors.P_COMES_LOOSE
        held, same = columns(states.position), np.zeros(seen.shape, np.bool_)
        same[ROW_INDICES, held] = True
        # The worse a place was read, the likelier it looks the same after a play.
        was_read = states.look.likelihood[ROW_INDICES, held][:, None]
        # A place left alone that fits less well than before pays for the loss, so slow changes add up.
        less = np.minimum(1.0, seen / states.look.likelihood)
        stacks = (_STACKS[list(held)][:, None] * _STACKS > 0) & _ON_POINTS
        alike_if_played = np.where(stacks, priors.STACK_CHANGED_BUT_ALIKE, priors.CHANGED_BUT_ALIKE)
        alike = (1 - stuck) * np.where(same, less, np.minimum(seen, alike_if_played / was_read))
        # The less surely a place was read, the likelier it looks different though left alone.
        share = states.look.shares[ROW_INDICES, held][:, None]
        ended = np.minimum(priors.P_MISREADING_ENDS, priors.UNTOUCHED_BUT_DIFFERENT / share)
        unlike = loose * np.where(same, seen * ended, seen)
        is_alike = ~fresh & (apart < priors.ALIKE_READING_SHARE)
        between = fresh | (apart < priors.UNLIKE_READING_SHARE)
        doubtful = (1 - stuck) * np.where(same, less, seen)
        right = np.where(is_alike, alike, np.where(between, doubtful, unlike))
        first, again = priors.P_GETS_STUCK * priors.P_ONE_LOOK, priors.P_ERRS_AGAIN * self._misread
        anew = (1 - stuck) * first + stuck * again
        kept = np.where(fresh, stuck * priors.P_ONE_LOOK, np.where(is_alike | between, stuck, anew))
        return right, np.broadcast_to(kept, right.shape)

    @cached_property
    def _misread(self) -> Shares:
        """(26, 31) likelihood of the look if each content lies there and is misread."""
        said = self.now.likelihood - math.exp(priors.PLACE_FLOOR_NATS)
        return np.asarray(said / said.sum(axis=1, keepdims=True) @ MISREAD)

    def rows(self, states: PlaceStates) -> Table:
        """(26, 31) log-likelihood of each content of each row, for a course with `states` before the view."""
        known = self._tables.get(id(states))
        if known is None:
            right, kept = self._forward(states)
            known = states, np.where(self._hidden, 0.0, np.minimum(np.log(right + kept), 0.0))
            self._tables[id(states)] = known
        return known[1]

    def log_likelihood(self, position: Position, states: PlaceStates) -> float:
        """Log-likelihood of `position`. A point with both colours is seen so, or taken for one colour."""
        rows = self.rows(states)
        nats = rows[ROW_INDICES, columns(position)]
        for row in _rows_with_both(position) & self.now.visible:
            nats[row] = 0.0 if row in self.now.mixed else _taken_for_one(position, row, rows[row])
        return float(nats.sum())

    def states_after(self, position: Position, states: PlaceStates) -> PlaceStates:
        """The states after this view was weighed for good while `position` lay there."""
        right, kept = (table[ROW_INDICES, columns(position)] for table in self._forward(states))
        stuck = np.clip(
            kept / (right + kept), priors.P_GETS_STUCK * priors.P_ONE_LOOK, 1 - priors.P_GETS_STUCK
        )
        return PlaceStates(position, self.now, np.where(self._hidden[:, 0], states.stuck, stuck))

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
        unread = self._hidden | (states.stuck > priors.STUCK_FROM)[:, None]
        return self._board(np.where(unread, 0.0, self.now.table), fallback, 0.0)

    def _board(self, nats: Table, fallback: Position, restore_nats: float) -> Position:
        """The likeliest content of every place by (26, 31) log-likelihoods; see `likeliest_board`."""
        due = np.array(columns(fallback))
        likeliest = nats.argmax(axis=1)
        is_due = nats[ROW_INDICES, due] >= nats[ROW_INDICES, likeliest]
        known = [int(column) for column in np.where(is_due, due, likeliest)]
        _restore(known, nats, fallback, self.now.mixed, restore_nats)
        net = [column - MAX_COUNT for column in known[:24]]
        white = [max(n, 0) for n in net]
        black = [max(-n, 0) for n in reversed(net)]
        for row in self.now.mixed - {BAR - 1, BAR}:
            # What lay there still does, and checkers that are nowhere else have come to it.
            white[row] = max(1, fallback.white[row + 1])
            black[BAR - 2 - row] = max(1, fallback.black[BAR - 1 - row])
            white[row] += max(0, sum(fallback.white[1:]) - sum(white) - known[24])
            black[BAR - 2 - row] += max(0, sum(fallback.black[1:]) - sum(black) - known[25])
        n_white, n_black = (min(MAX_COUNT, sum(side)) for side in (fallback.white, fallback.black))
        return Position(
            white=(max(0, n_white - sum(white) - known[24]), *white, known[24]),
            black=(max(0, n_black - sum(black) - known[25]), *black, known[25]),
        )


def _restore(
    known: list[int], nats: Table, fallback: Position, mixed: frozenset[int], restore_nats: float
) -> None:
    """Change one count of each player in `known` if then none of his checkers is missing or too many.

    Tall stacks are read with little certainty, and stuck places say nothing: of two boards that are almost
    equally likely, the one that loses no checker is true. Checkers missing elsewhere lie on a `mixed` row.
    """
    for sign, bar, side in ((1, 24, fallback.white), (-1, 25, fallback.black)):
        counts = {row: sign * (known[row] - MAX_COUNT) for row in range(BAR - 1) if row not in mixed}
        on_mixed = sum(max(1, side[row + 1 if sign > 0 else BAR - 1 - row]) for row in mixed if row < BAR - 1)
        gone = sum(side[1:]) - sum(max(0, n) for n in counts.values()) - on_mixed - known[bar]
        if not gone or (mixed and gone > 0):
            continue
        costs = [
            (float(nats[row, known[row]] - nats[row, known[row] + sign * gone]), row)
            for row, n in counts.items()
            if n > (gone > 0) and 0 <= n + gone <= MAX_COUNT
        ]
        if costs and min(costs)[0] < restore_nats:
            known[min(costs)[1]] += sign * gone


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
