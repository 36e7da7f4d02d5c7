"""The measures of the dice tray in millimetres, for the board, the printed parts and the optics.

The tray is seen from above: x to the right, y away from the player, z up from the top of the circuit board.
The origin lies midway between the two wells. Run as `python -m hardware.tray.measures FOLDER` to write
measures.scad for OpenSCAD.
"""

import sys
from dataclasses import dataclass, fields
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Die:
    """A die: edge of the cube, distance between neighbouring pips, diameter of a pip."""

    edge_mm: float = 16.0
    pip_pitch_mm: float = 4.0
    pip_mm: float = 3.2


@dataclass(frozen=True, kw_only=True)
class Tray:
    """The measures that several parts of the tray share."""

    die: Die = Die()
    well_pitch_mm: float = 40.0
    """Distance between the middles of the two wells."""
    play_mm: float = 1.0
    """Difference in width between a well and the die."""
    block_mm: float = 3.5
    """Height of the light block, which lies on the board and holds the view holes."""
    pocket_mm: float = 1.0
    """Height of the hollows under the block that take the sensors (0.85 mm high)."""
    view_hole_mm: float = 0.8
    """Diameter of the hole drilled through the block over each phototransistor."""
    cone_mm: float = 3.0
    """Width of the hole over each LED at the top of the block."""
    gap_mm: float = 3.0
    """Height of the air between block and pane."""
    pane_mm: float = 2.0
    """Thickness of the acrylic pane on which the die lies."""
    pane_edge_mm: float = 24.0
    well_depth_mm: float = 8.0
    """Height of the straight walls that align the die; half the die stands out above them."""
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
"""Height of the chip of a phototransistor or LED over the board. Its package is 0.85 mm high, with clear
epoxy above the chip."""
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
"""Extent of block, deck and frame over the board."""
PEGS_MM = ((0.0, -9.0), (0.0, 9.0))
"""Two pegs under the light block that align it on the board."""
PEG_MM = 2.0
PEG_HOLE_MM = 2.1

GRID = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1))
"""The nine places of pips, in pip distances, row by row in the order of the firmware's channels 0 to 8."""
CENTRE = 4
CENTRE_SPLIT_MM = 0.85
"""Distance of each of the two centre sensors from the middle, in y. They look at it at a small angle."""
LEDS_MM = tuple((x * sx, y * sy) for x, y in ((2.3, 2.0), (6.0, 6.0)) for sy in (-1, 1) for sx in (-1, 1))
"""The places of a well's eight LEDs: four between the sensors, four beyond the corners."""


def sensor_places_mm(tray: Tray = TRAY) -> tuple[tuple[float, float], ...]:
    """The places of the ten phototransistors of a well from its middle, in the order of the channels.

    In the firmware's tables y grows towards the player. This makes no difference: a face looks the same after
    half a turn.
    """
    *grid, _ = looked_at_mm(tray)
    grid[CENTRE] = (0.0, -CENTRE_SPLIT_MM)
    return (*grid, (0.0, CENTRE_SPLIT_MM))


def looked_at_mm(tray: Tray = TRAY) -> tuple[tuple[float, float], ...]:
    """The spot of the die's lower face at which each sensor looks."""
    pitch = tray.die.pip_pitch_mm
    return (*((x * pitch, y * pitch) for x, y in GRID), (0.0, 0.0))


def view_holes_mm(tray: Tray = TRAY) -> tuple[tuple[float, float], ...]:
    """The places of the view holes: each on the line from a sensor to the spot at which it looks."""
    below = tray.block_mm - CHIP_MM
    above = tray.gap_mm + tray.pane_mm / ACRYLIC
    share = above / (above + below)
    return tuple(
        (spot[0] + (place[0] - spot[0]) * share, spot[1] + (place[1] - spot[1]) * share)
        for place, spot in zip(sensor_places_mm(tray), looked_at_mm(tray), strict=True)
    )


def scad() -> str:
    """The measures as assignments for OpenSCAD."""
    lines = ["// Written by python -m hardware.tray.measures. Change the measures there."]
    values = {field.name: getattr(TRAY, field.name) for field in fields(TRAY) if field.name != "die"}
    values |= {f"die_{field.name}": getattr(TRAY.die, field.name) for field in fields(TRAY.die)}
    values |= {
        "well_mm": TRAY.well_mm,
        "pane_bottom_mm": TRAY.pane_bottom_mm,
        "pane_top_mm": TRAY.pane_top_mm,
        "board_x_mm": BOARD_X_MM,
        "board_y_mm": BOARD_Y_MM,
        "front_holes_mm": FRONT_HOLES_MM,
        "rear_holes_mm": REAR_HOLES_MM,
        "deck_y_mm": DECK_Y_MM,
        "pegs_mm": PEGS_MM,
        "peg_mm": PEG_MM,
        "sensors_mm": sensor_places_mm(),
        "view_holes_mm": view_holes_mm(),
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
