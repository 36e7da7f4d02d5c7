"""The building pages say what the code says, and list what is used, no more and no less."""

import re
from collections import Counter

import pytest

from hardware.apa102 import MA_IDLE, MA_PER_CHANNEL, StripLights
from hardware.light_port import N_LIGHTS
from hardware.plans.bill import BILL, PRICED_ON, PartsList, bill_table, source_list, total_euro, totals_table
from hardware.plans.build_steps import STEPS
from hardware.plans.cables import cables, camera_height_mm
from hardware.plans.camera_stand import LENSES, stand_table
from hardware.plans.printed_parts import PARTS
from hardware.plans.rails import Rails
from hardware.plans.wiring import LIGHTS, POWER
from hardware.tray import parts
from hardware.tray.layout import CLEARANCE_MM, TRACK_MM, VIA_HOLE_MM
from hardware.tray.measures import BOARD_X_MM, BOARD_Y_MM, FRONT_HOLES_MM, REAR_HOLES_MM
from hardware.tray.netlist import COMPONENTS, LED_MA, N_STRINGS, REFERENCE_V, continuity
from hardware.tray.optics import Well, paper_rise_v
from tests.paths import ROOT

FOLDER = ROOT / "hardware"
PAGE = (FOLDER / "BUILDING.md").read_text()
TRAY_PAGE = (FOLDER / "tray" / "README.md").read_text()
COMMISSIONING = (FOLDER / "COMMISSIONING.md").read_text()
PAGES = sorted(FOLDER.rglob("*.md"))

USED_AS = {
    "header, 2 x 20 pins": "header",
    "jumper wire with a female end": "jumper wires",
    "perforated board, 50 x 70 mm": "perforated board",
    "fuse 2 A, 5 x 20 mm, slow": "fuse",
    "fuse holder for a cable": "fuse",
    "socket, DIP-14": "socket",
    "socket 5.5 x 2.1 mm with screw terminals": "socket with screw terminals",
    "screw terminals, 6 ways, 5.08 mm": "screw terminals",
    "5 V supply, 3 A, plug 5.5 x 2.1 mm": "supply's plug",
    "74AHCT125, DIP-14": "74AHCT125",
    "SK9822 or APA102 strip, 1 m, with adhesive back": "strip",
    "patch cable, Cat 5e, stranded, 2 m": "patch cable",
    "wire 0.25 mm2, red and black, 5 m each": "red for 5 V, black for GND",
    "thin wire, two colours, 3 m each": "thin wire",
    "heat-shrink tube, assorted": "heat-shrink tube",
    "rail: plywood 3 x 16 mm, or channel strip with a milky cover, 60 cm": "channel strips",
    "hook-and-loop strap, 20 cm": "strap",
    "resistor 100 ohm, 0.25 W": "R1 and R2",
    "resistor 10 kohm, 0.25 W": "10 kohm resistors",
    "resistor 68 ohm, 0.25 W": "68 ohm",
    "capacitor 100 nF, 2.5 or 5 mm pitch": "both capacitors",
    "capacitor 1000 uF, 10 V": "both capacitors",
    "microSD card, 32 GB, endurance": "microSD card",
    "Pi supply, micro-USB, 5.1 V 2.5 A, cable 1.5 m": "Pi's supply",
    "camera ribbon, 22 to 15 ways, 20 cm": "camera ribbon",
    "overhead arm with table clamp and 1/4 inch screw": "overhead arm",
    "camera plate, printed, 40 g": "camera plate",
    "screw M2 x 10 with nut and 3 mm spacer": "M2 screws",
    "screw M2.5 x 12 with nut and 3 mm spacer": "M2.5 screws",
    "tray board, 92 x 66 mm, two layers (the least order is some five pieces)": "Order the board",
    "Arduino Nano (ATmega328P, 5 V, 16 MHz) with its two pin headers": "two pin headers",
    "pane of clear acrylic, 24 x 24 x 2 mm": "panes",
    "printed parts of the tray, 230 g, and two thirds of it black": "No part needs supports",
    "screw M3 x 20, cylinder head": "M3 x 20",
    "screw M3 x 8, cylinder head": "M3 x 8",
    "USB cable, A to mini-B, 3 m": "USB cable",
    "adapter, micro-USB to USB-A socket (Pi Zero only)": "adapter",
    "die, 16 mm, white with black pips": "white or light, black pips",
    "ESP32 board with micro-USB": "ESP32",
    "USB cable, A to micro-B, 1 m": "USB",
    "GoDice or Pixels die": "GoDice or Pixels",
    "CD74HC4067, SOIC-24": "CD74HC4067",
    "MCP6002, SOIC-8": "MCP6002",
    "phototransistor TEMT7100X01": "TEMT7100X01",
    "infra-red LED VSMY1850": "VSMY1850",
    "MOSFET IRLML6244": "IRLML6244",
}
"""How the pages call a listed part, where they do not use the words of the list."""


def without_lists(text):
    """The page without the lists of parts: what it uses."""
    return re.sub(r"\| part \| number .*?\n\n", "", text + "\n\n", flags=re.DOTALL)


def words_of(step):
    bridge = (FOLDER.parent / "firmware" / "bridge" / "README.md").read_text()
    chapter = PAGE.split(f"## {step.value}\n")[1].split("\n## ")[0]
    more = {
        PartsList.TRAY: TRAY_PAGE,
        PartsList.BLUETOOTH: bridge,
        PartsList.LIGHTS: "",
        PartsList.CAMERA: "",
    }[step]
    return without_lists(chapter) + more + COMMISSIONING


def test_the_page_shows_the_lists_with_totals_and_date():
    for step in PartsList:
        assert bill_table(step) in PAGE
        assert f"{total_euro(BILL[step]):.0f}" in bill_table(step).splitlines()[-1]
    assert totals_table() in PAGE
    assert source_list() in PAGE
    assert PRICED_ON in totals_table() + bill_table(PartsList.CAMERA)


@pytest.mark.parametrize("step", PartsList, ids=lambda step: step.name)
def test_everything_listed_has_two_kinds_of_supplier_and_is_used(step):
    for item in BILL[step]:
        assert len(set(item.sources)) >= 2, item.word
        assert item.pieces > 0
        assert item.euro > 0
        used = USED_AS.get(item.word, item.word.removesuffix(", 0805").removesuffix(", 1206"))
        netted = any(component.kind.name == used for component in COMPONENTS)
        assert (step is PartsList.TRAY and netted) or used.lower() in words_of(step).lower(), item.word


def pieces_of(step, start):
    return sum(item.pieces for item in BILL[step] if item.word.startswith(start))


def test_the_list_of_the_tray_has_every_part_of_the_board():
    spare = {"22 kohm": 2, "100 kohm": 2}  # to adjust R3 and R4
    used = Counter(component.kind for component in COMPONENTS if component.kind is not parts.TEST_PAD)
    listed = {item.word: item.pieces for item in BILL[PartsList.TRAY]}
    for kind, pieces in used.items():
        matching = [word for word in listed if re.search(rf"(^|\s){re.escape(kind.name)}\b", word)]
        assert len(matching) == 1, kind.name
        assert listed[matching[0]] == pieces + spare.get(kind.name, 0), kind.name
    assert pieces_of(PartsList.TRAY, "screw M3 x 20") == len(FRONT_HOLES_MM)
    assert pieces_of(PartsList.TRAY, "screw M3 x 8") == len(REAR_HOLES_MM)


def test_the_list_of_the_lights_has_every_part_of_the_drawings():
    drawn = Counter(re.sub(r"^\w+ ", "", part.name) for part in LIGHTS.parts)
    for name, word in (
        ("100 ohm", "resistor 100 ohm"),
        ("10 kohm", "resistor 10 kohm"),
        ("68 ohm", "resistor 68 ohm"),
        ("74AHCT125", "74AHCT125"),
        ("100 nF", "capacitor 100 nF"),
    ):
        assert pieces_of(PartsList.LIGHTS, word) == drawn[name], name
    power = Counter(re.sub(r"^\w+ ", "", part.name) for part in POWER.parts)
    assert pieces_of(PartsList.LIGHTS, "fuse 2 A") == power["fuse 2 A"] == 1
    assert (
        pieces_of(PartsList.LIGHTS, "screw terminals, 6") == power["terminals +5V"] + power["terminals GND"]
    )
    assert pieces_of(PartsList.LIGHTS, "capacitor 1000 uF") == power["1000 uF"]
    assert pieces_of(PartsList.LIGHTS, "jumper wire") == len(LIGHTS.parts[0].pins)


def test_the_listed_lengths_are_enough_for_a_tournament_board():
    length_m = Counter()
    bought_m = {}
    rails = Rails(field_mm=(530, 500), bar_mm=44)
    for cable in cables(rails, camera_height_mm(rails)):
        length_m[cable.name] += cable.length_mm / 1000
        bought_m[cable.name, cable.way] = cable.buy_mm / 1000
    listed = " ".join(item.word for items in BILL.values() for item in items)
    assert "patch cable, Cat 5e, stranded, 2 m" in listed
    assert max(long for (name, _), long in bought_m.items() if name == "patch cable") == 2
    assert "USB cable, A to mini-B, 3 m" in listed
    assert max(long for (name, _), long in bought_m.items() if name == "USB cable") == 3
    assert "camera ribbon, 22 to 15 ways, 20 cm" in listed
    assert max(long for (name, _), long in bought_m.items() if name == "camera ribbon") <= 0.2
    assert "red and black, 5 m each" in listed
    assert length_m["wire 0.25 mm2, red"] + length_m["wire 0.25 mm2, red and black"] < 5
    assert "two colours, 3 m each" in listed
    assert length_m["thin wire"] / 2 < 3


def test_the_page_shows_the_table_of_camera_heights():
    assert stand_table() in PAGE
    for kind in ("Camera Module 3", "Camera Module 3 Wide", "HQ Camera", "USB camera"):
        assert any(lens.name.startswith(kind) for lens in LENSES)


def test_the_power_budget_is_that_of_the_driver_and_the_tray():
    full_ma = N_LIGHTS * (MA_IDLE + 3 * MA_PER_CHANNEL)
    cap_ma = StripLights.__init__.__kwdefaults__["max_ma"]
    well_ma = N_STRINGS * LED_MA
    assert f"all white without a cap | {full_ma:.0f} |" in PAGE
    assert f"as capped by the setting | {cap_ma:.0f} |" in PAGE
    assert f"LEDs, while lit | {well_ma:.0f} |" in PAGE
    assert f"({1200 + 40 + well_ma:.0f} mA together" in PAGE
    assert full_ma < 2000  # the fuse


def test_the_tray_page_shows_nets_printed_parts_and_the_rules_of_the_board():
    assert continuity() in (FOLDER / "tray" / "CHECKLIST.md").read_text()
    for part in PARTS:
        lies = "upside down" if part.upside_down else "as it is"
        if part.folder == "tray":
            assert f"| {part.name} | {lies} | {part.note} |" in TRAY_PAGE
    width, depth = BOARD_X_MM[1] - BOARD_X_MM[0], BOARD_Y_MM[1] - BOARD_Y_MM[0]
    assert f"{width:.0f} x {depth:.0f} mm" in TRAY_PAGE
    assert f"{TRACK_MM:g} and {CLEARANCE_MM:g} mm, least hole {VIA_HOLE_MM:g} mm" in " ".join(
        TRAY_PAGE.split()
    )
    for kind in (parts.SENSOR, parts.EMITTER):
        assert " x ".join(f"{size:g}" for size in kind.body_mm).replace("2 x", "2.0 x", 1) in TRAY_PAGE


def test_what_to_measure_is_what_the_circuit_gives():
    assert f"| {REFERENCE_V:.2f} V, at most 0.05 off |" in COMMISSIONING
    assert f"{paper_rise_v(Well()):.2f} V more; between 0.2 and 1.0 V" in COMMISSIONING
    for part, ohms in (("R3", "10 kohm"), ("R5", "68 ohm"), ("R1", "100 ohm")):
        assert f"{ohms}: {part}" in COMMISSIONING
        assert any(each.name == f"{part} {ohms}" for each in LIGHTS.parts)


def test_the_doctor_knows_the_steps_of_the_page():
    assert [step.name for step in STEPS] == [step.value.split(":")[0].split(",")[0] for step in PartsList][:3]
    for step in STEPS:
        assert f"\n## {step.name}: " in PAGE
        assert f"\n## {step.name}: " in COMMISSIONING


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    links = re.findall(r"\]\(([^)#]+)", page.read_text())
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_chapters_that_are_linked_are_there(page):
    for target, chapter in re.findall(r"\]\(([^)#]*)#([^)]+)\)", page.read_text()):
        text = (page.parent / target if target else page).read_text()
        heads = [
            re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
            for head in re.findall(r"^#+ (.*)$", text, re.M)
        ]
        assert chapter in heads


def test_commands_on_the_page_are_modules_that_run():
    for page in PAGES:
        for module in re.findall(r"python -m ([\w.]+)", page.read_text()):
            path = FOLDER.parent / (module.replace(".", "/") + ".py")
            assert "__main__" in path.read_text(), module
