"""Checkers of each place: the start, games played at random, late positions, random arrangements.

Both sides use the same 24 places, numbered as in `board.py`.
"""

from dataclasses import dataclass, field

import numpy as np

SIDES = (0, 1)
"""Light and dark checkers."""
CHECKERS = 15
BAR_MOST = 6
GUESTS = 0.25
"""Share of the positions with one to three checkers on points of the other side; guess."""
START_POINTS = {24: 2, 13: 5, 8: 3, 6: 5}
"""Checkers on a player's own points at the start of a game."""
NEARLY_START = 0.15
"""Share of the positions that are a start position set up with mistakes; guess."""
LEFT_OUT = 0.6
"""Share of these mistakes in which a checker is missing; in the others it lies elsewhere."""

GROWING_PLACES = (7, 12)
"""Range of the number of stacks that grow and shrink, its end excluded; guesses."""
LEAST_HEIGHTS = (1, 4, 5, 6)
"""Heights below which such stacks never shrink, one of them for each: low stacks change too; guess."""
LEFT_ALONE = 0.45
"""Probability that a stack is the same in the next picture; guess."""
STEPS_OF_A_STACK = (1, 1, 1, 1, 2, 2, 3)
"""Numbers of checkers that come or go at once, each entry equally likely; guess."""


@dataclass
class Counts:
    """Checkers of light and dark: places (24, 2), bar_halves (2, 2), top half first."""

    places: list[list[int]] = field(default_factory=lambda: [[0, 0] for _ in range(24)])
    bar_halves: list[list[int]] = field(default_factory=lambda: [[0, 0], [0, 0]])

    def total(self, side: int) -> int:
        """Checkers of a side on the points and the bar."""
        return sum(place[side] for place in self.places) + sum(half[side] for half in self.bar_halves)


def place_of(point: int, side: int, mirrored: bool, swapped: bool) -> int:
    """The place of a player's own point 1 to 24; the other side calls it 25 - point.

    mirrored: home boards lie at the left. swapped: light has its home in the top row.
    """
    number = point if (side == 0) != swapped else 25 - point
    row, column = (1, 12 - number) if number <= 12 else (0, number - 13)
    return 12 * row + (11 - column if mirrored else column)


def start(mirrored: bool, swapped: bool) -> Counts:
    """The start of a game, in one of four ways to set it up."""
    counts = Counts()
    for side in SIDES:
        for point, many in START_POINTS.items():
            counts.places[place_of(point, side, mirrored, swapped)][side] = many
    return counts


def nearly_start(rng: np.random.Generator, mirrored: bool, swapped: bool) -> Counts:
    """The start with one to three checkers missing, or elsewhere: on an empty place or one of their side."""
    counts = start(mirrored, swapped)
    for _ in range(int(rng.choice([1, 1, 2, 3]))):
        side = int(rng.integers(2))
        _one_of(rng, [place for place in counts.places if place[side]])[side] -= 1
        if rng.random() >= LEFT_OUT:
            _one_of(rng, [place for place in counts.places if not place[1 - side]])[side] += 1
    return counts


class _Game:
    """A game in which both sides move at random and mostly legally."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.own = [{point: START_POINTS.get(point, 0) for point in range(26)} for _ in SIDES]

    def play(self, half_turns: int) -> None:
        side = int(self.rng.integers(2))
        for _ in range(half_turns):
            dice = [int(d) for d in self.rng.integers(1, 7, 2)]
            for die in dice * (2 if dice[0] == dice[1] else 1):
                self._step(side, die)
            side = 1 - side
            if not all(sum(own[p] for p in range(1, 26)) for own in self.own):
                return

    def _step(self, side: int, die: int) -> None:
        own, other = self.own[side], self.own[1 - side]
        held = [25] if own[25] else [point for point in range(1, 25) if own[point]]
        last = max(held, default=0)
        can = []
        for point in held:
            to = point - die
            if (to >= 1 and other[25 - to] < 2) or (to < 1 and last <= 6 and (to == 0 or point == last)):
                can.append(point)
        if not can:
            return
        weight = np.array([1.0 + 2.0 * (own[max(p - die, 0)] == 1) + 0.5 * (own[p] == 1) for p in can])
        point = int(self.rng.choice(can, p=weight / weight.sum()))
        to = max(point - die, 0)
        own[point] -= 1
        own[to] += 1
        if to and other[25 - to] == 1:
            other[25 - to] -= 1
            other[25] += 1


def played(rng: np.random.Generator, mirrored: bool, swapped: bool) -> Counts:
    """A position of a game played at random."""
    game = _Game(rng)
    game.play(int(rng.integers(1, rng.choice([12, 40, 90]))))
    counts = Counts()
    for side in SIDES:
        for point in range(1, 25):
            counts.places[place_of(point, side, mirrored, swapped)][side] = game.own[side][point]
        counts.bar_halves[int(rng.integers(2))][side] = game.own[side][25]
    return counts


def late(rng: np.random.Generator, tallest: int) -> Counts:
    """A late position: each side on some places, mostly with one or two tall stacks of up to `tallest`."""
    counts = Counts()
    free = [int(place) for place in rng.permutation(24)]
    if rng.random() < 0.6:
        top_right = rng.random() < 0.5
        home = [[p for p in range(24) if (p < 12) == (s == 0) and (p % 12 >= 6) == top_right] for s in SIDES]
        free = []
    for side in SIDES:
        places = [int(p) for p in rng.permutation(home[side])] if not free else free[side::2]
        left = int(rng.integers(6, CHECKERS + 1)) if rng.random() < 0.5 else CHECKERS
        for number, place in enumerate(places):
            tall = number < 2 and rng.random() < (0.9, 0.5)[number]
            most = min(left, tallest if tall else 4)
            many = int(rng.integers(min(5, most), most + 1)) if tall else int(rng.integers(0, most + 1))
            counts.places[place][side] = many
            left -= many
    return counts


def anyhow(rng: np.random.Generator, tallest: int) -> Counts:
    """A random arrangement: places and bar may hold any number of either colour, some places both colours."""
    counts = Counts()
    left = [int(rng.integers(4, CHECKERS + 1)) if rng.random() < 0.4 else CHECKERS for _ in SIDES]
    mixed = 0.08 if rng.random() < 0.4 else 0.0
    kind = rng.random()
    for place in rng.permutation(24):
        sides = SIDES if rng.random() < mixed else (int(rng.integers(2)),)
        for side in sides:
            most = min(left[side], tallest)
            if not most:
                continue
            many = (
                1 + int(rng.integers(most))
                if rng.random() < 0.3
                else 1 + int(min(rng.geometric(0.42), most) - 1)
            )
            if kind < 0.25:
                many = min(many, 2)
            counts.places[int(place)][side] = many
            left[side] -= many
        if rng.random() < 0.03:
            break
    if rng.random() < 0.5:
        for half in range(2):
            if rng.random() < 0.6:
                side = int(rng.integers(2))
                many = min(int(rng.integers(1, BAR_MOST + 1)), int(rng.geometric(0.5)))
                counts.bar_halves[half][side] = many
                _fetch(rng, counts, side)
    return counts


def _fetch(rng: np.random.Generator, counts: Counts, side: int) -> None:
    """Take checkers off the points until the side has no more than 15."""
    while counts.total(side) > CHECKERS:
        _one_of(rng, [place for place in counts.places if place[side]])[side] -= 1


def _one_of(rng: np.random.Generator, places: list[list[int]]) -> list[int]:
    return places[int(rng.integers(len(places)))]


def stacked(rng: np.random.Generator) -> Counts:
    """Tall stacks on many places, to learn to count them; a side may have more checkers than in a game."""
    counts = Counts()
    for place in rng.permutation(24)[: int(rng.integers(8, 15))]:
        tallest = int(rng.integers(5, CHECKERS + 1)) if rng.random() < 0.8 else 3
        counts.places[int(place)][int(rng.integers(2))] = int(rng.integers(min(tallest, 4), tallest + 1))
    return counts


def growing(rng: np.random.Generator, pictures: int) -> list[Counts]:
    """Tall stacks that grow and shrink from picture to picture, each on a place of its own."""
    shown = [Counts() for _ in range(pictures)]
    for place in rng.permutation(24)[: int(rng.integers(*GROWING_PLACES))]:
        side, low = int(rng.integers(2)), int(rng.choice(LEAST_HEIGHTS))
        height = int(rng.integers(low, CHECKERS + 1))
        for counts in shown:
            counts.places[int(place)][side] = height
            if rng.random() >= LEFT_ALONE:
                step = int(rng.choice(STEPS_OF_A_STACK)) * int(rng.choice([-1, 1]))
                height = height + (step if low <= height + step <= CHECKERS else -step)
    return shown


def with_bar(rng: np.random.Generator, counts: Counts) -> Counts:
    """Move a few checkers to the bar."""
    for _ in range(int(rng.integers(1, 4))):
        side = int(rng.integers(2))
        held = [place for place in counts.places if place[side]]
        if held:
            _one_of(rng, held)[side] -= 1
            _one_of(rng, counts.bar_halves)[side] += 1
    return counts


def with_guests(rng: np.random.Generator, counts: Counts) -> Counts:
    """Move one to three checkers to places that the other side holds, as illegal plays do."""
    for _ in range(int(rng.integers(1, 4))):
        side = int(rng.integers(2))
        held = [place for place in counts.places if place[side]]
        others = [place for place in counts.places if place[1 - side] and not place[side]]
        if held and others:
            _one_of(rng, held)[side] -= 1
            _one_of(rng, others)[side] += 1
    return counts


def position(rng: np.random.Generator, mirrored: bool, swapped: bool) -> Counts:
    """A position from one of the sources above, by chance."""
    tallest = int(rng.choice([6, 9, 12, 15]))
    if rng.random() < NEARLY_START:
        return nearly_start(rng, mirrored, swapped)
    kind = rng.random()
    if kind < 0.26:
        counts = played(rng, mirrored, swapped)
    elif kind < 0.64:
        counts = late(rng, tallest)
    else:
        counts = anyhow(rng, tallest)
    if rng.random() < 0.12:
        counts = with_bar(rng, counts)
    return with_guests(rng, counts) if rng.random() < GUESTS else counts
