"""Cuts strips out of flattened pictures, for the tests."""

import cv2
import numpy as np

from vision.networks.strips import N_PLACES, STRIP_WH, Strips, strips_on_field
from vision.training.flat_boards import Image, flat_px


def flat_strips(flat_bgr: Image, bar: tuple[float, float]) -> Strips:
    """(26, H, W, 3) strips of a flattened picture, cut where the field is."""
    width, height = STRIP_WH
    where = flat_px(strips_on_field(bar)).reshape(-1, width, 2)
    cut = cv2.remap(flat_bgr, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cut, dtype=np.uint8).reshape(N_PLACES, height, width, 3)
