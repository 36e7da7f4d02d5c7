"""The building page and its diagrams say what the code says."""

import re

import pytest

from hardware.apa102 import CLOCK_BCM, DATA_BCM, MA_IDLE, MA_PER_CHANNEL, StripLights
from hardware.light_port import N_LIGHTS
from hardware.plans.camera_stand import stand_table
from hardware.plans.wiring import DIAGRAMS, LIGHTS, TRAY, diagram_svg, pin_table
from tests.paths import ROOT

PAGE = (ROOT / "hardware" / "BUILDING.md").read_text()
FIRMWARE = (ROOT / "firmware" / "avr" / "main.c").read_text()

HEADER_PINS = {10: 19, 11: 23}
"""Pins of the Pi's 40-pin header by their BCM numbers."""


def joined(diagram):
    return {wire.start: wire.end for wire in diagram.wires} | {wire.end: wire.start for wire in diagram.wires}


@pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda diagram: diagram.name)
def test_the_page_shows_the_diagram_and_its_pin_table(diagram):
    assert pin_table(diagram) in PAGE
    assert f"(wiring-{diagram.name}.svg)" in PAGE
    assert (ROOT / "hardware" / f"wiring-{diagram.name}.svg").read_text() == diagram_svg(diagram)


@pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda diagram: diagram.name)
def test_every_pin_of_every_part_is_joined_to_something(diagram):
    used = {end for wire in diagram.wires for end in (wire.start, wire.end)}
    for part in diagram.parts:
        for pin in (*part.left, *part.right):
            assert (part.name, pin) in used, (part.name, pin)


def test_the_page_shows_the_table_of_camera_heights():
    assert stand_table() in PAGE


def test_the_strip_hangs_on_the_pins_that_the_driver_uses():
    wires = joined(LIGHTS)
    for bcm, input_pin, output_pin, strip_pin in (
        (DATA_BCM, "2 1A", "3 1Y", "DI"),
        (CLOCK_BCM, "5 2A", "6 2Y", "CI"),
    ):
        assert wires["Raspberry Pi", f"pin {HEADER_PINS[bcm]} BCM{bcm}"] == ("74AHCT125", input_pin)
        assert wires["74AHCT125", output_pin] == ("SK9822 strip", strip_pin)


def test_the_tray_hangs_on_the_pins_that_the_firmware_uses():
    assert "D2 - D5  channel select" in FIRMWARE
    assert "#define SELECT_SHIFT 2" in FIRMWARE
    assert re.search(r"EMITTER_1 _BV\(PB0\)", FIRMWARE)  # D8
    assert re.search(r"EMITTER_2 _BV\(PB1\)", FIRMWARE)  # D9
    ends = {(wire.start[1], wire.end) for wire in TRAY.wires if wire.start[0] == "Arduino Nano"}
    for well, analog, digital in ((1, "A0", "D8"), (2, "A1", "D9")):
        assert (analog, (f"74HC4067 well {well}", "SIG")) in ends
        assert (digital, (f"MOSFET Q{well}", "gate")) in ends
        for i in range(4):
            assert (f"D{2 + i}", (f"74HC4067 well {well}", f"S{i}")) in ends


def test_the_power_budget_is_that_of_the_driver():
    full_ma = N_LIGHTS * (MA_IDLE + 3 * MA_PER_CHANNEL)
    cap_ma = StripLights.__init__.__kwdefaults__["max_ma"]
    assert f"all white without a cap | {full_ma:.0f} |" in PAGE
    assert f"as capped by the setting | {cap_ma:.0f} |" in PAGE
    assert f"together ({1200 + cap_ma + 25 + 100:.0f} mA)" in PAGE
