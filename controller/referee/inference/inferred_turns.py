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
from controller.referee.inference.continuing import turn_leading_to
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
from controller.referee.inference.seen_plays import (
    is_of_no_roll,
    plays_as_seen,
    prior_of_part,
    prior_of_unknown_roll,
)
from controller.rules import Dice


def infer_turns(
    histories: tuple[History, ...], memory: BoardMemory, t_ms: int, came_ms: int
) -> tuple[History, ...]:
    """The histories after a settled board was weighed for good.

    t_ms, came_ms: when the one before it, and this one, came to rest.

    The player on roll has gone on playing, or his opponent has begun, perhaps from a board that was not seen.
    If none of this explains the board, a play was made that the laws do not allow.
    """
    evidence = BoardEvidence(now=memory, full_view=memory)
    followed = leading_histories(histories, priors.KEEP_WITHIN_NATS)
    # If nobody has played, the board was misread or upset.
    children = [history.weighed(evidence, may_be_upset=True) for history in histories]
    rest_ms = came_ms - t_ms
    # A play may rest half made, and for so long, before it goes on; meanwhile the opponent may have danced.
    rest_nats = math.log(priors.RESTS_HALF_MADE) - rest_ms / priors.PLAY_TAKES_MS
    dance_nats = half_turn_nats(rest_ms)
    for history in followed:
        resting = history.with_prior(rest_nats if history.lying_board else 0.0)
        ended = list(_ended(history, t_ms))
        danced = (dance for over in ended for dance in after_missed_unplayable_roll(over, t_ms, dance_nats))
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
    ways = _ways_to_complete(history)
    return _ended_by(history, ways, t_ms) if ways else history


def with_play_closed(history: History, t_ms: int) -> History:
    """`history` with the play on the board ended if it is complete, else not begun."""
    return replace(with_play_ended(history, t_ms), lying_board=None) if history.lying_board else history


def _is_unexplained(children: list[History]) -> bool:
    return likeliest_history(children).log_likelihood < priors.UNEXPLAINED_NATS


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
    for seen in plays_as_seen(history, children, None, evidence, evidence.now.t_ms or 0):
        if is_of_no_roll(history, seen.position):
            prior = prior_of_unknown_roll(history, seen.position)
            yield replace(
                history,
                past_weight=seen.past_weight + prior - _view_nats(history),
                log_likelihood=seen.log_likelihood,
                weighed_ms=seen.weighed_ms,
                lying_board=seen.position,
            )


def _view_nats(history: History) -> float:
    """Log-prior of the unfinished board, which is in the past weight only until the play is known."""
    if history.lying_board is None or is_of_no_roll(history, history.lying_board):
        return 0.0
    return -math.log(len(boards_on_the_way(history.rules, history.turn_state, ALL_ROLLS)))


def _ended(history: History, t_ms: int) -> Iterator[History]:
    """`history` with the play on the board ended: complete, partial or irregular."""
    for ways in (_ways_to_complete(history), _ways_to_part(history)):
        if ways:
            yield _ended_by(history, ways, t_ms)
    lying = history.lying_board
    if lying and is_of_no_roll(history, lying):
        yield history.after_unseen_turn(turn_leading_to(history, None, lying, t_ms), 0.0)


def _ended_by(history: History, ways: dict[Dice, float], t_ms: int) -> History:
    """`history` with the play on the board ended. ways: its log-priors by roll; the likeliest is inferred."""
    dice = max(ways, key=lambda dice: ways[dice])
    past_weight = history.past_weight - _view_nats(history) + float(np.logaddexp.reduce(list(ways.values())))
    turn = turn_leading_to(history, dice, history.expected_board, t_ms, inferred=True)
    return history.after_turn(turn, past_weight, history.log_likelihood, history.weighed_ms)


def _ways_to_complete(history: History) -> dict[Dice, float]:
    """The log-prior of the play on the board by each roll of which it is a complete one."""
    return {
        dice: math.log(dice.ways / 36 / len(plays))
        for dice in ALL_ROLLS
        if history.expected_board in (plays := history.plays(dice))
    }


def _ways_to_part(history: History) -> dict[Dice, float]:
    """The same by each roll of which it is a partial play, if it is no complete one."""
    board, rules, turn_state = history.expected_board, history.rules, history.turn_state
    rolls = [dice for dice in ALL_ROLLS if not rules.is_wide(dice)]
    if board == history.position or turn_state.choosing:
        return {}
    if any(board in history.plays(dice) for dice in rolls):
        return {}
    return {
        dice: math.log(dice.ways / 36) + prior_of_part(history, dice)
        for dice in rolls
        if boards_on_the_way(rules, turn_state, (dice,)).index(board) is not None
    }


def _with_won_game_ended(history: History, t_ms: int) -> History:
    """`history` with the play ended if it wins: bearing off the last checker ends it at once."""
    is_won = history.rules.win(history.turn_state.on_board(history.expected_board))
    return with_play_ended(history, t_ms) if is_won else history
