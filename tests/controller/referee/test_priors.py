"""Every tuned number of the referee stands in one table, with its unit and its source."""

import ast

import pytest

from tests.paths import ROOT

REFEREE = ROOT / "controller" / "referee"
UNITS = ("Nats", "Log-odds in nats", "Probability", "Count", "ms")
SOURCES = ("guess", "law: ", "measured: ")
NOT_TUNED = {
    "MATCH_ID_LENGTH",
    "POSITION_ID_LENGTH",
    "XGID_COLONS",
    "MAX_COUNT",
    "N_ROWS",
    "N_COLUMNS",
    "COLUMN",
    "BOARD_BYTES",
    "_FLAT",
}
"""Sizes of arrays."""


def table() -> dict[str, str]:
    """Each name of priors.py with the docstring below it, "" if there is none."""
    body = ast.parse((REFEREE / "priors.py").read_text(encoding="utf-8")).body
    found = {}
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.Assign):
            says = after.value.value if isinstance(after, ast.Expr) else ""
            found[node.targets[0].id] = says
    return found


def numbers(path) -> set[str]:
    """The names of a module's constants that are made of numbers only."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign):
            names = [name.id for name in ast.walk(node.value) if isinstance(name, ast.Name)]
            constants = [part for part in ast.walk(node.value) if isinstance(part, ast.Constant)]
            is_number = constants and all(isinstance(part.value, int | float) for part in constants)
            if is_number and set(names) <= {"math"} | NOT_TUNED | {"N_PLACES"}:
                found |= {target.id for target in ast.walk(node.targets[0]) if isinstance(target, ast.Name)}
    return found


@pytest.mark.parametrize(("name", "says"), table().items())
def test_each_prior_has_a_meaning_a_unit_and_a_source(name, says):
    meaning, unit_and_source = says.rstrip(".").rsplit(". ", 1)
    unit, source = unit_and_source.split("; ", 1)
    assert len(meaning) > 10
    assert unit in UNITS
    assert source == "guess" or source.startswith(SOURCES[1:])
    assert name.endswith("_NATS") == (unit in ("Nats", "Log-odds in nats"))
    assert name.endswith("_MS") == (unit == "ms")


def test_no_other_module_of_the_referee_holds_a_tuned_number():
    elsewhere = {name for path in REFEREE.rglob("*.py") if path.name != "priors.py" for name in numbers(path)}
    assert elsewhere <= NOT_TUNED
