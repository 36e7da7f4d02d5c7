"""Chances: the printed tables of the old books against the count of all 36 throws."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from controller.rules import Dice, Player, Position, parse_play, shots
from controller.rules.openings.odds import (
    DISTANCES,
    PRINTED_HITTING,
    PRINTED_SET,
    RUBBER,
    SET,
    average_spots,
    average_throw,
    entering,
    entering_table,
    hitting,
    hitting_table,
    misprinted,
    odds_against,
    odds_on,
    ways,
    winning_a_set,
)
from controller.rules.openings.opening_book import Book

CORRECTED = dict(
    zip(
        range(1, 25),
        [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1],
        strict=True,
    )
)
"""The table as it should have been printed: chances in 36 of being hit."""


def reached(one, other):
    """Every distance one checker can stop at with two dice on an open board, by counting on one's fingers."""
    if one == other:
        return {one, 2 * one, 3 * one, 4 * one}
    return {one, other, one + other}


def test_the_corrected_hitting_table_equals_the_count_of_all_throws_from_1_to_24():
    assert hitting_table() == CORRECTED


@pytest.mark.parametrize("distance", DISTANCES)
def test_the_rules_hit_with_the_throws_that_reach_so_far(distance):
    throws = list(product(range(1, 7), repeat=2))
    assert ways(hitting(distance)) == sum(distance in reached(*throw) for throw in throws)


@pytest.mark.parametrize("distance", range(1, 24))
def test_a_checker_on_a_point_hits_as_one_from_the_bar_does(distance):
    white, black = [0] * 26, [0] * 26
    black[24], black[0] = 1, 14
    white[1 + distance], white[0] = 1, 14
    assert shots(Position(white, black), Player.WHITE).rolls[1 + distance] == hitting(distance)


def test_eb9_eight_away_with_the_four_point_held_is_four_of_36_not_six():
    assert hitting(8) == (Dice(2, 2), Dice(4, 4), Dice(5, 3), Dice(6, 2))
    assert odds_against(ways(hitting(8))) == (30, 6)
    assert hitting(8, held=[4]) == (Dice(5, 3), Dice(6, 2))
    assert odds_against(ways(hitting(8, held=[4]))) == (32, 4)


def test_a_sum_of_two_numbers_is_blocked_only_where_both_ways_to_it_are():
    assert ways(hitting(7, held=[6])) == 6
    assert ways(hitting(7, held=[6, 1])) == 4


def test_doublets_are_blocked_by_any_held_point_that_they_stop_at():
    assert hitting(12, held=[6]) == (Dice(4, 4),)
    assert hitting(12, held=[3]) == (Dice(4, 4), Dice(6, 6))


def test_eb9_misprints_hoyles_35_to_1_at_twelve_and_nothing_else():
    assert PRINTED_HITTING[Book.BRITANNICA][12] == (35, 1)
    assert misprinted(Book.BRITANNICA) == {12: (33, 3)}
    assert hitting(12) == (Dice(3, 3), Dice(4, 4), Dice(6, 6))


def test_cady_prints_25_to_11_for_an_ace_and_19_to_17_for_a_six_and_both_are_right():
    assert PRINTED_HITTING[Book.CADY] == {1: (25, 11), 6: (19, 17)}
    assert misprinted(Book.CADY) == {}


def test_cady_berkeleys_five_long_ranges_are_those_that_doublets_reach():
    assert [distance for distance in range(13, 25) if hitting(distance)] == [15, 16, 18, 20, 24]


def test_cady_x_a_number_over_six_is_hit_once_in_six_at_most():
    assert max(ways(hitting(distance)) for distance in range(7, 25)) == 6


@pytest.mark.parametrize(
    ("distance", "held"), [(0, ()), (25, ()), (5, [5]), (5, [0]), (20, [1, 2, 3, 4, 5, 6, 7, 8])]
)
def test_what_no_board_can_show_is_refused(distance, held):
    with pytest.raises(ValueError):
        hitting(distance, held)


def test_modern_entering_against_the_five_three_and_six_points_fails_with_nine_throws():
    fails = ["53", "63", "65", "33", "55", "66"]
    assert sum(Dice.parse(text).ways for text in fails) == 9
    assert entering([5, 3, 6]) == 36 - 9


def test_entering_depends_on_how_many_points_are_held_and_not_on_which():
    for n_held in range(7):
        counts = {entering(held) for held in combinations(range(1, 7), n_held)}
        assert counts == {36 - n_held**2}


def test_two_men_up_enter_when_both_numbers_are_open():
    assert entering_table(up=2) == {0: 36, 1: 25, 2: 16, 3: 9, 4: 4, 5: 1, 6: 0}


def test_cady_the_average_throw_is_294_of_36_eight_and_a_little_more():
    assert average_throw() == Fraction(294, 36)
    assert 8 < average_throw() < Fraction(17, 2)
    assert average_spots() == 7


def test_a_set_of_five_even_games():
    assert odds_on(winning_a_set(2, 3)) == (11, 5)
    assert odds_on(winning_a_set(1, 3)) == (7, 1)
    assert odds_on(winning_a_set(1, 2)) == (3, 1)
    assert winning_a_set(3, 3) == Fraction(1, 2)


def test_cady_xv_prints_shorter_odds_than_even_games_give():
    for (won, lost), (on, against) in PRINTED_SET.items():
        assert Fraction(on, on + against) < winning_a_set(SET.points - won, SET.points - lost)


def test_cady_xv_comes_out_of_no_one_share_of_gammons():
    def share_that_gives(won, lost):
        on, against = PRINTED_SET[won, lost]
        shares = [Fraction(n, 600) for n in range(601)]
        return {
            n
            for n in shares
            if winning_a_set(SET.points - won, SET.points - lost, n) == Fraction(on, on + against)
        }

    assert share_that_gives(2, 1) == {Fraction(1, 3)}
    assert share_that_gives(2, 0) == {Fraction(1)}


def test_h09_who_has_lost_the_first_hit_of_a_rubber_wins_it_with_a_gammon():
    assert odds_on(1 - winning_a_set(RUBBER.points, 1)) == (3, 1)
    assert winning_a_set(2, 1, gammons=Fraction(1)) == Fraction(1, 2)
    assert winning_a_set(2, 1, gammons=Fraction(1, 4)) == Fraction(5, 16)


@pytest.mark.parametrize(("needs", "adversary"), list(product(range(1, 4), repeat=2)))
@pytest.mark.parametrize("gammons", [Fraction(0), Fraction(1, 3)])
def test_one_of_two_players_wins_the_set(needs, adversary, gammons):
    assert winning_a_set(needs, adversary, gammons) + winning_a_set(adversary, needs, gammons) == 1


def test_eb9_the_man_left_behind_by_six_cinque_is_hit_by_fives_sevens_and_sixes():
    run = parse_play("24/13", Position.START, Player.WHITE, Dice(6, 5))[0].result
    hit_by = shots(run, Player.WHITE).rolls[24]
    fives = {dice for dice in Dice.rolls() if 5 in (dice.high, dice.low)}
    make_up_five = {Dice(4, 1), Dice(3, 2)}
    make_up_seven = {Dice(6, 1), Dice(5, 2), Dice(4, 3)}
    assert fives | make_up_five | make_up_seven | {Dice(6, 6)} <= set(hit_by)
    assert Dice(6, 4) not in hit_by
