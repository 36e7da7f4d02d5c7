"""Painting disturbed pictures and cutting their strips (needs PyTorch)."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.flat_strips import flat_strips

torch = pytest.importorskip("torch")

from vision.networks.strips import strip_axes  # noqa: E402
from vision.training.disturb import NOISE_DEVIATION, TAPS, Disturbance, tint_by_chance  # noqa: E402
from vision.training.flat_boards import FLAT_WH, flat_px  # noqa: E402
from vision.training.painting import Disturbances, as_jpeg, painted_strips  # noqa: E402

BAR = (0.46, 0.54)


def scene() -> np.ndarray:
    """Soft spots of all colours."""
    noise = np.random.default_rng(2).uniform(0, 255, (*FLAT_WH[::-1], 3)).astype(np.float32)
    return cv2.GaussianBlur(noise, (0, 0), 6) * 6 - 5 * 127


def picture() -> np.ndarray:
    return np.clip(scene(), 30, 220).astype(np.uint8)


def undisturbed() -> Disturbance:
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    columns, rows = strip_axes(BAR)
    sharp = (np.arange(TAPS) == TAPS // 2).astype(np.float32)
    return Disturbance(
        picture=picture(),
        mixing=np.eye(3, dtype=np.float32),
        gains=np.ones(3, np.float32),
        light=np.ones((3, 3), np.float32),
        sun=None,
        sun_strength=0.0,
        lamps=None,
        brighter=1.0,
        gamma=1.0,
        blur=np.stack([sharp, sharp]),
        noise=0.0,
        noise_at=(0, 0, 0),
        jpeg_quality=0,
        to_px=cv2.getPerspectiveTransform(square, flat_px(square)).astype(np.float32),
        columns=columns.astype(np.float32),
        rows=rows.astype(np.float32),
        within_px=np.array([[-1e4, -1e4], [1e4, 1e4]], np.float32),
    )


def strips(*disturbances: Disturbance) -> np.ndarray:
    """(R, 26, H, W, 3)."""
    return painted_strips(Disturbances.of(disturbances)).movedim(2, -1).numpy()


def test_a_picture_that_nothing_disturbs_gives_its_own_strips():
    (painted,) = strips(undisturbed())
    assert np.abs(painted - flat_strips(picture(), BAR)).max() <= 2


def test_the_sun_brightens_where_it_shines():
    sun = np.zeros(FLAT_WH[::-1], np.uint8)
    sun[:, : FLAT_WH[0] // 3] = 255
    plain, sunlit = strips(undisturbed(), replace(undisturbed(), sun=sun, sun_strength=0.5))
    assert sunlit[1].mean() > 1.2 * plain[1].mean()
    np.testing.assert_array_equal(sunlit[9], plain[9])


def test_a_lamp_adds_its_colour_where_it_is():
    lamps = np.zeros((5, 6), np.float32)
    lamps[:, 2] = 1.0
    x, y = flat_px(np.array([0.5 * BAR[0] / 6, 0.02]))
    lamps[0] = (x, y, 6.0, 0.0, 0.0, 200.0)
    plain, lit = strips(undisturbed(), replace(undisturbed(), lamps=lamps))
    gain = lit[0] - plain[0]
    assert gain[..., 2].max() > 80
    assert np.abs(gain[..., 0]).max() < 15


def test_blur_and_noise_leave_a_picture_as_bright_as_it_was():
    blur = np.full((2, TAPS), 1 / TAPS, np.float32)
    plain, blurred, noisy = strips(
        undisturbed(), replace(undisturbed(), blur=blur), replace(undisturbed(), noise=0.3)
    )
    assert blurred.mean() == pytest.approx(plain.mean(), abs=1)
    assert noisy.mean() == pytest.approx(plain.mean(), abs=1)
    assert np.abs(np.diff(blurred, axis=2)).mean() < np.abs(np.diff(plain, axis=2)).mean()
    assert 0.5 < (noisy - plain).std() / (0.3 * NOISE_DEVIATION) < 0.9  # strips are cut between pixels


@pytest.mark.parametrize("quality", [40, 85])
def test_jpeg_is_what_a_library_makes_of_it(quality: int):
    _, coded = cv2.imencode(".jpg", picture(), [cv2.IMWRITE_JPEG_QUALITY, quality])
    wanted = cv2.imdecode(coded, cv2.IMREAD_COLOR).astype(np.float32)
    bgr = torch.from_numpy(picture()).movedim(-1, 0)[None].float()
    told = as_jpeg(bgr, torch.tensor([float(quality)]))[0].movedim(0, -1).numpy()
    lost = np.abs(wanted - picture()).mean()
    assert np.abs(told - picture()).mean() == pytest.approx(lost, rel=0.15)
    assert np.abs(told - wanted).mean() < 0.6 * lost


def test_what_is_chosen_by_chance_can_be_painted():
    chosen = [
        Disturbance.by_chance(rng, picture(), tint_by_chance(rng), BAR)
        for rng in map(np.random.default_rng, range(40))
    ]
    painted = strips(*chosen)
    assert painted.shape == (40, 26, 128, 40, 3)
    assert 20 < painted.mean() < 200
    assert any(one.jpeg_quality for one in chosen)
    assert any(one.lamps is not None for one in chosen)


def test_kernels_of_blur_add_up_to_one():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        kernels = Disturbance.by_chance(rng, picture(), tint_by_chance(rng), BAR).blur
        np.testing.assert_allclose(kernels.sum(axis=1), 1, rtol=1e-5)
        assert (kernels >= 0).all()
