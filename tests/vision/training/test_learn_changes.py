"""Teaching what came to stacks and went from them (needs PyTorch and onnx)."""

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("onnx")

from vision.networks.change_network import MOST_CHANGED, N_CHANGES  # noqa: E402
from vision.training.learn_changes import (  # noqa: E402
    CHANGE_BATCH,
    ChangeNet,
    Stacks,
    batch_by_chance,
    pairs_of,
    varied,
)


def stacks(counts: list[list[int]]) -> Stacks:
    """Grey strips of stacks that held so many checkers, picture after picture."""
    held = np.array(counts)
    strips = np.full((*held.shape, 128, 40, 3), 100, np.uint8)
    return Stacks(strips=strips, counts=held, levels=np.tile(np.float32([90, 0.02]), (len(held), 1)))


def test_comparisons_are_sorted_by_what_came_and_by_whether_pictures_follow_one_another():
    session = stacks([[5], [7], [7], [2]])
    near, far = (pairs_of([session], far=apart) for apart in (False, True))
    told = [[(pair.before, pair.now) for pair in some] for some in near]
    assert told[MOST_CHANGED + 2] == [(0, 1)]
    assert told[MOST_CHANGED - 2] == [(1, 0)]
    assert told[MOST_CHANGED] == [(1, 2), (2, 1)]
    assert [(pair.before, pair.now) for pair in far[MOST_CHANGED + 2]] == [(0, 2)]
    assert all(3 not in (pair.before, pair.now) for some in (*near, *far) for pair in some)


def test_more_than_four_that_came_count_as_four():
    assert len(pairs_of([stacks([[3], [11]])], far=False)[N_CHANGES - 1]) == 1


def test_a_lesson_shows_each_change_to_the_network():
    session = stacks([[5], [6], [8], [11], [7], [3], [7]])
    sources = [pairs_of([session], far=apart) for apart in (False, True)]
    (before, now), changes = batch_by_chance(np.random.default_rng(2), [session], *sources)
    assert set(changes.tolist()) <= set(range(N_CHANGES))
    with torch.no_grad():
        answers = ChangeNet().eval()(before, now)
    assert answers.shape == (CHANGE_BATCH, N_CHANGES)


def test_two_strips_are_varied_alike_in_colour_and_apart_in_light():
    rng = np.random.default_rng(4)
    strip = cv2.resize(rng.normal(0, 1, (10, 4, 3)).astype(np.float32), (40, 128))
    one, other = varied(rng, (strip, strip.copy()))
    inner = np.s_[10:-10, 5:-5]
    assert np.corrcoef(one[inner].ravel(), other[inner].ravel())[0, 1] > 0.5
    assert not np.allclose(one, other)
