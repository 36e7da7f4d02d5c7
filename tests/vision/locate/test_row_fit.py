"""All spots of both rows tell of each corner."""

import numpy as np
import pytest

from vision.geometry import BoardGeometry
from vision.locate.row_fit import fitted_to_rows
from vision.locate.row_spots import RowSpots
from vision.networks.row_network import BASE_MAP, SPOT_MAPS, TIP_MAP, row_spots

FIELD = BoardGeometry(
    corners_px=((212.0, 96.0), (1010.0, 131.0), (1071.0, 642.0), (150.0, 611.0)),
    image_wh=(1280, 720),
    bar=(0.46, 0.54),
    distortion=-0.02,
)
TOLD = BoardGeometry(corners_px=((205, 92), (1016, 126), (1076, 647), (144, 616)), image_wh=(1280, 720))
LENGTH = 0.41
KINDS = np.concatenate([SPOT_MAPS, SPOT_MAPS])
WIDE_PX = 800.0


def seen(px: np.ndarray, share: float = 1.0) -> RowSpots:
    return RowSpots(px=px, spread=np.full(px.shape, 0.002), seen=np.full(len(px), share))


def spots_of(field: BoardGeometry) -> np.ndarray:
    return field.to_px(np.concatenate([row_spots(field.bar, LENGTH, bottom) for bottom in (False, True)]))


def worst(found: BoardGeometry) -> float:
    """How far the worst corner is off, in field widths."""
    return float(np.hypot(*(np.array(found.corners_px) - np.array(FIELD.corners_px)).T).max()) / WIDE_PX


def test_spots_without_errors_give_the_field_its_bar_its_lens_and_the_length_of_its_points():
    fit = fitted_to_rows(TOLD, seen(spots_of(FIELD)), 0.36)
    assert worst(fit.geometry) < 0.002
    assert fit.geometry.bar == pytest.approx(FIELD.bar, abs=0.002)
    assert fit.geometry.distortion == pytest.approx(FIELD.distortion, abs=0.01)
    assert fit.length == pytest.approx(LENGTH, abs=0.004)


def test_errors_of_single_spots_become_smaller():
    rng, off = np.random.default_rng(1), []
    for _ in range(10):
        spots = spots_of(FIELD) + rng.normal(0, 0.008 * WIDE_PX, (len(KINDS), 2))
        off.append(worst(fitted_to_rows(TOLD, seen(spots), 0.4).geometry))
    assert np.mean(off) < 0.011  # single corners would be 0.016 off, the worst of four


def test_a_hidden_edge_lies_where_the_tips_have_it():
    spots = spots_of(FIELD)
    hidden = np.isin(KINDS, (TIP_MAP,), invert=True) & (np.arange(len(KINDS)) >= len(SPOT_MAPS))
    spots[hidden] += (0.0, 12.0)  # what hides the bottom row's bases is taken for their edge
    unsure = RowSpots(
        px=spots,
        spread=np.where(hidden[:, None], 0.04, 0.002),
        seen=np.where(hidden, 0.2, 1.0),
    )
    found = fitted_to_rows(TOLD, unsure, 0.4).geometry
    assert worst(found) < 0.006
    assert worst(fitted_to_rows(TOLD, seen(spots), 0.4).geometry) > 0.007


def test_a_near_wall_of_any_height_hides_bases_and_not_the_field():
    edge = np.array([(0.5, 1.0)])
    for wall in (0.0, 0.02, 0.06):
        in_sight = FIELD.to_field(FIELD.to_px(edge, wall))[0, 1]
        rows = [row_spots(FIELD.bar, LENGTH, bottom) for bottom in (False, True)]
        rows[1][SPOT_MAPS != TIP_MAP, 1] = in_sight
        assert in_sight == pytest.approx(1 - 0.6 * wall, abs=0.3 * wall)
        spots = FIELD.to_px(np.concatenate(rows))
        assert worst(fitted_to_rows(TOLD, seen(spots), 0.4).geometry) < 0.006


def test_a_few_spots_that_are_far_off_hardly_count():
    spots, rng = spots_of(FIELD), np.random.default_rng(2)
    wrong = rng.choice(np.flatnonzero(np.isin(KINDS, (BASE_MAP, TIP_MAP))), 8, replace=False)
    spots[wrong] += (30.0, -25.0)
    assert worst(fitted_to_rows(TOLD, seen(spots), 0.4).geometry) < 0.006


def test_halves_are_taken_to_be_alike():
    aside = BoardGeometry(corners_px=FIELD.corners_px, image_wh=FIELD.image_wh, bar=(0.44, 0.52))
    left, right = fitted_to_rows(TOLD, seen(spots_of(aside)), 0.4).geometry.bar
    assert abs(left + right - 1) < 0.025


def test_a_field_without_a_bar_is_fitted():
    joined = BoardGeometry(corners_px=FIELD.corners_px, image_wh=FIELD.image_wh, bar=(0.5, 0.5))
    told = BoardGeometry(corners_px=TOLD.corners_px, image_wh=TOLD.image_wh, bar=(0.5, 0.5))
    fit = fitted_to_rows(told, seen(spots_of(joined)), 0.4)
    assert worst(fit.geometry) < 0.003
    assert fit.geometry.bar == pytest.approx((0.5, 0.5), abs=0.002)
