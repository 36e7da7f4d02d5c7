"""The measures of a drawn board, and where its camera sees what stands above the board's plane."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.networks.strips import (
    ACROSS_COLUMNS,
    BEYOND_BASE,
    INWARD,
    LEAN_AT,
    LEAN_HEIGHT,
    STRIP_WH,
    column_middles,
    is_top,
)

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]
Colour = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Measures in mm. foot_xy: the camera's foot, from the field's middle. high: the camera's height."""

    field_wh: tuple[float, float]
    bar: float
    diameter: float
    thickness: float
    wall: float
    bar_height: float
    foot_xy: tuple[float, float]
    high: float

    @staticmethod
    def by_chance(rng: Rng) -> "Measures":
        width = rng.uniform(380, 640)
        bar = width * rng.uniform(0.0, 0.12) if rng.random() < 0.9 else 0.0
        pitch = (width - bar) / 12
        diameter = pitch * rng.uniform(0.74, 0.99)
        height = diameter * rng.uniform(10.3, 13.0)
        high = width * (rng.uniform(1.0, 2.2) if rng.random() < 0.7 else rng.uniform(0.6, 1.0))
        slant = rng.choice(
            [rng.uniform(0, 0.15), rng.uniform(0.15, 0.7), rng.uniform(0.7, 1.3)], p=[0.35, 0.4, 0.25]
        )
        side = rng.normal(0, 0.35) if rng.random() < 0.7 else rng.uniform(-np.pi, np.pi)
        return Measures(
            field_wh=(width, height),
            bar=bar,
            diameter=diameter,
            thickness=float(diameter * rng.uniform(0.13, 0.34)),
            wall=rng.uniform(4, 34),
            bar_height=rng.uniform(0, 12) if rng.random() < 0.6 else rng.uniform(10, 26),
            foot_xy=(float(high * slant * np.sin(side)), float(high * slant * np.cos(side))),
            high=float(high),
        )

    @property
    def bar_edges(self) -> tuple[float, float]:
        """The bar's left and right edge, as fractions of the field's width."""
        half = self.bar / self.field_wh[0] / 2
        return 0.5 - half, 0.5 + half

    def seen(self, xy: Colour, h: float) -> tuple[Colour, float]:
        """Project points `h` mm high onto the board's plane; also returns their enlargement."""
        k = self.high / (self.high - h)
        foot = np.array(self.foot_xy)
        return foot + (xy - foot) * k, k

    def leans(self) -> Floats:
        """(26, 2): see `strips.leans`."""
        middles, columns = column_middles(self.bar_edges)
        top, (width, height) = is_top(), self.field_wh
        at = np.stack([middles, np.where(top, LEAN_AT, 1 - LEAN_AT)], axis=1)
        mm = (at - 0.5) * self.field_wh
        shift = (self.seen(mm, LEAN_HEIGHT * width)[0] - mm) / (width, height)
        turn = np.where(top, -1.0, 1.0)
        right = turn * shift[:, 0] / columns / ACROSS_COLUMNS * STRIP_WH[0]
        up = -turn * shift[:, 1] / (INWARD + BEYOND_BASE) * STRIP_WH[1]
        return np.stack([right, up], axis=1).astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class LyingChecker:
    """A checker on the board.

    xy: its middle, and foot: height of its lower face, in mm. side: 0 light, 1 dark. layer: 0 for the lowest.
    piece: which checker of its side it is.
    """

    xy: tuple[float, float]
    foot: float
    side: int
    layer: int
    piece: int
