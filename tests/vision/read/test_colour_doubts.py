"""Doubting checkers of which no face is seen."""

import numpy as np

from tests.vision.drawn_board import EMPTY, START, geometry, picture
from vision.appearance.scene import SceneView
from vision.appearance.stack_rows import LONGEST_ROW, CheckerRows
from vision.read.colour_doubts import MOST_RING_NATS, doubt_ringless

VIEW = SceneView(geometry=geometry())


def one_checker_doubted(place: int) -> tuple[CheckerRows, np.ndarray]:
    """Rows that believe, with little more than even odds, in one dark checker on a place."""
    scores = np.tile(-20.0 * np.arange(LONGEST_ROW + 1), (2, 24, 1))
    scores[1, place, 1] = 0.5
    x, y = VIEW.scene_xy([geometry().checker_xy(place, 0)])[0].round().astype(int)
    steps = np.zeros((2, 24, LONGEST_ROW + 1, LONGEST_ROW), dtype=np.int64)
    grid = np.full((24, 1, 1), x), np.full((24, 1, 1), y)
    return CheckerRows(
        scores=scores, steps=steps, aside=np.zeros((2, 24, 1), dtype=np.int64), grid=grid
    ), scores


def test_a_doubtful_checker_is_believed_by_its_rings():
    rows, scores = one_checker_doubted(23)
    assert np.array_equal(doubt_ringless(VIEW, picture(START, seed=2), rows, scores), scores)


def test_a_doubtful_checker_without_rings_is_believed_less():
    rows, scores = one_checker_doubted(23)
    doubted = doubt_ringless(VIEW, picture(EMPTY, seed=2), rows, scores)
    assert 0.3 < scores[1, 23, 1] - doubted[1, 23, 1] <= MOST_RING_NATS
    assert np.array_equal(np.delete(doubted, 23, axis=1), np.delete(scores, 23, axis=1))
