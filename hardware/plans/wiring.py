"""The wiring as data: parts, their numbered pins, and nets that join them.

The drawings, the tables of pins and the check list for the multimeter are made from these tables. Run
`python -m hardware.plans.wiring_drawing FOLDER` to write the drawings. The tray's board is taken from
hardware/tray/netlist.py.
"""

from dataclasses import dataclass

from hardware.apa102 import CLOCK_BCM, DATA_BCM
from hardware.tray.netlist import COMPONENTS
from hardware.tray.parts import TEST_PAD, Role

HEADER_PINS = {DATA_BCM: 19, CLOCK_BCM: 23}
"""Pin numbers on the Pi's header, by BCM number."""
COLOURS = {
    "5V": "#d32f2f",
    "GND": "#424242",
    "data": "#1565c0",
    "clock": "#6a1b9a",
    "select": "#2e7d32",
    "level": "#00838f",
    "light": "#ad1457",
}


@dataclass(frozen=True, kw_only=True)
class Part:
    """A box of the drawing. left, right: its pins on each side from the top, each with its number first."""

    name: str
    column: int
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    note: str = ""

    @property
    def pins(self) -> tuple[str, ...]:
        """All pins."""
        return self.left + self.right


@dataclass(frozen=True, kw_only=True)
class Net:
    """Joined pins, as (part, pin). tagged: drawn as a name at each pin instead of as wires."""

    name: str
    kind: str
    pins: tuple[tuple[str, str], ...]
    tagged: bool = False


@dataclass(frozen=True, kw_only=True)
class Diagram:
    """Parts, the nets between them, and pins that are left open on purpose."""

    name: str
    title: str
    parts: tuple[Part, ...]
    nets: tuple[Net, ...]
    open_pins: tuple[tuple[str, str], ...] = ()


_PI = "Raspberry Pi"
_CABLE = "Patch cable"
_IC = "IC1 74AHCT125"
_LED = "LED 1"
# A space after a colour marks the other end of the cable.
_DATA, _CLOCK = f"{HEADER_PINS[DATA_BCM]} BCM{DATA_BCM}", f"{HEADER_PINS[CLOCK_BCM]} BCM{CLOCK_BCM}"

LIGHTS = Diagram(
    name="lights",
    title="LED strip, signals: from the Pi on its stand to the first LED",
    parts=(
        Part(name=_PI, column=0, right=(_DATA, "20 GND", _CLOCK, "25 GND"), note="40-pin header"),
        Part(name="R1 100 ohm", column=1, left=("1",), right=("2",), note="at the Pi"),
        Part(name="R2 100 ohm", column=1, left=("1",), right=("2",), note="at the Pi"),
        Part(
            name=_CABLE,
            column=2,
            left=("1 white-orange", "2 orange", "3 white-green", "6 green"),
            right=("1 white-orange ", "2 orange ", "3 white-green ", "6 green "),
            note="Cat 5e, plugs cut off",
        ),
        Part(name="R3 10 kohm", column=3, left=("1", "2"), note="buffer board"),
        Part(name="R4 10 kohm", column=3, left=("1", "2"), note="buffer board"),
        Part(
            name=_IC,
            column=3,
            left=("2 1A", "5 2A", "1 1OE", "4 2OE", "9 3A", "12 4A", "10 3OE", "13 4OE", "7 GND", "14 VCC"),
            right=("3 1Y", "6 2Y", "8 3Y", "11 4Y"),
            note="in a socket, buffer board",
        ),
        Part(name="C1 100 nF", column=3, left=("1", "2"), note="beside IC1"),
        Part(name="R5 68 ohm", column=4, left=("1",), right=("2",), note="buffer board"),
        Part(name="R6 68 ohm", column=4, left=("1",), right=("2",), note="buffer board"),
        Part(name=_LED, column=5, left=("1 DI", "2 CI", "3 5V", "4 GND"), note="pads go by their print"),
    ),
    nets=(
        Net(name="DATA at the Pi", kind="data", pins=((_PI, _DATA), ("R1 100 ohm", "1"))),
        Net(name="CLOCK at the Pi", kind="clock", pins=((_PI, _CLOCK), ("R2 100 ohm", "1"))),
        Net(name="DATA into the cable", kind="data", pins=(("R1 100 ohm", "2"), (_CABLE, "1 white-orange"))),
        Net(name="CLOCK into the cable", kind="clock", pins=(("R2 100 ohm", "2"), (_CABLE, "3 white-green"))),
        Net(
            name="DATA out of the cable",
            kind="data",
            pins=((_CABLE, "1 white-orange "), ("R3 10 kohm", "1"), (_IC, "2 1A")),
        ),
        Net(
            name="CLOCK out of the cable",
            kind="clock",
            pins=((_CABLE, "3 white-green "), ("R4 10 kohm", "1"), (_IC, "5 2A")),
        ),
        Net(name="DATA, 5 V", kind="data", pins=((_IC, "3 1Y"), ("R5 68 ohm", "1"))),
        Net(name="CLOCK, 5 V", kind="clock", pins=((_IC, "6 2Y"), ("R6 68 ohm", "1"))),
        Net(name="DI", kind="data", pins=(("R5 68 ohm", "2"), (_LED, "1 DI"))),
        Net(name="CI", kind="clock", pins=(("R6 68 ohm", "2"), (_LED, "2 CI"))),
        Net(
            name="GND",
            kind="GND",
            tagged=True,
            pins=(
                (_PI, "20 GND"),
                (_PI, "25 GND"),
                (_CABLE, "2 orange"),
                (_CABLE, "6 green"),
                (_CABLE, "2 orange "),
                (_CABLE, "6 green "),
                ("R3 10 kohm", "2"),
                ("R4 10 kohm", "2"),
                *((_IC, pin) for pin in ("1 1OE", "4 2OE", "9 3A", "12 4A", "10 3OE", "13 4OE", "7 GND")),
                ("C1 100 nF", "2"),
                (_LED, "4 GND"),
            ),
        ),
        Net(
            name="+5V",
            kind="5V",
            tagged=True,
            pins=((_IC, "14 VCC"), ("C1 100 nF", "1"), (_LED, "3 5V")),
        ),
    ),
    open_pins=((_IC, "8 3Y"), (_IC, "11 4Y")),
)

_FEEDS = ("LED 1", "LED 14", "LED 28")
"""LEDs at which 5 V is fed in: both ends, and the corner where the rails are joined."""

POWER = Diagram(
    name="power",
    title="LED strip, power: one fuse, three places where 5 V goes in",
    parts=(
        Part(name="Supply 5 V, 3 A", column=0, right=("1 +5V", "2 GND"), note="for the LEDs alone"),
        Part(name="F1 fuse 2 A", column=1, left=("1",), right=("2",), note="in its holder"),
        *(
            Part(name=name, column=2, left=("1",), right=tuple("23456"), note="all joined inside")
            for name in ("X1 terminals +5V", "X2 terminals GND")
        ),
        Part(name="C2 1000 uF", column=3, left=("1 +", "2 -"), note="beside X1 and X2"),
        Part(name=_IC, column=3, left=("14 VCC", "7 GND"), note="buffer board"),
        *(Part(name=name, column=3, left=("3 5V", "4 GND")) for name in _FEEDS),
    ),
    nets=(
        Net(name="+5V before the fuse", kind="5V", pins=(("Supply 5 V, 3 A", "1 +5V"), ("F1 fuse 2 A", "1"))),
        Net(name="+5V", kind="5V", pins=(("F1 fuse 2 A", "2"), ("X1 terminals +5V", "1"))),
        Net(
            name="GND",
            kind="GND",
            tagged=True,
            pins=(("Supply 5 V, 3 A", "2 GND"), ("X2 terminals GND", "1")),
        ),
        *(
            net
            for i, (part, plus, minus) in enumerate(
                (
                    ("C2 1000 uF", "1 +", "2 -"),
                    (_IC, "14 VCC", "7 GND"),
                    *((name, "3 5V", "4 GND") for name in _FEEDS),
                ),
                2,
            )
            for net in (
                Net(name=f"+5V, X1.{i}", kind="5V", pins=(("X1 terminals +5V", str(i)), (part, plus))),
                Net(name=f"GND, X2.{i}", kind="GND", pins=(("X2 terminals GND", str(i)), (part, minus))),
            )
        ),
    ),
)


def _tray() -> Diagram:
    """The tray's board as a drawing: every part with its pins, each with the name of its net."""
    order = sorted(
        (component for component in COMPONENTS if component.kind is not TEST_PAD),
        key=lambda component: (-len(component.kind.pins), component.ref[0], component.ref),
    )
    parts, by_net = [], dict[str, list[tuple[str, str]]]()
    rows = [0] * 7
    for component in order:
        name = f"{component.ref} {component.value}"
        pins = [pin for pin in component.kind.pins if pin.role is not Role.OPEN]
        labels = {
            pin.number: f"{pin.number} {pin.name}" if pin.name != pin.number else pin.number for pin in pins
        }
        half = (len(pins) + 1) // 2
        column = min(range(len(rows)), key=lambda i: rows[i])
        rows[column] += half + 3
        parts.append(
            Part(
                name=name,
                column=column,
                left=tuple(labels[pin.number] for pin in pins[:half]),
                right=tuple(labels[pin.number] for pin in reversed(pins[half:])),
            )
        )
        for number, net in component.nets.items():
            by_net.setdefault(net, []).append((name, labels[number]))
    nets = tuple(
        Net(name=net, kind=_kind(net), pins=tuple(pins), tagged=True) for net, pins in by_net.items()
    )
    return Diagram(
        name="tray",
        title="The dice tray's board: pins with the names of their nets; nets of one name are joined",
        parts=tuple(parts),
        nets=nets,
    )


def _kind(net: str) -> str:
    for start, kind in (
        ("+5V", "5V"),
        ("GND", "GND"),
        ("SEL", "select"),
        ("LEVEL", "level"),
        ("SUM", "level"),
    ):
        if net.startswith(start):
            return kind
    return "light" if net.startswith(("LIT", "GATE", "SINK")) or "A" in net or "B" in net else "data"


TRAY_DIAGRAM = _tray()
DIAGRAMS = (LIGHTS, POWER, TRAY_DIAGRAM)


def pin_table(diagram: Diagram) -> str:
    """A Markdown table of the nets, to solder by and to check with the multimeter afterwards."""
    rows = ["| net | joins | done |", "|---|---|---|"]
    for net in diagram.nets:
        joined = " · ".join(dict.fromkeys(f"{part} {pin}".strip() for part, pin in net.pins))
        rows.append(f"| {net.name.strip()} | {joined} | |")
    return "\n".join(rows)
