"""What is seen of a row that has room is taken for all there is."""

import numpy as np
import pytest

from vision.board_reading import MAX_COUNT, BoardReading
from vision.geometry import BoardGeometry
from vision.read.filled_rows import ROOM_FOR, room_in_row, with_rows_filled_first

NO_BAR = np.log(np.array([[1 - 15e-9] + [1e-9] * 15] * 2))


def said_of_every_point(likely: dict[int, float], mixed: frozenset[int] = frozenset()) -> BoardReading:
    """A reading that gives each point these counts with these probabilities."""
    rows = np.full((24, 31), 1e-9)
    for count, share in likely.items():
        rows[:, MAX_COUNT + count] = share
    rows /= rows.sum(axis=1, keepdims=True)
    return BoardReading(points=np.log(rows), bar=NO_BAR, mixed=mixed, surely_mixed=mixed)


def shares_of_a_point(likely: dict[int, float], room: int = ROOM_FOR) -> dict[int, float]:
    """How probable each of these counts is afterwards on a point of which this is said."""
    after = np.exp(with_rows_filled_first(said_of_every_point(likely), room).points)
    assert after.sum(axis=1) == pytest.approx(np.ones(24))
    return {count: float(after[0, MAX_COUNT + count]) for count in likely}


@pytest.mark.parametrize("side", [1, -1], ids=["light", "dark"])
def test_a_checker_on_another_is_less_likely_while_their_row_has_room(side):
    told = shares_of_a_point({side: 0.6, 2 * side: 0.3, 0: 0.05, -side: 0.05})
    assert told[2 * side] == pytest.approx(told[side] / 20)
    assert told[0] / told[side] == told[-side] / told[side] == pytest.approx(0.05 / 0.6), "the rest as before"


@pytest.mark.parametrize(("seen", "room"), [(4, 4), (5, 4), (5, 5)])
def test_on_a_row_without_room_checkers_are_piled(seen, room):
    told = shares_of_a_point({seen: 0.6, seen + 1: 0.4}, room)
    assert told == pytest.approx({seen: 0.6, seen + 1: 0.4}, abs=1e-6)


def test_on_a_row_with_room_for_five_a_fifth_checker_is_hardly_piled():
    told = shares_of_a_point({4: 0.6, 5: 0.4}, room=5)
    assert told[5] == pytest.approx(told[4] / 15)


@pytest.mark.parametrize(("diameter", "room"), [(0.05, 5), (0.099, 5), (0.101, 4), (0.13, 4)])
def test_a_row_has_room_for_five_if_they_end_before_the_middle(diameter, room):
    corners = ((100, 100), (500, 100), (500, 500), (100, 500))
    geometry = BoardGeometry(corners_px=corners, image_wh=(640, 640), checker=diameter, aspect=1.0)
    assert room_in_row(geometry) == room


def test_the_count_of_one_of_two_colours_says_nothing_of_how_many_are_visible():
    both = said_of_every_point({3: 0.6, 4: 0.4}, mixed=frozenset({7}))
    after = np.exp(with_rows_filled_first(both, ROOM_FOR).points)
    assert after[7, MAX_COUNT + 4] / after[7, MAX_COUNT + 3] == pytest.approx(0.4 / 0.6)
    assert after[8, MAX_COUNT + 4] / after[8, MAX_COUNT + 3] == pytest.approx(0.04 / 0.6)


def test_a_bare_point_may_hold_any_number():
    assert shares_of_a_point({0: 0.6, 1: 0.2, -2: 0.2}) == pytest.approx({0: 0.6, 1: 0.2, -2: 0.2}, abs=1e-6)
