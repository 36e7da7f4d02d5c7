"""Draws the stand from the side: its height, its reach, and the way of each cable."""

from collections.abc import Iterator

from hardware.plans.cables import CLAMP_MM, Cable, board_of, cables, column_away_mm, lens_for
from hardware.plans.rails import Rails

MARGIN_MM = 60.0
LETTERS_MM = 18.0
WORDS_MM = 640.0
"""Room for words beside the stand."""


def stand_svg(rails: Rails, height_mm: float) -> str:
    """A scale drawing of the stand over a board of these measures, seen from the side.

    height_mm: of the lens above the board.
    """
    board = board_of(rails)
    reach = column_away_mm(rails)
    left, top = -board.depth_mm / 2 - MARGIN_MM, -height_mm - 4 * LETTERS_MM - MARGIN_MM
    width, depth = (
        reach + 2 * MARGIN_MM + board.depth_mm / 2 + WORDS_MM,
        height_mm + 2 * MARGIN_MM + 8 * LETTERS_MM,
    )
    words = reach + MARGIN_MM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width / 2:.0f}" height="{depth / 2:.0f}" '
        f'viewBox="{left:.0f} {top:.0f} {width:.0f} {depth:.0f}" font-family="sans-serif" '
        f'font-size="{LETTERS_MM:g}">',
        f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{depth:.0f}" fill="white"/>',
        _box(left + 10, 40, reach + CLAMP_MM - left - 10, 18, "#c8b090"),
        _box(-board.depth_mm / 2, 0, board.depth_mm, 40, "#a5642d"),
        _box(reach - 10, -height_mm - 40, 20, height_mm + 80, "#999"),
        _box(-20, -height_mm - 44, reach + 30, 14, "#999"),
        _box(-60, -height_mm - 30, 90, 6, "#6080a0"),
        _box(-50, -height_mm - 46, 60, 8, "#2e7d32"),
        _box(-12, -height_mm - 24, 24, 24, "#333"),
        f'<path d="M{-board.depth_mm / 2:.0f} 0 L0 {-height_mm:.0f} L{board.depth_mm / 2:.0f} 0" fill="none" '
        'stroke="#bbb" stroke-dasharray="8 6" stroke-width="2"/>',
        *_cables(reach, height_mm),
        *_words(words, lens_for(rails, height_mm).name, height_mm, reach, cables(rails, height_mm)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}" fill="{colour}"/>'


def _cables(reach: float, height: float) -> Iterator[str]:
    """The three cables side by side from the Pi along the arm and down the column."""
    for i, colour in enumerate(("#d32f2f", "#1565c0", "#00838f")):
        away = 16 + 7 * i
        yield (
            f'<path d="M{10 - 8 * i} {-height - 44:.0f} V{-height - 44 - away / 2:.0f} H{reach + away:.0f} '
            f'V{34 - 6 * i}" fill="none" stroke="{colour}" stroke-width="4"/>'
        )


def _words(x: float, lens: str, height: float, reach: float, found: tuple[Cable, ...]) -> Iterator[str]:
    supply, patch, tray = (
        next(cable for cable in found if key in cable.name + cable.way)
        for key in ("the Pi's supply", "patch cable", "dice tray")
    )
    rows = [
        (f"{lens}, {height / 10:.0f} cm over the board, lens downwards", "#333"),
        ("Pi on the camera plate, ribbon of 15 or 20 cm", "#2e7d32"),
        (f"column {reach / 10:.0f} cm from the middle of the board, clamped to the table", "#666"),
        (f"the Pi's supply: {supply.length_mm / 1000:.2f} m, its own cable of 1.5 m", "#d32f2f"),
        (f"patch cable to LED 1: {patch.length_mm / 1000:.2f} m, buy {patch.buy_mm / 1000:g} m", "#1565c0"),
        (f"USB cable to the tray: {tray.length_mm / 1000:.2f} m, buy {tray.buy_mm / 1000:g} m", "#00838f"),
    ]
    for i, (text, colour) in enumerate(rows):
        y = -height + 2 * LETTERS_MM * i
        yield f'<text x="{x:.0f}" y="{y:.0f}" fill="{colour}">{text}</text>'
