"""The two rails of the LEDs, and the position of each LED on them.

Lengths are in millimetres from the upper left corner of the field of points, x to the right, y down, seen
from above.
"""

from dataclasses import dataclass

from hardware.light_port import BOTTOM_BAR, BOTTOM_TRAY, TOP_BAR, TOP_TRAY


@dataclass(frozen=True, kw_only=True)
class Rails:
    """Two rails on the board's rim along the bases of the points. Raises ValueError for impossible measures.

    field_mm: width and depth of the field of points with the bar: from the outer edge of the first point to
        that of the last, and from base to base.
    bar_mm: width of the bar between the two halves. tray_mm: width of the tray beside the field, 0 for none.
    rail_mm: width of a rail, which begins at the bases and lies outside the field. hole_mm: diameter of a
        hole.
    """

    field_mm: tuple[float, float]
    bar_mm: float
    tray_mm: float = 50.0
    rail_mm: float = 16.0
    hole_mm: float = 5.0

    def __post_init__(self) -> None:
        width, depth = self.field_mm
        fits = 0 <= self.bar_mm < width and depth > 0 and 0 < self.hole_mm < self.rail_mm
        if not fits or self.tray_mm < 0:
            raise ValueError(
                "measures must be positive, the bar within the field, the holes within the rails"
            )

    @property
    def point_mm(self) -> float:
        """The width of a point."""
        return (self.field_mm[0] - self.bar_mm) / 12


@dataclass(frozen=True, kw_only=True)
class Hole:
    """The middle of the hole for the LED of a place."""

    place: int
    x_mm: float
    y_mm: float


def holes(rails: Rails) -> tuple[Hole, ...]:
    """The 28 holes, or 26 without a tray."""
    width, depth = rails.field_mm
    top, bottom = -rails.rail_mm / 2, depth + rails.rail_mm / 2
    columns = [column_mm(rails, i) for i in range(12)]
    found = [Hole(place=i, x_mm=x, y_mm=top) for i, x in enumerate(columns)]
    found += [Hole(place=12 + i, x_mm=x, y_mm=bottom) for i, x in enumerate(columns)]
    found += [
        Hole(place=place, x_mm=width / 2, y_mm=y) for place, y in ((TOP_BAR, top), (BOTTOM_BAR, bottom))
    ]
    if rails.tray_mm > 0:
        x = width + rails.tray_mm / 2
        found += [Hole(place=place, x_mm=x, y_mm=y) for place, y in ((TOP_TRAY, top), (BOTTOM_TRAY, bottom))]
    return tuple(found)


def column_mm(rails: Rails, i: int) -> float:
    """The middle of the i-th column of points (0 to 11), from the left edge of the field."""
    return (i + 0.5) * rails.point_mm + (rails.bar_mm if i >= 6 else 0.0)
