"""Shifts of the board are measured by landmarks all over it."""

from dataclasses import replace

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


def field(left: float, top: float, right: float, bottom: float, finer: int = 1) -> BoardGeometry:
    """A board in a picture that is so many times finer than the reduced one."""
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)]) * finer
    return replace(BOARD, image_wh=(WIDTH * finer, HEIGHT * finer)).with_corners(corners)


@pytest.mark.parametrize("finer", [1, 2])
@pytest.mark.parametrize("moved_px", [(0, 0), (6, 3)])
def test_a_pushed_board_is_followed_though_the_strongest_edges_are_of_light_that_stays(moved_px, finer):
    board = field(60, 40, 580, 440, finer)
    landmarks = Landmarks(reference_bgr=board_in_barred_light((0, 0)), geometry=board)
    shift = landmarks.measure_shift(board_in_barred_light(moved_px), np.eye(3))
    assert shift
    seen = landmarks.moved_geometry(shift)
    assert seen
    moved = np.array(seen.corners_px) - board.corners_px
    assert np.abs(moved - np.multiply(moved_px, finer)).max() < 0.5 * finer


def plain_board_on_a_patterned_table(moved_px: tuple[int, int]) -> Image:
    greys = np.random.default_rng(1).uniform(60, 180, (HEIGHT // 12, WIDTH // 12))
    pattern = cv2.resize(greys, (WIDTH, HEIGHT))
    pattern[120:360, 170:470] = 100
    return np.repeat(np.roll(pattern, moved_px[::-1], axis=(0, 1))[..., None], 3, axis=2).astype(np.uint8)


def test_a_bumped_camera_is_followed_by_the_table_where_the_board_has_no_landmarks():
    board = field(200, 150, 440, 330)
    landmarks = Landmarks(reference_bgr=plain_board_on_a_patterned_table((0, 0)), geometry=board)
    assert landmarks.enough
    shift = landmarks.measure_shift(plain_board_on_a_patterned_table((6, 3)), np.eye(3))
    assert shift
    seen = landmarks.moved_geometry(shift)
    assert seen
    assert np.abs(np.array(seen.corners_px) - board.corners_px - (6, 3)).max() < 0.5
    assert shift.corner_px == pytest.approx(np.hypot(6, 3), abs=0.5)


def test_of_a_board_turned_about_one_corner_the_opposite_one_has_moved_farthest():
    flat = plain_board_on_a_patterned_table((0, 0))
    landmarks = Landmarks(reference_bgr=flat, geometry=field(200, 150, 440, 330))
    turn = cv2.getRotationMatrix2D((200, 150), 1.0, 1.0)
    turned = cv2.warpAffine(flat, turn, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
    shift = landmarks.measure_shift(np.asarray(turned, np.uint8), np.eye(3))
    assert shift
    assert shift.corner_px == pytest.approx(np.radians(1.0) * np.hypot(240, 180), abs=0.5)


def test_no_board_lies_outside_the_picture():
    landmarks = Landmarks(reference_bgr=board_in_barred_light((0, 0)), geometry=BOARD)
    aside = np.array([[1.0, 0.0, 0.2 * WIDTH], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    assert landmarks.moved_geometry(CameraShift(transform=aside, corner_px=0.2 * WIDTH)) is None
