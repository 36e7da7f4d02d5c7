"""The kinds of electronic part on the tray's board: their pins, their pads and the sources of the figures.

Dimensions are those of the makers' data sheets, in millimetres. Pads are given from the middle of the part,
seen from above: x to the right, y up, pin 1 at the left or the upper left.
"""

from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """The electrical type of a pin, in KiCad's words."""

    PASSIVE = "passive"
    INPUT = "input"
    OUTPUT = "output"
    BOTH_WAYS = "bidirectional"
    TAKES_POWER = "power_in"
    GIVES_POWER = "power_out"
    OPEN = "no_connect"


@dataclass(frozen=True, kw_only=True)
class Pin:
    """A pin by its number on the package, its name in the data sheet and its role."""

    number: str
    name: str
    role: Role = Role.PASSIVE


@dataclass(frozen=True, kw_only=True)
class Pad:
    """A pad: its middle and its size. hole_mm: diameter of its hole through the board, 0 without one."""

    number: str
    x_mm: float
    y_mm: float
    size_mm: tuple[float, float]
    hole_mm: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Kind:
    """A kind of part.

    body_mm: length (x), width (y) over the leads, and height. source: the data sheet with the body's size.
    """

    name: str
    maker: str
    number: str
    footprint: str
    pins: tuple[Pin, ...]
    pads: tuple[Pad, ...]
    body_mm: tuple[float, float, float]
    source: str

    def pin(self, number: str) -> Pin:
        """The pin with a number."""
        return next(pin for pin in self.pins if pin.number == number)


def _pins(names: str, roles: dict[str, Role] | None = None) -> tuple[Pin, ...]:
    known = roles or {}
    return tuple(
        Pin(number=str(i), name=name, role=known.get(name, Role.PASSIVE))
        for i, name in enumerate(names.split(), 1)
    )


def _two_pads(middle_mm: float, size_mm: tuple[float, float]) -> tuple[Pad, ...]:
    return (
        Pad(number="1", x_mm=-middle_mm, y_mm=0, size_mm=size_mm),
        Pad(number="2", x_mm=middle_mm, y_mm=0, size_mm=size_mm),
    )


def _two_rows(
    n: int, *, pitch_mm: float, row_mm: float, size_mm: tuple[float, float], hole_mm: float = 0.0
) -> tuple[Pad, ...]:
    """The pads of a part with n pins: from pin 1 at the upper left down the left side and up the right.

    row_mm: distance of each row from the middle.
    """
    top = (n // 2 - 1) * pitch_mm / 2
    heights = [top - pitch_mm * i for i in range(n // 2)]
    places = [*((-row_mm, y) for y in heights), *((row_mm, y) for y in reversed(heights))]
    return tuple(
        Pad(number=str(i), x_mm=x, y_mm=y, size_mm=size_mm, hole_mm=hole_mm)
        for i, (x, y) in enumerate(places, 1)
    )


_NANO_OPEN = (
    "D1/TX", "D0/RX", "RST", "D6", "D7", "D10", "D11", "D12", "D13",
    "3V3", "AREF", "A2", "A3", "A4", "A5", "A6", "A7", "VIN",
)  # fmt: skip

NANO = Kind(
    name="Arduino Nano",
    maker="Arduino",
    number="A000005",
    footprint="Nano",
    pins=_pins(
        "D1/TX D0/RX RST GND D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12 "
        "D13 3V3 AREF A0 A1 A2 A3 A4 A5 A6 A7 5V RST GND VIN",
        {
            "GND": Role.TAKES_POWER,
            "5V": Role.GIVES_POWER,
            **dict.fromkeys(("D2", "D3", "D4", "D5", "D8", "D9"), Role.OUTPUT),
            **dict.fromkeys(("A0", "A1"), Role.INPUT),
            **dict.fromkeys(_NANO_OPEN, Role.OPEN),
        },
    ),
    pads=_two_rows(30, pitch_mm=2.54, row_mm=7.62, size_mm=(1.7, 1.7), hole_mm=1.0),
    body_mm=(18.0, 45.0, 13.0),
    source="Arduino A000005 data sheet: 18 x 45 mm, pins at 2.54 mm; the height is with its header pins",
)

MULTIPLEXER = Kind(
    name="CD74HC4067",
    maker="Texas Instruments",
    number="CD74HC4067M96",
    footprint="SOIC-24",
    pins=_pins(
        "COM I7 I6 I5 I4 I3 I2 I1 I0 S0 S1 GND S3 S2 /E I15 I14 I13 I12 I11 I10 I9 I8 VCC",
        {
            **dict.fromkeys(("S0", "S1", "S2", "S3", "/E"), Role.INPUT),
            **dict.fromkeys((f"I{i}" for i in range(10, 16)), Role.OPEN),
            "GND": Role.TAKES_POWER,
            "VCC": Role.TAKES_POWER,
        },
    ),
    pads=_two_rows(24, pitch_mm=1.27, row_mm=4.65, size_mm=(2.0, 0.6)),
    body_mm=(10.63, 15.6, 2.65),
    source="TI SCHS209, package DW (R-PDSO-G24), JEDEC MS-013: 15.2 to 15.6 by 9.97 to 10.63 by 2.65 mm",
)

AMPLIFIER = Kind(
    name="MCP6002",
    maker="Microchip",
    number="MCP6002-I/SN",
    footprint="SOIC-8",
    pins=_pins(
        "OUTA -INA +INA VSS +INB -INB OUTB VDD",
        {
            "OUTA": Role.OUTPUT,
            "OUTB": Role.OUTPUT,
            **dict.fromkeys(("-INA", "+INA", "-INB", "+INB"), Role.INPUT),
            "VSS": Role.TAKES_POWER,
            "VDD": Role.TAKES_POWER,
        },
    ),
    pads=_two_rows(8, pitch_mm=1.27, row_mm=2.475, size_mm=(1.95, 0.6)),
    body_mm=(6.2, 5.0, 1.75),
    source="Microchip DS20001733, package SN (SOIC-8, JEDEC MS-012): 4.9 by 6.0 by 1.75 mm",
)

SENSOR = Kind(
    name="TEMT7100X01",
    maker="Vishay",
    number="TEMT7100X01",
    footprint="0805-sensor",
    pins=_pins("C E"),
    pads=_two_pads(0.85, (0.7, 1.2)),
    body_mm=(2.0, 1.25, 0.85),
    source="Vishay document 81770, rev. 1.3 of 30 July 2020: 2 x 1.25 x 0.85 mm",
)

EMITTER = Kind(
    name="VSMY1850",
    maker="Vishay",
    number="VSMY1850",
    footprint="0805-led",
    pins=_pins("K A"),
    pads=_two_pads(0.85, (0.7, 1.2)),
    body_mm=(2.0, 1.25, 0.85),
    source="Vishay document 83397, rev. 1.5 of 30 June 2016: 2 x 1.25 x 0.85 mm",
)

SWITCH = Kind(
    name="IRLML6244",
    maker="Infineon",
    number="IRLML6244TRPBF",
    footprint="SOT-23",
    pins=_pins("G S D", {"G": Role.INPUT}),
    pads=(
        Pad(number="1", x_mm=-1.0, y_mm=0.95, size_mm=(1.2, 0.7)),
        Pad(number="2", x_mm=-1.0, y_mm=-0.95, size_mm=(1.2, 0.7)),
        Pad(number="3", x_mm=1.0, y_mm=0, size_mm=(1.2, 0.7)),
    ),
    body_mm=(2.64, 3.04, 1.12),
    source="Infineon IRLML6244PbF, Micro3 (SOT-23, JEDEC TO-236AB): 3.04 by 2.64 by 1.12 mm at most",
)


def _chip(name: str, number: str, footprint: str = "0805") -> Kind:
    pads = _two_pads(1.0, (1.1, 1.4)) if footprint == "0805" else _two_pads(1.55, (1.3, 1.8))
    body = (2.0, 1.25, 0.6) if footprint == "0805" else (3.2, 1.6, 1.8)
    return Kind(
        name=name,
        maker="any",
        number=number,
        footprint=footprint,
        pins=_pins("1 2"),
        pads=pads,
        body_mm=body,
        source=f"chip size {footprint} (IEC 60115-8, JIS C 5201)",
    )


R68 = _chip("68 ohm", "0805, 1 %, 0.125 W")
R100 = _chip("100 ohm", "0805, 1 %")
R100K = _chip("100 kohm", "0805, 1 %")
R47K = _chip("47 kohm", "0805, 1 %")
R22K = _chip("22 kohm", "0805, 1 %")
R3K3 = _chip("3.3 kohm", "0805, 1 %")
C100N = _chip("100 nF", "0805, X7R, 16 V or more")
C47P = _chip("47 pF", "0805, C0G")
C22U = _chip("22 uF", "1206, X5R, 10 V or more", "1206")

TEST_PAD = Kind(
    name="test pad",
    maker="",
    number="",
    footprint="TestPad",
    pins=_pins("TP"),
    pads=(Pad(number="1", x_mm=0, y_mm=0, size_mm=(2.0, 2.0)),),
    body_mm=(2.0, 2.0, 0.0),
    source="copper only",
)
