"""Counting checkers on a second layer from where their faces are seen."""

import numpy as np
import pytest

from tests.vision.drawn_board import START, geometry, picture
from vision.appearance.calibration import Calibration, Calibrator
from vision.appearance.checker_faces import RING_REACH_PX, STRIP_CHECKER_PX, ring_scores
from vision.appearance.upper_layers import RowFaces, log_odds_of_more
from vision.read.board_reader import BoardReader

NEAT = np.array([(0.0, 0.53 + 1.03 * index) for index in range(5)])
"""A row of five as it is seen from above, in diameters."""
NONE_BETWEEN = np.zeros(4)


def faces(xy=NEAT, scores=(0.6,) * 5, between=NONE_BETWEEN) -> RowFaces:
    return RowFaces(xy=np.array(xy), scores=np.array(scores), between=np.array(between))


def rising(across, along):
    return np.tile([across, along], (5, 1))


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    learnt = Calibrator(geometry=geometry(), start_counts=START).learn_from(picture(START), 0)
    assert learnt is not None
    return learnt


def test_rings_score_highest_in_their_middle_whatever_is_brighter():
    y, x = np.mgrid[0:80, 0:80]
    disc = np.clip(0.5 * STRIP_CHECKER_PX - np.hypot(x - 43, y - 38), 0, 1)
    for bright, dark in ((200, 50), (50, 200)):
        scores = ring_scores((dark + (bright - dark) * disc).astype(np.float32))
        row, column = np.unravel_index(scores.argmax(), scores.shape)
        assert (column + RING_REACH_PX, row + RING_REACH_PX) == (43, 38)
        assert scores.max() > 0.5


def test_a_neat_row_carries_nothing():
    odds = log_odds_of_more(faces(), rising(0.15, 0.1))
    assert odds.argmax() == 0
    assert odds[1:5].max() < -3


@pytest.mark.parametrize("piled", [1, 2, 3, 4])
def test_faces_seen_one_checker_higher_are_counted(piled):
    rise = rising(0.15, 0.1)
    seen = NEAT + rise * (np.arange(5) < piled)[:, None]
    odds = log_odds_of_more(faces(seen), rise)
    assert odds.argmax() == piled
    assert odds[piled] > 4


def test_from_straight_above_nothing_is_told():
    odds = log_odds_of_more(faces(), rising(0.0, 0.0))
    assert np.abs(odds[:5]).max() < 2


def test_a_row_with_gaps_is_still_a_row():
    loose = NEAT + np.array([0.0, 0.15]) * np.arange(5)[:, None] ** 2 / 8
    assert log_odds_of_more(faces(loose), rising(0.02, 0.1))[1:].max() < 2


def test_a_whole_face_between_two_hidden_ones_is_one_more():
    odds = log_odds_of_more(
        faces(scores=(0.3, 0.3, 0.6, 0.6, 0.6), between=(0.6, 0.1, 0.1, 0.1)), rising(0, 0)
    )
    assert odds.argmax() == 1
    assert odds[1] > 8


@pytest.mark.parametrize("ranks", [(0.5,), (0.5, 1.5), (1.5,)])
def test_checkers_that_bridge_two_others_are_read(calibration, ranks):
    image = picture(START, piled={23: ranks, 5: ranks}, seed=3)
    counts = BoardReader(calibration=calibration).read_picture(image, 0).counts()
    assert (counts[23], counts[5]) == (-5 - len(ranks), -5 - len(ranks))


@pytest.mark.parametrize("ranks", [(0,), (0, 1), (0, 1, 2), (0, 1, 2, 3)])
def test_checkers_upon_others_are_read_or_doubted(calibration, ranks):
    reading = BoardReader(calibration=calibration).read_picture(picture(START, piled={23: ranks}, seed=3), 0)
    assert reading.counts()[23] == -5 - len(ranks) or reading.confidences()[23] < 0.9


def test_a_full_row_is_surer_where_a_second_layer_would_be_seen(calibration):
    reading = BoardReader(calibration=calibration).read_picture(picture(START, seed=3), 0)
    assert reading.counts() == START
    assert reading.confidences()[23] > 0.8
