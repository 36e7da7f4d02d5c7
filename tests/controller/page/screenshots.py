"""Pictures of every view of the page: `python -m tests.controller.page.screenshots FOLDER [VIEW ...]`."""

import sys
import tempfile
from pathlib import Path

from tests.browser import PHONE, WIDE, chromium, opened
from tests.controller.page.paged_table import paged_table

GAME = ("31: 8/5 6/5", "64: 24/14", "double white", "take", "52: 13/8 24/22")
VIEWS = ("live", "correction", "camera", "matches", "match", "share", "read-only", "live-german")


def show_view(page, table, view):
    """Bring a window to a view, and wait until it is there."""
    page.wait_for_selector("svg.board:visible")
    if view == "correction":
        page.locator(".turn-button").first.click()
        page.wait_for_selector("dialog[open]")
    if view == "camera":
        page.click("nav a[href='#camera']")
        page.wait_for_selector(".camera-picture:visible")
    if view in ("matches", "match"):
        page.click("nav a[href='#matches']")
        page.wait_for_selector(".match-entry")
    if view == "match":
        page.click(".match-entry")
        page.wait_for_selector(".stepper")
    if view == "share":
        page.click("nav a[href='#share']")
        page.wait_for_selector(".qr")


def take_pictures(table, folder, views=VIEWS):
    with chromium() as browser:
        for view in views:
            language = "de-DE" if view.endswith("german") else "en-GB"
            url = table.url if view == "read-only" else table.invitation
            for name, size in (("phone", PHONE), ("wide", WIDE)):
                for scheme in ("light", "dark"):
                    with opened(browser, url, size=size, scheme=scheme, language=language) as page:
                        show_view(page, table, view)
                        page.screenshot(
                            path=folder / f"{view}-{name}-{scheme}.png", full_page=view != "correction"
                        )


def main(arguments):
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as kept, paged_table(Path(kept)) as table:
        table.type(*GAME)
        table.hands.do_line("61")
        table.wait(2500)
        table.hands.do_line("13/6")
        table.wait(3500)
        take_pictures(table, folder, arguments[1:] or VIEWS)


if __name__ == "__main__":
    main(sys.argv[1:])
