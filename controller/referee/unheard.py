"""Turns that the dice sensor did not tell of: rolls that nobody heard, throws let be."""

import math
from dataclasses import replace

import numpy as np

from controller.referee.continuing import (
    MOST_NUMBERS,
    Offspring,
    best_weight,
    continued,
    irregular_turn,
    n_strays,
    told,
)
from controller.referee.events import MAX_COUNT, N_ROWS
from controller.referee.histories import KEEP_NATS, History, Views, leading, pruned
from controller.referee.layouts import ROWS
from controller.referee.memory import Memory, Table
from controller.referee.throws import Faces, Throw, unheard
from controller.referee.turns import HalfTurn
from controller.rules import BAR, ClosedOut, Laws, Player, Rules

UNHEARD = math.log(0.02)
"""Prior of a roll that nobody heard."""

UNHEARD_BELOW = -6.0
"""A missed roll is thought of when no history explains the board better than this: when some place plainly
shows something else."""

NOT_HIS_TURN = -14.0
"""Prior of the record having gone astray by one half-turn."""

LET_BE = math.log(0.5)
"""Prior of a closed-out player not throwing: he need not."""

THROWN_IN_VAIN = math.log(0.02)
"""Prior of his throwing all the same where the laws suspend his play."""

MOST_FOLLOWED = 8
"""Histories that are continued by an unheard play."""

FOLLOWED = 24
"""Plays of an unheard roll that are followed up."""


def with_unheard(
    histories: tuple[History, ...], throws: tuple[Throw, ...], memory: Memory, t_ms: int
) -> tuple[History, ...]:
    """The histories before a roll and, where none explains a settled board, those in which one was missed.

    Then the player on roll has played one of `throws`.
    """
    plain = [history for history in histories if not _is_upset(history)]
    if not plain or max(history.testimony for history in plain) > UNHEARD_BELOW:
        return histories
    followed = list(leading(plain, KEEP_NATS, MOST_FOLLOWED))
    followed += [one.parent for one in followed if one.parent and one.turn and one.turn.dice_inferred]
    views = Views(now=memory, before=None)
    children = [
        child.fitting(memory.score(history.position, history.position) - UNHEARD_BELOW)
        for history in followed
        for child in continued(_unheard(history), throws, views, t_ms)
    ]
    return pruned([*histories, *told(children, t_ms)])


def _unheard(history: History) -> History:
    return replace(history, past=history.past + UNHEARD)


def _is_upset(history: History) -> bool:
    """Whether checkers came or went in the last half-turn as no play, legal or not, makes them."""
    if history.turn is None or history.parent is None or history.turn.legal:
        return False
    return n_strays(history.parent, history.position, MOST_NUMBERS) > 0


def after_unheard(history: History, throws: tuple[Throw, ...], views: Views, t_ms: int) -> list[Offspring]:
    """`history` continued by a play whose roll nobody heard, and then by the opponent's play of `throws`.

    Of the first plays only those are followed from which the board as it lies can best be reached.
    """
    seen_ms = t_ms if views.now.t_ms is None else min(t_ms, views.now.t_ms)
    unseen = Views(now=Memory(t_ms=seen_ms), before=views.before)
    within = within_reach(views.now.testimony(history.position), history.on_roll)
    firsts = continued(_unheard(history), unheard(Faces()), unseen, seen_ms)
    hopes = [(one.past + within[ROWS, one.boards.columns].sum(axis=1)) for one in firsts]
    ranked = sorted(
        ((hope, n, i) for n, some in enumerate(hopes) for i, hope in enumerate(some)), reverse=True
    )
    found: list[Offspring] = []
    top = -math.inf
    for hope, n, i in ranked[:FOLLOWED]:
        if hope < top - KEEP_NATS:
            break
        children = continued(firsts[n].told(i, seen_ms), throws, views, t_ms)
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
    return history.played(turn, NOT_HIS_TURN, history.testimony, Views(now=Memory()))


def passed_over(histories: tuple[History, ...], t_ms: int) -> tuple[History, ...]:
    """The histories before a roll, and those in which a player who is closed out let his throw be."""
    found: list[History] = []
    for history in histories:
        if not history.rules.may_let_be(history.stand):
            found.append(history)
        elif _is_suspended(history.rules):
            found.append(replace(history, past=history.past + THROWN_IN_VAIN))
            found.append(_throw_let_be(history, 0.0, t_ms))
        else:
            found += [history, _throw_let_be(history, LET_BE, t_ms)]
    return pruned(found)


def _is_suspended(rules: Rules) -> bool:
    """Whether a player whom no throw can enter does not throw at all."""
    laws = rules.laws
    return isinstance(laws, Laws) and laws.closed_out is ClosedOut.SUSPENDED


def _throw_let_be(history: History, prior: float, t_ms: int) -> History:
    turn = HalfTurn(
        t_ms=t_ms, player=history.on_roll, dice=None, steps=(), legal=True, position=history.position
    )
    return history.played(turn, prior, history.testimony, Views(now=Memory()))
