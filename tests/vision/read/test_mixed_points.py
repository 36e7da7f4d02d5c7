"""Saying on which points both colours lie."""

import pytest

from tests.vision.drawn_board import EMPTY, START, geometry, picture
from vision.read.board_reader import BoardReader
from vision.read.calibration import Calibration, Calibrator


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    learnt = Calibrator(geometry=geometry()).learn_from(picture(START), [START])
    assert learnt is not None
    return learnt[1]


def mixed(calibration, counts=START, **drawn):
    return BoardReader(calibration=calibration).read_picture(picture(counts, seed=4, **drawn), 0).mixed


def test_no_point_of_a_clear_board_is_mixed(calibration):
    assert mixed(calibration) == frozenset()
    assert mixed(calibration, EMPTY) == frozenset()


@pytest.mark.parametrize(
    ("place", "rank"),
    [
        (7, 3),
        (19, 3),
        (12, 2),
        (0, 2.1),
        pytest.param(
            0, 2.4, marks=pytest.mark.xfail(strict=True, reason="with a gap below it, it is not seen")
        ),
    ],
)
def test_a_checker_of_the_other_colour_on_a_held_point_is_seen(calibration, place, rank):
    reading = BoardReader(calibration=calibration).read_picture(
        picture(START, guests={place: (rank, 0.1)}, seed=4), 0
    )
    assert reading.mixed == {place}
    assert reading.counts() == START


def test_a_blot_that_was_hit_and_left_is_seen(calibration):
    assert mixed(calibration, (*START[:3], 1, *START[4:]), guests={3: (1, 0.0)}) == {3}


def test_a_checker_between_two_points_makes_neither_mixed(calibration):
    assert mixed(calibration, guests={7: (3, 0.5)}) == frozenset()
