"""Turns that the dice sensor did not tell of: rolls that nobody heard, throws let be."""

import heapq
import math
from collections.abc import Iterator
from dataclasses import replace

from controller.referee.continuing import ALL_ROLLS, MOST_NUMBERS, continued, n_strays
from controller.referee.histories import History, Views, best, pruned, rivals
from controller.referee.memory import Memory
from controller.referee.turns import HalfTurn
from controller.rules import Dice

UNHEARD = math.log(0.02)
"""Prior of a roll that nobody heard."""

UNHEARD_BELOW = -12.0
"""A missed roll is thought of when no history explains the board better than this."""

LET_BE = math.log(0.5)
"""Prior of a closed-out player not throwing: he need not."""

FOLLOWED = 40
"""Plays of an unheard roll that are followed up."""

FOLLOWED_NATS = 8.0
"""Histories this close to the likeliest are followed through an unheard roll as well."""


def with_unheard(histories: tuple[History, ...], memory: Memory, t_ms: int) -> tuple[History, ...]:
    """The histories before a roll and, where none explains a settled board, those in which one was missed.

    Then the player on roll has thrown and played unheard.
    """
    plain = [history for history in histories if not _is_upset(history)]
    if not plain or max(history.testimony for history in plain) > UNHEARD_BELOW:
        return histories
    top = best(plain)
    children = list(histories)
    for rival in rivals(plain, FOLLOWED_NATS):
        children += _played_unheard(rival, memory, t_ms)
    if top.parent and top.turn and top.turn.dice_inferred:
        children += _played_unheard(top.parent, memory, t_ms)
    return pruned(children)


def _played_unheard(history: History, memory: Memory, t_ms: int) -> Iterator[History]:
    waiting = replace(history, past=history.past + UNHEARD)
    return continued(waiting, ALL_ROLLS, Views(now=memory), t_ms, inferred=True)


def _is_upset(history: History) -> bool:
    """Whether checkers came or went in the last half-turn as no play, legal or not, makes them."""
    if history.turn is None or history.parent is None or history.turn.legal:
        return False
    return n_strays(history.parent, history.position, MOST_NUMBERS) > 0


def after_unheard(history: History, rolls: tuple[Dice, ...], views: Views, t_ms: int) -> Iterator[History]:
    """`history` continued by a play whose roll nobody heard, and then by the opponent's play of `rolls`.

    Of the first plays only those are followed that leave the player's own checkers much as they lie now.
    """
    seen = views.now.likeliest(history.position, Memory()).side(history.on_roll)
    unseen = Views(now=Memory(t_ms=t_ms), before=views.before)
    firsts = continued(history, ALL_ROLLS, unseen, t_ms, inferred=True)

    def strays(first: History) -> int:
        own = first.position.side(history.on_roll)
        return sum(abs(a - b) for a, b in zip(own, seen, strict=True))

    inferred = len(rolls) > 1
    for first in heapq.nsmallest(FOLLOWED, pruned(firsts, most=10_000), key=strays):
        unheard = replace(first, past=first.past + UNHEARD)
        rest = Views(now=views.now, before=views.before.without(history.position, first.position))
        yield from continued(unheard, rolls, rest, t_ms, inferred=inferred)


def passed_over(histories: tuple[History, ...], t_ms: int) -> tuple[History, ...]:
    """The histories before a roll, and those in which a player who is closed out let his throw be."""
    closed_out = [history for history in histories if history.position.is_closed_out(history.on_roll)]
    return pruned([*histories, *(_throw_let_be(history, t_ms) for history in closed_out)])


def _throw_let_be(history: History, t_ms: int) -> History:
    turn = HalfTurn(
        t_ms=t_ms, player=history.on_roll, dice=None, steps=(), legal=True, position=history.position
    )
    return history.played(turn, LET_BE, history.testimony, Views(now=Memory()))
