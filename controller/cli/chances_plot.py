"""The chances of being hit and of entering, drawn as SVG. Lengths are in the drawing's own units."""

from collections.abc import Iterator

from controller.rules.openings.odds import (
    N_THROWS,
    PRINTED_HITTING,
    entering_table,
    hitting_table,
    misprinted,
)
from controller.rules.openings.opening_book import Book
from sentences import say

# Layout of the drawing, chosen by eye.
PLOT_SIZE_WH = (980, 430)
TOP, BOTTOM = 70, 350
LEFT_HITTING, LEFT_ENTERING = 60, 760
STEP = 27
PLOT_BAR_WIDTH = 18

INK_COLOUR, GRID_COLOUR, PAPER_COLOUR = "#222222", "#d0d0d0", "#ffffff"
COUNTED_COLOUR, MISPRINT_COLOUR = "#7a9cc6", "#b00020"


def plot() -> str:
    """The drawing: a bar for each count, a ring for the odds in the Britannica, red where they are wrong."""
    width, height = PLOT_SIZE_WH
    marks = [
        *_grid_lines(LEFT_HITTING, 24, 18, 6),
        *_bars(LEFT_HITTING, hitting_table(), 18),
        *_printed(),
        *_grid_lines(LEFT_ENTERING, 7, N_THROWS, 12),
        *_bars(LEFT_ENTERING, entering_table(), N_THROWS),
        *_titles(),
    ]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" font-size="12" fill="{INK_COLOUR}">',
            f"<title>{say('chances_drawn')}</title>",
            f'<rect width="{width}" height="{height}" fill="{PAPER_COLOUR}"/>',
            *marks,
            "</svg>",
            "",
        ]
    )


def _titles() -> Iterator[str]:
    yield _svg_text(LEFT_HITTING, 28, say("throws_that_hit"), anchor="start", size=16)
    yield _svg_text(LEFT_HITTING + 12 * STEP, BOTTOM + 42, say("points_away"))
    yield _svg_text(LEFT_ENTERING, 28, say("throws_that_enter"), anchor="start", size=16)
    yield _svg_text(LEFT_ENTERING + 3.5 * STEP, BOTTOM + 42, say("points_held"))
    x, y = LEFT_HITTING + 14 * STEP, TOP + 14
    yield _ring(x, y, INK_COLOUR)
    yield _svg_text(x + 12, y + 4, say("as_britannica_prints"), anchor="start")


def _grid_lines(left: float, n_bars: int, most: int, every: int) -> Iterator[str]:
    right = left + n_bars * STEP
    for count in range(0, most + 1, every):
        y = _y(count, most)
        yield f'<line x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="{GRID_COLOUR}"/>'
        yield _svg_text(left - 8, y + 4, str(count), anchor="end")


def _bars(left: float, counts: dict[int, int], most: int) -> Iterator[str]:
    for index, (name, count) in enumerate(counts.items()):
        x, y = left + (index + 0.5) * STEP, _y(count, most)
        if count:
            yield (
                f'<rect x="{x - PLOT_BAR_WIDTH / 2:.1f}" y="{y:.1f}" width="{PLOT_BAR_WIDTH}" '
                f'height="{BOTTOM - y:.1f}" fill="{COUNTED_COLOUR}"/>'
            )
        yield _svg_text(x, y - 10, str(count))
        yield _svg_text(x, BOTTOM + 18, str(name))


def _printed() -> Iterator[str]:
    """The Britannica's odds as rings over the bars; wrong ones are labelled."""
    wrong = misprinted(Book.BRITANNICA)
    for distance, (against, chances) in PRINTED_HITTING[Book.BRITANNICA].items():
        x, y = LEFT_HITTING + (distance - 0.5) * STEP, _y(chances, 18)
        yield _ring(x, y, MISPRINT_COLOUR if distance in wrong else INK_COLOUR)
        if distance in wrong:
            right = say("odds", on=wrong[distance][0], against=wrong[distance][1])
            printed = say("odds", on=against, against=chances)
            yield f'<path d="M {x + 6} {y} h 8 v -62 h 8" fill="none" stroke="{MISPRINT_COLOUR}"/>'
            words = say("misprinted_odds", printed=printed, right=right)
            yield _svg_text(x + 26, y - 58, words, anchor="start", colour=MISPRINT_COLOUR)


def _ring(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="none" stroke="{colour}" stroke-width="2"/>'


def _svg_text(
    x: float, y: float, words: str, *, anchor: str = "middle", size: int = 12, colour: str = INK_COLOUR
) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
    halo = f'stroke="{PAPER_COLOUR}" stroke-width="4" paint-order="stroke"'
    return f'<text {place} fill="{colour}" {halo}>{words}</text>'


def _y(count: int, most: int) -> float:
    return BOTTOM - (BOTTOM - TOP) * count / most
