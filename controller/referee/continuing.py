"""A history continued by one more half-turn: every legal play, or what was plainly seen."""

import math
from collections.abc import Iterable, Iterator

from controller.referee.histories import History, Views, log_mix, log_sum
from controller.referee.memory import Memory
from controller.referee.turns import HalfTurn
from controller.referee.underway import on_the_way
from controller.rules import BAR, OFF, Dice, Player, Position, legal_plays, steps_between

IRREGULAR = math.log(0.01 / 200)
"""Prior of one particular irregular play: one play in a hundred, spread over some two hundred boards."""

STRAY = -6.0
"""Added to IRREGULAR for each checker that appears or vanishes as no play makes it."""

MOST_NUMBERS = 4

ALL_ROLLS = tuple(Dice.rolls())

PLAY_MS = 1500.0
"""How long a checker takes to be played; a reading this old says little about where the play ended."""


def continued(
    history: History, rolls: tuple[Dice, ...], views: Views, t_ms: int, *, inferred: bool = False
) -> Iterator[History]:
    """`history` continued by every legal play of one of `rolls`.

    The board may have been seen last before the play was complete: the longer ago, the likelier.
    """
    memory = views.now
    missed = _missed(memory, t_ms)
    stale = log_mix(missed, explained_underway(history, rolls, memory)) if missed else -math.inf
    for dice in rolls:
        plays = legal_plays(history.position, history.on_roll, dice)
        prior = _roll_prior(dice, rolls) - math.log(len(plays))
        for play in plays:
            turn = HalfTurn(
                t_ms=t_ms,
                player=history.on_roll,
                dice=dice,
                dice_inferred=inferred,
                steps=play.steps,
                legal=True,
                position=play.result,
            )
            seen = log_mix(1 - missed, memory.score(play.result, history.position))
            yield history.played(turn, prior, log_sum(seen, stale), views)


def explained_underway(history: History, rolls: Iterable[Dice], memory: Memory) -> float:
    """How well the board shows a play of one of `rolls` not begun, half made, or complete."""
    return max(
        memory.score(position, history.position)
        for dice in rolls
        for position in on_the_way(history.position, history.on_roll, dice)
    )


def as_seen(
    parent: History, children: list[History], dice: Dice | None, views: Views, t_ms: int
) -> Iterator[History]:
    """`parent` continued by whatever led to the board that was plainly seen, legal or not."""
    if views.plain is None:
        return
    for seen in _boards_seen(parent, views.plain, views.before):
        if any(child.position == seen for child in children):
            continue
        plays = legal_plays(parent.position, parent.on_roll, dice) if dice else None
        lawful = plays.leading_to(seen) if plays else ()
        turn = HalfTurn(
            t_ms=t_ms,
            player=parent.on_roll,
            dice=dice,
            steps=lawful[0].steps if lawful else steps_between(parent.position, parent.on_roll, seen),
            legal=bool(lawful),
            position=seen,
        )
        prior = -math.log(len(plays)) if plays and lawful else _irregular_prior(parent, seen, dice)
        yield parent.played(turn, prior, views.now.score(seen, parent.position), views)


def _boards_seen(parent: History, plain: Memory, before: Memory) -> Iterator[Position]:
    """What lies on the board: as it changed since the roll, and as it is with every checker in its place.

    The first leaves a place alone that always reads wrongly; the second puts right a record that went astray.
    """
    changed = plain.likeliest(parent.position, before)
    yield changed
    whole = plain.likeliest(parent.position, Memory())
    if whole != changed and not _is_short(parent, whole):
        yield whole


def _is_short(parent: History, seen: Position) -> bool:
    """Whether checkers are missing or too many on a board that `parent` came to."""
    return bool(seen.problems()) or any(
        seen.side(player)[OFF] != parent.position.side(player)[OFF] for player in Player
    )


def _irregular_prior(parent: History, seen: Position, dice: Dice | None) -> float:
    """How likely a play is that the laws do not allow; less for each checker that no play accounts for."""
    n_numbers = len(dice.numbers) if dice else MOST_NUMBERS
    return IRREGULAR + STRAY * n_strays(parent, seen, n_numbers)


def n_strays(parent: History, seen: Position, n_numbers: int) -> int:
    """Checkers that came or went as no play of `n_numbers` numbers makes them."""
    mover, other = parent.on_roll, parent.on_roll.opponent
    own, others = seen.side(mover), seen.side(other)
    borne = own[OFF] - parent.position.side(mover)[OFF]
    may_bear = 0 if any(own[7:]) else n_numbers
    appeared = sum(
        max(0, now - then)
        for now, then in zip(others[1:BAR], parent.position.side(other)[1:BAR], strict=True)
    )
    vanished = others[OFF] - parent.position.side(other)[OFF]
    miscounted = sum(defect.count for defect in seen.problems())
    return max(0, borne - may_bear) + max(0, -borne) + appeared + abs(vanished) + miscounted


def _missed(memory: Memory, t_ms: int) -> float:
    """The chance that the play went on after the last reading."""
    age_ms = math.inf if memory.t_ms is None else max(0, t_ms - memory.t_ms)
    return 1 - math.exp(-age_ms / PLAY_MS)


def _roll_prior(dice: Dice, rolls: tuple[Dice, ...]) -> float:
    total = sum(1 if other.is_double else 2 for other in rolls)
    return math.log((1 if dice.is_double else 2) / total)
