"""A template to scale for the holes of the LEDs: printed, laid on the two rails, drilled through.

Lengths are in millimetres from the upper left corner of the field of points, x to the right, y down, seen
from above. Run as `python -m hardware.plans.drilling_template --field 500x430 --bar 40 --out FOLDER`.
"""

import argparse
from collections.abc import Iterator
from math import ceil
from pathlib import Path

from hardware.plans.cables import camera_height_mm, plan
from hardware.plans.rails import Hole, Rails, column_mm, holes
from hardware.plans.stand_drawing import stand_svg

PAGE_MM = (277.0, 190.0)
"""A landscape A4 sheet without the margin that printers need."""
OVERLAP_MM = 30.0
"""Width that two neighbouring sheets both show, so that no hole is cut in two."""


def whole_svg(rails: Rails) -> str:
    """Both rails on one sheet, to scale."""
    x, y, width, height = _extent(rails)
    return _svg(rails, x, y, width, height, "")


def page_svgs(rails: Rails) -> Iterator[tuple[str, str]]:
    """(name, SVG) of A4 sheets to print at 100 %: the upper and the lower rail, each split into pages."""
    x, y, width, height = _extent(rails)
    page_width, page_height = PAGE_MM
    strip = min(page_height, 4 * rails.rail_mm + 20)
    step = page_width - OVERLAP_MM
    n_pages = ceil((width - OVERLAP_MM) / step)
    for rail, top in (("upper", y), ("lower", y + height - strip)):
        for page in range(n_pages):
            name = f"{rail}-{page + 1}"
            yield (
                name,
                _svg(rails, x + page * step, top, page_width, strip, f"{rail} rail, sheet {page + 1}"),
            )


def _extent(rails: Rails) -> tuple[float, float, float, float]:
    """x, y, width, height of the whole drawing, with a margin."""
    width, depth = rails.field_mm
    edge = 10.0
    above = rails.rail_mm + edge
    return -edge, -above, width + rails.tray_mm + 2 * edge, depth + 2 * above


def _svg(rails: Rails, x: float, y: float, width: float, height: float, title: str) -> str:
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
        f'viewBox="{x:g} {y:g} {width:g} {height:g}" font-family="sans-serif" font-size="3.5">',
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="white"/>',
        *_field(rails),
        *(_hole(hole, rails) for hole in holes(rails)),
        *_scales(rails, x),
        f'<text x="{x + 2:g}" y="{y + 5:g}">{title}</text>' if title else "",
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _field(rails: Rails) -> Iterator[str]:
    width, depth = rails.field_mm
    line = 'fill="none" stroke="black" stroke-width="0.2"'
    yield f'<rect x="0" y="0" width="{width:g}" height="{depth:g}" {line}/>'
    for y in (-rails.rail_mm, depth):
        yield f'<rect x="0" y="{y:g}" width="{width + rails.tray_mm:g}" height="{rails.rail_mm:g}" {line}/>'
    for i in range(12):
        middle, half = column_mm(rails, i), rails.point_mm / 2
        for base, tip in ((0.0, 20.0), (depth, depth - 20.0)):
            yield (
                f'<path d="M{middle - half:g} {base:g} L{middle:g} {tip:g} L{middle + half:g} {base:g}" '
                f'fill="none" stroke="#999" stroke-width="0.2"/>'
            )


def _hole(hole: Hole, rails: Rails) -> str:
    x, y, r = hole.x_mm, hole.y_mm, rails.hole_mm / 2
    label_y = y + (-r - 1.5 if y < 0 else r + 4)
    return (
        f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{r:g}" fill="none" stroke="black" stroke-width="0.3"/>'
        f'<path d="M{x - r - 1:.3f} {y:.3f} h{2 * r + 2:g} M{x:.3f} {y - r - 1:.3f} v{2 * r + 2:g}" '
        f'stroke="black" stroke-width="0.1"/>'
        f'<text x="{x:.3f}" y="{label_y:.3f}" text-anchor="middle">{hole.place}</text>'
    )


def _scales(rails: Rails, left: float) -> Iterator[str]:
    """A rule beside each rail. Where it is not 100 mm long on paper, the printer has scaled the sheet.

    left: the left edge of the sheet.
    """
    start = left + 10
    for y in (26.0, rails.field_mm[1] - 24.0):
        rule = f"M{start:g} {y:g} h100 m-100 -1.5 v3 m100 -3 v3"
        yield f'<path d="{rule}" fill="none" stroke="black" stroke-width="0.2"/>'
        yield f'<text x="{start + 50:g}" y="{y - 1:g}" text-anchor="middle">100 mm</text>'


def main() -> None:
    """Write template.svg, its pages, stand.svg and cables.md (the lengths of all wires) into a folder."""
    parser = argparse.ArgumentParser(prog="python -m hardware.plans.drilling_template", description=__doc__)
    parser.add_argument("--field", required=True, type=_two_lengths, metavar="WIDTHxDEPTH", help="in mm")
    parser.add_argument("--bar", required=True, type=float, metavar="MM")
    parser.add_argument("--tray", default=50.0, type=float, metavar="MM", help="0 for a board without a tray")
    parser.add_argument(
        "--camera-height", type=float, metavar="MM", help="default: where a Camera Module 3 sees all of it"
    )
    parser.add_argument("--out", default=Path(), type=Path, metavar="FOLDER")
    options = parser.parse_args()
    try:
        rails = Rails(field_mm=options.field, bar_mm=options.bar, tray_mm=options.tray)
        height_mm = options.camera_height
        if height_mm is None:
            height_mm = camera_height_mm(rails)
        cables = plan(rails, height_mm)
    except ValueError as error:
        parser.error(str(error))
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "template.svg").write_text(whole_svg(rails))
    (options.out / "cables.md").write_text(cables)
    (options.out / "stand.svg").write_text(stand_svg(rails, height_mm))
    for name, svg in page_svgs(rails):
        (options.out / f"template-{name}.svg").write_text(svg)


def _two_lengths(text: str) -> tuple[float, float]:
    try:
        width, depth = (float(length) for length in text.split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError("needs two lengths in mm, such as 500x430") from None
    return width, depth


if __name__ == "__main__":
    main()
