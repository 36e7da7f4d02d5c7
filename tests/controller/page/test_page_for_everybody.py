"""Nothing keeps people from using the page, whatever they use it with: axe-core examines every view."""

import json
import os
import shutil
import subprocess
from itertools import cycle, product
from pathlib import Path

import pytest

from tests.browser import PHONE, WIDE, chromium, opened
from tests.controller.page.paged_table import paged_table
from tests.controller.page.screenshots import SETUP_VIEWS, VIEWS, play_some, show_view
from tests.peers import require_peer


@pytest.fixture(scope="module")
def browser():
    with chromium() as found:
        yield found


@pytest.fixture
def table(tmp_path):
    with paged_table(tmp_path) as found:
        yield found


@pytest.fixture(scope="module")
def axe(tmp_path_factory):
    """The text of axe-core (npm), which finds what keeps people from using a page."""
    folder = os.environ.get("BLOTLIGHT_AXE")
    if folder is None:
        require_peer(shutil.which("npm") is not None, "Debian's package npm, or BLOTLIGHT_AXE=FILE")
        made = tmp_path_factory.mktemp("axe")
        run = ["npm", "install", "--silent", "--no-audit", "--no-fund", "axe-core@4"]
        done = subprocess.run(run, cwd=made, capture_output=True, timeout=300, check=False)
        require_peer(done.returncode == 0, "npm's package axe-core")
        folder = made / "node_modules" / "axe-core" / "axe.min.js"
    return Path(folder).read_text(encoding="utf-8")


LOOKS = ((PHONE, "dark"), (WIDE, "light"))


def faults_of(browser, table, axe, views):
    """The serious and critical faults of views, each with its look."""
    found = []
    for view, (size, scheme) in views:
        with opened(browser, table.invitation, size=size, scheme=scheme) as page:
            show_view(page, table, view)
            page.evaluate(axe)
            report = page.evaluate("axe.run()")
            assert report["passes"]
            found += [
                f"{view} {scheme}: {fault['id']} {json.dumps(fault['nodes'][0]['target'])}"
                for fault in report["violations"]
                if fault["impact"] in ("serious", "critical")
            ]
    return found


def test_nothing_keeps_people_from_using_any_view(browser, table, axe):
    play_some(table)
    assert faults_of(browser, table, axe, product(VIEWS, LOOKS)) == []


def test_nothing_keeps_people_from_setting_the_board_up(browser, table, axe):
    table.type("31: 8/5 6/5")
    with table.being_set_up():
        assert faults_of(browser, table, axe, zip(SETUP_VIEWS, cycle(LOOKS), strict=False)) == []
