"""Pieces of boards with dice, as they are drawn for teaching."""

import numpy as np

from vision.networks.dice_network import COCKED
from vision.training.dice_drawing import strew_dots
from vision.training.drawn_dice import FINE_PX, draw_piece


def test_a_third_of_the_pieces_show_several_dice():
    rng, dice = np.random.default_rng(1), range(1, COCKED + 1)
    several = [np.isin(draw_piece(rng).objects[:, 3], dice).sum() > 1 for _ in range(150)]
    assert np.mean(several) > 0.25


def test_dots_cover_a_small_part_of_the_ground():
    covered = []
    for seed in range(20):
        ground = np.zeros((240, 240, 3), np.float32)
        strew_dots(ground, np.random.default_rng(seed), FINE_PX)
        covered.append((ground > 1).any(axis=2).mean())
    assert min(covered) > 0
    assert np.median(covered) < 0.25
