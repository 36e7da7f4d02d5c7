"""Every measure of focus falls as a picture gets blurred."""

import cv2
import numpy as np
import pytest

from vision.sharpness import detail_over_contrast, gradient_greys, step_greys


def chequers(blur_px: float) -> np.ndarray:
    """A grey pattern of squares twenty pixels wide, blurred."""
    y, x = np.indices((240, 320)) // 20
    squares = np.where((x + y) % 2, 200, 50).astype(np.uint8)
    return cv2.GaussianBlur(squares, (0, 0), blur_px) if blur_px else squares


MEASURES = {
    "steps": step_greys,
    "gradients": gradient_greys,
    "detail": lambda grey: detail_over_contrast(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)),
}


@pytest.mark.parametrize("name", MEASURES)
def test_a_blurred_picture_is_less_sharp(name):
    sharp, soft, softer = (MEASURES[name](chequers(blur_px)) for blur_px in (0, 2.0, 5.0))
    assert sharp > soft > softer > 0


def test_detail_does_not_depend_on_contrast():
    faint = (chequers(1.0).astype(np.float32) / 2 + 60).astype(np.uint8)
    full, half = (
        detail_over_contrast(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)) for grey in (chequers(1.0), faint)
    )
    assert half == pytest.approx(full, rel=0.05)


def test_steps_are_measured_in_grey_levels():
    assert step_greys(chequers(0)) < 150 < 2.5 * step_greys(chequers(0))


def test_steps_of_a_larger_picture_of_the_same_are_as_steep():
    large, larger = (cv2.resize(chequers(0), None, fx=by, fy=by) for by in (2, 6))
    assert step_greys(larger) == pytest.approx(step_greys(large), rel=0.1)


def test_gradients_are_measured_across_and_along():
    rows = np.repeat(chequers(2.0)[:, :1], 320, axis=1)
    assert gradient_greys(np.ascontiguousarray(rows.T)) == pytest.approx(gradient_greys(rows)) != 0
