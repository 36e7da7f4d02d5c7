"""What makes a picture useless before anything is looked for in it."""

import cv2
import numpy as np
import numpy.typing as npt

SMALLEST_SIDE_PX = 120
LEAST_BRIGHT_GREY = 12
"""Grey value (0 to 255) that the brightest twentieth of a picture must exceed."""
LEAST_GREY_RANGE = 6
"""Grey values between the darkest and the brightest twentieth."""
EDGE_WIDTH_PX = 640
LEAST_EDGE_GREYS = 8.0
"""The strongest hundredth of steps between neighbouring pixels, in grey values, at `EDGE_WIDTH_PX` width."""


def picture_fault(image_bgr: npt.NDArray[np.uint8]) -> str | None:
    """One sentence that says why a picture cannot be used, or None."""
    if image_bgr.ndim != 3 or image_bgr.shape[2] != 3 or image_bgr.size == 0:
        return "the picture is empty or has no three colours; give a colour photograph"
    height, width = image_bgr.shape[:2]
    if min(height, width) < SMALLEST_SIDE_PX:
        return f"the picture is too small: {width} x {height} pixels; {SMALLEST_SIDE_PX} a side are needed"
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    dark, bright = np.percentile(grey[::4, ::4], [5, 95])
    if bright < LEAST_BRIGHT_GREY:
        return "the picture is black; is the lens covered or the light off?"
    if bright - dark < LEAST_GREY_RANGE:
        return "the picture is one even grey; is the camera connected?"
    scale = min(1.0, EDGE_WIDTH_PX / max(height, width))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    smooth = cv2.GaussianBlur(small.astype(np.float32), (0, 0), 0.8)
    steps = np.abs(np.diff(smooth, axis=1))
    if np.percentile(steps, 99) < LEAST_EDGE_GREYS * min(1.0, (bright - dark) / 100):
        return "the picture is too blurred to read; focus the camera and keep it still"
    return None
