"""What waits for a word of people, and for how long."""

import pytest

from controller.record.match_settings import MatchSettings
from controller.referee import Question
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


def test_a_question_is_answered_once(table):
    table.service.conversation.note_question(
        Question(t_ms=table.clock.t_ms, index=0, candidates=table.service.state.record)
    )
    table.type("1", "1")
    assert table.plays == [PLAYED]
    assert "no question" in table.said.getvalue()
