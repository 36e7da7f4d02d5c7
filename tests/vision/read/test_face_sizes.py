"""How much larger one face is seen than another."""

import cv2
import numpy as np
import pytest

from vision.appearance.checker_faces import STRIP_CHECKER_PX
from vision.read.face_sizes import FACE_RADIUS_PX, FACE_SPARE_PX, FaceCut, compare_faces


def face(larger=0.0, away=(0.0, 0.0), light=1.0, seed=0) -> FaceCut:
    """A ringed face on a dark board, larger by a logarithm and away from the middle by diameters."""
    finer = 8
    size = 2 * (FACE_RADIUS_PX + FACE_SPARE_PX) + 1
    y, x = (np.mgrid[: size * finer, : size * finer] + 0.5) / finer - size / 2
    radius = (
        np.hypot(x - away[0] * STRIP_CHECKER_PX, y - away[1] * STRIP_CHECKER_PX)
        / STRIP_CHECKER_PX
        / np.exp(larger)
    )
    shades = np.select([radius < 0.2, radius < 0.25, radius < 0.44, radius < 0.5], [200, 150, 190, 160], 70)
    grey = cv2.resize((light * shades).astype(np.float32), (size, size), interpolation=cv2.INTER_AREA)
    noise = np.random.default_rng(seed).normal(0, 1.5, grey.shape)
    return FaceCut(grey=(cv2.GaussianBlur(grey, (0, 0), 0.8) + noise).astype(np.float32))


@pytest.mark.parametrize("larger", [-0.027, -0.013, 0.0, 0.013, 0.027])
def test_a_seventy_fifth_more_is_seen(larger):
    seen = compare_faces(face(seed=1), face(larger, seed=2))
    assert seen.log_size == pytest.approx(larger, abs=0.003)
    assert seen.spread < 0.005


def test_it_is_seen_in_another_light_and_elsewhere():
    seen = compare_faces(face(seed=1), face(0.013, away=(0.03, -0.02), light=0.7, seed=2))
    assert seen.log_size == pytest.approx(0.013, abs=0.004)
    assert seen.xy == pytest.approx((0.03, -0.02), abs=0.004)


def test_growth_is_the_same_both_ways():
    one, other = face(seed=1), face(0.013, seed=2)
    assert compare_faces(one, other).log_size == pytest.approx(-compare_faces(other, one).log_size)


def test_noise_does_not_make_a_face_another():
    assert face(seed=1).looks_like(face(seed=2))
    assert not face(seed=1).looks_like(face(away=(0.05, 0.0), seed=2))
    assert not face(seed=1).looks_like(face(light=0.9, seed=2))


def test_a_face_without_edges_says_nothing_of_its_size():
    size = 2 * (FACE_RADIUS_PX + FACE_SPARE_PX) + 1
    flat = [
        FaceCut(grey=np.random.default_rng(seed).normal(150, 1.5, (size, size)).astype(np.float32))
        for seed in (1, 2)
    ]
    assert compare_faces(*flat).spread > 0.02
