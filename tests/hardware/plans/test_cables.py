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


@pytest.mark.parametrize(("rails", "last"), [(BOARD, 28), (TRAVEL, 26)], ids=["trays", "no trays"])
def test_the_last_wire_from_the_terminals_goes_to_the_last_led(rails, last):
    fed = [cable.way for cable in cables(rails, 800) if cable.way.startswith("terminals")]
    assert fed == [f"terminals to LED {led}" for led in (1, 14, last)]
