"""Drawn boards are found without their corners being given."""

import cv2
import numpy as np
import pytest

from tests.vision.drawn_board import EMPTY, FRAME_BGR, OBLIQUE, START, geometry, picture
from vision.locate.board_finder import BoardNotFound, find_board, has_points
from vision.training.boards import draw_board, start_counts
from vision.training.trust import geometry_of
from vision.training.views import draw_views

STEEP = ((180.0, 121.0), (490.0, 123.0), (540.0, 387.0), (120.0, 380.0))
WIDTH_PX = STEEP[1][0] - STEEP[0][0]
MARGIN_PITCHES = 3.0
WALL = 0.04
"""Height of a wall in field widths: some 23 mm."""


def error_of(found, truth) -> float:
    """The farthest that a corner is off, in field widths."""
    corners = np.array(truth.corners_px)
    away = np.array(found.corners_px) - corners
    return float(np.hypot(*away.T).max() / np.hypot(*(corners[1] - corners[0])))


@pytest.mark.parametrize("counts", [EMPTY, START], ids=["empty", "start"])
def test_corners_and_bar_are_found_within_a_hundredth_of_the_width(counts):
    found = find_board(picture(counts))
    assert error_of(found.geometry, geometry()) < 0.01
    assert found.geometry.bar == pytest.approx(geometry().bar, abs=0.005)
    assert found.confidence > 0.5


def test_a_board_that_lies_across_is_found_with_its_first_corner_at_the_bottom_left():
    turned = np.ascontiguousarray(np.rot90(picture(START)))
    corners = np.array([(x, 639 - y) for y, x in OBLIQUE])
    found = np.array(find_board(turned).geometry.corners_px)
    assert found == pytest.approx(corners, abs=0.01 * 370)
    assert found[0, 1] > found[1, 1]


@pytest.mark.parametrize("bend", [-0.1, 0.06])
def test_the_lens_is_told_by_the_rows_of_points(bend):
    view = geometry()
    bent = type(view)(
        corners_px=view.corners_px, image_wh=view.image_wh, bar=view.bar, aspect=1.2, distortion=bend
    )
    found = find_board(picture(START, view=bent)).geometry
    assert found.distortion == pytest.approx(bend, abs=0.03)
    assert error_of(found, bent) < 0.01


def test_a_wall_that_hides_the_near_edge_hardly_moves_the_corners():
    view = geometry(STEEP)
    image = picture(START, view=view)
    inner, outer = (view.to_px([(-0.03, y), (1.03, y)], height=WALL) for y in (1.0, 1.06))
    foot = view.to_px([(1.03, 1.06), (-0.03, 1.06)])
    ring = np.rint([*inner, outer[1], *foot, outer[0]]).astype(np.int32)
    cv2.fillPoly(image, [ring], FRAME_BGR)
    hidden_px = STEEP[3][1] - inner[0, 1]
    assert hidden_px > 0.01 * WIDTH_PX
    assert error_of(find_board(image).geometry, view) < 0.015


@pytest.mark.parametrize("gap", [0.0, 0.2], ids=["flush", "apart from the walls"])
def test_corners_of_boards_drawn_by_chance_are_mostly_found(gap):
    rng = np.random.default_rng(4242)
    errors = []
    for _ in range(3):
        board = draw_board(rng, start_counts(mirrored=True, swapped=False), margin=MARGIN_PITCHES, gap=gap)
        try:
            errors.append(error_of(find_board(board.image_bgr).geometry, geometry_of(board)))
        except BoardNotFound:
            continue
    assert len(errors) >= 2
    assert np.median(errors) < 0.01


def test_drawn_views_say_where_the_halves_of_the_field_lie():
    for view in draw_views(np.random.default_rng(3)):
        middle = view.corners_px.mean(axis=0).round().astype(int)
        assert view.halves.shape == (*view.image_bgr.shape[:2], 2)
        assert view.halves.max() == pytest.approx(1.0)
        left, right = (np.argwhere(view.halves[..., half] > 0.5).mean(axis=0)[1] for half in (0, 1))
        assert left < middle[0] < right


@pytest.mark.parametrize("kind", ["noise", "stripes"])
def test_where_there_is_no_board_none_is_found(kind):
    rng = np.random.default_rng(7)
    if kind == "noise":
        image = rng.integers(0, 255, (240, 320, 3)).astype(np.uint8)
    else:
        image = np.zeros((240, 320, 3), np.uint8)
        image[:, ::8] = 200
    with pytest.raises(BoardNotFound):
        find_board(image)


def test_a_black_picture_says_so():
    with pytest.raises(BoardNotFound, match="black"):
        find_board(np.zeros((240, 320, 3), np.uint8))


def test_points_are_seen_between_corners_of_a_board_and_not_on_a_table():
    rng = np.random.default_rng(1)
    table = rng.normal(120, 12, (480, 640, 3)).clip(0, 255).astype(np.uint8)
    assert has_points(picture(EMPTY), geometry())
    assert not has_points(table, geometry())
