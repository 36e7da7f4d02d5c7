"""Drawn boards are found without being told where they are."""

import numpy as np
import pytest

from training.boards import draw_board, start_counts
from training.trust import geometry_of
from vision.find import BoardNotFound, find_board

MARGIN_PITCHES = 3.0


def test_corners_and_bar_of_start_positions_are_found():
    rng = np.random.default_rng(4242)
    errors = []
    for _ in range(3):
        board = draw_board(rng, start_counts(mirrored=True, swapped=False), margin=MARGIN_PITCHES)
        truth = geometry_of(board)
        try:
            found = find_board(board.image_bgr).geometry
        except BoardNotFound:
            continue
        width = truth.corners_px[1][0] - truth.corners_px[0][0]
        away = np.array(found.corners_px) - np.array(truth.corners_px)
        errors.append(float(np.hypot(*away.T).max()) / width)
    assert sum(error < 0.02 for error in errors) >= 2


@pytest.mark.parametrize("kind", ["noise", "stripes"])
def test_where_there_is_no_board_none_is_found(kind):
    rng = np.random.default_rng(7)
    if kind == "noise":
        picture = rng.integers(0, 255, (240, 320, 3)).astype(np.uint8)
    else:
        picture = np.zeros((240, 320, 3), np.uint8)
        picture[:, ::8] = 200
    with pytest.raises(BoardNotFound):
        find_board(picture)


def test_a_black_picture_says_so():
    with pytest.raises(BoardNotFound, match="black"):
        find_board(np.zeros((240, 320, 3), np.uint8))
