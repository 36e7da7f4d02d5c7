"""Random positions to draw, from the start of a game to towers of a bear-off."""

import numpy as np
import numpy.typing as npt

from vision.networks.strips import N_PLACES

Rng = np.random.Generator
Counts = npt.NDArray[np.int64]

DRAWN_GUESTS = 0.3
"""Share of the scattered positions in which guests are put on held points."""
BAR_HELD = 0.35
"""Probability that a side has checkers on the bar, in a scattered position."""
NEARLY_START = 0.15
"""Share of the positions that are the start position without one to three checkers; guess."""
OTHER_STARTS = 0.25
"""Share of the start positions whose stacks are up to two lower, as in games with fewer checkers."""
START_PLACES = {0: (2, 0), 5: (0, 5), 7: (0, 3), 11: (5, 0), 12: (0, 5), 16: (3, 0), 18: (5, 0), 23: (0, 2)}
"""Light and dark checkers of one start position; the others are its mirror images."""


def start_position(rng: Rng) -> Counts:
    """(26, 2): the start position, mirrored at random in either direction."""
    counts = np.zeros((N_PLACES, 2), np.int64)
    flip, turn = rng.random(2) < 0.5
    for place, sides in START_PLACES.items():
        column, row = place % 12, place // 12
        column = 11 - column if flip else column
        counts[column + 12 * (row ^ int(turn))] = sides
    if rng.random() < OTHER_STARTS:
        counts -= np.where(counts > 2, rng.integers(0, 3, size=2), 0)
    return counts


def position_by_chance(rng: Rng) -> Counts:
    """(26, 2): a random position: near the start, played on from there, or scattered checkers."""
    if rng.random() < NEARLY_START:
        return _forgotten(rng, start_position(rng))
    counts = np.zeros((N_PLACES, 2), np.int64)
    if rng.random() < 0.3:
        return _played_on(rng, start_position(rng), int(rng.integers(1, 14)))
    for side in rng.permutation(2):
        free = np.flatnonzero(counts[:24, 1 - side] == 0)
        kind = rng.random()
        if kind < 0.3:
            home = rng.integers(0, 4) * 6 + np.arange(6)
            free = np.intersect1d(free, home) if len(np.intersect1d(free, home)) > 1 else free
        points = rng.choice(
            free, min(len(free), int(rng.integers(1, 4) if kind < 0.15 else rng.integers(3, 10))), False
        )
        share = rng.dirichlet(np.full(len(points), rng.choice([0.4, 1.0, 3.0])))
        total = 15 if rng.random() < 0.6 else int(rng.integers(2, 15))
        counts[points, side] = rng.multinomial(total, share)
    for side in (0, 1):
        if rng.random() < BAR_HELD:
            counts[24 + int(rng.integers(2)), side] += int(rng.choice([1, 1, 1, 2, 2, 3]))
    return _with_guests(rng, counts) if rng.random() < DRAWN_GUESTS else counts


def _with_guests(rng: Rng, counts: Counts) -> Counts:
    """Put one or two checkers of the other side on a few held points, as far as it has some left."""
    held = np.flatnonzero(counts[:24].any(axis=1))
    for place in rng.choice(held, min(len(held), int(rng.integers(1, 5))), False):
        side = int(counts[place].argmin())
        left = max(0, 15 - int(counts[:, side].sum()))
        counts[place, side] = min(int(rng.choice([1, 1, 1, 2])), left)
    return counts


def _played_on(rng: Rng, counts: Counts, steps: int) -> Counts:
    """Move a random checker `steps` times to a free point or to the bar."""
    for _ in range(steps):
        side = int(rng.integers(2))
        origin = rng.choice(np.flatnonzero(counts[:, side] > 0))
        free = np.flatnonzero(counts[:24, 1 - side] == 0)
        counts[origin, side] -= 1
        goal = 24 + int(rng.integers(2)) if rng.random() < 0.07 else int(rng.choice(free))
        counts[goal, side] += 1
    return counts


def _forgotten(rng: Rng, counts: Counts) -> Counts:
    """Take one to three checkers away."""
    for _ in range(int(rng.choice([1, 1, 2, 3]))):
        place, side = rng.choice(np.argwhere(counts > 0))
        counts[place, side] -= 1
    return counts
