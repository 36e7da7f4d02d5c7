"""The measures of a board and its checkers, in mm.

The field's middle is (0, 0); x goes right and y away from the lower row in the mapped view; z = 0 is the
field's surface. Places are 0 to 11 along the top row from left to right, 12 to 23 along the bottom row.
"""

from dataclasses import dataclass

import numpy as np

from vision.training.scenes.looks.family import Family

LOWEST_BAR = 0.6
"""Least height of a hinged bar above the field, in mm."""


@dataclass(frozen=True, kw_only=True)
class Board:
    """A board's measures in mm.

    bar: width, 0 for none. bar_height: above the field. wall: how high the frame stands above the field.
    rim: the frame's width. trays_mm: widths of the trays left and right, 0 for none. base: height of the
    field above the table. diameter, thickness: of a checker. row: checkers in the first layer before people
    begin a second one. reach: length of the points as a share of the field's height. fill: width of the
    points as a share of the pitch. apart: distance of walls and bar from the outermost points, and of walls
    from the bases of the points. The field ends where the points do.
    """

    field_wh: tuple[float, float]
    bar: float
    bar_kind: str
    bar_height: float
    wall: float
    rim: float
    trays_mm: tuple[float, float]
    base: float
    diameter: float
    thickness: float
    row: int
    reach: float
    fill: float
    frame: str
    apart: tuple[float, float] = (0.0, 0.0)

    @property
    def floor_wh(self) -> tuple[float, float]:
        """Width and height between the walls."""
        return self.field_wh[0] + 2 * self.apart[0], self.field_wh[1] + 2 * self.apart[1]

    @property
    def pitch(self) -> float:
        """The width of a column."""
        return (self.field_wh[0] - self.bar) / 12

    @property
    def bar_fractions(self) -> tuple[float, float]:
        half = self.bar / self.field_wh[0] / 2
        return 0.5 - half, 0.5 + half

    @property
    def most_in_a_row(self) -> int:
        """Checkers that fit in a row over 95 % of half the field's height, at least one."""
        return max(int(0.95 * self.field_wh[1] / 2 / self.diameter), 1)

    @property
    def outer(self) -> tuple[float, float, float, float]:
        """Left, right, bottom and top of the whole board with its frame."""
        wide, high = self.floor_wh[0] / 2, self.floor_wh[1] / 2
        divider = 0.6 * self.rim
        left, right = (wide + (tray + divider if tray else 0.0) + self.rim for tray in self.trays_mm)
        return -left, right, -high - self.rim, high + self.rim

    def column_x(self, place: int) -> float:
        """x of the middle of a place's column."""
        column = place % 12
        return (column - 5.5) * self.pitch + (self.bar / 2 if column >= 6 else -self.bar / 2)

    def rim_y(self, place: int) -> float:
        """y of the field's edge at a place's base."""
        return self.field_wh[1] / 2 * (1 if place < 12 else -1)


APART_SHARE = 0.5
"""Share of the boards with walls whose walls stand apart from the outermost points, and from the bases."""
MOST_APART = (0.25, 0.03)
"""Greatest such distances: in pitches, and in heights of the field; guesses."""
OF_THE_BAR = 0.3
"""Greatest share of the gap between the halves that a raised bar leaves free on each side; guess."""

FRAME_WALLS_MM = {
    "wood": (6.0, 46.0),
    "leather": (8.0, 36.0),
    "case": (10.0, 46.0),
    "plastic": (2.0, 18.0),
    "stone": (2.0, 18.0),
    "card": (0.3, 1.5),
    "none": (0.0, 0.0),
}


def board_by_chance(rng: np.random.Generator, family: Family) -> Board:
    """A board of this family."""
    pitch = rng.uniform(26, 52)
    diameter = pitch * float(
        rng.choice([rng.uniform(0.70, 0.85), rng.uniform(0.82, 0.97), rng.uniform(0.95, 1.0)])
    )
    frame = str(rng.choice(family.frames))
    bar_kind = str(rng.choice(family.bars))
    wall = rng.uniform(*FRAME_WALLS_MM[frame]) * pitch / 42
    bar, bar_height = _bar(rng, bar_kind, pitch, wall)
    width = 12 * pitch + bar
    height = max(diameter * rng.uniform(10.5, 13), width / rng.uniform(1.0, 1.5))
    loose = frame in ("none", "card")
    trays = (0.0, 0.0)
    if not loose and rng.random() < 0.6:
        tray = rng.uniform(1.05, 1.6) * diameter
        trays = ((tray, tray), (0.0, tray), (tray, 0.0))[int(rng.choice([0, 0, 1, 2]))]
    room = max(int(0.95 * height / 2 / diameter), 1)
    row = min(room, int(rng.choice([5, 5, 5, 5, 5, room, 6, 4])))
    if bar == 0.0 and not loose:
        bar_kind = "groove"
    apart = [
        rng.uniform(0, most) * size * (rng.random() < APART_SHARE and not loose)
        for most, size in zip(MOST_APART, (pitch, height), strict=True)
    ]
    beside = min(apart[0], OF_THE_BAR * bar) if bar_height > 0 else apart[0]
    return Board(
        field_wh=(width, height),
        bar=bar,
        bar_kind=bar_kind,
        bar_height=bar_height,
        wall=wall,
        rim=rng.uniform(0.02, 0.5) * pitch if loose else rng.uniform(0.18, 0.95) * pitch,
        trays_mm=trays,
        base=rng.uniform(0.4, 2.5) if loose else rng.uniform(6, 35),
        diameter=diameter,
        thickness=diameter * rng.uniform(0.12, 0.34),
        row=max(row, min(room, 4)),
        reach=rng.uniform(0.30, 0.47),
        fill=rng.uniform(0.7, 1.0),
        frame=frame,
        apart=(beside, apart[1]),
    )


def _bar(rng: np.random.Generator, kind: str, pitch: float, wall: float) -> tuple[float, float]:
    """Width and height of a bar of this kind."""
    if kind == "none":
        return 0.0, 0.0
    if kind == "groove":
        return float(rng.choice([0.0, rng.uniform(0.04, 0.3)])) * pitch, 0.0
    if kind == "printed":
        return rng.uniform(0.15, 1.3) * pitch, 0.0
    if kind == "hinge":
        return rng.uniform(0.25, 1.0) * pitch, max(wall * rng.uniform(0.6, 1.0), LOWEST_BAR)
    width = rng.uniform(0.35, 1.8) * pitch
    return width, max(wall * (rng.uniform(0.4, 1.0) if kind == "raised" else rng.uniform(0.0, 0.3)), 0.0)
