"""The field as the dice network sees it: from straight above, at one scale, turned so that things lean up."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, FloatArray, Image
from vision.networks.dice_network import VIEW_WH

PITCH_PX = 56
"""Pixels for the width of a point, or fewer if the field needs it: a die is 11 to 26 pixels wide. From the
training."""
NODE_PX = 8
"""Pixels of the view between the computed nodes of its map; in between it is interpolated linearly."""
MARGIN_PITCHES = 0.5
"""Least margin around the field, in widths of a point; guess."""


@dataclass(frozen=True, kw_only=True)
class DiceView:
    """Where a pixel of the view lies on the board.

    size_pitches: (2,) width and height of the field in widths of a point. pitch_px: pixels for such a width.
    turn: (2, 2) from directions in the view to directions on the field: whole quarter turns.
    """

    geometry: BoardGeometry
    size_pitches: FloatArray
    pitch_px: float
    turn: FloatArray

    def to_field(self, view_px: npt.ArrayLike) -> FloatArray:
        """(N, 2) pixels of the view to (N, 2) field coordinates."""
        away = (np.asarray(view_px, dtype=np.float64) + 0.5 - np.array(VIEW_WH) / 2) / self.pitch_px
        field: FloatArray = (away @ self.turn.T + self.size_pitches / 2) / self.size_pitches
        return field

    def to_view(self, field_xy: npt.ArrayLike) -> FloatArray:
        """(N, 2) field coordinates to (N, 2) pixels of the view."""
        away = np.asarray(field_xy, dtype=np.float64) * self.size_pitches - self.size_pitches / 2
        view: FloatArray = away @ self.turn * self.pitch_px + np.array(VIEW_WH) / 2 - 0.5
        return view

    @cached_property
    def _maps(self) -> tuple[int, npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
        """The factor by which to shrink the picture first, and the maps for `cv2.remap`."""
        corners = np.array(self.geometry.corners_px)
        finest = max(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)) / max(self.size_pitches)
        shrink = max(1, int(finest / self.pitch_px))
        nodes_px = np.stack(
            np.meshgrid(*(np.arange(0, side + NODE_PX, NODE_PX) for side in VIEW_WH)), axis=-1
        )
        where_px = self.geometry.to_px(self.to_field(nodes_px.reshape(-1, 2))).reshape(nodes_px.shape)
        nodes = ((where_px + 0.5) / shrink - 0.5).astype(np.float32)
        columns, rows = (np.arange(side, dtype=np.float32) / NODE_PX for side in VIEW_WH)
        where = cv2.remap(nodes, *np.meshgrid(columns, rows), cv2.INTER_LINEAR)
        coarse, fine = cv2.convertMaps(where[..., 0], where[..., 1], cv2.CV_16SC2)
        return shrink, np.asarray(coarse, np.int16), np.asarray(fine, np.uint16)

    def of(self, image_bgr: Image) -> Image:
        """The view (H, W, 3) of a picture (h, w, 3)."""
        shrink, coarse, fine = self._maps
        if shrink > 1:
            size = (-(-image_bgr.shape[1] // shrink), -(-image_bgr.shape[0] // shrink))
            image_bgr = np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
        seen = cv2.remap(image_bgr, coarse, fine, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(seen, np.uint8)


@lru_cache(maxsize=2)
def field_view(geometry: BoardGeometry) -> DiceView:
    """The view of the field that `geometry` shows."""
    left, right = geometry.bar
    wide = 12 / (1 - (right - left))
    size = np.array([wide, wide * geometry.height])
    turn = _turn(geometry, size)
    seen = np.abs(turn.T @ size) + 2 * MARGIN_PITCHES
    return DiceView(
        geometry=geometry,
        size_pitches=size,
        pitch_px=float(min(PITCH_PX, *(np.array(VIEW_WH) / seen))),
        turn=turn,
    )


def _turn(geometry: BoardGeometry, size: FloatArray) -> FloatArray:
    """(2, 2): the quarter turns after which whatever stands on the board leans to the view's upper edge."""
    middle = np.array([[0.5, 0.5]])
    head = geometry.to_field(geometry.to_px(middle, geometry.top_height))
    lean = ((head - middle) * size)[0]
    turns = [np.array([[c, -s], [s, c]], dtype=np.float64) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
    return max(turns, key=lambda turn: float(turn @ [0, -1] @ lean))
