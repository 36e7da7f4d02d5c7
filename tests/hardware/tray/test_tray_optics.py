"""The light in the tray: the model's sums, and what the real firmware makes of the levels it gives."""

import os
import random
import re

import numpy as np
import pytest

from hardware.tray.measures import TRAY, Die
from hardware.tray.netlist import FEEDBACK_OHM, LED_MA
from hardware.tray.optics import (
    FACE_PIPS,
    FULL_SCALE,
    SETTLE_US,
    Lie,
    Paint,
    Well,
    dark_counts,
    infra_red_mw_per_cm2_per_lux,
    most_shift_mm,
    most_turn_deg,
)
from tests.firmware.benches import PIPS as PIPS_OF_THE_BENCH
from tests.firmware.benches import atmega_bench, core_bench
from tests.hardware.tray.thrown_dice import (
    LUX,
    PALE_PAINT,
    PIPS_MM,
    SMALL_PIPS,
    WIDE_PIPS,
    read_dice,
    read_pitch,
    total,
)
from tests.paths import ROOT

FIRMWARE = ROOT / "firmware"


@pytest.fixture(scope="module")
def well():
    return Well()


def test_faces_are_those_of_the_firmwares_bench():
    assert {face: [tuple(pip) for pip in pips] for face, pips in FACE_PIPS.items()} == PIPS_OF_THE_BENCH


def test_the_firmware_waits_as_long_as_the_model_says():
    main = (FIRMWARE / "avr" / "main.c").read_text()
    assert int(re.search(r"#define SETTLE_US (\d+)", main)[1]) == SETTLE_US


def test_light_fades_with_the_square_of_the_distance_and_grows_with_the_current():
    # from high above all LEDs lie almost straight below: a face 47 mm away gets a quarter of one 24 mm away
    assert pytest.approx(30.9, abs=0.1) == LED_MA
    near, far = (Well(tray=type(TRAY)(gap_mm=gap)) for gap in (20.0, 43.0))
    ratio = float(np.mean(far.over_body() / near.over_body()))
    assert 0.2 < ratio < 0.35


def test_twice_the_led_is_twice_the_light(well):
    double = Well(led_strengths=np.full(8, 2.0))
    assert double.over_body() == pytest.approx(2 * well.over_body())


def test_a_pip_is_seen_dark_by_its_own_sensor_and_by_no_other(well):
    body = well.over_body()
    share = well.over_die(Lie(up=2)) / body  # five below: the corners and the middle
    assert all(share[i] < 0.3 for i in (0, 2, 4, 6, 8, 9))
    assert all(share[i] > 0.97 for i in (1, 3, 5, 7))


def test_sensors_get_alike_much_from_a_body_and_little_from_nothing(well):
    body = well.over_body()
    assert body.max() / body.min() < 1.6
    assert (well.over_nothing() < 0.15 * body).all()


def test_levels_leave_room_for_daylight_in_the_converter(well):
    glare = int(re.search(r"#define GLARE_COUNT (\d+)", (FIRMWARE / "core" / "tray.h").read_text())[1])
    dark = dark_counts() + well.from_room(2000)
    assert dark < glare / 2
    assert dark + well.over_body().max() < FULL_SCALE


def test_a_glowing_lamp_brings_about_a_milliwatt_of_infra_red_for_a_thousand_lux():
    assert 1000 * infra_red_mw_per_cm2_per_lux(2856) == pytest.approx(1.0, abs=0.1)
    assert infra_red_mw_per_cm2_per_lux(5800) < infra_red_mw_per_cm2_per_lux(2856) / 3


def test_a_die_can_shift_by_half_its_play_or_turn_until_its_corners_touch():
    assert most_shift_mm(0) == 0.5
    assert most_shift_mm(most_turn_deg()) == pytest.approx(0, abs=1e-9)
    # 16 mm in 17 mm: sin a + cos a = 17 / 16
    angle = np.radians(most_turn_deg())
    assert np.sin(angle) + np.cos(angle) == pytest.approx(17 / 16)


def check(tally, most_unread=0.02):
    print(f"\n{tally}")
    assert tally.wrong == 0
    assert tally.unread <= most_unread * tally.throws


@pytest.mark.parametrize("lux", LUX)
def test_dice_are_read_wherever_they_come_to_lie(lux, capsys):
    with capsys.disabled():
        check(read_dice(core_bench(), random.Random(lux), lux, most=24))


@pytest.mark.parametrize(
    "options",
    [
        {"die": SMALL_PIPS},
        {"die": WIDE_PIPS},
        {"paint": PALE_PAINT},
        {"paint": Paint(pip=0.05, blur_mm=0.1)},
        {"paint": Paint(body=0.1, pip=7.0)},
        {"strength": 0.4},
        {"strength": 1.8},
    ],
    ids=[
        "small pips",
        "wide pips",
        "pale paint",
        "black paint",
        "dark die",
        "0.4 of the light",
        "1.8 of the light",
    ],
)
def test_other_dice_and_other_light_are_not_read_wrongly(options, capsys):
    with capsys.disabled():
        check(read_dice(core_bench(), random.Random(3), 500, most=15, **options), most_unread=0.1)


@pytest.mark.parametrize("pitch_mm", [3.8, 4.4])
@pytest.mark.parametrize("pip_mm", [2.8, 3.8])
def test_dice_at_the_limits_that_the_page_states_are_read(pitch_mm, pip_mm, capsys):
    page = (ROOT / "hardware" / "tray" / "README.md").read_text()
    assert "3.8 to 4.4 mm" in page
    assert "2.8 to 3.8 mm" in page
    die = Die(edge_mm=15.7 if pitch_mm < 4 else 16.3, pip_pitch_mm=pitch_mm, pip_mm=pip_mm)
    with capsys.disabled():
        check(read_dice(core_bench(), random.Random(6), 0, most=15, die=die), most_unread=0.1)


@pytest.mark.parametrize("pip_mm", PIPS_MM)
def test_dice_a_little_too_wide_are_left_unread_rather_than_misread(pip_mm):
    assert "more than 4.6 mm apart" in (ROOT / "hardware" / "tray" / "README.md").read_text()
    assert read_pitch(core_bench(), 4.6, pip_mm).wrong == 0


def test_the_real_binary_reads_them_too(capsys):
    with capsys.disabled():
        check(read_dice(atmega_bench(), random.Random(5), 2000, most=6))


@pytest.mark.skipif("BLOTLIGHT_PROOF" not in os.environ, reason="minutes of simulated time: make proof")
@pytest.mark.parametrize("lux", LUX)
def test_every_face_rotation_and_corner_in_the_real_binary(lux, capsys):
    with capsys.disabled():
        check(total([read_dice(atmega_bench(), random.Random(tray), lux) for tray in (1, 2)]))


def test_the_feedback_resistor_is_that_of_the_model():
    assert FEEDBACK_OHM == 47_000
