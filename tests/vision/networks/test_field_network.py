"""The network that sees the field: its answers become spots, and its file is small."""

import numpy as np
import pytest

from vision.networks.change_network import see_changes
from vision.networks.dice_network import see_dice
from vision.networks.field_network import N_SPOTS, SEEN_WH, STEP_PX, see_field, spots_of
from vision.networks.place_reader import CELLS, FEATURES, ReaderNetwork
from vision.networks.row_network import ROW_WH, see_rows
from vision.networks.runner import MOST_LOADED
from vision.networks.strips import N_PLACES
from vision.training.check_strips import CHECK_LEAN, check_strips

ROWS, COLUMNS = SEEN_WH[1] // STEP_PX, SEEN_WH[0] // STEP_PX


def maps_with_peaks(spots: np.ndarray) -> np.ndarray:
    """(8, H, W) logits of bell shapes about spots in pixels of the picture."""
    y, x = np.mgrid[0:ROWS, 0:COLUMNS]
    at = (spots + 0.5) / STEP_PX - 0.5
    away = (x - at[:, :1, None]) ** 2 + (y - at[:, 1:, None]) ** 2
    return (-away / 2).astype(np.float32)


def test_a_spot_between_map_pixels_is_told_to_a_fraction_of_one():
    spots = np.array([(11.0 + 17 * n, 13.0 + 15.5 * n) for n in range(N_SPOTS)])
    told, sureness = spots_of(maps_with_peaks(spots))
    assert told == pytest.approx(spots, abs=0.3)
    assert (sureness > 0.9).all()


def test_a_spot_that_could_be_anywhere_is_not_sure():
    _, sureness = spots_of(np.zeros((N_SPOTS, ROWS, COLUMNS), np.float32))
    assert (sureness < 0.02).all()


def test_a_spot_in_the_corner_of_the_map_is_told():
    told, _ = spots_of(maps_with_peaks(np.zeros((N_SPOTS, 2))))
    assert np.abs(told).max() < 1.5 * STEP_PX


def test_the_network_answers_a_picture_with_likelihoods():
    picture = np.random.default_rng(2).integers(0, 255, (SEEN_WH[1], SEEN_WH[0], 3)).astype(np.uint8)
    seen = see_field(picture)
    assert seen.spots_px.shape == (N_SPOTS, 2)
    assert seen.kinds.sum() == pytest.approx(1, abs=1e-5)
    assert ((seen.sureness > 0) & (seen.sureness <= 1.001)).all()


def test_a_network_that_gave_way_to_others_answers_as_before():
    rng = np.random.default_rng(3)
    picture = rng.integers(0, 255, (SEEN_WH[1], SEEN_WH[0], 3)).astype(np.uint8)
    before = see_field(picture)
    seen = np.zeros((1, FEATURES, *CELLS), np.float32)
    others = [
        see_rows(np.zeros((2, ROW_WH[1], ROW_WH[0], 3), np.uint8)),
        see_dice(np.zeros((672, 768, 3), np.uint8)),
        see_changes(seen, seen),
    ]
    lean = np.full((N_PLACES, 2), CHECK_LEAN, dtype=np.float32)
    said = ReaderNetwork().read_alone(check_strips()[1], lean)  # by four networks
    assert len(others) + 4 >= MOST_LOADED
    assert said.probabilities.sum(axis=1) == pytest.approx(1, abs=1e-5)
    assert (see_field(picture).spots_px == before.spots_px).all()
