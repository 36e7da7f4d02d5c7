"""Turkish backgammon, sentence by sentence of Cady 1895, as docs/laws.md takes them.

Points are counted from the entrance in `a_stand`, as the text counts them, and down to the 1-point of the
home table in the plays: the first point is the 24, the twelfth the 13.
"""

from dataclasses import replace

import pytest

from controller.rules import Dice, Place, Player, PlayError, TurnState
from controller.rules.entering.circuit import circuit
from controller.rules.entering.entering_laws import TURKISH_CADY as CADY
from controller.rules.entering.entering_laws import Complement, Placing, ShiftEnds
from controller.rules.entering.throw_plays import throw_plays
from tests.controller.rules.entering.plain_entering import PlainGame, stand_of

W, B = Player.WHITE, Player.BLACK
ENTERED = {"all in"}
OUT = {"all in", "first two out"}
COVERED = {*OUT, "covered twelfth"}


def laws(**placing):
    return replace(CADY, placing=Placing(**placing))


def a_stand(done=(), under=CADY, **men):
    """White, of whom `done` is told, throws; of Black one man is left, out of the way."""
    sides = {"white": men["white"], "black": men.get("black", {12: 1})}
    sides = {side: {**there, "borne": 15 - sum(there.values())} for side, there in sides.items()}
    return stand_of(PlainGame(under, sides, {"white": set(done), "black": set(COVERED)}, "white"))


def written(turn_state, dice, under=CADY):
    return {str(play) for play in throw_plays(turn_state, Dice.parse(dice), under)}


def play(turn_state, dice, text, under=CADY):
    return throw_plays(turn_state, Dice.parse(dice), under).parse(text)


def can_play(turn_state, dice, text, under=CADY):
    try:
        return bool(play(turn_state, dice, text, under))
    except PlayError:
        return False


def test_the_game_begins_with_two_men_on_the_first_point():
    turn_state = circuit(CADY).start(W)
    assert (turn_state.position.white[24], turn_state.waiting) == (2, (13, 13))


def test_a_play_whose_first_man_ends_the_shift_is_written_as_it_was_made():
    text = "01000000001000100050010006:00000100001000004601110000 white throws 0-0 2-6"
    plays = written(TurnState.parse(text), "44")
    assert "bar/20* bar/21(3)" in plays
    assert all(play.startswith("bar/20* bar/21(3)") for play in plays)


def test_both_place_two_or_only_the_leader_does_as_agreed():
    assert circuit(CADY).start(W).position.black[13] == 2
    leader_only = laws(leader_only=True)
    assert circuit(leader_only).start(W).position.black == (15, *[0] * 25)
    assert circuit(leader_only).start(B).position.white == (15, *[0] * 25)


def test_each_has_a_table_of_entrance_of_his_own_halfway_round_the_board():
    assert Place.of(W, circuit(CADY).point(W, 24)) == Place(24)
    assert Place.of(B, circuit(CADY).point(B, 24)) == Place(12)


def test_both_may_enter_in_one_table_when_only_the_leader_places_his_men():
    with pytest.raises(ValueError, match="cannot place checkers on the first point of the same table"):
        replace(CADY, entrances_opposite=False)
    together = replace(CADY, entrances_opposite=False, placing=Placing(leader_only=True))
    after = play(circuit(together).start(W), "65", "off/18 off/19", together)
    assert written(after.turn_state, "21", together) == {"off/23 23/22"}


def test_the_first_two_points_count_as_one_in_entering_so_that_the_sixth_extends_one_beyond():
    start = circuit(CADY).start(W)
    assert can_play(start, "61", "off/18 off/23")
    assert not can_play(start, "61", "off/19 off/24")


def test_the_two_men_first_placed_are_not_moved_until_all_are_in():
    assert not can_play(circuit(CADY).start(W), "65", "24/18 off/19")
    all_in = a_stand(ENTERED, white={1: 2, 3: 13})
    assert can_play(all_in, "65", "24/18 24/19")


def test_no_point_is_covered_while_entering():
    turn_state = a_stand(white={1: 2, 7: 1, 5: 1, "waiting": 11})
    assert not can_play(turn_state, "61", "off/18 off/23")
    assert not can_play(turn_state, "42", "20/18 off/20")
    assert can_play(turn_state, "31", "20/17 off/23")


def test_a_checker_that_was_hit_may_cover_while_entering_unless_that_is_excluded():
    turn_state = a_stand(white={1: 2, 7: 1, "up": 1, "waiting": 11})
    assert can_play(turn_state, "61", "bar/18 off/23")
    strict = laws(hit_may_cover=False)
    assert not can_play(
        a_stand(white={1: 2, 7: 1, "up": 1, "waiting": 11}, under=strict), "61", "bar/18", strict
    )


def test_points_of_the_near_side_may_be_closed_only_in_the_inner_table():
    on_the_outer = {"white": {1: 2, 8: 1, 10: 1, "waiting": 11}}
    assert not can_play(a_stand(**on_the_outer), "21", "17/15 off/23")
    inner_only = laws(closed_while_entering=6)
    assert can_play(a_stand(**on_the_outer, under=inner_only), "21", "17/15 off/23", inner_only)


def test_no_point_is_made_beyond_the_twelfth_until_that_is_covered():
    beyond = {14: 1, 13: 1, 5: 13}
    assert not can_play(a_stand(OUT, white=beyond), "31", "12/11 20/17")
    assert can_play(a_stand(COVERED, white=beyond), "31", "12/11 20/17")


def test_the_twelfth_may_be_covered_and_a_point_beyond_it_made_in_one_throw():
    turn_state = a_stand(OUT, white={12: 1, 11: 1, 14: 1, 13: 1, 5: 11})
    assert can_play(turn_state, "11", "14/13 12/11 20/19(2)")
    assert not can_play(turn_state, "11", "12/11 20/19(3)")


def test_having_covered_the_twelfth_once_is_enough_unless_it_must_be_held():
    left_again = {14: 1, 13: 1, 5: 13}
    held = laws(twelfth_must_be_held=True)
    assert can_play(a_stand(COVERED, white=left_again), "31", "12/11 20/17")
    assert not can_play(a_stand(COVERED, white=left_again, under=held), "31", "12/11 20/17", held)


def test_who_has_too_few_men_left_to_cover_the_twelfth_may_make_points_all_the_same():
    past_hope = {14: 1, 13: 1, 5: 1, 20: 4}
    bound = laws(binds_to_the_end=True)
    assert can_play(a_stand(OUT, white=past_hope), "31", "12/11 20/17")
    assert not can_play(a_stand(OUT, white=past_hope, under=bound), "31", "12/11 20/17", bound)


def test_single_men_pass_the_twelfth_before_it_is_covered():
    assert can_play(a_stand(OUT, white={11: 1, 5: 14}), "61", "14/8 20/19")


def test_doublets_may_be_used_on_the_opposite_faces_but_need_not_be():
    turn_state = a_stand(COVERED, white={3: 15})
    face_value = play(turn_state, "66", "22/16(4)")
    both = play(turn_state, "66", "22/16(4); 22/21(4)")
    assert (face_value.turn_state.on_roll, both.turn_state.on_roll) == (B, W)


def test_players_may_agree_on_the_face_value_of_doublets():
    agreed = replace(CADY, complement=Complement.NONE)
    assert not can_play(a_stand(COVERED, white={3: 15}), "66", "22/16(4); 22/21(4)", agreed)
    compelled = replace(CADY, complement=Complement.COMPELLED)
    assert not can_play(a_stand(COVERED, white={3: 15}), "66", "22/16(4)", compelled)


def test_another_throw_after_both_doublets_may_be_excluded():
    no_more = replace(CADY, throws_again=False)
    assert play(a_stand(COVERED, white={3: 15}), "66", "22/16(4); 22/21(4)", no_more).turn_state.on_roll is B


def test_a_point_made_in_the_opponents_table_interrupts_his_entrance():
    """Black holds his fourteenth point, White's second, on which White's aces would enter."""
    held = {"white": {"waiting": 13, 1: 2}, "black": {14: 2, 19: 13}}
    turn_state = stand_of(PlainGame(CADY, held, {"white": set(), "black": set(COVERED)}, "white"))
    assert not can_play(turn_state, "61", "off/18 off/23")
    assert written(turn_state, "11") == {"no move"}


def test_after_moving_out_the_first_two_entering_counts_from_the_first_point_again():
    assert can_play(a_stand(ENTERED, white={1: 1, "up": 1, 5: 13}), "61", "bar/18 20/19")
    assert can_play(a_stand(OUT, white={"up": 1, 5: 14}), "61", "bar/19 20/19")
    assert not can_play(a_stand(OUT, white={"up": 1, 5: 14}), "61", "bar/18 20/19")


def test_or_as_soon_as_all_are_in_when_that_is_agreed():
    agreed = laws(shift_ends=ShiftEnds.ALL_IN)
    turn_state = a_stand(ENTERED, white={1: 1, "up": 1, 5: 13}, under=agreed)
    assert can_play(turn_state, "61", "bar/19 20/19", agreed)


@pytest.mark.parametrize("last", [0, 5, 7, 24])
def test_points_closed_while_entering_are_the_inner_table_or_the_near_side(last):
    with pytest.raises(ValueError, match="must be 6 or 12"):
        Placing(closed_while_entering=last)
