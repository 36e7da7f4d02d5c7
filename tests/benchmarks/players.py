"""Two players for simulated games: one plays at random, one with some sense."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from controller.rules import BAR, LegalPlays, Play, Player, Position

Chooser = Callable[[LegalPlays, Random], Play]

DIRECT_SHOT, INDIRECT_SHOT = 0.35, 0.1
"""Rough probability that a checker up to six points away, and seven to twelve points away, hits a blot."""

POINT_WORTH = {3: 3, 4: 6, 5: 8, 6: 6, 7: 7, 8: 3, 18: 3, 20: 5, 21: 4}
"""Worth of a held point in pips, by its owner's number."""

OTHER_POINT_WORTH = 1
TALL_STACK = 4


def at_random(plays: LegalPlays, chance: Random) -> Play:
    """Any legal play, each as likely as every other."""
    return chance.choice(_in_order(plays))


def sensibly(plays: LegalPlays, chance: Random) -> Play:
    """The play that leaves the best position by a rule of thumb: run, hit, hold points, leave no blots."""
    return max(_in_order(plays), key=lambda play: worth(play.result, plays.player))


def worth(position: Position, player: Player) -> float:
    """What `position` is worth to `player`, in pips."""
    own = position.side(player)
    enemies = [BAR - place for place, n in enumerate(position.side(player.opponent)) if n and place]
    total = float(position.pip_count(player.opponent) - position.pip_count(player))
    for point in range(1, BAR):
        if own[point] == 1:
            total -= _risk(point, enemies) * (BAR - point)
        elif own[point]:
            total += POINT_WORTH.get(point, OTHER_POINT_WORTH) - max(0, own[point] - TALL_STACK)
    return total


def _risk(point: int, enemies: list[int]) -> float:
    """Rough probability that a blot on `point` is hit from the places `enemies`, in its owner's numbering."""
    safe = 1.0
    for enemy in enemies:
        if 0 < point - enemy <= 6:
            safe *= 1 - DIRECT_SHOT
        elif 6 < point - enemy <= 12:
            safe *= 1 - INDIRECT_SHOT
    return 1 - safe


def _in_order(plays: LegalPlays) -> list[Play]:
    return sorted(plays, key=lambda play: play.result.packed)
