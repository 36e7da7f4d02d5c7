"""Places where a board is taken for dice (needs PyTorch and onnx)."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

from vision.networks.dice_network import CELL_PX, CUBE, N_DICE_ANSWERS, NO_BODY
from vision.training.dice_lessons import EITHER
from vision.training.learn_faces import mistaken_for_dice

THREE, CELLS, SURE = 3, 14, 9.0


@pytest.mark.parametrize(
    ("lies_there", "is_mistaken"), [(THREE, False), (EITHER, False), (CUBE, True), (NO_BODY, True)]
)
def test_what_is_seen_as_a_die_is_a_mistake_only_where_none_lies(lies_there: int, is_mistaken: bool):
    said = np.zeros((N_DICE_ANSWERS, CELLS, CELLS), np.float32)
    said[NO_BODY] = SURE
    said[THREE, 5, 9], said[NO_BODY, 5, 9] = SURE, 0.0
    middle_px = (np.array([9, 5]) + 0.5) * CELL_PX
    left = mistaken_for_dice(said, np.array([[*middle_px, 24.0, lies_there]]))
    assert left.shape == (CELLS, CELLS)
    assert (left[5, 9] > 0.99) == is_mistaken
    left[5, 9] = 0.0
    assert left.max() < 0.01
