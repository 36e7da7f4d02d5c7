"""All eight spots tell of each corner."""

import numpy as np
import pytest

from vision.geometry import UNIT_SQUARE, BoardGeometry
from vision.locate.field_fit import fitted, likeliest_spots

FIELD = BoardGeometry(
    corners_px=((212.0, 96.0), (1010.0, 131.0), (1071.0, 642.0), (150.0, 611.0)),
    image_wh=(1280, 720),
    bar=(0.46, 0.54),
    distortion=-0.04,
)
TOLD = BoardGeometry(corners_px=((200, 90), (1020, 120), (1080, 650), (140, 620)), image_wh=(1280, 720))


def spots_of(field: BoardGeometry) -> np.ndarray:
    left, right = field.bar
    return field.to_px(np.concatenate([UNIT_SQUARE, [(left, 0), (right, 0), (right, 1), (left, 1)]]))


def test_spots_without_errors_give_the_field_its_bar_and_the_bend_of_its_lens():
    found = fitted(TOLD, spots_of(FIELD))
    assert np.array(found.corners_px) == pytest.approx(np.array(FIELD.corners_px), abs=3.0)
    assert found.bar == pytest.approx(FIELD.bar, abs=0.002)
    assert FIELD.distortion < found.distortion < -0.01  # lenses are seldom bent: the prior draws it to 0


def test_errors_of_single_spots_become_smaller():
    rng, before, after = np.random.default_rng(1), [], []
    straight = BoardGeometry(corners_px=FIELD.corners_px, image_wh=FIELD.image_wh, bar=FIELD.bar)
    wide = 800.0
    for _ in range(50):
        spread = np.repeat([0.008, 0.004], 4)[:, None] * wide
        spots = spots_of(straight) + rng.normal(0, 1, (8, 2)) * spread
        off = np.array(fitted(TOLD, spots).corners_px) - np.array(straight.corners_px)
        before.append(np.hypot(*(spots[:4] - np.array(straight.corners_px)).T))
        after.append(np.hypot(*off.T))
    assert np.mean(after) < 0.9 * np.mean(before)


def test_halves_are_taken_to_be_alike_unless_asked_otherwise():
    aside = BoardGeometry(corners_px=FIELD.corners_px, image_wh=FIELD.image_wh, bar=(0.40, 0.48))
    free, alike = fitted(TOLD, spots_of(aside), uneven_spread=np.inf), fitted(TOLD, spots_of(aside))
    assert sum(free.bar) / 2 == pytest.approx(0.44, abs=0.004)
    assert abs(sum(alike.bar) / 2 - 0.5) < 0.02


def told_of(spots: np.ndarray) -> np.ndarray:
    """Where the spots were taken to be: a little off."""
    return spots + np.random.default_rng(5).normal(0, 4, spots.shape)


def test_of_two_places_of_a_corner_the_one_counts_that_fits_to_the_other_spots():
    right = spots_of(FIELD)
    for doubtful in range(8):
        wrong = right + (np.arange(8) == doubtful)[:, None] * np.array([30.0, 40.0])
        places, likely = np.stack([wrong, right], axis=1), np.full((8, 2), (0.95, 0.01))
        likely[doubtful] = 0.6, 0.3
        assert likeliest_spots(TOLD, told_of(right), places, likely) == pytest.approx(right)


def test_a_likely_place_counts_where_others_fit_no_better():
    right = spots_of(FIELD)
    near = right + (np.arange(8) == 1)[:, None] * np.array([2.0, 1.0])
    places, likely = np.stack([near, right], axis=1), np.full((8, 2), (0.6, 0.3))
    assert likeliest_spots(TOLD, told_of(right), places, likely) == pytest.approx(near)


def test_a_spot_that_is_seen_nowhere_is_put_where_the_others_have_it():
    right = spots_of(FIELD)
    wrong = right + (np.arange(8) == 2)[:, None] * np.array([60.0, 50.0])
    places, likely = np.stack([wrong, wrong], axis=1), np.full((8, 2), (0.9, 0.0))
    likely[2] = 0.2, 0.0
    found = likeliest_spots(TOLD, told_of(right), places, likely)
    assert np.delete(found, 2, axis=0) == pytest.approx(np.delete(right, 2, axis=0))
    assert np.hypot(*(found[2] - right[2])) < 8  # 1 % of the field's width; the place seen is 78 px off


def test_an_edge_seen_far_from_where_it_was_told_is_believed_less():
    right = spots_of(FIELD)
    wall = right + np.isin(np.arange(8), (2, 3, 6, 7))[:, None] * np.array([0.0, 60.0])
    places, likely = np.stack([wall, right], axis=1), np.full((8, 2), (0.6, 0.35))
    assert likeliest_spots(TOLD, told_of(right), places, likely) == pytest.approx(right)
    assert likeliest_spots(TOLD, told_of(wall), places, likely) == pytest.approx(wall)
