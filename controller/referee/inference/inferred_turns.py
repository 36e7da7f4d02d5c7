"""Turns inferred from the board alone, in a game without a dice sensor.

A play is over once the opponent has begun his. Until then every settled board may show more of it.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from controller.referee import priors
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import boards_on_the_way
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.continuing import irregular_turn, lawful_turn
from controller.referee.inference.histories import (
    History,
    half_turn_nats,
    leading_histories,
    likeliest_history,
    pruned,
)
from controller.referee.inference.missed_rolls import (
    after_missed_unplayable_roll,
    unseen_half_turns,
    with_turn_passed,
)
from controller.referee.inference.roll_evidence import ALL_ROLLS
from controller.referee.inference.seen_plays import is_of_no_roll, plays_of_no_roll, prior_of_part


def infer_turns(histories: tuple[History, ...], memory: BoardMemory, t_ms: int) -> tuple[History, ...]:
    """The histories after a settled board was weighed for good. t_ms: when the one before it came to rest.

    The player on roll has gone on playing, or his opponent has begun, perhaps from a board that was not seen.
    If none of this explains the board, a play was made that the laws do not allow.
    """
    evidence = BoardEvidence(now=memory, full_view=memory)
    followed = leading_histories(histories, priors.KEEP_WITHIN_NATS, priors.MOST_FOLLOWED)
    children = [_not_played(history, evidence) for history in histories]
    for history in followed:
        rest_ms = memory.changed_ms - t_ms
        resting = history.with_prior(_rest_nats(history, rest_ms))
        ended = list(_ended(history, t_ms))
        between = half_turn_nats(rest_ms)
        danced = (dance for over in ended for dance in after_missed_unplayable_roll(over, t_ms, between))
        children += [begun for one in (resting, *ended, *danced) for begun in _playing(one, evidence)]
    begun = (followed[0], *_ended(followed[0], t_ms))
    if _is_unexplained(children):
        passed = [with_turn_passed(history) for history in begun]
        for over in (*passed, *unseen_half_turns(begun, evidence, t_ms)):
            children += _playing(over, evidence)
    if _is_unexplained(children):
        for history in begun:
            children += _playing_irregularly(history, children, evidence)
    weighed = (counted for child in pruned(children) for counted in child.weighed_for_good(evidence))
    return pruned(_with_won_game_ended(child, t_ms) for child in weighed)


def with_play_ended(history: History, t_ms: int) -> History:
    """`history` with the play on the board ended, if it is a complete one."""
    return next(_plays_ended(history, t_ms), history)


def with_play_closed(history: History, t_ms: int) -> History:
    """`history` with the play on the board ended if it is complete, else not begun."""
    if history.lying_board is None:
        return history
    over = with_play_ended(history, t_ms)
    return replace(over, lying_board=None)


def _is_unexplained(children: list[History]) -> bool:
    return likeliest_history(children).log_likelihood < priors.UNEXPLAINED_NATS


def _rest_nats(history: History, rest_ms: int) -> float:
    """Log-likelihood of a play resting half made, and for `rest_ms` before it goes on."""
    return math.log(priors.RESTS_HALF_MADE) - rest_ms / priors.PLAY_TAKES_MS if history.lying_board else 0.0


def _not_played(history: History, evidence: BoardEvidence) -> History:
    """`history` if nobody has played: the board was misread or upset."""
    return history.weighed(evidence, may_be_upset=True)


def _playing(history: History, evidence: BoardEvidence) -> Iterator[History]:
    """`history` with the likeliest boards that a play may show now, complete or not."""
    boards = boards_on_the_way(history.rules, history.turn_state, ALL_ROLLS)
    seen = boards.log_likelihoods(evidence.rows(history.place_states))
    prior = -math.log(len(boards)) - _view_nats(history)
    ranked = np.argsort(-seen, kind="stable")[: priors.MOST_FOLLOWED]
    for i in ranked:
        if seen[i] < seen[ranked[0]] - priors.FOLLOW_WITHIN_NATS:
            break
        yield replace(
            history,
            past_weight=history.past_weight + prior,
            log_likelihood=float(seen[i]),
            weighed_ms=evidence.now.t_ms,
            lying_board=boards[i],
        )


def _playing_irregularly(
    history: History, children: list[History], evidence: BoardEvidence
) -> Iterator[History]:
    """`history` with boards that are seen now and that no roll allows."""
    for seen in plays_of_no_roll(history, children, evidence, evidence.now.t_ms or 0):
        yield replace(
            history,
            past_weight=seen.past_weight - _view_nats(history),
            log_likelihood=seen.log_likelihood,
            weighed_ms=seen.weighed_ms,
            lying_board=seen.position,
        )


def _view_nats(history: History) -> float:
    """Log-prior of the unfinished board, which is in the past weight only until the play is known."""
    if history.lying_board is None:
        return 0.0
    boards = boards_on_the_way(history.rules, history.turn_state, ALL_ROLLS)
    return 0.0 if is_of_no_roll(history, history.lying_board) else -math.log(len(boards))


def _without_view(history: History) -> float:
    """The past weight without that prior."""
    return history.past_weight - _view_nats(history)


def _ended(history: History, t_ms: int) -> Iterator[History]:
    """`history` with the play on the board ended: complete, partial or irregular."""
    for ended in (_plays_ended, _parts_ended, _irregular_ended):
        yield from ended(history, t_ms)


def _parts_ended(history: History, t_ms: int) -> Iterator[History]:
    """`history` with a partial play ended, if the board shows one and no complete play."""
    board, rules, turn_state = history.expected_board, history.rules, history.turn_state
    if board == history.position or turn_state.choosing:
        return
    ways = {}
    for dice in ALL_ROLLS:
        if rules.is_wide(dice):
            continue
        if board in history.plays(dice):
            return
        if boards_on_the_way(rules, turn_state, (dice,)).index(board) is not None:
            ways[dice] = math.log(dice.ways / 36) + prior_of_part(history, dice)
    if ways:
        dice = max(ways, key=lambda dice: ways[dice])
        past_weight = _without_view(history) + float(np.logaddexp.reduce(list(ways.values())))
        turn = irregular_turn(history, dice, board, t_ms, inferred=True)
        yield history.after_turn(turn, past_weight, history.log_likelihood, history.weighed_ms)


def _irregular_ended(history: History, t_ms: int) -> Iterator[History]:
    """`history` with an irregular play ended, if the board is one that no roll leads to."""
    if history.lying_board and is_of_no_roll(history, history.lying_board):
        turn = irregular_turn(history, None, history.lying_board, t_ms)
        yield history.after_turn(turn, history.past_weight, history.log_likelihood, history.weighed_ms)


def _plays_ended(history: History, t_ms: int) -> Iterator[History]:
    """`history` with the play on the board ended, if it is complete; the likeliest dice are inferred."""
    board = history.expected_board
    ways = {
        dice: math.log(dice.ways / 36 / len(plays))
        for dice in ALL_ROLLS
        if board in (plays := history.plays(dice))
    }
    if ways:
        dice = max(ways, key=lambda dice: ways[dice])
        prior = float(np.logaddexp.reduce(list(ways.values())))
        turn = lawful_turn(history, dice, history.plays(dice).leading_to(board)[0], t_ms, inferred=True)
        past_weight = _without_view(history) + prior
        yield history.after_turn(turn, past_weight, history.log_likelihood, history.weighed_ms)


def _with_won_game_ended(history: History, t_ms: int) -> History:
    """`history` with the play ended if it wins: bearing off the last checker ends it at once."""
    return (
        with_play_ended(history, t_ms)
        if history.rules.win(history.turn_state.on_board(history.expected_board))
        else history
    )
