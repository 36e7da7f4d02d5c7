"""In a pause nothing is recorded or lit; then the game goes on with the board and the dice as they lie."""

import pytest

from controller.record.keeper import PAUSED_KIND
from controller.record.match_settings import MatchSettings
from controller.referee import RefereePhase
from tests.controller.service.matches.table_in_hand import TalkingTable

MATCH = MatchSettings(white="Ada", black="Bert", length=5)


@pytest.fixture
def table(tmp_path):
    found = TalkingTable(tmp_path, MATCH)
    yield found
    found.leave()


def test_what_happens_in_a_pause_is_not_recorded(table):
    table.type("pause", "31: 8/5 6/5", "furnish", "go on")
    assert table.plays == []
    table.type("64: 24/18 13/9")
    assert table.plays == ["64: 24/18 13/9"]


def test_lamps_are_dark_in_a_pause(table):
    table.type("31: 8/5 6/5")
    table.hands.do_line("61")
    table.wait(2500)
    table.hands.do_line("13/5")
    table.wait(3500)
    lit = table.screen.lamps
    assert lit
    table.type("pause")
    assert table.screen.lamps == ()
    table.wait(2000)
    assert table.screen.lamps == ()
    table.type("go on")
    assert table.screen.lamps == lit


def test_the_play_in_hand_counts_as_it_lies_when_the_game_goes_on(table):
    table.hands.do_line("31")
    table.wait(2500)
    table.type("pause", "8/5 6/5")
    table.hands.do_line("lift")
    table.wait(2000)
    assert table.plays == []
    table.type("go on")
    table.wait(2000)
    assert table.plays == ["31: 8/5 6/5"]


def test_a_roll_in_a_tray_that_was_unplugged_in_the_pause_does_not_count(table):
    table.type("pause")
    table.hands.do_line("31")
    table.wait(2500)
    table.tray.unplug()
    table.wait(500)
    table.type("go on")
    assert table.service.state.rolls == ()
    assert table.service.state.phase is RefereePhase.OPENING


def test_words_of_a_game_wait_and_corrections_do_not(table):
    table.type("31: 8/5 6/5", "pause", "double", "pause")
    assert "the game is paused, go on first" in table.said.getvalue()
    assert "the game is paused already" in table.said.getvalue()
    assert table.service.state.game_by_rules.asked is None
    table.type("correct 1 24/23 13/10", "keep word")
    assert table.plays == ["31: 13/10 24/23"]
    table.type("undo", "go on", "go on")
    assert table.plays == ["31: 8/5 6/5"]
    assert "the game is not paused" in table.said.getvalue()


def test_a_pause_outlasts_a_restart_and_is_in_the_log(tmp_path):
    table = TalkingTable(tmp_path, MATCH)
    table.type("31: 8/5 6/5", "pause")
    table.break_off()
    again = TalkingTable(tmp_path, MATCH, new=False)
    assert again.service.is_paused
    again.type("64: 24/18 13/9")
    assert again.plays == ["31: 8/5 6/5"]
    again.type("go on")
    again.leave()
    rows = [entry.payload["is_paused"] for entry in again.keeper.earlier if entry.kind == PAUSED_KIND]
    assert rows == [True]
