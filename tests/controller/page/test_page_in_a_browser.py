"""The page in a real browser: what people see, and what they can do there."""

import json
import re
from pathlib import Path

import pytest

from controller.record.match_settings import MatchSettings
from sentences import say, speaking
from tests.browser import PHONE, TABLET, WIDE, opened, wait_for
from tests.controller.page.paged_table import paged_table

OPENING = ("31: 8/5 6/5", "64: 24/18 13/9")


def turns(page):
    return [" ".join(text.split()) for text in page.locator(".turns td:not(:empty)").all_inner_texts()]


def tab_to(page, is_there):
    """Press Tab until the focus is there."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate(is_there):
            return
    raise AssertionError(f"Tab never leads to {is_there}")


def board_in_words(page):
    return page.locator(".table svg.board").get_attribute("aria-label")


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
def test_a_live_game_is_shown_as_it_goes_on(browser, table, size):
    with opened(browser, table.url, size=size) as page:
        page.wait_for_selector("svg.board:visible")
        assert "24: 2" in board_in_words(page)
        table.type(*OPENING)
        wait_for(page, "document.querySelectorAll('.turn-text').length === 2")
        assert [text.split(": ")[-1] for text in turns(page)] == ["31 8/5 6/5", "64 24/18 13/9"]
        assert "Light checkers: 13: 5, 24: 2, 8: 2, 6: 4, 5: 2." in board_in_words(page)
        assert page.locator(".top .name").inner_text() == "Bert"
        assert page.locator(".bottom .facts").inner_text().split() == ["Pips", "163", "Score", "0"]
        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0


@pytest.mark.parametrize("language", ["en-GB", "de-DE"])
def test_nothing_is_cut_off_at_any_width(browser, table, language):
    table.type(OPENING[0])
    for size in (PHONE, TABLET, WIDE):
        with opened(browser, table.invitation, size=size, language=language) as page:
            page.wait_for_selector(".turn-button")
            assert page.locator("nav a").count() == 5
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, size


def test_long_names_fit_a_narrow_page_and_short_ones_stay_whole(browser, tmp_path):
    with paged_table(tmp_path, MatchSettings(white="Donaudampfschifffahrtskapitän", black="Änne")) as table:
        table.type(*OPENING, "double", "take", "31: 8/5 6/5")
        for width in (320, 360):
            size = {"width": width, "height": 740}
            with opened(browser, table.invitation, size=size, language="de-DE") as page:
                page.wait_for_selector(".turn-button")
                assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
                name = page.locator(".top .name")
                assert name.inner_text() == "Änne"
                assert name.evaluate(
                    "name => name.clientHeight < 1.5 * parseInt(getComputedStyle(name).lineHeight)"
                )


def test_a_lit_offence_is_shown_by_shape_and_said(browser, table):
    with opened(browser, table.url) as page:
        page.wait_for_selector("svg.board:visible")
        table.hands.do_line("31")
        table.wait(2500)
        table.hands.do_line("13/7")
        table.wait(4000)
        page.wait_for_selector(".tellings .offence")
        page.wait_for_selector("svg.board .lamp.fast path")
        assert "illegal play" in page.locator(".lamps").inner_text()
        told = page.locator(".tellings .offence span").first.inner_text()
        assert page.locator("[role=alert].visually-hidden").text_content() == told


def test_who_has_no_token_sees_and_cannot_say_anything(browser, table):
    table.type(*OPENING)
    with opened(browser, table.url) as page:
        page.wait_for_selector(".turn-text")
        assert page.locator(".desk-card button").count() == 0
        assert "This browser only looks on" in page.locator(".desk-card").inner_text()
        assert page.locator("nav a[href='#share']").count() == 0


def test_a_correction_is_made_by_the_keyboard_alone(browser, table):
    table.type(*OPENING)
    with opened(browser, table.invitation) as page:
        page.wait_for_selector(".turn-button")
        assert table.token not in page.url
        tab_to(page, "document.activeElement.innerText.includes('Half-turn 1')")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog[open] .plays button")
        tab_to(page, "document.activeElement.id === 'typed-play'")
        page.keyboard.type("24/23 13/10")
        page.keyboard.press("Enter")
        page.wait_for_selector(".difference")
        said = " ".join(page.locator(".difference").inner_text().split())
        assert (
            said == "1. 31: 8/5 6/5 → 31: 13/10 24/23 2. 64: 24/18 13/9 → 64: no move ! this play is illegal"
        )
        assert table.service.state.record[0].play == "8/5 6/5"
        assert page.evaluate("document.activeElement.innerText") == "Accept"
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog", state="detached")
        assert "Half-turn 1" in page.evaluate("document.activeElement.innerText")
        table.wait_until(lambda: table.service.state.record[0].play != "8/5 6/5")
        wait_for(page, "document.querySelector('.turns').innerText.includes('13/10')")


def test_a_correction_against_the_board_is_warned_of_and_undone(browser, table):
    table.type(*OPENING)
    played = table.service.state.record
    with opened(browser, table.invitation) as page:
        page.locator(".turn-button").nth(1).click()
        page.locator("dialog[open] .plays button").first.click()
        page.wait_for_selector(".difference")
        assert "The camera sees another board now." in page.locator("dialog").inner_text()
        table.wait(1000)
        assert table.service.state.record == played
        page.get_by_role("button", name="Accept").click()
        table.wait_until(lambda: table.service.state.record != played)
        page.get_by_role("button", name="Undo").click()
        table.wait_until(lambda: table.service.state.record == played)
        wait_for(page, "document.querySelectorAll('.asking').length === 0")


def test_the_focus_stays_near_a_question_that_was_answered_by_the_keyboard(browser, table):
    table.type(*OPENING, "correct 1 24/23 13/10")
    with opened(browser, table.invitation) as page:
        page.wait_for_selector(".asking button")
        tab_to(page, "document.activeElement.closest('.asking') !== null")
        page.keyboard.press("Enter")
        table.wait_until(lambda: table.service.conversation.asked.correction is None)
        wait_for(page, "document.querySelectorAll('.asking').length === 0")
        assert page.evaluate("document.activeElement.id") == "view"


@pytest.mark.parametrize("is_turned", [False, True], ids=["as the camera sees it", "turned"])
def test_checkers_are_put_right_on_the_board(browser, table, is_turned):
    table.type(*OPENING)
    with opened(browser, table.invitation) as page:
        page.wait_for_selector(".turn-button")
        words, above = board_in_words(page), page.locator(".top .name").inner_text()
        if is_turned:
            page.get_by_role("button", name="Turn the board").click()
            assert page.locator(".bottom .name").inner_text() == above
            assert sorted(re.findall("[0-9]+: [0-9]+", board_in_words(page))) == sorted(
                re.findall("[0-9]+: [0-9]+", words)
            )
        page.locator(".turn-button").first.click()
        places = page.locator("dialog[open] .places rect")
        for name in ("5", "6", "5", "3"):  # one back to the 6-point, and the other one on to the 3-point
            places.and_(page.get_by_role("button", name=name, exact=True)).click()
        page.get_by_role("button", name="Show what changes").click()
        page.wait_for_selector(".difference")
        assert "31: 8/5 6/5 → " in page.locator(".difference").inner_text()
        page.get_by_role("button", name="Accept").click()
        page.wait_for_selector("dialog", state="detached")
        table.wait_until(lambda: table.service.state.record[0].position.white[3] == 1)
        assert table.service.state.record[0].position.white[6] == 5


def test_a_double_and_its_answer_are_given_by_buttons(browser, table):
    table.type(*OPENING)
    with opened(browser, table.invitation) as page:
        assert page.locator(".table .cube text").text_content() == "64"
        page.get_by_role("button", name="Double").click()
        table.wait_until(lambda: table.service.state.game_by_rules.asked)
        page.get_by_role("button", name="Take", exact=True).click()
        table.wait_until(lambda: table.service.state.game_by_rules.cube.value == 2)
        page.wait_for_selector(".chip")
        assert page.locator(".top .chip").inner_text() == "Cube 2"
        page.get_by_role("button", name="Take", exact=True).wait_for(state="detached")
        assert page.get_by_role("button", name="Double").count() == 0


def test_the_page_comes_back_after_the_service_was_cut_off(browser, tmp_path):
    with paged_table(tmp_path) as table:
        port = table.page.address.port
        table.type(*OPENING)
        with opened(browser, table.invitation) as page:
            page.wait_for_selector(".turn-button")
            table.break_off()
            page.wait_for_selector("#lost:visible")
            with paged_table(tmp_path, port=port, new=False) as again:
                page.wait_for_selector("#lost", state="hidden")
                wait_for(page, "document.querySelectorAll('.turn-button').length === 2")
                again.type("52: 13/8 13/11")
                wait_for(page, "document.querySelectorAll('.turn-button').length === 3")
                page.get_by_role("button", name="Double").click()
                again.wait_until(lambda: again.service.state.game_by_rules.asked)


def test_a_press_that_nobody_answers_is_told_in_the_language_of_the_page(browser, tmp_path):
    with paged_table(tmp_path) as table:
        table.type(*OPENING)
        with opened(browser, table.invitation, language="de-DE") as page:
            page.wait_for_selector(".turn-button")
            table.break_off()
            page.get_by_role("button", name="Doppeln").click()
            page.wait_for_selector(".desk-card .problem:not(:empty)")
            with speaking("de"):
                assert page.locator(".desk-card .problem").inner_text() == say("page_unanswered")


def test_a_connection_that_falls_silent_is_begun_anew(browser, table):
    with opened(browser, table.url) as page:
        page.wait_for_selector("svg.board:visible")
        page.clock.install()
        table.type(OPENING[0])
        page.wait_for_selector(".turn-text")
        with page.expect_request("**/events?*"):
            page.clock.fast_forward(60_000)


def test_a_kept_match_is_stepped_through_and_saved(browser, table):
    table.type(*OPENING)
    with opened(browser, table.url) as page:
        page.click("nav a[href='#matches']")
        page.fill("#search", "nobody")
        assert page.locator(".match-entry").count() == 0
        page.fill("#search", "ada")
        page.click(".match-entry")
        page.wait_for_selector(".stepper")
        assert page.locator(".caption").inner_text() == "2. Bert 64: 24/18 13/9"
        page.get_by_role("button", name="One half-turn back").click()
        assert page.locator(".caption").inner_text() == "1. Ada 31: 8/5 6/5"
        page.get_by_role("button", name="To the beginning").click()
        assert board_in_words(page).startswith("Light checkers: 13: 5")
        page.focus("#step")
        page.keyboard.press("ArrowRight")
        assert page.locator(".caption").inner_text() == "1. Ada 31: 8/5 6/5"
        page.keyboard.press("End")
        assert page.locator(".caption").inner_text() == "2. Bert 64: 24/18 13/9"
        with page.expect_download() as saved:
            page.get_by_role("link", name="Save .mat").click()
        assert "1) 31: 8/5 6/5" in Path(saved.value.path()).read_text()


def test_players_save_the_match_in_hand_though_spectators_see_it_later(browser, tmp_path):
    with paged_table(tmp_path, delay_s=600) as table:
        table.type(OPENING[0])
        with opened(browser, table.invitation) as page:
            page.click("nav a[href='#matches']")
            page.click(".match-entry")
            with page.expect_download() as saved:
                page.get_by_role("link", name="Save .mat").click()
            assert "1) 31: 8/5 6/5" in Path(saved.value.path()).read_text()


def test_of_what_is_told_all_that_comes_later_is_read_aloud_even_the_first(browser, table):
    heard = """import('/assets/live.js').then(({LiveView}) => {
        const view = new LiveView({}, {});
        return TOLD.map((told) => { view.announce(told, false); return view.said.textContent; });
    })"""
    one, two = ({"number": number, "kind": "said", "text": str(number)} for number in (1, 2))
    with opened(browser, table.url) as page:
        for told, said in (([[], [one], [one, two]], ["", "1", "2"]), ([[one], [one, two]], ["", "2"])):
            assert page.evaluate(heard.replace("TOLD", json.dumps(told))) == said


@pytest.mark.parametrize(
    ("chosen", "may_sound", "spoken"),
    [("voice", True, ["Well done"]), ("voice", False, []), ("silent", True, [])],
    ids=["asked for", "in tournament mode", "not asked for"],
)
def test_nothing_is_spoken_that_people_did_not_ask_for_or_the_mode_forbids(
    browser, table, chosen, may_sound, spoken
):
    heard = f"""import('/assets/sound.js').then(({{sound}}) => {{
        const spoken = [];
        speechSynthesis.speak = (said) => spoken.push(said.text);
        localStorage.setItem("blotlight-sound", "{chosen}");
        sound([{{kind: "said", text: "Well done"}}], {str(may_sound).lower()});
        return spoken;
    }})"""
    with opened(browser, table.url) as page:
        assert page.evaluate(heard) == spoken


def test_who_leaves_the_camera_and_comes_back_at_once_asks_for_no_more_pictures_than_others(browser, table):
    come_back = """import('/assets/camera.js').then(({CameraView}) => {
        const view = new CameraView({});
        globalThis.nLooks = 0;
        view.look = async () => { nLooks += 1; };
        view.open();
        view.close();
        view.open();
    })"""
    with opened(browser, table.url) as page:
        page.clock.install()
        page.evaluate(come_back)
        n_before = page.evaluate("nLooks")
        page.clock.run_for(650)
        assert page.evaluate("nLooks") == n_before + 1


def test_a_late_answer_does_not_replace_what_was_opened_after_it(browser, table):
    opened_twice = """import('/assets/matches.js').then(async ({MatchesView}) => {
        const view = new MatchesView({}, {}), answers = [], shown = [];
        globalThis.fetch = () => new Promise((answer) => answers.push(answer));
        view.showList = () => shown.push("list");
        view.showMatch = () => shown.push("match");
        const visits = [view.open(), view.open(7)];
        for (const n of [1, 0]) {
            answers[n](new Response(JSON.stringify({matches: []})));
            await visits[n];
        }
        return shown;
    })"""
    with opened(browser, table.url) as page:
        assert page.evaluate(opened_twice) == ["match"]


def test_who_closes_the_corners_and_opens_them_at_once_asks_for_no_more_pictures_than_others(browser, table):
    come_back = """import('/assets/corners.js').then(async ({CornerPicture}) => {
        const view = new CornerPicture({}, () => {});
        const decoded = [];
        globalThis.nLooks = 0;
        globalThis.Image = class {
            decode() { nLooks += 1; return new Promise((done) => decoded.push(done)); }
        };
        view.look();
        view.close();
        view.look();
        decoded.forEach((done) => done());
    })"""
    with opened(browser, table.url) as page:
        page.clock.install()
        page.evaluate(come_back)
        page.clock.run_for(750)
        assert page.evaluate("nLooks") == 3


def test_a_board_turned_twice_is_as_it_was_and_turned_once_has_its_bar_and_trays_the_other_way(
    browser, table
):
    turning = """import('/assets/board.js').then(({turned, turnedPlace}) => {
        const places = Array.from({length: 24}, (_, place) => place);
        const view = {points: places, guests: places, labels: places, bar: [1, -2], off: [0, 3]};
        const other = turned(view);
        const again = JSON.stringify(turned(other)) === JSON.stringify(view);
        return [other.bar, other.off, again, [0, 23, 24, 25, 26, 27].map(turnedPlace)];
    })"""
    with opened(browser, table.url) as page:
        assert page.evaluate(turning) == [[-2, 1], [3, 0], True, [23, 0, 25, 24, 27, 26]]


def test_a_stack_of_more_than_five_bears_its_number(browser, table):
    none = "Array(24).fill(0)"
    counts = f"""import('/assets/board.js').then(({{Board}}) => {{
        const board = new Board({{}});
        const points = [5, -7, ...{none}.slice(2)];
        board.show({{points, guests: {none}, bar: [0, 0], off: [0, 0], labels: {none}}});
        return [...board.root.querySelectorAll(".count")].map((one) => one.textContent).filter(Boolean);
    }})"""
    with opened(browser, table.url) as page:
        assert page.evaluate(counts) == ["7"]


def test_a_hit_man_that_still_lies_under_the_other_is_named_for_who_cannot_see_it(browser, table):
    others = "...Array(23).fill(0)"
    view = f"""{{points: [2, {others}], guests: [-1, {others}], bar: [0, 0], off: [0, 0],
        labels: Array.from({{length: 24}}, (_, place) => String(13 + place))}}"""
    with opened(browser, table.url) as page:
        words = "{light: 'Light', dark: 'Dark', bar: 'Bar', off: 'Off'}"
        said = page.evaluate(
            f"import('/assets/board.js').then(({{Board}}) => new Board({words}).inWords({view}))"
        )
    assert said == "Light: 13: 2. Dark: 13: 1."


def test_the_page_speaks_german(browser, table):
    table.type(OPENING[0])
    with opened(browser, table.url, language="de-DE") as page:
        page.wait_for_selector(".turn-text")
        assert page.locator("nav").inner_text().split() == ["Spiel", "Kamera", "Matches"]
        assert page.evaluate("document.documentElement.lang") == "de"
        assert "Ada würfelt 3-1." in page.locator(".told").inner_text()
