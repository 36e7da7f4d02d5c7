"""Strips: each place upright, its base at the bottom."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.geometry import BoardGeometry
from vision.networks.strips import (
    LEAST_REACH,
    MOST_REACH,
    N_PLACES,
    STRIP_WH,
    StripView,
    column_middles,
    leans,
    reach_of,
    strips_on_field,
)

ABOVE = BoardGeometry(
    corners_px=((100.0, 80.0), (700.0, 80.0), (700.0, 580.0), (100.0, 580.0)), image_wh=(800, 660), aspect=1.2
)
SLANTED = BoardGeometry(
    corners_px=((250.0, 100.0), (720.0, 110.0), (860.0, 620.0), (120.0, 600.0)), image_wh=(960, 720)
)


@pytest.mark.parametrize("view", [ABOVE, SLANTED])
@pytest.mark.parametrize("place", [0, 5, 6, 11, 12, 17, 18, 23, 24, 25])
def test_a_mark_at_a_base_is_seen_low_in_the_middle_of_its_strip(view: BoardGeometry, place: int):
    image = np.zeros((view.image_wh[1], view.image_wh[0], 3), dtype=np.uint8)
    middle = column_middles(view.bar)[0][place]
    at = view.to_px([(middle, 0.04 if place < 12 or place == 24 else 0.96)])[0]
    cv2.circle(image, (round(at[0]), round(at[1])), 8, (255, 255, 255), -1)
    strip = StripView(view).cut(image)[place]
    rows, columns = np.nonzero(strip[..., 0] > 128)
    assert abs(columns.mean() - STRIP_WH[0] / 2) < 2
    assert rows.mean() > 0.78 * STRIP_WH[1]


def test_the_left_of_a_top_strip_is_the_right_of_the_picture():
    x = strips_on_field((0.46, 0.54))[..., 0]
    assert (np.diff(x[0], axis=1) < 0).all()
    assert (np.diff(x[12], axis=1) > 0).all()


def test_from_above_what_stands_high_leans_away_from_the_middle_only():
    away = StripView(ABOVE).leans
    assert np.abs(away).max() < 3
    assert away[0, 0] > 0 > away[11, 0]  # turned by half a turn


def test_a_camera_low_in_front_makes_all_lean_to_the_far_side():
    away = StripView(SLANTED).leans
    assert (away[:12, 1] < 0).all()
    assert (away[12:24, 1] > 0).all()


def shaped(height: float) -> BoardGeometry:
    return replace(ABOVE, aspect=1 / height)


def test_strips_of_a_short_field_reach_further_and_those_of_a_long_one_less_far():
    reaches = [reach_of(shaped(height)) for height in (0.4, 0.7, 0.85, 1.0, 1.6)]
    assert reaches == sorted(reaches, reverse=True)
    assert reaches[0] == MOST_REACH
    assert reaches[-1] == LEAST_REACH


def test_a_strip_that_reaches_further_shows_more_of_the_field_and_smaller_leans():
    usual, further = (strips_on_field((0.46, 0.54), reach)[..., 1] for reach in (1.0, 1.2))
    assert np.ptp(further[3]) == pytest.approx(1.2 * np.ptp(usual[3]))
    assert leans(ABOVE, 1.2)[:, 1] == pytest.approx(leans(ABOVE)[:, 1] / 1.2)


@pytest.mark.parametrize("place", [3, 15])
def test_strips_are_cut_aside_of_their_places_and_further_inward(place: int):
    here, moved = (strips_on_field((0.46, 0.54), 1.0, *where)[place] for where in ((0, 0), (0.5, 0.2)))
    column = column_middles((0.46, 0.54))[1][place]
    assert moved - here == pytest.approx(
        np.broadcast_to([column / 2, 0.2 if place < 12 else -0.2], here.shape)
    )


def test_the_bars_strips_always_show_its_middle():
    for reach in (LEAST_REACH, 1.0, MOST_REACH):
        down = strips_on_field((0.46, 0.54), reach)[24:, :, 0, 1]
        assert (down.min(axis=1) < 0.5).all()
        assert (down.max(axis=1) > 0.5).all()


def test_every_place_has_a_strip():
    image = np.zeros((660, 800, 3), dtype=np.uint8)
    assert StripView(ABOVE).cut(image).shape == (N_PLACES, STRIP_WH[1], STRIP_WH[0], 3)
