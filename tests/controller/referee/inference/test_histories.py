"""Histories: weights, order, and how many are kept."""

import math
from dataclasses import replace

import pytest

from controller.referee.half_turn import HalfTurn
from controller.referee.inference.continuing import lawful_turn
from controller.referee.inference.histories import (
    first_differing_turn,
    lead_nats,
    leading_histories,
    likeliest_history,
    pruned,
    rival_histories,
)
from controller.referee.priors import BOARD_UPSET_NATS, KEEP_WITHIN_NATS, STUCK_FROM
from controller.rules import Dice, Player, Position, parse_steps
from tests.controller.referee.inference.boards import AFTER_31, AFTER_32, HALF_31, evidence, history, watched
from tests.controller.referee.table import board

BOARDS = (Position.START, AFTER_31, AFTER_32, HALF_31)


def weighing(*weights: float):
    """A history of each of four boards, with these weights."""
    return [history(board).with_prior(weight) for board, weight in zip(BOARDS, weights, strict=False)]


def turn(position: Position, player: Player = Player.WHITE) -> HalfTurn:
    return HalfTurn(
        t_ms=0, player=player, dice=Dice(3, 1), steps=parse_steps("8/5 6/5"), legal=True, position=position
    )


def test_the_likeliest_history_has_the_greatest_weight():
    assert likeliest_history(weighing(-3, -1, -2)).position == AFTER_31


def test_a_weight_is_the_past_and_the_board_together():
    assert replace(history(), past_weight=-2.0, log_likelihood=-0.5).with_prior(-1.0).weight == -3.5


def test_a_history_too_far_behind_is_dropped_and_one_just_within_is_kept():
    limit = -KEEP_WITHIN_NATS
    kept = pruned(weighing(0.0, limit + 0.01, limit - 0.01))
    assert [each.position for each in kept] == [Position.START, AFTER_31]


def test_of_two_histories_of_one_line_the_likelier_is_kept():
    kept = pruned([history().with_prior(-2), history().with_prior(-1)])
    assert [each.weight for each in kept] == [-1]


def test_no_more_rivals_are_compared_than_asked_for():
    found = rival_histories(weighing(0, -0.1, -0.2, -0.3), within=2.0, most=2)
    assert [each.position for each in found] == [Position.START, AFTER_31]


def test_the_order_in_which_histories_come_makes_no_difference():
    histories = weighing(-1, -3, 0, -2)
    assert pruned(histories) == pruned(reversed(histories))
    assert leading_histories(histories, 2.5) == leading_histories(histories[::-1], 2.5)
    assert lead_nats(histories) == lead_nats(histories[::-1])


def test_the_lead_is_over_the_next_board_and_not_over_another_history_of_the_same():
    same = history().with_prior(-0.5)
    assert lead_nats([*weighing(0, -4), same]) == 4
    assert lead_nats([history(), same]) == math.inf


def test_rivals_are_less_than_so_many_nats_behind():
    found = rival_histories(weighing(0, -1.9, -2.1))
    assert [each.position for each in found] == [Position.START, AFTER_31]


def test_another_weight_may_decide_who_leads():
    histories = weighing(0, -1)
    (first, *_) = leading_histories(histories, 9.0, weight=lambda each: -each.weight)
    assert first is histories[1]


def test_half_turns_are_listed_from_the_first_and_players_alternate():
    first = history().after_turn(turn(AFTER_31), 0.0, 0.0)
    second = first.after_turn(turn(AFTER_32, Player.BLACK), 0.0, 0.0)
    assert [each.position for each in second.turns] == [AFTER_31, AFTER_32]
    assert (first.on_roll, second.on_roll) == (Player.BLACK, Player.WHITE)
    assert second.root.position == Position.START
    assert second.before == AFTER_31


def test_histories_differ_first_where_their_boards_do():
    one = history().after_turn(turn(AFTER_31), 0, 0)
    other = history().after_turn(turn(AFTER_32), 0, 0)
    assert first_differing_turn((one, other)) == 0
    assert first_differing_turn((one, one)) is None
    after = turn(HALF_31, Player.BLACK), turn(Position.START, Player.BLACK)
    assert first_differing_turn(tuple(one.after_turn(each, 0, 0) for each in after)) == 1


def test_a_player_who_bears_off_all_he_can_is_expected_to_do_so_again():
    ending = history(Position.parse(board({0: 9, 6: 1, 4: 1, 1: 4}, {0: 10, 6: 5})))
    play = ending.plays(Dice(6, 4)).leading_to(Position.parse(board({0: 11, 1: 4}, {0: 10, 6: 5})))[0]
    borne = lawful_turn(ending, Dice(6, 4), play, 0, inferred=False)
    after = ending.after_turn(borne, 0.0, 0.0)
    black = after.after_turn(turn(after.position, Player.BLACK), 0.0, 0.0)
    assert ending.p_bears_all == 0.5
    assert black.p_bears_all > 0.5


def test_a_view_that_was_weighed_counts_once_and_for_good():
    view = evidence(HALF_31, blurred=frozenset({7}))
    once = history(HALF_31).weighed(view)
    assert once.weighed(view).weight == once.weight
    (counted,) = once.weighed_for_good(view)
    assert counted.weight == once.weight
    assert counted.weighed(view).weight == pytest.approx(once.weight, abs=0.01)


def test_a_view_that_nothing_explains_is_paid_for_and_does_not_change_what_is_expected():
    view = evidence(AFTER_31)
    upset = history().weighed(view, may_be_upset=True)
    (counted,) = upset.weighed_for_good(view)
    assert (counted.weight, counted.place_states) == (BOARD_UPSET_NATS, upset.place_states)


@pytest.mark.parametrize(
    ("fits", "otherwise", "times"), [(False, True, 2), (False, False, 1), (True, True, 0), (True, False, 0)]
)
def test_each_upset_board_that_lies_still_and_looks_otherwise_costs_once_more(fits, otherwise, times):
    """What the game does not explain rests, and then something else does."""
    boards = (Position.START, Position.START) if fits else (AFTER_31, AFTER_32)
    then = evidence(boards[1])
    first = history().weighed(evidence(boards[0]), may_be_upset=True)
    second = first.at_rest(otherwise=False).weighed(then, may_be_upset=True)
    rested = second.at_rest(otherwise=otherwise)
    assert rested.weight == pytest.approx(times * BOARD_UPSET_NATS, abs=0.1)
    again = rested.at_rest(otherwise=False).weighed(then, may_be_upset=True)
    assert again.weight == pytest.approx(rested.weight, abs=1.0)


def test_a_board_seen_dimly_once_the_dice_are_lifted_is_followed_as_played_and_as_not_yet_played():
    played = history().after_seen_turn(turn(HALF_31), 0.0, evidence(HALF_31, blurred=frozenset({4, 7})))
    courses = tuple(played.weighed_for_good(evidence(HALF_31, blurred=frozenset({4, 7}))))
    assert [course.place_states.position for course in courses] == [Position.START, HALF_31]
    assert {course.position for course in courses} == {HALF_31}
    assert math.log(sum(math.exp(course.weight) for course in courses)) == pytest.approx(played.weight)


def test_the_next_half_turn_takes_the_place_of_its_parents_explanation_of_the_same_view():
    view = evidence(Position.START, AFTER_31)
    parent = watched().weighed(view)
    assert parent.weight < -10
    assert parent.after_seen_turn(turn(AFTER_31), -1.0, view).weight == pytest.approx(-1, abs=0.05)


def test_a_board_that_waits_for_its_play_makes_no_reading_stuck():
    played = watched().after_seen_turn(turn(AFTER_31), 0.0, evidence(Position.START))
    (waiting,) = played.weighed_for_good(evidence(Position.START))
    assert waiting.position == AFTER_31
    assert waiting.place_states.position == Position.START
    assert max(waiting.place_states.stuck) < STUCK_FROM
    later = evidence(Position.START, Position.START, AFTER_31)
    assert waiting.weighed(later).log_likelihood > -1
