"""The measures of the dice tray, in millimetres: the board, the printed parts and the optics all take them
from here.

Seen from above; x to the right, y away from the player, z up from the top of the circuit board. The
middle of the two wells is the origin. Run as `python -m hardware.tray.measures FOLDER` to write
measures.scad for OpenSCAD.
"""

import sys
from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Die:
    """A die as it lies on the pane: cube edge, distance of its pips, what its pips measure."""

    edge_mm: float = 16.0
    pip_pitch_mm: float = 4.0
    pip_mm: float = 3.2


@dataclass(frozen=True, kw_only=True)
class Tray:
    """Everything that more than one part of the tray has to agree on."""

    die: Die = Die()
    well_pitch_mm: float = 40.0
    """From the middle of one well to that of the other."""
    play_mm: float = 1.0
    """How much wider a well is than the die."""
    block_mm: float = 3.5
    """Height of the light block, which lies on the board and holds the view holes."""
    pocket_mm: float = 1.0
    """Height of the hollows under the block that take the sensors (0.85 mm high)."""
    view_hole_mm: float = 0.8
    """Drilled through the block over each phototransistor."""
    cone_mm: float = 3.0
    """Width of the hole over each LED at the top of the block."""
    gap_mm: float = 3.0
    """Air between block and pane."""
    pane_mm: float = 2.0
    """Thickness of the acrylic pane that the die lies on."""
    pane_edge_mm: float = 24.0
    well_depth_mm: float = 8.0
    """Height of the straight walls that square the die up; half the die stands out above."""
    board_mm: float = 1.6
    """Thickness of the circuit board."""

    @property
    def well_mm(self) -> float:
        """The width of a well."""
        return self.die.edge_mm + self.play_mm

    @property
    def pane_bottom_mm(self) -> float:
        """The height of the pane's lower side."""
        return self.block_mm + self.gap_mm

    @property
    def pane_top_mm(self) -> float:
        """The height at which the die lies."""
        return self.pane_bottom_mm + self.pane_mm

    @property
    def well_middles_mm(self) -> tuple[float, float]:
        """x of the two wells."""
        return (-self.well_pitch_mm / 2, self.well_pitch_mm / 2)


TRAY = Tray()

CHIP_MM = 0.6
"""How high over the board a phototransistor or LED sits in its package of 0.85 mm: its epoxy is clear
above."""
ACRYLIC = 1.49
"""Refractive index of the pane."""

BOARD_X_MM = (-46.0, 46.0)
BOARD_Y_MM = (-14.0, 52.0)
FRONT_HOLES_MM = ((-42.2, -10.0), (42.2, -10.0), (-42.2, 12.0), (42.2, 12.0))
"""M3 screws through frame, deck, light block and board into the base."""
REAR_HOLES_MM = ((-42.0, 48.0), (-8.0, 48.0))
"""M3 screws that hold the rear of the board on the base."""
HOLES_MM = FRONT_HOLES_MM + REAR_HOLES_MM
DECK_Y_MM = (-14.0, 15.5)
"""Block, deck and frame reach so far over the board."""
PEGS_MM = ((0.0, -9.0), (0.0, 9.0))
"""Two pegs under the light block that place it on the board."""
PEG_MM = 2.0
PEG_HOLE_MM = 2.1

GRID = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1))
"""The nine places of pips, in pip distances; row by row as the firmware's channels 0 to 8 are."""
CENTRE = 4
CENTRE_SPLIT_MM = 0.85
"""The two centre sensors stand so far before and behind the middle, and look at it a little aslant."""
LEDS_MM = tuple((x * sx, y * sy) for x, y in ((2.3, 2.0), (6.0, 6.0)) for sy in (-1, 1) for sx in (-1, 1))
"""Where a well's eight LEDs stand: four between the sensors, four beyond the corners."""


def sensor_places_mm(tray: Tray = TRAY) -> tuple[tuple[float, float], ...]:
    """Where the ten phototransistors of a well stand, channel by channel, from the middle of the well.

    Channel y grows towards the player in the firmware's tables; a face looks the same turned by half.
    """
    pitch = tray.die.pip_pitch_mm
    grid = [(x * pitch, y * pitch) for x, y in GRID]
    grid[CENTRE] = (0.0, -CENTRE_SPLIT_MM)
    return (*grid, (0.0, CENTRE_SPLIT_MM))


def looked_at_mm(tray: Tray = TRAY) -> tuple[tuple[float, float], ...]:
    """Which spot of the die's lower face each sensor looks at."""
    pitch = tray.die.pip_pitch_mm
    return (*((x * pitch, y * pitch) for x, y in GRID), (0.0, 0.0))


def view_holes_mm(tray: Tray = TRAY) -> tuple[tuple[float, float], ...]:
    """Where the view holes are drilled: on the line from the sensor to the spot it looks at."""
    below = tray.block_mm - CHIP_MM
    above = tray.gap_mm + tray.pane_mm / ACRYLIC
    share = above / (above + below)
    return tuple(
        (spot[0] + (place[0] - spot[0]) * share, spot[1] + (place[1] - spot[1]) * share)
        for place, spot in zip(sensor_places_mm(tray), looked_at_mm(tray), strict=True)
    )


def scad(tray: Tray = TRAY) -> str:
    """The measures as assignments for OpenSCAD."""
    lines = ["// Written by python -m hardware.tray.measures. Change the measures there."]
    values = {field.name: getattr(tray, field.name) for field in fields(tray) if field.name != "die"}
    values |= {f"die_{field.name}": getattr(tray.die, field.name) for field in fields(tray.die)}
    values |= {
        "well_mm": tray.well_mm,
        "pane_bottom_mm": tray.pane_bottom_mm,
        "pane_top_mm": tray.pane_top_mm,
        "board_x_mm": BOARD_X_MM,
        "board_y_mm": BOARD_Y_MM,
        "front_holes_mm": FRONT_HOLES_MM,
        "rear_holes_mm": REAR_HOLES_MM,
        "deck_y_mm": DECK_Y_MM,
        "pegs_mm": PEGS_MM,
        "peg_mm": PEG_MM,
        "sensors_mm": sensor_places_mm(tray),
        "view_holes_mm": view_holes_mm(tray),
        "leds_mm": LEDS_MM,
    }
    lines += [f"{name} = {_scad_value(value)};" for name, value in values.items()]
    return "\n".join(lines) + "\n"


def _scad_value(value: float | tuple[object, ...]) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_scad_value(item) for item in value) + "]"  # type: ignore[arg-type]
    return f"{value:g}" if float(value).is_integer() else f"{value:.4f}".rstrip("0")


if __name__ == "__main__":
    Path(sys.argv[1]).joinpath("measures.scad").write_text(scad())
