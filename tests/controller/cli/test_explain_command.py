"""The candidate courses and the factors of their scores."""

import pytest

from controller.cli.recordings.explain import candidate_courses
from controller.rules import Position
from tests.controller.referee.inference.boards import AFTER_31, AFTER_32
from tests.controller.referee.table import Table


def courses_after(board: Position):
    """The candidates after a 3-1 whose board then lay as `board`."""
    table = Table()
    table.show(str(Position.START))
    table.play(3, 1, str(board))
    table.show(str(board))
    return table.state, list(candidate_courses(table.state))


@pytest.mark.parametrize("board", [AFTER_31, AFTER_32])
def test_the_factors_of_each_course_add_up_to_its_weight(board):
    state, courses = courses_after(board)
    weights = sorted((history.weight for history in state.histories), reverse=True)
    assert [course.weight for course in courses] == pytest.approx(weights)


def test_a_legal_play_is_explained_by_its_roll_and_an_illegal_one_by_a_fault():
    _, (legal, *_) = courses_after(AFTER_31)
    _, (illegal, *_) = courses_after(AFTER_32)
    assert (legal.turn.legal, illegal.turn.legal) == (True, False)
    assert legal.play < -2 < legal.fault + legal.readings
    assert illegal.fault < -5 < illegal.play + illegal.readings


def test_a_course_names_the_places_that_read_otherwise():
    _, courses = courses_after(AFTER_32)
    misread = {course.turn.position: course.misread for course in courses}
    assert misread[AFTER_32] == ()
    assert any(rows for board, rows in misread.items() if board != AFTER_32)
