"""A wrong half-turn is mended on the page ten half-turns later; record, restart and files follow."""

import httpx

from controller.record.keeper import SAID_KIND
from controller.record.mat_reader import parse_mat
from controller.record.sgf import parse_sgf
from controller.record.store import Store
from controller.rules import Moved, MovedIrregularly, Rolled
from tests.browser import chromium, opened, wait_for

PLAYED = (
    *("31: 8/5 6/5", "64: 24/18 13/9", "52: 13/8 24/22", "41: 18/14 9/8", "62: 13/7 24/22", "53: 14/9 9/6"),
    *("43: 8/4 7/4", "65: 24/18 18/13", "21: 6/4 6/5", "54: 13/8 13/9", "32: 8/5 8/6", "61: 13/7 9/8"),
)
WRONG = "correct 2 54: 13/8 13/9"


def recorded(table):
    return [f"{turn.dice}: {turn.play}" for turn in table.service.state.record]


def illegal(table):
    return [number for number, turn in enumerate(table.service.state.record, 1) if not turn.legal]


def exported(table, reader, kind):
    """The rolls and plays of the match in hand, in the file that the page gives."""
    found = reader(httpx.get(f"{table.url}matches/1.{kind}").raise_for_status().text)
    assert found.problems == ()
    (game,) = found.record.games
    rolls = [str(action.dice) for action in game.actions if isinstance(action, Rolled)]
    plays = [type(action) for action in game.actions if isinstance(action, Moved | MovedIrregularly)]
    return rolls, plays


def test_a_wrong_turn_is_mended_ten_turns_later(table):
    table.type(*PLAYED[:2], WRONG, "keep word", *PLAYED[2:])
    wrong = recorded(table)
    assert wrong[1].startswith("54: ")
    assert illegal(table) == [3]
    assert len(wrong) == len(PLAYED)
    with chromium() as browser, opened(browser, table.invitation) as page:
        page.locator(".turn-button").nth(1).click()
        page.wait_for_selector("dialog[open]")
        page.get_by_label("First die").select_option("6")
        page.get_by_label("Second die").select_option("4")
        page.get_by_role("button", name="24/18 13/9").click()
        page.wait_for_selector(".difference")
        changes = [" ".join(text.split()) for text in page.locator(".difference li").all_inner_texts()]
        assert changes[0].endswith("→ 64: 24/18 13/9")
        assert changes[1].endswith("→ 52: 13/8 24/22")
        assert len(changes) == 2
        assert recorded(table) == wrong
        page.get_by_role("button", name="Accept").click()
        table.wait_until(lambda: illegal(table) == [])
        assert recorded(table) == list(PLAYED)
        wait_for(page, "document.querySelectorAll('.turns abbr').length === 0")
        for reader, kind in ((parse_mat, "mat"), (parse_sgf, "sgf")):
            assert exported(table, reader, kind) == ([play[:2] for play in PLAYED], [Moved] * len(PLAYED))
        said = [entry.payload["command"] for entry in kept(table) if entry.kind == SAID_KIND]
        assert [(one["half_turn"], one["dice"]) for one in said] == [(2, "54"), (2, "64")]

        page.get_by_role("button", name="Undo").click()
        table.wait_until(lambda: illegal(table) == [3])
        assert recorded(table) == wrong
        wait_for(page, "document.querySelectorAll('.turns abbr').length === 1")
        rolls, plays = exported(table, parse_mat, "mat")
        assert (rolls[1], plays.count(MovedIrregularly)) == ("54", 1)


def kept(table):
    store = Store(table.folder / "blotlight.db")
    try:
        return store.match(1).entries()
    finally:
        store.close()


def test_the_plays_of_the_last_roll_asked_for_are_offered(table):
    table.type(*PLAYED)
    with chromium() as browser, opened(browser, table.invitation) as page:
        held = []
        page.route("**/plays/**dice=*", lambda route: held.append(route))
        page.locator(".turn-button").nth(1).click()
        page.wait_for_selector("dialog[open]")
        recorded_plays = page.locator(".plays li").all_inner_texts()
        page.get_by_label("First die").select_option("2")
        page.get_by_label("Second die").select_option("1")
        while len(held) < 2:
            page.wait_for_timeout(20)
        with page.expect_response("**/plays/**dice=21*"):
            held[1].continue_()
        wait_for(page, "!document.querySelector('.correction-plays > div').inert")
        offered = page.locator(".plays li").all_inner_texts()
        assert offered != recorded_plays
        with page.expect_response("**/plays/**dice=24*"):
            held[0].continue_()
        page.wait_for_timeout(200)
        assert page.locator(".plays li").all_inner_texts() == offered


def test_dice_alone_are_put_right(table):
    table.type("31: 8/5 6/5")
    with chromium() as browser, opened(browser, table.invitation) as page:
        page.locator(".turn-button").click()
        page.get_by_label("Second die").select_option("2")
        page.get_by_role("button", name="Only the dice were wrong").click()
        page.wait_for_selector(".difference")
        difference = " ".join(page.locator(".difference").inner_text().split())
        assert "32: 8/5 6/5 ! this play is illegal" in difference
        page.get_by_role("button", name="Start over").click()
        wait_for(page, "document.getElementById('die-1').value === '1'")
        page.get_by_label("First die").select_option("1")
        page.get_by_role("button", name="Only the dice were wrong").click()
        page.get_by_text("a tie is thrown again").wait_for()
        assert recorded(table) == ["31: 8/5 6/5"]


def test_a_game_is_paused_and_goes_on_by_buttons(table):
    table.type("31: 8/5 6/5")
    with chromium() as browser, opened(browser, table.invitation) as page:
        page.get_by_role("button", name="Pause").click()
        table.wait_until(lambda: table.service.is_paused)
        page.wait_for_selector(".turn.paused")
        assert page.locator(".desk .strong").all_inner_texts() == ["Go on"]
        table.type("64: 24/18 13/9")
        assert recorded(table) == ["31: 8/5 6/5"]
        page.get_by_role("button", name="Go on").click()
        table.wait_until(lambda: not table.service.is_paused)
        page.wait_for_selector(".turn.paused", state="detached")
