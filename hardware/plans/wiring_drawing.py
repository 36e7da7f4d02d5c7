"""Draws a wiring diagram as SVG: boxes in columns, wires in lanes between them, text only where no wire runs.

Each net drawn as wires has its own lane in the channel between two columns. So wires cross only at right
angles, and a dot marks where they join. Names of pins are inside the boxes, tags beside the pins before the
first lane.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from hardware.plans.wiring import COLOURS, DIAGRAMS, Diagram, Net, Part

PIN_PX = 20
HEAD_PX = 26
LANE_PX = 10
TOP_PX = 56
GAP_PX = 18
TAG_STUB_PX = 10
LETTER_PX = 6.3
"""Approximate width of a letter at the size of pin names."""
WIDE_LETTER_PX = 8.0
"""Approximate width of a capital letter, as in the names of nets."""


@dataclass(frozen=True)
class Wire:
    """A straight piece of a net, horizontal or vertical."""

    net: str
    kind: str
    x1: float
    y1: float
    x2: float
    y2: float


@dataclass(frozen=True)
class Label:
    """A text. x, y: its anchor (start, middle or end) on the base line."""

    text: str
    x: float
    y: float
    anchor: str = "start"
    size: int = 11
    colour: str = "#111"

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Approximate left, top, right and bottom of the text."""
        letter = WIDE_LETTER_PX if self.text.isupper() else LETTER_PX
        width = len(self.text) * letter * self.size / 11
        left = {"start": self.x, "end": self.x - width, "middle": self.x - width / 2}[self.anchor]
        return left, self.y - self.size * 0.8, left + width, self.y + self.size * 0.2


class Drawing:
    """The layout of a diagram: the position of every box, pin, wire and text. Raises ValueError for a net
    that is not tagged and does not lie between two neighbouring columns."""

    def __init__(self, diagram: Diagram) -> None:
        self._diagram = diagram
        self._net_at = {pin: net for net in diagram.nets for pin in net.pins}
        self._parts = {part.name: part for part in diagram.parts}
        self._top_px = self._stack()
        self._width_px = {column: self._column_width(column) for column in self._columns()}
        self._lanes = self._choose_lanes()
        self._left_px = self._spread()

    def _columns(self) -> list[int]:
        return sorted({part.column for part in self._diagram.parts})

    def _stack(self) -> dict[str, float]:
        """The top of each box. Boxes stand one below the other in their column.

        They stand on a grid of pins, shifted by half a pin in every other column. So no pins on the two sides
        of a channel are at the same height, and no two wires lie on one line.
        """
        down: dict[int, float] = {}
        tops = {}
        for part in self._diagram.parts:
            tops[part.name] = down.get(part.column, TOP_PX + PIN_PX / 2 * (part.column % 2))
            down[part.column] = tops[part.name] + PIN_PX * ceil((self.height(part) + GAP_PX) / PIN_PX)
        return tops

    @staticmethod
    def height(part: Part) -> float:
        """The height of a box."""
        return HEAD_PX + PIN_PX * max(len(part.left), len(part.right)) + (18 if part.note else 6)

    def _column_width(self, column: int) -> float:
        widest = 0.0
        for part in self._diagram.parts:
            if part.column == column:
                sides = [
                    max((len(pin.strip()) for pin in pins), default=0) for pins in (part.left, part.right)
                ]
                letters = max(sum(sides) + 4, len(part.name) * 1.2 + 2, len(part.note) + 2)
                widest = max(widest, letters * LETTER_PX)
        return widest

    def _channel(self, net: Net) -> int:
        """The channel in which a net runs, named by the column to its left."""
        channels = {
            self._parts[part].column - (1 if pin in self._parts[part].left else 0) for part, pin in net.pins
        }
        if len(channels) != 1:
            raise ValueError(f"{net.name} does not lie between two neighbouring columns: tag it")
        return channels.pop()

    def _choose_lanes(self) -> dict[str, tuple[int, int]]:
        """Channel and lane of each net drawn as wires."""
        used: dict[int, int] = {}
        lanes = {}
        for net in self._diagram.nets:
            if not net.tagged:
                channel = self._channel(net)
                lanes[net.name] = (channel, used.get(channel, 0))
                used[channel] = used.get(channel, 0) + 1
        return lanes

    def _tag_room(self, column: int, side: str) -> float:
        longest = 0
        for part in self._diagram.parts:
            if part.column == column:
                for pin in part.left if side == "left" else part.right:
                    net = self._net_at.get((part.name, pin))
                    if net is None or net.tagged:
                        longest = max(longest, len(net.name.strip()) if net else 4)
        return TAG_STUB_PX + longest * WIDE_LETTER_PX + 8 if longest else 12.0

    def _spread(self) -> dict[int, float]:
        """The left edge of each column."""
        x = 10 + self._tag_room(self._columns()[0], "left")
        lefts = {}
        for column in self._columns():
            if column > self._columns()[0]:
                n_lanes = sum(channel == column - 1 for channel, _ in self._lanes.values())
                x += self._tag_room(column - 1, "right") + n_lanes * LANE_PX + self._tag_room(column, "left")
            lefts[column] = x
            x += self._width_px[column]
        self.width_px = max(x + self._tag_room(self._columns()[-1], "right") + 10, 660)
        self.height_px = max(self._top_px[part.name] + self.height(part) for part in self._diagram.parts) + 44
        return lefts

    def pin(self, part: Part, pin: str) -> tuple[float, float, int]:
        """x and y at which a pin leaves its box, and the side: -1 left, 1 right."""
        on_left = pin in part.left
        row = (part.left if on_left else part.right).index(pin)
        y = self._top_px[part.name] + HEAD_PX + PIN_PX * row + PIN_PX / 2
        x = self._left_px[part.column]
        return (x, y, -1) if on_left else (x + self._width_px[part.column], y, 1)

    def _lane_x(self, net: Net) -> float:
        channel, lane = self._lanes[net.name]
        right_edge = self._left_px[channel] + self._width_px[channel] + self._tag_room(channel, "right")
        return right_edge + (lane + 0.5) * LANE_PX

    def wires(self) -> Iterator[Wire]:
        """Every piece of wire."""
        for net in self._diagram.nets:
            ends = [self.pin(self._parts[part], pin) for part, pin in net.pins]
            if net.tagged:
                for x, y, side in ends:
                    yield Wire(net.name, net.kind, x, y, x + side * TAG_STUB_PX, y)
                continue
            lane = self._lane_x(net)
            for x, y, _ in ends:
                yield Wire(net.name, net.kind, x, y, lane, y)
            ys = [y for _, y, _ in ends]
            if max(ys) > min(ys):
                yield Wire(net.name, net.kind, lane, min(ys), lane, max(ys))

    def dots(self) -> Iterator[tuple[float, float, str]]:
        """x, y and kind for each place where three wires of a net meet."""
        for net in self._diagram.nets:
            if not net.tagged and len(net.pins) > 2:
                lane = self._lane_x(net)
                ys = sorted(self.pin(self._parts[part], pin)[1] for part, pin in net.pins)
                yield from ((lane, y, net.kind) for y in ys[1:-1])

    def boxes(self) -> Iterator[tuple[float, float, float, float]]:
        """x, y, width and height of each box."""
        for part in self._diagram.parts:
            yield (
                self._left_px[part.column],
                self._top_px[part.name],
                self._width_px[part.column],
                self.height(part),
            )

    def labels(self) -> Iterator[Label]:
        """All texts."""
        yield Label(self._diagram.title, 12, 26, size=15)
        for part in self._diagram.parts:
            x, y = self._left_px[part.column], self._top_px[part.name]
            middle = x + self._width_px[part.column] / 2
            yield Label(part.name, middle, y + 17, "middle", size=12)
            if part.note:
                yield Label(part.note, middle, y + self.height(part) - 6, "middle", size=10, colour="#555")
            for pin in part.pins:
                yield from self._pin_labels(part, pin)
        yield from self._legend_labels()

    def _pin_labels(self, part: Part, pin: str) -> Iterator[Label]:
        x, y, side = self.pin(part, pin)
        anchor = "start" if side < 0 else "end"
        yield Label(pin.strip(), x - side * 6, y + 4, anchor)
        net = self._net_at.get((part.name, pin))
        if net is None:
            yield Label("open", x + side * 5, y + 4, "end" if side < 0 else "start", colour="#777")
        elif net.tagged:
            tag_x = x + side * (TAG_STUB_PX + 3)
            colour = COLOURS[net.kind]
            yield Label(net.name.strip(), tag_x, y + 4, "end" if side < 0 else "start", colour=colour)

    def legend(self) -> list[str]:
        """The kinds of wire in this diagram."""
        return list(dict.fromkeys(net.kind for net in self._diagram.nets))

    def _legend_labels(self) -> Iterator[Label]:
        for i, kind in enumerate(self.legend()):
            yield Label(kind, 42 + i * 90, self.height_px - 14)


def diagram_svg(diagram: Diagram) -> str:
    """The diagram as SVG."""
    drawing = Drawing(diagram)
    width, height = drawing.width_px, drawing.height_px
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" font-family="sans-serif">',
        f'<rect width="{width:g}" height="{height:g}" fill="white"/>',
        *(
            f'<path d="M{wire.x1:g} {wire.y1:g} L{wire.x2:g} {wire.y2:g}" '
            f'stroke="{COLOURS[wire.kind]}" stroke-width="1.8"/>'
            for wire in drawing.wires()
        ),
        *(f'<circle cx="{x:g}" cy="{y:g}" r="3.2" fill="{COLOURS[kind]}"/>' for x, y, kind in drawing.dots()),
        *(
            f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="5" fill="#f5f5f0" stroke="#333"/>'
            for x, y, w, h in drawing.boxes()
        ),
        *(
            f'<path d="M{14 + i * 90} {height - 18:g} h22" stroke="{COLOURS[kind]}" stroke-width="3"/>'
            for i, kind in enumerate(drawing.legend())
        ),
        *(
            f'<text x="{label.x:g}" y="{label.y:g}" text-anchor="{label.anchor}" font-size="{label.size}" '
            f'fill="{label.colour}">{label.text}</text>'
            for label in drawing.labels()
        ),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def main(folder: Path) -> None:
    """Write the drawings as wiring-NAME.svg."""
    for diagram in DIAGRAMS:
        (folder / f"wiring-{diagram.name}.svg").write_text(diagram_svg(diagram))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
