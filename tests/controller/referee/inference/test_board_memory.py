"""The memory of the board: readings of one place are averaged, and a change starts it afresh."""

from dataclasses import replace

import numpy as np
import pytest

from controller.referee.inference.board_memory import (
    BoardMemory,
    columns,
    looks_otherwise,
    rests_otherwise,
    updated_memory,
)
from controller.referee.priors import PLACE_FLOOR_NATS, STACK_FLOOR_NATS
from controller.rules import Position
from tests.controller.referee.inference.boards import AFTER_31, HALF_31, memory
from tests.controller.referee.table import seen

START = Position.START
SIX_POINT = 5
"""The row of White's 6-point."""


def test_a_doubtful_place_counts_for_less():
    blurred = memory(START, blurred=frozenset({SIX_POINT}))
    column = columns(START)[SIX_POINT]
    assert blurred.table[SIX_POINT][column - 1] == 0
    assert memory(START).table[SIX_POINT][column - 1] == PLACE_FLOOR_NATS


def doubtful(t_ms: int, other_nats: float):
    """The start position, with one checker fewer on the 6-point so likely, relative to five of them."""
    sharp = seen(START, t_ms)
    row = np.array(sharp.rows[SIX_POINT])
    row[columns(START)[SIX_POINT] - 1] = other_nats
    return replace(sharp, rows=(*sharp.rows[:SIX_POINT], row, *sharp.rows[SIX_POINT + 1 :]))


def test_two_readings_of_one_place_are_averaged():
    both = updated_memory(updated_memory(BoardMemory(), doubtful(1000, -2.0)), doubtful(2000, -4.0))
    assert both.table[SIX_POINT][columns(START)[SIX_POINT] - 1] == -3.0
    assert both.n_readings[SIX_POINT] == 2


def test_two_readings_in_another_order_are_remembered_alike():
    blurred, sharp = doubtful(0, -2.0), seen(START, 0)
    one = updated_memory(updated_memory(BoardMemory(), blurred), sharp)
    other = updated_memory(updated_memory(BoardMemory(), sharp), blurred)
    assert np.array_equal(one.table, other.table)


def test_a_place_that_looks_different_is_read_afresh_though_the_same_content_stays_likeliest():
    changed = updated_memory(memory(START, START), doubtful(3000, -0.1))
    assert changed.table[SIX_POINT, columns(START)[SIX_POINT] - 1] == -0.1
    assert changed.n_readings[SIX_POINT] == 1
    assert changed.played_ms == 0


def test_a_place_that_changed_is_read_afresh():
    changed = memory(START, START, AFTER_31)
    assert changed.table[SIX_POINT, columns(AFTER_31)[SIX_POINT]] == 0
    assert changed.n_readings[SIX_POINT] == 1
    assert changed.n_readings[12] == 3
    assert changed.changed_ms == changed.played_ms == 3000


def test_a_doubtful_reading_that_leans_otherwise_is_not_averaged_away():
    place, lean = columns(START)[SIX_POINT], seen(START, 0, blurred=frozenset({SIX_POINT}))
    leaning = np.array(lean.rows[SIX_POINT])
    leaning[place] -= 1.0
    rows = (*lean.rows[:SIX_POINT], leaning, *lean.rows[SIX_POINT + 1 :])
    changed = updated_memory(memory(START, START), replace(lean, rows=rows, t_ms=3000))
    assert changed.table[SIX_POINT, place - 1] == 0
    assert changed.n_readings[SIX_POINT] == 1
    assert changed.played_ms == 0


def test_a_hidden_place_keeps_what_was_seen_last():
    hidden = updated_memory(memory(START), seen(AFTER_31, 2000, hidden=frozenset({SIX_POINT})))
    assert hidden.table[SIX_POINT, columns(START)[SIX_POINT]] == 0
    assert not hidden.fully_visible


def test_a_place_that_changed_while_it_was_hidden_was_played_on():
    as_before = seen(START, 3000)
    rows = (*as_before.rows[:SIX_POINT], seen(AFTER_31, 0).rows[SIX_POINT], *as_before.rows[SIX_POINT + 1 :])
    before = updated_memory(memory(START), seen(START, 2000, hidden=frozenset({SIX_POINT})))
    assert updated_memory(before, replace(as_before, rows=rows)).played_ms == 3000
    assert updated_memory(before, as_before).played_ms == 0


@pytest.mark.parametrize(("wait_ms", "is_settled"), [(749, False), (750, True)])
def test_a_board_is_settled_when_it_has_not_changed_for_so_long(wait_ms, is_settled):
    rested = updated_memory(memory(START), seen(START, 1000 + wait_ms))
    assert rested.settled(750) is is_settled


def test_a_board_under_a_hand_is_not_settled():
    assert not memory(START, START, START, hand=True).settled(750)


def test_a_point_on_which_both_colours_lie_settles_whatever_its_count_reads_as():
    """The count of such a point wavers; that is no play."""
    before, mixed = memory(START, START), frozenset({SIX_POINT})
    now = before
    for t_ms, board in ((3000, START), (3400, AFTER_31), (3800, START)):
        sight = seen(START, t_ms)
        rows = (*sight.rows[:SIX_POINT], seen(board, t_ms).rows[SIX_POINT], *sight.rows[SIX_POINT + 1 :])
        now = updated_memory(now, replace(sight, rows=rows, mixed=mixed))
    assert now.changed_ms == 3000
    assert now.settled(750)


def test_how_many_lie_on_a_tall_stack_is_told_worse_than_that_one_lies_there():
    row, column = memory(START).table[SIX_POINT], columns(START)[SIX_POINT]
    assert list(row[column + 1 :]) == [STACK_FLOOR_NATS] * (len(row) - column - 1)
    assert list(row[:column]) == [PLACE_FLOOR_NATS] * column
    assert set(memory(START).table[0]) == {0.0, PLACE_FLOOR_NATS}


def test_a_board_looks_otherwise_when_a_place_that_is_seen_does():
    before = memory(START)
    assert not looks_otherwise(before, memory(START, START))
    assert looks_otherwise(before, memory(START, HALF_31))
    changed = frozenset({4, 7})
    assert not looks_otherwise(before, memory(START, HALF_31, hidden=changed))


def test_a_board_rests_otherwise_once_two_pictures_agree_on_a_place():
    before = memory(START, START)
    once = updated_memory(before, doubtful(3000, -0.1))
    again = updated_memory(once, doubtful(4000, -0.1))
    assert looks_otherwise(before, once)
    assert not rests_otherwise(before, once)
    assert rests_otherwise(before, again)
    assert again.changed_ms == before.changed_ms, "neither reading contradicts the other"
