"""How throws were called and points named."""

import pytest

from controller.rules import Dice, DiceError, parse_steps
from controller.rules.notation.calls import call_of_dice, parse_call, play_in_words, point_name


@pytest.mark.parametrize(
    ("dice", "called"),
    [
        (Dice(2, 6), "six-deuce"),
        (Dice(3, 5), "cinque-trois"),
        (Dice(1, 4), "quatre-ace"),
        (Dice(5, 6), "six-cinque"),
        (Dice(3, 3), "treys"),
        (Dice(6, 6), "sixes"),
    ],
)
def test_h09_the_thrower_calls_the_higher_number_first(dice, called):
    assert call_of_dice(dice) == called


@pytest.mark.parametrize("dice", list(Dice.rolls()), ids=str)
def test_every_throw_is_heard_as_it_is_called(dice):
    assert parse_call(call_of_dice(dice)) == dice
    assert parse_call(str(dice)) == dice


@pytest.mark.parametrize(
    ("called", "dice"),
    [
        ("Cinque, deuce", Dice(5, 2)),
        ("quatre, trey", Dice(4, 3)),
        ("ace trois", Dice(3, 1)),
        ("double trois", Dice(3, 3)),
        ("fours", Dice(4, 4)),
        ("six size", Dice(6, 6)),
    ],
)
def test_other_ways_to_call_a_throw_are_understood(called, dice):
    assert parse_call(called) == dice


@pytest.mark.parametrize("called", ["", "six", "seven-one", "67", "aces deuces", "six five four", "0"])
def test_what_is_no_throw_is_refused_with_the_way_to_say_it(called):
    with pytest.raises(DiceError, match="31"):
        parse_call(called)


def test_cady_names_of_the_points_from_the_home_table_outwards():
    assert [point_name(number) for number in range(1, 13)] == [
        "ace point",
        "deuce point",
        "trois point",
        "quatre point",
        "cinque point",
        "six point",
        "bar point",
        "outer deuce point",
        "outer trois point",
        "outer quatre point",
        "outer cinque point",
        "outer six point",
    ]


def test_the_points_in_the_opposite_tables_are_named_in_the_same_way_for_the_adversary():
    assert [point_name(25 - number) for number in range(1, 13)] == [
        f"adversary's {point_name(number)}" for number in range(1, 13)
    ]
    assert [point_name(number) for number in (25, 0)] == ["bar", "off"]


@pytest.mark.parametrize(
    ("play", "told"),
    [
        (
            "8/5 6/5",
            "one man from the outer deuce point to the cinque point, "
            "one man from the six point to the cinque point",
        ),
        ("24/18(2)", "two men from the adversary's ace point to the adversary's bar point"),
        (
            "bar/21* 6/5",
            "one man entered on the adversary's quatre point, taking up a man, "
            "one man from the six point to the cinque point",
        ),
        ("6/off(3)", "three men borne from the six point"),
        ("6/3(5)", "5 men from the six point to the trois point"),
        ("no move", "no move"),
    ],
)
def test_plays_are_told_in_the_names_of_the_points(play, told):
    assert play_in_words(parse_steps(play)) == told
