"""What waits for a word of people, and for how long."""

import pytest

from controller.record.match_settings import MatchSettings
from controller.referee import Question
from controller.referee.words.sentences import correction_question
from sentences import said_again, speaking
from tests.controller.service.matches.table_in_hand import TalkingTable

PLAYED, CORRECTED = "31: 8/5 6/5", "31: 13/10 24/23"


@pytest.fixture
def table(tmp_path):
    found = TalkingTable(tmp_path, MatchSettings(white="Ada", black="Bert", length=5))
    found.type(PLAYED)
    yield found
    found.leave()


def test_a_correction_against_the_board_counts_once_people_keep_their_word_at_once(table):
    for other in ("keep board", "nonsense"):
        table.type("correct 1 24/23 13/10", other, "keep word")
        assert table.plays == [PLAYED]
    table.type("correct 1 24/23 13/10", "keep word")
    assert table.plays == [CORRECTED]


def test_the_question_of_a_correction_is_wholly_said_again_in_another_language(table):
    table.type("correct 1 24/23 13/12")
    index, preview = table.service.conversation.asked.correction
    question = correction_question(preview, index)
    with speaking("de"):
        assert said_again(question) == correction_question(preview, index) != question


def test_a_choice_that_somebody_else_has_made_is_refused_by_name(table):
    table.type("correct 1 24/23 13/10", "keep board", "keep word")
    assert "no longer open" in table.said.getvalue()
    assert "is no command" not in table.said.getvalue()


def test_a_resignation_is_told_as_accepted_before_the_game_is_told_as_won(table):
    table.type("resign", "accept")
    told = table.said.getvalue()
    assert 0 < told.index("accepts the resignation") < told.index(" wins ")


def test_a_question_is_answered_once(table):
    table.service.conversation.note_question(
        Question(t_ms=table.clock.t_ms, index=0, candidates=table.service.state.record)
    )
    table.type("1", "1")
    assert table.plays == [PLAYED]
    assert "no question" in table.said.getvalue()
