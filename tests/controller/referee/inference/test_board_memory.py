"""The memory of the board: readings of one place are averaged, and a change starts it afresh."""

import pytest

from controller.referee.inference.board_memory import BoardMemory, columns, updated_memory
from controller.referee.priors import PLACE_FLOOR_NATS
from controller.rules import Position
from tests.controller.referee.inference.boards import AFTER_31, AFTER_32, HALF_31, memory
from tests.controller.referee.table import seen

START = Position.START
SIX_POINT = 5
"""The row of White's 6-point."""


def test_the_board_that_was_seen_has_log_likelihood_0_and_no_other_has_more():
    remembered = memory(AFTER_31)
    assert remembered.log_likelihood(AFTER_31, START) == 0
    assert remembered.log_likelihood(START, START) < 0


def test_each_place_that_reads_otherwise_costs_the_floor_and_no_more():
    """The 5-, 6- and 8-points differ."""
    assert memory(AFTER_31).log_likelihood(START, START) == 3 * PLACE_FLOOR_NATS


def test_a_doubtful_place_counts_for_less():
    blurred = memory(START, blurred=frozenset({SIX_POINT}))
    column = columns(START)[SIX_POINT]
    assert blurred.rows[SIX_POINT][column - 1] == 0
    assert memory(START).rows[SIX_POINT][column - 1] == PLACE_FLOOR_NATS


def test_two_readings_of_one_place_are_averaged():
    both = updated_memory(memory(START, blurred=frozenset({SIX_POINT})), seen(START, 2000))
    assert both.rows[SIX_POINT][columns(START)[SIX_POINT] - 1] == PLACE_FLOOR_NATS / 2
    assert both.n_readings[SIX_POINT] == 2


def test_two_readings_in_another_order_are_remembered_alike():
    blurred, sharp = seen(START, 0, blurred=frozenset({SIX_POINT})), seen(START, 0)
    one = updated_memory(updated_memory(BoardMemory(), blurred), sharp)
    other = updated_memory(updated_memory(BoardMemory(), sharp), blurred)
    assert one.rows == other.rows


def test_a_place_that_changed_is_read_afresh():
    changed = memory(START, START, AFTER_31)
    assert changed.log_likelihood(AFTER_31, START) == 0
    assert changed.n_readings[SIX_POINT] == 1
    assert changed.n_readings[12] == 3
    assert changed.changed_ms == changed.played_ms == 3000


def test_a_hidden_place_keeps_what_it_held_and_speaks_against_nothing_else():
    hidden = updated_memory(memory(START), seen(AFTER_31, 2000, hidden=frozenset({4, 5, 7})))
    assert hidden.log_likelihood(START, START) == hidden.log_likelihood(AFTER_31, START) == 0
    assert not hidden.fully_visible


@pytest.mark.parametrize(("wait_ms", "is_settled"), [(749, False), (750, True)])
def test_a_board_is_settled_when_it_has_not_changed_for_so_long(wait_ms, is_settled):
    rested = updated_memory(memory(START), seen(START, 1000 + wait_ms))
    assert rested.settled(750) is is_settled


def test_a_board_under_a_hand_is_not_settled():
    assert not memory(START, START, START, hand=True).settled(750)


def test_rows_that_plainly_changed_are_named():
    changed = memory(START).changed_rows(memory(AFTER_31))
    assert [row + 1 for row in range(24) if changed[row]] == [5, 6, 8]


def test_the_likeliest_position_keeps_what_did_not_change():
    """The record holds 8/5 6/4; since the roll only the 6- and 5-points changed, the rest is as recorded."""
    now = memory(HALF_31, AFTER_31)
    assert now.likeliest_position(HALF_31, memory(HALF_31)) == AFTER_31
    assert now.likeliest_position(AFTER_32, BoardMemory()) == AFTER_31
