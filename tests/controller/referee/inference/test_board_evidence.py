"""What a view says of each place, and what is learnt of the reader."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.referee.events import MAX_COUNT
from controller.referee.inference.board_evidence import BoardEvidence, PlaceStates
from controller.referee.inference.board_memory import N_COLUMNS, BoardMemory, columns, updated_memory
from controller.referee.priors import (
    BOTH_COUNTED_AS_ONE,
    BOTH_TAKEN_FOR_ONE,
    P_GETS_STUCK,
    P_MISREADING_ENDS,
    P_ONE_LOOK,
    PLACE_FLOOR_NATS,
    UNTOUCHED_BUT_DIFFERENT,
)
from controller.rules import Position
from tests.controller.referee.inference.boards import (
    AFTER_31,
    AFTER_32,
    HALF_31,
    START_SIDE,
    evidence,
    memory,
)
from tests.controller.referee.table import board, seen

START = Position.START
SIX_POINT, FIVE_POINT = 5, 4
ROWS = np.arange(26)


def states_at(*positions: Position, told: Position | None = None) -> PlaceStates:
    """The states after these boards lay there in turn, all seen as they were, or all as `told`."""
    states = PlaceStates.unknown(positions[0])
    for position in positions:
        states = BoardEvidence(now=memory(told or position)).states_after(position, states)
    return states


def test_the_board_that_was_seen_is_the_likeliest_and_each_wrong_place_costs_about_the_floor():
    """The 5-, 6- and 8-points differ."""
    view, states = evidence(AFTER_31), PlaceStates.unknown(START)
    assert view.log_likelihood(AFTER_31, states) == pytest.approx(0, abs=0.1)
    assert view.log_likelihood(START, states) == pytest.approx(3 * PLACE_FLOOR_NATS, abs=1)


def test_a_place_that_looks_as_before_counts_once_however_wrong_it_is():
    wrong = states_at(START, told=AFTER_31)
    assert evidence(AFTER_31).log_likelihood(START, wrong) == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(("moved", "nats"), [(0.05, 3.6), (0.2, 0.0), (0.4, -2.7)])
def test_a_place_that_moved_a_little_speaks_against_a_play_and_one_that_moved_much_for_it(moved, nats):
    """By how much the six-point speaks for six men rather than five, its new look being fit for both."""

    def look(share: float) -> BoardMemory:
        """The six-point shows six men with this probability, else five."""
        sight = seen(START, 0)
        five, six = math.log(1 - share), math.log(share)
        row = [PLACE_FLOOR_NATS] * 20 + [five, six] + [PLACE_FLOOR_NATS] * 9
        rows = (*sight.rows[:SIX_POINT], tuple(row), *sight.rows[SIX_POINT + 1 :])
        return updated_memory(BoardMemory(), replace(sight, rows=rows))

    states = PlaceStates(START, look(0.5 - moved), np.full(26, 1e-9))
    held, played = BoardEvidence(now=look(0.5)).rows(states)[SIX_POINT, 20:22]
    assert held - played == pytest.approx(nats, abs=0.1)


def test_a_place_seen_right_is_not_stuck_and_one_seen_wrong_may_be():
    stuck = states_at(START, told=AFTER_31).stuck
    assert stuck[SIX_POINT] > 0.1
    assert stuck[0] < P_GETS_STUCK


def test_a_place_that_was_played_on_and_looks_as_before_is_stuck_more_and_more_surely():
    """All the while the picture shows the board after 3-1."""
    chances = [
        states_at(*course, told=AFTER_31).stuck[FIVE_POINT]
        for course in ([START], [START, HALF_31], [START, HALF_31, START], [START, HALF_31, START, HALF_31])
    ]
    assert chances == sorted(chances)
    assert chances[-1] > 0.99


def test_a_stuck_place_says_nothing_of_what_lies_there():
    stuck = states_at(START, HALF_31, START, HALF_31, START, told=AFTER_31)
    rows = evidence(AFTER_31).rows(stuck)[FIVE_POINT]
    assert rows.max() - rows.min() < 0.1


def test_a_stuck_place_that_reads_rightly_again_is_trusted_again():
    stuck = states_at(START, HALF_31, START, HALF_31, START, told=AFTER_31)
    assert BoardEvidence(now=memory(HALF_31)).states_after(HALF_31, stuck).stuck[FIVE_POINT] < P_GETS_STUCK


def test_a_misreading_ends_more_readily_than_a_right_reading():
    """The six-point holds five men. It was misread before and is read rightly now; or the reverse."""

    def changed(then: Position, now: Position) -> float:
        states = PlaceStates(START, memory(then), np.full(26, 1e-9))
        return float(evidence(now).rows(states)[SIX_POINT, columns(START)[SIX_POINT]])

    assert changed(AFTER_31, START) == pytest.approx(math.log(P_MISREADING_ENDS), abs=0.01)
    spoilt = math.log(UNTOUCHED_BUT_DIFFERENT * math.exp(PLACE_FLOOR_NATS) + P_GETS_STUCK * P_ONE_LOOK)
    assert changed(START, AFTER_31) == pytest.approx(spoilt, abs=0.01)


def test_a_hidden_place_says_nothing():
    hidden = BoardEvidence(
        now=updated_memory(memory(START), seen(START, 2000, hidden=frozenset({SIX_POINT})))
    )
    assert (hidden.rows(states_at(START))[SIX_POINT] == 0).all()


def test_a_mixed_place_fits_a_board_with_both_colours_there():
    both = Position(START.white, tuple(n + (place == 19) for place, n in enumerate(START.black)))
    mixed = BoardEvidence(now=replace(memory(START), mixed=frozenset({SIX_POINT})))
    assert mixed.log_likelihood(both, PlaceStates.unknown(START)) == pytest.approx(0, abs=0.1)


def test_two_colours_on_a_point_are_seldom_taken_for_one_and_mostly_counted_together():
    """Black has one on White's six-point, on which five or six white men are seen."""
    both = Position(START.white, tuple(n + (place == 19) for place, n in enumerate(START.black)))
    six = Position(tuple(n + (place == 6) for place, n in enumerate(START.white)), START.black)
    for seen_there, share in ((six, BOTH_COUNTED_AS_ONE), (START, 1 - BOTH_COUNTED_AS_ONE)):
        nats = BoardEvidence(now=memory(seen_there)).log_likelihood(both, PlaceStates.unknown(START))
        assert nats == pytest.approx(math.log(BOTH_TAKEN_FOR_ONE * share), abs=0.1)


@given(st.integers(0, 23), st.floats(0.05, 0.9), st.floats(0.05, 0.9))
def test_a_better_reading_never_lowers_the_true_board(row: int, one: float, other: float):
    """The more of the doubt at a place goes to what lies there, the likelier the board."""

    def fit(share: float) -> float:
        rows = [list(each) for each in seen(AFTER_31, 1000).rows]
        column = columns(AFTER_31)[row]
        rows[row][column], rows[row][column - 1] = np.log(share), np.log(1 - share)
        view = BoardEvidence(
            now=updated_memory(BoardMemory(), replace(seen(AFTER_31, 1000), rows=tuple(map(tuple, rows))))
        )
        return view.log_likelihood(AFTER_31, PlaceStates.unknown(START))

    worse, better = sorted((one, other))
    assert fit(better) >= fit(worse) - 1e-9


def test_the_likeliest_board_keeps_what_looks_as_before():
    """The record holds 8/5 6/4; since then only the 5- and 6-points changed, the rest is as recorded."""
    assert evidence(HALF_31, AFTER_31).likeliest_board(states_at(HALF_31), HALF_31) == AFTER_31
    assert evidence(AFTER_31).board_as_read(states_at(AFTER_32), AFTER_32) == AFTER_31


def test_a_checker_too_many_is_taken_from_a_place_that_is_stuck():
    """The 8-point always reads as three; the checker on the 5-point came from there."""
    states = PlaceStates(START, memory(START), np.where(ROWS == 7, 0.99, 1e-4))
    sight = list(seen(START, 2000).rows)
    sight[FIVE_POINT] = seen(HALF_31, 2000).rows[FIVE_POINT]
    view = BoardEvidence(now=updated_memory(BoardMemory(), replace(seen(START, 2000), rows=tuple(sight))))
    assert view.likeliest_board(states, START) == HALF_31


def test_a_checker_too_many_is_taken_from_a_doubtful_count_beside_a_mixed_point():
    """White's 8/1 stands beside two men of Black's, and his five on the 6-point read as six or five."""
    played = Position.parse(board({1: 1, 6: 5, 8: 2, 13: 5, 24: 2}, START_SIDE))
    sight = replace(seen(played, 1000), mixed=frozenset({0}))
    six = tuple({MAX_COUNT + 6: 0.0, MAX_COUNT + 5: -1.0}.get(n, -12.0) for n in range(N_COLUMNS))
    rows = (*sight.rows[:SIX_POINT], six, *sight.rows[SIX_POINT + 1 :])
    view = BoardEvidence(now=updated_memory(BoardMemory(), replace(sight, rows=rows)))
    assert view.likeliest_board(PlaceStates.unknown(START), START) == played


def test_checkers_too_many_are_taken_from_several_doubtful_counts():
    """White stands with four on his 6-point and four on his 8-point, and both read as five at first sight.

    Both doubtful counts must be one less: no single change leaves fifteen checkers.
    """
    held = Position.parse(board({6: 4, 8: 4, 13: 5, 24: 2}, START_SIDE))
    table = np.array(evidence(held).now.table)
    for row, nats in ((SIX_POINT, -0.1), (7, -2.0)):
        table[row] = [{MAX_COUNT + 5: 0.0, MAX_COUNT + 4: nats}.get(n, -12.0) for n in range(N_COLUMNS)]
    view = BoardEvidence(now=BoardMemory(table=table, visible=np.ones(26, bool)))
    assert view.likeliest_board(PlaceStates.unknown(START), START) == held


@pytest.mark.parametrize(("restore_nats", "n_off"), [(8.0, 0), (6.0, 1)])
def test_a_checker_that_is_gone_is_put_where_it_fits_so_much_worse_at_most(restore_nats, n_off):
    """One of the eight on White's midpoint is not seen; the seven there would be eight at seven nats."""
    held = Position.parse(board({6: 5, 13: 8, 24: 2}, START_SIDE))
    seven = [{MAX_COUNT + 7: 0.0, MAX_COUNT + 8: -7.0}.get(n, -12.0) for n in range(N_COLUMNS)]
    told = BoardMemory(table=np.array(evidence(held).now.table), visible=np.ones(26, bool))
    told.table[12] = seven
    view = BoardEvidence(now=told)
    assert view.likeliest_board(PlaceStates.unknown(held), held, restore_nats=restore_nats).white[0] == n_off


@pytest.mark.parametrize(("known_to_err", "nats"), [(False, (-8.8, -8.8)), (True, (-1.6, -5.7))])
def test_a_place_that_was_misread_is_misread_again_at_little_cost_mostly_by_one(known_to_err, nats):
    """The six-point, on which White stood with five, reads as four now. Three lie there, or one."""
    stuck = np.full(26, 0.999 if known_to_err else 1e-9)
    states, sight = PlaceStates(START, memory(START), stuck), seen(START, 2000)
    four = tuple(0.0 if n == MAX_COUNT + 4 else -12.0 for n in range(N_COLUMNS))
    rows = (*sight.rows[:SIX_POINT], four, *sight.rows[SIX_POINT + 1 :])
    told = BoardEvidence(now=updated_memory(BoardMemory(), replace(sight, rows=rows))).rows(states)[SIX_POINT]
    assert (told[MAX_COUNT + 3], told[MAX_COUNT + 1]) == pytest.approx(nats, abs=0.2)


def told_five(share: float) -> BoardMemory:
    """The start position, the six-point showing five men with this probability, else six."""
    sight = seen(START, 0)
    row = [PLACE_FLOOR_NATS] * 20 + [math.log(share), math.log(1 - share)] + [PLACE_FLOOR_NATS] * 9
    rows = (*sight.rows[:SIX_POINT], tuple(row), *sight.rows[SIX_POINT + 1 :])
    return updated_memory(BoardMemory(), replace(sight, rows=rows))


@pytest.mark.parametrize(
    ("column", "nats"), [(MAX_COUNT + 4, -5.3), (MAX_COUNT + 6, -3.6), (MAX_COUNT - 5, -5.3)]
)
def test_a_tall_stack_looks_as_before_after_a_play_more_often_than_a_row(column, nats):
    """The six-point looks as it did with five men; as far as one can see it may hold `column` as well."""
    sight = seen(START, 0)
    row = [math.log(1 / 2 if n in (MAX_COUNT + 5, column) else 1e-9) for n in range(N_COLUMNS)]
    rows = (*sight.rows[:SIX_POINT], tuple(row), *sight.rows[SIX_POINT + 1 :])
    look = updated_memory(BoardMemory(), replace(sight, rows=rows))
    states = PlaceStates(START, look, np.full(26, 1e-9))
    assert BoardEvidence(now=look).rows(states)[SIX_POINT, column] == pytest.approx(nats, abs=0.1)


FIVE, SIX = MAX_COUNT + 5, MAX_COUNT + 6
SIX_ON_SIX_POINT = Position.parse(board({6: 6, 8: 2, 13: 5, 24: 2}, {6: 5, 8: 3, 13: 5, 24: 2}))


@pytest.mark.parametrize(("share", "nats"), [(0.5, -3.6), (0.95, -0.6), (0.999, 0.0)])
def test_a_place_played_on_looks_the_same_all_the_likelier_the_worse_it_was_read(share, nats):
    """Six men were told as five with this probability. One is taken off, and five are told as five."""
    states = PlaceStates(SIX_ON_SIX_POINT, told_five(share), np.full(26, 1e-9))
    assert BoardEvidence(now=told_five(share)).rows(states)[SIX_POINT, FIVE] == pytest.approx(nats, abs=0.3)


@pytest.mark.parametrize(("share", "nats"), [(0.65, -2.4), (0.5, -2.1), (0.3, -1.6), (0.1, -1.2)])
def test_a_place_left_alone_comes_to_be_read_surely_the_more_likely_the_more_doubtful_it_was(share, nats):
    """Five men were told with this probability, else six. Now they are told as five for sure."""
    states = PlaceStates(START, told_five(share), np.full(26, 1e-9))
    surely = BoardEvidence(now=told_five(0.9999)).rows(states)
    assert surely[SIX_POINT, FIVE] == pytest.approx(nats, abs=0.05)


def test_a_place_left_alone_that_fits_less_and_less_counts_however_slowly_it_came_to_look_so():
    """Five men lie there in one course, six in another. They are told as five less and less surely."""
    shares = [0.48, 0.42, 0.35, 0.28, 0.21]
    five, six = (
        PlaceStates(held, told_five(shares[0]), np.full(26, 1e-9)) for held in (START, SIX_ON_SIX_POINT)
    )
    lead = 0.0
    for share in shares[1:]:
        view = BoardEvidence(now=told_five(share))
        lead += view.rows(five)[SIX_POINT, FIVE] - view.rows(six)[SIX_POINT, SIX]
        five, six = view.states_after(START, five), view.states_after(SIX_ON_SIX_POINT, six)
    due = math.log(shares[-1] / (1 - shares[-1])) - math.log(shares[0] / (1 - shares[0]))
    assert lead == pytest.approx(due, abs=0.1)


def test_a_place_left_alone_that_fits_better_gains_nothing():
    states = PlaceStates(START, told_five(0.3), np.full(26, 1e-9))
    assert BoardEvidence(now=told_five(0.38)).rows(states)[SIX_POINT, FIVE] == pytest.approx(0.0, abs=0.01)
