"""Arrows between the parts point one way."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

OUTSIDE_WORLD = {
    "cv2",
    "serial",
    "RPi",
    "lgpio",
    "sqlite3",
    "time",
    "threading",
    "datetime",
    "random",
    "asyncio",
}


def imports_of(path: Path) -> set[str]:
    """Every module that a file names in an import, wherever in the file it stands."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add(node.module or "")
    return found


def modules(folder: str) -> list[Path]:
    paths = sorted((ROOT / folder).rglob("*.py"))
    assert paths, f"{folder} holds no module"
    return paths


def belongs(module: str, package: str) -> bool:
    return module == package or module.startswith(package + ".")


@pytest.mark.parametrize("path", [*modules("vision"), *modules("hardware")], ids=str)
def test_vision_and_hardware_know_nothing_of_the_game(path):
    assert not [name for name in imports_of(path) if belongs(name, "controller")]


@pytest.mark.parametrize("path", modules("vision"), ids=str)
def test_vision_knows_no_devices(path):
    assert not [name for name in imports_of(path) if belongs(name, "hardware")]


@pytest.mark.parametrize("path", modules("controller/rules"), ids=str)
def test_rules_know_only_rules(path):
    ours = [name for name in imports_of(path) if name.split(".")[0] in {"controller", "vision", "hardware"}]
    assert all(belongs(name, "controller.rules") for name in ours)


@pytest.mark.parametrize("path", modules("controller/referee"), ids=str)
def test_the_referee_knows_rules_and_dice_events_only(path):
    ours = [name for name in imports_of(path) if name.split(".")[0] in {"controller", "vision", "hardware"}]
    allowed = ("controller.rules", "controller.referee", "hardware.dice_events")
    assert all(any(belongs(name, package) for package in allowed) for name in ours)


@pytest.mark.parametrize("package", ["controller.rules", "controller.referee"])
def test_pure_parts_load_no_device_clock_or_picture(package):
    script = f"import sys, {package}; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert not {"cv2", "serial", "RPi", "sqlite3"} & set(loaded)


@pytest.mark.parametrize("path", [*modules("controller/rules"), *modules("controller/referee")], ids=str)
def test_pure_parts_name_no_device_clock_or_thread(path):
    assert not {name.split(".")[0] for name in imports_of(path)} & OUTSIDE_WORLD
