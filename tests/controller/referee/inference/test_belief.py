"""The belief after a turn, and as the board is seen again."""

from dataclasses import replace

import pytest

from controller.referee.inference.belief import (
    end_turn,
    reweigh,
    weight_of_lawful,
    with_upset_paid,
)
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import BoardMemory, updated_memory
from controller.referee.inference.histories import likeliest_history
from controller.referee.inference.roll_evidence import RollEvidence, misreported_rolls, roll_seen, sensor_odds
from controller.referee.priors import BOARD_UPSET_NATS
from controller.rules import Dice, Player, Position
from tests.controller.referee.inference.boards import (
    AFTER_31,
    AFTER_32,
    DANCING,
    HALF_31,
    NO_PICTURES,
    ROLL,
    START_SIDE,
    evidence,
    history,
    memory,
    watched,
)
from tests.controller.referee.table import board, seen


def ended(board: Position, histories=None, seen_dice=NO_PICTURES):
    """The histories after a turn with a 3-1 whose board then lay as `board`."""
    before, shown = histories or (watched(),), evidence(Position.START, board)
    return end_turn(before, (ROLL,), seen_dice, NO_PICTURES, shown, 2000, rolled_ms=1500)


def reported(sure: float) -> RollEvidence:
    """A 3-1 that the sensor reported, each die being right with the probability `sure`."""
    return RollEvidence(reported=((3, 1), (sensor_odds(3, sure), sensor_odds(1, sure))))


def test_the_legal_play_that_lies_on_the_board_is_believed():
    top = likeliest_history(ended(AFTER_31))
    assert (top.position, top.turn.legal, top.turn.dice) == (AFTER_31, True, ROLL)


def test_a_board_that_another_roll_explains_is_a_misreport_where_the_sensor_is_doubtful():
    sure, doubtful = (
        likeliest_history(ended(AFTER_32, seen_dice=reported(sure))).turn for sure in (1 - 1e-9, 0.7)
    )
    assert (sure.legal, sure.dice) == (False, ROLL)
    assert doubtful.dice in (Dice(3, 2), Dice(4, 1))  # 8/5 6/4 and 8/4 6/5 leave the same board
    assert (doubtful.legal, doubtful.dice_inferred) == (True, True)


def test_pictures_of_the_other_roll_make_a_misreport_likelier():
    shown = RollEvidence().with_picture((3, 2)).with_picture((3, 2))
    assert likeliest_history(ended(AFTER_32, seen_dice=shown)).turn.dice == Dice(3, 2)


def test_histories_in_another_order_lead_to_the_same_belief():
    both = (watched(), watched(HALF_31).with_prior(-2))
    one, other = ended(AFTER_31, histories=both), ended(AFTER_31, histories=both[::-1])
    assert [(each.position, each.weight) for each in one] == [(each.position, each.weight) for each in other]


def test_an_illegal_play_is_followed_from_every_likely_course():
    """White may have a checker on 7 instead of 8. He leaves 8/5 6/4, which is no 3-1."""
    slipped = Position.parse(board({6: 5, 7: 1, 8: 2, 13: 5, 24: 2}, START_SIDE))
    lies = Position.parse(board({4: 1, 5: 1, 6: 4, 7: 1, 8: 1, 13: 5, 24: 2}, START_SIDE))
    both = (watched().with_prior(-9), watched(slipped))
    view = evidence(Position.START, lies)
    found = end_turn(both, (ROLL,), NO_PICTURES, NO_PICTURES, view, 2000, rolled_ms=1500)
    illegal = {id(each.parent) for each in found if each.position == lies and not each.turn.legal}
    assert illegal == {id(one) for one in both}


def test_an_illegal_play_is_weighed_after_a_dance_that_nobody_heard():
    """White cannot enter. Black moves 13/10: a part of his 3-1, or a 2-1 after it."""
    lies = Position.parse(board({25: 1, 6: 5, 8: 4, 13: 5}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 10: 1, 13: 4}))
    view = evidence(DANCING, lies)
    found = end_turn((watched(DANCING),), (ROLL,), NO_PICTURES, NO_PICTURES, view, 2000, rolled_ms=1500)
    first, second = ([(turn.player, turn.dice, turn.legal) for turn in one.turns] for one in found[:2])
    assert first == [(Player.WHITE, ROLL, True), (Player.BLACK, Dice(2, 1), True)]
    assert second[1] == (Player.BLACK, ROLL, False)


def test_a_missed_roll_is_found_after_dice_that_could_not_be_played():
    """White's 3-1 does not enter. When his dice are lifted, Black has played 13/7 13/8."""
    lies = Position.parse(
        board({25: 1, 6: 5, 8: 4, 13: 5}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 7: 1, 8: 1, 13: 3})
    )
    view = evidence(DANCING, lies)
    found = end_turn((watched(DANCING),), (ROLL,), NO_PICTURES, NO_PICTURES, view, 2000, rolled_ms=1500)
    top = likeliest_history(found)
    assert [str(turn.dice) for turn in top.turns] == ["31", "65"]
    assert (top.position, top.turn.legal, top.turn.dice_inferred) == (lies, True, True)


def test_the_view_counts_against_a_missed_roll_after_dice_that_could_not_be_played():
    """White's 3-1 does not enter; he moves 6/5 all the same. Nobody has seen a play of Black's."""
    lies = Position.parse(board({25: 1, 5: 1, 6: 4, 8: 4, 13: 5}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 13: 5}))
    view = evidence(DANCING, lies)
    found = end_turn((watched(DANCING),), (ROLL,), NO_PICTURES, NO_PICTURES, view, 2200, rolled_ms=1500)
    top = likeliest_history(found)
    assert (top.position, top.turn.player, top.turn.legal) == (lies, Player.WHITE, False)


def test_histories_come_likeliest_first():
    weights = [each.weight for each in ended(AFTER_32)]
    assert len(weights) > 1
    assert weights == sorted(weights, reverse=True)


def seen_again(board: Position, *, disturbed: bool = False):
    """Two histories that were equally likely, after `board` was seen."""
    histories = (history(AFTER_31), history(AFTER_32))
    found = reweigh(histories, evidence(board), NO_PICTURES, rolled_ms=0, disturbed=disturbed, changed=True)
    return {each.position: each.weight for each in found}


@pytest.mark.parametrize(("board", "other"), [(AFTER_31, AFTER_32), (AFTER_32, AFTER_31)])
def test_the_board_that_is_seen_gets_the_higher_weight(board, other):
    weights = seen_again(board)
    assert weights[board] == pytest.approx(0, abs=0.1)
    assert weights.get(other, -99) < -5


def test_a_board_that_is_hidden_tells_nothing_apart():
    everything = frozenset(range(26))
    hidden = BoardEvidence(now=updated_memory(BoardMemory(), seen(AFTER_31, 1000, hidden=everything)))
    both = (history(AFTER_31), history(AFTER_32))
    found = reweigh(both, hidden, NO_PICTURES, rolled_ms=0, disturbed=False, changed=True)
    assert [each.weight for each in found] == [0.0, 0.0]


def test_once_the_board_was_touched_a_misfit_costs_no_more_than_an_upset_board():
    now = evidence(AFTER_31, Position.START)
    found = [
        reweigh((watched(AFTER_31),), now, NO_PICTURES, rolled_ms=0, disturbed=disturbed, changed=True)
        for disturbed in (True, False)
    ]
    ((touched,), (untouched,)) = ([one for one in each if one.lying_board is None] for each in found)
    assert touched.weight == pytest.approx(BOARD_UPSET_NATS, abs=0.1)
    assert untouched.weight < BOARD_UPSET_NATS


@pytest.mark.parametrize(("best", "pays"), [(0.0, True), (-10.0, False), (-20.0, False)])
def test_a_course_pays_for_a_view_that_the_likeliest_explains_and_not_for_what_both_lose(best, pays):
    """It fits 3.5 nats worse than an upset board would. A place that flickers costs every course 10."""
    likeliest, other = (
        replace(history(board), past_weight=past, log_likelihood=nats, weighed_ms=1000)
        for board, past, nats in ((AFTER_31, 20.0, best), (AFTER_32, 0.0, BOARD_UPSET_NATS - 3.5))
    )
    after = {
        each.position: each.weighed(evidence(each.position)) for each in with_upset_paid((likeliest, other))
    }
    assert after[AFTER_31].weight == pytest.approx(20.0, abs=0.1)
    assert after[AFTER_32].weight == pytest.approx((BOARD_UPSET_NATS - 3.5) * pays, abs=0.1)


THROWS = (roll_seen(ROLL, NO_PICTURES), *misreported_rolls(ROLL, NO_PICTURES))


@pytest.mark.parametrize("board", [Position.START, HALF_31, AFTER_31])
def test_a_board_on_the_way_to_a_legal_play_is_lawful(board):
    assert weight_of_lawful((watched(),), THROWS, evidence(Position.START, board)) > -6


def test_another_board_is_not():
    assert weight_of_lawful((watched(),), THROWS, evidence(Position.START, AFTER_32)) < -8


def test_both_colours_on_one_point_are_not_either():
    mixed = replace(memory(Position.START, AFTER_31), mixed=frozenset({4}))
    assert weight_of_lawful((watched(),), THROWS, BoardEvidence(now=mixed)) < -8


def test_views_that_a_course_did_not_explain_count_against_another_last_play_of_it_too():
    """White's 8/5 6/4 was believed, and a view counted that does not fit it. Now his 8/5 6/5 lies there."""
    played = likeliest_history(ended(AFTER_32))
    contradicted = replace(played, log_likelihood=-20.0).with_upset_counted()
    weights = []
    for believed in (replace(played, log_likelihood=0.0), contradicted):
        found = reweigh(
            (believed,), evidence(AFTER_31), NO_PICTURES, rolled_ms=0, disturbed=True, changed=True
        )
        weights.append(max(one.weight for one in found if one.position == AFTER_31))
    assert weights[0] - weights[1] == pytest.approx(20.0)
