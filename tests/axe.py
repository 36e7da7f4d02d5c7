"""axe-core (npm), which finds what keeps people from using a page."""

import json
import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.peers import require_peer


@cache
def axe_text():
    """The script, from the file that BLOTLIGHT_AXE names or from npm; skips the test without either."""
    file = os.environ.get("BLOTLIGHT_AXE")
    if file is not None:
        return Path(file).read_text(encoding="utf-8")
    require_peer(shutil.which("npm") is not None, "Debian's package npm, or BLOTLIGHT_AXE=FILE")
    with TemporaryDirectory() as folder:
        run = ["npm", "install", "--silent", "--no-audit", "--no-fund", "axe-core@4"]
        done = subprocess.run(run, cwd=folder, capture_output=True, timeout=300, check=False)
        require_peer(done.returncode == 0, "npm's package axe-core")
        return (Path(folder) / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


def grave_faults(page, view):
    """The serious and critical faults of a page as it is shown now; view: names it."""
    page.evaluate(axe_text())
    report = page.evaluate("axe.run()")
    assert report["passes"]
    return [
        f"{view}: {fault['id']} {json.dumps(fault['nodes'][0]['target'])}"
        for fault in report["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
