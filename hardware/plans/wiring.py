"""The wiring as data: parts, pins and what is joined to what. Diagrams and pin tables are made from it.

Run as `python -m hardware.plans.wiring FOLDER` to write the diagrams.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PIN_PX = 22
PART_WIDTH_PX = 150
COLUMN_PX = 330
COLOURS = {
    "5V": "#d32f2f",
    "GND": "#424242",
    "3V3": "#ef6c00",
    "data": "#1565c0",
    "clock": "#6a1b9a",
    "select": "#2e7d32",
    "level": "#00838f",
    "emitter": "#ad1457",
}


@dataclass(frozen=True, kw_only=True)
class Part:
    """A box: its pins from top to bottom on either side, drawn in a column and at a height of the diagram."""

    name: str
    column: int
    top_px: int
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Wire:
    """A wire from a right pin of one part to a left pin of another; `kind` is one of COLOURS."""

    start: tuple[str, str]
    end: tuple[str, str]
    kind: str
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class Diagram:
    """Parts and the wires between them."""

    name: str
    title: str
    parts: tuple[Part, ...]
    wires: tuple[Wire, ...]


LIGHTS = Diagram(
    name="lights",
    title="LED strip: Raspberry Pi to SK9822 through a level shifter",
    parts=(
        Part(
            name="Raspberry Pi",
            column=0,
            top_px=70,
            right=("pin 19 BCM10", "pin 23 BCM11", "pin 6 GND"),
        ),
        Part(
            name="74AHCT125",
            column=1,
            top_px=70,
            left=("2 1A", "5 2A", "7 GND", "1 1OE", "4 2OE", "14 VCC"),
            right=("3 1Y", "6 2Y"),
            note="tie 3OE, 4OE, 3A, 4A to GND or VCC",
        ),
        Part(name="SK9822 strip", column=2, top_px=70, left=("DI", "CI", "VCC", "GND")),
        Part(
            name="5 V supply, 3 A",
            column=0,
            top_px=260,
            right=("+5V", "GND"),
            note="2 A fuse in +5V",
        ),
    ),
    wires=(
        Wire(
            start=("Raspberry Pi", "pin 19 BCM10"), end=("74AHCT125", "2 1A"), kind="data", note="10k to GND"
        ),
        Wire(
            start=("Raspberry Pi", "pin 23 BCM11"), end=("74AHCT125", "5 2A"), kind="clock", note="10k to GND"
        ),
        Wire(start=("Raspberry Pi", "pin 6 GND"), end=("74AHCT125", "7 GND"), kind="GND"),
        Wire(start=("74AHCT125", "3 1Y"), end=("SK9822 strip", "DI"), kind="data", note="68R"),
        Wire(start=("74AHCT125", "6 2Y"), end=("SK9822 strip", "CI"), kind="clock", note="68R"),
        Wire(start=("5 V supply, 3 A", "+5V"), end=("74AHCT125", "14 VCC"), kind="5V", note="100n"),
        Wire(start=("5 V supply, 3 A", "+5V"), end=("SK9822 strip", "VCC"), kind="5V", note="1000u"),
        Wire(start=("5 V supply, 3 A", "GND"), end=("SK9822 strip", "GND"), kind="GND"),
        Wire(start=("5 V supply, 3 A", "GND"), end=("74AHCT125", "7 GND"), kind="GND"),
        Wire(start=("5 V supply, 3 A", "GND"), end=("74AHCT125", "1 1OE"), kind="GND"),
        Wire(start=("5 V supply, 3 A", "GND"), end=("74AHCT125", "4 2OE"), kind="GND"),
    ),
)

_SELECT = (("D2", "S0"), ("D3", "S1"), ("D4", "S2"), ("D5", "S3"))


def _multiplexer(well: int, top_px: int) -> Part:
    return Part(
        name=f"74HC4067 well {well}",
        column=1,
        top_px=top_px,
        left=("S0", "S1", "S2", "S3", "SIG", "VCC", "GND, EN"),
        right=("C0 - C8", "C9"),
        note="SIG: 10k to GND",
    )


def _sensors(well: int, top_px: int) -> Part:
    return Part(
        name=f"sensors well {well}",
        column=2,
        top_px=top_px,
        left=("3x3 grid", "2nd centre", "collectors", "emitters +", "emitters -"),
        note="10 x QRE1113; 5 pairs, 130R each",
    )


TRAY = Diagram(
    name="tray",
    title="Dice tray: Arduino Nano, two multiplexers, two wells of ten reflective sensors",
    parts=(
        Part(
            name="Arduino Nano",
            column=0,
            top_px=130,
            right=("D2", "D3", "D4", "D5", "A0", "A1", "5V", "GND", "D8", "D9"),
            note="USB to the Pi",
        ),
        _multiplexer(1, 70),
        _multiplexer(2, 300),
        Part(
            name="MOSFET Q1",
            column=1,
            top_px=530,
            left=("gate", "source"),
            right=("drain",),
            note="IRLML6244, 100k gate to GND",
        ),
        Part(
            name="MOSFET Q2",
            column=1,
            top_px=655,
            left=("gate", "source"),
            right=("drain",),
            note="IRLML6244, 100k gate to GND",
        ),
        _sensors(1, 130),
        _sensors(2, 400),
    ),
    wires=(
        *(
            Wire(start=("Arduino Nano", nano), end=(f"74HC4067 well {well}", pin), kind="select")
            for well in (1, 2)
            for nano, pin in _SELECT
        ),
        *(
            wire
            for well, analog, digital in ((1, "A0", "D8"), (2, "A1", "D9"))
            for wire in (
                Wire(start=("Arduino Nano", analog), end=(f"74HC4067 well {well}", "SIG"), kind="level"),
                Wire(start=("Arduino Nano", "5V"), end=(f"74HC4067 well {well}", "VCC"), kind="5V"),
                Wire(start=("Arduino Nano", "GND"), end=(f"74HC4067 well {well}", "GND, EN"), kind="GND"),
                Wire(
                    start=("Arduino Nano", digital),
                    end=(f"MOSFET Q{well}", "gate"),
                    kind="emitter",
                    note="100R",
                ),
                Wire(start=("Arduino Nano", "GND"), end=(f"MOSFET Q{well}", "source"), kind="GND"),
                Wire(
                    start=(f"74HC4067 well {well}", "C0 - C8"),
                    end=(f"sensors well {well}", "3x3 grid"),
                    kind="level",
                ),
                Wire(
                    start=(f"74HC4067 well {well}", "C9"),
                    end=(f"sensors well {well}", "2nd centre"),
                    kind="level",
                ),
                Wire(
                    start=(f"MOSFET Q{well}", "drain"),
                    end=(f"sensors well {well}", "emitters -"),
                    kind="emitter",
                ),
                Wire(start=("Arduino Nano", "5V"), end=(f"sensors well {well}", "collectors"), kind="5V"),
                Wire(start=("Arduino Nano", "5V"), end=(f"sensors well {well}", "emitters +"), kind="5V"),
            )
        ),
    ),
)

DIAGRAMS = (LIGHTS, TRAY)


def pin_table(diagram: Diagram) -> str:
    """A Markdown table of the wires."""
    rows = ["| from | to | what | with |", "|---|---|---|---|"]
    for wire in diagram.wires:
        (part, pin), (other, other_pin) = wire.start, wire.end
        rows.append(f"| {part} {pin} | {other} {other_pin} | {wire.kind} | {wire.note} |")
    return "\n".join(rows)


def diagram_svg(diagram: Diagram) -> str:
    """The diagram as SVG: boxes in columns, curves for wires."""
    parts = {part.name: part for part in diagram.parts}
    width = max(_left_px(part) for part in diagram.parts) + PART_WIDTH_PX + 40
    height = max(part.top_px + _height_px(part) for part in diagram.parts) + 50
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="20" y="30" font-size="16" font-weight="bold">{diagram.title}</text>',
        *(_wire_svg(wire, parts) for wire in diagram.wires),
        *(line for part in diagram.parts for line in _part_svg(part)),
        *_legend_svg(diagram, height),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _left_px(part: Part) -> int:
    return 20 + part.column * COLUMN_PX


def _height_px(part: Part) -> int:
    return 34 + PIN_PX * max(len(part.left), len(part.right)) + (16 if part.note else 0)


def _pin_px(part: Part, pin: str) -> tuple[int, int]:
    """Where a wire meets a pin."""
    on_left = pin in part.left
    row = (part.left if on_left else part.right).index(pin)
    x = _left_px(part) + (0 if on_left else PART_WIDTH_PX)
    return x, part.top_px + 40 + row * PIN_PX


def _part_svg(part: Part) -> Iterator[str]:
    x, y = _left_px(part), part.top_px
    yield (
        f'<rect x="{x}" y="{y}" width="{PART_WIDTH_PX}" height="{_height_px(part)}" rx="6" '
        f'fill="#f5f5f0" stroke="#333"/>'
    )
    middle = x + PART_WIDTH_PX // 2
    yield f'<text x="{middle}" y="{y + 18}" text-anchor="middle" font-weight="bold">{part.name}</text>'
    for pins, at, anchor in ((part.left, x + 8, "start"), (part.right, x + PART_WIDTH_PX - 8, "end")):
        for pin in pins:
            pin_x, pin_y = _pin_px(part, pin)
            yield f'<circle cx="{pin_x}" cy="{pin_y}" r="3" fill="#333"/>'
            yield f'<text x="{at}" y="{pin_y + 4}" text-anchor="{anchor}">{pin}</text>'
    if part.note:
        yield f'<text x="{x}" y="{y + _height_px(part) + 14}" font-size="11" fill="#555">{part.note}</text>'


def _wire_svg(wire: Wire, parts: dict[str, Part]) -> str:
    start, end = parts[wire.start[0]], parts[wire.end[0]]
    x1, y1 = _pin_px(start, wire.start[1])
    x2, y2 = _pin_px(end, wire.end[1])
    colour, bend = COLOURS[wire.kind], (x2 - x1) // 2
    if end.column - start.column > 1:  # past another part: as a rail that both ends name
        return _rail_svg(x2, y2, wire)
    curve = (
        f'<path d="M{x1} {y1} C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}" fill="none" '
        f'stroke="{colour}" stroke-width="1.8"/>'
    )
    note = (
        f'<text x="{x2 - 6}" y="{y2 - 5}" text-anchor="end" font-size="10" fill="{colour}">{wire.note}</text>'
    )
    return curve + (note if wire.note else "")


def _rail_svg(x: int, y: int, wire: Wire) -> str:
    label, colour = f"{wire.kind}, {wire.note}" if wire.note else wire.kind, COLOURS[wire.kind]
    return (
        f'<path d="M{x} {y} h-26" stroke="{colour}" stroke-width="1.8"/>'
        f'<text x="{x - 30}" y="{y + 4}" text-anchor="end" font-size="11" fill="{colour}">{label}</text>'
    )


def _legend_svg(diagram: Diagram, height: int) -> Iterator[str]:
    kinds = dict.fromkeys(wire.kind for wire in diagram.wires)
    for i, kind in enumerate(kinds):
        x, y = 20 + i * 90, height - 16
        yield f'<path d="M{x} {y} h24" stroke="{COLOURS[kind]}" stroke-width="3"/>'
        yield f'<text x="{x + 30}" y="{y + 4}">{kind}</text>'


def main(folder: Path) -> None:
    """Write the diagrams as wiring-NAME.svg."""
    for diagram in DIAGRAMS:
        (folder / f"wiring-{diagram.name}.svg").write_text(diagram_svg(diagram))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
