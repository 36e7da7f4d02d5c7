"""The tray's circuit as one table: the net of each pin of each part. Schematic and board are made from it.

Each phototransistor draws its current from the summing input of an amplifier, through the multiplexer. The
input stays at VREF, so the capacitance of a phototransistor slows nothing down. The output of the amplifier
rises by 47 kohm times the current. The firmware measures that output, dark and lit.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from hardware.tray import parts
from hardware.tray.parts import Kind, Role

N_SENSORS = 10
SELECT = ("D2", "D3", "D4", "D5")
"""Pins of the Nano that select the channel, S0 first."""
EMITTERS = ("D8", "D9")
"""Pins of the Nano that light well 1 and well 2."""
LEVELS = ("A0", "A1")
"""Pins of the Nano that measure well 1 and well 2."""

FEEDBACK_OHM = 47_000
SUPPLY_V = 5.0
REFERENCE_V = SUPPLY_V * 3.3 / (22 + 3.3)
LED_OHM = 68
LED_V = 1.45
"""Forward voltage of one LED at 30 mA, from the data sheet's curve and its 1.65 V at 100 mA."""
LED_MA = (SUPPLY_V - 2 * LED_V) / LED_OHM * 1000
N_STRINGS = 4
"""Strings of LEDs in a well, each of two in series."""


@dataclass(frozen=True, kw_only=True)
class Component:
    """A part on the board. nets: the net of each pin that is joined to one, by pin number."""

    ref: str
    kind: Kind
    nets: dict[str, str]

    @property
    def value(self) -> str:
        """The text beside it on a drawing."""
        return self.kind.name


def _component(ref: str, kind: Kind, nets: dict[str, str]) -> Component:
    """A part, from nets by pin name. Raises ValueError when a pin that is not OPEN has none."""
    given = {pin.number: nets[pin.name] for pin in kind.pins if pin.name in nets}
    left = [pin.name for pin in kind.pins if pin.number not in given and pin.role is not Role.OPEN]
    if left:
        raise ValueError(f"{kind.name}: no net for {', '.join(left)}")
    return Component(ref=ref, kind=kind, nets=given)


def _two_ends(ref: str, kind: Kind, one: str, other: str) -> Component:
    return Component(ref=ref, kind=kind, nets={"1": one, "2": other})


def _nano() -> Component:
    nets = {"GND": "GND", "5V": "+5V"}
    nets |= {pin: f"SEL{i}" for i, pin in enumerate(SELECT)}
    nets |= {pin: f"LIT{well}" for well, pin in enumerate(EMITTERS, 1)}
    nets |= {pin: f"LEVEL{well}" for well, pin in enumerate(LEVELS, 1)}
    return _component("A1", parts.NANO, nets)


def _shared() -> Iterator[Component]:
    yield _nano()
    amplifier = {
        "OUTA": "LEVEL1", "-INA": "SUM1", "+INA": "VREF", "VSS": "GND",
        "+INB": "VREF", "-INB": "SUM2", "OUTB": "LEVEL2", "VDD": "+5V",
    }  # fmt: skip
    yield _component("U3", parts.AMPLIFIER, amplifier)
    yield _two_ends("R5", parts.R22K, "+5V", "VREF")
    yield _two_ends("R6", parts.R3K3, "VREF", "GND")
    yield _two_ends("C3", parts.C100N, "+5V", "GND")
    yield _two_ends("C6", parts.C100N, "VREF", "GND")
    yield _two_ends("C7", parts.C22U, "+5V", "GND")
    yield _two_ends("C8", parts.C22U, "+5V", "GND")
    for i, net in enumerate(("GND", "+5V", "VREF", "LEVEL1", "LEVEL2"), 1):
        yield Component(ref=f"TP{i}", kind=parts.TEST_PAD, nets={"1": net})


def _well(well: int) -> Iterator[Component]:
    channels = {f"I{i}": f"W{well}I{i}" for i in range(N_SENSORS)}
    selects = {f"S{i}": f"SEL{i}" for i in range(4)}
    power = {"COM": f"SUM{well}", "/E": "GND", "GND": "GND", "VCC": "+5V"}
    yield _component(f"U{well}", parts.MULTIPLEXER, channels | selects | power)
    yield _two_ends(f"C{well}", parts.C100N, "+5V", "GND")
    yield _two_ends(f"R{2 + well}", parts.R47K, f"SUM{well}", f"LEVEL{well}")
    yield _two_ends(f"C{3 + well}", parts.C47P, f"SUM{well}", f"LEVEL{well}")
    yield _component(f"Q{well}", parts.SWITCH, {"G": f"GATE{well}", "S": "GND", "D": f"SINK{well}"})
    yield _two_ends(f"R{well}", parts.R100, f"LIT{well}", f"GATE{well}")
    yield _two_ends(f"R{6 + well}", parts.R100K, f"GATE{well}", "GND")
    for i in range(N_SENSORS):
        yield _component(f"Q{well}{i:02d}", parts.SENSOR, {"C": f"W{well}I{i}", "E": "GND"})
    for i in range(N_STRINGS):
        yield _two_ends(f"R{well}{i:02d}", parts.R68, "+5V", f"W{well}A{i}")
        yield _component(f"D{well}{i:02d}", parts.EMITTER, {"A": f"W{well}A{i}", "K": f"W{well}B{i}"})
        yield _component(
            f"D{well}{i + N_STRINGS:02d}", parts.EMITTER, {"A": f"W{well}B{i}", "K": f"SINK{well}"}
        )


COMPONENTS: tuple[Component, ...] = (*_shared(), *_well(1), *_well(2))


def nets(components: tuple[Component, ...] = COMPONENTS) -> dict[str, list[tuple[str, str]]]:
    """The pins on each net, as (reference, pin number)."""
    found: dict[str, list[tuple[str, str]]] = {}
    for component in components:
        for number, net in component.nets.items():
            found.setdefault(net, []).append((component.ref, number))
    return found


def continuity() -> str:
    """A Markdown table for checking the soldered board: every net with all its pins."""
    by_ref = {component.ref: component for component in COMPONENTS}
    rows = ["| net | pins that must be joined, and to nothing else |", "|---|---|"]
    for net, ends in nets().items():
        names = [f"{ref}.{number} {_pin_name(by_ref[ref], number)}".strip() for ref, number in ends]
        rows.append(f"| {net} | {', '.join(names)} |")
    return "\n".join(rows)


def _pin_name(component: Component, number: str) -> str:
    name = component.kind.pin(number).name
    return "" if name == number or component.kind is parts.TEST_PAD else f"({name})"


def problems(components: tuple[Component, ...] = COMPONENTS) -> list[str]:
    """The findings of an electrical rules check: an empty list when all is well."""
    by_ref = {component.ref: component for component in components}
    found = []
    if len(by_ref) != len(components):
        found.append("two parts have the same reference")
    for net, ends in nets(components).items():
        roles = [by_ref[ref].kind.pin(number).role for ref, number in ends]
        if len(ends) < 2:
            found.append(f"{net} has one end only: {ends[0]}")
        if Role.OPEN in roles:
            found.append(f"{net} is on a pin that is to stay open")
        if roles.count(Role.OUTPUT) + roles.count(Role.GIVES_POWER) > 1:
            found.append(f"{net} is driven by two outputs")
        driven = {Role.OUTPUT, Role.PASSIVE, Role.GIVES_POWER, Role.BOTH_WAYS} & set(roles)
        if Role.INPUT in roles and not driven:
            found.append(f"{net} is an input that nothing drives")
    for component in components:
        for pin in component.kind.pins:
            if pin.role is not Role.OPEN and pin.number not in component.nets:
                found.append(f"{component.ref}.{pin.number} {pin.name} is not joined to anything")
    return found


if __name__ == "__main__":
    print(continuity())
