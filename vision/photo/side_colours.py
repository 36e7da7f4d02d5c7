"""Separates the two sides' checkers by colours learnt from the picture itself.

The checkers of one stack belong to one side, and both sides have about as many checkers on the board. That
helps where glare or shadow lies over half of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from vision.geometry import FloatArray, Mask

Owners = npt.NDArray[np.int64]
"""For each checker the index of its stack."""

LIGHTNESS_WEIGHT = 0.7
"""Weight of lightness beside chroma: shadow and glare change lightness more; guess."""
LEAST_LAB_SPREAD = 4.0
"""Least spread of one side's colours, in CIE L*a*b* units; guess."""
LEAST_SIDE_DISTANCE = 14.0
"""Groups of colours closer than this belong to one side, in weighted L*a*b* units; guess."""
ABSENT_SIDE_LIGHTNESS = 40.0
"""How far from the side that is seen the other one is put, in weighted lightness; guess."""
MIDDLE_LIGHTNESS = 50.0
"""With one side only, brighter checkers than this are light; the middle of L*."""
BALANCE_SPREAD = 4.0
"""Spread of the difference of the two sides' numbers on the board, in checkers; guess."""
DEGREES_OF_FREEDOM = 3.0
"""Degrees of freedom of the Student distribution of colours; guess."""
POOLED_SHARE = 0.5
"""Share of each side's variance that is the mean of both: light and glare are the same for both; guess."""
EM_ROUNDS = 20
"""Most rounds of classification EM; guess."""
MOST_SIDE_NATS = 9.0
"""Greatest log-odds of a side, in nats; guess."""


@dataclass(frozen=True, kw_only=True)
class SideColour:
    """Mean and spread (3,) of one side's colours, lightness already weighted."""

    mean: FloatArray
    spread: FloatArray

    def log_likelihood(self, scaled: FloatArray) -> FloatArray:
        """(N,) for (N, 3) weighted colours, up to a constant: Student's t, because glare makes outliers."""
        away = (((scaled - self.mean) / self.spread) ** 2).sum(axis=1)
        return np.asarray(
            -(DEGREES_OF_FREEDOM + 3) / 2 * np.log1p(away / DEGREES_OF_FREEDOM) - np.log(self.spread).sum()
        )


@dataclass(frozen=True, kw_only=True)
class SideColours:
    """What the light and the dark checkers of one picture look like."""

    light: SideColour
    dark: SideColour

    def strangeness(self, lab: FloatArray) -> float:
        """How many spreads, squared, a colour (3,) is from that of the side nearer to it."""
        scaled = _scaled(lab)[0]
        return min(float((((scaled - s.mean) / s.spread) ** 2).sum()) for s in (self.light, self.dark))

    def light_logit(self, labs: FloatArray) -> float:
        """The natural log odds that the checkers of these colours (N, 3), all of one side, are light."""
        scaled = _scaled(labs)
        odds = float((self.light.log_likelihood(scaled) - self.dark.log_likelihood(scaled)).sum())
        return float(np.clip(odds, -MOST_SIDE_NATS, MOST_SIDE_NATS))


def learn_sides(stacks: Sequence[FloatArray]) -> SideColours | None:
    """The two sides' colours from the checkers' L*a*b* colours, an (N, 3) array for each stack.

    The brighter group is the light side. None without any checker; where there is one group only, the other
    side is put far away. Classification EM (Celeux and Govaert 1992) from many first divisions.
    """
    if not stacks:
        return None
    colours = _scaled(np.concatenate(stacks))
    owner = np.repeat(np.arange(len(stacks)), [len(stack) for stack in stacks])
    best_score, best = -np.inf, None
    for group in _divisions(colours, owner):
        score, settled = _settle(colours, owner, group)
        if score > best_score:
            best_score, best = score, settled
    if best is None:
        return _one_side(colours)
    sides = _two_sides(colours, best[owner])
    if np.linalg.norm(sides[0].mean - sides[1].mean) < LEAST_SIDE_DISTANCE:
        return _one_side(colours)
    dark, light = sorted(sides, key=lambda side: float(side.mean[0]))
    return SideColours(light=light, dark=dark)


def _scaled(labs: FloatArray) -> FloatArray:
    return np.asarray(np.atleast_2d(labs) * np.array([LIGHTNESS_WEIGHT, 1.0, 1.0]))


def _divisions(colours: FloatArray, owner: Owners) -> list[Mask]:
    """First guesses: the stacks divided at each step along lightness, a*, b* and the widest direction."""
    sizes = np.bincount(owner)
    middles = np.stack([np.bincount(owner, weights=channel) / sizes for channel in colours.T], axis=1)
    widest = np.linalg.svd(middles - middles.mean(axis=0), full_matrices=False)[2][0]
    divisions: list[Mask] = []
    for along in (*middles.T, middles @ widest):
        divisions += [along > (a + b) / 2 for a, b in pairwise(np.unique(along))]
    return divisions


def _settle(colours: FloatArray, owner: Owners, group: Mask) -> tuple[float, Mask]:
    """Reassign stacks until nothing changes: the score reached and the division."""
    score = -np.inf
    sizes = np.bincount(owner)
    for _ in range(EM_ROUNDS):
        if group.all() or not group.any():
            return -np.inf, group
        each = [
            np.bincount(owner, weights=side.log_likelihood(colours))
            for side in _two_sides(colours, group[owner])
        ]
        uneven = float(sizes[group].sum() - sizes[~group].sum())
        score = float(np.where(group, *each).sum()) - 0.5 * (uneven / BALANCE_SPREAD) ** 2
        again = each[0] > each[1]
        if (again == group).all():
            break
        group = again
    return score, group


def _two_sides(colours: FloatArray, member: Mask) -> tuple[SideColour, SideColour]:
    """The sides' means and spreads; with few checkers each spread leans on the other side's."""
    groups = colours[member], colours[~member]
    own = [group.var(axis=0) for group in groups]
    both = (own[0] + own[1]) / 2
    one, other = (
        SideColour(
            mean=group.mean(axis=0),
            spread=np.sqrt((1 - POOLED_SHARE) * var + POOLED_SHARE * both + LEAST_LAB_SPREAD**2),
        )
        for group, var in zip(groups, own, strict=True)
    )
    return one, other


def _one_side(colours: FloatArray) -> SideColours:
    seen = SideColour(mean=colours.mean(axis=0), spread=np.full(3, 2 * LEAST_LAB_SPREAD))
    bright = seen.mean[0] > MIDDLE_LIGHTNESS * LIGHTNESS_WEIGHT
    away = np.array([-ABSENT_SIDE_LIGHTNESS if bright else ABSENT_SIDE_LIGHTNESS, 0.0, 0.0])
    other = SideColour(mean=seen.mean + away, spread=seen.spread)
    return SideColours(light=seen, dark=other) if bright else SideColours(light=other, dark=seen)
