"""The field ends at the feet of the walls round it, where these are seen."""

import cv2
import numpy as np
import pytest

from vision.geometry import BoardGeometry
from vision.locate.field_walls import fit_to_walls
from vision.locate.point_sides import bar_pitches

LEFT, RIGHT, TOP, BOTTOM = 100.0, 540.0, 80.0, 400.0
"""Of the field that the points fix, in pixels."""
FLOOR, WALL, WALL_TOP, SHADE = (90, 120, 60), (60, 90, 140), (120, 160, 210), (30, 40, 20)
HALF_BASE = 0.48
ROWS_SEEN = (True, True)
ROWS_UNSEEN = (False, False)


def fixed_by_points() -> BoardGeometry:
    corners = ((LEFT, TOP), (RIGHT, TOP), (RIGHT, BOTTOM), (LEFT, BOTTOM))
    return BoardGeometry(corners_px=corners, image_wh=(640, 480), bar=(0.46, 0.54), aspect=1.375)


PITCH = (RIGHT - LEFT) / (12 + bar_pitches(fixed_by_points()))


def floor_with_walls(left=(0.0, 0.0), right=(0.0, 0.0), *, far=0.0, near=0.0, thick=0.3) -> np.ndarray:
    """A picture of a floor that ends so many pitches outside of what the points fix, walls all round; left
    and right at the far and at the near end."""
    rows = np.array([TOP - far * PITCH, BOTTOM + near * PITCH])
    image = np.full((480, 640, 3), WALL_TOP, np.uint8)
    for extra, colour in ((thick, WALL), (0.0, FLOOR)):
        sides = [LEFT - (np.array(left) + extra) * PITCH, RIGHT + (np.array(right) + extra) * PITCH]
        ends = rows + np.array([-extra, extra]) * PITCH
        ring = [
            (sides[0][0], ends[0]),
            (sides[1][0], ends[0]),
            (sides[1][1], ends[1]),
            (sides[0][1], ends[1]),
        ]
        cv2.fillPoly(image, [np.rint(np.array(ring) * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return noisy(image)


def noisy(image: np.ndarray) -> np.ndarray:
    spread = np.random.default_rng(0).normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8) + spread, 0, 255).astype(np.uint8)


def moved_out(image: np.ndarray, rows_seen: tuple[bool, bool] = ROWS_SEEN) -> np.ndarray:
    """(4, 2): how many pitches outwards the corners move, x and y, from top left on."""
    ending = np.array(fit_to_walls(image, fixed_by_points(), HALF_BASE, rows_seen).corners_px)
    outward = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return (ending - np.array(fixed_by_points().corners_px)) * outward / PITCH


def test_points_that_stand_apart_from_the_walls_do_not_draw_the_edges_in():
    out = moved_out(floor_with_walls((0.2, 0.2), (0.1, 0.1)))
    assert out[:, 0] == pytest.approx([0.2, 0.1, 0.1, 0.2], abs=0.03)
    assert out[:, 1] == pytest.approx(np.zeros(4), abs=0.001)


def test_a_wall_may_stand_a_little_aslant():
    out = moved_out(floor_with_walls((0.05, 0.25), (0.2, 0.0)))
    assert out[:, 0] == pytest.approx([0.05, 0.2, 0.0, 0.25], abs=0.04)


def test_points_stay_in_the_middle_of_their_half():
    wider = fit_to_walls(floor_with_walls((0.2, 0.2), (0.2, 0.2)), fixed_by_points(), HALF_BASE, ROWS_SEEN)
    before, after = middles_px(fixed_by_points()), middles_px(wider)
    assert after[:6].mean() == pytest.approx(before[:6].mean(), abs=0.03 * PITCH)
    assert after[6:].mean() == pytest.approx(before[6:].mean(), abs=0.03 * PITCH)


def middles_px(geometry: BoardGeometry) -> np.ndarray:
    """(12,): how far right in the picture the columns lie."""
    return geometry.to_px([(geometry.column_x(place), 0.5) for place in range(12)])[:, 0]


def test_checkers_along_a_wall_do_not_hide_its_foot():
    image = floor_with_walls((0.15, 0.15), (0.15, 0.15))
    for at in range(10):
        row = TOP + (at + 0.5) * 0.9 * PITCH if at < 5 else BOTTOM - (at - 4.5) * 0.9 * PITCH
        centre = (round(LEFT + 0.5 * PITCH), round(row))
        cv2.circle(image, centre, round(0.45 * PITCH), (220, 220, 230), -1, cv2.LINE_AA)
    assert moved_out(image)[[0, 3], 0] == pytest.approx([0.15, 0.15], abs=0.05)


def test_a_shadow_on_the_points_is_no_foot():
    image = floor_with_walls()
    strip = slice(round(LEFT - 0.15 * PITCH), round(LEFT + 0.15 * PITCH))
    image[round(TOP) : round(BOTTOM), strip] = SHADE
    assert moved_out(image)[[0, 3], 0] == pytest.approx([0, 0], abs=0.001)


def test_without_walls_the_points_have_the_last_word():
    image = noisy(np.full((480, 640, 3), FLOOR, np.uint8))
    assert moved_out(image, ROWS_UNSEEN) == pytest.approx(np.zeros((4, 2)), abs=0.001)


def test_top_and_bottom_end_at_walls_only_where_the_rows_of_points_do_not_tell():
    image = floor_with_walls(far=0.12, near=0.12)
    assert moved_out(image)[:, 1] == pytest.approx(np.zeros(4), abs=0.001)
    assert moved_out(image, ROWS_UNSEEN)[:, 1] == pytest.approx(np.full(4, 0.12), abs=0.03)
