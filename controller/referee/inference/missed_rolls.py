"""Turns that the dice sensor did not tell of: rolls that nobody heard, throws let be."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from controller.referee.events import MAX_COUNT, N_ROWS
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_layouts import ROWS, underway
from controller.referee.inference.board_memory import BoardMemory, Table, columns
from controller.referee.inference.continuing import (
    CandidatePlays,
    as_seen,
    best_weight,
    continued,
    dance,
    irregular_turn,
    lawful_turn,
    n_strays,
    prior_of_part,
    told,
)
from controller.referee.inference.histories import BoardEvidence, History, best, leading, pruned
from controller.referee.inference.roll_evidence import Faces, RollHypothesis, misheard, unheard
from controller.referee.priors import (
    CLOSED_OUT_NOT_THROWN_NATS,
    KEEP_WITHIN_NATS,
    MISSED_ROLL_BELOW_NATS,
    MOST_FOLLOWED_MISSED,
    MOST_NUMBERS,
    MOST_UNSEEN_PLAYS,
    RECORD_ASTRAY_NATS,
    ROLL_MISSED_NATS,
    ROLL_SEEN_IN_PICTURES_NATS,
    THROWN_WHILE_SUSPENDED_NATS,
)
from controller.rules import BAR, ClosedOut, Dice, Laws, Player, Position, Rules


def with_unheard(
    histories: tuple[History, ...],
    throws: tuple[RollHypothesis, ...],
    memory: BoardMemory,
    t_ms: int,
    *,
    thrown: bool,
    n_heard: int,
) -> tuple[History, ...]:
    """The histories before a roll and those in which one was missed, where none explains a settled board or
    dice are seen to have been `thrown`.

    Then the player on roll has played one of `throws`; or he could not move, and his opponent has. So a play
    may be told otherwise that was inferred after the `n_heard` half-turns that the last roll heard ended.
    """
    plain = [history for history in histories if not _is_upset(history)]
    if not plain or (best(plain).testimony > MISSED_ROLL_BELOW_NATS and not thrown):
        return histories
    followed = _thrown_unheard(
        plain, memory, n_heard, ROLL_SEEN_IN_PICTURES_NATS if thrown else ROLL_MISSED_NATS
    )
    followed += [danced for history in followed for danced in _danced_unheard(history, t_ms)]
    views = BoardEvidence(now=memory, before=None)
    children = [
        child.fitting(memory.score(history.position, history.position) - MISSED_ROLL_BELOW_NATS)
        for history in followed
        for child in continued(history, throws, views, t_ms)
    ]
    return pruned([*histories, *told(children, t_ms)])


def with_unheard_irregular(
    histories: tuple[History, ...], faces: Faces, views: BoardEvidence, t_ms: int, *, n_heard: int
) -> tuple[History, ...]:
    """The histories when a roll is heard and, where none explains the board by the dice that the pictures
    showed, those in which the player on roll has made what the laws do not allow of them.

    n_heard: as for `with_unheard`.
    """
    top, dice, plain = best(histories), faces.roll, views.plain
    inferred = top.turn.dice if top.turn and len(top.turns) > n_heard else dice
    if dice is None or plain is None or (top.testimony > MISSED_ROLL_BELOW_NATS and inferred == dice):
        return histories
    views = replace(views, before=None)
    found = [
        replace(child, turn=replace(child.turn, dice_inferred=True))
        for history in _thrown_unheard(histories, plain, n_heard)
        for child in as_seen(history, (), dice, views, t_ms, faces)
        if child.turn and not child.turn.legal
    ]
    return pruned([*histories, *found])


def _thrown_unheard(
    histories: Iterable[History], memory: BoardMemory, n_heard: int, prior: float = ROLL_MISSED_NATS
) -> list[History]:
    """The histories that one play may lead on to what the board shows, a roll that nobody heard being thrown.

    That has a `prior`. It has been thrown anyway where a play was inferred since the `n_heard` half-turns
    that the last roll heard ended.
    """
    followed = leading(histories, KEEP_WITHIN_NATS, MOST_FOLLOWED_MISSED, _nearest(histories, memory))
    thrown = [replace(history, past=history.past + prior) for history in followed]
    return thrown + [one.parent for one in followed if one.parent and len(one.turns) > n_heard]


def _nearest(histories: Iterable[History], memory: BoardMemory) -> Callable[[History], float]:
    """How likely a history is, its board being one from which one play leads to what the board shows."""
    sides = {history.on_roll for history in histories}
    reach = {player: within_reach(memory.table, player.opponent) for player in sides}

    def weight(history: History) -> float:
        return history.past + float(reach[history.on_roll][ROWS, columns(history.position)].sum())

    return weight


def _danced_unheard(history: History, t_ms: int) -> Iterator[History]:
    """`history` continued by a roll that nobody heard and that could not be played, if there is one."""
    if unplayable := dance(history):
        dice, prior = unplayable
        (play,) = history.plays(dice)
        turn = lawful_turn(history, dice, play, t_ms, inferred=True)
        danced = history.continued(turn, history.past + ROLL_MISSED_NATS + prior, history.testimony)
        yield replace(danced, clearest=history.clearest)


def _is_upset(history: History) -> bool:
    """Whether checkers came or went in the last half-turn as no play, legal or not, makes them."""
    if history.turn is None or history.parent is None or history.turn.legal:
        return False
    return n_strays(history.parent, history.position, MOST_NUMBERS) > 0


def after_unheard(
    history: History, throws: tuple[RollHypothesis, ...], views: BoardEvidence, t_ms: int
) -> list[CandidatePlays]:
    """`history` continued by a play whose roll nobody heard, and then by the opponent's play of `throws`."""
    thrown = replace(history, past=history.past + ROLL_MISSED_NATS)
    firsts = _unseen(thrown, unheard(Faces()), _reach(history, views), views, t_ms)
    return _followed_up(firsts, throws, views, t_ms)


def after_unseen(
    history: History, throws: tuple[RollHypothesis, ...], doubt: float, views: BoardEvidence, t_ms: int
) -> list[CandidatePlays]:
    """`history` with its last half-turn, which nobody saw, told otherwise, continued by a play of `throws`.

    The dice of that half-turn were misheard, as is so likely as `doubt`, or a part of the play was left out.
    """
    parent, turn = history.parent, history.turn
    if parent is None or turn is None or turn.dice is None or parent.rules.is_wide(turn.dice):
        return []
    reach = _reach(parent, views)
    firsts = _unseen(parent, misheard(turn.dice, Faces(), doubt), reach, views, t_ms)
    firsts += _parts_unseen(parent, turn.dice, reach, turn.t_ms)
    return _followed_up(firsts, throws, views, t_ms)


First = tuple[float, Callable[[], History]]
"""How promising a play is that nobody saw, and the history in which it was made."""


def _reach(history: History, views: BoardEvidence) -> Table:
    """The best that each row may say of each content after a play that nobody saw and the opponent's."""
    return within_reach(views.now.testimony(history.position), history.on_roll)


def _unseen(
    history: History, throws: tuple[RollHypothesis, ...], reach: Table, views: BoardEvidence, t_ms: int
) -> list[First]:
    """Every play of `throws`, made unseen."""
    seen_ms = t_ms if views.now.t_ms is None else min(t_ms, views.now.t_ms)
    unseen = BoardEvidence(now=BoardMemory(t_ms=seen_ms), before=views.before)
    return [
        (hope, partial(one.told, i, seen_ms))
        for one in continued(history, throws, unseen, seen_ms)
        for i, hope in enumerate((one.past + reach[ROWS, one.boards.columns].sum(axis=1)).tolist())
    ]


def _parts_unseen(history: History, dice: Dice, reach: Table, t_ms: int) -> list[First]:
    """Every part of a play of `dice`, made unseen as if it were the whole."""
    boards = underway(history.rules, history.stand, (dice,))
    whole, past = history.plays(dice), history.past + prior_of_part(history, dice)
    hopes = past + reach[ROWS, boards.columns].sum(axis=1)

    def left(board: Position) -> History:
        return history.continued(irregular_turn(history, dice, board, t_ms), past, 0.0)

    pairs = zip(hopes.tolist(), boards.boards, strict=True)
    return [(hope, partial(left, board)) for hope, board in pairs if board not in whole]


def _followed_up(
    firsts: list[First], throws: tuple[RollHypothesis, ...], views: BoardEvidence, t_ms: int
) -> list[CandidatePlays]:
    """The most promising of `firsts`, each continued by every play of `throws`."""
    ranked = sorted(firsts, key=lambda first: -first[0])
    found: list[CandidatePlays] = []
    top = -math.inf
    for hope, made in ranked[:MOST_UNSEEN_PLAYS]:
        if hope < top - KEEP_WITHIN_NATS:
            break
        children = continued(made(), throws, views, t_ms)
        top = max(top, best_weight(children))
        found += children
    return found


def within_reach(said: Table, player: Player) -> Table:
    """The best that each row may say of what the opponent of `player` can still make of each content.

    He puts his own checkers anywhere but where `player` holds the point, and hits blots.
    """
    sign = 1 if player is Player.WHITE else -1
    theirs = [MAX_COUNT - sign * n for n in range(1, MAX_COUNT + 1)]
    blot = MAX_COUNT + sign
    reach = said.copy()
    points = slice(0, BAR - 1)
    hit = said[points, theirs].max(axis=1)
    reach[points, blot] = np.maximum(said[points, blot], hit)
    free = np.maximum(hit, said[points, MAX_COUNT])
    reach[points, [*theirs, MAX_COUNT]] = free[:, None]
    own_bar, their_bar = (N_ROWS - 2, N_ROWS - 1)[::sign]
    reach[own_bar] = np.maximum.accumulate(said[own_bar][::-1])[::-1]
    reach[their_bar] = np.maximum.accumulate(said[their_bar])
    return reach


def not_his_turn(history: History) -> History:
    """`history` in which the record has gone astray: it is the other player's turn."""
    turn = irregular_turn(history, None, history.position, history.turn.t_ms if history.turn else 0)
    return history.played(turn, RECORD_ASTRAY_NATS, history.testimony, BoardEvidence(now=BoardMemory()))


def passed_over(histories: tuple[History, ...], t_ms: int) -> tuple[History, ...]:
    """The histories before a roll, and those in which a player who is closed out let his throw be."""
    found: list[History] = []
    for history in histories:
        if not history.rules.may_let_be(history.stand):
            found.append(history)
        elif _is_suspended(history.rules):
            found.append(replace(history, past=history.past + THROWN_WHILE_SUSPENDED_NATS))
            found.append(_throw_let_be(history, 0.0, t_ms))
        else:
            found += [history, _throw_let_be(history, CLOSED_OUT_NOT_THROWN_NATS, t_ms)]
    return pruned(found)


def _is_suspended(rules: Rules) -> bool:
    """Whether a player whom no throw can enter does not throw at all."""
    laws = rules.laws
    return isinstance(laws, Laws) and laws.closed_out is ClosedOut.SUSPENDED


def _throw_let_be(history: History, prior: float, t_ms: int) -> History:
    turn = HalfTurn(
        t_ms=t_ms, player=history.on_roll, dice=None, steps=(), legal=True, position=history.position
    )
    return history.played(turn, prior, history.testimony, BoardEvidence(now=BoardMemory()))
