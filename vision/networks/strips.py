"""Cuts a picture into strips: one small upright picture for each place of the board.

Places 0 to 11 are the top row and 12 to 23 the bottom row, from left to right; 24 and 25 are the bar's top
and bottom half. In every strip the base of the place is at the bottom: strips of the top half are rotated by
180 degrees, so that one network reads all of them alike.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Strips = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

N_POINTS, N_PLACES = 24, 26
STRIP_WH = (40, 128)
ACROSS_COLUMNS = 1.7
"""Width of a strip in column widths: high stacks seen at a slant lean over the neighbours."""
BEYOND_BASE, INWARD = 0.07, 0.60
"""How far a strip reaches outward from the base, and from it towards the other side, in field heights."""
USUAL_COLUMNS = 11.1
"""Height of a usual field in column widths; the median of the training boards."""
REACH_EXPONENT = 0.5
"""How strongly the reach of strips is adapted to shorter and longer fields: 0 not at all, 1 so that checkers
look as long as usual."""
LEAST_REACH, MOST_REACH = 0.85, 1.35
"""Strips reach at least and at most so many times as far as usual; guesses."""
LEAN_HEIGHT = 0.02
"""Height above the board whose shift in the picture is the lean, in field widths (about 11 mm)."""
LEAN_AT = 0.25
"""Distance from the base at which the lean is measured, in field heights."""


class FieldView(Protocol):
    """Where the field lies in a picture (`BoardGeometry` is one)."""

    @property
    def bar(self) -> tuple[float, float]: ...

    @property
    def height(self) -> float: ...

    def to_px(self, points: npt.ArrayLike, height: float = 0.0) -> Floats: ...

    def to_field(self, points_px: npt.ArrayLike, height: float = 0.0) -> Floats: ...


def columns_of(left: Floats, bar_left: Floats, bar_right: Floats, right: Floats) -> Floats:
    """(N, 12) middles of the columns of N rows, from (N,) left and right ends of their two halves."""
    half = N_POINTS // 4
    steps = (np.arange(half) + 0.5) / half
    halves = (left, bar_left), (bar_right, right)
    return np.concatenate([low[:, None] + (high - low)[:, None] * steps for low, high in halves], axis=1)


def column_middles(bar: tuple[float, float]) -> tuple[Floats, Floats]:
    """(26,) middles and (26,) widths of the places along the row, as fractions of the field's width."""
    left, right = bar
    row = columns_of(*(np.array([edge]) for edge in (0.0, left, right, 1.0)))[0]
    widths = np.repeat([left / 6, (1 - right) / 6], 6)
    usual = (left + 1 - right) / 12
    middle = (left + right) / 2
    return np.concatenate([row, row, [middle, middle]]), np.concatenate([widths, widths, [usual, usual]])


def is_top() -> npt.NDArray[np.bool_]:
    """(26,): whether a place has its base at the top of the picture."""
    return np.isin(np.arange(N_PLACES), [*range(12), 24])


def strips_on_field(
    bar: tuple[float, float], reach: float = 1.0, aside: float = 0.0, inward: float = 0.0
) -> Floats:
    """(26, H, W, 2): the field coordinates that each pixel of each strip shows.

    reach: factor on how far a strip reaches from the base, both ways. Strips of the bar are never shorter
    than usual: a checker may lie in the very middle of the bar.
    aside, inward: offset of a strip from its place, in column widths to the right in the picture, and in
    field heights from the base towards the other side.
    """
    x, y = strip_axes(bar, reach, aside, inward)
    shape = (N_PLACES, STRIP_WH[1], STRIP_WH[0])
    return np.stack([np.broadcast_to(x[:, None, :], shape), np.broadcast_to(y[:, :, None], shape)], axis=-1)


def strip_axes(
    bar: tuple[float, float], reach: float = 1.0, aside: float = 0.0, inward: float = 0.0
) -> tuple[Floats, Floats]:
    """(26, W) and (26, H): the field coordinates of the strips' columns and rows; see `strips_on_field`."""
    width, height = STRIP_WH
    middles, columns = column_middles(bar)
    turn = np.where(is_top(), -1.0, 1.0)
    across = ((np.arange(width) + 0.5) / width - 0.5) * ACROSS_COLUMNS
    usual = INWARD - (np.arange(height) + 0.5) / height * (INWARD + BEYOND_BASE)
    away = inward + reaches(reach)[:, None] * usual
    x = (middles + aside * columns)[:, None] + (turn * columns)[:, None] * across
    return x, np.where(is_top()[:, None], away, 1 - away)


def reaches(reach: float) -> Floats:
    """(26,) reach of each place: `reach` for points, at least the usual one for the halves of the bar."""
    return np.where(np.arange(N_PLACES) < N_POINTS, reach, max(reach, 1.0))


def reach_of(view: FieldView) -> float:
    """The factor on how far strips reach: farther in a short field, less far in a long one."""
    column = column_middles(view.bar)[1].mean()
    reach = (USUAL_COLUMNS * column / view.height) ** REACH_EXPONENT
    return float(np.clip(reach, LEAST_REACH, MOST_REACH))


def leans(view: FieldView, reach: float = 1.0) -> npt.NDArray[np.float32]:
    """(26, 2): displacement of what is LEAN_HEIGHT above the board, in pixels of its strip, right and up."""
    middles, columns = column_middles(view.bar)
    top = is_top()
    points = np.stack([middles, np.where(top, LEAN_AT, 1 - LEAN_AT)], axis=1)
    shift = view.to_field(view.to_px(points, LEAN_HEIGHT)) - points
    turn = np.where(top, -1.0, 1.0)
    right = turn * shift[:, 0] / columns / ACROSS_COLUMNS * STRIP_WH[0]
    up = -turn * shift[:, 1] / reaches(reach) / (INWARD + BEYOND_BASE) * STRIP_WH[1]
    return np.stack([right, up], axis=1).astype(np.float32)


def px_in_bar_strip(across: float, along: float, view: FieldView) -> tuple[float, float]:
    """The pixels of a strip of the bar for lengths of field widths across it and field heights along it."""
    column, reach = column_middles(view.bar)[1][N_POINTS], reaches(reach_of(view))[N_POINTS]
    width, height = STRIP_WH
    return across / column / ACROSS_COLUMNS * width, along / reach / (INWARD + BEYOND_BASE) * height


@dataclass(frozen=True)
class StripView:
    """Cuts the strips out of pictures of one view of a board.

    aside, inward: offsets of the strips from their places, see `strips_on_field`.
    """

    view: FieldView
    aside: float = 0.0
    inward: float = 0.0

    @cached_property
    def _maps_px(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """Two maps (26 H, W): the picture's column x and row y for each pixel of the strips."""
        width, height = STRIP_WH
        strips = [
            self.view.to_px(strip.reshape(-1, 2)).astype(np.float32)
            for strip in strips_on_field(self.view.bar, self._reach, self.aside, self.inward)
        ]
        maps = np.concatenate(strips).reshape(N_PLACES * height, width, 2)
        return np.ascontiguousarray(maps[..., 0]), np.ascontiguousarray(maps[..., 1])

    @cached_property
    def _reach(self) -> float:
        return reach_of(self.view)

    @cached_property
    def leans(self) -> npt.NDArray[np.float32]:
        """(26, 2): see `leans`."""
        return leans(self.view, self._reach)

    def cut(self, image_bgr: Image) -> Strips:
        """(26, H, W, 3) strips of a picture."""
        atlas = cv2.remap(image_bgr, *self._maps_px, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        width, height = STRIP_WH
        return np.asarray(atlas, dtype=np.uint8).reshape(N_PLACES, height, width, 3)
