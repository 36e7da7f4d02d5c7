"""What is read from the maps of both rows, where they are known."""

from dataclasses import replace
from itertools import islice

import cv2
import numpy as np
import pytest

from vision.geometry import UNIT_SQUARE, BoardGeometry
from vision.locate import row_spots as looking
from vision.locate.row_spots import RowLooker
from vision.networks.row_network import (
    N_MAPS,
    ROW_STEP_PX,
    ROW_WH,
    SPOT_MAPS,
    SPOTS_A_ROW,
    row_moves,
    row_spots,
)

FIELD = BoardGeometry(
    corners_px=((120.0, 80.0), (520.0, 90.0), (540.0, 420.0), (100.0, 410.0)),
    image_wh=(640, 480),
    bar=(0.45, 0.55),
)
PICTURE = np.full((480, 640, 3), 90, dtype=np.uint8)
LENGTH = 0.42


def looker(monkeypatch: pytest.MonkeyPatch, told: BoardGeometry, unseen: tuple[int, ...] = ()) -> RowLooker:
    """Looks from where a field was told; the maps show FIELD, without these spots."""

    moves = row_moves(np.array(told.corners_px))

    def shown(views: np.ndarray) -> np.ndarray:
        maps = np.full((2, N_MAPS, ROW_WH[1] // ROW_STEP_PX, ROW_WH[0] // ROW_STEP_PX), 1e-6, np.float32)
        y, x = np.mgrid[: maps.shape[2], : maps.shape[3]]
        for bottom in (False, True):
            px = FIELD.to_px(row_spots(FIELD.bar, LENGTH, bottom))
            spots = cv2.perspectiveTransform(px[None], moves[int(bottom)])[0]
            cells = (spots + 0.5) / ROW_STEP_PX - 0.5
            for n in set(range(SPOTS_A_ROW)) - set(unseen):
                away = (x - cells[n, 0]) ** 2 + (y - cells[n, 1]) ** 2
                maps[int(bottom), SPOT_MAPS[n]] += np.exp(-away / (2 * 0.8**2)).astype(np.float32)
        return maps / maps.sum(axis=(2, 3), keepdims=True)

    monkeypatch.setattr(looking, "see_rows", shown)
    return RowLooker(PICTURE, told)


def reaching(left: float, right: float) -> BoardGeometry:
    """FIELD told to reach from there to there."""
    corners = FIELD.to_px(UNIT_SQUARE * (right - left, 1) + (left, 0))
    return BoardGeometry(corners_px=tuple(map(tuple, corners)), image_wh=FIELD.image_wh, bar=(0.47, 0.53))


@pytest.mark.parametrize(
    ("left", "right"), [(0.01, 0.99), (-0.12, 1.12), (-0.13, 1.0), (0.07, 0.96), (0, 0.74)]
)
def test_trays_columns_and_shadows_are_told_from_the_field(monkeypatch, left, right):
    found = next(looker(monkeypatch, reaching(left, right)).fields())
    assert np.array(found.corners_px) == pytest.approx(np.array(FIELD.corners_px), abs=9)
    assert found.bar == pytest.approx(FIELD.bar, abs=0.03)


def test_the_other_fields_differ_by_half_a_column_and_fit_worse(monkeypatch):
    rows = looker(monkeypatch, reaching(0.0, 1.0))
    fields = list(islice(rows.fields(), 4))
    edges = []
    for field in fields:
        left, right = FIELD.to_field(np.array(field.corners_px)[:2])[:, 0]
        edges.append([left, *(left + (right - left) * np.array(field.bar)), right])
    for n, one in enumerate(edges):
        assert all(np.abs(np.array(one) - other).max() > 0.035 for other in edges[:n])
    nats = [looker(monkeypatch, field).nats() for field in fields]
    assert max(nats[1:]) < nats[0] - 10


def test_a_field_whose_corner_lies_far_outside_the_picture_is_left_out_and_the_others_follow(monkeypatch):
    told, narrow_wh = reaching(0.0, 0.74), (440, 480)
    likeliest = next(looker(monkeypatch, told).fields())
    assert max(x for x, _ in likeliest.corners_px) > 1.1 * narrow_wh[0]
    others = list(looker(monkeypatch, replace(told, image_wh=narrow_wh)).fields())
    assert len(others) > 100


def test_the_bar_of_a_much_wider_field_is_measured_in_that_field(monkeypatch):
    told = reaching(1 / 3, 1 + 0.1 / 1.35)
    bars = np.array([field.bar for field in looker(monkeypatch, told).fields()])
    widest = 0.16 / (0.835 - 0.165)
    assert bars.sum(axis=1) == pytest.approx(1)
    assert np.ptp(bars, axis=1).max() <= widest


def test_spots_are_found_about_where_they_were_told(monkeypatch):
    told = FIELD.with_corners(FIELD.corners_farther_out(0.012))
    seen = looker(monkeypatch, told).spots(0.40)
    wanted = [FIELD.to_px(row_spots(FIELD.bar, LENGTH, bottom)) for bottom in (False, True)]
    assert seen.px == pytest.approx(np.concatenate(wanted), abs=1.0)
    assert seen.seen == pytest.approx(1.0, abs=0.1)


def test_a_covered_spot_is_said_to_be_unseen_and_unsure(monkeypatch):
    seen = looker(monkeypatch, FIELD, unseen=(3, 15)).spots(LENGTH)
    covered = np.isin(np.arange(2 * SPOTS_A_ROW) % SPOTS_A_ROW, (3, 15))
    assert seen.seen[covered].max() < 0.1
    assert seen.seen[~covered].min() > 0.8
    assert seen.spread[covered].min() > seen.spread[~covered].max()


def test_the_length_of_points_is_seen(monkeypatch):
    assert looker(monkeypatch, FIELD).length() == pytest.approx(LENGTH, abs=0.015)
