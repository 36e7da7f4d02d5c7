"""Pictures in which nothing can be seen are named."""

import cv2
import numpy as np
import pytest

from vision.picture_faults import picture_fault


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (np.zeros((480, 640, 3), np.uint8), "black"),
        (np.full((480, 640, 3), 128, np.uint8), "even grey"),
        (np.zeros((40, 60, 3), np.uint8), "too small"),
        (np.zeros((60, 640, 3), np.uint8), "too small"),
        (np.zeros((0, 0, 3), np.uint8), "empty"),
        (np.zeros((480, 640), np.uint8), "three colours"),
    ],
)
def test_a_useless_picture_is_named(picture, said):
    fault = picture_fault(picture)
    assert fault is not None
    assert said in fault


def chequers(dark: int, bright: int, blur_px: float) -> np.ndarray:
    y, x = np.indices((480, 640)) // 40
    squares = np.where((x + y) % 2, bright, dark).astype(np.uint8)
    return np.repeat(cv2.GaussianBlur(squares, (0, 0), blur_px)[..., None], 3, axis=2)


@pytest.mark.parametrize(("dark", "bright"), [(50, 200), (0, 200), (110, 122)])
def test_a_picture_out_of_focus_is_blurred_and_one_in_focus_is_not_however_faint(dark, bright):
    assert picture_fault(chequers(dark, bright, blur_px=1.0)) is None
    fault = picture_fault(chequers(dark, bright, blur_px=12.0))
    assert fault is not None
    assert "blurred" in fault
