"""The courses of the game that are still possible, each with its weight.

Weights are natural logarithms.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from controller.referee.events import N_ROWS
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_layouts import ROW_INDICES, Columns, play_results
from controller.referee.inference.board_memory import BoardMemory, columns
from controller.referee.priors import (
    ALIKE_READING_NATS,
    BEARING_HABIT_LIMIT_NATS,
    CHANGED_BUT_ALIKE_NATS,
    CHECKER_KNOCKED_NATS,
    HAND_BESIDE_CHANGE_NATS,
    HAND_SEEN_OVER_CHANGE,
    KEEP_MOST,
    KEEP_WITHIN_NATS,
    NO_HAND_BESIDE_CHANGE_NATS,
    POSSIBLE_CONTENT_NATS,
    UNCHANGED_BUT_DIFFERENT_NATS,
)
from controller.rules import BAR, MODERN, Dice, Player, Plays, Position, Rules, TurnState, rules_of

ORDINARY = rules_of(MODERN)


@dataclass(frozen=True, kw_only=True)
class BoardEvidence:
    """What the board shows of the turn being played.

    now: as far as it can be seen. full_view: as it was last seen whole and without a hand over it since the
    roll, None if it was not. before: as it was when the roll was made, None when no roll was reported.
    """

    now: BoardMemory
    full_view: BoardMemory | None = None
    before: BoardMemory | None = field(default_factory=BoardMemory)

    @cached_property
    def _plainly_changed(self) -> npt.NDArray[np.bool_]:
        return self.before.changed_rows(self.now) if self.before else np.zeros(N_ROWS, np.bool_)

    def _hand_evidence(self, changed: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """(n, 26) log-likelihood of where hands were seen, if rows changed that look as before."""
        touched = self.now.touched_rows(self.before) if self.before else None
        if touched is None:
            return np.zeros(changed.shape)
        away = ~(self._plainly_changed | _neighbours(self._plainly_changed))
        # An arm lies over many places: the more of them, the less a hand over one place proves.
        by_chance = (touched[away].sum() + 0.5) / (away.sum() + 1)
        alone = np.log(
            np.where(
                touched, HAND_SEEN_OVER_CHANGE / by_chance, (1 - HAND_SEEN_OVER_CHANGE) / (1 - by_chance)
            )
        )
        beside = _neighbours(changed | self._plainly_changed)
        return np.where(beside, np.where(touched, HAND_BESIDE_CHANGE_NATS, NO_HAND_BESIDE_CHANGE_NATS), alone)

    def _likeness_evidence(self, changed: npt.NDArray[np.bool_], later: Columns) -> npt.NDArray[np.float64]:
        """(n, 26) log-likelihood of rows reading exactly as before, or not, if these rows changed."""
        if self.before is None or self.before.t_ms is None:
            return np.zeros(changed.shape)
        then, now = self.before.table, self.now.table
        seen = np.zeros(N_ROWS, np.bool_)
        seen[list(self.now.visible & self.before.visible)] = True
        alike = np.abs(then - now).max(axis=1) < ALIKE_READING_NATS
        is_open = (
            seen
            & ((now > POSSIBLE_CONTENT_NATS).sum(axis=1) > 1)
            & ((then > POSSIBLE_CONTENT_NATS).sum(axis=1) > 1)
        )
        unlikely = np.where(changed, CHANGED_BUT_ALIKE_NATS * alike, UNCHANGED_BUT_DIFFERENT_NATS * ~alike)
        return np.asarray(
            np.where(is_open & (now[ROW_INDICES, later] > POSSIBLE_CONTENT_NATS), unlikely, 0.0)
        )

    def _seen_since(self, history: "History") -> bool:
        """Whether the board was seen since the last half-turn of `history` ended."""
        return history.turn is not None and self.now.t_ms is not None and self.now.t_ms > history.turn.t_ms

    def log_likelihood_of_changes(self, history: "History", later: Columns) -> npt.NDArray[np.float64]:
        """(n,) log-likelihood of what was seen of the board of `history` where n later boards differ.

        It is added to the past weight for good. The other places stay evidence on the board, so that no place
        is counted twice.
        """
        due = np.array(columns(history.expected_board))
        now = self.now.row_log_likelihoods(history.expected_board)
        changed = later != due
        if self.before is not None and (self.before.t_ms is not None or not self._seen_since(history)):
            then = self.before.table[ROW_INDICES, due]
            # A place that looks the same before and after counts as one observation.
            unnoticed = np.minimum(0.0, then - now[ROW_INDICES, later]) + self._hand_evidence(changed)
            looks = self._likeness_evidence(changed, later)
            plainly = _sum_unless_knocked(np.where(self._plainly_changed, then, 0.0))
            return np.asarray(
                plainly + (np.where(self._plainly_changed, 0.0, changed * unnoticed) + looks).sum(axis=1)
            )
        if history.best_log_likelihood == -math.inf:
            return np.zeros(len(later))
        return np.asarray(np.minimum(0.0, history.best_log_likelihood - ~changed @ now[ROW_INDICES, due]))


def _sum_unless_knocked(row_nats: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(n,) sums of (n, 26) log-likelihoods. A checker may have been knocked from one place to another."""
    worst = np.partition(row_nats, 1, axis=-1)[..., :2].sum(axis=-1)
    return np.asarray(row_nats.sum(axis=-1) - worst + np.maximum(worst, CHECKER_KNOCKED_NATS))


def _neighbours(changed: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """(..., 26) the points next to those that have changed."""
    beside = np.zeros(changed.shape, np.bool_)
    beside[..., 1 : BAR - 1] |= changed[..., : BAR - 2]
    beside[..., : BAR - 2] |= changed[..., 1 : BAR - 1]
    return beside


@dataclass(frozen=True, eq=False)
class History:
    """One possible course of the game so far: a chain of half-turns back to the board it began from.

    position: the board after the last half-turn; on_roll: who plays from it.
    bearing_log_odds: log-odds that White and Black bear off all they can whenever they can.
    unfinished_board: what lies on the board of a play that is not over, None when none of it is known.
    rules: the game that is played. known_state: the turn state, where it is more than the board and who
        plays.
    by_word: people have said what stood after the last half-turn. No picture changes that.
    past_weight: priors of all half-turns, and log-likelihoods of places before they changed; nats.
    log_likelihood: of the board as it is seen now, if the expected board lies there; nats, all places
        together.
    best_log_likelihood: the best it ever was for this board.
    """

    position: Position
    on_roll: Player
    parent: "History | None" = None
    turn: HalfTurn | None = None
    past_weight: float = 0.0
    log_likelihood: float = 0.0
    best_log_likelihood: float = -math.inf
    unfinished_board: Position | None = None
    bearing_log_odds: tuple[float, float] = (0.0, 0.0)
    rules: Rules = ORDINARY
    known_state: TurnState | None = None
    by_word: bool = False

    @classmethod
    def starting_from(cls, turn_state: TurnState, rules: Rules) -> "History":
        """The history before anything was played from `turn_state`."""
        return cls(turn_state.position, turn_state.on_roll, rules=rules, known_state=turn_state)

    @property
    def turn_state(self) -> TurnState:
        """The game after the last half-turn."""
        return self.known_state or TurnState(self.position, self.on_roll)

    def plays(self, dice: Dice) -> Plays:
        """What may be made of `dice` now."""
        return self.rules.plays(self.turn_state, dice)

    def with_prior(self, prior_nats: float) -> "History":
        """The same history, with one more prior."""
        return replace(self, past_weight=self.past_weight + prior_nats)

    def after_turn(self, turn: HalfTurn, past_weight: float, log_likelihood: float) -> "History":
        """The history in which `turn` came next, with these weights."""
        turn_state = turn.turn_state or replace(
            self.turn_state.on_board(turn.position), on_roll=turn.player.opponent, choosing=False
        )
        return History(
            position=turn_state.position,
            on_roll=turn_state.on_roll,
            parent=self,
            turn=turn,
            past_weight=past_weight,
            log_likelihood=log_likelihood,
            best_log_likelihood=log_likelihood,
            bearing_log_odds=self._bearing_log_odds_after(turn),
            rules=self.rules,
            known_state=turn_state,
        )

    @property
    def p_bears_all(self) -> float:
        """Probability that the player on roll bears off all he can, rather than making any play."""
        return 1 / (1 + math.exp(-self.bearing_log_odds[self.on_roll is Player.BLACK]))

    def _bearing_log_odds_after(self, turn: HalfTurn) -> tuple[float, float]:
        if turn.dice is None or not turn.legal or self.rules.is_wide(turn.dice):
            return self.bearing_log_odds
        nats = play_results(self.rules, self.turn_state, turn.dice).evidence_of_bearing_all(turn.position)
        white, black = self.bearing_log_odds
        if turn.player is Player.WHITE:
            return _within(white + nats), black
        return white, _within(black + nats)

    @property
    def is_over(self) -> bool:
        """Whether the game has been won."""
        return self.rules.win(self.turn_state) is not None

    @property
    def expected_board(self) -> Position:
        """The board that should lie there now."""
        return self.unfinished_board or self.position

    @property
    def weight(self) -> float:
        """The log of how likely this history is, up to a constant that all histories share."""
        return self.past_weight + self.log_likelihood

    @property
    def before(self) -> Position:
        """The board before the last half-turn."""
        return self.parent.position if self.parent else self.position

    @property
    def turns(self) -> tuple[HalfTurn, ...]:
        """The half-turns played, the first one first."""
        turns: list[HalfTurn] = []
        history: History | None = self
        while history is not None:
            if history.turn is not None:
                turns.append(history.turn)
            history = history.parent
        return tuple(reversed(turns))

    @property
    def root(self) -> "History":
        """The history as it began."""
        history = self
        while history.parent is not None:
            history = history.parent
        return history

    def after_weighed_turn(
        self, turn: HalfTurn, prior: float, log_likelihood: float, evidence: BoardEvidence
    ) -> "History":
        """The history in which `turn` came next."""
        kept = float(evidence.log_likelihood_of_changes(self, np.array([columns(turn.position)]))[0])
        return self.after_turn(turn, self.past_weight + prior + kept, log_likelihood)


def _within(odds: float) -> float:
    return min(max(odds, -BEARING_HABIT_LIMIT_NATS), BEARING_HABIT_LIMIT_NATS)


def likeliest_history(histories: Iterable[History]) -> History:
    """The likeliest history."""
    return max(histories, key=lambda history: history.weight)


def lead_nats(histories: Iterable[History]) -> float:
    """By how many nats the likeliest board leads the likeliest different one."""
    top: dict[Position, float] = {}
    for history in histories:
        top[history.position] = max(history.weight, top.get(history.position, -math.inf))
    first, *rest = sorted(top.values(), reverse=True)
    return first - rest[0] if rest else math.inf


def rival_histories(histories: Iterable[History], within: float, most: int = 3) -> tuple[History, ...]:
    """The likeliest history of each board that is less than `within` nats behind, likeliest first."""
    found: dict[Position, History] = {}
    ranked = sorted(histories, key=lambda history: -history.weight)
    for history in ranked:
        if history.weight > ranked[0].weight - within:
            found.setdefault(history.position, history)
    return tuple(found.values())[:most]


def leading_histories(
    histories: Iterable[History], within: float, most: int, weight: Callable[[History], float] | None = None
) -> tuple[History, ...]:
    """The likeliest history of each board and player on roll that are less than `within` nats behind.

    weight: used instead of each history's own weight.
    """
    weighed = [(weight(history) if weight else history.weight, history) for history in histories]
    weighed.sort(key=lambda one: -one[0])
    found: dict[tuple[Position, Position, Player], History] = {}
    for weight_of_one, history in weighed:
        if weight_of_one > weighed[0][0] - within:
            found.setdefault((history.position, history.expected_board, history.on_roll), history)
    return tuple(found.values())[:most]


def first_differing_turn(histories: tuple[History, ...]) -> int | None:
    """The first half-turn (from 0) after which the histories have different boards; None if there is none."""
    boards = zip(*([turn.position for turn in history.turns] for history in histories), strict=False)
    return next((index for index, there in enumerate(boards) if len(set(there)) > 1), None)


def pruned(histories: Iterable[History], most: int = KEEP_MOST) -> tuple[History, ...]:
    """The histories worth keeping, likeliest first, one for each line of boards and players."""
    ranked = sorted(histories, key=lambda history: -history.weight)
    kept: dict[tuple[Position, Position | None, Position, Player], History] = {}
    for history in ranked:
        if history.weight < ranked[0].weight - KEEP_WITHIN_NATS or len(kept) == most:
            break
        before = history.parent.position if history.parent else None
        kept.setdefault((history.position, before, history.expected_board, history.on_roll), history)
    return tuple(kept.values())


def log_mix(share: float, score: float) -> float:
    """The log-weight of one part of a mixture."""
    return math.log(share) + score if share > 0 else -math.inf
