"""Pictures of every view of the hall's page: `python -m tests.controller.club.hall.hall_pictures FOLDER`."""

import sys
from itertools import product
from pathlib import Path

from tests.browser import PHONE, WIDE, chromium, opened, wait_for
from tests.controller.club.hall.halls import NAMES, hall_with_boards
from tests.controller.club.simulated_boards import wait_until

N_BOARDS = 12
VIEWS = ("boards", "large", "tournament", "new-tournament", "result", "bracket", "ratings", "visitor")
LOOKS = tuple(product((("phone", PHONE), ("wide", WIDE)), (("light", "en-GB"), ("dark", "de-DE"))))


def furnish(hall):
    """A tournament that is over, one in its second round, a knock-out, and something at every board."""
    for board in hall.boards[:-1]:
        board.play(3)
        for _ in range(1 + len(board.name)):
            board.show("hello")
    hall.boards[2].publisher.call_director()
    play_rounds(hall, {"name": "Last week", "system": "round-robin", "lengths": [5]}, NAMES[:5], n_rounds=5)
    plan = {"name": "Knock-out", "system": "knockout-consolation", "lengths": [5, 7], "side_lengths": [3]}
    play_rounds(hall, plan, [*NAMES[:6], "Bartholomäus von Hohenstein-Wittelsbach"], n_rounds=1)
    plan = {"name": "Club evening", "system": "swiss", "lengths": [5, 7], "n_rounds": 4}
    number = play_rounds(hall, plan, [*NAMES, "Karla"], n_rounds=1)
    hall.hall.evening.change(number, {"do": "draw"})
    wait_until(lambda: sum(one.state is not None for one in hall.hall.live.boards()) == N_BOARDS - 1)


def play_rounds(hall, plan, names, n_rounds):
    evening = hall.hall.evening
    number = evening.begin(plan)
    for name in names:
        evening.change(number, {"do": "enter", "name": name})
    for _ in range(n_rounds):
        running = next(one for one in evening.tournaments() if one.number == number)
        if not running.tournament.is_drawn or not running.tournament.is_bracket:
            evening.change(number, {"do": "draw"})
        running = next(one for one in evening.tournaments() if one.number == number)
        for fixture in running.tournament.open_fixtures:
            won = {"do": "result", "key": fixture.key, "winner": fixture.one, "loser": fixture.other}
            evening.change(number, {**won, "score": [fixture.length, fixture.one % fixture.length]})
    return number


def show_view(page, view):
    """Bring a window to a view, and wait until it is there."""
    wait_for(page, f"document.querySelectorAll('.tile').length === {N_BOARDS}")
    page.wait_for_selector(".tile svg")
    if view == "large":
        page.locator(".tile").nth(4).click()
        page.wait_for_selector(".large-board:visible")
    if view in ("tournament", "new-tournament", "result", "bracket", "visitor"):
        page.click("nav a[href='#tournaments']")
        page.wait_for_selector(".standings")
    if view == "bracket":
        page.locator(".search select").select_option(label="Knock-out")
        wait_for(page, "document.querySelector('.tournament-name')?.textContent === 'Knock-out'")
    if view == "new-tournament":
        page.locator(".new-tournament summary").click()
    if view == "result":
        page.locator(".fixtures button").first.click()
        page.wait_for_selector("dialog[open]")
    if view == "ratings":
        page.click("nav a[href='#ratings']")
        page.wait_for_selector(".standings")


def main(arguments):
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    with hall_with_boards(N_BOARDS) as hall, chromium() as browser:
        furnish(hall)
        for view, ((name, size), (scheme, language)) in product(VIEWS, LOOKS):
            url = hall.url if view == "visitor" else hall.invitation
            with opened(browser, url, size=size, scheme=scheme, language=language) as page:
                show_view(page, view)
                page.wait_for_timeout(300)
                is_long = view not in ("boards", "large", "result")
                page.screenshot(path=folder / f"{view}-{name}-{scheme}.png", full_page=is_long)
        with opened(browser, f"{hall.url}overlay/5", size=WIDE) as page:
            page.wait_for_selector(".overlay-player .name")
            page.screenshot(path=folder / "overlay.png", omit_background=True)
        with opened(browser, hall.url, size=WIDE) as page:
            show_view(page, "tournament")
            page.pdf(path=folder / "printed.pdf")


if __name__ == "__main__":
    main(sys.argv[1:])
