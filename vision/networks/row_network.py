"""The network that finds the bases and tips of a row's points, and the ends of the row's two halves."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import field_homography
from vision.networks.field_network import Floats, Image, Points, levelled, reduced
from vision.networks.runner import Network, softmax
from vision.networks.strips import N_POINTS, columns_of

ROW_WH = (400, 192)
"""Width and height of the flattened view of a row that the network takes."""
ROW_STEP_PX = 4
"""Pixels of the view per pixel of the network's maps."""
ROWS_FINER = 1.2
"""A picture is reduced until its field is so many times finer than a view of its rows; as in the training."""
ROW_ASIDE = 0.10
"""Margin of a view to the left and right of the field, in field widths."""
ROW_BEYOND, ROW_INWARD = 0.12, 0.62
"""A view reaches from so far beyond the row's bases to so far towards the other row, in field heights."""
BASE_MAP, TIP_MAP, LEFT_END_MAP, RIGHT_END_MAP = range(4)
"""The maps: the middles of the points' bases, their tips, the left ends of both halves, the right ends."""
N_MAPS = 4
IN_A_MIRROR = [BASE_MAP, TIP_MAP, RIGHT_END_MAP, LEFT_END_MAP]
"""The map that each map becomes in the mirror image."""
POINTS_A_ROW = N_POINTS // 2
SPOT_MAPS = np.repeat([BASE_MAP, TIP_MAP, LEFT_END_MAP, RIGHT_END_MAP], [POINTS_A_ROW, POINTS_A_ROW, 2, 2])
"""(28,) the map of each spot of a row: twelve bases, twelve tips, two left ends, two right ends, each from
left to right."""
SPOTS_A_ROW = len(SPOT_MAPS)
ROW_SCALE = np.array([ROW_WH[0] / (1 + 2 * ROW_ASIDE), ROW_WH[1] / (ROW_BEYOND + ROW_INWARD)])
"""Pixels of a view per field width, and per field height."""


@cache
def _network() -> Network:
    width, height = ROW_WH
    return Network(
        path=Path(__file__).parent / "row.onnx", takes={"rows": (2, 3, height, width)}, gives=("maps",)
    )


def row_spots(bar: tuple[float, float], length: float, bottom: bool) -> Points:
    """(28, 2): field coordinates of a row's spots. length: how far its points reach, in field heights."""
    columns = columns_of(*(np.array([end]) for end in (0.0, *bar, 1.0)))[0]
    x = np.concatenate([columns, columns, [0.0, bar[1], bar[0], 1.0]])
    y = np.where(SPOT_MAPS == TIP_MAP, length, 0.0)
    return np.stack([x, 1 - y if bottom else y], axis=1)


def row_moves(corners_px: Points) -> Points:
    """(2, 3, 3): homographies from pixels of the picture to pixels of the views of the top and bottom row.

    corners_px: (4, 2) of the field. The bottom row is flipped upside down, as a mirror image.
    """
    low = np.array([ROW_ASIDE, ROW_BEYOND]) * ROW_SCALE - 0.5
    onto = np.array([[ROW_SCALE[0], 0, low[0]], [0, ROW_SCALE[1], low[1]], [0, 0, 1]])
    upside_down = np.array([[1.0, 0, 0], [0, -1, 1], [0, 0, 1]])
    to_field = field_homography(corners_px)
    return np.stack([onto @ to_field, onto @ upside_down @ to_field])


def row_views(image_bgr: Image, moves: Points, image_wh: tuple[int, int], wide_px: float) -> Image:
    """(2, 192, 400, 3): the views of both rows.

    moves: from `row_moves`, for a picture of `image_wh`; the picture given may be a reduced one. wide_px: the
    field's width at `image_wh`. A picture that is finer than needed is reduced first.
    """
    scale = min(1.0, ROWS_FINER * ROW_SCALE[0] / max(wide_px, 1.0))
    image = reduced(image_bgr, np.array(image_wh) * scale)
    x, y = np.array(image_wh) / image.shape[1::-1]
    back = np.array([[x, 0, x / 2 - 0.5], [0, y, y / 2 - 0.5], [0, 0, 1]])
    views = [
        cv2.warpPerspective(
            image, move @ back, ROW_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        for move in moves
    ]
    return np.asarray(views, dtype=np.uint8)


def see_rows(views: Image) -> Floats:
    """(2, 4, 48, 100): likelihood maps of each kind of spot of the top and bottom row; each adds up to one.

    views: (2, 192, 400, 3) of both rows. The logits are the mean of this look and one at the mirror images.
    """
    rows = np.stack([levelled(view) for view in views])
    (maps,) = _network().run(rows=rows)
    (mirrored,) = _network().run(rows=np.ascontiguousarray(rows[..., ::-1]))
    logits = (maps + mirrored[:, IN_A_MIRROR, :, ::-1]) / 2
    likely = softmax(logits.astype(np.float32).reshape(2, N_MAPS, -1))
    return likely.reshape(logits.shape)
