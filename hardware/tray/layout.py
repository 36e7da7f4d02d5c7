"""The position of each part on the tray's board, and the copper between the parts.

Coordinates are those of measures.py, in millimetres: x to the right, y away from the player. The tracks are
found by router.py and kept in tracks.json.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path

from hardware.tray.measures import LEDS_MM, TRAY, sensor_places_mm
from hardware.tray.netlist import COMPONENTS, Component

TRACKS_FILE = Path(__file__).with_name("tracks.json")
TRACK_MM = 0.25
CLEARANCE_MM = 0.2
"""Least distance between copper of different nets; every cheap board maker can do 0.15."""
EDGE_MM = 0.5
"""Least distance of copper from the board's edge and from screw holes."""
VIA_MM, VIA_HOLE_MM = 0.6, 0.3


@dataclass(frozen=True, kw_only=True)
class Spot:
    """The middle of a part, and its rotation in counterclockwise quarter turns."""

    x_mm: float
    y_mm: float
    quarters: int = 0

    def at(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """The place on the board of a place given from the middle of the part."""
        angle = radians(90 * self.quarters)
        c, s = round(cos(angle)), round(sin(angle))
        return self.x_mm + c * x_mm - s * y_mm, self.y_mm + s * x_mm + c * y_mm

    def size(self, size_mm: tuple[float, float]) -> tuple[float, float]:
        """Width and height on the board of something that has this size on the part."""
        return (size_mm[1], size_mm[0]) if self.quarters % 2 else size_mm


@dataclass(frozen=True, kw_only=True)
class PlacedPad:
    """A pad on the board. net: empty when it is joined to nothing. hole_mm: 0 without a hole."""

    ref: str
    number: str
    net: str
    middle_mm: tuple[float, float]
    size_mm: tuple[float, float]
    hole_mm: float


@dataclass(frozen=True, kw_only=True)
class Track:
    """A straight piece of copper. layer: 0 on the upper side, 1 on the lower."""

    net: str
    layer: int
    start_mm: tuple[float, float]
    end_mm: tuple[float, float]


@dataclass(frozen=True, kw_only=True)
class Via:
    """A plated hole that joins both sides."""

    net: str
    middle_mm: tuple[float, float]


def _shared_spots() -> Iterator[tuple[str, Spot]]:
    yield "A1", Spot(x_mm=24, y_mm=41, quarters=1)
    yield "U3", Spot(x_mm=0, y_mm=22)
    yield "C3", Spot(x_mm=0, y_mm=27)
    yield "R5", Spot(x_mm=-4, y_mm=17.5)
    yield "R6", Spot(x_mm=0, y_mm=17.5)
    yield "C6", Spot(x_mm=4, y_mm=17.5)
    yield "C7", Spot(x_mm=-3, y_mm=40)
    yield "C8", Spot(x_mm=-3, y_mm=36)
    for i in range(5):
        yield f"TP{i + 1}", Spot(x_mm=-38 + 7 * i, y_mm=38)


def _well_spots(well: int) -> Iterator[tuple[str, Spot]]:
    middle = TRAY.well_middles_mm[well - 1]
    side = -1 if well == 1 else 1
    for i, (x, y) in enumerate(sensor_places_mm()):
        yield f"Q{well}{i:02d}", Spot(x_mm=middle + x, y_mm=y, quarters=0 if x == 0 else 1)
    for i, (x, y) in enumerate(LEDS_MM):
        yield f"D{well}{i:02d}", Spot(x_mm=middle + x, y_mm=y, quarters=1)
    for i in range(4):
        yield f"R{well}{i:02d}", Spot(x_mm=side * 38, y_mm=7 - 4 * i)
    yield f"U{well}", Spot(x_mm=side * 20, y_mm=23, quarters=1)
    yield f"C{well}", Spot(x_mm=side * 20 - 7, y_mm=30.2)
    yield f"R{2 + well}", Spot(x_mm=side * 6.5, y_mm=21, quarters=1)
    yield f"C{3 + well}", Spot(x_mm=side * 9.5, y_mm=21, quarters=1)
    yield f"Q{well}", Spot(x_mm=side * 34, y_mm=18)
    yield f"R{well}", Spot(x_mm=side * 34, y_mm=22)
    yield f"R{6 + well}", Spot(x_mm=side * 34, y_mm=26)


SPOTS: dict[str, Spot] = dict([*_shared_spots(), *_well_spots(1), *_well_spots(2)])


def placed_pads(components: tuple[Component, ...] = COMPONENTS) -> list[PlacedPad]:
    """Every pad at its place on the board."""
    return [
        PlacedPad(
            ref=component.ref,
            number=pad.number,
            net=component.nets.get(pad.number, ""),
            middle_mm=SPOTS[component.ref].at(pad.x_mm, pad.y_mm),
            size_mm=SPOTS[component.ref].size(pad.size_mm),
            hole_mm=pad.hole_mm,
        )
        for component in components
        for pad in component.kind.pads
    ]


def read_copper() -> tuple[list[Track], list[Via]]:
    """The tracks and vias that the router found."""
    kept = json.loads(TRACKS_FILE.read_text())
    tracks = [
        Track(net=net, layer=layer, start_mm=(x1, y1), end_mm=(x2, y2))
        for net, layer, x1, y1, x2, y2 in kept["tracks"]
    ]
    return tracks, [Via(net=net, middle_mm=(x, y)) for net, x, y in kept["vias"]]


def write_copper(tracks: list[Track], vias: list[Via]) -> None:
    """Keep the tracks and vias, one piece a line."""
    rows = [json.dumps([t.net, t.layer, *t.start_mm, *t.end_mm]) for t in tracks]
    holes = [json.dumps([via.net, *via.middle_mm]) for via in vias]
    lists = [",\n".join(rows), ",\n".join(holes)]
    TRACKS_FILE.write_text(f'{{"tracks": [\n{lists[0]}\n],\n"vias": [\n{lists[1]}\n]}}\n')
