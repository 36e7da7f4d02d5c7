"""Turns inferred from the board alone, in a game whose dice nobody hears.

A play is over when the opponent has begun his. Until then every settled board may be another part of it.
"""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from controller.referee.inference.board_layouts import ROWS, BoardLayout, Columns, results, underway
from controller.referee.inference.board_memory import BoardMemory, Table, columns
from controller.referee.inference.continuing import as_seen, dance, lawful_turn
from controller.referee.inference.histories import BoardEvidence, History, best, leading, pruned
from controller.referee.inference.missed_rolls import within_reach
from controller.referee.inference.roll_evidence import ALL_ROLLS, Faces
from controller.referee.priors import (
    BOARD_UPSET_NATS,
    KEEP_WITHIN_NATS,
    MOST_FOLLOWED_WITHOUT_DICE,
    MOST_PARTIAL_BOARDS,
    MOST_UNSEEN_ENDS,
    PARTIAL_BOARDS_WITHIN_NATS,
    UNEXPLAINED_BOARD_NATS,
    UNLIKE_ANY_ROLL_NATS,
)
from controller.rules import Dice, Position

Numbers = npt.NDArray[np.float64]


def infer_turns(
    histories: tuple[History, ...], memory: BoardMemory, before: BoardMemory, t_ms: int
) -> tuple[History, ...]:
    """The histories after a settled board, `before` being the one settled before it, at `t_ms`.

    The player on roll has gone on playing, or his opponent has begun, perhaps from a board that was not seen.
    Where none of this explains the board, a play was made that the laws do not allow.
    """
    views = BoardEvidence(now=memory, plain=memory, before=before)
    followed = leading(histories, KEEP_WITHIN_NATS, MOST_FOLLOWED_WITHOUT_DICE)
    children = [_left_alone(history, views) for history in histories]
    for history in followed:
        going_on = [*_playing(history, views), *_after_a_dance(history, views, t_ms)]
        if _is_unexplained(going_on):
            going_on += [begun for over in _ended(history, t_ms) for begun in _playing(over, views)]
        children += going_on
    if _is_unexplained(children):
        for history in (followed[0], *_ended(followed[0], t_ms)):
            for over in _ended_unseen(history, memory, t_ms):
                children += _playing(over, views)
    if _is_unexplained(children):
        odd = as_seen(best(histories), children, None, views, t_ms, Faces())
        children += [replace(history, past=history.past + UNLIKE_ANY_ROLL_NATS) for history in odd]
    return pruned(_ended_game(child, t_ms) for child in children)


def ended(history: History, t_ms: int) -> History:
    """`history` with the play over that lies on the board, when it is a whole one."""
    return next(_ended(history, t_ms), history)


def closed(history: History, t_ms: int) -> History:
    """`history` with the play over, or not begun when what lies there is no whole one."""
    if history.lying is None:
        return history
    over = ended(history, t_ms)
    return replace(over, lying=None, clearest=over.testimony)


def _is_unexplained(children: list[History]) -> bool:
    return best(children).testimony < UNEXPLAINED_BOARD_NATS


def _left_alone(history: History, views: BoardEvidence) -> History:
    """Whatever the board shows, nobody has played: it was misread, or somebody has upset it."""
    testimony = views.now.score(history.lies, history.position)
    upset = history.testimony + BOARD_UPSET_NATS
    if testimony < upset:
        return replace(history, testimony=upset)
    kept = _kept(history, views, np.array([columns(history.lies)]))
    return replace(history, past=history.past + float(kept[0]), testimony=testimony)


def _kept(history: History, views: BoardEvidence, later: Columns) -> Numbers:
    """What the board said before of places that changed; no worse than it was forgiven to have been upset."""
    return np.maximum(views.kept(history, later), min(0.0, history.testimony))


def _playing(history: History, views: BoardEvidence) -> Iterator[History]:
    """The boards that the play of the player on roll may show now, complete or not."""
    boards = underway(history.rules, history.stand, ALL_ROLLS)
    seen = views.now.testimony(history.lies)[ROWS, boards.columns].sum(axis=1)
    past = _kept(history, views, boards.columns) - math.log(len(boards.boards))
    ranked = np.argsort(-(past + seen), kind="stable")[:MOST_PARTIAL_BOARDS]
    for i in ranked:
        if past[i] + seen[i] < past[ranked[0]] + seen[ranked[0]] - PARTIAL_BOARDS_WITHIN_NATS:
            break
        lying = boards.boards[i]
        yield replace(history, past=history.past + float(past[i]), testimony=float(seen[i]), lying=lying)


def _ended(history: History, t_ms: int) -> Iterator[History]:
    """`history` with the play over, if what lies there is a whole one; the likeliest dice are inferred."""
    board = history.lies
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
    return replace(history.continued(turn, history.past + prior, history.testimony), clearest=-math.inf)


def _after_a_dance(history: History, views: BoardEvidence, t_ms: int) -> Iterator[History]:
    """The play is over, the opponent could not move, and the same player is playing again."""
    for over in _ended(history, t_ms):
        if unplayable := dance(over):
            dice, prior = unplayable
            yield from _playing(_played(over, dice, over.position, prior, t_ms), views)


def _ended_unseen(history: History, memory: BoardMemory, t_ms: int) -> Iterator[History]:
    """The play is over at a board that nobody saw: those from which the board can best be reached."""
    within = within_reach(memory.testimony(history.lies), history.on_roll)
    ends = [
        (float(hope), dice, board)
        for dice in ALL_ROLLS
        for hope, board in _hopes(results(history.rules, history.stand, dice).layout, within)
    ]
    likeliest: dict[Position, tuple[float, Dice]] = {}
    for hope, dice, board in ends:
        weight = hope + math.log(dice.ways / 36)
        if board not in likeliest or weight > likeliest[board][0]:
            likeliest[board] = weight, dice
    ranked = sorted(likeliest.items(), key=lambda item: -item[1][0])[:MOST_UNSEEN_ENDS]
    for board, (weight, dice) in ranked:
        prior = weight - float(within[ROWS, BoardLayout.of([board]).columns[0]].sum())
        yield _played(history, dice, board, prior, t_ms)


def _hopes(boards: BoardLayout, within: Table) -> Iterator[tuple[float, Position]]:
    prior = -math.log(len(boards.boards))
    return zip(within[ROWS, boards.columns].sum(axis=1) + prior, boards.boards, strict=True)


def _ended_game(history: History, t_ms: int) -> History:
    """Bearing off the last checker ends the play at once."""
    return ended(history, t_ms) if history.rules.win(history.stand.on_board(history.lies)) else history
