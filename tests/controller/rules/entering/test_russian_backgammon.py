"""Russian backgammon, sentence by sentence of EB9 (Encyclopaedia Britannica, 9th edition) and Cady 1895.

Points are counted from the entrance in `a_stand`, as the texts count them, and down to the 1-point of the
home table in the plays, as plays are written.
"""

from dataclasses import replace

import pytest

from controller.rules import Dice, DiceError, Place, Player, PlayError
from controller.rules.entering.circuit import circuit
from controller.rules.entering.entering_laws import RUSSIAN_BRITANNICA as EB9
from controller.rules.entering.entering_laws import RUSSIAN_CADY as CADY
from controller.rules.entering.throw_plays import throw_plays
from tests.controller.rules.entering.plain_entering import a_stand

W, B = Player.WHITE, Player.BLACK
ON = replace(CADY, continuation=True)


def written(turn_state, dice, laws=EB9):
    return {str(play) for play in throw_plays(turn_state, Dice.parse(dice), laws)}


def play(turn_state, dice, text, laws=EB9):
    return throw_plays(turn_state, Dice.parse(dice), laws).parse(text)


def lands_on(play):
    """The points of the board, in White's numbering, on which the checkers moved come to stand."""
    return [Place.of(stage.player, step.target).number for stage in play.stages for step in stage.steps]


def test_the_men_are_not_placed_on_the_board():
    turn_state = circuit(EB9).start(B)
    assert turn_state.waiting == (15, 15)
    assert sum(turn_state.position.white[1:]) == sum(turn_state.position.black[1:]) == 0
    assert turn_state.winner is None


def test_both_enter_in_the_same_table_by_throws_of_the_dice():
    for leader in Player:
        assert lands_on(play(circuit(EB9).start(leader), "61", "off/19 off/24")) == [19, 24]


def test_both_move_in_the_same_direction_round_to_the_opposite_table():
    white = a_stand(EB9, "white", white={1: 1, "waiting": 14}, black={"waiting": 15})
    black = a_stand(EB9, "black", white={"waiting": 15}, black={1: 1, "waiting": 14})
    for turn_state in (white, black):
        assert lands_on(play(turn_state, "65", "24/18 18/13")) == [18, 13]


def test_nobody_need_enter_all_his_men_before_he_moves_any():
    turn_state = a_stand(EB9, white={1: 1, "waiting": 14}, black={"waiting": 15})
    for text in ("off/19 off/24", "off/19 24/23", "24/18 off/24", "off/19 19/18", "24/18 18/17"):
        assert play(turn_state, "61", text).turn_state.on_roll is B
    assert play(turn_state, "61", "24/18 off/24") == play(turn_state, "61", "off/19 19/18")
    assert len(throw_plays(turn_state, Dice(6, 1), EB9)) == 4


def test_blots_are_taken_up_on_entering_though_men_have_never_been_entered():
    turn_state = a_stand(EB9, white={"waiting": 15}, black={6: 1, "waiting": 14})
    hit = play(turn_state, "61", "off/19* off/24")
    assert hit.result.black[25] == 1
    assert hit.turn_state.waiting == (13, 14)


def test_a_man_up_is_entered_before_any_other_is_entered_or_moved():
    turn_state = a_stand(EB9, white={"up": 1, "waiting": 10, 3: 4}, black={"waiting": 15})
    assert all(text.startswith("bar/") for text in written(turn_state, "61"))
    assert "bar/19 off/24" in written(turn_state, "61")


def test_who_cannot_enter_the_man_that_is_up_loses_the_benefit_of_the_throw():
    turn_state = a_stand(EB9, white={"up": 1, "waiting": 14}, black={6: 2, 5: 2, "waiting": 11})
    assert written(turn_state, "65") == {"no move"}
    assert throw_plays(turn_state, Dice(6, 5), EB9).parse("no move").turn_state.on_roll is B


def test_two_men_of_the_adversary_close_a_point():
    turn_state = a_stand(EB9, white={"waiting": 15}, black={6: 2, "waiting": 13})
    assert written(turn_state, "61") == {"off/24 24/18"}
    also_the_seventh = a_stand(EB9, white={"waiting": 15}, black={6: 2, 7: 2, "waiting": 11})
    assert written(also_the_seventh, "61") == {"off/24"}


def test_who_throws_sixes_plays_sixes_and_then_aces_and_has_another_throw():
    sixes = play(circuit(EB9).start(W), "66", "off/19(4); off/24(4)")
    assert sixes.turn_state.on_roll is W
    assert sixes.turn_state.waiting == (7, 15)
    assert [len(stage.steps) for stage in sixes.stages] == [4, 4]


def test_doublets_thrown_a_second_time_are_played_by_the_same_rule_and_he_throws_again():
    first = play(circuit(EB9).start(W), "66", "off/19(4); off/24(4)")
    second = play(first.turn_state, "44", "off/21(4); 24/21(3) 21/18")
    assert second.turn_state.on_roll is W


def test_the_thrower_of_doublets_is_bound_to_play_the_complement():
    assert all(text.count(";") == 1 for text in written(circuit(EB9).start(W), "66"))


def test_the_privilege_is_not_allowed_for_the_first_doublets_of_each_player_in_cady():
    first_of_white = play(circuit(CADY).start(W), "66", "off/19(4)", CADY)
    assert first_of_white.turn_state.on_roll is B
    first_of_black = play(first_of_white.turn_state, "55", "off/20(4)", CADY)
    assert first_of_black.turn_state.on_roll is W
    second_of_white = play(first_of_black.turn_state, "55", "19/14(4); off/23(4)", CADY)
    assert second_of_white.turn_state.on_roll is W


def test_the_restriction_is_not_britannicas_unless_it_is_agreed_on():
    assert play(circuit(EB9).start(W), "66", "off/19(4); off/24(4)").turn_state.on_roll is W
    withheld = replace(EB9, first_doublets_withheld=True)
    with pytest.raises(PlayError):
        play(circuit(withheld).start(W), "66", "off/19(4); off/24(4)", withheld)
    assert play(circuit(withheld).start(W), "66", "off/19(4)", withheld).turn_state.on_roll is B


def test_the_complement_comes_only_when_the_doublets_are_completed():
    """Three men of White's can play a six each and no more: the aces are not his."""
    turn_state = a_stand(EB9, white={1: 3, 2: 12}, black={13: 2, 8: 2, "waiting": 11})
    assert written(turn_state, "66") == {"24/18(3)"}
    assert play(turn_state, "66", "24/18(3)").turn_state.on_roll is B


def test_no_other_throw_when_the_complement_cannot_be_completed():
    """Four sixes are played, but no ace: Black holds the point beyond each of White's."""
    turn_state = a_stand(EB9, white={1: 4}, black={8: 2, 13: 2, "waiting": 11})
    assert written(turn_state, "66") == {"24/18(4)"}
    assert play(turn_state, "66", "24/18(4)").turn_state.on_roll is B


def test_doublets_and_complement_are_played_as_far_as_any_way_of_playing_goes():
    """10/5 is a five too, but then only three deuces can be played."""
    turn_state = a_stand(EB9, white={4: 1, 15: 1}, black={8: 2, 22: 2, "waiting": 11})
    assert written(turn_state, "55") == {"21/16 16/11 11/6 6/1; 10/8 8/6 6/4 4/2"}
    with pytest.raises(PlayError):
        play(turn_state, "55", "21/16 16/11 11/6 10/5; 6/4 4/2 2/off")


def test_the_caster_of_deuce_ace_chooses_any_doublets_with_the_opposite_faces_and_throws_again():
    begun = play(circuit(CADY).start(W), "21", "off/23 off/24", CADY)
    assert begun.turn_state.on_roll is W
    assert begun.turn_state.choosing
    for n in range(1, 7):
        chosen = next(iter(throw_plays(begun.turn_state, Dice(n, n), CADY)))
        assert (chosen.turn_state.on_roll, chosen.turn_state.choosing) == (W, False)
        assert [len(stage.steps) for stage in chosen.stages] == [4, 4]
    with pytest.raises(DiceError, match="white has doublets to choose; 65 are none"):
        throw_plays(begun.turn_state, Dice(6, 5), CADY)


def test_deuce_ace_has_no_privilege_in_britannica_unless_it_is_agreed_on():
    assert play(circuit(EB9).start(W), "21", "off/23 off/24").turn_state.on_roll is B
    agreed = replace(EB9, deuce_ace=True)
    assert play(circuit(agreed).start(W), "21", "off/23 off/24", agreed).turn_state.choosing


def test_deuce_ace_must_be_played_before_doublets_are_chosen():
    turn_state = a_stand(CADY, white={"up": 2, "waiting": 13}, black={1: 2, "waiting": 13})
    half = play(turn_state, "21", "bar/23", CADY)
    assert (half.turn_state.on_roll, half.turn_state.choosing) == (B, False)


def test_deuce_ace_is_not_restricted_and_does_not_count_as_first_doublets():
    begun = play(circuit(CADY).start(W), "21", "off/23 off/24", CADY)
    chosen = play(begun.turn_state, "66", "off/19(4); off/24(4)", CADY)
    assert chosen.turn_state.on_roll is W
    assert play(chosen.turn_state, "55", "off/20(4)", CADY).turn_state.on_roll is B


def test_who_has_chosen_doublets_he_cannot_complete_throws_no_more():
    turn_state = a_stand(CADY, choosing=True, white={1: 2, "waiting": 13}, black={6: 2, 7: 2, "waiting": 11})
    assert {play.turn_state.on_roll for play in throw_plays(turn_state, Dice(6, 6), CADY)} == {B}
    assert {play.turn_state.on_roll for play in throw_plays(turn_state, Dice(5, 5), CADY)} == {W}


def test_the_opponent_plays_the_remainder_with_his_own_men_when_that_is_agreed():
    """White has a man up against the 6 and plays only the ace; Black plays the six for him."""
    turn_state = a_stand(ON, white={"up": 2, 7: 13}, black={6: 2, 12: 13})
    assert written(turn_state, "61", ON) == {"bar/24; black 19/13", "bar/24; black 13/7"}
    assert written(turn_state, "61", CADY) == {"bar/24"}


def test_the_opponent_leaves_a_blot_and_the_caster_comes_in_by_taking_it_up():
    """Fives against a made point: Black must break it, and White enters on the man he left."""
    turn_state = a_stand(ON, done=["had doublets"], white={"up": 1, "waiting": 14}, black={5: 2})
    ends = list(throw_plays(turn_state, Dice(5, 5), ON))
    assert all(str(end).startswith("black 20/15; bar/20*") for end in ends)
    assert all(end.result.black[25] >= 1 for end in ends)


def test_who_comes_in_again_and_completes_doublets_and_complement_throws_again():
    """Black has played the first of the fives; the other three and four deuces are White's."""
    turn_state = a_stand(ON, done=["had doublets"], white={"up": 1, "waiting": 14}, black={5: 2})
    ends = list(throw_plays(turn_state, Dice(5, 5), ON))
    assert {end.turn_state.on_roll for end in ends} == {W}
    assert {tuple(len(stage.steps) for stage in end.stages) for end in ends} == {(1, 3, 4)}


def test_when_the_opponent_completes_nobody_throws_again():
    """Black plays all four fives; with the last he may open the point, for it is the last."""
    turn_state = a_stand(ON, done=["had doublets"], white={"up": 1, "waiting": 14}, black={5: 2, 1: 1})
    by_black = [end for end in throw_plays(turn_state, Dice(5, 5), ON) if len(end.stages) == 1]
    assert {str(end) for end in by_black} == {
        "black 24/19 19/14 14/9 9/4",
        "black 24/19 19/14 14/9 20/15",
    }
    assert {end.turn_state.on_roll for end in by_black} == {B}


def test_what_neither_can_play_is_lost():
    """White's man up is kept out by Black's only men, which have 12 points of White's before them."""
    turn_state = a_stand(ON, done=["had doublets"], white={"up": 1, 12: 14}, black={6: 2})
    assert written(turn_state, "66", ON) == {"no move"}
    assert play(turn_state, "66", "no move", ON).turn_state.on_roll is B


def test_the_whole_throw_is_compelled_also_by_playing_the_other_die_first():
    turn_state = a_stand(EB9, white={8: 1}, black={13: 2})
    assert written(turn_state, "65") == {"17/11 11/6"}


def test_either_number_may_be_chosen_when_only_one_can_be_played():
    turn_state = a_stand(EB9, white={8: 1}, black={19: 2})
    assert written(turn_state, "65") == {"17/11", "17/12"}
    assert written(turn_state, "65", replace(EB9, higher_number_compelled=True)) == {"17/11"}


def test_bearing_off_is_that_of_the_ordinary_game():
    home = a_stand(EB9, white={20: 2, 22: 3}, black={19: 4})
    assert written(home, "65") == {"5/off(2)"}
    one_outside = a_stand(EB9, white={18: 1, 22: 3}, black={13: 4})
    assert written(one_outside, "31") == {"7/4 4/3", "7/4 3/2", "7/6 3/off"}
    one_to_enter = a_stand(EB9, white={22: 3, "waiting": 1}, black={13: 4})
    assert not any("3/off" in text for text in written(one_to_enter, "53"))


def test_the_last_man_borne_ends_the_game_whatever_is_left_of_the_throw():
    last = a_stand(EB9, white={22: 1}, black={19: 4})
    won = play(last, "66", "3/off")
    assert won.turn_state.winner is W


def test_a_play_that_leaves_a_number_unplayed_is_refused():
    with pytest.raises(PlayError, match="White cannot play 66 so"):
        play(circuit(EB9).start(W), "66", "off/19(4)")
