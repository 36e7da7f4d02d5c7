"""Plays that were seen or heard only in part: what comes after tells of them."""

from controller.referee import TurnCorrected
from controller.rules import Dice, Player, Position
from tests.controller.referee.table import Table, board

START_SIDE = {6: 5, 8: 3, 13: 5, 24: 2}
AFTER_31 = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE)
AFTER_64 = {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}

SHUTTING_OUT = {2: 3, 3: 2, 4: 2, 5: 2, 6: 2}
ON_THE_BAR = {6: 5, 8: 3, 13: 6, 25: 1}
"""Only an ace enters."""


def roll_unheard(table: Table) -> None:
    """Dice are thrown and taken up again, and nothing is heard of them."""
    table.t_ms += 2000


def play_unseen(table: Table, first: int, second: int) -> None:
    """The dice are heard, and nothing is seen while the play is made."""
    table.t_ms += 2000
    table.roll(first, second)
    table.t_ms += 3000
    table.lift()


def test_a_roll_that_could_not_be_played_and_the_next_one_are_both_missed():
    table = Table(Position.parse(board({**SHUTTING_OUT, 13: 4}, ON_THE_BAR)), on_roll=Player.WHITE)
    table.play(2, 1, board({**SHUTTING_OUT, 13: 3, 10: 1}, ON_THE_BAR))
    table.show(board({**SHUTTING_OUT, 13: 3, 10: 1}, ON_THE_BAR))
    roll_unheard(table)
    table.show(board({**SHUTTING_OUT, 13: 2, 10: 1, 6: 3}, ON_THE_BAR), dice=(4, 3))
    entered = {6: 5, 8: 3, 13: 5, 24: 1, 7: 1}
    table.play(6, 1, board({**SHUTTING_OUT, 13: 2, 10: 1, 6: 3}, entered))
    assert [turn.play for turn in table.state.record] == ["13/11 11/10", "no move", "13/9 9/6", "bar/24 13/7"]


def test_a_play_of_unheard_dice_breaks_the_laws_if_the_pictures_showed_others():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    eight_pips = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {**START_SIDE, 13: 4, 5: 1})
    for _ in range(2):
        table.show(eight_pips, dice=(4, 1))
    answered = board({5: 2, 6: 4, 8: 2, 13: 4, 7: 1, 24: 2}, {**START_SIDE, 13: 4, 5: 1})
    table.play(5, 1, answered)
    table.show(answered)
    assert [(str(turn.dice), turn.legal) for turn in table.state.record[:2]] == [("31", True), ("41", False)]
    assert str(table.state.record[1].position) == eight_pips


def test_dice_seen_but_not_heard_tell_that_somebody_has_played():
    lying = {1: 5, 2: 5, 3: 2, 4: 1}
    bearing_log_odds = {0: 2, **lying}
    waiting = {6: 5, 8: 5, 13: 5}
    table = Table(Position.parse(board(bearing_log_odds, waiting)), on_roll=Player.BLACK)
    table.play(1, 1, board(bearing_log_odds, {6: 5, 8: 5, 13: 4, 9: 1}))
    table.show(board(bearing_log_odds, {6: 5, 8: 5, 13: 4, 9: 1}), for_ms=4000)
    assert [turn.player for turn in table.state.record] == [Player.BLACK]
    gone = board({0: 4, 1: 5, 2: 4, 3: 2}, {6: 5, 8: 5, 13: 4, 9: 1})
    for _ in range(2):
        table.show(gone, dice=(4, 2), blurred=frozenset({0, 1}))
    (_, white) = table.state.record
    assert (white.player, str(white.dice), white.dice_inferred) == (Player.WHITE, "42", True)


def test_an_unseen_play_of_misheard_dice_is_found_from_the_board_after_the_next():
    table = Table()
    table.play(3, 1, AFTER_31)
    play_unseen(table, 6, 3)
    table.t_ms += 2000
    table.play(4, 1, board({5: 2, 6: 4, 8: 1, 3: 1, 13: 5, 24: 2}, AFTER_64))
    table.show(board({5: 2, 6: 4, 8: 1, 3: 1, 13: 5, 24: 2}, AFTER_64))
    assert [str(turn.dice) for turn in table.state.record] == ["31", "64", "41"]
    assert [turn.dice_inferred for turn in table.state.record] == [False, True, False]


def test_an_unseen_play_of_which_a_part_was_left_out_is_found_too():
    table = Table()
    table.play(3, 1, AFTER_31)
    play_unseen(table, 6, 4)
    half = {**START_SIDE, 24: 1, 18: 1}
    table.t_ms += 2000
    table.play(4, 1, board({5: 2, 6: 4, 8: 1, 3: 1, 13: 5, 24: 2}, half))
    assert [(turn.legal, str(turn.position).split(":")[1]) for turn in table.state.record[1:]] == [
        (False, board({}, half).split(":")[1]),
        (True, board({}, half).split(":")[1]),
    ]


def test_a_checker_knocked_over_and_put_back_before_the_next_roll_leaves_the_play_as_it_was():
    table = Table()
    table.roll(3, 1)
    table.show(AFTER_31)
    table.lift()
    knocked = board({5: 1, 4: 1, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE)
    table.show(knocked)
    table.roll(6, 4)
    table.show(board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, AFTER_64))
    table.lift()
    table.show(board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, AFTER_64))
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def test_a_doublet_played_after_its_dice_were_lifted_is_found_under_the_next_play():
    table = Table()
    table.play(3, 1, AFTER_31)
    table.show(AFTER_31)
    table.roll(2, 2)
    table.show(AFTER_31)
    table.lift()
    table.show(AFTER_31, for_ms=50)
    table.roll(6, 4)
    hit = board({5: 2, 6: 4, 8: 2, 13: 5, 24: 1, 14: 1}, {4: 1, 6: 4, 8: 3, 9: 1, 13: 3, 24: 2, 25: 1})
    table.show(hit)
    table.lift()
    table.show(hit)
    assert [str(turn.position) for turn in table.state.record][::2] == [AFTER_31, hit]
    assert table.plays[1:] == ["black 22 13/11(2) 11/9 6/4", "white 64 24/18 18/14*"]
    assert table.offences == []


def test_a_correction_that_is_refused_does_not_stand_for_a_picture():
    table = Table()
    play_unseen(table, 3, 1)
    table.tell(TurnCorrected(t_ms=table.t_ms, index=0, position=Position.START, dice=Dice(3, 3)))
    assert [turn.unseen for turn in table.state.marked_record] == [True]
