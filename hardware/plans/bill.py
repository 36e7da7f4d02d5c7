"""The parts to order for each step of building, with prices. The tables of the building page come from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

PRICED_ON = "2026-11-22"
"""The day on which prices were estimated, from memory of list prices, with VAT and without postage."""


class PartsList(Enum):
    """The steps of building. Each is complete in itself once the steps before it are done."""

    CAMERA = "Step 1: camera only"
    LIGHTS = "Step 2: lights"
    TRAY = "Step 3: dice tray"
    BLUETOOTH = "Step 3, another way: Bluetooth dice"


class Source(Enum):
    """Kinds of supplier, with examples."""

    HOBBY = "hobby shop (Berrybase, Pimoroni, The Pi Hut, Adafruit)"
    DISTRIBUTOR = "distributor (Reichelt, Mouser, Digi-Key, Farnell, LCSC)"
    MARKET = "marketplace (eBay, Amazon, AliExpress)"
    STORE = "hardware store"
    BOARDS = "board maker (Aisler, JLCPCB, PCBWay, OSH Park)"
    PRINTING = "maker space or printing service"
    GAMES = "games shop"


@dataclass(frozen=True, kw_only=True)
class Item:
    """A line of the list: number of pieces, price of one, and at least two kinds of supplier.

    word: its name on the building page. number: the maker's part number, where one is given.
    """

    word: str
    euro: float
    sources: tuple[Source, ...]
    pieces: int = 1
    number: str = ""

    @property
    def sum_euro(self) -> float:
        """The price of all pieces."""
        return self.pieces * self.euro


_PARTS = (Source.DISTRIBUTOR, Source.MARKET)
_PI_SHOPS = (Source.HOBBY, Source.DISTRIBUTOR)
_HOBBY = (Source.HOBBY, Source.MARKET)
_STORES = (Source.STORE, Source.MARKET)


def _small(word: str, pieces: int, euro: float = 0.1) -> Item:
    return Item(word=word, pieces=pieces, euro=euro, sources=_PARTS)


CAMERA_ITEMS = (
    Item(word="Raspberry Pi Zero 2 W", euro=18.5, sources=_PI_SHOPS, number="SC0510"),
    Item(word="microSD card, 32 GB, endurance", euro=9.0, sources=_HOBBY),
    Item(word="Pi supply, micro-USB, 5.1 V 2.5 A, cable 1.5 m", euro=10.0, sources=_PI_SHOPS),
    Item(word="Camera Module 3", euro=28.0, sources=_PI_SHOPS, number="SC0872"),
    Item(word="camera ribbon, 22 to 15 ways, 20 cm", euro=2.5, sources=_PI_SHOPS),
    Item(
        word="overhead arm with table clamp and 1/4 inch screw",
        euro=20.0,
        sources=(Source.MARKET, Source.HOBBY),
    ),
    Item(word="camera plate, printed, 40 g", euro=1.5, sources=(Source.PRINTING, Source.MARKET)),
    Item(word="1/4 inch nut", euro=0.3, sources=_STORES),
    Item(word="screw M2 x 10 with nut and 3 mm spacer", pieces=4, euro=0.15, sources=_STORES),
    Item(word="screw M2.5 x 12 with nut and 3 mm spacer", pieces=4, euro=0.15, sources=_STORES),
    Item(word="mains extension lead", euro=5.0, sources=_STORES),
    Item(word="cable ties", pieces=10, euro=0.05, sources=_STORES),
)

LIGHTS_ITEMS = (
    Item(word="SK9822 or APA102 strip, 1 m, with adhesive back", euro=12.0, sources=_HOBBY),
    Item(word="74AHCT125, DIP-14", euro=0.9, sources=_PARTS, number="SN74AHCT125N"),
    _small("socket, DIP-14", 1, 0.3),
    _small("resistor 100 ohm, 0.25 W", 2),
    _small("resistor 10 kohm, 0.25 W", 2),
    _small("resistor 68 ohm, 0.25 W", 2),
    _small("capacitor 100 nF, 2.5 or 5 mm pitch", 1),
    _small("capacitor 1000 uF, 10 V", 1, 0.4),
    _small("screw terminals, 6 ways, 5.08 mm", 2, 1.2),
    _small("perforated board, 50 x 70 mm", 1, 1.5),
    _small("fuse 2 A, 5 x 20 mm, slow", 1, 0.4),
    _small("fuse holder for a cable", 1, 1.2),
    Item(word="5 V supply, 3 A, plug 5.5 x 2.1 mm", euro=10.0, sources=_PARTS),
    _small("socket 5.5 x 2.1 mm with screw terminals", 1, 1.0),
    Item(word="patch cable, Cat 5e, stranded, 2 m", euro=3.0, sources=_STORES),
    Item(word="header, 2 x 20 pins", euro=1.0, sources=_HOBBY),
    _small("jumper wire with a female end", 4),
    Item(word="wire 0.25 mm2, red and black, 5 m each", euro=4.0, sources=_PARTS),
    Item(word="thin wire, two colours, 3 m each", euro=2.5, sources=_PARTS),
    Item(word="heat-shrink tube, assorted", euro=3.0, sources=_PARTS),
    Item(
        word="rail: plywood 3 x 16 mm, or channel strip with a milky cover, 60 cm",
        pieces=2,
        euro=4.0,
        sources=_STORES,
    ),
    Item(word="felt dots", pieces=8, euro=0.1, sources=_STORES),
    Item(word="hook-and-loop strap, 20 cm", pieces=4, euro=0.5, sources=_STORES),
)

TRAY_ITEMS = (
    Item(
        word="tray board, 92 x 66 mm, two layers (the least order is some five pieces)",
        euro=12.0,
        sources=(Source.BOARDS, Source.PRINTING),
    ),
    Item(
        word="Arduino Nano (ATmega328P, 5 V, 16 MHz) with its two pin headers",
        euro=12.0,
        sources=_HOBBY,
        number="A000005 or a clone",
    ),
    Item(word="CD74HC4067, SOIC-24", pieces=2, euro=1.2, sources=_PARTS, number="CD74HC4067M96"),
    Item(word="MCP6002, SOIC-8", euro=0.5, sources=_PARTS, number="MCP6002-I/SN"),
    Item(word="phototransistor TEMT7100X01", pieces=20, euro=0.55, sources=_PARTS, number="TEMT7100X01"),
    Item(word="infra-red LED VSMY1850", pieces=16, euro=0.5, sources=_PARTS, number="VSMY1850"),
    Item(word="MOSFET IRLML6244", pieces=2, euro=0.4, sources=_PARTS, number="IRLML6244TRPBF"),
    _small("68 ohm, 0805", 8, 0.05),
    _small("100 ohm, 0805", 2, 0.05),
    _small("100 kohm, 0805", 4, 0.05),
    _small("47 kohm, 0805", 2, 0.05),
    _small("22 kohm, 0805", 3, 0.05),
    _small("3.3 kohm, 0805", 1, 0.05),
    _small("100 nF, 0805", 4),
    _small("47 pF, 0805", 2),
    _small("22 uF, 1206", 2, 0.3),
    Item(word="pane of clear acrylic, 24 x 24 x 2 mm", pieces=2, euro=1.0, sources=_STORES),
    Item(
        word="printed parts of the tray, 230 g, and two thirds of it black",
        euro=8.0,
        sources=(Source.PRINTING, Source.MARKET),
    ),
    Item(word="screw M3 x 20, cylinder head", pieces=4, euro=0.15, sources=_STORES),
    Item(word="screw M3 x 8, cylinder head", pieces=2, euro=0.1, sources=_STORES),
    Item(word="USB cable, A to mini-B, 3 m", euro=4.0, sources=_HOBBY),
    Item(word="adapter, micro-USB to USB-A socket (Pi Zero only)", euro=2.5, sources=_PI_SHOPS),
    Item(word="die, 16 mm, white with black pips", pieces=2, euro=0.8, sources=(Source.GAMES, Source.MARKET)),
)

BLUETOOTH_ITEMS = (
    Item(word="ESP32 board with micro-USB", euro=8.0, sources=_HOBBY),
    Item(word="USB cable, A to micro-B, 1 m", euro=3.0, sources=_HOBBY),
    Item(word="adapter, micro-USB to USB-A socket (Pi Zero only)", euro=2.5, sources=_PI_SHOPS),
    Item(word="GoDice or Pixels die", pieces=2, euro=25.0, sources=(Source.GAMES, Source.MARKET)),
)

BILL: dict[PartsList, tuple[Item, ...]] = {
    PartsList.CAMERA: CAMERA_ITEMS,
    PartsList.LIGHTS: LIGHTS_ITEMS,
    PartsList.TRAY: TRAY_ITEMS,
    PartsList.BLUETOOTH: BLUETOOTH_ITEMS,
}


def total_euro(items: Sequence[Item]) -> float:
    """The price of all items."""
    return sum(item.sum_euro for item in items)


def bill_table(step: PartsList) -> str:
    """The parts of a step as a Markdown table, with total and date."""
    rows = ["| part | number | pieces | euro each | euro | from |", "|---|---|---|---|---|---|"]
    for item in BILL[step]:
        kinds = ", ".join(source.name.lower() for source in item.sources)
        money = f"{item.euro:.2f} | {item.sum_euro:.2f}"
        rows.append(f"| {item.word} | {item.number} | {item.pieces} | {money} | {kinds} |")
    rows.append(f"| **total, {PRICED_ON}** | | | | **{total_euro(BILL[step]):.0f}** | |")
    return "\n".join(rows)


def source_list() -> str:
    """The kinds of supplier as a Markdown list."""
    return "\n".join(f"* *{source.name.lower()}*: {source.value}" for source in Source)


def totals_table() -> str:
    """The price of each step, and of all steps up to it, as a Markdown table."""
    rows = ["| step | euro | with the steps before |", "|---|---|---|"]
    before = 0.0
    for step in (PartsList.CAMERA, PartsList.LIGHTS, PartsList.TRAY):
        cost = total_euro(BILL[step])
        before += cost
        rows.append(f"| {step.value} | {cost:.0f} | {before:.0f} |")
    other = total_euro(BILL[PartsList.BLUETOOTH])
    rows.append(
        f"| {PartsList.BLUETOOTH.value} | {other:.0f} | {before - total_euro(TRAY_ITEMS) + other:.0f} |"
    )
    return "\n".join(rows)
