"""A checker that was knocked off its place, and is put back."""

import math

import pytest

from controller.referee.inference.histories import likeliest_history
from controller.referee.inference.knocked_checkers import (
    knocked_boards,
    with_checker_knocked,
    with_checker_put_back,
)
from controller.referee.priors import KNOCKED
from controller.rules import Dice, Position
from tests.controller.referee.inference.boards import AFTER_31, START_SIDE, evidence, history, watched
from tests.controller.referee.table import board

SLIPPED = Position.parse(board({6: 5, 7: 1, 8: 2, 13: 5, 24: 2}, START_SIDE))
"""One of White's checkers stands on 7 instead of 8."""
ON_THE_FLOOR = Position.parse(board({0: 1, 6: 5, 8: 2, 13: 5, 24: 2}, START_SIDE))


def test_of_each_stack_a_checker_may_fall_to_the_floor_or_to_the_next_point_that_is_free():
    """Four stacks of either player. The 24-points have no next one; the midpoints lie side by side."""
    boards = knocked_boards(Position.START)
    assert len(boards) == len(set(boards)) == 8 * 3 - 4
    assert {SLIPPED, ON_THE_FLOOR} <= set(boards)
    assert AFTER_31 not in boards


@pytest.mark.parametrize("lying", [SLIPPED, ON_THE_FLOOR])
def test_a_knocked_checker_costs_its_share_and_the_board_is_held_as_it_lies(lying):
    view = evidence(Position.START, lying)
    (knocked,) = with_checker_knocked([watched()], view)
    assert (knocked.position, knocked.expected_board) == (Position.START, lying)
    assert knocked.weight == pytest.approx(math.log(KNOCKED / 20), abs=0.1)
    (counted,) = knocked.weighed_for_good(view)
    assert counted.place_states.position == lying
    assert counted.weight == pytest.approx(knocked.weight)


def test_a_board_that_fits_or_differs_by_more_is_no_knocked_one():
    assert not list(with_checker_knocked([watched()], evidence(Position.START)))
    assert not list(with_checker_knocked([watched()], evidence(Position.START, AFTER_31)))


def test_on_a_board_without_checkers_none_is_knocked():
    empty = Position.parse(board({0: 15}, {0: 15}))
    assert not knocked_boards(empty)
    view = evidence(empty, Position.parse(board({0: 14, 1: 1}, {0: 15})))
    assert not list(with_checker_knocked([watched(empty).weighed(view)], view))


def test_a_knocked_checker_is_found_beside_a_misread_place():
    """White's 8-point has lost one to his 7-point, and one of Black's five on his midpoint is not seen."""
    seen = Position.parse(board({6: 5, 7: 1, 8: 2, 13: 5, 24: 2}, {**START_SIDE, 13: 4}))
    view = evidence(Position.START, seen)
    (knocked,) = with_checker_knocked([watched().weighed(view)], view)
    assert (knocked.position, knocked.expected_board) == (Position.START, SLIPPED)


def test_a_checker_is_put_back_at_no_price():
    view = evidence(Position.START, SLIPPED)
    (knocked,) = with_checker_knocked([watched()], view)
    (counted,) = knocked.weighed_for_good(view)
    (back,) = with_checker_put_back([counted, history()])
    later = back.weighed(evidence(Position.START, SLIPPED, Position.START))
    assert later.expected_board == Position.START
    assert later.weight == pytest.approx(counted.weight, abs=0.1)


def test_a_play_is_made_from_the_board_before_the_checker_was_knocked():
    view = evidence(Position.START, SLIPPED)
    (knocked,) = with_checker_knocked([watched()], view)
    assert AFTER_31 in knocked.plays(Dice(3, 1))
    assert likeliest_history([knocked]).turn_state.position == Position.START
