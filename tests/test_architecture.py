"""The house: arrows between the folders, and the size and the names of what lies in them."""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.paths import ROOT

PACKAGES = ("controller", "vision", "hardware", "sentences")
OUTSIDE_WORLD = {
    "asyncio",
    "cv2",
    "datetime",
    "lgpio",
    "random",
    "RPi",
    "serial",
    "sqlite3",
    "threading",
    "time",
}
MOST_MODULES_IN_A_FOLDER = 15
MOST_LINES_IN_A_MODULE = 400

MAY_IMPORT = {
    "sentences": (),
    "vision.networks": (),
    "vision.locate": ("vision.networks",),
    "vision.follow": (),
    "vision.read": ("vision.networks", "vision.follow"),
    "vision.dice": ("vision.networks",),
    "vision.photo": ("vision.networks", "vision.locate", "vision.dice", "vision.read"),
    "vision": (),
    "hardware.simulated": ("hardware",),
    "hardware.plans": ("hardware", "hardware.tray"),
    "hardware.tray": (),
    "hardware": (),
    "controller.rules.board": (),
    "controller.rules.laws": ("controller.rules.board",),
    "controller.rules.plays": ("controller.rules.board", "controller.rules.laws"),
    "controller.rules.notation": (
        "controller.rules.board",
        "controller.rules.laws",
        "controller.rules.plays",
    ),
    "controller.rules.match": (
        "controller.rules.board",
        "controller.rules.laws",
        "controller.rules.plays",
        "controller.rules.notation",
    ),
    "controller.rules.entering": (
        "controller.rules.board",
        "controller.rules.laws",
        "controller.rules.plays",
        "controller.rules.match",
        "controller.rules.notation",
    ),
    "controller.rules.openings": (
        "controller.rules.board",
        "controller.rules.laws",
        "controller.rules.plays",
        "controller.rules.match",
        "controller.rules.notation",
    ),
    "controller.rules": ("controller.rules",),
    "controller.referee": ("controller.rules", "controller.referee", "hardware.dice_events"),
    "controller.commands": ("controller.rules", "controller.referee"),
    "controller.record": (
        "controller.rules",
        "controller.referee",
        "controller.errors",
        "controller.options",
        "controller.printable",
    ),
    "controller.perception": (
        "controller.rules",
        "controller.referee",
        "controller.errors",
        "controller.options",
        "vision",
        "hardware",
    ),
    "controller.service": (
        "controller.rules",
        "controller.referee",
        "controller.commands",
        "controller.record",
        "controller.perception",
        "controller.errors",
        "controller.options",
        "controller.printable",
        "vision",
        "hardware",
    ),
    "controller.simulation": (
        "controller.rules",
        "controller.referee",
        "controller.record",
        "controller.perception",
        "controller.service",
        "controller.errors",
        "hardware",
    ),
    "controller.page": (
        "controller.rules",
        "controller.referee",
        "controller.commands",
        "controller.record",
        "controller.perception",
        "controller.service",
        "controller.errors",
        "controller.printable",
        "vision",
        "hardware",
    ),
    "controller.club.tournament": ("controller.errors", "controller.printable"),
    "controller.club.hall_store": ("controller.club.tournament", "controller.errors"),
    "controller.club.wire": (
        "controller.club.hall_store",
        "controller.page",
        "controller.service",
        "controller.perception",
        "controller.record",
        "controller.referee",
        "controller.rules",
        "controller.errors",
        "controller.options",
        "controller.printable",
    ),
    "controller.club.hall": (
        "controller.club",
        "controller.page",
        "controller.service",
        "controller.record",
        "controller.referee",
        "controller.rules",
        "controller.errors",
        "controller.options",
    ),
    "controller.cli": ("controller", "vision", "hardware"),
    "controller.data": (),
    "controller": (),
}
"""Each folder, and the folders of ours that it may import besides itself. The longest name counts.
All may import `sentences`.

The modules that lie in `vision` itself are values and geometry that every stage may use.
"""


def paths_of(package: str) -> list[Path]:
    """Every installed module of a package."""
    found = sorted(path for path in (ROOT / package).rglob("*.py") if "training" not in path.parts)
    assert found, f"{package} holds no module"
    return found


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in paths_of(package)
}
TRAINING = sorted((ROOT / "vision" / "training").rglob("*.py"))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(path: Path) -> set[str]:
    """Every module that a file imports."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            module = node.module or ""
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                found.add(inner if inner in MODULES else module)
    return found


def belongs(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


def folder_of(module: str) -> str:
    """The folder of MAY_IMPORT that a module lies in."""
    return max((folder for folder in MAY_IMPORT if belongs(module, folder)), key=len)


@pytest.mark.parametrize("module", MODULES)
def test_arrows_between_folders_point_one_way(module):
    folder = folder_of(module)
    allowed = (folder, "sentences", *MAY_IMPORT[folder])
    if belongs(module, "vision"):
        allowed += tuple(
            name for name, path in MODULES.items() if path.parent.name == "vision" and path.stem != "__init__"
        )
    ours = [name for name in imports_of(MODULES[module]) if name.split(".")[0] in PACKAGES]
    assert [name for name in ours if not any(belongs(name, one) for one in allowed)] == []


def test_drivers_run_without_plans_and_simulations():
    drivers = [path for path in paths_of("hardware") if path.parent.name == "hardware"]
    inner = ("hardware.plans", "hardware.tray", "hardware.simulated")
    found = {name for path in drivers for name in imports_of(path)}
    assert [name for name in found if any(belongs(name, folder) for folder in inner)] == []


def test_no_modules_import_each_other_in_a_circle():
    arrows = {
        module: {name for name in imports_of(path) if name in MODULES and name != module}
        for module, path in MODULES.items()
        if path.name != "__init__.py"
    }
    while True:
        ends = {module for module, onward in arrows.items() if not onward & arrows.keys()}
        if not ends:
            break
        arrows = {module: onward for module, onward in arrows.items() if module not in ends}
    assert sorted(arrows) == []


def test_no_folder_holds_more_modules_than_can_be_kept_in_mind():
    count = Counter(path.parent for path in MODULES.values() if path.name != "__init__.py")
    assert {str(folder) for folder, n in count.items() if n > MOST_MODULES_IN_A_FOLDER} == set()


BENCHMARKS = sorted((ROOT / "tests" / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("path", [*MODULES.values(), *BENCHMARKS], ids=str)
def test_no_module_is_longer_than_a_few_screens(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES_IN_A_MODULE


def test_no_two_modules_have_the_same_name():
    count = Counter(path.stem for path in MODULES.values() if path.stem not in ("__init__", "__main__"))
    assert {name for name, n in count.items() if n > 1} == set()


def test_no_two_public_classes_have_the_same_name():
    count = Counter(
        node.name
        for path in MODULES.values()
        for node in tree_of(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, n in count.items() if n > 1} == set()


def constants_of(path: Path) -> Iterator[tuple[str, str]]:
    """Each constant that a module assigns, alone or in a tuple, and how its value is written."""
    for node in tree_of(path).body:
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=parts)):
                values = [ast.unparse(part) for part in parts]
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=whole):
                values = [f"{ast.unparse(whole)}[{n}]" for n in range(len(targets))]
            case ast.Assign(targets=targets, value=whole):
                values = [ast.unparse(whole)] * len(targets)
            case ast.AnnAssign(target=target, value=ast.expr() as whole):
                targets, values = [target], [ast.unparse(whole)]
            case _:
                continue
        for target, value in zip(targets, values, strict=True):
            if isinstance(target, ast.Name) and target.id.isupper():
                yield target.id, value


def test_no_two_constants_share_a_name_and_differ_in_value():
    values: dict[str, set[str]] = {}
    for path in (*MODULES.values(), *TRAINING):
        for name, value in constants_of(path):
            values.setdefault(name, set()).add(value)
    assert {name for name, different in values.items() if len(different) > 1} == set()


@pytest.mark.parametrize("package", ["controller.rules", "controller.referee", "controller.club.tournament"])
def test_pure_parts_load_no_device_clock_or_picture(package):
    script = f"import sys, {package}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert not {"cv2", "serial", "RPi", "sqlite3"} & set(loaded)


@pytest.mark.parametrize(
    "path",
    [
        *paths_of("controller/rules"),
        *paths_of("controller/referee"),
        *paths_of("controller/commands"),
        *paths_of("controller/club/tournament"),
    ],
    ids=str,
)
def test_pure_parts_name_no_device_clock_or_thread(path):
    assert not {name.split(".")[0] for name in imports_of(path)} & OUTSIDE_WORLD
