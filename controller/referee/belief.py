"""What the referee believes of the game, as turns end and boards are seen.

He never decides what was played: he keeps every history that the rules and the readings leave possible, lets
later readings weigh them, and drops those that fall far behind.
"""

import math
from collections.abc import Iterable
from dataclasses import replace

from controller.referee.continuing import ALL_ROLLS, as_seen, continued, explained_underway
from controller.referee.histories import History, Views, best, pruned, rivals
from controller.referee.memory import Memory
from controller.referee.unheard import FOLLOWED_NATS, after_unheard
from controller.rules import Dice

RETHROWN = -4.0
"""Prior of a roll that replaces a valid one: dice jostled in the tray, or thrown too early."""

MOVED_ON = -13.0
"""Prior of the next player having moved unheard, when the board no longer fits the last half-turn."""

WAITING = math.log(0.5)
"""Prior of a player not having ended his play at the next settled board."""

UNEXPLAINED = -14.0
"""The board is not explained when the best history has lost this much in a turn."""


def end_turn(
    histories: tuple[History, ...],
    rolls: tuple[Dice, ...],
    views: Views,
    t_ms: int,
) -> tuple[History, ...]:
    """Every history continued by every way to play one of `rolls` from it, weighed by what the board shows.

    rolls: what the dice may have been: one roll when both were heard. Where no play explains the board, it is
    one that the laws do not allow, or the opponent had played before with a roll that nobody heard.
    """
    inferred = len(rolls) > 1
    children = [
        child for history in histories for child in continued(history, rolls, views, t_ms, inferred=inferred)
    ]
    dice = rolls[0] if len(rolls) == 1 else None
    children += as_seen(best(histories), children, dice, views, t_ms)
    if best(children).weight < best(histories).weight + UNEXPLAINED:
        for rival in rivals(histories, FOLLOWED_NATS):
            children += after_unheard(rival, rolls, views, t_ms)
    return pruned(children)


def infer_turns(histories: tuple[History, ...], views: Views, t_ms: int) -> tuple[History, ...]:
    """The histories after a settled board, in a game whose dice are not heard.

    Since the last settled board the player on roll has played nothing or a part of his play, or has completed
    it. Where none of this explains the board, his opponent may have completed his as well.
    """
    memory = views.now
    children = [
        replace(
            history,
            past=history.past + WAITING,
            testimony=explained_underway(history, ALL_ROLLS, memory),
        )
        for history in histories
    ]
    for history in histories:
        children += continued(history, ALL_ROLLS, views, t_ms, inferred=True)
    if best(children).weight < best(histories).weight + UNEXPLAINED:
        children += after_unheard(best(histories), ALL_ROLLS, views, t_ms)
    children += as_seen(best(histories), children, None, views, t_ms)
    return pruned(children)


def weigh(histories: tuple[History, ...], views: Views) -> tuple[History, ...]:
    """The histories after the board was seen again, nobody having played since the last half-turn ended."""
    weighed = [_weighed(history, views.now) for history in histories]
    top = best(weighed)
    if top.parent is None or top.turn is None or not views.now.plain:
        return pruned(weighed)
    return pruned([*weighed, *as_seen(top.parent, weighed, top.turn.dice, views, top.turn.t_ms)])


def _weighed(history: History, memory: Memory) -> History:
    """The board shows the last half-turn's result, or it did so before and somebody has moved on unheard."""
    score = memory.score(history.position, history.before)
    clearest = max(score, history.clearest)
    return replace(history, clearest=clearest, testimony=max(score, clearest + MOVED_ON))


def explained(histories: tuple[History, ...], rolls: Iterable[Dice], memory: Memory, nats: float) -> bool:
    """Whether a history explains the board as a play not begun, half made or complete, within `nats`."""
    top = best(histories).weight
    return any(
        history.weight - top + explained_underway(history, rolls, memory) > -nats for history in histories
    )
