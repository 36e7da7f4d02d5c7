"""Where a network sees the points of a row, their bases and tips, and the ends of its two halves."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.networks.field_network import Floats, Image, Points, levelled
from vision.networks.runner import Network, softmax

ROW_WH = (400, 192)
"""Width and height of the flattened view of a row that the network takes."""
ROW_STEP_PX = 4
"""Pixels of the view for each pixel of the network's maps."""
ROWS_FINER = 1.2
"""A picture is reduced until its field is so many times finer than a view of its rows; as in the training."""
ROW_ASIDE = 0.10
"""What a view shows to the left and right of the field, in field widths."""
ROW_BEYOND, ROW_INWARD = 0.12, 0.62
"""A view reaches from so far beyond the row's bases to so far towards the other row, in field heights."""
BASE_MAP, TIP_MAP, LEFT_END_MAP, RIGHT_END_MAP = range(4)
"""The maps: middles of the points' bases, their tips, where the halves end on the left and on the right."""
N_MAPS = 4
IN_A_MIRROR = [BASE_MAP, TIP_MAP, RIGHT_END_MAP, LEFT_END_MAP]
"""Which map each one is in a mirror."""
POINTS_A_ROW = 12
SPOT_MAPS = np.repeat([BASE_MAP, TIP_MAP, LEFT_END_MAP, RIGHT_END_MAP], [POINTS_A_ROW, POINTS_A_ROW, 2, 2])
"""(28,) on which map each spot of a row lies: twelve bases, twelve tips, two left ends, two right ends, each
from left to right."""
SPOTS_A_ROW = len(SPOT_MAPS)
ROW_SCALE = np.array([ROW_WH[0] / (1 + 2 * ROW_ASIDE), ROW_WH[1] / (ROW_BEYOND + ROW_INWARD)])
"""Pixels of a view for a field width, and for a field height."""


@cache
def _network() -> Network:
    width, height = ROW_WH
    return Network(
        path=Path(__file__).parent / "row.onnx", takes={"rows": (2, 3, height, width)}, gives=("maps",)
    )


def columns_of(left: Points, bar_left: Points, bar_right: Points, right: Points) -> Points:
    """(N, 12) middles of the points of rows whose halves reach from `left` to `bar_left`, and on."""
    steps = (np.arange(POINTS_A_ROW // 2) + 0.5) / (POINTS_A_ROW // 2)
    halves = (left, bar_left), (bar_right, right)
    return np.concatenate([low[:, None] + (high - low)[:, None] * steps for low, high in halves], axis=1)


def row_spots(bar: tuple[float, float], length: float, bottom: bool, gap: float = 0.0) -> Points:
    """(28, 2): field coordinates of a row's spots. length: how far its points reach, in field heights.

    gap: how far its outermost points stand apart from the ends of their half, in field widths.
    """
    ends = gap, bar[0] - gap, bar[1] + gap, 1 - gap
    columns = columns_of(*(np.array([end]) for end in ends))[0]
    x = np.concatenate([columns, columns, [0.0, bar[1], bar[0], 1.0]])
    y = np.where(SPOT_MAPS == TIP_MAP, length, 0.0)
    return np.stack([x, 1 - y if bottom else y], axis=1)


def row_move(to_field: Points, bottom: bool) -> Points:
    """(3, 3): from pixels of the picture to pixels of the view of the top or bottom row.

    to_field: (3, 3) from pixels to field coordinates. The bottom row is shown upside down, in a mirror.
    """
    mirror = np.diag([1.0, -1.0, 1.0]) + np.array([[0, 0, 0], [0, 0, 1], [0, 0, 0]])
    low = np.array([ROW_ASIDE, ROW_BEYOND]) * ROW_SCALE - 0.5
    onto = np.array([[ROW_SCALE[0], 0, low[0]], [0, ROW_SCALE[1], low[1]], [0, 0, 1]])
    moved: Points = onto @ (mirror if bottom else np.eye(3)) @ to_field
    return moved


def row_of(image_bgr: Image, move: Points) -> Image:
    """(192, 400, 3): the view of a row."""
    seen = cv2.warpPerspective(
        image_bgr, move, ROW_WH, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(seen, dtype=np.uint8)


def see_rows(image_bgr: Image, to_field: Points) -> Floats:
    """(2, 4, 48, 100): where each kind of spot of the top and bottom row lies; each map adds up to one.

    to_field: (3, 3) from pixels to field coordinates. The mean of this look and of one in a mirror counts.
    """
    views = np.stack([levelled(row_of(image_bgr, row_move(to_field, bottom))) for bottom in (False, True)])
    (maps,) = _network().run(rows=views)
    (mirrored,) = _network().run(rows=np.ascontiguousarray(views[..., ::-1]))
    logits = (maps + mirrored[:, IN_A_MIRROR, :, ::-1]) / 2
    likely = softmax(logits.astype(np.float32).reshape(2, N_MAPS, -1))
    return likely.reshape(logits.shape)
