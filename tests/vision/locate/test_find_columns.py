"""A half of a field that was fitted one column too far is put back."""

import numpy as np
import pytest

from tests.vision.drawn_board import EMPTY, START, geometry, picture
from vision.geometry import BoardGeometry
from vision.locate.column_count import recount_columns
from vision.locate.point_sides import ROW_DISTANCES, bar_pitches, with_bar

HALF_BASE, LENGTH = 0.5, 0.41
"""Of the drawn points: half width in pitches, and length as a fraction of the field's height."""
HALVES = np.maximum(HALF_BASE * (1 - ROW_DISTANCES / LENGTH), 0.0)


def halves_moved(left: int, right: int) -> BoardGeometry:
    """The drawn field, its halves moved to the right by so many columns."""
    true, wide = geometry(), 12 + bar_pitches(geometry())
    corners = np.array([[left, 0], [wide + right, 0], [wide + right, 1], [left, 1]]) / (wide, 1)
    return with_bar(true, bar_pitches(true) + right - left).with_corners(true.to_px(corners))


@pytest.mark.parametrize("counts", [EMPTY, START], ids=["empty", "start"])
@pytest.mark.parametrize("moved", [(0, 0), (-1, 0), (0, 1), (1, 1), (-1, -1)])
def test_each_half_goes_back_to_its_columns(counts, moved):
    found, _ = recount_columns(picture(counts), halves_moved(*moved), HALVES, HALF_BASE, geometry())
    assert np.array(found.corners_px) == pytest.approx(np.array(geometry().corners_px), abs=1.0)


def test_points_outweigh_the_first_sight():
    seen = halves_moved(0, 1)
    found, share = recount_columns(picture(EMPTY), geometry(), HALVES, HALF_BASE, seen)
    assert np.array(found.corners_px) == pytest.approx(np.array(geometry().corners_px), abs=1.0)
    assert share > 0.8
