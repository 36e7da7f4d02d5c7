"""docs/service.md, and the unit for systemd, are what the program does."""

import re
import shutil
import subprocess
import sys

import pytest

from controller.commands.typed_commands import GAME_HELP, help_lines
from controller.service.settings import load_settings
from controller.simulation.typed_table import TABLE_HELP
from tests.paths import ROOT
from tests.peers import require_peer

PAGE = (ROOT / "docs" / "service.md").read_text(encoding="utf-8")


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def test_the_settings_on_the_page_can_be_read(tmp_path):
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, flags=re.DOTALL)
    (tmp_path / "blotlight.toml").write_text(example)
    assert load_settings(tmp_path / "blotlight.toml", tmp_path).match.length == 7


def test_the_page_lists_what_can_be_typed():
    page = squeezed(PAGE)
    known = squeezed("\n".join(help_lines((*GAME_HELP, *TABLE_HELP))))
    assert not [line for line in known if line not in page]


MOST_EXPOSURE = 2.5
"""What systemd-analyze may say of the unit at most, with the page open: 0 is best, 10 worst."""


@pytest.fixture
def unit(tmp_path):
    """The unit, with a program that this machine has."""
    require_peer(shutil.which("systemd-analyze"), "systemd's systemd-analyze")
    text = (ROOT / "deb" / "blotlight.service").read_text()
    (tmp_path / "blotlight.service").write_text(text.replace("/usr/bin/blotlight", sys.executable))
    return tmp_path / "blotlight.service"


def test_systemd_takes_the_unit(unit):
    verdict = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True)
    assert (verdict.returncode, verdict.stderr) == (0, "")


def test_the_unit_has_few_rights(unit):
    asked = ["systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)]
    verdict = subprocess.run(asked, capture_output=True, text=True)
    (exposure,) = re.findall(r"Overall exposure level for \S+: ([\d.]+)", verdict.stdout)
    assert float(exposure) < MOST_EXPOSURE
