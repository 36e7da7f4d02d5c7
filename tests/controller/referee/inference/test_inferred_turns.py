"""Turns inferred from the board alone."""

from itertools import pairwise
from math import log

import pytest

from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_layouts import boards_on_the_way
from controller.referee.inference.histories import likeliest_history
from controller.referee.inference.inferred_turns import infer_turns, with_play_closed, with_play_ended
from controller.rules import Dice, Player, Position
from tests.controller.referee.inference.boards import AFTER_31, AFTER_32, history, memory
from tests.controller.referee.table import board

START = Position.START
AFTER_31_64 = Position.parse(board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 9: 1, 13: 4, 18: 1, 24: 1}))


def inferred(*boards: Position, histories=None):
    """The histories after these settled boards, the first being the one before any play."""
    before = BoardEvidence(now=memory(boards[0]))
    histories = tuple(
        counted
        for each in histories or (history(),)
        for counted in each.weighed(before).weighed_for_good(before)
    )
    for number, (before_it, now) in enumerate(pairwise(boards), start=2):
        shown = memory(*[before_it] * 2, now)
        histories = infer_turns(histories, shown, 1000 * number, shown.changed_ms)
    return histories


def test_a_play_on_the_board_is_unfinished_until_the_opponent_begins():
    top = likeliest_history(inferred(START, AFTER_31))
    assert (top.lying_board, top.turns, top.on_roll) == (AFTER_31, (), Player.WHITE)


def test_when_the_opponent_has_begun_the_play_before_is_a_half_turn_with_inferred_dice():
    top = likeliest_history(inferred(START, AFTER_31, AFTER_31_64))
    (turn,) = top.turns
    assert (turn.position, turn.dice, turn.dice_inferred) == (AFTER_31, Dice(3, 1), True)
    assert top.expected_board == AFTER_31_64


def test_a_board_that_stays_is_followed_as_no_play():
    assert likeliest_history(inferred(START, START)).expected_board == START


def test_the_order_of_the_histories_makes_no_difference():
    both = (history(), history(AFTER_32).with_prior(-1.0))
    one, other = inferred(START, AFTER_31, histories=both), inferred(START, AFTER_31, histories=both[::-1])
    assert [each.expected_board for each in one] == [each.expected_board for each in other]
    assert [each.weight for each in one] == [each.weight for each in other]


def lying(board: Position):
    return next(each for each in inferred(START, board) if each.lying_board == board)


def test_a_whole_play_that_lies_there_can_be_ended():
    ended = with_play_ended(lying(AFTER_31), 3000)
    assert (ended.turns[-1].position, ended.on_roll) == (AFTER_31, Player.BLACK)


def test_a_play_that_is_over_counts_as_a_play_instead_of_as_a_board_that_was_seen():
    before = history()
    ways = [
        dice.ways / 36 / len(before.plays(dice)) for dice in Dice.rolls() if AFTER_31 in before.plays(dice)
    ]
    n_boards = len(boards_on_the_way(before.rules, before.turn_state, tuple(Dice.rolls())))
    gained = with_play_ended(lying(AFTER_31), 3000).weight - lying(AFTER_31).weight
    assert gained == pytest.approx(log(sum(ways)) + log(n_boards))


def test_a_part_of_a_play_that_was_left_there_is_over_when_the_opponent_has_begun():
    """No roll leaves 6/5 alone."""
    one_pip = Position.parse(board({5: 1, 6: 4, 8: 3, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}))
    theirs = Position.parse(board({5: 1, 6: 4, 8: 3, 13: 5, 24: 2}, {4: 2, 6: 4, 8: 2, 13: 5, 24: 2}))
    (turn,) = likeliest_history(inferred(START, one_pip, theirs)).turns
    assert (turn.player, turn.position, turn.legal) == (Player.WHITE, one_pip, False)


def test_an_illegal_board_is_followed_as_one_on_which_a_play_rests():
    """A checker went from 8 to 10; then it is put right."""
    illegal = Position.parse(board({6: 5, 8: 2, 10: 1, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}))
    courses = inferred(START, illegal)
    assert [each.turns for each in courses if each.lying_board == illegal] == [()]
    assert likeliest_history(inferred(START, illegal, AFTER_31)).lying_board == AFTER_31


def test_no_roll_leaves_the_board_at_the_start_so_that_nothing_can_be_ended():
    assert with_play_ended(history(), 3000).turns == ()


def test_a_half_play_that_is_closed_has_not_begun():
    """No roll leaves 6/5 alone."""
    one_pip = Position.parse(board({5: 1, 6: 4, 8: 3, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}))
    closed = with_play_closed(lying(one_pip), 3000)
    assert (closed.lying_board, closed.turns) == (None, ())


def test_a_whole_play_that_is_closed_is_over():
    closed = with_play_closed(lying(AFTER_31), 3000)
    assert (closed.lying_board, len(closed.turns)) == (None, 1)
