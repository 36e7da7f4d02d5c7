"""Pictures of the hall's page: `python -m tests.controller.club.hall.hall_pictures FOLDER`."""

import sys
from pathlib import Path

from tests.browser import PHONE, WIDE, chromium, opened, wait_for
from tests.controller.club.hall.halls import NAMES, hall_with_boards
from tests.controller.club.simulated_boards import wait_until

N_BOARDS = 12


def furnish(hall):
    """A tournament in its second round, and something at every board."""
    for board in hall.boards[:-1]:
        board.play(3)
        for _ in range(1 + len(board.name)):
            board.show("hello")
    hall.boards[2].publisher.call_director()
    evening = hall.hall.evening
    number = evening.begin({"name": "Club evening", "system": "swiss", "lengths": [5, 7], "n_rounds": 4})
    for name in NAMES:
        evening.change(number, {"do": "enter", "name": name})
    evening.change(number, {"do": "enter", "name": "Karla"})
    evening.change(number, {"do": "draw"})
    for fixture in evening.tournaments()[0].tournament.open_fixtures:
        won = {"do": "result", "key": fixture.key, "winner": fixture.one, "loser": fixture.other}
        evening.change(number, {**won, "score": [5, fixture.one % 5]})
    evening.change(number, {"do": "draw"})
    wait_until(lambda: sum(one.state is not None for one in hall.hall.live.boards()) == N_BOARDS - 1)


def main(arguments):
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    with hall_with_boards(N_BOARDS) as hall, chromium() as browser:
        furnish(hall)
        for name, size in (("phone", PHONE), ("wide", WIDE)):
            for scheme, language in (("light", "en-GB"), ("dark", "de-DE")):
                given = {"size": size, "scheme": scheme, "language": language}
                with opened(browser, hall.invitation, **given) as page:
                    wait_for(page, f"document.querySelectorAll('.tile').length === {N_BOARDS}")
                    page.wait_for_timeout(800)
                    page.screenshot(path=folder / f"boards-{name}-{scheme}.png")
                    page.locator(".tile").nth(4).click()
                    page.screenshot(path=folder / f"large-{name}-{scheme}.png")
                    page.click("nav a[href='#tournaments']")
                    page.wait_for_selector(".standings")
                    page.screenshot(path=folder / f"tournament-{name}-{scheme}.png", full_page=True)
        with opened(browser, f"{hall.url}overlay/5", size=WIDE) as page:
            page.wait_for_selector(".overlay-player .name")
            page.screenshot(path=folder / "overlay.png", omit_background=True)


if __name__ == "__main__":
    main(sys.argv[1:])
