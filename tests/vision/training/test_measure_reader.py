"""What is shown of the measured reader's mistakes."""

import numpy as np
import pytest

from vision.networks.strips import STRIP_WH
from vision.training.measure_reader import worst_picture

BLACK = np.zeros((STRIP_WH[1], STRIP_WH[0], 3), np.uint8)


@pytest.mark.parametrize(("n_misread", "n_rows"), [(1, 1), (10, 1), (13, 2)])
def test_every_misread_place_is_shown_ten_in_a_row(n_misread: int, n_rows: int):
    shown = worst_picture([(0.9, "board 7 5L > 4L", BLACK)] * n_misread)
    height, width = shown.shape[0] // n_rows, shown.shape[1] // 10
    middles = shown[height // 3 :: height, width // 2 :: width]
    assert (middles == 0).all(axis=2).sum() == n_misread


def test_where_nothing_is_misread_the_picture_is_white():
    assert (worst_picture([]) == 255).all()
