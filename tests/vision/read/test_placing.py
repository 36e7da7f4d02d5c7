"""Boards found a little aside, put right by the position that lies on them."""

import numpy as np
import pytest

from tests.vision.drawn_board import EMPTY, START, geometry, picture
from vision.read import placing
from vision.read.placing import placed_by_position

LEFT, RIGHT, BOTTOM = [0, 3], [1, 2], [2, 3]


def aside(corners: list[int], share: float):
    """The drawn board as if it were found with one edge farther out, in field widths."""
    truth = geometry()
    quad = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=float)
    axis = int(quad[corners[0], 0] != quad[corners[1], 0])
    quad[corners, axis] += (2 * quad[corners[0], axis] - 1) * share
    return truth.with_corners(truth.to_px(quad))


def farthest_off(found) -> float:
    truth = np.array(geometry().corners_px)
    return float(np.hypot(*(np.array(found.corners_px) - truth).T).max() / np.hypot(*(truth[1] - truth[0])))


@pytest.mark.parametrize(
    ("corners", "share"),
    [(LEFT, 0.06), (LEFT, -0.05), (RIGHT, 0.06), (RIGHT, -0.05), (BOTTOM, -0.07)],
)
def test_an_edge_found_so_far_off_that_places_are_misread_is_put_right(corners: list[int], share: float):
    found = aside(corners, share)
    placed = placed_by_position(picture(START), found, [START])
    assert farthest_off(placed) < 0.8 * farthest_off(found)


def test_a_board_that_reads_surely_stays_where_it_was_found():
    assert placed_by_position(picture(START), geometry(), [START]) == geometry()


def test_another_position_moves_nothing():
    found = aside(LEFT, 0.06)
    assert placed_by_position(picture(EMPTY), found, [START]) == found


def test_either_side_may_be_the_light_one():
    found = aside(LEFT, 0.06)
    swapped = tuple(-count for count in START)
    assert placed_by_position(picture(START), found, [swapped]) == placed_by_position(
        picture(START), found, [START]
    )


def test_the_bar_stays_where_it_is_in_the_picture():
    for moved in placing._moved(geometry()):
        before, after = (
            one.to_px([(one.bar[0], 0.5), (one.bar[1], 0.5)])[:, 0] for one in (geometry(), moved)
        )
        assert after == pytest.approx(before, abs=1.0)
