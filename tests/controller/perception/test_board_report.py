"""What is printed of a reading."""

import numpy as np
import pytest

from controller.perception.board_report import BoardReport
from controller.perception.orientation import Orientation
from controller.rules import Position
from vision.board_reading import BAR_PLACE, MAX_COUNT, BoardReading, flat_log_likelihoods, refused_reading


def seen(counts=(2, *(0,) * 23), **hiding) -> BoardReading:
    """A sure reading; hidden places are flat."""
    points = np.full((24, 31), -20.0)
    points[np.arange(24), np.array(counts) + MAX_COUNT] = 0.0
    for place in hiding.get("unseen", frozenset()) - {BAR_PLACE}:
        points[place] = flat_log_likelihoods(2 * MAX_COUNT + 1)
    return BoardReading(points=points, bar=np.array([[0.0] + [-20.0] * 15] * 2), **hiding)


def test_a_hidden_place_is_null():
    told = BoardReport(seen(unseen=frozenset({3, 20}))).as_json()
    assert told["top"][0] == "2L"
    assert [place for place, text in enumerate(told["top"] + told["bottom"]) if text is None] == [3, 20]
    assert told["bar"] == {"light": 0, "dark": 0}
    assert told["position_id"] is None


def test_a_board_whose_bar_is_hidden_has_no_position():
    start = Orientation().counts(Position.START)
    assert BoardReport(seen(start)).position == Position.START
    assert BoardReport(seen(start, unseen=frozenset({BAR_PLACE}))).position is None


@pytest.mark.parametrize(("hand", "by"), [(True, "hand"), (False, "thing")])
def test_what_hides_it_is_said(hand, by):
    assert BoardReport(seen(unseen=frozenset({3}), hand=hand)).as_json()["hidden_by"] == by


def test_a_hidden_bar_is_null():
    told = BoardReport(seen(unseen=frozenset({BAR_PLACE})))
    assert told.as_json()["bar"] is None
    assert "bar: hidden" in told.as_text()


def test_nothing_hides_a_board_that_is_seen():
    assert BoardReport(seen()).as_json()["hidden_by"] is None


def test_the_whole_reading_is_no_surer_than_its_bar():
    reading = seen()
    reading.bar[1, :2] = np.log([0.6, 0.4])
    assert BoardReport(reading).confidence == pytest.approx(0.6)


def test_an_impossible_position_has_no_id():
    told = BoardReport(seen((9, 7, *(0,) * 22)))
    assert (told.as_json()["position"], told.as_json()["position_id"], told.as_json()["xgid"]) == (None,) * 3
    assert "XGID" not in told.as_text()


def test_a_hidden_place_is_a_question_mark_in_the_text():
    assert BoardReport(seen(unseen=frozenset({1}))).as_text().split()[:3] == ["2L", "?", "0"]


def test_of_a_refused_picture_nothing_is_told_but_why():
    told = BoardReport(refused_reading("the lens is covered")).as_json()
    assert (told["top"], told["bottom"], told["bar"], told["hidden_by"]) == (None, None, None, None)
    assert told["refused"] == "the lens is covered"
