"""The tray's circuit as a KiCad schematic. Run as `python -m hardware.tray.kicad_schematic` to write
tray.kicad_sch.

Each part is a box whose pins carry the names of their nets in the netlist. Nets of the same name are joined.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from hardware.tray.kicad_board import identity
from hardware.tray.netlist import COMPONENTS, Component
from hardware.tray.parts import Kind, Pin, Role

STEP_MM = 2.54
FLAGGED_NET = "GND"
"""The net with a power flag, as KiCad must know where power comes from. +5V comes from a pin of the Nano."""
FLAG_PLACE = f"{STEP_MM * 8:.2f} {STEP_MM * 12:.2f}"
SHEET_HEIGHT_MM = 380.0
COLUMN_MM = 61 * 1.27
SHEET_ID = identity("sheet")
FLAG_ID = identity("flag", 0)
SHOWN = "(effects (font (size 1.27 1.27)))"
HIDDEN = "(effects (font (size 1.27 1.27)) hide)"
PROPERTIES = ("Reference", "Value", "Footprint", "Datasheet")


def schematic_text() -> str:
    """The text of the .kicad_sch file."""
    kinds = {component.kind.name: component.kind for component in COMPONENTS}
    placed = list(_arranged())
    lines = [
        "(kicad_sch (version 20211123) (generator blotlight)",
        f"  (uuid {SHEET_ID})",
        '  (paper "A2")',
        '  (title_block (title "Blotlight dice tray") (rev "1"))',
        "  (lib_symbols",
        *(line for kind in kinds.values() for line in _library_symbol(kind)),
        *_flag_symbol(),
        "  )",
        *(line for component, x, y in placed for line in _ends(component, x, y)),
        _label(FLAGGED_NET, FLAG_PLACE, 180, identity("flag label", 0)),
        *(line for component, x, y in placed for line in _symbol(component, x, y)),
        *_flag(),
        '  (sheet_instances (path "/" (page "1")))',
        "  (symbol_instances",
        *(_instance(component) for component in COMPONENTS),
        f'    (path "/{FLAG_ID}" (reference "#FLG01") (unit 1) (value "PWR_FLAG") (footprint ""))',
        "  )",
        ")",
    ]
    return "\n".join(lines) + "\n"


def _rows(kind: Kind) -> tuple[list[Pin], list[Pin]]:
    """The pins of the left and of the right side from the top, numbered round the package."""
    half = (len(kind.pins) + 1) // 2
    return list(kind.pins[:half]), list(kind.pins[half:][::-1])


def _height_mm(kind: Kind) -> float:
    return STEP_MM * (len(_rows(kind)[0]) + 1)


def _half_width_mm(kind: Kind) -> float:
    longest = max(len(pin.name) for pin in kind.pins)
    return STEP_MM * (2 if longest < 3 else 4)


def _arranged() -> Iterator[tuple[Component, float, float]]:
    """(part, x, y) in columns from top to bottom, parts of one kind together."""
    x, y = COLUMN_MM, 12 * STEP_MM
    order = sorted(COMPONENTS, key=lambda component: (-len(component.kind.pins), component.kind.name))
    for _, same in groupby(order, key=lambda component: component.kind.name):
        for component in same:
            if y + _height_mm(component.kind) > SHEET_HEIGHT_MM:
                x, y = x + COLUMN_MM, 12 * STEP_MM
            yield component, round(x, 2), round(y, 2)
            y += _height_mm(component.kind) + 3 * STEP_MM


def _pin_places(kind: Kind) -> Iterator[tuple[Pin, float, float, int]]:
    """(pin, x, y, angle): its outer end from the upper middle of the symbol, y down, and the angle at which
    it points inwards."""
    out = _half_width_mm(kind) + STEP_MM
    for side, pins in ((-1, _rows(kind)[0]), (1, _rows(kind)[1])):
        for i, pin in enumerate(pins):
            yield pin, side * out, STEP_MM * (i + 1), 0 if side < 0 else 180


def _library_symbol(kind: Kind) -> Iterator[str]:
    name = _symbol_name(kind)
    width, height = _half_width_mm(kind), _height_mm(kind)
    yield f'    (symbol "blotlight:{name}" (in_bom yes) (on_board yes)'
    yield from _hidden_properties("U", kind.name, f"blotlight:{kind.footprint}", "")
    yield f'      (symbol "{name}_0_1"'
    yield (
        f"        (rectangle (start {-width:.2f} 0) (end {width:.2f} {-height:.2f}) "
        "(stroke (width 0.254)) (fill (type background))))"
    )
    yield f'      (symbol "{name}_1_1"'
    for pin, x, y, angle in _pin_places(kind):
        yield (
            f"        (pin {pin.role.value} line (at {x:.2f} {-y:.2f} {angle}) (length {STEP_MM}) "
            f'(name "{pin.name}" {SHOWN}) '
            f'(number "{pin.number}" {SHOWN}))'
        )
    yield "      ))"


def _hidden_properties(*values: str) -> Iterator[str]:
    for i, (key, value) in enumerate(zip(PROPERTIES, values, strict=True)):
        yield f'      (property "{key}" "{value}" (id {i}) (at 0 0 0) {HIDDEN})'


def _symbol_name(kind: Kind) -> str:
    return kind.name.replace(" ", "_").replace(".", "_")


def _flag_symbol() -> Iterator[str]:
    yield '    (symbol "blotlight:PWR_FLAG" (power) (in_bom no) (on_board no)'
    yield from _hidden_properties("#FLG", "PWR_FLAG", "", "")
    yield '      (symbol "PWR_FLAG_1_1" (pin power_out line (at 0 0 90) (length 2.54)'
    yield f'        (name "pwr" {SHOWN}) (number "1" {SHOWN}))))'


def _ends(component: Component, x: float, y: float) -> Iterator[str]:
    """A label with the net's name at each pin, or a cross where the pin is open."""
    for pin, pin_x, pin_y, angle in _pin_places(component.kind):
        place = f"{x + pin_x:.2f} {y + pin_y:.2f}"
        net = component.nets.get(pin.number)
        if net is None:
            assert pin.role is Role.OPEN
            yield f"  (no_connect (at {place}) (uuid {identity('open', component.ref, pin.number)}))"
        else:
            yield _label(net, place, 180 if angle == 0 else 0, identity("label", component.ref, pin.number))


def _label(net: str, place: str, angle: int, name: str) -> str:
    justify = "right" if angle == 180 else "left"
    return (
        f'  (global_label "{net}" (shape passive) (at {place} {angle}) '
        f"(effects (font (size 1.27 1.27)) (justify {justify})) (uuid {name}))"
    )


def _flag() -> Iterator[str]:
    yield f'  (symbol (lib_id "blotlight:PWR_FLAG") (at {FLAG_PLACE} 0) (unit 1)'
    yield f"    (in_bom no) (on_board no) (uuid {FLAG_ID})"
    yield f'    (property "Reference" "#FLG01" (id 0) (at 0 0 0) {HIDDEN})'
    yield f'    (property "Value" "PWR_FLAG" (id 1) (at 0 0 0) {HIDDEN})'
    yield f'    (pin "1" (uuid {identity("flag pin", 0)})))'


def _symbol(component: Component, x: float, y: float) -> Iterator[str]:
    kind = component.kind
    name = identity("symbol", component.ref)
    in_bom = "yes" if kind.maker else "no"
    yield (
        f'  (symbol (lib_id "blotlight:{_symbol_name(kind)}") (at {x:.2f} {y:.2f} 0) (unit 1) '
        f"(in_bom {in_bom}) (on_board yes)"
    )
    yield f"    (uuid {name})"
    above, below = y - 1.27, y + _height_mm(kind) + 1.27
    values = (component.ref, component.value, f"blotlight:{kind.footprint}", "")
    shown = ((above, SHOWN), (below, SHOWN), (y, HIDDEN), (y, HIDDEN))
    for i, (key, value, (at, font)) in enumerate(zip(PROPERTIES, values, shown, strict=True)):
        yield f'    (property "{key}" "{value}" (id {i}) (at {x:.2f} {at:.2f} 0) {font})'
    for pin in kind.pins:
        yield f'    (pin "{pin.number}" (uuid {identity("pin", component.ref, pin.number)}))'
    yield "  )"


def _instance(component: Component) -> str:
    return (
        f'    (path "/{identity("symbol", component.ref)}" (reference "{component.ref}") (unit 1) '
        f'(value "{component.value}") (footprint "blotlight:{component.kind.footprint}"))'
    )


if __name__ == "__main__":
    Path(__file__).with_name("tray.kicad_sch").write_text(schematic_text())
