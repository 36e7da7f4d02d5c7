"""What is a hand round the field, and what was only put down there."""

import cv2
import numpy as np
import pytest

from tests.vision.drawn_board import START, geometry, picture
from vision.appearance.calibration import Calibrator
from vision.read.board_reader import BoardReader


@pytest.fixture
def reader():
    calibration = Calibrator(geometry=geometry(), start_counts=START).learn_from(picture(START), 0)
    assert calibration is not None
    return BoardReader(calibration=calibration)


def with_cup(image: np.ndarray) -> np.ndarray:
    """A cup on the table beside the board, free of the picture's edge."""
    drawn = image.copy()
    cv2.circle(drawn, (585, 200), 20, (30, 40, 90), -1, cv2.LINE_AA)
    return drawn


def test_a_cup_put_down_beside_the_board_is_a_hand_only_for_a_moment(reader):
    assert reader.read_picture(with_cup(picture(START, seed=1)), 1000).hand
    assert reader.read_picture(with_cup(picture(START, seed=2)), 2500).hand
    assert not reader.read_picture(with_cup(picture(START, seed=3)), 5000).hand


def test_an_arm_from_the_edge_stays_a_hand_however_still_it_lies(reader):
    for second in range(1, 20):
        reading = reader.read_picture(picture(START, arm=(0.3, 0.6), seed=second), 1000 * second)
    assert reading.hand


def test_an_arm_over_what_was_put_down_is_seen(reader):
    for second in range(1, 6):
        reader.read_picture(with_cup(picture(START, seed=second)), 1000 * second)
    assert reader.read_picture(with_cup(picture(START, arm=(0.3, 0.6), seed=9)), 7000).hand
