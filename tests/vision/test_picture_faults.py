"""Pictures in which nothing can be seen are named."""

import numpy as np
import pytest

from vision.picture_faults import picture_fault


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (np.zeros((480, 640, 3), np.uint8), "black"),
        (np.full((480, 640, 3), 128, np.uint8), "even grey"),
        (np.zeros((40, 60, 3), np.uint8), "too small"),
        (np.zeros((0, 0, 3), np.uint8), "empty"),
        (np.zeros((480, 640), np.uint8), "three colours"),
    ],
)
def test_a_useless_picture_is_named(picture, said):
    fault = picture_fault(picture)
    assert fault is not None
    assert said in fault
