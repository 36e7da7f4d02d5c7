"""Setting a board up on the page: from nothing to the first recorded roll, on the simulated table."""

import tomllib

from tests.browser import PHONE, opened, wait_for
from tests.controller.page.played_table import played_table


def at_step(page, name):
    page.wait_for_selector(f".step[data-focus={name}][aria-current]")


def go_on(page, name):
    page.get_by_role("button", name="Next").click()
    at_step(page, name)


def test_a_refusal_stays_when_the_same_is_refused_again(browser, table):
    (table.folder / "blotlight.toml").mkdir()  # where the settings should be written
    table.type("31: 8/5 6/5")
    with table.being_set_up(), opened(browser, table.invitation) as page:
        page.click("nav a[href='#setup']")
        keep = page.locator("[data-focus=keep]:enabled")
        keep.click()
        problem = page.locator(".setup .problem:not(:empty)")
        problem.wait_for()
        with page.expect_response("**/setup?*"):
            keep.click()
        assert "cannot be written" in problem.inner_text()


def test_from_nothing_to_the_first_recorded_roll(browser, tmp_path):
    settings = tmp_path / "blotlight.toml"
    settings.write_text("# the table in the hall\n[camera]\nevery_ms = 100  # fast\n")
    with (
        played_table(tmp_path, "--settings", str(settings)) as table,
        opened(browser, table.invitation, size=PHONE) as page,
    ):
        page.click("nav a[href='#setup']")
        page.get_by_role("button", name="Set the board up").click()
        page.wait_for_selector(".corner-picture .handle")
        page.wait_for_selector(".step.well[data-focus=board]")
        corner = page.get_by_role("button", name="Top left corner")
        was = corner.get_attribute("transform")
        corner.focus()
        page.keyboard.press("Shift+ArrowDown")
        assert corner.get_attribute("transform") != was
        box = page.get_by_role("button", name="Top right corner").locator(".grip").bounding_box()
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(200, 200, steps=3)
        page.mouse.up()
        page.wait_for_selector(".step.ill[data-focus=board], .problem:not(:empty)")
        page.get_by_role("button", name="Look for the board again").click()
        page.wait_for_selector(".step.well[data-focus=board]")
        go_on(page, "sides")
        page.select_option("#setup-light", "white")
        go_on(page, "start")
        page.wait_for_selector(".step.well[data-focus=start]")
        assert "Every point is as it should be." in page.locator(".findings").inner_text()
        go_on(page, "dice")
        table.type("31")
        wait_for(page, "document.querySelector('.thrown').textContent === '3 – 1'")
        assert "The tray heard 3-1." in page.locator(".findings").inner_text()
        table.type("lift")
        table.type("furnish")
        go_on(page, "lights")
        go_on(page, "match")
        page.fill("#match-white", "Ada")
        page.fill("#match-black", "Bert")
        page.fill("#match-length", "5")
        page.get_by_role("button", name="Save and play").click()
        wait_for(page, "location.hash === '#live'")
        wait_for(page, "document.querySelector('.bottom .name').textContent === 'Ada'")
        table.wait_for("The board is read")
        table.type("31: 8/5 6/5")
        wait_for(page, "document.querySelectorAll('.turn-button').length === 1")
        assert "31 8/5 6/5" in " ".join(page.locator(".turns").inner_text().split())
        page.locator("summary[data-focus=resigning]").click()
        page.locator("[data-focus='new match']").click()
        page.fill("#match-white", "Cleo")
        page.get_by_role("button", name="Begin this match").click()
        wait_for(page, "document.querySelector('.bottom .name').textContent === 'Cleo'")
        wait_for(page, "document.querySelectorAll('.turn-button').length === 0")
    written = settings.read_text()
    assert written.startswith("# the table in the hall\n[camera]\nevery_ms = 100  # fast\n")
    kept = tomllib.loads(written)
    assert kept["match"] == {"white": "Cleo", "black": "Bert", "length": 5, "laws": "modern"}
    assert len(kept["board"]["corners_px"]) == 4
    assert kept["referee"] == {"mode": "coach"}
