"""The field's place in the picture: mapping both ways, lens, parallax, refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.geometry import BoardGeometry, GeometryError

OBLIQUE = ((306.7, 202.4), (971.4, 204.6), (1054.8, 755.1), (225.6, 755.7))
fraction = st.floats(0, 1, allow_nan=False)


def board(**changes) -> BoardGeometry:
    return BoardGeometry(
        **{"corners_px": OBLIQUE, "image_wh": (1280, 960), "checker": 0.073, "aspect": 1.2, **changes}
    )


def seen_by_camera(points, focal=1200.0, tilt=0.6, distance=1.8):
    """A pinhole above the board, leaning by `tilt` radians, looking at the field's middle."""
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
    centred = np.asarray(points, dtype=float) - [0.5, 0.4, 0]
    camera = centred * [1, 1, -1] @ turn.T + [0, 0, distance]
    return camera[:, :2] / camera[:, 2:] * focal + [639.5, 479.5]


@given(x=fraction, y=fraction, height=st.floats(0, 0.05), distortion=st.floats(-0.12, 0.12))
def test_field_to_pixels_and_back_is_identity(x, y, height, distortion):
    geometry = board(distortion=distortion)
    back = geometry.to_field(geometry.to_px([[x, y]], height), height)
    assert back == pytest.approx(np.array([[x, y]]), abs=1e-6)


@pytest.mark.parametrize("distortion", [-0.1, 0.0, 0.1])
def test_corners_of_the_field_are_the_corners_in_the_picture(distortion):
    seen = board(distortion=distortion).to_px([[0, 0], [1, 0], [1, 1], [0, 1]])
    assert seen == pytest.approx(np.array(OBLIQUE), abs=1e-3)


def test_camera_pose_and_parallax_follow_from_the_corners():
    surface = [[0, 0, 0], [1, 0, 0], [1, 0.8, 0], [0, 0.8, 0]]
    geometry = board(corners_px=tuple(map(tuple, seen_by_camera(surface))), aspect=1.25)
    assert geometry.focal_px == pytest.approx(1200, rel=0.05)
    lifted = seen_by_camera([[0.3, 0.2, 0.02], [0.8, 0.6, 0.02]])
    assert geometry.to_px([[0.3, 0.25], [0.8, 0.75]], height=0.02) == pytest.approx(lifted, abs=0.5)


@pytest.mark.parametrize("height", [0.7, 0.85, 1.1])
@pytest.mark.parametrize("tilt", [0.0, 0.3, 0.6])
def test_the_fields_shape_follows_from_its_view_within_a_tenth_where_it_is_not_known(height, tilt):
    surface = [[0, 0, 0], [1, 0, 0], [1, height, 0], [0, height, 0]]
    corners = tuple(map(tuple, seen_by_camera(surface, tilt=tilt)))
    assert board(corners_px=corners, aspect=None).height == pytest.approx(height, rel=0.1)
    assert board(corners_px=corners, aspect=1.25).height == 0.8


def test_straight_from_above_a_raised_point_moves_away_from_the_middle_of_the_picture():
    square_on = ((240.0, 160.0), (1040.0, 160.0), (1040.0, 800.0), (240.0, 800.0))
    geometry = board(corners_px=square_on, aspect=1.25)
    low, high = geometry.to_px([[0.9, 0.5]])[0], geometry.to_px([[0.9, 0.5]], height=0.02)[0]
    assert high[0] > low[0]
    assert high[1] == pytest.approx(low[1], abs=0.1)
    assert geometry.focal_px == pytest.approx(1280, rel=0.01), "the usual one: such a view does not show it"


def test_places_run_along_the_top_row_then_along_the_bottom_row():
    geometry = board(bar=(0.46, 0.54))
    xs = [geometry.column_x(place) for place in range(24)]
    assert xs[:12] == sorted(xs[:12]) == xs[12:]
    assert xs[5] < 0.46 < 0.54 < xs[6]
    assert geometry.checker_xy(0, 0)[1] < geometry.checker_xy(0, 1)[1] < 0.5
    assert geometry.checker_xy(12, 0)[1] > geometry.checker_xy(12, 1)[1] > 0.5


def test_points_fill_both_halves_and_checkers_that_touch_one_another_a_row_of_five():
    geometry = board(bar=(0.4, 0.5), checker=None)
    widths = [geometry.column_width(place) for place in range(24)]
    assert widths == pytest.approx([0.4 / 6] * 6 + [0.5 / 6] * 6 + [0.4 / 6] * 6 + [0.5 / 6] * 6)
    assert 0.9 * min(widths) < geometry.diameter < max(widths)
    lower, upper = (geometry.checker_xy(0, index)[1] * geometry.height for index in (0, 1))
    assert upper - lower == pytest.approx(geometry.diameter)
    assert geometry.row_reach(4) < geometry.row_reach(5) == geometry.row_reach(6)


def test_seen_from_its_other_end_the_same_board_has_its_places_in_the_opposite_order():
    geometry = board(bar=(0.4, 0.5), distortion=-0.05)
    turned = geometry.turned()
    here = turned.to_px([turned.checker_xy(place, 0) for place in range(24)])
    there = geometry.to_px([geometry.checker_xy(place, 0) for place in reversed(range(24))])
    assert here == pytest.approx(there, abs=0.01)


def test_a_field_found_too_narrow_is_enlarged_and_its_bar_stays_where_it_is():
    geometry = board(bar=(0.4, 0.5))
    larger = geometry.reaching(-0.1, 0, 1.05, 1)
    assert larger.to_px([[edge, 0.5] for edge in larger.bar]) == pytest.approx(
        geometry.to_px([[edge, 0.5] for edge in geometry.bar]), abs=0.01
    )
    top_left, _, bottom_right, _ = geometry.corners_farther_out((0.1, 0.05))
    assert np.stack([top_left, bottom_right]) == pytest.approx(geometry.to_px([[-0.1, -0.05], [1.1, 1.05]]))


def test_a_field_may_fill_as_little_as_a_fiftieth_of_the_picture():
    assert board(corners_px=((600, 400), (780, 400), (780, 540), (600, 540))).image_wh == (1280, 960)


@pytest.mark.parametrize(
    ("corners", "reason"),
    [
        (OBLIQUE[::-1], "go round the field"),
        (((0, 0), (10, 0), (10, 10), (0, 10)), "too small"),
        (((-900, 0), (1000, 0), (1000, 900), (0, 900)), "outside the picture"),
        (((float("nan"), 0), (1000, 0), (1000, 900), (0, 900)), "finite"),
        (((0, 0), (1000, 0), (0, 900)), "four corners"),
    ],
)
def test_corners_that_are_no_field_are_refused_with_the_reason(corners, reason):
    with pytest.raises(GeometryError, match=reason):
        board(corners_px=corners)


def test_bar_outside_the_field_is_refused():
    with pytest.raises(GeometryError, match="bar"):
        board(bar=(0.6, 0.4))
