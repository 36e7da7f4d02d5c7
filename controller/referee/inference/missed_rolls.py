"""Turns that the dice sensor did not report: missed rolls, and throws that were not made."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from heapq import merge
from itertools import islice

import numpy as np

from controller.referee import priors
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import boards_on_the_way
from controller.referee.inference.board_memory import BoardMemory, Table, of_board
from controller.referee.inference.continuing import (
    CandidatePlays,
    candidate_plays,
    likeliest_continuations,
    turn_leading_to,
)
from controller.referee.inference.histories import (
    History,
    half_turn_nats,
    leading_histories,
    likeliest_history,
    pruned,
)
from controller.referee.inference.knocked_checkers import with_checker_knocked
from controller.referee.inference.reach import best_fit, bound_after_play, reachable_log_likelihoods
from controller.referee.inference.roll_evidence import (
    ALL_ROLLS,
    RollEvidence,
    RollHypothesis,
    any_roll,
    misreported_rolls,
    roll_seen,
)
from controller.referee.inference.seen_plays import plays_as_seen, prior_of_part
from controller.rules import ClosedOut, Dice, Laws, Player, Position

UnseenPlay = tuple[float, Callable[[], History]]
"""Upper bound on the weight that a history may come to have, and a function that makes the history."""


def with_missed_rolls(
    histories: tuple[History, ...],
    throws: tuple[RollHypothesis, ...],
    evidence: BoardEvidence,
    t_ms: int,
    *,
    thrown: bool,
    ended_ms: int,
    next_reported: bool = False,
) -> tuple[History, ...]:
    """The histories, and those in which a roll was missed: the player on roll has played one of `throws`, or
    he could not move and his opponent has played one.

    Missed rolls are considered when no lawful play explains a settled board, when dice are seen to have been
    `thrown`, and when the next roll is reported: then a doubtful place may also hide what was borne off. A
    play inferred since the last half-turn ended, at ended_ms, is inferred anew: no reported roll followed.
    """
    top = likeliest_history(histories)
    is_lawful = not top.is_irregular and top.lying_board is None
    is_explained = is_lawful and top.log_likelihood > priors.UNEXPLAINED_NATS
    if is_explained and not thrown and not next_reported:
        return histories
    prior = priors.ROLL_SEEN_IN_PICTURES_NATS if thrown else priors.ROLL_MISSED_NATS
    followed = _rolled_unreported(histories, evidence, ended_ms, prior)
    followed += [danced for history in followed for danced in after_missed_unplayable_roll(history, t_ms)]
    hopes = [
        (bound_after_play(history, evidence), partial(_itself, history))
        for history in followed
        if best_fit(history, evidence)
        > evidence.log_likelihood(history.position, history.place_states) - priors.UNEXPLAINED_NATS
        or (next_reported and _may_hide_bear_off(history, evidence))
    ]
    children = followed_by_any_play(hopes, throws, evidence, t_ms, top.weight)
    played = likeliest_continuations(children, t_ms)
    return pruned([*histories, *played, *with_checker_knocked(played, evidence, top.weight)])


def with_missed_irregular_plays(
    histories: tuple[History, ...],
    pictures: RollEvidence,
    evidence: BoardEvidence,
    t_ms: int,
    *,
    ended_ms: int,
) -> tuple[History, ...]:
    """The histories, and those in which the player on roll made an irregular play of the dice in `pictures`.

    These are added before a reported roll, if no history explains the board by those dice. ended_ms: as for
    `with_missed_rolls`.
    """
    top, dice = likeliest_history(histories), pictures.roll
    inferred = top.turn.dice if top.turn and top.went_on_after(ended_ms) else dice
    is_explained = top.log_likelihood > priors.UNEXPLAINED_NATS and top.lying_board is None
    if dice is None or (is_explained and inferred == dice):
        return histories
    throw = roll_seen(dice, pictures)
    found = [
        child
        for history in _rolled_unreported(histories, evidence.of_full_view(), ended_ms)
        for child in plays_as_seen(history, (), throw, evidence, t_ms)
        if child.is_irregular
    ]
    return pruned([*histories, *found])


def before_missed_roll(histories: tuple[History, ...], ended_ms: int) -> tuple[History, ...]:
    """The histories before the roll that was missed since ended_ms, the end of the last half-turn."""
    waiting = tuple(history for history in histories if not history.went_on_after(ended_ms))
    played = (history.parent for history in histories if history.parent)
    return waiting or pruned(replace(parent, log_likelihood=0.0, weighed_ms=None) for parent in played)


def _rolled_unreported(
    histories: Iterable[History],
    evidence: BoardEvidence,
    ended_ms: int,
    prior: float = priors.ROLL_MISSED_NATS,
) -> list[History]:
    """The histories from which one play of a missed roll may lead to what the board shows.

    A missed roll costs `prior`, and more the shorter the time in which it was played. Where a play was
    inferred since ended_ms, the history before it is taken at no cost: it has paid for the missed roll.
    """
    bound = partial(bound_after_play, evidence=evidence)
    followed = leading_histories(histories, priors.KEEP_WITHIN_NATS, bound)
    played_ms = evidence.now.changed_ms
    thrown = [
        history.with_prior(prior + half_turn_nats(history.pause_before(played_ms)))
        for history in followed
        if not history.is_over
    ]
    return thrown + [one.parent for one in followed if one.parent and one.went_on_after(ended_ms)]


def _may_hide_bear_off(history: History, evidence: BoardEvidence) -> bool:
    """Whether the player may bear off, and the count of some place is doubtful."""
    if not history.rules.most_borne(history.turn_state, history.position, 1):
        return False
    rows = evidence.rows(history.place_states)
    lying = of_board(rows, history.expected_board)
    return bool((np.partition(rows, -2, axis=1)[:, -2] > lying - priors.DOUBTFUL_COUNT_NATS).any())


def after_missed_unplayable_roll(
    history: History, t_ms: int, prior: float | None = None
) -> Iterator[History]:
    """`history` continued by the likeliest missed roll that could not be played, for all such rolls.

    A missed roll costs `prior`; if that is None, as much as one since the last half-turn.
    """
    if history.turn_state.choosing:
        return
    if dances := [dice for dice in ALL_ROLLS if history.position in history.plays(dice)]:
        if prior is None:
            prior = priors.ROLL_MISSED_NATS + half_turn_nats(history.pause_before(t_ms))
        prior += math.log(sum(dice.ways for dice in dances) / 36)
        yield from after_unplayable_roll(history, max(dances, key=lambda dice: dice.ways), t_ms, prior)


def after_unplayable_roll(history: History, dice: Dice, t_ms: int, prior: float) -> Iterator[History]:
    """`history` continued by `dice` at the cost of `prior`, if they can be thrown but not played."""
    if history.turn_state.choosing and not dice.is_double:
        return
    if history.position in history.plays(dice):
        turn = turn_leading_to(history, dice, history.position, t_ms, inferred=True)
        yield history.after_unseen_turn(turn, prior)


def missed_plays(history: History, evidence: BoardEvidence, t_ms: int, rolled_ms: int) -> list[UnseenPlay]:
    """`history` continued by plays of a roll that was missed before the one thrown at rolled_ms.

    The shorter the time since the last half-turn, the less likely such a play.
    """
    thrown = history.with_prior(priors.ROLL_MISSED_NATS + half_turn_nats(history.pause_before(rolled_ms)))
    return list(islice(_unseen_plays(thrown, any_roll(), evidence, t_ms), priors.MOST_UNSEEN_PLAYS))


def other_unseen_plays(
    history: History, seen: RollEvidence, evidence: BoardEvidence, t_ms: int
) -> list[UnseenPlay]:
    """`history` with other last half-turns, since the last one was not seen.

    They are other plays of its dice, plays of dice misreported as these, and plays with a part left out.
    seen: what was seen of the dice. The views that `history` did not explain count against these plays, too.
    """
    parent, turn = history.parent, history.turn
    if parent is None or turn is None or turn.dice is None or parent.rules.is_wide(turn.dice):
        return []
    parent = parent.with_prior(history.unexplained_nats)
    same = RollHypothesis(dice=turn.dice, prior=0.0, inferred=turn.dice_inferred)
    whole = _unseen_plays(parent, (same, *misreported_rolls(turn.dice, seen)), evidence, t_ms)
    parts = _unseen_partial_plays(parent, turn.dice, evidence, turn.t_ms)
    return list(islice(_likeliest_first(whole, parts), priors.MOST_UNSEEN_PLAYS))


def _reach(history: History, evidence: BoardEvidence) -> Table:
    """The best of each row that the opponent can reach from each content that an unseen play leaves."""
    return reachable_log_likelihoods(evidence.rows(history.place_states), history.on_roll)


def _unseen_plays(
    history: History, throws: tuple[RollHypothesis, ...], evidence: BoardEvidence, t_ms: int
) -> Iterator[UnseenPlay]:
    """Every play of `throws`, made without being seen; the most promising first."""
    seen_ms = t_ms if evidence.now.t_ms is None else min(t_ms, evidence.now.t_ms)
    unseen = BoardEvidence(now=BoardMemory(t_ms=seen_ms))
    reach = _reach(history, evidence)
    candidates = candidate_plays(history, throws, unseen, seen_ms)
    if not candidates:
        return
    hopes = np.concatenate([one.past_weight + one.results.log_likelihoods(reach) for one in candidates])
    counts = [len(one.past_weight) for one in candidates]
    firsts = np.cumsum(counts) - counts
    for i in np.argsort(-hopes, kind="stable"):
        n = int(np.searchsorted(firsts, i, "right")) - 1
        yield float(hopes[i]), partial(candidates[n].history_of, int(i - firsts[n]), seen_ms)


def unseen_half_turns(histories: Iterable[History], evidence: BoardEvidence, t_ms: int) -> Iterable[History]:
    """`histories` continued by unseen plays of any roll, one for each of the boards from which the opponent
    can best reach what is seen now.
    """
    throws = any_roll()
    plays = _likeliest_first(*(_unseen_plays(history, throws, evidence, t_ms) for history in histories))
    found: dict[tuple[Position, Player], History] = {}
    for _, made in plays:
        over = made()
        found.setdefault((over.position, over.on_roll), over)
        if len(found) == priors.MOST_FOLLOWED:
            break
    return found.values()


def _unseen_partial_plays(
    history: History, dice: Dice, evidence: BoardEvidence, t_ms: int
) -> list[UnseenPlay]:
    """Every partial play of `dice`, made without being seen; the most promising first."""
    boards = boards_on_the_way(history.rules, history.turn_state, (dice,))
    whole, past_weight = history.plays(dice), history.past_weight + prior_of_part(history, dice)
    hopes = past_weight + boards.log_likelihoods(_reach(history, evidence))

    def left(board: Position) -> History:
        return history.after_turn(turn_leading_to(history, dice, board, t_ms), past_weight)

    pairs = zip(hopes.tolist(), boards, strict=True)
    plays = [(hope, partial(left, board)) for hope, board in pairs if board not in whole]
    return sorted(plays, key=_rank)


def _rank(play: UnseenPlay) -> float:
    """By this key the most promising play is sorted first."""
    return -play[0]


def _likeliest_first(*plays: Iterable[UnseenPlay]) -> Iterator[UnseenPlay]:
    """All plays of several searches, each of which has the most promising first."""
    return merge(*plays, key=_rank)


def with_any_play(
    histories: Iterable[History],
    throws: tuple[RollHypothesis, ...],
    evidence: BoardEvidence,
    t_ms: int,
) -> list[CandidatePlays]:
    """The histories continued by every legal play of `throws`, without those too unlikely to be kept."""
    seen_ms = evidence.now.t_ms
    hopes = [
        (one.weight if one.went_on_after(seen_ms) else bound_after_play(one, evidence), partial(_itself, one))
        for one in histories
    ]
    return followed_by_any_play(hopes, throws, evidence, t_ms)


def _itself(history: History) -> History:
    return history


def followed_by_any_play(
    firsts: Iterable[UnseenPlay],
    throws: tuple[RollHypothesis, ...],
    evidence: BoardEvidence,
    t_ms: int,
    top: float = -math.inf,
) -> list[CandidatePlays]:
    """Histories continued by every play of `throws`, while their upper bounds are not too far behind.

    top: the weight of the likeliest history known.
    """
    found: list[CandidatePlays] = []
    for hope, made in sorted(firsts, key=_rank):
        if hope < top - priors.KEEP_WITHIN_NATS:
            break
        children = candidate_plays(made(), throws, evidence, t_ms, top - priors.KEEP_WITHIN_NATS)
        top = max([top, *(float(one.weights.max()) for one in children)])
        found += children
    return found


def with_turn_passed(history: History) -> History:
    """`history` if the record has gone astray: it is the other player's turn."""
    turn = turn_leading_to(history, None, history.position, history.turn.t_ms if history.turn else 0)
    return history.after_unseen_turn(turn, priors.RECORD_ASTRAY_NATS)


def with_throws_not_made(histories: tuple[History, ...], t_ms: int) -> tuple[History, ...]:
    """The histories before a roll, and those in which a closed-out player did not throw."""
    found: list[History] = []
    for history in histories:
        if not history.rules.may_let_be(history.turn_state):
            found.append(history)
            continue
        laws = history.rules.laws
        is_suspended = isinstance(laws, Laws) and laws.closed_out is ClosedOut.SUSPENDED
        thrown, not_thrown = (
            (priors.THROWN_WHILE_SUSPENDED_NATS, 0.0)
            if is_suspended
            else (0.0, priors.CLOSED_OUT_NOT_THROWN_NATS)
        )
        turn = HalfTurn(
            t_ms=t_ms, player=history.on_roll, dice=None, steps=(), legal=True, position=history.position
        )
        found += [history.with_prior(thrown), history.after_unseen_turn(turn, not_thrown)]
    return pruned(found)
