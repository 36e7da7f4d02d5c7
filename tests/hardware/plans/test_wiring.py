"""The wiring tables and their drawings: joined as the programs expect, every pin numbered, no word on a
wire."""

import re
from itertools import combinations

import pytest

from hardware.apa102 import CLOCK_BCM, DATA_BCM, STRIP_ORDER
from hardware.light_port import BOTTOM_TRAY, N_LIGHTS, TOP_TRAY
from hardware.plans.wiring import DIAGRAMS, LIGHTS, POWER, TRAY_DIAGRAM, pin_table
from hardware.plans.wiring_drawing import Drawing, diagram_svg
from tests.paths import ROOT

FOLDER = ROOT / "hardware"

BUFFER = {
    # Texas Instruments SCLS264 (SN74AHCT125): a quad buffer's pins, by number
    "1": "1OE", "2": "1A", "3": "1Y", "4": "2OE", "5": "2A", "6": "2Y", "7": "GND",
    "8": "3Y", "9": "3A", "10": "3OE", "11": "4Y", "12": "4A", "13": "4OE", "14": "VCC",
}  # fmt: skip
HEADER = {"19": "BCM10", "20": "GND", "23": "BCM11", "25": "GND"}
"""The pins of the Pi's header that are used."""

each_diagram = pytest.mark.parametrize("diagram", DIAGRAMS, ids=lambda diagram: diagram.name)


def net_of(diagram, part, pin):
    return next(net.name.strip() for net in diagram.nets if (part, pin) in net.pins)


@each_diagram
def test_every_pin_of_every_part_is_on_one_net_or_open_on_purpose(diagram):
    pins = [(part.name, pin) for part in diagram.parts for pin in part.pins]
    joined = [pin for net in diagram.nets for pin in net.pins] + list(diagram.open_pins)
    assert sorted(joined) == sorted(pins)
    assert all(len(net.pins) > 1 for net in diagram.nets)


@each_diagram
def test_every_pin_has_a_number(diagram):
    for part in diagram.parts:
        numbers = [re.match(r"\d+", pin) for pin in part.pins]
        assert all(numbers), part


def test_the_buffer_and_the_header_have_the_pins_of_their_data_sheets():
    parts = {part.name: part for part in LIGHTS.parts}
    assert dict(pin.split() for pin in parts["IC1 74AHCT125"].pins) == BUFFER
    assert dict(pin.split() for pin in parts["Raspberry Pi"].pins) == HEADER


def test_the_strip_hangs_on_the_pins_that_the_driver_uses():
    for bcm, series, twisted, gate, end, led in (
        (DATA_BCM, "R1 100 ohm", "1 white-orange", ("2 1A", "3 1Y"), "R5 68 ohm", "1 DI"),
        (CLOCK_BCM, "R2 100 ohm", "3 white-green", ("5 2A", "6 2Y"), "R6 68 ohm", "2 CI"),
    ):
        header = next(f"{number} {name}" for number, name in HEADER.items() if name == f"BCM{bcm}")
        assert net_of(LIGHTS, "Raspberry Pi", header) == net_of(LIGHTS, series, "1")
        assert net_of(LIGHTS, series, "2") == net_of(LIGHTS, "Patch cable", twisted)
        assert net_of(LIGHTS, "Patch cable", twisted + " ") == net_of(LIGHTS, "IC1 74AHCT125", gate[0])
        assert net_of(LIGHTS, "IC1 74AHCT125", gate[1]) == net_of(LIGHTS, end, "1")
        assert net_of(LIGHTS, end, "2") == net_of(LIGHTS, "LED 1", led)


def test_the_inputs_and_gates_of_the_buffer_are_all_at_rest_or_in_use():
    for pin in ("1 1OE", "4 2OE", "9 3A", "12 4A", "10 3OE", "13 4OE", "7 GND"):
        assert net_of(LIGHTS, "IC1 74AHCT125", pin) == "GND"


def test_power_goes_in_at_both_ends_and_where_the_rails_are_joined():
    fed = [part.name for part in POWER.parts if part.name.startswith("LED")]
    assert fed == ["LED 1", "LED 14", f"LED {N_LIGHTS}"]
    assert (STRIP_ORDER[13], STRIP_ORDER[14]) == (TOP_TRAY, BOTTOM_TRAY)
    assert net_of(POWER, "Supply 5 V, 3 A", "1 +5V") == net_of(POWER, "F1 fuse 2 A", "1")
    assert net_of(POWER, "F1 fuse 2 A", "2") == net_of(POWER, "X1 terminals +5V", "1")


def test_the_drawing_of_the_tray_shows_the_boards_own_circuit():
    assert (
        net_of(TRAY_DIAGRAM, "A1 Arduino Nano", "5 D2")
        == net_of(TRAY_DIAGRAM, "U2 CD74HC4067", "10 S0")
        == "SEL0"
    )
    assert net_of(TRAY_DIAGRAM, "Q209 TEMT7100X01", "1 C") == net_of(TRAY_DIAGRAM, "U2 CD74HC4067", "22 I9")


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@each_diagram
def test_no_word_lies_on_a_wire_or_on_another_word(diagram):
    drawing = Drawing(diagram)
    labels = list(drawing.labels())
    wires = [
        (min(w.x1, w.x2) - 1, min(w.y1, w.y2) - 1, max(w.x1, w.x2) + 1, max(w.y1, w.y2) + 1)
        for w in drawing.wires()
    ]
    assert [label.text for label in labels for wire in wires if overlap(label.box, wire)] == []
    assert [(a.text, b.text) for a, b in combinations(labels, 2) if overlap(a.box, b.box)] == []
    assert all(label.box[0] >= 0 and label.box[2] <= drawing.width_px for label in labels)


@each_diagram
def test_no_wire_runs_through_a_box_and_no_two_nets_share_copper(diagram):
    drawing = Drawing(diagram)
    wires = list(drawing.wires())
    for x, y, width, height in drawing.boxes():
        inside = (x + 1, y + 1, x + width - 1, y + height - 1)
        for wire in wires:
            across = (
                min(wire.x1, wire.x2),
                min(wire.y1, wire.y2),
                max(wire.x1, wire.x2),
                max(wire.y1, wire.y2),
            )
            assert not overlap(across, inside), wire
    for one, other in combinations(wires, 2):
        if one.net != other.net and one.x1 == one.x2 and other.x1 == other.x2:
            assert abs(one.x1 - other.x1) > 4 or max(one.y1, other.y1) > min(one.y2, other.y2)
        if one.net != other.net and one.y1 == one.y2 == other.y1 == other.y2:
            left = max(min(one.x1, one.x2), min(other.x1, other.x2))
            assert left > min(max(one.x1, one.x2), max(other.x1, other.x2)), (one, other)


@each_diagram
def test_the_drawing_on_the_page_is_that_of_the_table(diagram):
    assert (FOLDER / f"wiring-{diagram.name}.svg").read_text() == diagram_svg(diagram)
    pages = "".join(path.read_text() for path in sorted(FOLDER.rglob("*.md")))
    assert f"wiring-{diagram.name}.svg)" in pages
    if diagram is not TRAY_DIAGRAM:
        assert pin_table(diagram) in pages
