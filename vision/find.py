"""Finds the board by itself in a picture of the start position or of the empty board."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.faults import picture_fault
from vision.geometry import BoardGeometry, Corners, GeometryError
from vision.network import MAP_STEP_PX, look

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float64]

LOOKED_AT_WH = (320, 240)
"""The network was taught with pictures of this size."""
FIELD_SHARE = 0.84
"""Of the width or height of the picture looked at, when the field has been found and is looked at again."""
SECOND_LOOKS = 2
LEAST_CONFIDENCE = 0.3


@dataclass(frozen=True, kw_only=True)
class FoundBoard:
    """A board found in a picture, and how surely (0 to 1)."""

    geometry: BoardGeometry
    confidence: float


class BoardNotFound(ValueError):
    """No board is to be made out in the picture; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class _Sight:
    """Field corners and bar ends, (4, 2) pixels each, and the least and the mean height of the peaks."""

    corners_px: FloatArray
    bar_px: FloatArray
    confidence: float


def find_board(image_bgr: Image) -> FoundBoard:
    """The field's corners and bar in a picture (h, w, 3) of the start position or of the empty board.

    The corners are named as the picture shows them, bar upright; where the bar runs across the picture, TL is
    the corner at the bottom left. Raises BoardNotFound.
    """
    fault = picture_fault(image_bgr)
    if fault:
        raise BoardNotFound(fault)
    turned = np.asarray(cv2.rotate(image_bgr, cv2.ROTATE_90_CLOCKWISE), dtype=np.uint8)
    upright, lying = _whole_sight(image_bgr), _whole_sight(turned)
    if lying.confidence > upright.confidence:
        best = _looked_at_again(turned, lying)
        corners, bar = (_turned_back(points, image_bgr.shape[0]) for points in (best.corners_px, best.bar_px))
    else:
        best = _looked_at_again(image_bgr, upright)
        corners, bar = best.corners_px, best.bar_px
    return _found(corners, bar, best.confidence, (image_bgr.shape[1], image_bgr.shape[0]))


def _found(corners: FloatArray, bar: FloatArray, confidence: float, size_wh: tuple[int, int]) -> FoundBoard:
    if confidence < LEAST_CONFIDENCE:
        raise BoardNotFound(
            "no board was found in the picture; show all of it in the start position, or give its corners"
        )
    try:
        plain = BoardGeometry(corners_px=_as_corners(corners), image_wh=size_wh)
        ends = plain.to_field(bar)[:, 0]
        edges = float(np.clip(ends[[0, 3]].mean(), 0.4, 0.5)), float(np.clip(ends[[1, 2]].mean(), 0.5, 0.6))
        geometry = BoardGeometry(corners_px=_as_corners(corners), image_wh=size_wh, bar=edges)
    except GeometryError as problem:
        raise BoardNotFound(f"no board was found: {problem}") from problem
    return FoundBoard(geometry=geometry, confidence=confidence)


def _as_corners(points: FloatArray) -> Corners:
    one, two, three, four = ((float(x), float(y)) for x, y in points)
    return one, two, three, four


def _turned_back(points: FloatArray, height: int) -> FloatArray:
    """Pixels of the picture turned clockwise, as pixels of the picture of that height itself."""
    return np.column_stack([points[:, 1], height - 1 - points[:, 0]])


def _whole_sight(image_bgr: Image) -> _Sight:
    height, width = image_bgr.shape[:2]
    scale = min(LOOKED_AT_WH[0] / width, LOOKED_AT_WH[1] / height)
    return _sight(image_bgr, np.diag([scale, scale, 1.0]), (round(width * scale), round(height * scale)))


def _looked_at_again(image_bgr: Image, sight: _Sight) -> _Sight:
    """The sight made finer: the field is set upright in the middle of the picture looked at."""
    width, height = LOOKED_AT_WH
    for _ in range(SECOND_LOOKS):
        high = height * FIELD_SHARE
        wide = min(high * 1.2, width * FIELD_SHARE)
        left, top = (width - wide) / 2, (height - high) / 2
        goal = np.array([(left, top), (left + wide, top), (left + wide, top + high), (left, top + high)])
        if cv2.contourArea(sight.corners_px.astype(np.float32)) < 100:
            break
        view = cv2.getPerspectiveTransform(sight.corners_px.astype(np.float32), goal.astype(np.float32))
        sight = _sight(image_bgr, np.asarray(view, dtype=np.float64), LOOKED_AT_WH)
    return sight


def _sight(image_bgr: Image, view: FloatArray, size_wh: tuple[int, int]) -> _Sight:
    """What the network sees through a view (3, 3) from picture pixels to pixels looked at."""
    fine = np.diag([3.0, 3.0, 1.0]) @ view
    tripled = cv2.warpPerspective(image_bgr, fine, (size_wh[0] * 3, size_wh[1] * 3), flags=cv2.INTER_LINEAR)
    small = cv2.resize(tripled, size_wh, interpolation=cv2.INTER_AREA)
    maps = look(np.asarray(small, dtype=np.uint8), "locator")
    points, heights = zip(*(_peak(maps[..., i]) for i in range(8)), strict=True)
    seen = np.array([points], dtype=np.float64)
    back = cv2.perspectiveTransform(seen, np.linalg.inv(view))[0]
    confidence = float(np.min(heights[:4]) * _filled(maps[..., 8], np.array(points[:4])))
    return _Sight(corners_px=back[:4], bar_px=back[4:], confidence=confidence)


def _peak(heat: npt.NDArray[np.float32]) -> tuple[tuple[float, float], float]:
    """The highest peak: (x, y) in pixels of the picture looked at, and its height."""
    row, column = (int(v) for v in np.unravel_index(int(heat.argmax()), heat.shape))
    top, left = max(0, row - 2), max(0, column - 2)
    patch = heat[top : row + 3, left : column + 3].astype(np.float64) ** 2
    ys, xs = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    y, x = (float((v * patch).sum() / patch.sum()) for v in (ys, xs))
    middle = (MAP_STEP_PX - 1) / 2
    return ((left + x) * MAP_STEP_PX + middle, (top + y) * MAP_STEP_PX + middle), float(heat[row, column])


def _filled(field: npt.NDArray[np.float32], corners: FloatArray) -> float:
    """How well the area that looks like a field agrees with the corners: intersection over union."""
    quad = np.zeros(field.shape, np.uint8)
    cv2.fillPoly(quad, [np.round(corners / MAP_STEP_PX).astype(np.int32)], 1)
    both = np.minimum(field, quad).sum()
    either = np.maximum(field, quad).sum()
    return float(both / max(either, 1.0))
