"""How sharp a picture is: every measure of focus that vision uses.

The measures differ because each is compared with something else: a fixed threshold, the reference picture, or
earlier pictures. Each is larger for a sharper picture.
"""

import cv2
import numpy as np

from vision.geometry import Image

STEP_WIDTH_PX = 640
"""Longer side, in pixels, to which a picture is reduced before its steps are measured; guess."""
STEP_BLUR_PX = 0.8
"""Standard deviation in pixels of the blur that removes noise before steps are measured; guess."""
STEP_PERCENT = 99
"""Percentile of the steps that is the measure: the strongest hundredth exceeds it; guess."""
GRADIENT_PERCENT = 95
"""Percentile of the gradients that is the measure: the steepest twentieth exceeds it; guess."""
FINE_BLUR_PX, COARSE_BLUR_PX = 1.0, 3.0
"""Standard deviations in pixels of the two blurs whose difference is fine detail; guesses."""
DETAIL_PERCENT = 97
"""Percentile of the fine detail that is the measure; guess."""


def step_greys(grey: Image) -> float:
    """The strongest steps between horizontal neighbours of an (h, w) grey picture, in grey levels."""
    scale = min(1.0, STEP_WIDTH_PX / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    smooth = cv2.GaussianBlur(small.astype(np.float32), (0, 0), STEP_BLUR_PX)
    return float(np.percentile(np.abs(np.diff(smooth, axis=1)), STEP_PERCENT))


def gradient_greys(grey: Image) -> float:
    """The steepest gradients of an (h, w) grey picture, in units of the 3 x 3 Sobel operator."""
    across, along = (cv2.Sobel(grey, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)))
    return float(np.percentile(cv2.magnitude(across, along), GRADIENT_PERCENT))


def detail_over_contrast(image_bgr: Image) -> float:
    """The finest detail of an (h, w, 3) picture as a share of the contrast of the whole picture."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    fine = cv2.GaussianBlur(grey, (0, 0), FINE_BLUR_PX)
    detail = cv2.absdiff(fine, cv2.GaussianBlur(grey, (0, 0), COARSE_BLUR_PX))
    return float(np.percentile(detail, DETAIL_PERCENT)) / max(float(cv2.meanStdDev(grey)[1][0, 0]), 1.0)
