"""The scene: a small rectified picture of the board in which checkers' top faces are true discs.

The picture is rectified in the plane of the checkers' top faces. So a checker is a circle of `CHECKER_PX`
pixels at its true place, however oblique the camera is. The field lies lower and is shifted by parallax. The
shift is always the same, so the field is compared with the scene of the empty board.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.board_reading import N_POINTS
from vision.geometry import BoardGeometry, FloatArray, Image, rectified_size

CHECKER_PX = 16
"""Diameter of a checker in the scene, in pixels; measured: it reads as well as 20 (git log)."""
SCENE_MARGIN = 0.06
"""Field widths kept round the field, for checkers' edges and the frame's inner edge; guess."""
STRETCHED_PERCENT = (1.0, 99.0)
"""Percentiles of a scene that count as its darkest and brightest parts; guess."""
STRETCHED_LEVELS = (20.0, 230.0)
"""Levels (0 to 255) to which these are stretched; guess."""
LEAST_RANGE_LEVELS = 20.0
"""A scene with a smaller range of levels is not stretched further; guess."""
QUARTER_FROM, HALF_FROM = 3.7, 1.7
"""Picture pixels for each scene pixel from which 4, or 2, are averaged first; guesses."""

SceneImage = npt.NDArray[np.float32]
"""(H, W, 3) blue, green, red from 0 to 255."""


@dataclass(frozen=True, kw_only=True)
class ContrastStretch:
    """A linear stretch of levels: the same difference then means the same on every board."""

    gain: float = 1.0
    offset: float = 0.0

    def stretched(self, picture: SceneImage) -> SceneImage:
        """The picture (H, W, 3) with its levels stretched."""
        return picture * np.float32(self.gain) + np.float32(self.offset)

    @staticmethod
    def for_picture(picture: SceneImage) -> "ContrastStretch":
        """The stretch that takes a picture's darkest and brightest parts to `STRETCHED_LEVELS`."""
        low, high = np.percentile(picture, STRETCHED_PERCENT)
        gain = (STRETCHED_LEVELS[1] - STRETCHED_LEVELS[0]) / max(float(high - low), LEAST_RANGE_LEVELS)
        return ContrastStretch(gain=float(gain), offset=float(STRETCHED_LEVELS[0] - gain * low))


@dataclass(frozen=True, kw_only=True)
class SceneView:
    """Takes the scene out of pictures, for one geometry."""

    geometry: BoardGeometry

    @cached_property
    def width_px(self) -> int:
        """Pixels of the scene for one field width."""
        return round(CHECKER_PX / self.geometry.diameter)

    @cached_property
    def size_wh(self) -> tuple[int, int]:
        """Width and height of the scene with its margins."""
        return rectified_size(self.width_px, self.geometry.height, SCENE_MARGIN)

    @cached_property
    def _shrink(self) -> int:
        """How many picture pixels are averaged first: 1, 2 or 4, which are fast."""
        corners = np.array(self.geometry.corners_px)
        longest = max(np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[3]))
        finer = float(longest) / self.width_px
        return 4 if finer > QUARTER_FROM else 2 if finer > HALF_FROM else 1

    @cached_property
    def _maps(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
        geometry = self.geometry
        seen = geometry.rectifying_map(self.width_px, margin=SCENE_MARGIN, height=geometry.top_height)
        map_x, map_y = cv2.split((seen + 0.5) / self._shrink - 0.5)
        coarse, fine = cv2.convertMaps(map_x, map_y, cv2.CV_16SC2)
        return np.asarray(coarse, dtype=np.int16), np.asarray(fine, dtype=np.uint16)

    def scene(self, image_bgr: Image, reduced_bgr: Image | None = None) -> SceneImage:
        """The scene of an (h, w, 3) picture of the size the geometry was made for.

        reduced_bgr: the picture reduced by averaging; it serves if it is just as small as needed.
        """
        picture = image_bgr
        if self._shrink > 1:
            width, height = self.geometry.image_wh
            small_wh = (-(-width // self._shrink), -(-height // self._shrink))
            if reduced_bgr is not None and reduced_bgr.shape[1::-1] == small_wh:
                picture = reduced_bgr
            else:
                picture = np.asarray(cv2.resize(image_bgr, small_wh, interpolation=cv2.INTER_AREA), np.uint8)
        coarse, fine = self._maps
        rectified = cv2.remap(picture, coarse, fine, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(rectified, dtype=np.float32)

    def scene_xy(self, field_xy: npt.ArrayLike) -> FloatArray:
        """(N, 2) field coordinates to (N, 2) scene pixels."""
        points = np.asarray(field_xy, dtype=np.float64) * [1.0, self.geometry.height]
        return (points + SCENE_MARGIN) * self.width_px - 0.5

    def base_xy(self, place: int) -> FloatArray:
        """(2,): the middle of a place's base in scene pixels."""
        base: FloatArray = self._bases[place]
        return base

    @cached_property
    def _bases(self) -> FloatArray:
        columns = [self.geometry.column_x(place) for place in range(N_POINTS)]
        ends = [float(place >= N_POINTS // 2) for place in range(N_POINTS)]
        return self.scene_xy(list(zip(columns, ends, strict=True)))

    def field_xy(self, scene_xy: FloatArray) -> FloatArray:
        """(N, 2) scene pixels to the (N, 2) field coordinates of checkers whose top faces are seen there."""
        return np.asarray(((scene_xy + 0.5) / self.width_px - SCENE_MARGIN) / [1.0, self.geometry.height])

    def to_surface(self, scene_xy: FloatArray) -> FloatArray:
        """(N, 2) scene pixels to the (N, 2) field coordinates of the board's surface seen there."""
        geometry = self.geometry
        return geometry.to_field(geometry.to_px(self.field_xy(scene_xy), geometry.top_height))

    def raised(self, scene_xy: FloatArray) -> FloatArray:
        """(N, 2) scene pixels of top faces to where they are seen one checker higher."""
        geometry = self.geometry
        seen = geometry.to_px(self.field_xy(scene_xy), 2 * geometry.top_height)
        return self.scene_xy(geometry.to_field(seen, geometry.top_height))

    def growth(self, scene_xy: FloatArray) -> FloatArray:
        """(N,) logarithms of how much larger top faces at (N, 2) scene pixels are seen one checker higher."""
        here = self.raised(scene_xy)
        right, down = (self.raised(scene_xy + step) - here for step in ((1.0, 0.0), (0.0, 1.0)))
        return np.asarray(0.5 * np.log(right[:, 0] * down[:, 1] - right[:, 1] * down[:, 0]))

    def from_surface(self, field_xy: FloatArray) -> FloatArray:
        """(N, 2) field coordinates on the board's surface to the (N, 2) scene pixels where they are seen."""
        geometry = self.geometry
        return self.scene_xy(geometry.to_field(geometry.to_px(field_xy), geometry.top_height))
