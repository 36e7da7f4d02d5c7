"""The page in a real browser: what people see, and what they can do there."""

import json
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


def test_checkers_are_put_right_on_the_board(browser, table):
    table.type(*OPENING)
    with opened(browser, table.invitation) as page:
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


def test_a_hit_man_that_still_lies_under_the_other_is_named_for_who_cannot_see_it(browser, table):
    view = """{points: [2, ...Array(23).fill(0)], guests: [-1, ...Array(23).fill(0)], bar: [0, 0], off: [0, 0],
        labels: Array.from({length: 24}, (_, place) => String(13 + place))}"""
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
