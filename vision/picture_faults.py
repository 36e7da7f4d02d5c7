"""Tells why a picture cannot be used, before anything is searched for in it."""

import cv2
import numpy as np

from sentences import say
from vision.geometry import Image
from vision.sharpness import step_greys

SMALLEST_SIDE_PX = 120
"""Least length of a picture's shorter side, in pixels; guess."""
LEAST_BRIGHT_GREY = 12
"""Grey level (0 to 255) that the brightest twentieth of a picture must reach; guess."""
LEAST_GREY_RANGE = 6
"""Least difference between the darkest and the brightest twentieth, in grey levels; guess."""
LEAST_EDGE_GREYS = 8.0
"""Least `step_greys` of a picture that is in focus and has full contrast, in grey levels; guess."""
FULL_CONTRAST_GREYS = 100
"""Difference between the darkest and the brightest twentieth from which contrast is full, in grey levels;
guess."""


def picture_fault(image_bgr: Image) -> str | None:
    """One sentence that says why a picture cannot be used, or None."""
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.size == 0:
        return say("picture_empty")
    height, width = image_bgr.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX:
        return say("picture_too_small", width=width, height=height, least=SMALLEST_SIDE_PX)
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    dark, bright = np.percentile(grey[::4, ::4], [5, 95])
    if bright < LEAST_BRIGHT_GREY:
        return say("picture_black")
    if bright - dark < LEAST_GREY_RANGE:
        return say("picture_grey")
    if step_greys(np.asarray(grey, dtype=np.uint8)) < LEAST_EDGE_GREYS * min(
        1.0, (bright - dark) / FULL_CONTRAST_GREYS
    ):
        return say("picture_blurred")
    return None
