"""Drawn boards: exact in geometry, and kept like rendered ones."""

from pathlib import Path

import numpy as np
import pytest

from vision.networks.strips import N_PLACES, N_POINTS
from vision.training.disturb import covered, tint_by_chance
from vision.training.drawn_boards import PICTURES_OF_A_BOARD, Drawer, draw_all
from vision.training.drawn_measures import Measures
from vision.training.drawn_positions import position_by_chance, start_position
from vision.training.flat_boards import FLAT_WH, load


def test_at_the_start_both_sides_have_fifteen_and_two_stacks_of_five_or_sometimes_fewer():
    starts = [start_position(np.random.default_rng(seed)) for seed in range(40)]
    usual = [counts for counts in starts if counts.sum(axis=0).tolist() == [15, 15]]
    assert 25 < len(usual) < 40
    assert all((counts == 5).sum(axis=0).tolist() == [2, 2] for counts in usual)
    assert all((counts.sum(axis=0) <= 15).all() and (counts.max(axis=0) >= 3).all() for counts in starts)


def test_a_checker_in_the_middle_of_the_bar_counts_for_the_top_half():
    drawer = Drawer(np.random.default_rng(3))
    for place in (N_POINTS, N_POINTS + 1):
        counts = np.zeros((N_PLACES, 2), np.int64)
        counts[place, 0] = 1
        y = [drawer.lay(counts)[0].xy[1] / drawer.m.diameter for _ in range(200)]
        low, high = (-np.inf, 0.3) if place == N_POINTS else (0.0, np.inf)
        assert low < min(y)
        assert max(y) < high
        assert min(np.abs(y)) < 0.2


def test_no_side_of_a_position_has_more_than_fifteen_and_some_have_places_of_both_sides():
    positions = [position_by_chance(np.random.default_rng(seed)) for seed in range(60)]
    assert all((counts[:24].sum(axis=0) <= 15).all() and (counts >= 0).all() for counts in positions)
    shared = [(counts[:24].min(axis=1) > 0).any() for counts in positions]
    assert 5 < sum(shared) < 40


def test_what_stands_high_is_enlarged_about_the_camera_s_foot():
    measures = Measures.by_chance(np.random.default_rng(1))
    foot = np.array(measures.foot_xy)
    at, larger = measures.seen(foot + np.array([100.0, 0.0]), measures.high / 2)
    assert larger == pytest.approx(2)
    np.testing.assert_allclose(at, foot + np.array([200.0, 0.0]))


def test_a_drawn_board_is_kept_with_its_start_and_is_drawn_once(tmp_path: Path):
    (name,) = draw_all(tmp_path, 1)
    first = name.with_suffix(".npy").read_bytes()
    board = load(name)
    assert board.pictures.shape == (PICTURES_OF_A_BOARD, FLAT_WH[1], FLAT_WH[0], 3)
    assert board.starts() == [0]
    assert board.labels[0].counts.sum() == 30
    written = name.with_suffix(".npy").stat().st_mtime_ns
    draw_all(tmp_path, 1)
    assert name.with_suffix(".npy").stat().st_mtime_ns == written
    name.with_suffix(".npz").unlink()
    draw_all(tmp_path, 1)
    assert name.with_suffix(".npy").read_bytes() == first  # the same seed, the same board


def test_another_tint_keeps_what_is_brighter_brighter():
    luma = np.array([0.114, 0.587, 0.299])
    for seed in range(20):
        mixing = tint_by_chance(np.random.default_rng(seed))
        np.testing.assert_allclose(luma @ mixing, luma, atol=1e-5)
        np.testing.assert_allclose(mixing @ np.ones(3), np.ones(3), atol=1e-5)


def test_the_more_of_the_field_is_covered_the_more_of_its_places_are():
    bare = np.full((FLAT_WH[1], FLAT_WH[0], 3), 128, np.uint8)
    covers = [covered(np.random.default_rng(seed), bare, (0.46, 0.54))[1:3] for seed in range(40)]
    by_field = sorted(((field, float(shares.mean())) for shares, field in covers))
    assert by_field[0][1] < 0.05
    assert by_field[-1][1] > 0.1
