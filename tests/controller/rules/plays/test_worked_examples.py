"""Every example of play that the old texts and the modern page work out, as they give it."""

from collections import Counter

import pytest

from controller.rules import LAWS, Dice, Player, Position, after_steps, legal_plays, parse_steps
from controller.rules.laws.law_sets import BOOKS
from tests.controller.rules.boards import board

W, B = Player.WHITE, Player.BLACK
HOYLE, BRITANNICA, CADY, MODERN = (
    LAWS[name] for name in ("hoyle-1909", "britannica-1878", "cady-1895", "modern")
)
BY_EVERY_BOOK = pytest.mark.parametrize("laws", BOOKS, ids=lambda laws: laws.name)


def after(position, player, play):
    return after_steps(position, player, parse_steps(play))


def plays(position, roll, laws, player=W):
    """Every legal play, as the steps it consists of in whatever order."""
    found = legal_plays(position, player, Dice.parse(roll), laws)
    return {tuple(sorted(f"{step}" for step in play.steps)) for play in found}


def allows(position, roll, play, laws, player=W):
    """Whether `play` leaves what a legal play leaves."""
    return after(position, player, play) in legal_plays(position, player, Dice.parse(roll), laws)


def each_step(position, roll, laws, player=W):
    """Every single step that is part of a legal play."""
    found = legal_plays(position, player, Dice.parse(roll), laws)
    return {str(step) for play in found for step in play.steps}


# -- Hoyle's Games Modernized, 1909


def test_hoyle_six_trois_is_played_with_one_man_or_with_two():
    assert allows(Position.START, "63", "24/18 18/15", HOYLE)
    assert allows(Position.START, "63", "24/18 13/10", HOYLE)


FIGURE_2 = board({5: 5, 4: 3, 2: 3, 1: 4})
"""Five men on the cinque point, three on the quatre, three on the deuce, four on the ace."""


@BY_EVERY_BOOK
def test_hoyle_quatre_trois_in_bearing(laws):
    steps = each_step(FIGURE_2, "43", laws)
    assert steps == {"4/off", "5/1", "5/2", "4/1"}


@BY_EVERY_BOOK
def test_hoyle_a_six_bears_from_the_cinque_point(laws):
    assert each_step(FIGURE_2, "66", laws) == {"5/off"}


@BY_EVERY_BOOK
def test_hoyle_deuces_bear_three_men_and_move_the_fourth(laws):
    borne = Counter(sum(step.endswith("/off") for step in play) for play in plays(FIGURE_2, "22", laws))
    assert max(borne) == 3
    fourth = {step for play in plays(FIGURE_2, "22", laws) if play.count("2/off") == 3 for step in play} - {
        "2/off"
    }
    assert fourth == {"5/3", "4/2"}


# -- Encyclopaedia Britannica, ninth edition


@BY_EVERY_BOOK
def test_britannica_cinque_six_at_first(laws):
    assert allows(Position.START, "65", "24/18 18/13", laws)
    assert allows(Position.START, "65", "24/18 8/3", laws)
    assert "24/19" not in each_step(Position.START, "65", laws)


@BY_EVERY_BOOK
def test_britannica_a_six_that_leaves_no_five_completes_the_move(laws):
    position = board({24: 1}, {25 - 19: 2, 25 - 13: 2})
    assert plays(position, "65", laws) == {("24/18",)}


@BY_EVERY_BOOK
def test_britannica_the_five_is_moved_first_if_the_six_can_be_moved_after_it(laws):
    # After 8/2 with the six no five can be moved: 1 is held. After 8/3 with the five a six is borne.
    position = board({8: 1, 6: 2}, {25 - 1: 2})
    assert "8/2" not in each_step(position, "65", laws)
    assert plays(position, "65", laws) == {("6/off", "8/3")}


@BY_EVERY_BOOK
def test_britannica_the_blocked_fives(laws):
    """The cinque point of black's outer table is free, but the first cinque comes to a point he holds."""
    assert not Position.START.side(B)[25 - 14]
    assert not any(step.startswith("24/") for step in each_step(Position.START, "55", laws))


def test_britannica_four_aces_are_moved():
    assert {len(play) for play in plays(Position.START, "11", BRITANNICA)} == {4}


def test_britannica_ace_trois_makes_a_point():
    assert allows(Position.START, "31", "8/5 6/5", BRITANNICA)
    assert after(Position.START, W, "8/5 6/5").white[5] == 2


RAN = after(Position.START, W, "24/18 18/13")
"""White has carried a man from black's inner table as far as six, cinque took him."""


@pytest.mark.parametrize("roll", ["51", "52", "53", "54", "65"])
def test_britannica_a_five_hits_the_blot_on_the_ace_point(roll):
    assert RAN.white[24] == 1
    assert "6/1*" in each_step(RAN, roll, BRITANNICA, B)


@pytest.mark.parametrize(("roll", "play"), [("43", "8/4 4/1"), ("61", "8/2 2/1"), ("52", "6/1 13/11")])
def test_britannica_seven_hits_it_from_the_three_men_in_the_outer_table(roll, play):
    assert allows(RAN, roll, play, BRITANNICA, B)
    assert after(RAN, B, play).white[25] == 1


def test_britannica_taking_up_with_one_man_leaves_a_blot():
    hit = after(RAN, B, "6/1 13/11")
    assert hit.side(B)[1] == 1
    assert "bar/24*" in each_step(hit, "21", BRITANNICA)


TAKEN_UP = after(RAN, B, "13/7 13/7 7/1 7/1")
"""Black has thrown sixes and hit the blot without leaving one."""


@BY_EVERY_BOOK
def test_britannica_sixes_hit_without_leaving_a_blot(laws):
    assert TAKEN_UP in legal_plays(RAN, B, Dice(6, 6), laws)
    assert (TAKEN_UP.side(B)[1], TAKEN_UP.white[25]) == (2, 1)


@BY_EVERY_BOOK
@pytest.mark.parametrize("roll", ["11", "66", "61"])
def test_britannica_aces_sixes_and_six_ace_do_not_enter(roll, laws):
    assert plays(TAKEN_UP, roll, laws) == {()}


@BY_EVERY_BOOK
def test_britannica_two_blots_may_be_taken_up_at_once_and_four_with_doublets(laws):
    two = board({13: 2}, {25 - 9: 1, 25 - 11: 1, 1: 2})
    assert ("13/11*", "13/9*") in plays(two, "42", laws)
    four = board({13: 4, 12: 4, 11: 4, 10: 3}, {25 - n: 1 for n in (5, 6, 7, 8)})
    assert any(all(step.endswith("*") for step in play) for play in plays(four, "55", laws))


EVERY_POINT = board({6: 3, 5: 3, 4: 3, 3: 2, 2: 2, 1: 2})


@BY_EVERY_BOOK
def test_britannica_six_quatre_in_bearing(laws):
    found = plays(EVERY_POINT, "64", laws)
    assert all("6/off" in play for play in found)
    assert {step for play in found for step in play} - {"6/off"} == {"4/off", "6/2", "5/1"}


@BY_EVERY_BOOK
def test_britannica_a_six_is_borne_from_the_cinque_point_if_the_six_point_is_unoccupied(laws):
    assert all("5/off" in play for play in plays(board({5: 3, 4: 3, 1: 2}), "64", laws))


@BY_EVERY_BOOK
def test_britannica_a_number_lower_than_the_points_occupied_must_be_moved(laws):
    assert not any(step.endswith("/off") for step in each_step(board({5: 1, 4: 1}), "21", laws))


# -- Cady, 1895


@BY_EVERY_BOOK
def test_cady_quatre_deuce_with_one_man_or_with_two(laws):
    assert allows(Position.START, "42", "13/9 9/7", laws)
    assert allows(Position.START, "42", "8/4 6/4", laws)


@BY_EVERY_BOOK
def test_cady_six_ace_is_a_seven_from_the_twelfth_over_the_open_bar_point(laws):
    steps = each_step(Position.START, "61", laws)
    assert not {"6/off", "13/12"} & steps
    assert allows(Position.START, "61", "13/7 7/6", laws)


@pytest.mark.parametrize(
    ("white", "play"),
    [
        ({25: 1}, "bar/19 19/13 13/7 7/1"),
        ({24: 2}, "24/18 18/12 12/6 24/18"),
        ({24: 2}, "24/18 18/12 24/18 18/12"),
        ({24: 4}, "24/18 24/18 24/18 24/18"),
    ],
    ids=["one man 24 points", "one 18, another 6", "two 12 each", "four 6 each"],
)
def test_cady_quoting_berkeley_on_double_sixes(white, play):
    assert allows(board(white), "66", play, CADY)


@BY_EVERY_BOOK
def test_cady_treys_are_lost_if_the_third_point_from_each_man_is_held(laws):
    position = board({24: 2, 13: 3}, {25 - 21: 2, 25 - 10: 2})
    assert plays(position, "33", laws) == {()}


def test_cady_trois_ace_of_which_but_one_can_be_played_is_his_to_choose():
    position = board({6: 1, 24: 1}, {25 - 2: 2, 25 - 23: 2, 25 - 21: 2})
    assert plays(position, "31", CADY) == {("6/3",), ("6/5",)}
    assert plays(position, "31", MODERN) == {("6/3",)}


def test_cady_the_ace_is_played_first_if_the_trey_can_be_played_after_it():
    # 4 is held, so the trey cannot be played until the ace has brought the last man home.
    position = board({7: 1, 3: 1}, {25 - 4: 2, 25 - 2: 2})
    assert plays(position, "31", CADY) == {("3/off", "7/6"), ("6/3", "7/6")}


@BY_EVERY_BOOK
def test_cady_a_blot_need_not_be_hit_on_the_way(laws):
    position = board({13: 2}, {25 - 11: 1, 1: 2})
    found = plays(position, "42", laws)
    assert ("13/9", "9/7") in found
    assert ("11/7", "13/11*") in found


@BY_EVERY_BOOK
def test_cady_cinque_deuce_in_bearing(laws):
    """Both borne; the cinque played from the six, the deuce from six, cinque, quatre or trey; or one each."""
    found = plays(EVERY_POINT, "52", laws)
    assert ("2/off", "5/off") in found
    for deuce in ("6/4", "5/3", "4/2", "3/1"):
        assert tuple(sorted(("6/1", deuce))) in found
        assert tuple(sorted(("5/off", deuce))) in found
    assert ("2/off", "6/1") in found
    assert each_step(EVERY_POINT, "52", laws) == {"5/off", "2/off", "6/1", "6/4", "5/3", "4/2", "3/1"}


@BY_EVERY_BOOK
def test_cady_what_cannot_be_played_must_be_borne(laws):
    """No man on the six or cinque point: the cinque bears the quatre."""
    assert all("4/off" in play for play in plays(board({4: 3, 1: 3}), "54", laws))


@BY_EVERY_BOOK
def test_cady_cinque_ace_in_bearing(laws):
    """The ace may be played up from the cinque point and the cinque then borne from the quatre.

    The text has "no man on his cinque" and plays the ace from there: it is the six point that is empty.
    """
    position = board({5: 1, 4: 2, 2: 3})
    found = plays(position, "51", laws)
    assert ("4/off", "5/4") in found
    assert ("4/3", "5/off") in found


@BY_EVERY_BOOK
def test_cady_an_ace_with_the_ace_point_unoccupied_is_played_up(laws):
    assert each_step(board({5: 2, 3: 2, 2: 2}), "51", laws) == {"5/off", "5/4", "3/2", "2/1"}


def test_cady_law_10_the_higher_number_is_deemed_borne():
    position = board({6: 1, 1: 2})
    (play,) = legal_plays(position, W, Dice(5, 4), CADY).leading_to(board({1: 2}))
    assert str(play) == "6/2 2/off"


# -- the modern page

DIAGRAM_4 = after(Position.START, B, "24/20 13/10")
"""Black has thrown 4-3: one man from W1 to W5, one from W12 to B10."""


@BY_EVERY_BOOK
def test_modern_five_four_hits_from_b1_over_b5(laws):
    assert allows(DIAGRAM_4, "54", "24/20 20/15", laws)
    assert after(DIAGRAM_4, W, "24/20 20/15").black[25] == 1
    assert "24/19" not in each_step(DIAGRAM_4, "54", laws)


EIGHT_MOVES_OF_52 = (
    {"24/22"},
    {"13/11"},
    {"13/8"},
    {"13/8", "8/6"},
    {"8/6"},
    {"8/3", "3/1*"},
    {"6/4"},
    {"6/1*"},
)


@BY_EVERY_BOOK
@pytest.mark.parametrize("move", EIGHT_MOVES_OF_52, ids=lambda move: " ".join(sorted(move, reverse=True)))
def test_modern_five_two_each_of_the_eight_moves(move, laws):
    assert any(move <= set(play) for play in plays(DIAGRAM_4, "52", laws))


@BY_EVERY_BOOK
def test_modern_five_two_and_no_other_move(laws):
    named = set().union(*EIGHT_MOVES_OF_52)
    # W11 to W6 is the other way to carry one man from B12 to W6, and W8 to W3 may end there.
    assert each_step(DIAGRAM_4, "52", laws) - named <= {"11/6"}
    assert not any({"24/22", "22/17"} <= set(play) for play in plays(DIAGRAM_4, "52", laws))
    assert allows(DIAGRAM_4, "52", "13/11 6/1", laws)
    assert allows(DIAGRAM_4, "52", "13/11 13/8", laws)
    assert after(DIAGRAM_4, W, "13/11 11/6") == after(DIAGRAM_4, W, "13/8 8/6")


@BY_EVERY_BOOK
def test_modern_a_double_is_played_in_five_ways(laws):
    """One man all four; two men two each; one man three; two men one each and another two; four men."""
    spread = board({24: 1, 18: 1, 12: 1, 6: 1})
    ways = {
        tuple(sorted(Counter(_man(step.source) for step in play.steps).values(), reverse=True))
        for play in legal_plays(spread, W, Dice(1, 1), laws)
    }
    assert ways == {(4,), (3, 1), (2, 2), (2, 1, 1), (1, 1, 1, 1)}


def _man(place):
    """Which of four men six points apart a step of an ace starts with."""
    return (place + 5) // 6


DIAGRAM_5 = board({3: 2, 5: 2, 6: 2, 7: 1, 20: 1}, {25: 1, 10: 2, 6: 4})
"""Black is on the bar; White holds his 3, 5 and 6 points, with blots on W7 and B5."""


@BY_EVERY_BOOK
def test_modern_entering_against_five_three_six(laws):
    stays_out = {str(dice) for dice in Dice.rolls() if plays(DIAGRAM_5, str(dice), laws, B) == {()}}
    assert stays_out == {"53", "63", "65", "33", "55", "66"}


@BY_EVERY_BOOK
def test_modern_five_two_enters_with_the_two_and_may_hit_with_the_five(laws):
    found = plays(DIAGRAM_5, "52", laws, B)
    assert all("bar/23" in play for play in found)
    assert {("23/18*", "bar/23"), ("10/5*", "bar/23")} <= found


@BY_EVERY_BOOK
@pytest.mark.parametrize(("roll", "play", "point"), [("61", "13/7 8/7", 7), ("31", "8/5 6/5", 5)])
def test_modern_making_points(roll, play, point, laws):
    assert allows(Position.START, roll, play, laws)
    assert after(Position.START, W, play).white[point] == 2


DIAGRAM_7 = board({6: 2, 5: 2, 3: 2, 2: 2}, {25 - 1: 2})
"""Black still has two men on W1; White has two on W6."""


@BY_EVERY_BOOK
def test_modern_six_three_bears_one_and_saves_the_other(laws):
    found = plays(DIAGRAM_7, "63", laws)
    assert {("3/off", "6/off"), ("6/3", "6/off")} <= found


@BY_EVERY_BOOK
def test_modern_six_five_must_bear_two(laws):
    assert plays(DIAGRAM_7, "65", laws) == {("5/off", "6/off")}


DIAGRAM_8 = board({5: 2, 4: 2, 1: 3}, {25 - 2: 2})


@BY_EVERY_BOOK
def test_modern_six_three_bears_from_w5_and_moves_from_w4(laws):
    """W5 cannot move the three, and W1 cannot be borne with it."""
    assert plays(DIAGRAM_8, "63", laws) == {("4/1", "5/off")}


DIAGRAM_9 = board({5: 1, 4: 1}, {25 - 3: 2, 25 - 1: 2})


def test_modern_three_one_must_be_the_three():
    assert plays(DIAGRAM_9, "31", MODERN) == {("5/2",)}
    for laws in (HOYLE, BRITANNICA, CADY):
        assert plays(DIAGRAM_9, "31", laws) == {("5/2",), ("5/4",)}


@BY_EVERY_BOOK
def test_modern_doubles_allow_four_moves_in_bearing_off(laws):
    assert plays(EVERY_POINT, "66", laws) == {("5/off", "6/off", "6/off", "6/off")}
