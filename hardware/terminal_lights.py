"""The board drawn in the terminal, with its lit places: the twin of the LED strip.

Places are those of the picture (see hardware/light_port.py), so the drawing is the board as the camera sees
it. Counts are signed: light checkers positive, dark ones negative.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from hardware.light_port import BOTTOM_BAR, BOTTOM_TRAY, TOP_BAR, TOP_TRAY, Blink, PlaceLight

RGB = tuple[int, int, int]

# Sizes of the drawing in characters, chosen by eye.
POINT_WIDTH = 5
BAR_WIDTH = 7
TRAY_WIDTH = 8
STACK_HEIGHT = 5
"""Checkers drawn one above the other; a taller stack says its number on the last."""
DRAWING_WIDTH = 1 + 6 * POINT_WIDTH + BAR_WIDTH + 6 * POINT_WIDTH + 1 + TRAY_WIDTH
_TOP_LEDS, _TOP_TIP, _MIDDLE, _BOTTOM_TIP, _BOTTOM_LEDS = 0, 1, 6, 11, 12
DRAWING_HEIGHT = _BOTTOM_LEDS + 1

SIGNS = {Blink.STEADY: "*", Blink.SLOW: "~", Blink.FAST: "!", Blink.ONCE: "+"}
"""What stands on both sides of a lit place's number, so that its meaning does not rest on colour."""

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
_TAPER = (5, 5, 3, 3, 1)
"""How many cells wide a point is, from its base to its tip."""


@dataclass(frozen=True, kw_only=True)
class DrawnBoard:
    """What lies on the board: signed counts, light positive.

    points: for each of the 24 places of the picture.
    bar, off: in the upper and the lower half of the bar, in the upper and the lower tray.
    labels: what to call each of the 24 places, such as its point's number.
    """

    points: Sequence[int] = (0,) * 24
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)
    labels: Sequence[str] = ("",) * 24

    def label(self, place: int) -> str:
        """What to call any place, bar halves and trays too."""
        named = {TOP_BAR: "bar", BOTTOM_BAR: "bar", TOP_TRAY: "off", BOTTOM_TRAY: "off"}
        return named[place] if place in named else self.labels[place]


def render_board(board: DrawnBoard, lamps: Sequence[PlaceLight] = (), *, colour: bool = True) -> str:
    """The board as text of 77 columns, with a line that names the lit places if there are any.

    With `colour`, in 24-bit ANSI colours; without, in plain ASCII with O for light and X for dark checkers.
    """
    canvas = _Canvas(plain=not colour)
    _draw_wood(canvas)
    for place in range(24):
        _draw_point(canvas, place, board.points[place])
    for half, place in enumerate((TOP_BAR, BOTTOM_BAR)):
        _draw_stack(canvas, place, board.bar[half])
        _draw_tray(canvas, (TOP_TRAY, BOTTOM_TRAY)[half], board.off[half])
    lit = {lamp.place: lamp for lamp in lamps}
    for place in range(BOTTOM_TRAY + 1):
        _draw_led(canvas, place, board.label(place), lit.get(place))
    return "\n".join([*canvas.lines(), *_legend(board, lamps)])


class TerminalLights:
    """Lights that are drawn: the board is written anew whenever it or its lit places change."""

    def __init__(self, out: TextIO, board: DrawnBoard | None = None, *, colour: bool = True) -> None:
        self._out = out
        self._colour = colour
        self._board = board or DrawnBoard()
        self._lamps: tuple[PlaceLight, ...] = ()
        self._drawn = ""

    def show_board(self, board: DrawnBoard) -> None:
        """What lies on the board from now on."""
        self._board = board
        self._write()

    def show(self, lamps: Sequence[PlaceLight]) -> None:
        """Light these and no others."""
        self._lamps = tuple(lamps)
        self._write()

    def close(self) -> None:
        """All dark."""
        self.show(())

    def _write(self) -> None:
        drawing = render_board(self._board, self._lamps, colour=self._colour)
        if drawing != self._drawn:
            self._drawn = drawing
            self._out.write(drawing + "\n")
            self._out.flush()


@dataclass
class _Cell:
    char: str = " "
    ink: RGB = _WOOD_TEXT
    ground: RGB = _FELT


@dataclass
class _Canvas:
    """Cells to draw on: rows of DRAWING_WIDTH characters, each with its colours."""

    plain: bool
    cells: list[list[_Cell]] = field(
        default_factory=lambda: [[_Cell() for _ in range(DRAWING_WIDTH)] for _ in range(DRAWING_HEIGHT)]
    )

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


def _draw_wood(canvas: _Canvas) -> None:
    bar, right = 1 + 6 * POINT_WIDTH, DRAWING_WIDTH - TRAY_WIDTH - 1
    for row in range(DRAWING_HEIGHT):
        edge = row in (_TOP_LEDS, _BOTTOM_LEDS)
        for column, width in ((0, 1), (bar, BAR_WIDTH), (right, 1)):
            canvas.fill(row, column, width, _WOOD)
            canvas.fill(row, column, 1, _WOOD, "|")
            canvas.fill(row, column + width - 1, 1, _WOOD, "|")
        canvas.fill(row, right + 1, TRAY_WIDTH, _WOOD)
        canvas.fill(row, DRAWING_WIDTH - 1, 1, _WOOD, "|")
        if edge:
            canvas.fill(row, 0, DRAWING_WIDTH, _WOOD, "-")


def _left_column(place: int) -> int:
    """The first of the columns that a place takes up."""
    if place in (TOP_BAR, BOTTOM_BAR):
        return 1 + 6 * POINT_WIDTH
    if place in (TOP_TRAY, BOTTOM_TRAY):
        return DRAWING_WIDTH - TRAY_WIDTH
    return 1 + place % 12 * POINT_WIDTH + (BAR_WIDTH if place % 12 >= 6 else 0)


def _width(place: int) -> int:
    if place in (TOP_BAR, BOTTOM_BAR):
        return BAR_WIDTH
    return TRAY_WIDTH - 1 if place in (TOP_TRAY, BOTTOM_TRAY) else POINT_WIDTH


def _is_top(place: int) -> bool:
    return place < 12 or place in (TOP_BAR, TOP_TRAY)


def _rows(place: int) -> Sequence[int]:
    """The rows in which a place's checkers lie, from the edge inwards."""
    return range(_TOP_TIP, _MIDDLE) if _is_top(place) else range(_BOTTOM_TIP, _MIDDLE, -1)


def _draw_point(canvas: _Canvas, place: int, count: int) -> None:
    colour = _POINT_COLOURS[(place + place // 12) % 2]
    middle = _left_column(place) + POINT_WIDTH // 2
    for row, width in zip(_rows(place), _TAPER, strict=True):
        canvas.fill(row, middle - width // 2, width, colour)
        if canvas.plain:
            canvas.write(row, middle, ":" if place % 2 else ".", _WOOD_TEXT)
    _draw_stack(canvas, place, count)


def _draw_stack(canvas: _Canvas, place: int, count: int) -> None:
    column = _left_column(place) + _width(place) // 2 - 1
    rows = _rows(place)[: abs(count)]
    for i, row in enumerate(rows):
        last = i == STACK_HEIGHT - 1 and abs(count) > STACK_HEIGHT
        _draw_checker(canvas, row, column, count > 0, str(abs(count)) if last else "")


def _draw_checker(canvas: _Canvas, row: int, column: int, light: bool, number: str) -> None:
    body, rim = (_LIGHT, _LIGHT_RIM) if light else (_DARK, _DARK_RIM)
    if canvas.plain:
        canvas.write(row, column, (number or ("O" if light else "X")).center(3), body)
    elif number:
        canvas.write(row, column, number.center(3), _DARK if light else _LIGHT, body)
    else:
        canvas.write(row, column, "▁▁▁", rim, body)


def _draw_tray(canvas: _Canvas, place: int, count: int) -> None:
    if count == 0:
        return
    row = _rows(place)[0]
    column = _left_column(place)
    _draw_checker(canvas, row, column + 1, count > 0, "")
    canvas.write(row, column + 5, str(abs(count)), _WOOD_TEXT)


def _draw_led(canvas: _Canvas, place: int, label: str, lamp: PlaceLight | None) -> None:
    row = _TOP_LEDS if _is_top(place) else _BOTTOM_LEDS
    column, width = _left_column(place), _width(place)
    if lamp is None:
        if label and place < 24:
            canvas.write(row, column, f" {label} ".center(width, "-" if canvas.plain else " "), _WOOD_TEXT)
        return
    sign = SIGNS[lamp.blink]
    red, green, blue = lamp.rgb
    ink = _DARK if 3 * red + 6 * green + blue > 1000 else _LIGHT
    canvas.write(row, column, f"{sign}{label}{sign}".center(width), ink, lamp.rgb)


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
