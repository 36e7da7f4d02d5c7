"""What is seen of a row that has room is taken for all there is."""

import numpy as np
import pytest

from vision.board_reading import MAX_COUNT, BoardReading
from vision.read.filled_rows import with_rows_filled_first

NO_BAR = np.log(np.array([[1 - 15e-9] + [1e-9] * 15] * 2))


def shares_of_a_point(likely: dict[int, float]) -> dict[int, float]:
    """How probable each of these counts is afterwards on a point of which this is said."""
    rows = np.full((24, 31), 1e-9)
    for count, share in likely.items():
        rows[:, MAX_COUNT + count] = share
    rows /= rows.sum(axis=1, keepdims=True)
    after = np.exp(with_rows_filled_first(BoardReading(points=np.log(rows), bar=NO_BAR)).points)
    assert after.sum(axis=1) == pytest.approx(np.ones(24))
    return {count: float(after[0, MAX_COUNT + count]) for count in likely}


@pytest.mark.parametrize("side", [1, -1], ids=["light", "dark"])
def test_a_checker_on_another_is_less_likely_while_their_row_has_room(side):
    told = shares_of_a_point({side: 0.6, 2 * side: 0.3, 0: 0.05, -side: 0.05})
    assert told[2 * side] == pytest.approx(told[side] / 20)
    assert told[0] / told[side] == told[-side] / told[side] == pytest.approx(0.05 / 0.6), "the rest as before"


@pytest.mark.parametrize("seen", [4, 5], ids=["a row of four", "a full row"])
def test_on_a_row_without_room_checkers_are_piled(seen):
    told = shares_of_a_point({seen: 0.6, seen + 1: 0.4})
    assert told == pytest.approx({seen: 0.6, seen + 1: 0.4}, abs=1e-6)


def test_a_bare_point_may_hold_any_number():
    assert shares_of_a_point({0: 0.6, 1: 0.2, -2: 0.2}) == pytest.approx({0: 0.6, 1: 0.2, -2: 0.2}, abs=1e-6)
