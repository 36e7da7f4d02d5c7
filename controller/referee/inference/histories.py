"""The courses of the game that are still possible, each with its weight.

Weights are natural logarithms.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate

import numpy as np

from controller.referee import priors
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_evidence import BoardEvidence, PlaceStates
from controller.referee.inference.board_layouts import play_results
from controller.rules import Dice, Player, Plays, Position, Rules, TurnState


@dataclass(frozen=True, eq=False)
class History:
    """One possible course of the game so far: a chain of half-turns back to the board it began from.

    turn_state: the game after the last half-turn. rules: the game that is played.
    place_states: content and reader of each place at the last view that was weighed for good.
    past_weight: priors of all half-turns and log-likelihoods of the views weighed for good; nats.
    log_likelihood: of the view at weighed_ms if the expected board lies there, summed over all places; nats.
    upset_nats: prior of the further upset boards since the last view weighed for good; nats.
    rested_upset: whether the last board that lay still fits no better than an upset one.
    unexplained_nats: log-likelihood of the views since the last play that were weighed for good and showed an
        upset board.
    lying_board: the board that lies there while a play is followed without a sensor, or with a checker
        knocked off; else None.
    bearing_log_odds: of each player who has played, the log-odds of the habit of bearing off all he can.
    by_word: people have said what stood after the last half-turn. No picture changes that.
    """

    turn_state: TurnState
    rules: Rules
    place_states: PlaceStates
    parent: "History | None" = None
    turn: HalfTurn | None = None
    past_weight: float = 0.0
    log_likelihood: float = 0.0
    weighed_ms: int | None = None
    upset_nats: float = 0.0
    rested_upset: bool = False
    unexplained_nats: float = 0.0
    lying_board: Position | None = None
    bearing_log_odds: Mapping[Player, float] = field(default_factory=dict)
    by_word: bool = False

    @classmethod
    def starting_from(
        cls, turn_state: TurnState, rules: Rules, reader: PlaceStates | None = None
    ) -> "History":
        """The history before any play from `turn_state`. reader: what is known of the reader already."""
        stuck = None if reader is None else reader.stuck
        return cls(turn_state, rules, PlaceStates.unknown(turn_state.position, stuck))

    @property
    def position(self) -> Position:
        """The board after the last half-turn."""
        return self.turn_state.position

    @property
    def on_roll(self) -> Player:
        """Who plays from it."""
        return self.turn_state.on_roll

    def plays(self, dice: Dice) -> Plays:
        """The legal plays of `dice` now."""
        return self.rules.plays(self.turn_state, dice)

    def with_prior(self, prior_nats: float) -> "History":
        """The same history with one more prior."""
        return replace(self, past_weight=self.past_weight + prior_nats)

    def went_on_after(self, t_ms: int | None) -> bool:
        """Whether the last half-turn ended later than `t_ms`; False where that is None."""
        return self.turn is not None and t_ms is not None and self.turn.t_ms > t_ms

    def weight_before(self, seen_ms: int | None) -> float:
        """The weight without the view of `seen_ms`, which is about to be weighed anew."""
        return self.past_weight if self.weighed_ms == seen_ms else self.weight

    def pause_before(self, t_ms: int) -> int:
        """Milliseconds from the last half-turn to `t_ms`."""
        return t_ms - (self.turn.t_ms if self.turn else 0)

    def with_view_kept(self, seen_ms: int | None) -> "History":
        """The same with its last view kept in the past weight, unless that is the view of `seen_ms`."""
        return replace(self, past_weight=self.weight_before(seen_ms))

    def weighed(self, evidence: BoardEvidence, *, may_be_upset: bool = False) -> "History":
        """The same with a view weighed in place of the last one."""
        nats = evidence.log_likelihood(self.expected_board, self.place_states)
        nats = float(np.logaddexp(nats, self._not_yet_played(evidence)))
        upset = priors.BOARD_UPSET_NATS + self.upset_nats if may_be_upset else -math.inf
        return replace(self, log_likelihood=max(nats, upset), weighed_ms=evidence.now.t_ms)

    def _not_yet_played(self, evidence: BoardEvidence) -> float:
        """Log-likelihood of the view showing the board before the last play: the dice were lifted early."""
        turn, seen_ms = self.turn, evidence.now.t_ms
        if self.parent is None or turn is None or not turn.legal or seen_ms is None or self.lying_board:
            return -math.inf
        late = math.log(priors.LIFTED_EARLY) - max(0, seen_ms - turn.t_ms) / priors.PLAY_TAKES_MS
        return late + evidence.log_likelihood(self.parent.expected_board, self.place_states)

    def weighed_for_good(self, evidence: BoardEvidence) -> "Iterator[History]":
        """The same with its last view counted. Later views are weighed against it, unless that was upset.

        If the view may show the board before the last play, that case becomes a course of its own.
        """
        if self.log_likelihood <= priors.BOARD_UPSET_NATS:
            yield self._after_upset()
            return
        unplayed = self._not_yet_played(evidence)
        # Split the mixture that `weighed` made. A share so small that it would be dropped is left out.
        share, states = math.exp(min(0.0, unplayed - self.log_likelihood)), self.place_states
        least = math.exp(-priors.KEEP_WITHIN_NATS)
        if self.parent and share > least:
            yield self._counted(unplayed, evidence.states_after(self.parent.expected_board, states))
        if share < 1 - least:
            played = self.log_likelihood + math.log1p(-share)
            yield self._counted(played, evidence.states_after(self.expected_board, states))

    def at_rest(self, *, otherwise: bool) -> "History":
        """The same after a board lay still; `otherwise`: it looks different from the last one that did.

        If both boards were upset, the board was upset twice.
        """
        is_upset = self.log_likelihood <= priors.BOARD_UPSET_NATS + self.upset_nats
        again = priors.BOARD_UPSET_NATS if is_upset and self.rested_upset and otherwise else 0.0
        return replace(
            self,
            rested_upset=is_upset,
            upset_nats=self.upset_nats + again,
            log_likelihood=self.log_likelihood + again,
        )

    def with_upset_counted(self, best: float = 0.0) -> "History":
        """The same with its last view counted if that shows an upset board: what follows is a play.

        best: log-likelihood of the view by the likeliest history. A view that neither explains shows no upset
        board.
        """
        return self._after_upset() if self.log_likelihood <= best + priors.BOARD_UPSET_NATS else self

    def _after_upset(self) -> "History":
        counted = self._counted(self.log_likelihood, self.place_states)
        return replace(counted, unexplained_nats=self.unexplained_nats + self.log_likelihood)

    def _counted(self, log_likelihood: float, states: PlaceStates) -> "History":
        weight = self.past_weight + log_likelihood
        return replace(self, past_weight=weight, log_likelihood=0.0, upset_nats=0.0, place_states=states)

    def after_turn(
        self, turn: HalfTurn, past_weight: float, log_likelihood: float = 0.0, weighed_ms: int | None = None
    ) -> "History":
        """The history in which `turn` comes next, with these weights."""
        turn_state = turn.turn_state or replace(
            self.turn_state.on_board(turn.position), on_roll=turn.player.opponent, choosing=False
        )
        return History(
            turn_state,
            self.rules,
            self.place_states,
            parent=self,
            turn=turn,
            past_weight=past_weight,
            log_likelihood=log_likelihood,
            weighed_ms=weighed_ms,
            bearing_log_odds=self._bearing_log_odds_after(turn),
        )

    def after_unseen_turn(self, turn: HalfTurn, prior: float) -> "History":
        """The history in which `turn` comes next and leaves on the board what lies there anyway."""
        return self.after_turn(turn, self.past_weight + prior, self.log_likelihood, self.weighed_ms)

    @property
    def p_bears_all(self) -> float:
        """Probability that the player on roll has the habit of bearing off all he can."""
        return 1 / (1 + math.exp(-self.bearing_log_odds.get(self.on_roll, 0.0)))

    def _bearing_log_odds_after(self, turn: HalfTurn) -> Mapping[Player, float]:
        if turn.dice is None or not turn.legal or self.rules.is_wide(turn.dice):
            return self.bearing_log_odds
        nats = play_results(self.rules, self.turn_state, turn.dice).evidence_of_bearing_all(turn.position)
        odds = self.bearing_log_odds.get(turn.player, 0.0) + nats
        most = priors.BEARING_HABIT_LIMIT_NATS
        return {**self.bearing_log_odds, turn.player: min(max(odds, -most), most)}

    @property
    def is_irregular(self) -> bool:
        """Whether the last half-turn left a board that the laws do not allow."""
        return self.turn is not None and not self.turn.legal

    @property
    def is_over(self) -> bool:
        """Whether the game has been won."""
        return self.rules.win(self.turn_state) is not None

    @property
    def expected_board(self) -> Position:
        """The board that should lie there now by this history."""
        return self.lying_board or self.position

    @property
    def weight(self) -> float:
        """Log of the probability of this history, up to a constant that all histories share."""
        return self.past_weight + self.log_likelihood

    @property
    def before(self) -> Position:
        """The board before the last half-turn."""
        return self.parent.position if self.parent else self.position

    @property
    def chain(self) -> "tuple[History, ...]":
        """The histories from the one before any play to this one, each with its last half-turn.

        One without a half-turn, but for the first, begins where people set up a board.
        """
        found = [self]
        while (parent := found[-1].parent) is not None:
            found.append(parent)
        return tuple(found[::-1])

    def chain_after(self, n_turns: int) -> "tuple[History, ...]":
        """The part of the chain from the half-turn that follows `n_turns` others; () if there is none."""
        counts = accumulate(one.turn is not None for one in self.chain)
        return tuple(one for one, n in zip(self.chain, counts, strict=True) if n > n_turns)

    @property
    def root(self) -> "History":
        """The history as it began."""
        return self.chain[0]

    @property
    def turns(self) -> tuple[HalfTurn, ...]:
        """The half-turns played, the first one first."""
        return tuple(one.turn for one in self.chain if one.turn is not None)

    def after_seen_turn(self, turn: HalfTurn, prior: float, evidence: BoardEvidence) -> "History":
        """The history in which `turn` comes next, its board weighed against a view."""
        return self.after_turn(turn, self.weight_before(evidence.now.t_ms) + prior).weighed(evidence)

    def after_told_turn(self, turn: HalfTurn) -> "History":
        """The history in which `turn` comes next by the log or by people's word: nothing is weighed."""
        return self.after_turn(turn, self.weight)


def half_turn_nats(pause_ms: int) -> float:
    """Log-likelihood of a whole half-turn fitting into a pause (Erlang 1909)."""
    passed = priors.PARTS_OF_A_HALF_TURN * max(0, pause_ms) / priors.HALF_TURN_TAKES_MS
    under_way = sum(passed**n / math.factorial(n) for n in range(priors.PARTS_OF_A_HALF_TURN))
    return math.log(max(priors.LEAST_HASTE, 1 - math.exp(-passed) * under_way))


def likeliest_history(histories: Iterable[History]) -> History:
    """The likeliest history."""
    return max(histories, key=lambda history: history.weight)


def weight_of_all(histories: Iterable[History]) -> float:
    """The weight of all histories together; minus infinity if there is none."""
    return float(np.logaddexp.reduce([history.weight for history in histories]))


def pruned(histories: Iterable[History]) -> tuple[History, ...]:
    """The histories worth keeping, likeliest first.

    Only the likeliest is kept of those that agree in the boards before and after the last half-turn, the
    expected board, the board last weighed for good, the player on roll, and whether that half-turn was legal.
    """

    def line(history: History) -> Hashable:
        before = history.parent.position if history.parent else None
        lay = history.place_states.position
        return before, lay, history.position, history.expected_board, history.on_roll, history.is_irregular

    return _likeliest_of_each(line, histories, priors.KEEP_WITHIN_NATS, priors.KEEP_MOST)


def leading_histories(
    histories: Iterable[History], within: float, weight: Callable[[History], float] | None = None
) -> tuple[History, ...]:
    """The likeliest history of each board, expected board and player on roll at most `within` nats behind.

    There are at most as many as a wide search follows. weight: takes the place of each history's own weight.
    """

    def line(history: History) -> Hashable:
        return history.position, history.expected_board, history.on_roll

    return _likeliest_of_each(line, histories, within, priors.MOST_FOLLOWED, weight)


def rival_histories(
    histories: Iterable[History], within: float = priors.UNSURE_WITHIN_NATS, most: int = 3
) -> tuple[History, ...]:
    """The likeliest history of each board at most `within` nats behind; at most `most`, likeliest first."""
    return _likeliest_of_each(lambda history: history.position, histories, within, most)


def _likeliest_of_each(
    line: Callable[[History], Hashable],
    histories: Iterable[History],
    within: float,
    most: int,
    weight: Callable[[History], float] | None = None,
) -> tuple[History, ...]:
    """The likeliest history of each `line` at most `within` nats behind; at most `most`, likeliest first."""
    ranked = [(weight(history) if weight else history.weight, history) for history in histories]
    ranked.sort(key=lambda one: -one[0])
    found: dict[Hashable, History] = {}
    for nats, history in ranked:
        if nats < ranked[0][0] - within or len(found) == most:
            break
        found.setdefault(line(history), history)
    return tuple(found.values())


def lead_nats(histories: Iterable[History]) -> float:
    """By how many nats the likeliest board leads the likeliest different one."""
    first, *rest = rival_histories(histories, math.inf)
    return first.weight - rest[0].weight if rest else math.inf


def first_differing_turn(histories: tuple[History, ...]) -> int | None:
    """The first half-turn (from 0) after which the boards of the histories differ; None if there is none."""
    boards = zip(*([turn.position for turn in history.turns] for history in histories), strict=False)
    return next((index for index, there in enumerate(boards) if len(set(there)) > 1), None)
