"""The board drawn in the terminal with its lit places, as a substitute for the LED strip.

Places are those of the picture (see hardware/light_port.py), so the drawing is the board as the camera sees
it. Counts are signed: light checkers positive, dark ones negative.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hardware.light_port import BOTTOM_BAR, BOTTOM_TRAY, TOP_BAR, TOP_TRAY, Blink, PlaceLight

RGB = tuple[int, int, int]


@dataclass(frozen=True, kw_only=True)
class DrawingSize:
    """Widths of the parts of the drawing in characters. stack: most checkers drawn one above the other.

    The last checker of a taller stack shows the number.
    """

    point: int
    bar: int
    tray: int
    stack: int

    @property
    def width(self) -> int:
        """Columns of the whole drawing."""
        return 12 * self.point + self.bar + self.tray + 2

    @property
    def height(self) -> int:
        """Rows of the whole drawing: two rows of lamps, two of stacks, and the empty row in the middle."""
        return 2 * self.stack + 3


WIDE = (5, 7, 8)
NARROW = (4, 5, 5)
"""Widths of point, bar and tray. Chosen by eye: 77 columns, and 60 for small windows."""
STACK_HEIGHTS = (5, 4, 3)
DRAWING_SIZES = tuple(
    DrawingSize(point=point, bar=bar, tray=tray, stack=stack)
    for point, bar, tray in (WIDE, NARROW)
    for stack in STACK_HEIGHTS
)
"""Every size, the largest first."""


def fitting_size(columns: int, rows: int) -> DrawingSize | None:
    """The largest drawing that fits into a window, None when none does."""
    fitting = [size for size in DRAWING_SIZES if size.width <= columns and size.height <= rows]
    return fitting[0] if fitting else None


SIGNS = {Blink.STEADY: "*", Blink.SLOW: "~", Blink.FAST: "!", Blink.ONCE: "+"}
"""The sign on both sides of a lit place's number, so that its meaning does not depend on colour."""

COLOUR_NAMES: dict[str, RGB] = {
    "red": (255, 0, 0),
    "amber": (255, 140, 0),
    "white": (255, 255, 255),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
}

_FELT: RGB = (70, 92, 80)
_POINT_COLOURS: tuple[RGB, RGB] = ((140, 68, 48), (205, 176, 128))
_WOOD: RGB = (66, 42, 28)
_WOOD_TEXT: RGB = (216, 198, 168)
_LIGHT: RGB = (250, 244, 230)
_DARK: RGB = (18, 18, 22)
_LIGHT_RIM: RGB = (176, 166, 148)
_DARK_RIM: RGB = (104, 104, 116)
_TAPER = (1.0, 1.0, 0.6, 0.6, 0.2)
"""Width of a point from its base to its tip, as a share of its column."""


@dataclass(frozen=True, kw_only=True)
class DrawnBoard:
    """The checkers on the board as signed counts, light positive.

    points: for each of the 24 places of the picture. guests: checkers of the other colour on the same place,
    which the laws do not allow.
    bar, off: in the upper and the lower half of the bar, in the upper and the lower tray.
    labels: the name of each of the 24 places, such as the number of its point.
    """

    points: Sequence[int] = (0,) * 24
    guests: Sequence[int] = (0,) * 24
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)
    labels: Sequence[str] = ("",) * 24

    def label(self, place: int) -> str:
        """The name of any place, bar halves and trays included."""
        named = {TOP_BAR: "bar", BOTTOM_BAR: "bar", TOP_TRAY: "off", BOTTOM_TRAY: "off"}
        return named[place] if place in named else self.labels[place]


def render_board(
    board: DrawnBoard,
    lamps: Sequence[PlaceLight] = (),
    *,
    colour: bool = True,
    size: DrawingSize = DRAWING_SIZES[0],
) -> str:
    """The board as text, followed by lines that name the lit places.

    With `colour` in 24-bit ANSI colours; otherwise in plain ASCII, O for light and X for dark checkers.
    """
    canvas = _Canvas(plain=not colour, size=size)
    canvas.draw_wood()
    for place in range(24):
        canvas.draw_point(place, board.points[place], board.guests[place])
    for half, place in enumerate((TOP_BAR, BOTTOM_BAR)):
        canvas.draw_stack(place, board.bar[half])
        canvas.draw_tray((TOP_TRAY, BOTTOM_TRAY)[half], board.off[half])
    lit = {lamp.place: lamp for lamp in lamps}
    for place in range(BOTTOM_TRAY + 1):
        canvas.draw_led(place, board.label(place), lit.get(place))
    return "\n".join([*canvas.lines(), *_legend(board, lamps)])


@dataclass
class _Cell:
    char: str = " "
    ink: RGB = _WOOD_TEXT
    ground: RGB = _FELT


@dataclass
class _Canvas:
    """Cells to draw on, each with its colours."""

    plain: bool
    size: DrawingSize
    cells: list[list[_Cell]] = field(init=False)

    def __post_init__(self) -> None:
        self.cells = [[_Cell() for _ in range(self.size.width)] for _ in range(self.size.height)]

    def write(self, row: int, column: int, text: str, ink: RGB, ground: RGB | None = None) -> None:
        for i, char in enumerate(text):
            cell = self.cells[row][column + i]
            cell.char, cell.ink = char, ink
            cell.ground = ground or cell.ground

    def fill(self, row: int, column: int, width: int, ground: RGB, char: str = " ") -> None:
        self.write(row, column, char * width if self.plain else " " * width, _WOOD_TEXT, ground)

    def lines(self) -> Iterator[str]:
        for row in self.cells:
            yield "".join(c.char for c in row).rstrip() if self.plain else _ansi(row)

    def draw_wood(self) -> None:
        size = self.size
        bar, right = 1 + 6 * size.point, size.width - size.tray - 1
        for row in range(size.height):
            for column, width in ((0, 1), (bar, size.bar), (right, 1)):
                self.fill(row, column, width, _WOOD)
                self.fill(row, column, 1, _WOOD, "|")
                self.fill(row, column + width - 1, 1, _WOOD, "|")
            self.fill(row, right + 1, size.tray, _WOOD)
            self.fill(row, size.width - 1, 1, _WOOD, "|")
            if row in (0, size.height - 1):
                self.fill(row, 0, size.width, _WOOD, "-")

    def draw_point(self, place: int, count: int, guests: int) -> None:
        """Draw a point with its checkers. Guests lie on top."""
        colour = _POINT_COLOURS[(place + place // 12) % 2]
        middle = self._left_column(place) + self.size.point // 2
        for i, row in enumerate(self._rows(place)):
            width = max(1, round(_TAPER[i + len(_TAPER) - self.size.stack if i else 0] * self.size.point))
            self.fill(row, middle - width // 2, width, colour)
            if self.plain:
                self.write(row, middle, ":" if place % 2 else ".", _WOOD_TEXT)
        room = self.size.stack - min(abs(guests), self.size.stack - 1)
        self.draw_stack(place, count, most=room)
        self.draw_stack(place, guests, after=min(abs(count), room))

    def draw_stack(self, place: int, count: int, *, after: int = 0, most: int | None = None) -> None:
        """Draw checkers on a place, after `after` others. With more than `most` the last shows the number."""
        column = self._left_column(place) + self._width(place) // 2 - 1
        rows = self._rows(place)[after : after + most if most else None]
        for i, row in enumerate(rows[: abs(count)]):
            last = i == len(rows) - 1 and abs(count) > len(rows)
            self._draw_checker(row, column, count > 0, str(abs(count)) if last else "")

    def draw_tray(self, place: int, count: int) -> None:
        if count == 0:
            return
        row, column = self._rows(place)[0], self._left_column(place)
        if self.size.tray < TRAY_WITH_CHECKER:
            sign = "O" if count > 0 else "X"
            self.write(row, column + 1, f"{abs(count)}{sign}", _WOOD_TEXT)
            return
        self._draw_checker(row, column + 1, count > 0, "")
        self.write(row, column + 5, str(abs(count)), _WOOD_TEXT)

    def draw_led(self, place: int, label: str, lamp: PlaceLight | None) -> None:
        row = 0 if _is_top(place) else self.size.height - 1
        column, width = self._left_column(place), self._width(place)
        if lamp is None:
            if label and place < 24:
                self.write(row, column, f" {label} ".center(width, "-" if self.plain else " "), _WOOD_TEXT)
            return
        sign = SIGNS[lamp.blink]
        red, green, blue = lamp.rgb
        ink = _DARK if 3 * red + 6 * green + blue > 1000 else _LIGHT
        self.write(row, column, f"{sign}{label}{sign}"[:width].center(width), ink, lamp.rgb)

    def _left_column(self, place: int) -> int:
        """The leftmost column of a place."""
        size = self.size
        if place in (TOP_BAR, BOTTOM_BAR):
            return 1 + 6 * size.point
        if place in (TOP_TRAY, BOTTOM_TRAY):
            return size.width - size.tray
        return 1 + place % 12 * size.point + (size.bar if place % 12 >= 6 else 0)

    def _width(self, place: int) -> int:
        if place in (TOP_BAR, BOTTOM_BAR):
            return self.size.bar
        return self.size.tray - 1 if place in (TOP_TRAY, BOTTOM_TRAY) else self.size.point

    def _rows(self, place: int) -> Sequence[int]:
        """The rows for the checkers of a place, from the edge inwards."""
        stack, height = self.size.stack, self.size.height
        return range(1, 1 + stack) if _is_top(place) else range(height - 2, height - 2 - stack, -1)

    def _draw_checker(self, row: int, column: int, light: bool, number: str) -> None:
        body, rim = (_LIGHT, _LIGHT_RIM) if light else (_DARK, _DARK_RIM)
        if self.plain:
            self.write(row, column, (number or ("O" if light else "X")).center(3), body)
        elif number:
            self.write(row, column, number.center(3), _DARK if light else _LIGHT, body)
        else:
            self.write(row, column, "▁▁▁", rim, body)


TRAY_WITH_CHECKER = 7
"""Least width of a tray, in columns, for a checker drawn beside the number."""


def _is_top(place: int) -> bool:
    return place < 12 or place in (TOP_BAR, TOP_TRAY)


def _ansi(row: Sequence[_Cell]) -> str:
    text, last = "", None
    for cell in row:
        look = (cell.ink, cell.ground)
        if look != last:
            ink, ground = (";".join(map(str, rgb)) for rgb in look)
            text += f"\x1b[38;2;{ink};48;2;{ground}m"
            last = look
        text += cell.char
    return text + "\x1b[0m"


def _legend(board: DrawnBoard, lamps: Sequence[PlaceLight]) -> Iterator[str]:
    groups: dict[tuple[str, Blink], list[str]] = {}
    for lamp in lamps:
        groups.setdefault((_colour_name(lamp.rgb), lamp.blink), []).append(board.label(lamp.place))
    for (name, blink), places in groups.items():
        yield f" {SIGNS[blink]} {name}, {blink.name.lower()}: {' '.join(places)}"


def _colour_name(rgb: RGB) -> str:
    def distance(name: str) -> int:
        return sum((a - b) ** 2 for a, b in zip(rgb, COLOUR_NAMES[name], strict=True))

    return min(COLOUR_NAMES, key=distance)
