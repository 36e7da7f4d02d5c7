"""Paints disturbed pictures and cuts their strips, many at once, on a CPU or a GPU.

`disturb` chooses the disturbances.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.networks.strips import N_PLACES, STRIP_WH
from vision.training.disturb import NOISE_DEVIATION, NOISE_HW, TAPS, Disturbance
from vision.training.flat_boards import FLAT_WH

WIDTH, HEIGHT = FLAT_WH
LEAST_MEAN, MOST_MEAN = (20.0, 35.0), (200.0, 190.0)
"""Limits of a picture's mean brightness: as it is measured (first), and as it is painted (second)."""
LUMA_TABLE = (
    (16, 11, 10, 16, 24, 40, 51, 61),
    (12, 12, 14, 19, 26, 58, 60, 55),
    (14, 13, 16, 24, 40, 57, 69, 56),
    (14, 17, 22, 29, 51, 87, 80, 62),
    (18, 22, 37, 56, 68, 109, 103, 77),
    (24, 35, 55, 64, 81, 104, 113, 92),
    (49, 64, 78, 87, 103, 121, 120, 101),
    (72, 92, 95, 98, 112, 100, 103, 99),
)
CHROMA_TABLE = (
    (17, 18, 24, 47, 99, 99, 99, 99),
    (18, 21, 26, 66, 99, 99, 99, 99),
    (24, 26, 56, 99, 99, 99, 99, 99),
    (47, 66, 99, 99, 99, 99, 99, 99),
    *((99,) * 8,) * 4,
)
"""Quantisation steps at quality 50 (ITU-T T.81, annex K)."""


@dataclass(frozen=True, kw_only=True)
class Disturbances:
    """R disturbances, stacked field by field. sunlit, lamplit: (n,) numbers of those with sun or lamps.

    Shapes are those of `Disturbance` with R in front; fields of the sun and the lamps have n in front.
    """

    picture: Tensor
    mixing: Tensor
    gains: Tensor
    light: Tensor
    sunlit: Tensor
    sun: Tensor
    sun_strength: Tensor
    lamplit: Tensor
    lamps: Tensor
    brighter: Tensor
    gamma: Tensor
    blur: Tensor
    noise: Tensor
    noise_at: Tensor
    jpeg_quality: Tensor
    to_px: Tensor
    columns: Tensor
    rows: Tensor
    within_px: Tensor

    @staticmethod
    def of(chosen: Sequence[Disturbance]) -> "Disturbances":
        """Stack disturbances."""
        sunlit = [n for n, one in enumerate(chosen) if one.sun is not None]
        lamplit = [n for n, one in enumerate(chosen) if one.lamps is not None]
        some = {"sun": sunlit, "sun_strength": sunlit, "lamps": lamplit}
        stacked = {}
        for one in fields(Disturbance):
            having = (chosen[n] for n in some.get(one.name, range(len(chosen))))
            values = [_as_array(getattr(disturbance, one.name)) for disturbance in having]
            stacked[one.name] = torch.from_numpy(np.stack(values)) if values else torch.empty(0)
        return Disturbances(
            sunlit=torch.tensor(sunlit, dtype=torch.long),
            lamplit=torch.tensor(lamplit, dtype=torch.long),
            **stacked,
        )


def _as_array(value: object) -> np.ndarray:
    array = np.asarray(value)
    return array.astype(np.float32) if array.dtype == np.float64 else array


@torch.no_grad()
def painted_strips(chosen: Disturbances) -> Tensor:
    """(R, 26, 3, H, W) strips of disturbed pictures, in whole grey levels from 0 to 255."""
    return _cut(_photographed(chosen), chosen)


def _photographed(chosen: Disturbances) -> Tensor:
    """(R, 3, HEIGHT, WIDTH): the pictures with their disturbances."""
    seen = chosen.picture.movedim(-1, 1).float()
    seen = torch.einsum("rij,rjhw->rihw", chosen.gains[..., None] * chosen.mixing, seen).mul_(_light(chosen))
    if len(chosen.lamplit):
        seen[chosen.lamplit] += _glow(chosen.lamps)
    mean = seen[:, 1].mean(dim=(1, 2)).clamp(LEAST_MEAN[0], MOST_MEAN[0])
    wanted = (mean * chosen.brighter).clamp(LEAST_MEAN[1], MOST_MEAN[1])
    level = seen.mul_(_each(wanted / mean / 255)).clamp_min_(1e-5)
    seen = level.pow_(_each(chosen.gamma)).mul_(255)
    unsharp = (chosen.blur[:, :, TAPS // 2] < 1).any(dim=1).nonzero()[:, 0]
    if len(unsharp):
        seen[unsharp] = _blurred(seen[unsharp], chosen.blur[unsharp])
    seen.addcmul_(_noise_windows(chosen.noise_at), _each(chosen.noise)).clamp_(0, 255).floor_()
    coded = (chosen.jpeg_quality > 0).nonzero()[:, 0]
    if len(coded):
        seen[coded] = as_jpeg(seen[coded], chosen.jpeg_quality[coded].float())
    return seen


def _each(numbers: Tensor) -> Tensor:
    """(R,) to (R, 1, 1, 1)."""
    return numbers[:, None, None, None]


def _light(chosen: Disturbances) -> Tensor:
    """(R, 1, HEIGHT, WIDTH): factors by which light and sun multiply the levels."""
    light = functional.interpolate(chosen.light[:, None], (HEIGHT, WIDTH), mode="bicubic")
    if len(chosen.sunlit):
        light[chosen.sunlit] *= 1 + chosen.sun[:, None].float() / 255 * _each(chosen.sun_strength)
    return light


def _glow(lamps: Tensor) -> Tensor:
    """(n, 3, HEIGHT, WIDTH): levels that lamps (n, MOST_LAMPS, 6) add."""
    across, down = (torch.arange(size, device=lamps.device) for size in (WIDTH, HEIGHT))
    spread = 2 * lamps[..., 2:3] ** 2
    wide, high = (
        torch.exp(-((at - lamps[..., axis : axis + 1]) ** 2) / spread)
        for axis, at in enumerate((across, down))
    )
    return torch.einsum("nlc,nlh,nlw->nchw", lamps[..., 3:], high, wide)


def _blurred(seen: Tensor, kernels: Tensor) -> Tensor:
    """Blur each picture with its two kernels, (R, 2, TAPS)."""
    number, channels = seen.shape[:2]
    across, down = kernels.repeat_interleave(channels, dim=0).unbind(dim=1)
    groups, beyond = number * channels, TAPS // 2
    flat = functional.pad(seen.reshape(1, groups, HEIGHT, WIDTH), (beyond,) * 4, mode="replicate")
    flat = functional.conv2d(flat, across[:, None, None, :], groups=groups)
    return functional.conv2d(flat, down[:, None, :, None], groups=groups).reshape(seen.shape)


@cache
def _noise_kept(device: torch.device) -> Tensor:
    """(2, 3, *NOISE_HW): fine noise, and coarser noise, of about NOISE_DEVIATION."""
    rng = np.random.default_rng(5)
    noise = rng.normal(0, NOISE_DEVIATION, (2, *NOISE_HW, 3)).astype(np.float32)
    noise[1] = cv2.GaussianBlur(noise[1], (0, 0), 0.8) * 2.2
    return torch.from_numpy(noise).movedim(-1, 1).to(device)


def _noise_windows(places: Tensor) -> Tensor:
    """(R, 3, HEIGHT, WIDTH): windows of the kept noise at `places` (R, 3)."""
    kept = _noise_kept(places.device)
    return torch.stack([kept[which, :, y : y + HEIGHT, x : x + WIDTH] for which, y, x in places.tolist()])


def as_jpeg(bgr: Tensor, quality: Tensor) -> Tensor:
    """(N, 3, HEIGHT, WIDTH): pictures after JPEG compression. quality: (N,) from 1 to 100."""
    scale = torch.where(quality < 50, 5000 / quality, 200 - 2 * quality)[:, None, None]
    steps = [
        ((torch.tensor(table, device=bgr.device) * scale + 50) / 100).floor().clamp(1, 255)
        for table in (LUMA_TABLE, CHROMA_TABLE)
    ]
    blue, green, red = bgr.unbind(dim=1)
    luma = 0.299 * red + 0.587 * green + 0.114 * blue
    colours = [
        functional.interpolate(
            _quantised(functional.avg_pool2d(colour[:, None], 2)[:, 0], steps[1])[:, None],
            scale_factor=2,
            mode="bilinear",
        )[:, 0]
        for colour in (0.564 * (blue - luma), 0.713 * (red - luma))
    ]
    luma = _quantised(luma - 128, steps[0]) + 128
    blue, red = luma + 1.773 * colours[0], luma + 1.403 * colours[1]
    green = (luma - 0.299 * red - 0.114 * blue) / 0.587
    return torch.stack([blue, green, red], dim=1).round().clamp(0, 255)


def _quantised(plane: Tensor, steps: Tensor) -> Tensor:
    """Round the coefficients of each 8 x 8 block of (N, H, W) planes to whole `steps` (N, 8, 8)."""
    number, height, width = plane.shape
    waves = _cosines(plane.device)
    blocks = plane.reshape(number, height // 8, 8, width // 8, 8).transpose(2, 3)
    steps = steps[:, None, None]
    coefficients = torch.round(waves @ blocks @ waves.T / steps) * steps
    return (waves.T @ coefficients @ waves).transpose(2, 3).reshape(number, height, width)


@cache
def _cosines(device: torch.device) -> Tensor:
    """(8, 8): matrix of the discrete cosine transform."""
    number = np.arange(8)
    waves = np.cos((2 * number[None] + 1) * number[:, None] * np.pi / 16) / 2
    waves[0] /= np.sqrt(2)
    return torch.from_numpy(waves.astype(np.float32)).to(device)


def _cut(seen: Tensor, chosen: Disturbances) -> Tensor:
    """(R, 26, 3, H, W): cut the strips of pictures (R, 3, HEIGHT, WIDTH)."""
    width, height = STRIP_WH
    x, y = torch.broadcast_tensors(chosen.columns[:, :, None, :], chosen.rows[:, :, :, None])
    onto = chosen.to_px[..., None, None, None]
    scaled = [onto[:, row, 0] * x + onto[:, row, 1] * y + onto[:, row, 2] for row in range(3)]
    low, high = chosen.within_px[..., None, None, None].unbind(dim=1)
    at = [
        (torch.clamp(scaled[axis] / scaled[2], low[:, axis], high[:, axis]) + 0.5) / size * 2 - 1
        for axis, size in enumerate(FLAT_WH)
    ]
    grid = torch.stack(at, dim=-1).flatten(1, 2)
    cut = functional.grid_sample(seen, grid, padding_mode="border", align_corners=False)
    return cut.reshape(len(seen), 3, N_PLACES, height, width).transpose(1, 2).round()
