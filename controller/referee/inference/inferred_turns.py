"""Turns inferred from the board alone, in a game without a dice sensor.

A play is over when the opponent has begun his. Until then every settled board may be another part of it.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import (
    ROW_INDICES,
    BoardLayout,
    boards_on_the_way,
    play_results,
)
from controller.referee.inference.board_memory import BoardMemory, Table
from controller.referee.inference.continuing import lawful_turn, plays_as_seen, unplayable_roll
from controller.referee.inference.histories import (
    History,
    leading_histories,
    likeliest_history,
    pruned,
)
from controller.referee.inference.missed_rolls import reachable_log_likelihoods
from controller.referee.inference.roll_evidence import ALL_ROLLS, RollEvidence
from controller.referee.priors import (
    BOARD_UPSET_NATS,
    KEEP_WITHIN_NATS,
    MOST_FOLLOWED_WITHOUT_DICE,
    MOST_PARTIAL_BOARDS,
    MOST_UNSEEN_ENDS,
    PARTIAL_BOARDS_WITHIN_NATS,
    PLAY_TAKES_MS,
    UNEXPLAINED_BOARD_NATS,
    UNLIKE_ANY_ROLL_NATS,
)
from controller.rules import Dice, Position


def infer_turns(histories: tuple[History, ...], memory: BoardMemory, t_ms: int) -> tuple[History, ...]:
    """The histories after a settled board at `t_ms`, weighed for good.

    The player on roll has gone on playing, or his opponent has begun, perhaps from a board that was not seen.
    Where none of this explains the board, a play was made that the laws do not allow.
    """
    evidence = BoardEvidence(now=memory, full_view=memory)
    followed = leading_histories(histories, KEEP_WITHIN_NATS, MOST_FOLLOWED_WITHOUT_DICE)
    children = [_not_played(history, evidence) for history in histories]
    for history in followed:
        resting = history.with_prior(_rest_nats(history, memory.changed_ms - t_ms))
        going_on = [*_playing(resting, evidence), *_after_a_dance(history, evidence, t_ms)]
        if _is_unexplained(going_on):
            going_on += [begun for over in _plays_ended(history, t_ms) for begun in _playing(over, evidence)]
        children += going_on
    if _is_unexplained(children):
        for history in (followed[0], *_plays_ended(followed[0], t_ms)):
            for over in _plays_ended_unseen(history, evidence, t_ms):
                children += _playing(over, evidence)
    if _is_unexplained(children):
        odd = plays_as_seen(likeliest_history(histories), children, None, evidence, t_ms, RollEvidence())
        children += [history.with_prior(UNLIKE_ANY_ROLL_NATS) for history in odd]
    weighed = (counted for child in pruned(children) for counted in child.weighed_for_good(evidence))
    return pruned(_with_won_game_ended(child, t_ms) for child in weighed)


def with_play_ended(history: History, t_ms: int) -> History:
    """`history` with the play over that lies on the board, when it is a whole one."""
    return next(_plays_ended(history, t_ms), history)


def with_play_closed(history: History, t_ms: int) -> History:
    """`history` with the play over, or not begun when what lies there is no whole one."""
    if history.unfinished_board is None:
        return history
    over = with_play_ended(history, t_ms)
    return replace(over, unfinished_board=None)


def _is_unexplained(children: list[History]) -> bool:
    return likeliest_history(children).log_likelihood < UNEXPLAINED_BOARD_NATS


def _rest_nats(history: History, rest_ms: int) -> float:
    """Log-likelihood of a play resting half made for so long before it goes on."""
    return -rest_ms / PLAY_TAKES_MS if history.unfinished_board else 0.0


def _not_played(history: History, evidence: BoardEvidence) -> History:
    """Whatever the board shows, nobody has played: it was misread, or somebody has upset it."""
    return history.weighed(evidence, least=BOARD_UPSET_NATS)


def _playing(history: History, evidence: BoardEvidence) -> Iterator[History]:
    """The boards that the play of the player on roll may show now, complete or not."""
    boards = boards_on_the_way(history.rules, history.turn_state, ALL_ROLLS)
    seen = evidence.rows(history.place_states)[ROW_INDICES, boards.columns].sum(axis=1)
    prior = -math.log(len(boards.boards))
    ranked = np.argsort(-seen, kind="stable")[:MOST_PARTIAL_BOARDS]
    for i in ranked:
        if seen[i] < seen[ranked[0]] - PARTIAL_BOARDS_WITHIN_NATS:
            break
        yield replace(
            history,
            past_weight=history.past_weight + prior,
            log_likelihood=float(seen[i]),
            weighed_ms=evidence.now.t_ms,
            unfinished_board=boards.boards[i],
        )


def _plays_ended(history: History, t_ms: int) -> Iterator[History]:
    """`history` with the play over, if what lies there is a whole one; the likeliest dice are inferred."""
    board = history.expected_board
    ways = {
        dice: math.log(dice.ways / 36 / len(plays))
        for dice in ALL_ROLLS
        if board in (plays := history.plays(dice))
    }
    if ways:
        dice = max(ways, key=lambda dice: ways[dice])
        prior = float(np.logaddexp.reduce(list(ways.values())))
        yield _played(history, dice, board, prior, t_ms)


def _played(history: History, dice: Dice, board: Position, prior: float, t_ms: int) -> History:
    play = history.plays(dice).leading_to(board)[0]
    turn = lawful_turn(history, dice, play, t_ms, inferred=True)
    return history.after_turn(turn, history.past_weight + prior, history.log_likelihood, history.weighed_ms)


def _after_a_dance(history: History, evidence: BoardEvidence, t_ms: int) -> Iterator[History]:
    """The play is over, the opponent could not move, and the same player is playing again."""
    for over in _plays_ended(history, t_ms):
        if unplayable := unplayable_roll(over):
            dice, prior = unplayable
            yield from _playing(_played(over, dice, over.position, prior, t_ms), evidence)


def _plays_ended_unseen(history: History, evidence: BoardEvidence, t_ms: int) -> Iterator[History]:
    """The play is over at a board that nobody saw: those from which the board can best be reached."""
    within = reachable_log_likelihoods(evidence.rows(history.place_states), history.on_roll)
    ends = [
        (float(hope), dice, board)
        for dice in ALL_ROLLS
        for hope, board in _hopes(play_results(history.rules, history.turn_state, dice).layout, within)
    ]
    likeliest: dict[Position, tuple[float, Dice]] = {}
    for hope, dice, board in ends:
        weight = hope + math.log(dice.ways / 36)
        if board not in likeliest or weight > likeliest[board][0]:
            likeliest[board] = weight, dice
    ranked = sorted(likeliest.items(), key=lambda item: -item[1][0])[:MOST_UNSEEN_ENDS]
    for board, (weight, dice) in ranked:
        prior = weight - float(within[ROW_INDICES, BoardLayout.of([board]).columns[0]].sum())
        yield _played(history, dice, board, prior, t_ms)


def _hopes(boards: BoardLayout, within: Table) -> Iterator[tuple[float, Position]]:
    prior = -math.log(len(boards.boards))
    return zip(within[ROW_INDICES, boards.columns].sum(axis=1) + prior, boards.boards, strict=True)


def _with_won_game_ended(history: History, t_ms: int) -> History:
    """Bearing off the last checker ends the play at once."""
    return (
        with_play_ended(history, t_ms)
        if history.rules.win(history.turn_state.on_board(history.expected_board))
        else history
    )
