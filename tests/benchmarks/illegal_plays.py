"""Illegal plays as players make them by mistake."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from controller.rules import BAR, OFF, LegalPlays, Play, PlayError, Step, after_steps

MISCOUNTS = (-2, -1, 1, 2)
"""Pips by which a checker is moved too little (positive) or too far (negative)."""


def illegal_play(play: Play, plays: LegalPlays, chance: Random, *, stands: bool) -> Play | None:
    """A mistake that somebody who meant to play `play` might make; None if there is none.

    stands: nobody notices it. Both colours on a point are always noticed, so that mistake never stands. A
    play of which a step is missing is a mistake only if it stands.
    """
    ways = (
        [_wrong_distance, _not_entered, _not_all] if stands else [_wrong_distance, _not_entered, _onto_held]
    )
    chance.shuffle(ways)
    for way in ways:
        found = [bad for bad in way(play, plays) if bad.result not in plays]
        if found:
            return chance.choice(found)
    return None


def _wrong_distance(play: Play, plays: LegalPlays) -> Iterator[Play]:
    """The last step is a pip or two too long or too short."""
    if not play.steps:
        return
    *first, last = play.steps
    for miscount in MISCOUNTS:
        target = last.target + miscount
        if OFF < target < last.source and last.source != BAR and _held_by_opponent(plays, target) < 2:
            yield from _made(plays, (*first, Step(last.source, target)))


def _onto_held(play: Play, plays: LegalPlays) -> Iterator[Play]:
    """The last step goes to a point that the opponent holds, from any point, by the lower number."""
    if not play.steps:
        return
    for source in range(1, BAR):
        target = source - plays.dice.low
        if target > OFF and _held_by_opponent(plays, target) > 1:
            yield from _made(plays, (*play.steps[:-1], Step(source, target)))


def _not_entered(play: Play, plays: LegalPlays) -> Iterator[Play]:
    """A checker stays on the bar, and one from a point moves the higher number instead."""
    if not plays.position.side(plays.player)[BAR]:
        return
    for source in range(1, BAR):
        target = source - plays.dice.high
        if target > OFF and _held_by_opponent(plays, target) < 2:
            yield from _made(plays, (Step(source, target),))


def _not_all(play: Play, plays: LegalPlays) -> Iterator[Play]:
    """The last step is left out."""
    if len(play.steps) > 1:
        yield from _made(plays, play.steps[:-1])


def _held_by_opponent(plays: LegalPlays, point: int) -> int:
    return plays.position.side(plays.player.opponent)[BAR - point]


def _made(plays: LegalPlays, steps: tuple[Step, ...]) -> Iterator[Play]:
    try:
        yield Play.of(steps, after_steps(plays.position, plays.player, steps))
    except PlayError:
        return
