"""Where a camera must stand, by hand-checked pinhole sums."""

import pytest

from hardware.plans.camera_stand import (
    BOARDS,
    LENSES,
    Board,
    Lens,
    highest_height_mm,
    lowest_height_mm,
    view,
)

RIGHT_ANGLE = Lens(name="sees 90 degrees", across_deg=90, size_wh=(1280, 720))
TOURNAMENT = Board(name="tournament", width_mm=620, depth_mm=540, checker_mm=42)


def test_a_lens_of_90_degrees_has_a_focal_length_of_half_the_width():
    assert RIGHT_ANGLE.focal_px == pytest.approx(640)


def test_from_straight_above_every_checker_has_640_times_42_over_1000_pixels():
    seen = view(TOURNAMENT, RIGHT_ANGLE, height_mm=1000)
    assert seen.least_px == pytest.approx(26.88)
    assert seen.most_px == pytest.approx(26.88)
    assert seen.fits
    assert not seen.enough


def test_too_low_a_camera_does_not_see_the_whole_depth():
    # 540 mm take 640 * 540 / h pixels of the 720 less twice 51.2 of margin: h is at least 559.6 mm
    assert not view(TOURNAMENT, RIGHT_ANGLE, height_mm=559).fits
    assert view(TOURNAMENT, RIGHT_ANGLE, height_mm=561).fits
    assert lowest_height_mm(TOURNAMENT, RIGHT_ANGLE) == pytest.approx(559.6, abs=1)


def test_from_beside_the_far_checkers_are_smaller_and_flatter():
    seen = view(TOURNAMENT, RIGHT_ANGLE, height_mm=700, beside_mm=400)
    assert seen.least_px < 640 * 42 / 806 < seen.most_px


def test_a_board_that_just_fits_fits_from_aslant_too():
    height_mm = lowest_height_mm(TOURNAMENT, RIGHT_ANGLE, tilt_deg=30)
    beside_mm = height_mm * 0.5773503
    assert view(TOURNAMENT, RIGHT_ANGLE, height_mm=height_mm + 1, beside_mm=beside_mm + 0.6).fits
    assert not view(TOURNAMENT, RIGHT_ANGLE, height_mm=height_mm - 5, beside_mm=beside_mm - 3).fits


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
def test_every_listed_lens_sees_every_listed_board_well_enough(board, lens):
    assert view(board, lens, height_mm=lowest_height_mm(board, lens) + 1).enough


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
def test_between_the_lowest_and_the_highest_place_a_lens_sees_well_and_beyond_it_does_not(board, lens):
    highest = highest_height_mm(board, lens)
    assert view(board, lens, height_mm=highest - 1).enough
    assert not view(board, lens, height_mm=highest + 1).enough


def test_the_hq_camera_sees_what_its_sensor_and_lens_give():
    hq = next(lens for lens in LENSES if lens.name.startswith("HQ"))
    assert hq.focal_px * 6.287 / 1280 == pytest.approx(6.0, abs=0.01)
