"""What people are offered when they correct a half-turn, and what they are told of a correction."""

import pytest

from controller.errors import InputError
from controller.page.mending import asked_difference, placed_position, ranked_plays
from controller.page.moment import Moment
from controller.perception.board_drawing import drawn_board
from controller.perception.orientation import Orientation
from controller.referee import TurnCorrected
from controller.referee.words.sentences import Speech
from controller.rules import Dice, Player, Position
from tests.controller.referee.table import Table
from tests.controller.referee.test_people import table_with_a_question
from tests.controller.referee.test_referee import AFTER_31, AFTER_31_64

SEATED = Orientation()
MEN_ON_BARS = Position.parse("08500000000000100000000001:01232220000000000000102000")


@pytest.fixture
def table():
    """Two half-turns were played."""
    found = Table()
    found.play(3, 1, AFTER_31)
    found.play(6, 4, AFTER_31_64)
    return found


def asked(table, number, **given):
    moment = Moment(t_ms=table.t_ms, state=table.state, orientation=SEATED)
    return asked_difference(moment, {"game": 1, "number": number}, given, Speech.PLAIN)


def texts(table, number, dice=None):
    return [play.text for play in ranked_plays(table.state, SEATED, 1, number, dice).plays]


def placed(position, orientation):
    board = drawn_board(position, orientation)
    return placed_position((*board.points, *board.bar), orientation)


@pytest.mark.parametrize("home", ["bottom-right", "top-left"])
@pytest.mark.parametrize("light", Player)
def test_checkers_that_people_place_are_those_of_the_board_that_they_see(home, light):
    assert placed(MEN_ON_BARS, Orientation(white_home=home, light=light)) == MEN_ON_BARS


@pytest.mark.parametrize(
    "counts",
    [(16, *(0,) * 25), (9, 7, *(0,) * 24), (-9, 7, -7, *(0,) * 23)],
    ids=["16 on a point", "16 light", "16 dark"],
)
def test_more_checkers_than_there_are_stand_on_no_board(counts):
    with pytest.raises(InputError, match="more than 15 checkers"):
        placed_position(counts, SEATED)


def test_the_board_that_is_recorded_is_offered_as_a_play_of_another_roll(table):
    assert "8/5 6/5" not in texts(table, 1)
    wrong = TurnCorrected(t_ms=table.t_ms, index=0, position=Position.parse(AFTER_31), dice=Dice(6, 1))
    table.tell(wrong)
    assert texts(table, 1, Dice(3, 1))[0] == "8/5 6/5"


def test_the_likeliest_other_play_that_the_board_leaves_open_comes_first():
    table, question = table_with_a_question()
    recorded, next_likely = (turn.play for turn in question.candidates)
    assert texts(table, 1)[0] == next_likely
    assert {recorded, next_likely}.isdisjoint(texts(table, 1, Dice(6, 2)))


def test_a_correction_that_the_referee_would_refuse_is_refused(table):
    with pytest.raises(InputError, match="a tie is thrown again"):
        asked(table, 1, typed="8/7 6/5", dice="11")


def test_a_correction_that_harms_nothing_is_accepted_at_once(table):
    found = asked(table, 1, typed="8/5 6/5", dice="")
    assert (found.changes, found.warning, len(found.lines)) == ((), "", 1)


def test_a_correction_that_the_board_contradicts_has_to_be_confirmed(table):
    found = asked(table, 2, typed="24/14")
    assert found.lines[1:] == ("keep word",)
    assert found.warning
    assert [(change.number, change.becomes) for change in found.changes] == [(2, "64: 24/18 18/14")]


def test_a_correction_that_makes_a_later_play_illegal_has_to_be_confirmed_though_the_board_allows_it(table):
    found = asked(table, 1, typed="13/10 6/5")
    assert (found.lines[1:], found.warning) == (("keep word",), "")
    assert [(change.number, change.is_legal) for change in found.changes] == [(1, True), (2, False)]


def test_a_correction_of_dice_names_them_in_the_line_that_accepts_it(table):
    found = asked(table, 2, typed="24/18 13/10", dice="63")
    assert found.lines[0].startswith("correct game 1 2 63: ")
    assert [change.becomes for change in found.changes] == ["63: 24/18 13/10"]
