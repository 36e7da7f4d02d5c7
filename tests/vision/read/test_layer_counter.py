"""Counting on full rows picture by picture, by what changed since the last one."""

import numpy as np
import pytest

from tests.vision.drawn_board import OBLIQUE, START, geometry, picture
from vision.appearance.calibration import Calibration, Calibrator
from vision.board_reading import MAX_COUNT
from vision.read.board_reader import BoardReader


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    learnt = Calibrator(geometry=geometry(), start_counts=START).learn_from(picture(START), 0)
    assert learnt is not None
    return learnt


def reading(reader, place, more, number, **drawn):
    """The place's log-likelihoods in picture `number`, with so many more checkers piled on its row."""
    image = picture(START, piled={place: tuple(range(more))}, seed=number, **drawn)
    return reader.read_picture(image, 5000 * number).points[place]


@pytest.mark.parametrize("place", [11, 17, 23])
def test_checkers_laid_on_a_row_and_taken_off_again_are_counted(calibration, place):
    reader = BoardReader(calibration=calibration)
    sign = int(np.sign(START[place]))
    for number, more in enumerate((0, 1, 2, 3, 1, 2, 0)):
        row = reading(reader, place, more, number)
        assert row.argmax() == MAX_COUNT + sign * (5 + more)
        assert np.exp(row.max()) > 0.9


def test_what_changed_tells_more_than_the_row_by_itself(calibration):
    followed, fresh = (BoardReader(calibration=calibration) for _ in range(2))
    reading(followed, 17, 0, 0)
    truth = MAX_COUNT + 6
    assert reading(followed, 17, 1, 1)[truth] > reading(fresh, 17, 1, 1)[truth]


def test_a_row_left_alone_reads_exactly_as_before(calibration):
    reader = BoardReader(calibration=calibration)
    before = reading(reader, 17, 2, 0)
    reader.read_picture(picture(START, piled={17: (0, 1), 5: (0,)}, seed=1), 5000)
    after = reading(reader, 17, 2, 2)
    assert np.abs(after - before).max() < 0.1


def test_a_blurred_picture_changes_nothing_of_what_was_known(calibration):
    reader = BoardReader(calibration=calibration)
    reading(reader, 17, 0, 0)
    before = reading(reader, 17, 1, 1)
    reading(reader, 17, 1, 2, blur=3.0)
    assert np.abs(reading(reader, 17, 1, 3) - before).max() < 0.5


def test_a_row_that_was_taken_away_is_forgotten(calibration):
    reader = BoardReader(calibration=calibration)
    reading(reader, 17, 2, 0)
    without = tuple(0 if place == 17 else count for place, count in enumerate(START))
    reader.read_picture(picture(without, seed=1), 5000)
    fresh = reading(BoardReader(calibration=calibration), 17, 0, 2)
    assert reading(reader, 17, 0, 2) == pytest.approx(fresh, abs=0.3)


def test_what_was_known_outlasts_a_bump_of_the_camera(calibration):
    bumped = geometry(tuple((x + 4, y + 2) for x, y in OBLIQUE))
    followed, fresh = (BoardReader(calibration=calibration) for _ in range(2))
    for number, more in enumerate((0, 1)):
        reading(followed, 17, more, number)
    truth = MAX_COUNT + 7
    after = reading(followed, 17, 2, 2, view=bumped)
    assert after.argmax() == truth
    assert after[truth] > reading(fresh, 17, 2, 2, view=bumped)[truth]
