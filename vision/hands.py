"""Finds what does not belong: hands and arms over the table, from how the whole picture differs from a calm one."""

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.evidence import Mask
from vision.geometry import BoardGeometry, FloatArray, Image

WIDTH_PX = 320
"""Foreign bodies are looked for in a picture of this width."""
LEAST_SHARE = 0.00025
"""A foreign body smaller than this share of the picture is noise."""
FOREIGN_LEVELS = 26.0
"""A difference of colour beyond light and shade that is no noise, in levels."""


@dataclass(kw_only=True)
class Surroundings:
    """The table and the board's frame as they look when nobody reaches over them."""

    reference_bgr: Image
    geometry: BoardGeometry
    _calm: npt.NDArray[np.float32] = field(init=False)
    _outside: Mask = field(init=False)

    def __post_init__(self) -> None:
        self._calm = _small(self.reference_bgr)
        height, width = self._calm.shape[:2]
        mask = np.ones((height, width), dtype=np.uint8)
        field_edge = np.array([[-0.02, -0.05], [1.02, -0.05], [1.02, 1.04], [-0.02, 1.04]])
        corners = self.geometry.to_px(field_edge) * width / self.geometry.image_wh[0]
        cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), (0,))
        self._outside = mask > 0

    def foreign(self, reduced_bgr: Image, transform: FloatArray) -> Mask:
        """(h, w) of the small picture: what is neither as in the calm picture nor merely in other light.

        transform: (3, 3) reference pixels to pixels of this picture, when the camera was moved.
        """
        seen = _small(reduced_bgr)
        height, width = seen.shape[:2]
        scale = np.diag([width / reduced_bgr.shape[1], width / reduced_bgr.shape[1], 1.0])
        moved = scale @ transform @ np.linalg.inv(scale)
        calm = cv2.warpPerspective(self._calm, moved, (width, height), borderMode=cv2.BORDER_REPLICATE)
        return _different(seen, np.asarray(calm, np.float32), self._outside)

    def hand(self, foreign: Mask) -> bool:
        """Whether something foreign of the size of a fingertip or more is outside the field."""
        outside = (foreign & self._outside).astype(np.uint8)
        outside = cv2.morphologyEx(outside, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(outside)
        areas = stats[1:, cv2.CC_STAT_AREA] if count > 1 else np.zeros(1)
        return bool(areas.max() >= LEAST_SHARE * outside.size)


def _small(image_bgr: Image) -> npt.NDArray[np.float32]:
    height, width = image_bgr.shape[:2]
    size = (WIDTH_PX, round(height * WIDTH_PX / width))
    small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (3, 3), 0), dtype=np.float32)


def _different(seen: npt.NDArray[np.float32], calm: npt.NDArray[np.float32], outside: Mask) -> Mask:
    """Where the colour differs by more than light or shade can explain."""
    usable = outside & (calm.min(axis=2) > 8)
    light = np.median(seen[usable] / calm[usable], axis=0).astype(np.float32)
    expected = calm * light
    like = (np.abs(seen - expected).max(axis=2) < 0.2 * expected.max(axis=2)) & outside
    weight = like.astype(np.float32)[..., None]
    reach = (61, 61)
    local = (cv2.blur(seen * weight, reach) + 0.5) / (cv2.blur(expected * weight, reach) + 0.5)
    expected = expected * local
    share = (seen * expected).sum(axis=2) / np.maximum((expected * expected).sum(axis=2), 1)
    share = np.clip(share, 0.4, 1.08)[..., None]
    rest = np.abs(seen - expected * share).max(axis=2)
    near = cv2.dilate(expected, np.ones((3, 3), np.uint8)) - cv2.erode(expected, np.ones((3, 3), np.uint8))
    return np.asarray(rest > FOREIGN_LEVELS + 0.5 * near.max(axis=2), dtype=np.bool_)
