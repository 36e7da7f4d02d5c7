"""What the referee makes of dice that were misreported, half reported or not reported at all."""

import math

import pytest

from controller.referee import InputEnded, TurnCorrected
from controller.referee.inference.histories import weight_of_all
from controller.referee.inference.roll_evidence import UNKNOWN_FACE, sensor_odds
from controller.rules import Player, Position
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled
from tests.controller.referee.table import Table, board

START = str(Position.START)
START_SIDE = {6: 5, 8: 3, 13: 5, 24: 2}
AFTER_31 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE)
AFTER_32 = board({4: 1, 5: 1, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE)
"""8/5 6/4."""
AFTER_31_64 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1})
AFTER_31_64_41 = board({3: 1, 5: 2, 6: 4, 8: 1, 13: 5, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1})


def half_read_face(table: Table, face: int, *, moving: bool) -> None:
    """Die 1 comes to rest; of die 2 nothing is heard, or that it moves and no more."""
    table.t_ms += 500
    for die in (1, 2) if moving else (1,):
        table.tell(DiceMoving(t_ms=table.t_ms, die=die))
    table.tell(DiceSettled(t_ms=table.t_ms, die=1, face=face))


def test_a_play_of_the_dice_in_the_pictures_is_no_offence_though_a_die_was_misheard():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_32, dice=(3, 2))
    table.lift()
    table.show(AFTER_32)
    (turn,) = table.state.record
    assert (str(turn.dice), turn.dice_inferred, turn.legal, table.offences) == ("32", True, True, [])


def test_a_wrong_distance_is_an_offence_when_the_pictures_show_the_dice_that_were_heard():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_32, dice=(3, 1))
    table.lift()
    (turn,) = table.state.record
    assert (str(turn.dice), turn.legal, len(table.offences)) == ("31", False, 1)


AFTER_31_11 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {5: 2, 6: 3, 7: 2, 8: 1, 13: 5, 24: 2})
WRONG_11 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {4: 1, 5: 1, 6: 3, 7: 2, 8: 1, 13: 5, 24: 2})
"""8/7(2) 6/5 6/4."""


def test_an_illegal_play_of_a_missed_roll_is_told_while_the_pictures_show_its_dice():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.show(AFTER_31, dice=(1, 1))
    table.show(WRONG_11, dice=(1, 1))
    (offence,) = table.offences
    assert (offence.index, offence.player) == (1, Player.BLACK)
    table.show(AFTER_31_11, dice=(1, 1))
    assert table.state.offence is None


def test_dice_in_the_pictures_tell_no_offence_while_a_half_heard_roll_lies_there():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    half_read_face(table, 6, moving=True)
    table.show(AFTER_31, dice=(1, 1))
    table.show(WRONG_11, dice=(1, 1))
    assert table.offences == []


def test_dice_that_are_seen_under_a_hand_are_not_those_of_a_throw():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    for _ in range(2):
        table.show(AFTER_31, dice=(1, 1), hand=True)
    table.show(WRONG_11)
    assert table.offences == []


def test_no_play_of_a_missed_roll_is_illegal_while_its_dice_are_out_of_sight():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.show(WRONG_11)
    assert table.offences == []


def test_nothing_is_illegal_while_the_pictures_have_shown_two_rolls_that_nobody_heard():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    for _ in range(2):
        table.show(AFTER_31, dice=(6, 4))
        table.show(WRONG_11, dice=(1, 1))
    assert table.offences == []


def test_an_illegal_play_of_dice_that_were_misheard_is_told_by_the_dice_in_the_pictures():
    wrong = board({2: 1, 6: 5, 8: 2, 9: 1, 13: 4, 24: 2}, START_SIDE)
    table = Table()
    table.show(START)
    table.roll(3, 1)
    table.show(START, dice=(5, 3))
    table.show(wrong, dice=(5, 3))
    (offence,) = table.offences
    assert (offence.index, offence.player) == (0, Player.WHITE)


def test_a_half_heard_roll_ends_one_turn_only():
    for moving in (True, False):
        table = Table()
        table.play(3, 1, AFTER_31)
        table.show(AFTER_31)
        half_read_face(table, 6, moving=moving)
        table.show(AFTER_31_64)
        table.lift()
        table.show(AFTER_31_64)
        assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]
        assert table.state.record[1].dice_inferred


def unsure(one: int, other: int) -> tuple[float, ...]:
    """The odds of a die that shows one face or the other, rather the first."""
    odds = [0.01] * 7
    odds[one - 1], odds[other - 1] = 0.55, 0.4
    return tuple(odds)


def with_unsure_dice() -> Table:
    """After the first play two dice lie there and show 6 or 5, and 1 or 4, rather the first."""
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.t_ms += 500
    for die, odds in ((1, unsure(6, 5)), (2, unsure(1, 4))):
        table.tell(DiceMoving(t_ms=table.t_ms, die=die, odds=odds))
    return table


def test_dice_that_lie_there_and_are_not_sure_are_what_the_board_shows():
    table = with_unsure_dice()
    table.show(AFTER_31_64)
    assert len(table.plays) == 1, "the turn is not over"
    table.lift()
    table.show(AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]
    assert table.state.record[1].dice_inferred


def read_late(table: Table, first: int, second: int) -> None:
    """The faces of the dice that lie there are sure at last."""
    for die, face in ((1, first), (2, second)):
        table.tell(DiceSettled(t_ms=table.t_ms, die=die, face=face))


def test_dice_that_are_sure_only_after_their_play_were_played_then():
    table = with_unsure_dice()
    table.show(AFTER_31, hand=True)
    table.show(AFTER_31_64, dice=(6, 4))
    read_late(table, 6, 4)
    table.show(AFTER_31_64, dice=(6, 4))
    assert len(table.plays) == 1, "the turn is not over"
    table.lift()
    table.show(AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]
    assert not table.state.record[1].dice_inferred


def test_an_opening_throw_that_is_sure_only_after_its_play_was_played_then():
    table = Table()
    table.show(START)
    table.tell(DiceSettled(t_ms=table.t_ms, die=1, face=1))
    table.tell(DiceMoving(t_ms=table.t_ms, die=2, odds=unsure(3, 4)))
    table.show(START, hand=True)
    black_31 = board(START_SIDE, {5: 2, 6: 4, 8: 2, 13: 5, 24: 2})
    table.show(black_31)
    table.tell(DiceSettled(t_ms=table.t_ms, die=2, face=3))
    table.show(black_31)
    table.lift()
    table.roll(6, 3)
    table.show(black_31, dice=(6, 3))
    assert table.plays == ["black 31 8/5 6/5"]


def test_an_opening_throw_of_dice_that_may_be_alike_was_thrown_again():
    table = Table()
    table.show(START)
    table.tell(DiceSettled(t_ms=table.t_ms, die=1, face=4))
    table.tell(DiceMoving(t_ms=table.t_ms, die=2, odds=unsure(4, 2)))
    for _ in range(3):
        table.show(START, dice=(4, 4))
    table.lift()
    assert (table.plays, table.offences) == ([], [])
    table.show(START)
    table.play(3, 1, AFTER_31)
    assert table.plays == ["white 31 8/5 6/5"]


def test_a_play_of_dice_that_are_not_sure_does_not_undo_what_was_inferred_before():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.show(AFTER_31_64, dice=(6, 4))
    assert len(table.plays) == 2, "of a roll that nobody heard"
    table.show(AFTER_31_64)
    table.t_ms += 500
    table.tell(DiceSettled(t_ms=table.t_ms, die=1, face=4))
    table.tell(DiceMoving(t_ms=table.t_ms, die=2, odds=unsure(2, 1)))
    table.show(AFTER_31_64, dice=(4, 1))
    table.show(AFTER_31_64_41, dice=(4, 1))
    assert len(table.plays) == 2, "the turn is not over"
    table.lift()
    assert [str(turn.position) for turn in table.state.record] == [AFTER_31, AFTER_31_64, AFTER_31_64_41]
    assert table.offences == []


def test_dice_that_are_not_sure_were_played_when_they_are_thrown_again():
    after_55 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {3: 2, 6: 5, 8: 3, 13: 3, 24: 2})
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.tell(DiceSettled(t_ms=table.t_ms, die=1, face=5))
    table.tell(DiceMoving(t_ms=table.t_ms, die=2, odds=unsure(3, 5)))
    table.show(AFTER_31, dice=(5, 5))
    table.show(after_55, dice=(5, 5))
    table.t_ms += 200
    for die in (1, 2):
        table.tell(DiceMoving(t_ms=table.t_ms, die=die))
    table.show(after_55, for_ms=500)
    assert [str(turn.position) for turn in table.state.record] == [AFTER_31, after_55]


def test_what_no_roll_allows_that_the_dice_may_show_is_told_at_once():
    table = with_unsure_dice()
    table.show(AFTER_31_64)
    assert table.offences == [], "they may show 6 and 4"
    backwards = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 2, 9: 1, 13: 5, 24: 2})
    table.show(backwards)
    (offence,) = table.offences
    assert (offence.index, offence.player) == (1, Player.BLACK)
    table.show(AFTER_31_64)
    assert table.state.offence is None


@pytest.mark.parametrize("odds", [unsure(6, 5), UNKNOWN_FACE])
def test_that_nothing_was_played_of_dice_that_are_not_sure_is_no_likelier_than_other_illegal_plays(odds):
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.t_ms += 500
    for die in (1, 2):
        table.tell(DiceMoving(t_ms=table.t_ms, die=die, odds=odds))
    table.show(AFTER_31)
    table.lift()
    table.show(AFTER_31)
    histories = table.state.histories
    illegal = [history for history in histories if history.is_irregular]
    assert weight_of_all(illegal) < weight_of_all(histories) + math.log(0.01)


def test_an_illegal_play_is_told_when_its_dice_are_sure_at_last():
    table = with_unsure_dice()
    table.show(AFTER_31_64)
    read_late(table, 6, 1)
    table.show(AFTER_31_64)
    (offence,) = table.offences
    assert (offence.index, offence.player) == (1, Player.BLACK)


def test_what_people_say_before_the_dice_are_sure_counts():
    table = with_unsure_dice()
    table.show(AFTER_31_64)
    corrected = Position.parse(board({5: 1, 6: 4, 8: 3, 10: 1, 13: 4, 24: 2}, START_SIDE))
    table.tell(TurnCorrected(t_ms=table.t_ms, index=0, position=corrected))
    read_late(table, 6, 4)
    assert table.state.record[0].position == corrected


def test_the_last_play_of_dice_that_are_not_sure_counts_when_it_lies_there():
    for lies, n_turns in ((AFTER_31_64, 2), (AFTER_31, 1)):
        table = with_unsure_dice()
        table.show(lies)
        table.tell(InputEnded(t_ms=table.t_ms))
        assert len(table.plays) == n_turns


def test_one_die_thrown_and_taken_up_again_ends_no_turn():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    half_read_face(table, 6, moving=False)
    table.tell(DiceLifted(t_ms=table.t_ms + 300, die=1))
    table.show(AFTER_31)
    table.play(6, 4, AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def test_an_opening_roll_that_nobody_heard_is_inferred():
    table = Table()
    table.show(START)
    table.show(AFTER_31)
    table.play(6, 4, AFTER_31_64)
    first, second = table.state.record
    assert (first.player, first.dice_inferred, str(first.position)) == (Player.WHITE, True, AFTER_31)
    assert (second.player, str(second.position)) == (Player.BLACK, AFTER_31_64)


def test_two_rolls_that_nobody_heard_are_inferred_one_after_the_other():
    table = Table()
    table.play(3, 1, AFTER_31)
    for after in (AFTER_31, AFTER_31_64, AFTER_31_64_41):
        table.show(after)
    assert [str(turn.position) for turn in table.state.record] == [AFTER_31, AFTER_31_64, AFTER_31_64_41]


def test_the_last_play_is_recorded_though_its_roll_was_not_heard():
    before, after = board({0: 13, 1: 2}, {0: 5, 6: 10}), board({0: 15}, {0: 5, 6: 10})
    table = Table(Position.parse(before), on_roll=Player.WHITE)
    table.show(before)
    table.show(after)
    table.tell(InputEnded(t_ms=table.t_ms))
    assert [str(turn.position) for turn in table.state.record] == [after]


def test_two_plays_that_nobody_saw_are_told_from_the_board_after_them():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    for first, second in ((6, 4), (4, 1)):
        table.roll(first, second)
        table.t_ms += 5000
        table.lift()
        table.t_ms += 2000
    table.show(AFTER_31_64_41)
    assert [str(turn.position) for turn in table.state.record] == [AFTER_31, AFTER_31_64, AFTER_31_64_41]


def test_a_record_that_went_astray_finds_back_to_the_board():
    table = Table()
    table.play(3, 1, AFTER_31)
    elsewhere = board({3: 2, 5: 2, 6: 4, 8: 2, 13: 3, 22: 2}, {6: 4, 5: 2, 8: 2, 7: 2, 13: 3, 21: 2})
    table.show(elsewhere, for_ms=5000)
    table.roll(6, 4)
    table.show(elsewhere)
    table.lift()
    after = board({3: 2, 5: 2, 6: 4, 8: 2, 13: 3, 22: 2}, {6: 3, 5: 2, 4: 1, 8: 1, 2: 1, 7: 2, 13: 3, 21: 2})
    table.play(4, 2, after)
    table.show(after, for_ms=3000)  # until then the next play may still follow its lifted dice
    assert str(table.state.record[-1].position) == after


def test_who_plays_after_a_roll_that_nobody_heard_and_nobody_could_play_is_not_called_wrong():
    shut_out = {6: 5, 8: 3, 13: 6, 25: 1}
    holding = {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 7: 2}
    before, half_played = (board(shut_out, {**holding, **on}) for on in ({13: 3}, {13: 2, 9: 1}))
    played = board(shut_out, {**holding, 13: 1, 11: 1, 9: 1})
    table = Table(Position.parse(before), on_roll=Player.WHITE)
    table.show(before)
    table.t_ms += 5000
    table.show(before)
    table.roll(4, 2)
    for lying in (half_played, played):
        table.show(lying)
    table.lift()
    table.show(played)
    assert [turn.play for turn in table.state.record] == ["no move", "13/9 13/11"]
    assert table.offences == []


def thrown_upon_the_dice() -> Table:
    """The next roll was half heard: it was made, and played, before the dice of the last one were lifted."""
    table = Table()
    table.show(START)
    table.roll(3, 1)
    table.show(AFTER_31)
    half_read_face(table, 6, moving=True)
    table.show(AFTER_31_64)
    return table


def test_a_half_heard_roll_made_before_the_dice_were_lifted_is_the_next_players():
    table = thrown_upon_the_dice()
    table.lift()
    table.show(AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]
    assert [turn.dice_inferred for turn in table.state.record] == [False, True]
    assert table.offences == []


def test_two_rolls_made_at_once_are_two_though_one_was_half_heard():
    table = thrown_upon_the_dice()
    table.roll(4, 1)
    table.show(AFTER_31_64_41)
    table.lift()
    assert [turn.play for turn in table.state.record] == ["8/5 6/5", "24/18 13/9", "8/4 4/3"]


def test_dice_pushed_about_before_they_are_lifted_are_no_roll():
    table = Table()
    table.show(START)
    table.roll(3, 1)
    table.show(AFTER_31)
    half_read_face(table, 3, moving=True)
    table.lift()
    table.show(AFTER_31)
    assert table.plays == ["white 31 8/5 6/5"]


def test_a_play_of_other_dice_is_right_when_the_dice_were_not_surely_read():
    table = Table()
    table.show(START)
    for die, face in ((1, 3), (2, 1)):
        table.tell(DiceSettled(t_ms=table.t_ms, die=die, face=face, odds=sensor_odds(face, 0.9)))
    table.show(AFTER_32)
    table.lift()
    table.show(AFTER_32)
    (turn,) = table.state.record
    assert (str(turn.dice) in ("32", "41"), turn.dice_inferred, turn.legal) == (True, True, True)


def test_who_cannot_play_has_not_played_when_the_other_plays_a_roll_that_nobody_heard():
    """Black is closed out and cannot play 5-2; then White plays 4-2, of which nothing is heard."""
    white = {2: 3, 3: 2, 4: 2, 5: 2, 6: 4, 1: 2}
    black = {1: 5, 2: 3, 3: 3, 4: 3, 25: 1}
    table = Table(Position.parse(board(white, black)), on_roll=Player.BLACK)
    table.show(board(white, black))
    table.roll(5, 2)
    table.show(board(white, black))
    table.show(board(white | {2: 4, 4: 3, 6: 2}, black))
    assert table.offences == []


def test_a_play_of_a_missed_roll_that_rests_halfway_does_not_make_the_play_before_it_illegal():
    """White hits; Black enters on 20 and goes on to 15 with a 5-5 that the sensor did not report."""
    white, black = {4: 1, 6: 4, 8: 3, 13: 4, 21: 1}, {3: 1, 5: 3, 6: 2, 7: 4, 14: 1, 16: 1, 18: 1, 1: 1}
    before = Position.parse(board({**white, 25: 2}, {**black, 2: 1}))
    hit, entered, on_15 = (board({**white, 23: 1, 25: 1}, {**black, place: 1}) for place in (25, 20, 15))
    table = Table(before, Player.WHITE)
    table.show(str(before))
    table.play(5, 2, hit)
    for lying in (hit, entered, on_15):
        table.show(lying)
        table.show(lying, dice=(5, 5))
    assert table.plays[0] == "white 52 bar/23*"
    assert table.offences == []


def test_a_missed_roll_is_inferred_when_the_next_one_is_heard_before_the_board_has_settled():
    """Black's 6-4 is not heard, and White throws 4-1 at once."""
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.t_ms += 6000
    table.show(AFTER_31_64, for_ms=250)
    table.play(4, 1, AFTER_31_64_41)
    assert table.plays[1:] == ["black 64 24/18 13/9", "white 41 8/4 4/3"]
    assert [turn.dice_inferred for turn in table.state.record] == [False, True, False]


def test_an_opening_roll_that_was_missed_is_inferred_when_the_next_one_is_heard():
    """White's opening 3-1 is not heard, and Black throws 6-4 at once."""
    table = Table()
    table.show(START)
    table.t_ms += 6000
    table.show(AFTER_31, for_ms=250)
    table.play(6, 4, AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def test_a_checker_knocked_after_the_play_of_a_missed_roll_hides_neither():
    """Black's 6-4 is not heard. One of White's checkers slips from 8 to 7, and is put back."""
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.t_ms += 6000
    black = {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}
    table.show(board({5: 2, 6: 4, 8: 1, 9: 1, 13: 5, 24: 2}, black))
    table.show(AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def test_two_missed_rolls_that_show_the_same_dice_make_no_offence():
    """Black's 6-4 and White's are not heard, and the pictures show no other dice."""
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    after_both = board({5: 2, 6: 4, 8: 2, 13: 4, 3: 1, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1})
    for lying in (AFTER_31, AFTER_31_64, after_both):
        table.t_ms += 6000
        table.show(lying, dice=(6, 4))
        table.show(lying, dice=(6, 4))
    assert table.offences == []
    assert table.state.record[-1].position == Position.parse(after_both)


def test_a_missed_roll_played_in_part_is_illegal_and_not_a_whole_play_with_a_checker_knocked_back():
    """Black's 2-1 is not heard: he plays the 2, and White's next roll is heard."""
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.t_ms += 6000
    part = {6: 5, 8: 3, 11: 1, 13: 4, 24: 2}
    for black in (START_SIDE, part):
        for _ in range(2):
            table.show(board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, black), dice=(2, 1))
    table.play(4, 1, board({3: 1, 5: 2, 6: 4, 8: 1, 13: 5, 24: 2}, part))
    assert table.plays[1:] == ["black 21 13/11", "white 41 8/4 4/3"]
    assert [turn.legal for turn in table.state.record] == [True, False, True]
