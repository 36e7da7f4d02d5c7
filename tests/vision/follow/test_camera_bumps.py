"""Shifts of the board are measured by landmarks all over it."""

import cv2
import numpy as np
import pytest

from vision.follow.camera_bumps import CameraShift, Landmarks
from vision.geometry import BoardGeometry, Image

WIDTH, HEIGHT = 640, 480
BOARD = BoardGeometry(
    corners_px=((60.0, 40.0), (580.0, 40.0), (580.0, 440.0), (60.0, 440.0)), image_wh=(WIDTH, HEIGHT)
)


def board_in_barred_light(moved_px: tuple[int, int]) -> Image:
    """A faint pattern that moves, and on its left quarter a bright lattice of light that stays."""
    rng = np.random.default_rng(1)
    faint = cv2.resize(rng.uniform(92, 108, (HEIGHT // 12, WIDTH // 12)), (WIDTH, HEIGHT))
    picture = np.roll(faint, moved_px[::-1], axis=(0, 1))
    lattice = np.indices((HEIGHT, WIDTH)) // 16 % 2
    bright = lattice.all(axis=0) & (np.arange(WIDTH) < WIDTH // 4)
    return np.repeat(np.where(bright, 240, picture)[..., None], 3, axis=2).astype(np.uint8)


@pytest.mark.parametrize("moved_px", [(0, 0), (6, 3)])
def test_a_pushed_board_is_followed_though_the_strongest_edges_are_of_light_that_stays(moved_px):
    landmarks = Landmarks(reference_bgr=board_in_barred_light((0, 0)), geometry=BOARD)
    shift = landmarks.measure_shift(board_in_barred_light(moved_px), np.eye(3))
    assert shift
    seen = landmarks.moved_geometry(shift)
    assert seen
    moved = np.array(seen.corners_px) - BOARD.corners_px
    assert np.abs(moved - moved_px).max() < 0.5


def test_no_board_lies_outside_the_picture():
    landmarks = Landmarks(reference_bgr=board_in_barred_light((0, 0)), geometry=BOARD)
    aside = np.array([[1.0, 0.0, 0.2 * WIDTH], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert landmarks.moved_geometry(CameraShift(transform=aside, corner_px=0.2 * WIDTH)) is None
