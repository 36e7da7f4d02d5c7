"""How people pile checkers: rows from the rim, layers upon them, towers. No two checkers ever intersect."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.training.scenes.looks.board import Board
from vision.training.scenes.objects.positions import Counts

TIGHT = 1e-6
TRIES = 8
MIDDLE_REACH = 0.15
"""A checker belongs to the bar's top half if its middle lies at most so many diameters below the board's."""
OWN_COLUMN = 0.30
"""Greatest distance of a checker from its column's middle, as a share of the pitch: more is ambiguous."""


@dataclass(frozen=True, kw_only=True)
class Checker:
    """One checker.

    foot_mm: the middle of its underside. place: 0 to 23, 24 for the top half of the bar, 25 for its bottom
    half, -1 for none (beside the field, or in a hand).
    """

    side: int
    foot_mm: tuple[float, float, float]
    place: int
    layer: int


@dataclass(frozen=True, kw_only=True)
class Habit:
    """How somebody lays checkers.

    untidy: from 0 (neat) to 1. rim_gap: from the rim to the first checker, in diameters. way: "direct",
    "bridge" or "tower". row: checkers in the first layer before a second begins. same_way: least share of
    places laid in that way.
    """

    untidy: float
    rim_gap: float
    way: str
    row: int
    same_way: float = 0.85


def habit_by_chance(rng: np.random.Generator, board: Board) -> Habit:
    room = board.most_in_a_row
    gap = float(rng.choice([0.0, 0.0, 0.0, abs(rng.normal(0, 0.15)), rng.uniform(0.0, 0.5)]))
    row = board.row if rng.random() < 0.9 else int(rng.integers(min(3, room), room + 1))
    return Habit(
        untidy=float(rng.choice([rng.uniform(0, 0.25), rng.uniform(0.2, 0.6), rng.uniform(0.5, 1.0)])),
        rim_gap=gap,
        way=str(rng.choice(["direct", "direct", "bridge", "bridge", "tower"])),
        row=min(row, max(int((0.475 * board.field_wh[1] - gap * board.diameter) / board.diameter), 1)),
    )


class Piling:
    """Lays checkers one after another beside those that already lie there. One without room is left out."""

    def __init__(
        self, board: Board, rng: np.random.Generator, habit: Habit, lying: Sequence[Checker] = ()
    ) -> None:
        self.board, self.rng, self.habit = board, rng, habit
        self.laid = list(lying)

    def lay(self, counts: Counts) -> list[Checker]:
        """Lay a whole position. Where both colours share a place, their order is random."""
        for place in self.rng.permutation(24):
            self._on_place(int(place), self._order(counts.places[int(place)]))
        for half in range(2):
            self._on_bar(half, self._order(counts.bar_halves[half]))
        return self.laid

    def _order(self, counts: list[int]) -> list[int]:
        sides = [0] * counts[0] + [1] * counts[1]
        if self.rng.random() < 0.5:
            return [int(side) for side in self.rng.permutation(sides)]
        return sides if self.rng.random() < 0.5 else sides[::-1]

    def _on_place(self, place: int, sides: list[int]) -> None:
        rng, habit, board = self.rng, self.habit, self.board
        sloppy = habit.untidy if rng.random() < 0.8 else rng.uniform(0, 1)
        inward = -1 if place < 12 else 1
        foot_y = board.rim_y(place) + inward * board.diameter / 2
        edge = foot_y + inward * board.diameter * (habit.rim_gap + abs(rng.normal(0, 0.06)) * sloppy)
        lean = rng.normal(0, 0.12) * sloppy
        way = habit.way if rng.random() < habit.same_way else str(rng.choice(["direct", "bridge", "tower"]))
        if way == "tower" and len(sides) > 1:
            self._towers(place, sides, edge, inward)
            return
        layers: list[list[Checker]] = [[]]
        for side in sides:
            layer = len(layers) - 1
            room = habit.row if layer == 0 else len(layers[layer - 1]) - (way == "bridge")
            if len(layers[layer]) >= max(room, 1):
                layers.append([])
                layer += 1
            laid = None
            if layer == 0:
                laid = self._next_in_row(place, side, layers[0], edge, inward, sloppy, lean)
                if laid is None and layers[0]:
                    layers.append([])
                    layer = 1
            if laid is None and layer > 0:
                laid = self._upon(place, side, layers, layer, way, sloppy)
            if laid is None:
                laid = self._on_top(place, side)
            if laid is not None:
                layers[layer].append(laid)
                self.laid.append(laid)

    def _next_in_row(
        self, place: int, side: int, row: list[Checker], edge: float, inward: int, sloppy: float, lean: float
    ) -> Checker | None:
        board, rng = self.board, self.rng
        middle = board.column_x(place)
        for attempt in range(2 * TRIES):
            loose = sloppy if attempt < TRIES else 0.0
            off = rng.normal(0, 0.09) * loose * board.diameter + lean * len(row) * 0.3 * board.diameter * (
                loose > 0
            )
            off = float(np.clip(off, -OWN_COLUMN * board.pitch, OWN_COLUMN * board.pitch))
            gap = abs(rng.normal(0, 0.08)) * loose * board.diameter
            if attempt >= TRIES:
                gap = (attempt - TRIES) * 0.04 * board.diameter
            y = edge
            if row:
                last = row[-1].foot_mm
                aside = middle + off - last[0]
                along = math.sqrt(max(board.diameter**2 - aside**2, 0.0)) + 10 * TIGHT
                y = last[1] + inward * (along + gap)
            elif attempt:
                y = edge + inward * gap
            if abs(y) < board.diameter / 2 + 0.02 * board.field_wh[1]:
                continue
            spot = (middle + off, y, 0.0)
            if self.free(spot):
                return Checker(side=side, foot_mm=spot, place=place, layer=0)
        return None

    def _upon(
        self, place: int, side: int, layers: list[list[Checker]], layer: int, way: str, sloppy: float
    ) -> Checker | None:
        under, index = layers[layer - 1], len(layers[layer])
        rest = under[index : index + 2] if way == "bridge" and len(under) > 1 else under[index : index + 1]
        if not rest:
            return None
        highest = max(checker.foot_mm[2] for checker in rest)
        level = [checker.foot_mm for checker in rest if checker.foot_mm[2] == highest]
        x, y, z = (float(v) for v in np.mean(level, axis=0))
        for attempt in range(TRIES):
            loose = 0.10 * sloppy * self.board.diameter * (1 - attempt / (TRIES - 1))
            off = self.rng.normal(0, 1, 2) * loose
            spot = (x + float(off[0]), self._within(y + float(off[1])), z + self.board.thickness)
            if abs(spot[0] - self.board.column_x(place)) < OWN_COLUMN * self.board.pitch and self.free(spot):
                return Checker(
                    side=side, foot_mm=spot, place=place, layer=round(spot[2] / self.board.thickness)
                )
        return None

    def _on_top(self, place: int, side: int) -> Checker | None:
        """Lay a checker straight on another of this place, the lowest possible; None if none has room."""
        for under in sorted((c for c in self.laid if c.place == place), key=lambda checker: checker.layer):
            spot = (under.foot_mm[0], under.foot_mm[1], under.foot_mm[2] + self.board.thickness)
            if self.free(spot):
                return Checker(side=side, foot_mm=spot, place=place, layer=under.layer + 1)
        return None

    def _towers(self, place: int, sides: list[int], edge: float, inward: int) -> None:
        """Lay the checkers of a place in a few vertical piles."""
        rng, board = self.rng, self.board
        height = int(rng.integers(2, 6)) if rng.random() < 0.8 else int(rng.integers(3, 9))
        row: list[Checker] = []
        pile: list[Checker] = []
        for side in sides:
            if len(pile) >= height or not pile:
                foot = self._next_in_row(place, side, row, edge, inward, self.habit.untidy, 0.0)
                if foot is not None and len(row) < self.habit.row:
                    row.append(foot)
                    pile = [foot]
                    self.laid.append(foot)
                    continue
            if not pile:
                return
            if len(pile) >= height:
                upon = self._on_top(place, side)
                self.laid += [upon] if upon is not None else []
                continue
            last = pile[-1].foot_mm
            off = rng.normal(0, 0.04, 2) * board.diameter * (0.3 + self.habit.untidy)
            spot = (last[0] + float(off[0]), self._within(last[1] + float(off[1])), last[2] + board.thickness)
            if not self.free(spot) or abs(spot[0] - board.column_x(place)) > OWN_COLUMN * board.pitch:
                spot = (last[0], last[1], spot[2])
            laid = Checker(side=side, foot_mm=spot, place=place, layer=pile[-1].layer + 1)
            upon = laid if self.free(spot) else self._on_top(place, side)
            if upon is not None:
                pile.append(upon)
                self.laid.append(upon)

    def _on_bar(self, half: int, sides: list[int]) -> None:
        """Lay checkers along the bar from its middle outwards, or in piles. A low, narrow bar takes few."""
        rng, board = self.rng, self.board
        outward = 1 if half == 0 else -1
        room = board.field_wh[1] / 2 - board.diameter / 2
        low = board.diameter * rng.uniform(-MIDDLE_REACH if half == 0 else MIDDLE_REACH, 1.2)
        ys = [low + step * board.diameter * rng.uniform(1.01, 1.15) for step in range(4)]
        ys = [y for y in ys if y < room] or [room]
        piled = rng.random() < 0.3
        feet: list[Checker] = []
        for side in sides:
            laid = None
            x = float(rng.normal(0, 0.1)) * min(board.diameter, board.bar) * self.habit.untidy
            for y in [] if piled and feet else ys:
                spot = (x, outward * float(y), board.bar_height)
                if self.free(spot):
                    laid = Checker(side=side, foot_mm=spot, place=24 + half, layer=0)
                    break
            if laid is None and feet:
                last = feet[-1]
                spot = (last.foot_mm[0], last.foot_mm[1], last.foot_mm[2] + board.thickness)
                if self.free(spot):
                    laid = Checker(side=side, foot_mm=spot, place=24 + half, layer=last.layer + 1)
            if laid is not None:
                feet.append(laid)
                self.laid.append(laid)

    def _within(self, y: float) -> float:
        """The nearest y that keeps clear of the frame."""
        most = self.board.field_wh[1] / 2 - self.board.diameter / 2
        return float(np.clip(y, -most, most))

    def free(self, foot_mm: tuple[float, float, float]) -> bool:
        """Whether a checker there would intersect no other."""
        return not any(intersect(self.board, foot_mm, other.foot_mm) for other in self.laid)


def intersect(board: Board, one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    """Whether checkers in these two spots would intersect."""
    if abs(one[2] - other[2]) > board.thickness - 1e-4:
        return False
    return math.dist(one[:2], other[:2]) < board.diameter - 1e-4


def counted(laid: list[Checker]) -> tuple[Counts, list[int]]:
    """The checkers that lie on each place, and the number of layers on each of the 24 points."""
    counts, piles = Counts(), [0] * 24
    for checker in laid:
        if 0 <= checker.place < 24:
            counts.places[checker.place][checker.side] += 1
            piles[checker.place] = max(piles[checker.place], checker.layer + 1)
        elif checker.place >= 24:
            counts.bar_halves[checker.place - 24][checker.side] += 1
    return counts, piles
