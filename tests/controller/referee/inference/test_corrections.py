"""What people say stood on the board is final."""

from dataclasses import replace

from controller.referee.handlers.game_events import with_board_set_up
from controller.referee.inference.continuing import turn_leading_to
from controller.referee.inference.corrections import with_correction
from controller.rules import Dice, EditedBoard, Player, Position
from tests.controller.referee.inference.boards import AFTER_31, AFTER_32, ROLL, history


def played(board: Position, weight: float = 0.0):
    """The history in which White left `board` after a 3-1."""
    return history().after_turn(turn_leading_to(history(), ROLL, board, 1000), weight)


def test_the_histories_that_agree_stay_however_unlikely():
    unlikely = played(AFTER_32, -9.0)
    (kept,) = with_correction((played(AFTER_31), unlikely), 0, AFTER_32)
    assert (kept.turns, kept.past_weight, kept.by_word) == (unlikely.turns, unlikely.past_weight, True)


def test_where_no_history_agrees_the_likeliest_is_built_again_with_that_board():
    (corrected,) = with_correction((played(AFTER_31),), 0, AFTER_32)
    (turn,) = corrected.turns
    assert (turn.position, turn.dice, turn.legal) == (AFTER_32, ROLL, False)


def test_a_corrected_play_that_the_laws_allow_is_legal():
    (corrected,) = with_correction((played(AFTER_32),), 0, AFTER_31)
    (turn,) = corrected.turns
    assert (turn.play, turn.legal) == ("8/5 6/5", True)


def test_the_roll_is_what_people_say_it_was():
    """Of a 3-2 this board is legal; what the sensor had said does not come back."""
    (corrected,) = with_correction((played(AFTER_32),), 0, AFTER_32, Dice(3, 2))
    (turn,) = corrected.turns
    assert (turn.position, turn.dice, turn.dice_inferred, turn.legal) == (AFTER_32, Dice(3, 2), False, True)


def test_a_roll_that_was_only_inferred_is_sure_once_people_say_it():
    (turn,) = played(AFTER_31).turns
    inferred = history().after_turn(replace(turn, dice_inferred=True), 0.0, 0.0)
    (corrected,) = with_correction((inferred,), 0, AFTER_31, ROLL)
    assert [(turn.dice, turn.dice_inferred) for turn in corrected.turns] == [(ROLL, False)]


def test_there_is_nothing_to_correct_in_a_half_turn_that_was_not_played():
    assert with_correction((played(AFTER_31),), 1, AFTER_32) is None
    assert with_correction((history(),), 0, AFTER_32) is None


def test_what_was_played_from_a_board_that_people_set_up_stays_as_it_is():
    """A correction before the board was set up, and one after it."""
    set_up = with_board_set_up(played(AFTER_31), EditedBoard(position=Position.START, on_roll=Player.WHITE))
    run = next(iter(set_up.plays(Dice(6, 5)))).result
    course = set_up.after_told_turn(turn_leading_to(set_up, Dice(6, 5), run, 2000))
    (earlier,) = with_correction((course,), 0, AFTER_32, ROLL)
    assert [turn.legal for turn in earlier.turns] == [False, True]
    assert earlier.turns[1] == course.turns[1]
    (later,) = with_correction((course,), 1, AFTER_32, Dice(3, 2))
    assert [turn.legal for turn in later.turns] == [True, True]
    assert later.turns[0] == course.turns[0]


def test_not_to_have_thrown_stays_legal_when_an_earlier_roll_is_corrected():
    before = played(AFTER_32)
    waited = replace(turn_leading_to(before, None, AFTER_32, 2000), legal=True)
    (corrected,) = with_correction((before.after_told_turn(waited),), 0, AFTER_32, Dice(3, 2))
    assert [turn.legal for turn in corrected.turns] == [True, True]
