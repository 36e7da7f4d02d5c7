"""The length of every cable and wire, and the cuts of the LED strip, for a board of given measures.

The Pi sits beside the camera on the arm of the stand, so that the camera's ribbon stays short. From there one
patch cable carries data and clock to the buffer board at the first LED, and one USB cable goes to the dice
tray. The Pi's supply has a cable of its own, which is not lengthened: a Pi complains below 4.63 V. All run
along the arm and down the column of the stand. Lengths are in millimetres.
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, hypot

import numpy as np

from hardware.apa102 import STRIP_ORDER
from hardware.plans.camera_stand import LENSES, Board, Lens, lowest_height_mm, view
from hardware.plans.rails import Hole, Rails, holes

RIM_MM = 20.0
"""Width of the rim around the field, on each side. Guess; measured boards have 15 to 30."""
CLAMP_MM = 60.0
"""Distance from the board's edge to the middle of the stand's column, besides the width of a rail: a usual
table clamp."""
SLACK = 1.15
"""Factor by which cables are longer than their way."""
JOINT_MM = 15.0
"""Extra length of a wire between two LEDs, for the bend and the joints."""
TRAY_AWAY_MM = 300.0
"""Distance of the dice tray from the side of the board."""
SOLD_MM = {
    "camera ribbon": (150, 200, 300, 500),
    "patch cable": (500, 1000, 2000, 3000, 5000),
    "USB cable": (500, 1000, 1500, 2000, 3000, 5000),
    "the Pi's supply": (1500,),
}
"""Lengths in which each is sold."""
STRIP_PITCH_MM = {per_metre: 1000 / per_metre for per_metre in (30, 60, 144)}
"""Distance of neighbouring LEDs, and length of a piece with one LED, by the number of LEDs per metre."""
COPPER_OHM_MM2_PER_M = 0.0175
POWER_WIRE_MM2 = 0.25
SUPPLY_V = 5.0


@dataclass(frozen=True, kw_only=True)
class Cable:
    """One cable. length_mm: the way with slack. buy_mm: length to buy, 0 when it is cut from a reel."""

    name: str
    way: str
    length_mm: float
    buy_mm: int = 0


def board_of(rails: Rails) -> Board:
    """The board around these rails: its outer size, and checkers that fit its points."""
    width, depth = rails.field_mm
    return Board(
        name="yours",
        width_mm=width + rails.tray_mm + 2 * RIM_MM,
        depth_mm=depth + 2 * RIM_MM,
        checker_mm=rails.point_mm * 0.95,
    )


def along_strip(rails: Rails) -> tuple[Hole, ...]:
    """The holes of the LEDs in the order of the strip; none for the trays on a board without trays."""
    by_place = {hole.place: hole for hole in holes(rails)}
    return tuple(by_place[place] for place in STRIP_ORDER if place in by_place)


def gaps_mm(rails: Rails) -> tuple[float, ...]:
    """The length of each wire between two neighbouring LEDs."""
    leds = along_strip(rails)
    return tuple(hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm) + JOINT_MM for a, b in itertools.pairwise(leds))


def leds_per_metre(rails: Rails) -> int:
    """The fewest LEDs per metre that a strip may have, so that its single pieces fit side by side.

    Raises ValueError when none is fine enough.
    """
    closest = min(gaps_mm(rails)) - JOINT_MM
    for per_metre, piece_mm in STRIP_PITCH_MM.items():
        if closest >= piece_mm + 1:
            return per_metre
    raise ValueError(f"two LEDs would lie only {closest:.1f} mm apart: give all measures in mm")


def camera_height_mm(rails: Rails, lens: Lens = LENSES[0]) -> float:
    """The lowest height of the lens above the board from which all of it is seen."""
    return lowest_height_mm(board_of(rails), lens)


def lens_for(rails: Rails, height_mm: float) -> Lens:
    """The first lens that sees the whole board from this height. Raises ValueError when none does."""
    board = board_of(rails)
    for lens in LENSES:
        if height_mm > 0 and view(board, lens, height_mm=height_mm).fits:
            return lens
    least_mm = min(lowest_height_mm(board, lens) for lens in LENSES)
    raise ValueError(f"no lens sees the whole board from {height_mm:g} mm: {least_mm:.0f} mm is the least")


def column_away_mm(rails: Rails) -> float:
    """The distance of the stand's column from the middle of the board."""
    return board_of(rails).depth_mm / 2 + rails.rail_mm + CLAMP_MM


def cables(rails: Rails, height_mm: float) -> tuple[Cable, ...]:
    """Every cable and every wire along the rails, with the lens at this height above the board.

    Raises ValueError when no cable sold is long enough.
    """
    board = board_of(rails)
    down = column_away_mm(rails) + height_mm
    wires = sum(gaps_mm(rails))
    return (
        _bought("camera ribbon", "camera to Pi, side by side on the arm", 120.0),
        _bought("patch cable", "Pi, arm, column, to the first LED", down + board.width_mm / 2),
        _bought(
            "the Pi's supply", "with its own cable: Pi, arm, column, to an extension lead at the foot", down
        ),
        _bought("USB cable", "Pi, arm, column, to the dice tray", down + board.width_mm / 2 + TRAY_AWAY_MM),
        _cut("wire 0.25 mm2, red", "5 V from LED to LED", wires),
        _cut("wire 0.25 mm2, black", "GND from LED to LED", wires),
        _cut("thin wire", "data and clock from LED to LED", 2 * wires),
        *(
            _cut("wire 0.25 mm2, red and black", f"terminals to LED {led}", way)
            for led, way in _feeds_mm(rails).items()
        ),
    )


def _bought(name: str, way: str, straight_mm: float) -> Cable:
    length = straight_mm * SLACK
    fitting = [sold for sold in SOLD_MM[name] if sold >= length]
    if not fitting:
        raise ValueError(
            f"{name}: {length / 1000:.1f} m is more than the {max(SOLD_MM[name]) / 1000:g} m that are sold: "
            "lower the camera or take a wider lens"
        )
    return Cable(name=name, way=way, length_mm=length, buy_mm=fitting[0])


def _cut(name: str, way: str, length_mm: float) -> Cable:
    return Cable(name=name, way=way, length_mm=length_mm * SLACK)


def _feeds_mm(rails: Rails) -> dict[int, float]:
    """The way of each wire from the terminals to an LED that is fed with 5 V, by the LED's number."""
    width, depth = rails.field_mm
    n = len(along_strip(rails))
    return {1: 100.0, n // 2: width + rails.tray_mm, n: depth + 2 * rails.rail_mm}


def least_volts(rails: Rails, total_ma: float) -> float:
    """The lowest voltage at any LED when all draw the same current, over copper of 0.25 mm2 both ways."""
    ohm_per_mm = 2 * COPPER_OHM_MM2_PER_M / POWER_WIRE_MM2 / 1000
    gaps = gaps_mm(rails)
    n = len(gaps) + 1
    conductance = np.zeros((n, n))
    current = np.full(n, -total_ma / 1000 / n)
    for i, gap in enumerate(gaps):
        g = 1 / (gap * ohm_per_mm)
        conductance[[i, i + 1], [i, i + 1]] += g
        conductance[[i, i + 1], [i + 1, i]] -= g
    for number, way in _feeds_mm(rails).items():
        g = 1 / (way * SLACK * ohm_per_mm)
        conductance[number - 1, number - 1] += g
        current[number - 1] += g * SUPPLY_V
    return float(np.linalg.solve(conductance, current).min())


def cut_plan(rails: Rails) -> str:
    """A Markdown table: the position of each LED on its rail, and the length of its wires to the next."""
    leds, gaps = along_strip(rails), (*gaps_mm(rails), 0.0)
    rows = [
        "| LED | place | rail | mm from the field's left edge | 4 wires to the next, mm |",
        "|---|---|---|---|---|",
    ]
    for number, (led, gap) in enumerate(zip(leds, gaps, strict=True), 1):
        rail = "upper" if led.y_mm < 0 else "lower"
        rows.append(f"| {number} | {led.place} | {rail} | {led.x_mm:.0f} | {ceil(gap) if gap else '-'} |")
    return "\n".join(rows)


def plan(rails: Rails, height_mm: float) -> str:
    """Cables, strip and cuts as a Markdown page, with the lens at this height above the board."""
    per_metre = leds_per_metre(rails)
    n = len(along_strip(rails))
    metres = ceil(n / per_metre * 10) / 10
    width, depth = rails.field_mm
    lens = lens_for(rails, height_mm).name
    lines = [
        f"# Cables and LEDs for a field of {width:g} x {depth:g} mm",
        "",
        f"{lens}, {height_mm / 10:.0f} cm above the board; the Pi beside it on the arm.",
        "",
        _cable_table(cables(rails, height_mm)),
        "",
        f"Strip with {per_metre} LEDs a metre: {metres:g} m, cut at its marks into {n} pieces of one LED, "
        f"{STRIP_PITCH_MM[per_metre]:.1f} mm each.",
        "",
        cut_plan(rails),
    ]
    return "\n".join(lines) + "\n"


def _cable_table(found: Sequence[Cable]) -> str:
    rows = ["| cable | from, along, to | with slack | buy |", "|---|---|---|---|"]
    for cable in found:
        buy = f"{cable.buy_mm / 1000:g} m" if cable.buy_mm else "from the reel"
        rows.append(f"| {cable.name} | {cable.way} | {cable.length_mm / 1000:.2f} m | {buy} |")
    return "\n".join(rows)
