"""What is a hand over the field, and what was only put down beside it."""

import cv2
import numpy as np
import pytest

from tests.vision.drawn_board import START, geometry, picture
from vision.read.board_reader import BoardReader
from vision.read.calibration import Calibrator


@pytest.fixture
def reader():
    learnt = Calibrator(geometry=geometry()).learn_from(picture(START), [START])
    assert learnt is not None
    return BoardReader(calibration=learnt[1])


def with_cup(image: np.ndarray) -> np.ndarray:
    """A cup on the table beside the board, free of the picture's edge."""
    drawn = image.copy()
    cv2.circle(drawn, (585, 200), 20, (30, 40, 90), -1, cv2.LINE_AA)
    return drawn


def test_a_cup_put_down_beside_the_board_is_no_hand(reader):
    reading = reader.read_picture(with_cup(picture(START, seed=1)), 1000)
    assert not reading.hand
    assert not reading.unseen


def test_an_arm_from_the_edge_stays_a_hand_however_still_it_lies(reader):
    for second in range(1, 20):
        reading = reader.read_picture(picture(START, arm=(0.3, 0.6), seed=second), 1000 * second)
    assert reading.hand
