"""The belief: weighed histories of the game, as turns end and boards are seen.

Every history that the rules and the readings leave possible is kept. Later readings weigh it again. Histories
that fall far behind are dropped.
"""

import math
from dataclasses import replace

from controller.referee.inference.board_layouts import play_results
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.continuing import (
    CandidatePlays,
    candidate_plays,
    likeliest_continuations,
    partial_play_fit,
    plays_as_seen,
)
from controller.referee.inference.histories import (
    BoardEvidence,
    History,
    leading_histories,
    likeliest_history,
    pruned,
)
from controller.referee.inference.missed_rolls import after_missed_roll, after_unseen_turn, with_turn_passed
from controller.referee.inference.roll_evidence import PictureRolls, misreported_rolls, sensor_rolls
from controller.referee.priors import (
    FOLLOW_WITHIN_NATS,
    KEEP_WITHIN_NATS,
    LINGERING_MISFIT_NATS,
    MOST_FOLLOWED,
    MOVED_ON_NATS,
    UNEXPLAINED_AFTER_UNSEEN_NATS,
    UNEXPLAINED_TURN_NATS,
)
from controller.rules import Dice


def end_turn(
    histories: tuple[History, ...],
    rolls: tuple[Dice, ...],
    doubt: float,
    pictures: PictureRolls,
    evidence: BoardEvidence,
    t_ms: int,
) -> tuple[History, ...]:
    """Every history continued by every way to play one of `rolls` from it, weighed by what the board shows.

    rolls: what the dice may have been: one roll when both were reported. doubt: the probability that one of
    them was misreported. Where no play explains the board, the play was irregular, or the dice were
    misreported, or the opponent had played a missed roll before.
    """
    throws = sensor_rolls(rolls, pictures)
    born = [
        child
        for history in _followed(histories, rolls)
        for child in candidate_plays(history, throws, evidence, t_ms)
    ]
    children = likeliest_continuations(born, t_ms)
    dice = rolls[0] if len(rolls) == 1 else None
    top = likeliest_history(histories)
    found = [*children, *plays_as_seen(top, children, dice, evidence, t_ms, pictures)]
    lost = likeliest_history(children).weight - top.weight + _spread(top, rolls)
    unexplained = lost < UNEXPLAINED_TURN_NATS
    was_unseen = evidence.before is not None and evidence.before.t_ms is None
    astray: list[CandidatePlays] = []
    others = (
        misreported_rolls(dice, pictures, doubt)
        if dice and (unexplained or pictures.roll not in (None, dice))
        else ()
    )
    shown = tuple(throw for throw in others if throw.dice == pictures.roll)
    for likely in leading_histories(histories, FOLLOW_WITHIN_NATS, MOST_FOLLOWED):
        if others:
            astray += candidate_plays(likely, others, evidence, t_ms)
        if unexplained:
            astray += after_missed_roll(likely, (*throws, *shown), evidence, t_ms)
            astray += candidate_plays(with_turn_passed(likely), throws, evidence, t_ms)
        if was_unseen and not likely.by_word and lost < UNEXPLAINED_AFTER_UNSEEN_NATS:
            astray += after_unseen_turn(likely, throws, doubt, evidence, t_ms)
    return pruned(
        [*found, *likeliest_continuations(astray, t_ms, likeliest_history(found).weight - KEEP_WITHIN_NATS)]
    )


def reweigh(
    histories: tuple[History, ...],
    evidence: BoardEvidence,
    rested: BoardMemory,
    *,
    doubt: float,
    disturbed: bool,
) -> tuple[History, ...]:
    """The histories after the board was seen again, nobody having played since the last half-turn ended.

    rested: the board as it lay still since then. Later boards that look otherwise are no evidence of it.
    doubt: the probability that a die of the last roll was misreported. disturbed: the board has been touched
    since, so that somebody may have played a missed roll.
    """
    weighed = pruned(_reweighed(history, evidence.now, disturbed=disturbed) for history in histories)
    if not evidence.now.fully_visible:
        return weighed
    reconsidered, last = list(weighed), likeliest_history(weighed).turn
    for likely in leading_histories(weighed, FOLLOW_WITHIN_NATS, MOST_FOLLOWED):
        parent, turn = likely.parent, likely.turn
        if likely.by_word:
            continue
        if parent is not None and turn is not None and last is not None and turn.t_ms == last.t_ms:
            again = list(plays_as_seen(parent, reconsidered, turn.dice, evidence, turn.t_ms, PictureRolls()))
            top = likeliest_history([*reconsidered, *again])
            if turn.dice and not turn.dice_inferred and _is_irregular(top):
                born = candidate_plays(
                    parent, misreported_rolls(turn.dice, PictureRolls(), doubt), evidence, turn.t_ms
                )
                again += likeliest_continuations(born, turn.t_ms, top.weight - KEEP_WITHIN_NATS)
            reconsidered += [_at_rest(history, rested) for history in again]
    return pruned(reconsidered)


def _at_rest(history: History, rested: BoardMemory) -> History:
    return replace(
        history, past_weight=history.past_weight + rested.log_likelihood(history.position, history.before)
    )


def _reweighed(history: History, memory: BoardMemory, *, disturbed: bool) -> History:
    """The board shows the last half-turn's result, or it did so before a missed roll was played."""
    score = memory.log_likelihood(history.position, history.before)
    if not disturbed:
        return replace(history, best_log_likelihood=score, log_likelihood=score)
    best_log_likelihood = max(score, history.best_log_likelihood)
    return replace(
        history,
        best_log_likelihood=best_log_likelihood,
        log_likelihood=max(score, best_log_likelihood + MOVED_ON_NATS),
    )


def with_lingering_penalty(histories: tuple[History, ...]) -> tuple[History, ...]:
    """The histories after a board has lain still. Those that only a missed roll explains lose weight."""
    return tuple(
        replace(history, best_log_likelihood=history.best_log_likelihood + LINGERING_MISFIT_NATS)
        if history.log_likelihood <= history.best_log_likelihood + MOVED_ON_NATS
        else history
        for history in histories
    )


def is_explained(
    histories: tuple[History, ...], rolls: tuple[Dice, ...], memory: BoardMemory, nats: float
) -> bool:
    """Whether a history explains the board as a play not begun, half made or complete, within `nats`.

    A history far behind may explain it too, if the likeliest one holds an irregular play that it does not:
    that play has then been put right late. The other player's turn may explain it: a roll that could not be
    played may have been missed. Nothing explains both colours on one point.
    """
    if memory.mixed:
        return False
    top = likeliest_history(histories)
    if partial_play_fit(with_turn_passed(top), rolls, memory) > -nats:
        return True
    return any(
        partial_play_fit(history, rolls, memory) > -nats + (0.0 if _mends(history, top) else behind)
        for history in _followed(histories, rolls)
        if (behind := top.weight - history.weight) < nats or _mends(history, top)
    )


def _is_irregular(history: History) -> bool:
    return history.turn is not None and not history.turn.legal


def _mends(history: History, top: History) -> bool:
    return _is_irregular(top) and history.turn is not None and history.turn.legal


def _spread(history: History, rolls: tuple[Dice, ...]) -> float:
    """What any one play costs where there are tens of thousands of them."""
    wide = [
        len(play_results(history.rules, history.turn_state, dice).plays)
        for dice in rolls
        if history.rules.is_wide(dice)
    ]
    return math.log(max(wide, default=1))


def _followed(histories: tuple[History, ...], rolls: tuple[Dice, ...]) -> tuple[History, ...]:
    """All histories, or the likeliest few where each may go on in tens of thousands of ways."""
    if any(histories[0].rules.is_wide(dice) for dice in rolls):
        return leading_histories(histories, FOLLOW_WITHIN_NATS, MOST_FOLLOWED)
    return histories
