"""Pictures of every view of the page: `python -m tests.controller.page.screenshots FOLDER [VIEW ...]`."""

import sys
import tempfile
from pathlib import Path

from tests.browser import PHONE, WIDE, chromium, opened
from tests.controller.page.paged_table import paged_table

GAME = ("31: 8/5 6/5", "64: 24/14", "double white", "take", "52: 13/8 24/22")
ANALYSIS_MS = 240_000
"""How long GNU Backgammon may take for three half-turns: it gets only what others leave of the processor."""
SETUP_STEPS = ("board", "sides", "start", "dice", "lights", "walk", "match")
VIEWS = (
    *("live", "correction", "other-dice", "put-right", "difference", "paused", "new-match", "camera"),
    *("matches", "no-matches", "match", "analysed", "share", "read-only", "setup", "live-german"),
)
SETUP_VIEWS = tuple(f"setup-{step}" for step in (*SETUP_STEPS, "german"))


def play_some(table):
    """A game with an offence on the board."""
    table.type(*GAME)
    table.hands.do_line("61")
    table.wait(2500)
    table.hands.do_line("13/5")
    table.wait(3500)


def show_view(page, table, view):
    """Bring a window to a view, and wait until it is there."""
    page.wait_for_selector("svg.board:visible")
    if table.service.is_paused is not (view == "paused"):
        table.type("pause" if view == "paused" else "go on")
    if view == "paused":
        page.wait_for_selector(".turn.paused")
    if view in ("correction", "other-dice", "put-right", "difference"):
        page.locator(".turn-button").first.click()
        page.wait_for_selector("dialog[open]")
    if view == "other-dice":
        page.get_by_label("Second die").select_option("2")
        page.wait_for_selector(".correction-plays .buttons")
    if view == "put-right":
        page.locator("dialog .places rect").nth(18).click()
    if view == "difference":
        page.locator("dialog .plays button").first.click()
        page.wait_for_selector(".difference")
    if view == "new-match":
        page.locator("summary[data-focus=resigning]").click()
        page.locator("[data-focus='new match']").click()
        page.wait_for_selector("dialog[open]")
    if view == "camera":
        page.click("nav a[href='#camera']")
        page.wait_for_selector(".camera-picture:visible")
    if view in ("matches", "no-matches", "match", "analysed"):
        page.click("nav a[href='#matches']")
        page.wait_for_selector(".match-entry")
    if view == "no-matches":
        page.fill("#search", "nobody")
        page.wait_for_selector(".match-entry", state="detached")
    if view in ("match", "analysed"):
        page.click(".match-entry")
        page.wait_for_selector(".stepper")
    if view == "analysed":
        begin = page.locator(".analysis button", has_text="GNU Backgammon")
        page.wait_for_selector(".analysis :is(button, progress)")
        if begin.count():
            begin.click()
        page.wait_for_selector(".curve", timeout=ANALYSIS_MS)
    if view == "share":
        page.click("nav a[href='#share']")
        page.wait_for_selector(".qr")
    if view.startswith("setup"):
        page.click("nav a[href='#setup']")
        page.wait_for_selector(".setup:visible")
    if view.startswith("setup-"):
        step = {"walk": "lights", "german": "start"}.get(
            view.removeprefix("setup-"), view.removeprefix("setup-")
        )
        page.wait_for_selector(".corner-picture, .setup-panel h2")
        page.locator(f".step[data-focus={step}]").click()
        page.wait_for_selector(f".step[data-focus={step}][aria-current]")
    if view == "setup-board":
        page.wait_for_selector(".step.well[data-focus=board]")
    if view in ("setup-start", "setup-german"):
        page.wait_for_selector(".step.ill[data-focus=start]")
    if view == "setup-lights":
        page.wait_for_selector("[data-focus=walk]")
    if view == "setup-walk":
        page.locator("[data-focus=walk]").click()
        page.wait_for_selector("[data-focus=right]")


def take_pictures(table, folder, views):
    with chromium() as browser:
        for view in views:
            language = "de-DE" if view.endswith("german") else "en-GB"
            url = table.url if view == "read-only" else table.invitation
            for name, size in (("phone", PHONE), ("wide", WIDE)):
                for scheme in ("light", "dark"):
                    with opened(browser, url, size=size, scheme=scheme, language=language) as page:
                        show_view(page, table, view)
                        whole = page.locator("dialog[open]").count() == 0
                        page.screenshot(path=folder / f"{view}-{name}-{scheme}.png", full_page=whole)


def main(arguments):
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    wanted = arguments[1:] or (*VIEWS, *SETUP_VIEWS)
    with tempfile.TemporaryDirectory() as kept, paged_table(Path(kept)) as table:
        play_some(table)
        take_pictures(table, folder, [view for view in VIEWS if view in wanted])
        with table.being_set_up():
            take_pictures(table, folder, [view for view in SETUP_VIEWS if view in wanted])


if __name__ == "__main__":
    main(sys.argv[1:])
