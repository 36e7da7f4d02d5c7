"""The tray's board: every part fits by its data sheet, the copper keeps its distances, the files are up to
date."""

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from hardware.tray import kicad_board, kicad_schematic, parts
from hardware.tray.layout import SPOTS, placed_pads
from hardware.tray.measures import HOLES_MM, TRAY, scad, sensor_places_mm
from hardware.tray.netlist import COMPONENTS, EMITTERS, LEVELS, SELECT, nets, problems
from tests.paths import ROOT
from tests.peers import require_peer

FOLDER = ROOT / "hardware" / "tray"
FIRMWARE = (ROOT / "firmware" / "avr" / "main.c").read_text()
BY_REF = {component.ref: component for component in COMPONENTS}


@pytest.fixture(scope="module")
def check():
    require_peer(importlib.util.find_spec("shapely"), "the Python package shapely")
    from tests.hardware.tray import copper_check

    return copper_check


def ends(net):
    return {
        (ref, next(pin.name for pin in BY_REF[ref].kind.pins if pin.number == number))
        for ref, number in nets()[net]
    }


def test_the_rules_of_the_circuit_are_kept():
    assert problems() == []


@pytest.mark.parametrize(
    ("ref", "change", "problem"),
    [
        ("Q105", {"1": "W1I5", "2": "W1I6"}, None),
        ("R1", {"1": "LIT1", "2": "nowhere"}, "nowhere has one end only"),
        ("U3", {**BY_REF["U3"].nets, "1": "LEVEL2"}, "LEVEL2 is driven by two outputs"),
        ("A1", {**BY_REF["A1"].nets, "1": "GND"}, "GND is on a pin that is to stay open"),
        ("U1", {"1": "SUM1"}, "U1.9 I0 is not joined to anything"),
    ],
)
def test_faults_of_the_circuit_are_named(ref, change, problem):
    changed = [replace(c, nets=change) if c.ref == ref else c for c in COMPONENTS]
    found = problems(tuple(changed))
    assert (found == []) if problem is None else any(line.startswith(problem) for line in found)


def test_the_board_is_joined_to_the_pins_that_the_firmware_uses():
    assert "D2 - D5  channel select" in FIRMWARE
    assert "#define SELECT_SHIFT 2" in FIRMWARE
    assert SELECT == ("D2", "D3", "D4", "D5")
    assert re.search(r"EMITTER_1 _BV\(PB0\)", FIRMWARE)
    assert re.search(r"EMITTER_2 _BV\(PB1\)", FIRMWARE)
    assert EMITTERS == ("D8", "D9")  # PB0 and PB1
    assert "A0, A1   multiplexer outputs of well 1 and well 2" in FIRMWARE
    assert LEVELS == ("A0", "A1")
    for i in range(4):
        assert ends(f"SEL{i}") == {("A1", f"D{2 + i}"), ("U1", f"S{i}"), ("U2", f"S{i}")}
    for well in (1, 2):
        assert ("A1", LEVELS[well - 1]) in ends(f"LEVEL{well}")
        assert ("A1", EMITTERS[well - 1]) in ends(f"LIT{well}")
        assert ends(f"GATE{well}") >= {(f"Q{well}", "G"), (f"R{well}", "2")}


@pytest.mark.parametrize("well", [1, 2])
def test_channel_n_of_a_multiplexer_is_the_sensor_at_place_n_of_the_grid(well):
    for i, (x, y) in enumerate(sensor_places_mm()):
        assert ends(f"W{well}I{i}") == {(f"U{well}", f"I{i}"), (f"Q{well}{i:02d}", "C")}
        spot = SPOTS[f"Q{well}{i:02d}"]
        assert (spot.x_mm - TRAY.well_middles_mm[well - 1], spot.y_mm) == pytest.approx((x, y))


def test_the_multiplexer_has_the_pins_of_its_data_sheet():
    # Texas Instruments SCHS209, figure of the terminals
    pins = {pin.number: pin.name for pin in parts.MULTIPLEXER.pins}
    wanted = {
        1: "COM",
        2: "I7",
        9: "I0",
        10: "S0",
        11: "S1",
        12: "GND",
        13: "S3",
        14: "S2",
        15: "/E",
        16: "I15",
    }
    assert {number: pins[str(number)] for number in wanted} == wanted
    assert (pins["23"], pins["24"]) == ("I8", "VCC")


def test_every_part_fits_beside_its_neighbours_by_its_data_sheet(check):
    assert check.parts_that_collide() == []


def test_sensors_at_the_pitch_of_pips_leave_room_for_a_wall_between_them(check):
    bodies = {ref: body for ref, body, _ in check.bodies() if ref[0] in "QD" and len(ref) == 4}
    nearest = min(
        body.distance(other) for ref, body in bodies.items() for name, other in bodies.items() if ref < name
    )
    assert len(bodies) == 36
    assert nearest == pytest.approx(0.45)
    assert parts.SENSOR.body_mm == (2.0, 1.25, 0.85)
    assert parts.SENSOR.body_mm[2] < TRAY.pocket_mm


def test_copper_of_different_nets_keeps_its_distance(check):
    assert check.too_close() == []


def test_every_net_is_one_piece_of_copper(check):
    assert check.not_one_piece() == []


def test_copper_keeps_away_from_edges_and_holes(check):
    assert check.too_near_an_edge() == []
    assert check.holes_too_close() == []
    assert len(HOLES_MM) == 6


def test_a_net_without_its_tracks_is_found(check, monkeypatch):
    tracks, vias = check.read_copper()
    left = [track for track in tracks if track.net != "GATE1"]
    monkeypatch.setattr(check, "read_copper", lambda: (left, vias))
    assert check.not_one_piece() == ["GATE1"]


def test_a_track_on_foreign_copper_is_found(check, monkeypatch):
    tracks, vias = check.read_copper()
    strayed = [replace(track, net="VREF") if track.net == "GATE1" else track for track in tracks]
    monkeypatch.setattr(check, "read_copper", lambda: (strayed, vias))
    assert any("VREF" in fault and "GATE1" in fault for fault in check.too_close())


def test_the_kicad_files_are_those_that_the_tables_give():
    for name, text in kicad_board.files().items():
        assert (FOLDER / name).read_text() == text, f"run python -m hardware.tray.kicad_board for {name}"
    assert (FOLDER / "tray.kicad_sch").read_text() == kicad_schematic.schematic_text()
    assert (FOLDER / "measures.scad").read_text() == scad()


def test_the_bill_of_the_board_names_every_part_in_its_number():
    rows = (FOLDER / "tray-bom.csv").read_text().splitlines()[1:]
    assert sum(int(row.split(",")[-1]) for row in rows) == sum(bool(c.kind.maker) for c in COMPONENTS)
    assert any(row.startswith("TEMT7100X01,") and row.endswith(",TEMT7100X01,20") for row in rows)


def test_the_placement_file_names_every_soldered_chip_once():
    rows = (FOLDER / "tray-placement.csv").read_text().splitlines()[1:]
    wanted = {c.ref for c in COMPONENTS if c.kind.maker and c.kind is not parts.NANO}
    assert sorted(row.split(",")[0] for row in rows) == sorted(wanted)
    assert len({pad.ref for pad in placed_pads()}) == len(COMPONENTS)


def kicad_says(*command, folder):
    """What KiCad's command line writes into its report."""
    report = folder / "report.txt"
    subprocess.run(
        ["kicad-cli", *command[:2], "--severity-all", *command[2:-1], "-o", str(report), command[-1]],
        check=True,
        capture_output=True,
        cwd=FOLDER,
        timeout=120,
    )
    return report.read_text()


def kicad_can_check():
    """KiCad 8 brought checks to the command line; Debian 12 has KiCad 6."""
    if shutil.which("kicad-cli") is None:
        return False
    version = subprocess.run(["kicad-cli", "version"], capture_output=True, text=True, check=True).stdout
    return int(version.split(".")[0]) >= 8


@pytest.mark.skipif(
    not kicad_can_check(), reason="needs KiCad 8 or later; copper_check.py is the second opinion"
)
def test_kicad_finds_no_fault_in_circuit_and_board(tmp_path):
    assert "ERC messages: 0" in kicad_says("sch", "erc", "tray.kicad_sch", folder=tmp_path)
    report = kicad_says("pcb", "drc", "--schematic-parity", "tray.kicad_pcb", folder=tmp_path)
    assert "Found 0 DRC violations" in report
    assert "Found 0 unconnected pads" in report
    assert "Found 0 Footprint errors" in report


def debian_has_pcbnew():
    """Debian's KiCad brings a module for Debian's own Python; KiCad 6, of Debian 12, has no other check."""
    if shutil.which("/usr/bin/python3") is None:
        return False
    found = subprocess.run(["/usr/bin/python3", "-c", "import pcbnew"], capture_output=True, check=False)
    return found.returncode == 0


def test_pcbnew_finds_no_fault_in_the_board(tmp_path):
    if not debian_has_pcbnew():
        if "BLOTLIGHT_PROOF" in os.environ:
            require_peer(False, "Debian's package kicad")
        pytest.skip("needs Debian's package kicad; copper_check.py is the second opinion")
    report = tmp_path / "report.txt"
    script = (
        f"import pcbnew; board = pcbnew.LoadBoard({str(FOLDER / 'tray.kicad_pcb')!r}); "
        f"pcbnew.WriteDRCReport(board, {str(report)!r}, pcbnew.EDA_UNITS_MILLIMETRES, True)"
    )
    subprocess.run(["/usr/bin/python3", "-c", script], check=True, capture_output=True, timeout=120)
    text = report.read_text()
    assert "Found 0 DRC violations" in text
    assert "Found 0 unconnected pads" in text
    assert "Found 0 Footprint errors" in text
