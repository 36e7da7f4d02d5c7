"""The files for the board maker hold the same copper and holes as the board's tables."""

import re
from collections import Counter

import pytest

from hardware.tray.fabrication import FAB_FOLDER, drawn_from
from hardware.tray.kicad_board import SHEET_X_MM, SHEET_Y_MM
from hardware.tray.layout import VIA_HOLE_MM, VIA_MM, placed_pads, read_copper
from hardware.tray.measures import BOARD_X_MM, BOARD_Y_MM, HOLES_MM, PEG_HOLE_MM, PEGS_MM


def on_board(x_mm, y_mm):
    """A place of a KiCad file in the board's own measures."""
    return round(x_mm - SHEET_X_MM, 3) + 0.0, round(SHEET_Y_MM + y_mm, 3) + 0.0


def gerber(name):
    """Flashes as (place, aperture) and strokes as (start, end) of a gerber file."""
    text = (FAB_FOLDER / name).read_text()
    assert "%FSLAX46Y46*%" in text
    assert "%MOMM*%" in text
    apertures = dict(re.findall(r"%ADD(\d+)([A-Z],[\d.X]+)", text))
    flashes, strokes, at, aperture = [], [], None, ""
    for line in text.splitlines():
        if chosen := re.fullmatch(r"D(\d+)\*", line):
            aperture = apertures.get(chosen[1], "")
        elif step := re.fullmatch(r"X(-?\d+)Y(-?\d+)D0([123])\*", line):
            place = on_board(int(step[1]) / 1e6, int(step[2]) / 1e6)
            if step[3] == "3":
                flashes.append((place, aperture))
            elif step[3] == "1":
                strokes.append((at, place))
            at = place
    return flashes, strokes


def aperture_mm(text):
    shape, sizes = text.split(",")
    numbers = [float(size) for size in sizes.split("X")]
    return shape, (numbers * 2)[:2]


def test_the_files_were_made_from_the_board_as_it_is():
    assert (FAB_FOLDER / "made-from.txt").read_text() == drawn_from(), (
        "run python -m hardware.tray.fabrication with KiCad 8 or later"
    )


def places(items):
    return Counter((round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in items)


@pytest.mark.parametrize(("name", "layer"), [("tray-F_Cu.gtl", 0), ("tray-B_Cu.gbl", 1)])
def test_every_pad_and_via_is_flashed_and_every_track_drawn(name, layer):
    tracks, vias = read_copper()
    pads = [pad for pad in placed_pads() if layer == 0 or pad.hole_mm]
    flashes, strokes = gerber(name)
    assert places(place for place, _ in flashes) == places(
        [pad.middle_mm for pad in pads] + [via.middle_mm for via in vias]
    )
    sizes = {place: aperture_mm(aperture) for place, aperture in flashes}
    for pad in pads:
        assert sizes[places([pad.middle_mm]).most_common()[0][0]][1] == pytest.approx(list(pad.size_mm))
    for via in vias:
        assert sizes[via.middle_mm] == ("C", pytest.approx([VIA_MM, VIA_MM]))
    wanted = Counter(frozenset((track.start_mm, track.end_mm)) for track in tracks if track.layer == layer)
    assert Counter(frozenset(stroke) for stroke in strokes) == wanted


def test_the_mask_is_open_over_every_pad():
    flashes, _ = gerber("tray-F_Mask.gts")
    opened = places(place for place, _ in flashes)
    assert not places(pad.middle_mm for pad in placed_pads()) - opened


def test_every_hole_is_drilled_once_in_its_width():
    text = (FAB_FOLDER / "tray.drl").read_text()
    widths = {number: float(width) for number, width in re.findall(r"^T(\d+)C([\d.]+)$", text, re.M)}
    drilled, tool = [], ""
    for line in text.splitlines():
        if chosen := re.fullmatch(r"T(\d+)", line):
            tool = chosen[1]
        elif hole := re.fullmatch(r"X(-?[\d.]+)Y(-?[\d.]+)", line):
            drilled.append((on_board(float(hole[1]), float(hole[2])), widths[tool]))
    wanted = [(pad.middle_mm, pad.hole_mm) for pad in placed_pads() if pad.hole_mm]
    wanted += [(via.middle_mm, VIA_HOLE_MM) for via in read_copper()[1]]
    wanted += [(place, 3.2) for place in HOLES_MM] + [(place, PEG_HOLE_MM) for place in PEGS_MM]
    rounded = Counter(((round(x, 2) + 0.0, round(y, 2) + 0.0), width) for (x, y), width in wanted)
    assert Counter(((round(x, 2) + 0.0, round(y, 2) + 0.0), width) for (x, y), width in drilled) == rounded


def test_the_outline_is_the_boards():
    _, strokes = gerber("tray-Edge_Cuts.gm1")
    corners = {corner for stroke in strokes for corner in stroke}
    assert corners == {(x, y) for x in BOARD_X_MM for y in BOARD_Y_MM}
