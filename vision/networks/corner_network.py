"""Where exactly a network sees the field's corners, each in a piece of the picture about it."""

from functools import cache
from pathlib import Path

import cv2
import numpy as np

from vision.networks.field_network import Image, Points, levelled, peaks_of
from vision.networks.runner import Network

CORNER_PIECE_PX = 128
"""Width and height of a piece."""
REACH = 0.16
"""What a piece shows to each side of its corner, in widths and heights of the field."""
N_LOOKED_AT = 8
"""Four corners of the field, then where the bar's left and right edge meet its top and bottom edge, each
clockwise from the top left: the corners of the field's halves."""
INWARD_SIDES = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1), (-1, 1), (1, 1), (1, -1), (-1, -1)])
"""To which sides its half of the field lies from each. Mirrors show every piece as a top left corner's."""


@cache
def _network() -> Network:
    return Network(
        path=Path(__file__).parent / "corner.onnx",
        takes={"pieces": (N_LOOKED_AT, 3, CORNER_PIECE_PX, CORNER_PIECE_PX)},
        gives=("maps",),
    )


def places_of(bar: tuple[float, float]) -> Points:
    """(8, 2): where these corners lie in field coordinates."""
    left, right = bar
    return np.array(
        [(0, 0), (1, 0), (1, 1), (0, 1), (left, 0), (right, 0), (right, 1), (left, 1)], dtype=np.float64
    )


def piece_move(to_field: Points, place: Points, inward: Points) -> Points:
    """(3, 3): from pixels of the picture to pixels of the piece about a place (2,) in field coordinates.

    to_field: (3, 3) from pixels to field coordinates. inward: (2,) of `INWARD_SIDES`.
    """
    scale = inward * CORNER_PIECE_PX / (2 * REACH)
    shift = CORNER_PIECE_PX / 2 - 0.5 - scale * place
    return np.array([[scale[0], 0, shift[0]], [0, scale[1], shift[1]], [0, 0, 1]]) @ to_field


def piece_of(image_bgr: Image, move: Points) -> Image:
    """(128, 128, 3): a piece of the picture."""
    size = (CORNER_PIECE_PX, CORNER_PIECE_PX)
    seen = cv2.warpPerspective(image_bgr, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.uint8)


def see_corners(
    image_bgr: Image, to_field: Points, bar: tuple[float, float], most: int
) -> tuple[Points, Points]:
    """(8, most, 2) pixels at which the corners of the field's halves may lie, and (8, most) how likely.

    to_field: (3, 3) from pixels to field coordinates, as far as known; bar: its edges likewise.
    """
    moves = [piece_move(to_field, *at) for at in zip(places_of(bar), INWARD_SIDES, strict=True)]
    pieces = np.stack([levelled(piece_of(image_bgr, move)) for move in moves])
    spots, likely = peaks_of(_network().run(pieces=pieces)[0][:, 0], most)
    back = [
        cv2.perspectiveTransform(spot[None], np.linalg.inv(move))[0]
        for spot, move in zip(spots, moves, strict=True)
    ]
    return np.array(back), likely.astype(np.float64)
