"""What is known of the number of checkers settles what a picture leaves open."""

import numpy as np
import pytest

from vision.board_reading import MAX_COUNT, BoardReading
from vision.read.filled_rows import ROOM_FOR, with_rows_filled_first
from vision.read.totals import DOUBTED_SHARE, USUAL_IN_GAMES, USUAL_IN_PHOTOGRAPHS, with_usual_totals

NO_BAR = np.log(np.array([[1 - 15e-9] + [1e-9] * 15] * 2))


def sure_but(counts: dict[int, int], doubtful: int, one_of: tuple[int, int]) -> BoardReading:
    """A reading that is sure of its counts, but for a place that may hold either of two counts."""
    rows = np.full((24, 31), 1e-9)
    for place in range(24):
        rows[place, MAX_COUNT + counts.get(place, 0)] = 1.0
    rows[doubtful] = 1e-9
    rows[doubtful, [MAX_COUNT + n for n in one_of]] = 0.45, 0.55
    return BoardReading(points=np.log(rows / rows.sum(axis=1, keepdims=True)), bar=NO_BAR)


def test_equal_totals_settle_which_side_a_checker_in_shadow_is_on():
    counts = {0: 5, 11: 5, 12: -5, 23: -6}
    assert with_usual_totals(sure_but(counts, doubtful=8, one_of=(1, -1))).counts()[8] == 1


def test_equal_totals_settle_whether_a_stack_has_four_or_five():
    counts = {0: 5, 11: 3, 12: -5, 23: -5, 17: -2}
    assert with_usual_totals(sure_but(counts, doubtful=5, one_of=(4, 5))).counts()[5] == 4


def test_fifteen_checkers_settle_which_side_one_in_shadow_is_on():
    counts = {0: 5, 11: 5, 5: 4, 12: -5, 23: -5, 17: -5}
    assert with_usual_totals(sure_but(counts, doubtful=8, one_of=(1, -1))).counts()[8] == 1


def test_fifteen_checkers_settle_how_tall_a_stack_is():
    counts = {0: 5, 7: 2, 12: -5, 23: -5, 17: -5}
    assert with_usual_totals(sure_but(counts, doubtful=5, one_of=(8, 7))).counts()[5] == 8


@pytest.mark.parametrize(("shares", "sixth"), [(USUAL_IN_PHOTOGRAPHS, False), (USUAL_IN_GAMES, True)])
def test_in_a_game_a_missing_checker_lies_on_others_rather_than_nowhere(shares, sixth):
    seen = sure_but({0: 5, 7: 4, 12: -5, 23: -5, 17: -5}, doubtful=5, one_of=(5, 6))
    points = seen.points.copy()
    points[5, [MAX_COUNT + 5, MAX_COUNT + 6]] = np.log([0.95, 0.05])
    reading = with_usual_totals(BoardReading(points=points, bar=NO_BAR), shares)
    assert reading.counts()[5] == 5 + sixth


@pytest.mark.parametrize("shares", [USUAL_IN_PHOTOGRAPHS, USUAL_IN_GAMES])
def test_a_checker_that_was_knocked_off_is_not_made_up_on_others(shares):
    seen = sure_but({0: 5, 7: 4, 12: -5, 23: -5, 17: -5}, doubtful=5, one_of=(5, 6))
    points = seen.points.copy()
    points[5, [MAX_COUNT + 5, MAX_COUNT + 6]] = np.log([0.999, 0.001])
    reading = with_usual_totals(BoardReading(points=points, bar=NO_BAR), shares)
    assert reading.counts()[5] == 5


def test_a_missing_checker_is_not_made_up_on_one_beside_which_there_is_room():
    seen = sure_but({0: 5, 7: 3, 11: 5, 8: 2, 12: -5, 17: -5, 5: -3}, doubtful=23, one_of=(-1, -2))
    points = seen.points.copy()
    points[12, [MAX_COUNT - 5, MAX_COUNT - 6]] = np.log([0.93, 0.07])
    points[23, [MAX_COUNT - 1, MAX_COUNT - 2]] = np.log([0.52, 0.48])
    seen = BoardReading(points=points, bar=NO_BAR)
    assert with_usual_totals(with_rows_filled_first(seen, ROOM_FOR)).counts()[23] == -1
    assert with_usual_totals(seen).counts()[23] == -2, "a wall may hide one"


def test_totals_do_not_overrule_what_was_clearly_seen():
    seen = sure_but({0: 5, 11: 3, 12: -2}, doubtful=20, one_of=(0, -1))
    points = seen.points.copy()
    points[20] = np.log(np.where(np.arange(31) == MAX_COUNT, 1 - 30e-9, 1e-9))
    reading = with_usual_totals(BoardReading(points=points, bar=NO_BAR))
    assert reading.counts() == BoardReading(points=points, bar=NO_BAR).counts()
    assert np.exp(reading.points).sum(axis=1) == pytest.approx(np.ones(24))
    assert reading.bar_counts() == (0, 0)


@pytest.mark.parametrize("hidden", [5, 23])
def test_a_hidden_place_is_not_filled_in(hidden):
    seen = sure_but({0: 5, 11: 5, 12: -5, 22: -5, 17: -5}, doubtful=hidden, one_of=(5, 4))
    flat = np.full(31, -np.log(31))
    points = seen.points.copy()
    points[hidden] = flat
    reading = with_usual_totals(BoardReading(points=points, bar=NO_BAR, unseen=frozenset({hidden})))
    assert reading.points[hidden] == pytest.approx(flat)


def test_a_hidden_bar_is_not_filled_in():
    seen = sure_but({0: 5, 11: 5, 5: 4, 12: -5, 23: -5, 17: -5}, doubtful=8, one_of=(0, 0))
    flat = np.full((2, 16), -np.log(16))
    reading = with_usual_totals(BoardReading(points=seen.points, bar=flat, unseen=frozenset({24})))
    assert reading.bar == pytest.approx(flat)


@pytest.mark.parametrize("side", [1, -1], ids=["light", "dark"])
def test_fifteen_checkers_settle_whether_one_lies_on_the_bar(side):
    counts = {0: 5 * side, 11: 5 * side, 5: 4 * side, 12: -5 * side, 23: -5 * side, 17: -5 * side}
    seen = sure_but(counts, doubtful=8, one_of=(0, 0))
    bar = NO_BAR.copy()
    bar[0 if side > 0 else 1, :2] = np.log([0.55, 0.45])
    reading = with_usual_totals(BoardReading(points=seen.points, bar=bar))
    assert reading.bar_counts() == ((1, 0) if side > 0 else (0, 1))


def test_where_checkers_may_have_been_borne_off_no_total_is_made_up():
    seen = sure_but({0: 4, 1: 3, 12: -5, 23: -5, 17: -5}, doubtful=3, one_of=(8, 7))
    assert with_usual_totals(seen).counts()[3] == 7


@pytest.mark.parametrize("other", [{12: -5, 17: -5, 4: -5}, {12: -5, 13: -2}], ids=["one side", "both"])
def test_a_side_that_bears_off_has_no_more_than_fifteen(other):
    seen = sure_but({0: 4, 1: 4, **other}, doubtful=3, one_of=(7, 8))
    assert seen.counts()[3] == 8
    assert with_usual_totals(seen).counts()[3] == 7


def test_a_side_that_bears_off_is_not_filled_up_though_it_seems_to_hold_a_point_elsewhere():
    """Two dark checkers look a little more like light ones; a light stack may well have more than five."""
    seen = sure_but({0: 5, 12: -5, 17: -5, 4: -3}, doubtful=7, one_of=(-2, 2))
    points = seen.points.copy()
    points[0, MAX_COUNT + 5 : MAX_COUNT + 14] = np.log([0.4, 0.2, 0.15, 0.1, 0.05, 0.04, 0.03, 0.02, 0.01])
    reading = with_usual_totals(BoardReading(points=points, bar=NO_BAR))
    assert [reading.counts()[place] for place in (0, 7)] == [5, -2]


def test_while_one_side_bears_off_the_other_mostly_has_all():
    seen = sure_but({0: 4, 1: 3, 12: -5, 23: -5, 4: -2}, doubtful=17, one_of=(-3, -2))
    assert with_usual_totals(seen).counts()[17] == -3


def test_a_checker_that_is_missing_is_not_made_up_on_the_bar():
    seen = sure_but({0: 5, 11: 5, 5: 4, 12: -5, 23: -5, 17: -5}, doubtful=8, one_of=(0, 0))
    bar = NO_BAR.copy()
    bar[0, :2] = np.log([0.97, 0.03])
    reading = with_usual_totals(BoardReading(points=seen.points, bar=bar))
    assert reading.bar_counts() == (0, 0)
    assert sum(count for count in reading.counts() if count > 0) == 14


def test_of_two_boards_the_likelier_one_is_told_as_a_whole():
    """Any one of four stacks may have one checker more; a checker on the bar explains the total better."""
    counts = {0: 5, 11: 4, 7: 3, 16: 2, 12: -5, 23: -5, 17: -5}
    seen = sure_but(counts, doubtful=0, one_of=(5, 6))
    points = np.exp(seen.points)
    for place in (0, 7, 11, 16):
        points[place] = 1e-9
        points[place, [MAX_COUNT + counts[place], MAX_COUNT + counts[place] + 1]] = 0.8, 0.2
    bar = NO_BAR.copy()
    bar[0, :2] = np.log([0.75, 0.25])
    reading = with_usual_totals(BoardReading(points=np.log(points), bar=bar))
    assert [reading.counts()[place] for place in (0, 7, 11, 16)] == [5, 3, 4, 2]
    assert reading.bar_counts() == (1, 0)


def test_agreement_with_the_prior_makes_a_place_surer_but_not_sure():
    counts = {0: 5, 7: 2, 12: -5, 23: -5, 17: -5}
    seen = sure_but(counts, doubtful=5, one_of=(7, 8))  # 8 is the likelier one, and makes up 15
    before, after = (np.exp(one.points[5, MAX_COUNT + 8]) for one in (seen, with_usual_totals(seen)))
    assert before < after < 1 - DOUBTED_SHARE * (1 - before)
