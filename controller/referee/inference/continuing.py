"""Histories continued by one more half-turn: every legal play of a roll."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from controller.referee import priors
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import (
    BoardLayout,
    PlayResults,
    boards_on_the_way,
    play_results,
)
from controller.referee.inference.board_memory import ROW_INDICES, BoardMemory, columns
from controller.referee.inference.histories import History
from controller.referee.inference.reach import best_fit
from controller.referee.inference.roll_evidence import RollHypothesis
from controller.rules import Dice, PlayMade, Position, steps_between


@dataclass(frozen=True, eq=False)
class CandidatePlays:
    """A history continued by every legal play of one throw, all weighed at once.

    past_weight, log_likelihood: (n,), one value for each play; see History.
    """

    parent: History
    throw: RollHypothesis
    results: PlayResults
    past_weight: npt.NDArray[np.float64]
    log_likelihood: npt.NDArray[np.float64]
    weighed_ms: int | None

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        return self.past_weight + self.log_likelihood

    def history_of(self, i: int, t_ms: int) -> History:
        """The history in which play `i` is made."""
        play = self.results.plays[i]
        turn = lawful_turn(self.parent, self.throw.dice, play, t_ms, inferred=self.throw.inferred)
        return self.parent.after_turn(
            turn, float(self.past_weight[i]), float(self.log_likelihood[i]), self.weighed_ms
        )


def lawful_turn(parent: History, dice: Dice, play: PlayMade, t_ms: int, *, inferred: bool) -> HalfTurn:
    """The half-turn in which the player on roll makes `play` of `dice`."""
    return HalfTurn(
        t_ms=t_ms,
        player=parent.on_roll,
        dice=dice,
        dice_inferred=inferred,
        steps=play.steps,
        legal=True,
        position=play.result,
        words=parent.rules.words(play),
        turn_state=play.turn_state,
    )


def turn_leading_to(
    parent: History, dice: Dice | None, board: Position, t_ms: int, *, inferred: bool = False
) -> HalfTurn:
    """The half-turn in which the player on roll leaves `board`: a legal play of `dice`, or an illegal one."""
    if dice and (plays := parent.plays(dice).leading_to(board)):
        return lawful_turn(parent, dice, plays[0], t_ms, inferred=inferred)
    return HalfTurn(
        t_ms=t_ms,
        player=parent.on_roll,
        dice=dice,
        dice_inferred=inferred,
        steps=steps_between(parent.position, parent.on_roll, board),
        legal=False,
        position=board,
    )


def candidate_plays(
    history: History,
    throws: Iterable[RollHypothesis],
    evidence: BoardEvidence,
    t_ms: int,
    least: float = -math.inf,
) -> list[CandidatePlays]:
    """`history` continued by every legal play of each of `throws`.

    The last view may be from before the play was complete: the older it is, the likelier. Where no play can
    come to weigh `least` in this way, that is left out: to weigh it takes time.
    """
    throws = _that_may_be(history, throws)
    now = evidence.now
    row_nats = evidence.rows(history.place_states)
    is_older = history.went_on_after(now.t_ms)
    unseen = 1.0 if is_older else share_unseen(now, t_ms)
    if history.turn_state.choosing:
        unseen = 0.0
    fresh = math.log(1 - unseen) if unseen < 1 else -math.inf
    before = history.weight_before(now.t_ms)
    results = [play_results(history.rules, history.turn_state, throw.dice) for throw in throws]
    past_weights = [
        before + throw.prior + found.play_log_priors(history.p_bears_all)
        for throw, found in zip(throws, results, strict=True)
    ]
    stale = -math.inf
    if unseen and is_older:
        stale = math.log(unseen) + min(0.0, history.log_likelihood)
    elif unseen and throws:
        likeliest = max(float(past_weight.max()) for past_weight in past_weights)
        if least == -math.inf or likeliest + math.log(unseen) + best_fit(history, evidence) >= least:
            rolls = tuple(throw.dice for throw in throws)
            stale = math.log(unseen) + partial_play_fit(history, rolls, evidence)
    return [
        CandidatePlays(
            history,
            throw,
            found,
            past_weight,
            np.logaddexp(fresh + found.log_likelihoods(row_nats), stale),
            now.t_ms,
        )
        for throw, found, past_weight in zip(throws, results, past_weights, strict=True)
    ]


def likeliest_continuations(
    candidates: list[CandidatePlays], t_ms: int, least: float = -math.inf
) -> list[History]:
    """The histories worth keeping: those not far behind the likeliest of them, and not below `least`.

    A board that several throws lead to has the weight of all of them together.
    """
    if not candidates:
        return []
    weights = np.concatenate([one.weights for one in candidates])
    family = np.repeat(np.arange(len(candidates)), [len(one.past_weight) for one in candidates])
    member = np.concatenate([np.arange(len(one.past_weight)) for one in candidates])
    least = max(least, float(weights.max()) - priors.KEEP_WITHIN_NATS)
    wide = any(one.parent.rules.is_wide(one.throw.dice) for one in candidates)
    ranked = np.argsort(-weights, kind="stable")[: priors.KEEP_MOST_OF_WIDE if wide else priors.KEEP_MOST]
    found: dict[tuple[int, Position], History] = {}
    for i in ranked:
        if weights[i] < least:
            break
        of, number = candidates[family[i]], int(member[i])
        key = id(of.parent), of.results[number]
        if same := found.get(key):
            both = float(np.logaddexp(same.past_weight, of.past_weight[number]))
            found[key] = replace(same, past_weight=both)
        else:
            found[key] = of.history_of(number, t_ms)
    return list(found.values())


def _that_may_be(history: History, throws: Iterable[RollHypothesis]) -> tuple[RollHypothesis, ...]:
    """Those of `throws` that may come next. Doublets with tens of thousands of plays are not guessed."""
    if history.turn_state.choosing:
        return tuple(throw for throw in throws if throw.dice.is_double)
    return tuple(throw for throw in throws if not (throw.inferred and history.rules.is_wide(throw.dice)))


def partial_play_fit(history: History, rolls: tuple[Dice, ...], evidence: BoardEvidence) -> float:
    """Log-likelihood of the board during a play of one of `rolls`: not begun, half made or complete.

    All complete plays are equally likely, and so are all boards on the way. A play seldom rests half made.
    """
    row_nats = evidence.rows(history.place_states)
    plays = [play_results(history.rules, history.turn_state, dice).columns for dice in rolls]
    complete = np.concatenate(plays)
    on_the_way = boards_under_way(history, rolls, evidence).columns
    whole = (1 - priors.RESTS_HALF_MADE) / 2
    parts = (
        (whole, np.array([columns(history.expected_board)])),
        (priors.RESTS_HALF_MADE / max(len(on_the_way), len(complete)), on_the_way),
        (whole / len(complete), complete),
    )
    fits = [
        math.log(share) + np.logaddexp.reduce(row_nats[ROW_INDICES, boards].sum(axis=1))
        for share, boards in parts
    ]
    return float(np.logaddexp.reduce(fits))


def boards_under_way(history: History, rolls: tuple[Dice, ...], evidence: BoardEvidence) -> BoardLayout:
    """The boards that a play of one of `rolls` may show: not begun, half made or complete.

    If a roll has tens of thousands of plays, only the boards on the way to what is seen.
    """
    if not any(history.rules.is_wide(dice) for dice in rolls):
        return boards_on_the_way(history.rules, history.turn_state, rolls)
    shown = evidence.likeliest_board(history.place_states, history.position)
    return boards_on_the_way(history.rules, history.turn_state, rolls, shown)


def share_unseen(memory: BoardMemory, t_ms: int) -> float:
    """The probability that the play went on after the last reading."""
    age_ms = math.inf if memory.t_ms is None else max(0, t_ms - memory.t_ms)
    return 1 - math.exp(-age_ms / priors.PLAY_TAKES_MS)
