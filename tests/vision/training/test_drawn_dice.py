"""Pieces of boards with dice, as they are drawn for teaching."""

import numpy as np

from vision.networks.dice_network import COCKED
from vision.training.drawn_dice import draw_piece


def test_a_third_of_the_pieces_show_several_dice():
    rng, dice = np.random.default_rng(1), range(1, COCKED + 1)
    several = [np.isin(draw_piece(rng).objects[:, 3], dice).sum() > 1 for _ in range(150)]
    assert np.mean(several) > 0.25
