"""The hall's page, with boards over a real mosquitto, in Debian's chromium."""

import csv
import io
import os
import time
import zipfile
from statistics import median

import httpx
import pytest

from controller.club.hall.live_boards import LiveBoards
from controller.club.tournament.changes import LONGEST_NAME
from controller.club.tournament.tournament import MOST_ENTRANTS
from controller.club.wire.board_messages import board_topic
from controller.club.wire.club_link import leave, mqtt_client
from controller.errors import WorkError
from tests.browser import PHONE, WIDE, opened, wait_for
from tests.controller.club.hall.halls import TOKEN, hall_with_boards
from tests.controller.club.simulated_boards import wait_until

N_BOARDS = 100 if os.environ.get("BLOTLIGHT_PROOF") else 10
"""A hundred in `make proof`."""
MOST_DELAY_MS = 1000
DIRECTOR = {"x-blotlight-token": TOKEN}
PAIRS = [("Ada", "Bert"), ("Cleo", "<img src=x onerror=alert(1)>")]
ROUTES = (
    "/", "/overlay/1", "/assets/hall.js", "/assets/board.js", "/texts", "/access", "/tournaments",
    "/matches.zip", "/ratings", "/ratings.csv",
)  # fmt: skip


@pytest.fixture(scope="module")
def hall():
    names = PAIRS + [(f"White {n}", f"Black {n}") for n in range(3, N_BOARDS + 1)]
    with hall_with_boards(N_BOARDS, names=names) as found:
        yield found


@pytest.fixture
def client(hall):
    with httpx.Client(base_url=hall.url, timeout=30) as found:
        yield found


@pytest.fixture
def quiet_hall():
    """A hall that nobody else writes to: the page answers so many writings a second only."""
    with hall_with_boards(4) as found:
        yield found


def test_all_boards_are_shown_with_less_than_a_second_of_delay(hall, browser):
    with opened(browser, hall.url) as page:
        wait_for(page, f"document.querySelectorAll('.tile').length === {N_BOARDS}")
        delays_ms = []
        for at in range(3):
            page.evaluate(
                "for (const tile of document.querySelectorAll('.tile')) delete tile.dataset.shownMs"
            )
            for board in hall.boards:
                board.show(f"round {at}")
                time.sleep(0.2 / N_BOARDS)
            seen = "[...document.querySelectorAll('.tile')].map((tile) => tile.dataset.shownMs)"
            wait_for(page, f"{seen}.every(Boolean)")
            delays_ms += [int(one) for one in page.evaluate(seen)]
        print(f"{N_BOARDS} boards on the page: median {median(delays_ms):.0f} ms, most {max(delays_ms)} ms")
        assert len(delays_ms) == 3 * N_BOARDS
        assert median(delays_ms) < MOST_DELAY_MS, sorted(delays_ms)
        assert page.locator(".tile").nth(1).locator(".tile-name").last.inner_text() == PAIRS[1][1]
        assert page.locator("main img").count() == 0


def test_a_table_calls_and_the_director_comes(hall, browser):
    hall.boards[2].publisher.call_director()
    with opened(browser, hall.url) as visitor, opened(browser, hall.invitation, language="de-DE") as director:
        for page in (visitor, director):
            page.wait_for_selector(".calls:visible")
        assert "Table 3 asks for the director" in visitor.locator(".calls").inner_text()
        assert visitor.locator(".calls button").count() == 0
        director.locator(".calls button").click()
        for page in (visitor, director):
            page.wait_for_selector(".calls", state="hidden")
    assert "blotlight/1/boards/board-03/call" not in kept_topics(hall.broker)


def kept_topics(hall_broker):
    """The calls that the broker keeps, and then what it keeps of each board's status."""
    heard = []
    client = mqtt_client(hall_broker.link("homeassistant"), keeps_session=False)
    client.on_connect = lambda *_: [
        client.subscribe(board_topic("+", kind), 1) for kind in ("call", "status")
    ]
    client.on_message = lambda _client, _data, message: heard.append(message.topic)
    client.loop_start()
    wait_until(lambda: any(topic.endswith("/status") for topic in heard))
    leave(client)
    return heard


def test_a_small_board_becomes_a_large_one(hall, browser):
    hall.boards[3].show("hello")
    with opened(browser, hall.url) as page:
        page.locator(".tile").nth(3).click()
        page.wait_for_selector(".large-board:visible")
        assert page.locator(".large-board h2").inner_text() == "Table 4"
        page.get_by_role("button", name="Close").click()
        page.wait_for_selector(".large-board", state="hidden")


def test_an_evening_is_directed_on_the_page_and_fed_by_the_boards(hall, browser, client):
    with opened(browser, hall.invitation) as page:
        page.click("nav a[href='#tournaments']")
        page.locator(".new-tournament summary").click()
        page.fill("#plan-name", "Friday")
        page.select_option("#plan-system", "round-robin")
        page.get_by_role("button", name="Make it").click()
        wait_for(page, "document.querySelector('.tournament-name')?.textContent === 'Friday'")
        for n, name in enumerate((*PAIRS[0], *PAIRS[1]), start=1):
            page.fill("#new-player", name)
            page.get_by_role("button", name="Add player").click()
            wait_for(page, f"document.querySelectorAll('.standings tbody tr').length === {n}")
        evening = hall.hall.evening
        (running,) = [one for one in evening.tournaments() if one.tournament.plan.name == "Friday"]
        evening.change(running.number, {"do": "draw", "order": [1, 3, 4, 2]})
        page.wait_for_selector(".fixtures tr.open")
        page.get_by_role("button", name="5 minutes more").click()
        page.get_by_text("Time left: 50 min").wait_for()
        hall.boards[0].win((5, 2))
        wait_for(page, "document.querySelectorAll('.fixtures tr.open').length === 1")
        page.locator("tr.open button").click()
        page.fill("#loser-points", "4")
        page.get_by_role("button", name="Save the result").click()
        wait_for(page, "document.querySelectorAll('.fixtures tr.open').length === 0")
        page.get_by_role("button", name="Draw the next round").click()
        wait_for(page, "document.querySelectorAll('.fixtures tr.open').length === 2")
        assert page.locator("main img").count() == 0
    answer = client.get(f"/tournaments/{running.number}/results.csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["winner"], row["winner_points"], row["loser_points"]) for row in rows[:2]] == [
        ("Ada", "5", "2"),
        ("Cleo", "5", "4"),
    ]
    table = list(csv.reader(io.StringIO(client.get(f"/tournaments/{running.number}/standings.csv").text)))
    assert [row[1] for row in table[1:3]] == ["Ada", "Cleo"]
    assert table[0][-3:] == ["head_to_head", "sonneborn_berger", "point_difference"]
    assert {len(row) for row in table} == {9}


def test_all_matches_are_in_one_archive(hall, client):
    for board in hall.boards:
        board.play(12)
    hall.boards[0].next_match()  # nothing is played in it

    def archive():
        with zipfile.ZipFile(io.BytesIO(client.get("/matches.zip").content)) as found:
            texts = [found.read(name).decode() for name in found.namelist()]
            return found.namelist(), texts

    wait_until(lambda: sum("31: " in text for text in archive()[1]) == N_BOARDS)
    names, texts = archive()
    assert len(names) == N_BOARDS
    assert all(name.endswith("-001.mat") for name in names)
    assert all("5 point match" in text for text in texts)


def test_the_overlay_shows_one_board_on_nothing(hall, browser):
    hall.boards[4].show("hello")
    with opened(browser, f"{hall.url}overlay/5") as page:
        page.wait_for_selector(".overlay-player .name")
        assert [one.inner_text() for one in page.locator(".overlay-player .name").all()] == [
            "Black 5",
            "White 5",
        ]
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("route", ROUTES)
def test_everybody_may_look_and_nothing_comes_from_elsewhere(client, route):
    answer = client.get(route)
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


WRITING = ("/tickets", "/tournaments", "/tournaments/1/changes", "/calls/board-01")


@pytest.mark.parametrize("route", WRITING)
def test_only_the_director_changes_anything(quiet_hall, route):
    before = quiet_hall.hall.evening.tournaments()
    with httpx.Client(base_url=quiet_hall.url) as client:
        for headers in ({}, {"x-blotlight-token": "guess"}, {**DIRECTOR, "origin": "http://evil.example"}):
            assert client.post(route, json={}, headers=headers).status_code == 403
    assert quiet_hall.hall.evening.tournaments() == before


def test_what_the_director_gets_wrong_is_said_in_his_language(quiet_hall):
    evening = quiet_hall.hall.evening

    def told(path, **more):
        answer = httpx.post(f"{quiet_hall.url}{path.lstrip('/')}?language=de", headers=DIRECTOR, **more)
        return answer.status_code, answer.json()["problem"]

    assert told("/tournaments", json={"name": ""})[0] == 409
    assert "Plan eines Turniers" in told("/tournaments", json={"name": "x", "system": "x"})[1]
    assert told("/tournaments/99/changes", json={"change": {"do": "draw"}})[0] == 409
    assert told("/tournaments", content=b"[")[0] == 400
    assert told("/tournaments/1/changes", content=b"x" * 10_000)[0] == 413
    number = evening.begin({"name": "Old", "system": "swiss", "lengths": [5]})
    evening.change(number, {"do": "enter", "name": "Ada"})
    stale = {"n_changes": 0, "change": {"do": "enter", "name": "Bert"}}
    assert "geändert" in told(f"/tournaments/{number}/changes", json=stale)[1]
    longest = {"do": "enter", "name": "W" * (LONGEST_NAME + 1)}
    assert (
        f"1 bis {LONGEST_NAME} Zeichen" in told(f"/tournaments/{number}/changes", json={"change": longest})[1]
    )
    for change in (
        {},
        {"do": "x"},
        {"do": "enter"},
        {"do": "enter", "name": "a\nb"},
        {"do": "result", "score": 1},
    ):
        assert told(f"/tournaments/{number}/changes", json={"change": change})[0] == 409


def test_a_player_is_corrected_a_result_opened_again_and_a_draw_taken_back(quiet_hall, browser):
    with opened(browser, quiet_hall.invitation) as page:
        evening = quiet_hall.hall.evening
        number = evening.begin({"name": "Mending", "system": "swiss", "lengths": [5]})

        def tournament():
            return next(one for one in evening.tournaments() if one.number == number).tournament

        page.click("nav a[href='#tournaments']")
        for n, name in enumerate(("Anton", "Brta"), start=1):
            page.fill("#new-player", name)
            page.fill("#home-table", str(4 * n))
            page.get_by_role("button", name="Add player").click()
            wait_for(page, f"document.querySelectorAll('.standings tbody tr').length === {n}")
        page.locator(".desk-form select").select_option(label="2 Brta")
        page.fill("#new-player", "Berta")
        page.fill("#home-table", "")
        page.fill("#first-rating", "1650")
        page.get_by_role("button", name="Save", exact=True).click()
        page.locator(".standings").get_by_text("Berta").wait_for()
        anton, berta = tournament().entrants
        assert (anton.name, anton.home_table, anton.rating) == ("Anton", 4, 1500)
        assert (berta.name, berta.home_table, berta.rating) == ("Berta", None, 1650)
        page.get_by_role("button", name="Draw the next round").click()
        page.locator(".fixtures .open").get_by_text("Table 4").wait_for()
        page.locator(".fixtures button").click()
        assert page.get_by_role("button", name="Open it again").count() == 0
        page.get_by_role("button", name="Save the result").click()
        wait_for(page, "document.querySelectorAll('.fixtures tr.open').length === 0")
        assert page.get_by_role("button", name="Take back the draw").count() == 0
        page.locator(".fixtures button").click()
        page.get_by_role("button", name="Open it again").click()
        wait_for(page, "document.querySelectorAll('.fixtures tr.open').length === 1")
        page.get_by_role("button", name="Take back the draw").click()
        wait_for(page, "!document.querySelector('.fixtures')")
        assert not tournament().is_drawn


def test_a_result_is_that_of_the_match_it_was_written_for_though_another_tournament_begins(
    quiet_hall, browser
):
    evening = quiet_hall.hall.evening

    def begun(name):
        number = evening.begin({"name": name, "system": "swiss", "lengths": [5]})
        for change in ({"do": "enter", "name": "Anton"}, {"do": "enter", "name": "Berta"}, {"do": "draw"}):
            evening.change(number, change)
        return number

    with opened(browser, quiet_hall.invitation) as page:
        first = begun("First")
        page.click("nav a[href='#tournaments']")
        page.locator(".fixtures button").click()
        begun("Second")
        wait_for(page, "document.querySelector('.tournament-name').textContent === 'Second'")
        with page.expect_response("**/changes?*") as answer:
            page.get_by_role("button", name="Save the result").click()
        assert answer.value.status == 200
    assert [one.number for one in evening.tournaments() if one.tournament.results] == [first]


def test_a_contradiction_of_a_board_is_shown_to_the_director_until_he_saves_a_result(quiet_hall, browser):
    evening = quiet_hall.hall.evening
    number = evening.begin({"name": "Club", "system": "swiss", "lengths": [5]})
    for change in ({"do": "enter", "name": "Ada"}, {"do": "enter", "name": "Bert"}, {"do": "draw"}):
        evening.change(number, change)
    evening.change(number, {"do": "result", "key": "R1.1", "winner": 2, "loser": 1, "score": [5, 3]})
    quiet_hall.boards[0].win((5, 2))
    told = "An board-01 hat Ada 5–2 gewonnen, aber das Ergebnis darüber gilt: speichere das richtige."
    with (
        opened(browser, quiet_hall.url) as visitor,
        opened(browser, quiet_hall.invitation, language="de-DE") as director,
    ):
        for page in (visitor, director):
            page.click("nav a[href='#tournaments']")
        director.get_by_text(told).wait_for()
        visitor.reload()
        visitor.wait_for_selector(".fixtures")
        assert visitor.locator(".fixtures .problem").count() == 0
        director.locator(".fixtures button").click()
        director.get_by_role("button", name="Ergebnis speichern").click()
        director.get_by_text(told).wait_for(state="detached")


def test_as_many_players_as_a_tournament_takes_are_drawn_by_lot(quiet_hall):
    evening = quiet_hall.hall.evening
    number = evening.begin({"name": "Club", "system": "swiss", "lengths": [5]})
    for name in ("Ada", "Bert"):
        evening.change(number, {"do": "enter", "name": name})
    drawn = {"change": {"do": "draw", "order": list(range(1, MOST_ENTRANTS + 1))}}
    answer = httpx.post(f"{quiet_hall.url}tournaments/{number}/changes", json=drawn, headers=DIRECTOR)
    assert answer.status_code == 200


def test_a_database_that_is_away_is_named_to_whoever_wants_all_matches(quiet_hall, monkeypatch):
    def refuse():
        raise WorkError("The database refuses.")

    monkeypatch.setattr(quiet_hall.hall.store, "matches", refuse)
    answer = httpx.get(f"{quiet_hall.url}matches.zip")
    assert (answer.status_code, answer.json()) == (503, {"problem": "The database refuses."})


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_the_longest_names_fit_and_one_from_right_to_left_keeps_its_score(browser, size):
    longest = "W" * LONGEST_NAME
    pairs = [(longest, "M" * LONGEST_NAME), ("علي الأحمد", "Bert")]
    with hall_with_boards(2, names=pairs) as hall, opened(browser, hall.url, size=size) as page:
        evening = hall.hall.evening
        number = evening.begin({"name": longest, "system": "swiss", "lengths": [5]})
        for name in (*pairs[0], *pairs[1]):
            evening.change(number, {"do": "enter", "name": name})
        evening.change(number, {"do": "draw"})
        for board in hall.boards:
            board.show("hello")
        wait_for(page, "document.querySelectorAll('.tile-name').length === 4")
        board_px = "document.querySelector('.tile .board').getBoundingClientRect().width"
        assert page.evaluate(board_px) <= page.evaluate("document.querySelector('.tile').clientWidth")
        page.locator(".tile").nth(1).click()
        assert page.locator(".large-board .caption bdi").all_text_contents() == list(pairs[1])
        page.click("nav a[href='#tournaments']")
        page.wait_for_selector(".standings")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        inside = "[...document.querySelectorAll('.fixtures')].every((one) => "
        inside += "one.offsetWidth <= one.parentElement.clientWidth)"
        assert page.evaluate(inside)


def test_a_stream_that_falls_silent_is_begun_anew(quiet_hall, browser):
    with opened(browser, quiet_hall.url) as page:
        page.wait_for_selector(".tile")
        page.clock.install()
        quiet_hall.boards[0].show("hello")
        wait_for(page, "Boolean(document.querySelector('.tile').dataset.shownMs)")
        with page.expect_request("**/events*"):
            page.clock.fast_forward(60_000)


def test_a_stream_without_news_shows_life(quiet_hall, monkeypatch):
    monkeypatch.setattr("controller.club.hall.hall_routes.KEEP_ALIVE_S", 0.1)
    with httpx.stream("GET", f"{quiet_hall.url}events", timeout=30) as stream:
        assert "event: alive" in stream.iter_lines()


HOLD_THE_NEXT_ANSWER = """() => {
  const ask = window.fetch;
  window.fetch = async (...request) => {
    window.fetch = ask;
    const answer = await ask(...request);
    await new Promise((release) => { window.release = release; });
    return answer;
  };
}"""


def test_an_answer_that_comes_late_does_not_bring_back_what_was(quiet_hall, browser):
    with opened(browser, quiet_hall.invitation) as page:
        evening = quiet_hall.hall.evening
        number = evening.begin({"name": "Slow", "system": "swiss", "lengths": [5]})
        for name in ("Anton", "Berta"):
            evening.change(number, {"do": "enter", "name": name})
        page.click("nav a[href='#tournaments']")
        page.get_by_role("button", name="Draw the next round").wait_for()
        page.evaluate(HOLD_THE_NEXT_ANSWER)
        wait_for(page, "Boolean(window.release)")
        page.get_by_role("button", name="Draw the next round").click()
        page.locator(".fixtures .open").wait_for()
        page.evaluate("window.release()")
        page.wait_for_timeout(100)
        assert page.locator(".fixtures .open").count() == 1
        page.get_by_role("button", name="Take back the draw").click()
        wait_for(page, "!document.querySelector('.fixtures')")


def test_a_result_that_spectators_do_not_see_yet_is_seen_by_the_director(browser):
    with (
        hall_with_boards(1, delay_s=600, names=PAIRS[:1]) as hall,
        opened(browser, hall.url) as visitor,
        opened(browser, hall.invitation) as director,
    ):
        number = hall.hall.evening.begin({"name": "Late", "system": "round-robin", "lengths": [5]})
        for change in (*({"do": "enter", "name": name} for name in PAIRS[0]), {"do": "draw"}):
            hall.hall.evening.change(number, change)
        for page in (visitor, director):
            page.click("nav a[href='#tournaments']")
        director.wait_for_selector(".fixtures .open")
        hall.boards[0].win((5, 2))
        wait_for(director, "!document.querySelector('.fixtures .open')")
        with director.expect_download() as download:
            director.get_by_role("button", name="Results (.csv)").click()
        assert "Ada,5,2,played" in download.value.path().read_text()
        visitor.get_by_text("No tournament yet").wait_for()
        with httpx.Client(base_url=hall.url) as client:
            results = f"tournaments/{number}/results.csv"
            for route in ("tournaments", "ratings", "ratings.csv", "matches.zip", results):
                assert "Ada" in client.get(route, headers=DIRECTOR).text or route == "matches.zip"
                assert "Ada" not in client.get(route).text, route
            assert [client.get(route).status_code for route in ("matches.zip", results)] == [403, 404]


def test_spectators_see_later_what_the_director_sees_now():
    live = LiveBoards({"board-01": 1}, delay_s=30)
    live.change("board-01", 100.0, is_online=True)
    live.change("board-01", 110.0, is_called=True)
    assert [one.is_called for one in live.since(-1, 110.0)[1]] == [True]
    number, late = live.since(-1, 80.0)
    assert [(one.is_online, one.is_called) for one in late] == [(False, False)]
    number, late = live.since(number, 105.0)
    assert [(one.is_online, one.is_called) for one in late] == [(True, False)]
    number, late = live.since(number, 111.0)
    assert [one.is_called for one in late] == [True]
    assert live.since(number, 120.0)[1] == []
    live.change("board-01", 500.0, is_called=False)
    assert [one.is_called for one in live.since(-1, 470.0)[1]] == [True]


def test_a_browser_that_was_held_up_for_long_sees_every_board_as_it_is():
    live = LiveBoards({"board-01": 1, "board-02": 2}, delay_s=30)
    live.change("board-01", 100.0, is_online=True)
    number, _ = live.since(-1, 100.0)
    live.change("board-01", 110.0, is_called=True)
    live.change("board-02", 200.0, is_online=True)
    number, late = live.since(number, 170.0)
    assert [(one.board, one.is_online, one.is_called) for one in late] == [
        ("board-01", True, True),
        ("board-02", False, False),
    ]
    number, late = live.since(number, 200.0)
    assert [(one.board, one.is_online) for one in late] == [("board-02", True)]
