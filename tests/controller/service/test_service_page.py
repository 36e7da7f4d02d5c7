"""docs/service.md, and the unit for systemd, are what the program does."""

import re
import shutil
import subprocess
import sys

from controller.referee.words.command_help import GAME_HELP, help_lines
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


def test_systemd_takes_the_unit(tmp_path):
    require_peer(shutil.which("systemd-analyze"), "systemd's systemd-analyze")
    unit = (ROOT / "hardware" / "blotlight.service").read_text()
    (tmp_path / "blotlight.service").write_text(unit.replace("/opt/blotlight/bin/blotlight", sys.executable))
    verdict = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / "blotlight.service")], capture_output=True, text=True
    )
    assert (verdict.returncode, verdict.stderr) == (0, "")
