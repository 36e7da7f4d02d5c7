"""The laws of play, one by one, as the modern rules tell them."""

from dataclasses import replace

import pytest

from controller.rules import MODERN, Dice, Player, Position, legal_plays
from tests.controller.rules.boards import board


def plays(position, roll, laws=MODERN):
    """White's legal plays in standard notation."""
    return sorted(str(play) for play in legal_plays(position, Player.WHITE, Dice.parse(roll), laws))


def test_a_checker_on_the_bar_must_enter_first():
    position = board({25: 1, 6: 2}, {6: 2, 5: 2})
    assert plays(position, "61") == ["bar/24 24/18"]


def test_all_checkers_on_the_bar_enter_before_another_moves():
    assert plays(board({25: 2, 13: 1}), "42") == ["bar/21 bar/23"]
    assert plays(board({25: 3, 13: 1}), "42") == ["bar/21 bar/23"]


def test_who_cannot_enter_cannot_move():
    closed = dict.fromkeys(range(1, 7), 2)
    dance = legal_plays(board({25: 1, 8: 3}, closed), Player.WHITE, Dice(6, 5))
    assert len(dance) == 1
    assert [str(play) for play in dance] == ["no move"]
    assert board({25: 1, 8: 3}, closed) in dance


def test_hitting_is_optional():
    position = board({8: 2, 6: 2}, {20: 1, 1: 2})
    assert "6/4 6/5*" in plays(position, "21")
    assert "8/6 8/7" in plays(position, "21")


def test_both_numbers_are_played_where_they_can_be():
    # 10/9 with the 1 would leave no 6, for 3 is held: so the 1 must be played 6/5.
    assert plays(board({10: 1, 6: 1}, {22: 2}), "61") == ["10/4 6/5"]


def test_if_either_number_can_be_played_but_not_both_it_is_the_higher():
    position = board({10: 1}, {22: 2})
    # From 10, the 6 leads to 4, the 1 to 9, and then 3 is held.
    assert plays(position, "61") == ["10/4"]
    as_he_chooses = replace(MODERN, higher_number_compelled=False)
    assert plays(position, "61", as_he_chooses) == ["10/4", "10/9"]


def test_the_lower_number_is_played_where_the_higher_cannot_be():
    assert plays(board({10: 1}, {21: 2, 22: 2}), "61") == ["10/9"]


def test_of_a_double_as_many_are_played_as_can_be():
    assert plays(board({13: 2}, {20: 2}), "44") == ["13/9(2)"]
    assert plays(board({13: 1, 12: 1}, {21: 2, 24: 2}), "44") == ["13/9 12/8 9/5"]


def test_no_checker_is_borne_off_while_one_stands_outside():
    assert plays(board({7: 1, 1: 2}), "61") == ["7/1 1/off"]
    assert plays(board({14: 1, 1: 2}), "61") == ["14/8 8/7"]


def test_a_number_too_high_bears_off_from_the_highest_point_only():
    assert plays(board({5: 2, 3: 2}), "66") == ["5/off(2) 3/off(2)"]
    assert plays(board({5: 1, 4: 1, 3: 1}), "63") == ["5/2 4/off", "5/off 3/off", "5/off 4/1"]


def test_a_number_may_be_moved_within_the_home_board_instead_of_borne_off():
    # The modern page: 6-3 with two on the six point and the opponent waiting on the one point.
    position = board({6: 2, 5: 2, 3: 2}, {24: 2})
    assert "6/off 6/3" in plays(position, "63")


def test_the_last_checker_may_be_borne_off_at_once_or_hit_on_its_way():
    position = board({6: 1}, {20: 1, 1: 2})
    results = {(str(play), play.result.black[25]) for play in legal_plays(position, Player.WHITE, Dice(6, 1))}
    assert results == {("6/off", 0), ("6/5* 5/off", 1)}


@pytest.mark.parametrize("player", Player)
def test_leading_to_gives_the_play_that_leaves_a_board_or_none(player):
    plays_of_31 = legal_plays(Position.START, player, Dice(3, 1))
    for play in plays_of_31:
        assert plays_of_31.leading_to(play.result) == (play,)
        assert play.result in plays_of_31
        assert play in plays_of_31
    assert plays_of_31.leading_to(Position.START) == ()
    assert Position.START not in plays_of_31


def test_the_start_position_has_as_many_plays_as_the_books_say():
    counts = {str(dice): len(legal_plays(Position.START, Player.WHITE, dice)) for dice in Dice.rolls()}
    assert counts["31"] == 16
    assert counts["55"] == 4
    assert counts["66"] == 11
    assert sum(counts.values()) == 447
