"""Boards by chance, and positions as they come in a bear-off: high piles that change one or two at a time."""

import math
from dataclasses import dataclass, field

import numpy as np

Counts = tuple[int, ...]
"""24 numbers: checkers on each place, light positive, dark negative."""
Spot = tuple[float, float, float]
"""Where a checker's foot lies in mm: right of the field's middle, away from the viewer, up from the board."""

SIDES, CHECKERS, ROW = (1, -1), 15, 5
MOST_ON_A_PLACE, FEWEST = 12, 8
"""Checkers that a place holds at most, and of a side that go on being played."""


@dataclass(frozen=True, kw_only=True)
class Board:
    """A board's measures in mm.

    wall, bar_height: how high the frame and the bar rise above the field. tray: width of the trays at the
    sides, 0 for none. bridging: whether further layers are laid on two checkers each of the one below.
    """

    field_wh: tuple[float, float]
    bar: float
    wall: float
    bar_height: float
    tray: float
    diameter: float
    thickness: float
    bridging: bool

    @staticmethod
    def by_chance(rng: np.random.Generator) -> "Board":
        bar = rng.uniform(30, 60)
        width = rng.uniform(520, 600)
        pitch = (width - bar) / 12
        diameter = rng.uniform(0.8, 0.97) * pitch
        wall = rng.uniform(15, 30)
        return Board(
            field_wh=(width, max(rng.uniform(430, 500), 10.8 * diameter)),
            bar=bar,
            wall=wall,
            bar_height=wall * rng.uniform(0.4, 1.0),
            tray=rng.uniform(45, 75) if rng.random() < 0.8 else 0.0,
            diameter=diameter,
            thickness=float(np.clip(diameter * rng.uniform(0.19, 0.32), 7, 12)),
            bridging=bool(rng.random() < 1 / 3),
        )

    def base(self, place: int) -> tuple[float, float]:
        """The middle of a place's base."""
        width, height = self.field_wh
        half = (width - self.bar) / 2
        column = place % 12
        x = half / 6 * (column % 6 + 0.5) + (half + self.bar) * (column >= 6)
        return x - width / 2, height / 2 if place < 12 else -height / 2


@dataclass(kw_only=True)
class Lying:
    """Who lies where; a checker that is left alone stays just where it is.

    untidy: how badly checkers are laid, from 0 up. spots: those of each place, the base's first. sides: 1
    where light ones lie, -1 where dark ones do.
    """

    board: Board
    rng: np.random.Generator
    untidy: float
    spots: list[list[Spot]] = field(default_factory=lambda: [[] for _ in range(24)])
    sides: list[int] = field(default_factory=lambda: [0] * 24)

    @property
    def counts(self) -> Counts:
        return tuple(side * len(spots) for side, spots in zip(self.sides, self.spots, strict=True))

    def lay(self, counts: Counts) -> None:
        """Clear the board and lay these."""
        self.spots, self.sides = [[] for _ in range(24)], [0] * 24
        for place, count in enumerate(counts):
            for _ in range(abs(count)):
                self.put(place, 1 if count > 0 else -1)

    def put(self, place: int, side: int) -> None:
        """Lay one more checker."""
        self.spots[place].append(self._next(place))
        self.sides[place] = side

    def take(self, place: int) -> None:
        """Take the last one off."""
        self.spots[place].pop()

    def _next(self, place: int) -> Spot:
        board, rng, spots = self.board, self.rng, self.spots[place]
        x, y = board.base(place)
        inward = -1 if place < 12 else 1
        layer, index = self._layer(len(spots))
        if layer == 0:
            gap = abs(rng.normal(0, 1.2 * self.untidy))
            foot = spots[-1][1] if spots else y - inward * board.diameter / 2
            return x + rng.normal(0, 1.5 * self.untidy), foot + inward * (board.diameter + gap), 0.0
        under = [spot for spot in spots if spot[2] == (layer - 1) * board.thickness]
        below = np.mean(under[index : index + 1 + board.bridging], axis=0)
        off, turn = rng.uniform(0.3, 3.0) * self.untidy, rng.uniform(0, 2 * math.pi)
        along = below[1] + off * math.sin(turn)
        if index:
            nearest = spots[-1][1] + inward * board.diameter
            along = max(along, nearest) if inward > 0 else min(along, nearest)
        return float(below[0] + off * math.cos(turn)), float(along), layer * board.thickness

    def _layer(self, number: int) -> tuple[int, int]:
        """The layer of a place's checker `number` and its index there."""
        layer, room = 0, ROW
        while number >= room:
            number, layer, room = number - room, layer + 1, room - self.board.bridging
        return layer, number


def play_on(lying: Lying, rng: np.random.Generator) -> None:
    """One or two checkers of a side go off, or from one place to another; mostly tall stacks."""
    side = int(rng.choice(SIDES))
    for _ in range(int(rng.integers(1, 3))):
        own = [place for place, count in enumerate(lying.counts) if count * side > 0]
        if sum(abs(lying.counts[place]) for place in own) < FEWEST:
            return
        weight = np.array([2.0 if abs(lying.counts[place]) > ROW else 1.0 for place in own])
        source = int(rng.choice(own, p=weight / weight.sum()))
        tall = [p for p in own if p != source and ROW <= abs(lying.counts[p]) < MOST_ON_A_PLACE]
        free = [p for p in range(24) if lying.counts[p] == 0]
        lying.take(source)
        kind = rng.random()
        if kind < 0.55 and tall:
            lying.put(int(rng.choice(tall)), side)
        elif kind < 0.75:
            lying.put(int(rng.choice(free)), side)


def late_counts(rng: np.random.Generator) -> Counts:
    """Both sides at home or nearly so, with one or two tall stacks each."""
    counts = [0] * 24
    for side in SIDES:
        left = CHECKERS - int(rng.integers(0, 3))
        for number in range(2):
            place = int(rng.choice([p for p in range(24) if counts[p] == 0]))
            most = min(left, MOST_ON_A_PLACE)
            tall = int(rng.integers(5, most + 1)) if most > 5 and rng.random() < (1.0, 0.7)[number] else 0
            counts[place], left = side * tall, left - tall
        while left:
            place = int(rng.choice([p for p in range(24) if counts[p] == 0]))
            few = min(left, int(rng.integers(1, 5)))
            counts[place], left = side * few, left - few
    return tuple(counts)
