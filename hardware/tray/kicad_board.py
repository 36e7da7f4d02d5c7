"""The tray's board as KiCad files. Run as `python -m hardware.tray.kicad_board` to write tray.kicad_pcb,
tray.kicad_pro, and the placement and parts lists as CSV.

The files are made from the netlist, the layout and the tracks. Change those, not the files. The format is
that of KiCad 6, which every later KiCad opens.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from hardware.tray.layout import (
    CLEARANCE_MM,
    EDGE_MM,
    SPOTS,
    TRACK_MM,
    VIA_HOLE_MM,
    VIA_MM,
    Spot,
    read_copper,
)
from hardware.tray.measures import BOARD_X_MM, BOARD_Y_MM, HOLES_MM, PEG_HOLE_MM, PEGS_MM, TRAY
from hardware.tray.netlist import COMPONENTS, Component, nets
from hardware.tray.parts import EMITTER, NANO, SENSOR, TEST_PAD, Pad

FOLDER = Path(__file__).parent
SHEET_X_MM, SHEET_Y_MM = 100.0, 120.0
"""The origin's place on KiCad's sheet, whose y grows downwards."""
SCREW_HOLE_MM = 3.2
QUIET = (
    "lib_footprint_issues",
    "lib_footprint_mismatch",
    "lib_symbol_issues",
    "lib_symbol_mismatch",
    "footprint_link_issues",
)
"""Checks to ignore: they compare with KiCad's libraries, but the parts are defined in these files."""


def identity(*words: object) -> str:
    """A UUID for the thing with this name, the same each time."""
    return str(uuid5(NAMESPACE_URL, "blotlight/tray/" + "/".join(map(str, words))))


def board_text() -> str:
    """The text of the .kicad_pcb file."""
    numbers = {"": 0} | {net: i for i, net in enumerate([*sorted(nets()), *_open_nets()], 1)}
    lines = [
        "(kicad_pcb (version 20211014) (generator blotlight)",
        f"  (general (thickness {TRAY.board_mm:g}))",
        '  (paper "A4")',
        '  (title_block (title "Blotlight dice tray") (rev "1"))',
        *_layers(),
        "  (setup (pad_to_mask_clearance 0.05))",
        *(f'  (net {number} "{net}")' for net, number in numbers.items()),
        *(line for component in COMPONENTS for line in _footprint(component, numbers)),
        *_holes(),
        *_outline(),
        *_words(),
        *_copper(numbers),
        ")",
    ]
    return "\n".join(lines) + "\n"


def project_text() -> str:
    """The text of the .kicad_pro file: the rules by which KiCad checks the board."""
    rules = {
        "min_clearance": CLEARANCE_MM,
        "min_copper_edge_clearance": EDGE_MM,
        "min_track_width": TRACK_MM,
        "min_via_diameter": VIA_MM,
        "min_through_hole_diameter": VIA_HOLE_MM,
        "min_hole_to_hole": 0.25,
        "min_hole_clearance": 0.25,
    }
    quiet = dict.fromkeys(QUIET, "ignore")
    net_class = {
        "name": "Default",
        "clearance": CLEARANCE_MM,
        "track_width": TRACK_MM,
        "via_diameter": VIA_MM,
        "via_drill": VIA_HOLE_MM,
    }
    project = {
        "board": {"design_settings": {"rules": rules, "rule_severities": quiet}},
        "erc": {"rule_severities": quiet},
        "meta": {"filename": "tray.kicad_pro", "version": 1},
        "net_settings": {"classes": [net_class], "meta": {"version": 2}},
    }
    return json.dumps(project, indent=2) + "\n"


def placement_text() -> str:
    """The placement file that board makers ask for: middle and rotation of every surface-mounted part."""
    rows = ["Designator,Value,Package,Mid X,Mid Y,Rotation,Layer"]
    for component in COMPONENTS:
        if component.kind.maker and not component.kind.pads[0].hole_mm:
            spot = SPOTS[component.ref]
            rows.append(
                f"{component.ref},{component.value},{component.kind.footprint},"
                f"{spot.x_mm - BOARD_X_MM[0]:.3f},{spot.y_mm - BOARD_Y_MM[0]:.3f},{90 * spot.quarters},top"
            )
    return "\n".join(rows) + "\n"


def _open_net(component: Component, number: str) -> str:
    """KiCad's name for the net of a pin that is left open."""
    name = component.kind.pin(number).name.replace("/", "{slash}")
    return f"unconnected-({component.ref}-{name}-Pad{number})"


def _open_nets() -> Iterator[str]:
    for component in COMPONENTS:
        for pin in component.kind.pins:
            if pin.number not in component.nets:
                yield _open_net(component, pin.number)


def bill_text() -> str:
    """The list of parts that board makers ask for: each kind once, with all its references."""
    rows = ["Comment,Designator,Footprint,Manufacturer,Manufacturer Part Number,Quantity"]
    for kind in dict.fromkeys(component.kind for component in COMPONENTS if component.kind.maker):
        refs = [component.ref for component in COMPONENTS if component.kind is kind]
        number = kind.number.replace(",", ";")
        rows.append(f'{kind.name},"{",".join(refs)}",{kind.footprint},{kind.maker},{number},{len(refs)}')
    return "\n".join(rows) + "\n"


def _layers() -> Iterator[str]:
    yield '  (layers (0 "F.Cu" signal) (31 "B.Cu" signal)'
    for number, name in (
        (34, "B.Paste"), (35, "F.Paste"), (36, "B.SilkS"), (37, "F.SilkS"), (38, "B.Mask"), (39, "F.Mask"),
        (44, "Edge.Cuts"), (46, "B.CrtYd"), (47, "F.CrtYd"), (48, "B.Fab"), (49, "F.Fab"),
    ):  # fmt: skip
        yield f'    ({number} "{name}" user)'
    yield "  )"


def sheet(x_mm: float, y_mm: float) -> str:
    """The coordinates of a place of the board on KiCad's sheet."""
    return f"{_round(SHEET_X_MM + x_mm)} {_round(SHEET_Y_MM - y_mm)}"


def _round(value: float) -> str:
    return f"{round(value, 4) + 0.0:g}"


def _footprint(component: Component, numbers: dict[str, int]) -> Iterator[str]:
    spot, kind = SPOTS[component.ref], component.kind
    through = any(pad.hole_mm for pad in kind.pads)
    attribute = "through_hole" if through else "smd"
    if kind is TEST_PAD:
        attribute += " exclude_from_pos_files exclude_from_bom"
    yield (f'  (footprint "blotlight:{kind.footprint}" (layer "F.Cu") (tstamp {identity(component.ref)})')
    yield f"    (at {sheet(spot.x_mm, spot.y_mm)} {90 * spot.quarters})"
    yield f'    (path "/{identity("symbol", component.ref)}")'
    yield f"    (attr {attribute})"
    yield from _texts(component, spot)
    length, width, _ = kind.body_mm
    yield _rectangle("F.Fab", length, width, 0.1, identity(component.ref, "fab"))
    if kind not in (SENSOR, EMITTER, TEST_PAD) and not through and len(kind.pads) > 2:
        yield _pin_one_mark(kind.pads[0], component.ref)
    wide = max(abs(pad.x_mm) + pad.size_mm[0] / 2 for pad in kind.pads)
    high = max(abs(pad.y_mm) + pad.size_mm[1] / 2 for pad in kind.pads)
    yard = (2 * max(wide, length / 2) + 0.2, 2 * max(high, width / 2) + 0.2)
    yield _rectangle("F.CrtYd", *yard, 0.05, identity(component.ref, "yard"))
    for pad in kind.pads:
        yield _pad(component, pad, spot, numbers)
    yield "  )"


def _texts(component: Component, spot: Spot) -> Iterator[str]:
    crowded = component.kind in (SENSOR, EMITTER)
    inside = crowded or component.kind is NANO
    layer = "F.Fab" if crowded else "F.SilkS"
    size = 0.5 if crowded else 0.8
    _, width, _ = component.kind.body_mm
    high = max(abs(pad.y_mm) + pad.size_mm[1] / 2 for pad in component.kind.pads)
    place = "0 0" if inside else f"0 {_round(-max(width / 2, high) - 0.75)}"
    turn = 90 * spot.quarters
    font = f"(effects (font (size {size} {size}) (thickness {size * 0.15:g})))"
    yield f'    (fp_text reference "{component.ref}" (at {place} {turn}) (layer "{layer}") {font}'
    yield f"      (tstamp {identity(component.ref, 'reference')}))"
    yield f'    (fp_text value "{component.value}" (at 0 0 {turn}) (layer "F.Fab") hide {font}'
    yield f"      (tstamp {identity(component.ref, 'value')}))"


def _rectangle(layer: str, length: float, width: float, line: float, name: str) -> str:
    x, y = _round(length / 2), _round(width / 2)
    return (
        f'    (fp_rect (start -{x} -{y}) (end {x} {y}) (layer "{layer}") (width {line:g}) (fill none) '
        f"(tstamp {name}))"
    )


def _pin_one_mark(pad: Pad, ref: str) -> str:
    x, y = pad.x_mm - pad.size_mm[0] / 2 - 0.45, -pad.y_mm
    return (
        f"    (fp_circle (center {_round(x)} {_round(y)}) (end {_round(x + 0.2)} {_round(y)}) "
        f'(layer "F.SilkS") (width 0.15) (fill solid) (tstamp {identity(ref, "mark")}))'
    )


def _pad(component: Component, pad: Pad, spot: Spot, numbers: dict[str, int]) -> str:
    net = component.nets.get(pad.number) or _open_net(component, pad.number)
    joined = f' (net {numbers[net]} "{net}")'
    width, height = pad.size_mm
    if pad.hole_mm:
        shape = "rect" if pad.number == "1" else "circle"
        form = f"thru_hole {shape}"
        layers = f'(drill {pad.hole_mm:g}) (layers "*.Cu" "*.Mask")'
    else:
        form = "smd rect"
        paste = "" if component.kind is TEST_PAD else ' "F.Paste"'
        layers = f'(layers "F.Cu"{paste} "F.Mask")'
    return (
        f'    (pad "{pad.number}" {form} (at {_round(pad.x_mm)} {_round(-pad.y_mm)} {90 * spot.quarters}) '
        f"(size {width:g} {height:g}) {layers}{joined} (tstamp {identity(component.ref, 'pad', pad.number)}))"
    )


def _holes() -> Iterator[str]:
    for name, places, drill in (("H", HOLES_MM, SCREW_HOLE_MM), ("PEG", PEGS_MM, PEG_HOLE_MM)):
        for i, (x, y) in enumerate(places, 1):
            ref = f"{name}{i}"
            yield f'  (footprint "blotlight:hole" (layer "F.Cu") (tstamp {identity(ref)})'
            yield f"    (at {sheet(x, y)})"
            yield "    (attr exclude_from_pos_files exclude_from_bom board_only)"
            font = "(effects (font (size 0.8 0.8) (thickness 0.12)))"
            for what in (f'reference "{ref}"', f'value "{drill:g} mm"'):
                kind = what.split()[0]
                yield f'    (fp_text {what} (at 0 0) (layer "F.Fab") hide {font}'
                yield f"      (tstamp {identity(ref, kind)}))"
            yield (
                f'    (pad "" np_thru_hole circle (at 0 0) (size {drill:g} {drill:g}) (drill {drill:g}) '
                f'(layers "*.Cu" "*.Mask") (tstamp {identity(ref, "pad")}))'
            )
            yield "  )"


def _outline() -> Iterator[str]:
    (left, right), (front, rear) = BOARD_X_MM, BOARD_Y_MM
    yield (
        f"  (gr_rect (start {sheet(left, front)}) (end {sheet(right, rear)}) "
        f'(layer "Edge.Cuts") (width 0.1) (fill none) (tstamp {identity("outline")}))'
    )


def _words() -> Iterator[str]:
    tests = ("GND", "5V", "VREF", "LEVEL1", "LEVEL2")
    words = [(SPOTS[f"TP{i}"].x_mm, SPOTS[f"TP{i}"].y_mm - 2.2, text) for i, text in enumerate(tests, 1)]
    words += [
        (-20.0, -11.5, "WELL 1"),
        (20.0, -11.5, "WELL 2"),
        (-27.0, 47.0, "Blotlight dice tray, rev 1"),
        (33.0, 50.7, "USB >"),
    ]
    for x, y, text in words:
        yield (
            f'  (gr_text "{text}" (at {sheet(x, y)}) (layer "F.SilkS") (tstamp {identity("word", text)}) '
            "(effects (font (size 1 1) (thickness 0.15))))"
        )


def _copper(numbers: dict[str, int]) -> Iterator[str]:
    tracks, vias = read_copper()
    for i, track in enumerate(tracks):
        layer = ("F.Cu", "B.Cu")[track.layer]
        yield (
            f"  (segment (start {sheet(*track.start_mm)}) (end {sheet(*track.end_mm)}) (width {TRACK_MM:g}) "
            f'(layer "{layer}") (net {numbers[track.net]}) (tstamp {identity("track", i)}))'
        )
    for i, via in enumerate(vias):
        yield (
            f"  (via (at {sheet(*via.middle_mm)}) (size {VIA_MM:g}) (drill {VIA_HOLE_MM:g}) "
            f'(layers "F.Cu" "B.Cu") (net {numbers[via.net]}) (tstamp {identity("via", i)}))'
        )


def files() -> dict[str, str]:
    """The text of every file of the board, by file name."""
    return {
        "tray.kicad_pcb": board_text(),
        "tray.kicad_pro": project_text(),
        "tray-placement.csv": placement_text(),
        "tray-bom.csv": bill_text(),
    }


if __name__ == "__main__":
    for name, text in files().items():
        (FOLDER / name).write_text(text)
