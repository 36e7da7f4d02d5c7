"""Cable lengths and the strip's cut plan, by sums that a person can check."""

import itertools

import pytest

from hardware.plans.cables import (
    SLACK,
    along_strip,
    cables,
    camera_height_mm,
    cut_plan,
    gaps_mm,
    least_volts,
    leds_per_metre,
    plan,
)
from hardware.plans.camera_stand import BOARDS, LENSES
from hardware.plans.rails import Rails

BOARD = Rails(field_mm=(500, 430), bar_mm=38, tray_mm=48)
TRAVEL = Rails(field_mm=(300, 190), bar_mm=24, tray_mm=0)
HINGED = Rails(field_mm=(300, 190), bar_mm=0, tray_mm=0)


def test_the_strip_goes_along_the_upper_rail_and_back_along_the_lower():
    leds = along_strip(BOARD)
    assert [led.place for led in leds[:8]] == [0, 1, 2, 3, 4, 5, 24, 6]
    assert (leds[13].place, leds[14].place, leds[-1].place) == (26, 27, 12)
    assert all(a.x_mm < b.x_mm for a, b in itertools.pairwise(leds[:14]))
    assert all(a.x_mm > b.x_mm for a, b in itertools.pairwise(leds[14:]))


def test_wires_between_leds_are_as_long_as_their_distance_and_15_mm():
    gaps = gaps_mm(BOARD)
    assert len(gaps) == 27
    assert gaps[0] == pytest.approx(38.5 + 15)  # a point is (500 - 38) / 12 mm
    assert gaps[13] == pytest.approx(430 + 16 + 15)  # from rail to rail
    assert "| 14 | 26 | upper | 524 | 461 |" in cut_plan(BOARD)


def test_a_strip_with_60_leds_a_metre_where_30_are_too_long_for_the_points():
    assert leds_per_metre(BOARD) == 30  # pieces of 33.3 mm on points of 38.5 mm
    assert leds_per_metre(TRAVEL) == 60  # on points of 23 mm
    assert len(along_strip(TRAVEL)) == 26


def test_a_strip_with_144_leds_a_metre_where_the_leds_of_the_bar_lie_between_points_that_touch():
    assert min(gaps_mm(HINGED)) == pytest.approx(12.5 + 15)
    assert leds_per_metre(HINGED) == 144


def test_a_board_measured_in_centimetres_has_no_room_for_leds():
    with pytest.raises(ValueError, match="give all measures in mm"):
        leds_per_metre(Rails(field_mm=(52, 40), bar_mm=7))


@pytest.mark.parametrize(
    ("height_mm", "lens"),
    [(800, "Camera Module 3"), (480, "Camera Module 3 Wide"), (650, "Camera Module 3 Wide")],
)
def test_the_plan_names_a_lens_that_sees_the_whole_board_from_its_height(height_mm, lens):
    assert f"{lens}, {height_mm // 10} cm above the board" in plan(BOARD, height_mm)


@pytest.mark.parametrize("height_mm", [80, 0, -800])
def test_from_a_height_from_which_no_lens_sees_the_board_there_is_no_plan(height_mm):
    with pytest.raises(ValueError, match="is the least"):
        plan(BOARD, height_mm)


def test_the_patch_cable_goes_over_the_arm_down_the_column_and_along_the_board():
    patch = next(cable for cable in cables(BOARD, 800) if cable.name == "patch cable")
    arm = (430 + 40) / 2 + 16 + 60
    assert patch.length_mm == pytest.approx((arm + 800 + (500 + 48 + 40) / 2) * SLACK)
    assert patch.buy_mm == 2000


@pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_every_lens_over_every_board_has_cables_that_are_sold_unless_it_stands_too_high(board, lens):
    rails = Rails(field_mm=(board.width_mm - 90, board.depth_mm - 40), bar_mm=board.width_mm / 14)
    if lens.name.startswith("HQ") and board.name == "tournament":  # the page says so
        with pytest.raises(ValueError, match="lower the camera"):
            cables(rails, camera_height_mm(rails, lens))
        return
    assert all(
        cable.buy_mm >= cable.length_mm or not cable.buy_mm
        for cable in cables(rails, camera_height_mm(rails, lens))
    )


def test_every_led_gets_its_voltage_through_thin_wire_with_three_feeds():
    assert least_volts(BOARD, 1000) > 4.95
    assert least_volts(BOARD, 1708) > 4.9
    assert least_volts(BOARD, 0.001) == pytest.approx(5.0, abs=1e-6)


def test_the_plan_names_every_cable_and_every_led():
    text = plan(BOARD, 800)
    assert all(cable.way in text for cable in cables(BOARD, 800))
    assert text.count("| upper |") == text.count("| lower |") == 14


@pytest.mark.parametrize(
    ("rails", "corner", "last"), [(BOARD, 14, 28), (TRAVEL, 13, 26)], ids=["trays", "no trays"]
)
def test_the_terminals_feed_both_ends_and_the_last_led_of_the_upper_rail(rails, corner, last):
    fed = [cable.way for cable in cables(rails, 800) if cable.way.startswith("terminals")]
    assert fed == [f"terminals to LED {led}" for led in (1, corner, last)]
    upper, lower = along_strip(rails)[corner - 1 : corner + 1]
    assert upper.y_mm < 0 < lower.y_mm
