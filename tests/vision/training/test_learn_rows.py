"""What the network that sees rows is shown while it learns (needs PyTorch)."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

from vision.networks.row_network import (
    LEFT_END_MAP,
    ROW_STEP_PX,
    ROW_WH,
    SPOT_MAPS,
    SPOTS_A_ROW,
    row_spots,
)
from vision.training.finder_pictures import drawn, keep, load
from vision.training.learn_rows import MIRRORED_SPOTS, maps_of, rows_by_chance


def test_a_row_in_a_mirror_is_a_row():
    spots = row_spots((0.44, 0.54), 0.4, bottom=False)
    other = row_spots((0.46, 0.56), 0.4, bottom=False)
    assert spots[MIRRORED_SPOTS] * (-1, 1) + (1, 0) == pytest.approx(other)


def test_maps_lie_about_the_spots_and_those_outside_are_left_out():
    spots = np.stack([np.linspace(10, 380, SPOTS_A_ROW), np.full(SPOTS_A_ROW, 90.0)], axis=1)
    maps = maps_of(spots)
    assert maps.shape == (4, ROW_WH[1] // ROW_STEP_PX, ROW_WH[0] // ROW_STEP_PX)
    assert maps.sum() == pytest.approx(1, abs=0.01)
    n = int(np.flatnonzero(SPOT_MAPS == LEFT_END_MAP)[0])
    x, y = np.round((spots[n] + 0.5) / ROW_STEP_PX - 0.5).astype(int)
    assert maps[LEFT_END_MAP, y, x] > 0.5 * maps[LEFT_END_MAP].max()
    assert maps_of(spots + np.array([0, 900])).sum() == pytest.approx(0, abs=1e-6)


def test_both_rows_of_a_board_are_shown_with_their_spots(tmp_path: Path):
    keep(tmp_path / "drawn", drawn(2, seed=5))
    source = load(tmp_path / "drawn")
    assert source.rows_px.shape == (4, 2, SPOTS_A_ROW, 2)
    rows = rows_by_chance(np.random.default_rng(1), source, 0)
    assert len(rows) == 2
    for row in rows:
        assert row.view.shape == (ROW_WH[1], ROW_WH[0], 3)
        inside = ((row.spots_px > 0) & (row.spots_px < ROW_WH)).all(axis=1)
        assert inside.mean() > 0.8
        assert (np.diff(row.spots_px[:12, 0]) > 0).all()
