"""The belief: the weighed histories of the game, updated when a turn ends or the board is seen.

Every history that the rules and the readings leave possible is kept, and later readings weigh it again.
Histories that fall far behind are dropped.
"""

import math
from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from controller.referee import priors
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_evidence import BoardEvidence, PlaceStates
from controller.referee.inference.board_layouts import play_results
from controller.referee.inference.continuing import (
    CandidatePlays,
    candidate_plays,
    likeliest_continuations,
    partial_play_fit,
)
from controller.referee.inference.histories import History, leading_histories, likeliest_history, pruned
from controller.referee.inference.knocked_checkers import with_checker_knocked, with_checker_put_back
from controller.referee.inference.missed_rolls import (
    UnseenPlay,
    after_missed_unplayable_roll,
    after_unplayable_roll,
    followed_by_any_play,
    missed_plays,
    other_unseen_plays,
    with_any_play,
    with_turn_passed,
)
from controller.referee.inference.reach import bound_after_play
from controller.referee.inference.roll_evidence import (
    ALL_ROLLS,
    RollEvidence,
    RollHypothesis,
    any_roll,
    misreported_rolls,
    roll_seen,
    sensor_rolls,
)
from controller.referee.inference.seen_plays import plays_as_seen
from controller.rules import Dice


def end_turn(
    histories: tuple[History, ...],
    rolls: tuple[Dice, ...],
    seen: RollEvidence,
    seen_before: RollEvidence,
    evidence: BoardEvidence,
    t_ms: int,
    rolled_ms: int,
) -> tuple[History, ...]:
    """Every history continued by every play of one of `rolls`, weighed by what the board shows.

    rolls: what the dice may have been; one roll when both dice were reported, at rolled_ms. seen: what was
    seen of the dice; seen_before: the same for the half-turn before. If no play explains the board, the play
    was irregular, the dice were misreported, or a roll was missed: before this one, or after it when it could
    not be played.
    """
    throws, is_read = sensor_rolls(rolls, seen), len(rolls) == 1
    misread = misreported_rolls(rolls[0], seen) if is_read else ()
    thrown = (*throws, *(throw for throw in misread if throw.dice == seen.roll))
    known = thrown if is_read else tuple(throw for throw in throws if throw.dice == seen.roll) or (None,)
    born = with_any_play(_followed(histories, rolls), throws, evidence, t_ms)
    children = likeliest_continuations(born, t_ms)
    found = [*children, *with_checker_knocked(children, evidence)]
    top = likeliest_history(histories)
    lost = likeliest_history(children).weight - top.weight + _spread(top, rolls)
    is_unexplained = lost < priors.UNEXPLAINED_NATS
    others = misread if is_unexplained or seen.roll not in (None, rolls[0]) else ()
    irregular = list(leading_histories(histories, priors.KEEP_WITHIN_NATS))
    astray, unseen = list[CandidatePlays](), list[UnseenPlay]()
    replaced = set[Hashable]()
    for likely in leading_histories(histories, priors.FOLLOW_WITHIN_NATS):
        if others:
            astray += candidate_plays(likely, others, evidence, t_ms)
        if not is_unexplained:
            continue
        if not _is_seen_since(likely, rolled_ms):
            unseen += missed_plays(likely, evidence, t_ms, rolled_ms)
        # Plays of one roll from one board are replaced by the same ones.
        of_roll = likely.parent, likely.turn and likely.turn.dice, likely.unexplained_nats
        if _is_unseen(likely) and not likely.by_word and of_roll not in replaced:
            replaced.add(of_roll)
            unseen += other_unseen_plays(likely, seen_before, evidence, t_ms)
        passed = with_turn_passed(likely)
        astray += candidate_plays(passed, throws, evidence, t_ms)
        irregular += [passed, *after_missed_unplayable_roll(likely, rolled_ms)]
        if is_read:
            prior = throws[0].prior + priors.ROLL_MISSED_NATS
            for danced in after_unplayable_roll(likely, rolls[0], rolled_ms, prior):
                astray += candidate_plays(danced, any_roll(), evidence, t_ms)
    unknown, least = seen.log_likelihood_of_any(rolls), likeliest_history(found).weight
    least -= priors.KEEP_WITHIN_NATS
    for parent in irregular:
        for throw in known:
            found += plays_as_seen(parent, children, throw, evidence, t_ms, unknown_nats=unknown, least=least)
    best = likeliest_history(found).weight
    astray += followed_by_any_play(unseen, thrown, evidence, t_ms, best)
    return pruned([*found, *likeliest_continuations(astray, t_ms, best - priors.KEEP_WITHIN_NATS)])


def _is_seen_since(history: History, t_ms: int) -> bool:
    """Whether a view after `t_ms` was weighed for good with the board of `history` lying there."""
    places = history.place_states
    return places.position == history.position and places.look.t_ms is not None and places.look.t_ms > t_ms


def _is_unseen(history: History) -> bool:
    """Whether no view that shows the last play has been weighed for good."""
    places = history.place_states
    shows_before = places.position == history.before != history.position
    is_earlier = places.look.t_ms is None or history.went_on_after(places.look.t_ms)
    return history.turn is not None and (shows_before or is_earlier)


def reweigh(
    histories: tuple[History, ...],
    evidence: BoardEvidence,
    seen: RollEvidence,
    *,
    rolled_ms: int,
    disturbed: bool,
    changed: bool,
) -> tuple[History, ...]:
    """The histories after the board was seen again, if nobody has played since the last half-turn ended.

    seen: what was seen of the dice of the last roll, made at rolled_ms. disturbed: the board was touched
    since, so somebody may have played a missed roll or changed his play. changed: the board looks different
    from when it was last reconsidered. If the last play was not seen and does not explain the board, a missed
    roll may have come before it.
    """
    lying = (*histories, *with_checker_put_back(histories))
    weighed = pruned(history.weighed(evidence, may_be_upset=disturbed) for history in lying)
    if not evidence.now.fully_visible or not changed:
        return weighed
    reconsidered, last = list(weighed), likeliest_history(weighed).turn
    for likely in leading_histories(weighed, priors.FOLLOW_WITHIN_NATS):
        parent, turn = likely.parent, likely.turn
        if likely.by_word or parent is None or turn is None or last is None or turn.t_ms != last.t_ms:
            continue
        throw = _throw_of(turn, seen)
        unknown = 0.0 if seen.reported else seen.log_likelihood_of_any(ALL_ROLLS)
        least = likeliest_history(reconsidered).weight - priors.KEEP_WITHIN_NATS
        again = list(
            plays_as_seen(parent, reconsidered, throw, evidence, turn.t_ms, unknown_nats=unknown, least=least)
        )
        top = likeliest_history([*reconsidered, *again])
        born: list[CandidatePlays] = []
        if turn.dice and not turn.dice_inferred and top.is_irregular:
            born += candidate_plays(parent, misreported_rolls(turn.dice, seen), evidence, turn.t_ms)
        is_unexplained = top.weight - parent.weight < priors.UNEXPLAINED_NATS
        if throw and _is_unseen(likely) and is_unexplained and not _is_seen_since(parent, rolled_ms):
            unseen = missed_plays(parent, evidence, turn.t_ms, rolled_ms)
            born += followed_by_any_play(unseen, (throw,), evidence, turn.t_ms, top.weight)
        again += likeliest_continuations(born, turn.t_ms, top.weight - priors.KEEP_WITHIN_NATS)
        if likely.place_states is not parent.place_states:
            # A view was weighed for good since, before somebody touched the board again.
            again = [late.with_prior(_lay_otherwise(late, likely.place_states)) for late in again]
        # Views that the last play did not explain, another last play does not explain either.
        reconsidered += [late.with_prior(likely.unexplained_nats) for late in again]
    return pruned([*reconsidered, *with_checker_knocked(weighed, evidence)])


def _throw_of(turn: HalfTurn, seen: RollEvidence) -> RollHypothesis | None:
    """The roll of a half-turn; None where none is known. seen: what was seen of its dice."""
    if turn.dice is None:
        return None
    if turn.dice_inferred and not seen.reported:
        return next(throw for throw in any_roll(seen) if throw.dice == turn.dice)
    return replace(roll_seen(turn.dice, seen), inferred=turn.dice_inferred)


def with_upset_paid(histories: tuple[History, ...]) -> tuple[History, ...]:
    """The histories. If the likeliest explains the last view, those that do not explain it pay for it.

    A view that none explains shows a hand or an upset board, and is evidence against none of them.
    """
    best = likeliest_history(histories).log_likelihood
    if best <= priors.BOARD_UPSET_NATS:
        return histories
    return tuple(one.with_upset_counted(best) for one in histories)


def _lay_otherwise(history: History, then: PlaceStates) -> float:
    """Log-likelihood of the view last weighed for good, given the board of `history` or an upset board."""
    seen = BoardEvidence(now=then.look)
    return max(seen.log_likelihood(history.position, history.place_states), priors.BOARD_UPSET_NATS)


def weight_of_lawful(
    histories: tuple[History, ...],
    throws: tuple[RollHypothesis, ...],
    evidence: BoardEvidence,
    least: float = -math.inf,
) -> float:
    """The weight of the board showing a lawful play, not begun, half made or complete, or having been upset.

    throws: the likeliest roll first, then others that may lie there instead. It may be the other player's
    turn: a roll that could not be played was missed, or the next one after it. least: what the weight is
    compared with; explanations that are far less likely are left out.
    """
    top, seen_ms = likeliest_history(histories), evidence.now.t_ms
    (reported, *others), is_wide = throws, top.rules.is_wide
    danced = after_missed_unplayable_roll(top, seen_ms or 0)
    heard = (with_turn_passed(top), *danced, *_followed(histories, (reported.dice,)))
    misheard = leading_histories(histories, priors.FOLLOW_WITHIN_NATS)
    prior = reported.prior + priors.ROLL_MISSED_NATS
    passed, hopes = list[History](), []
    if not is_wide(reported.dice):
        for one in misheard:
            passed += after_unplayable_roll(one, reported.dice, seen_ms or 0, prior)
    for courses, rolls in ((heard, [reported]), (misheard, others), (passed, any_roll())):
        narrow = [roll for roll in rolls if roll is reported or not is_wide(roll.dice)]
        for history in courses:
            hope = bound_after_play(history, evidence)
            hopes += [(hope + roll.prior, history, roll) for roll in narrow]
    ways = [-math.inf]
    for hope, history, roll in sorted(hopes, key=lambda one: -one[0]):
        if hope < max(least, *ways) - priors.FOLLOW_WITHIN_NATS:
            break
        fit = partial_play_fit(history, (roll.dice,), evidence)
        ways.append(history.weight_before(seen_ms) + roll.prior + fit)
    upset = np.logaddexp.reduce([roll.prior for roll in throws]) + priors.BOARD_UPSET_NATS
    both = priors.PLACE_FLOOR_NATS * len(evidence.now.mixed)
    return float(np.logaddexp(top.weight + upset, both + np.logaddexp.reduce(ways)))


def _spread(history: History, rolls: tuple[Dice, ...]) -> float:
    """Log of the number of plays where there are tens of thousands, which any one play costs; else 0."""
    wide = [dice for dice in rolls if history.rules.is_wide(dice)]
    counts = [len(play_results(history.rules, history.turn_state, dice).plays) for dice in wide]
    return math.log(max(counts, default=1))


def _followed(histories: tuple[History, ...], rolls: tuple[Dice, ...]) -> tuple[History, ...]:
    """All histories, or the likeliest few if one of `rolls` has tens of thousands of plays."""
    if any(histories[0].rules.is_wide(dice) for dice in rolls):
        return leading_histories(histories, priors.FOLLOW_WITHIN_NATS)
    return histories
