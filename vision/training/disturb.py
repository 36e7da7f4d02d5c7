"""Chooses random disturbances of a picture: colours, light, covers, blur, noise, errors of the found field.

The pictures are flattened (see `flat_boards`).
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.networks.strips import N_PLACES, column_middles, is_top, strip_axes
from vision.training.boards import SKINS_BGR
from vision.training.flat_boards import FLAT_WH, Image, flat_px

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

CORNER_ERROR, BAR_ERROR = 0.013, 0.012
"""Greatest error of a found corner and bar edge, in field widths."""
USUAL_ASPECT = 1.2
LAMPS_BGR = ((40, 40, 255), (60, 255, 60), (40, 170, 255), (255, 120, 60), (255, 255, 255))
CUT_SHORT, EDGE_BEYOND = 0.15, 0.06
"""Share of pictures that end near some edges of the field; how far beyond at most, as a share of its size."""
SLEEVED = 0.6
"""Share of arms that wear a sleeve; guess."""
NOISE_DEVIATION = 32.0
"""Standard deviation of the noise that `painting` keeps, in grey levels."""
FINE = 20
"""Samples a pixel when the kernel of a low resolution is computed."""
SHADOW_COARSE = 4
"""Factor by which a picture of a shadow is shrunk before it is blurred."""
COLUMN_REACH = 0.5
"""Length of a place, from its base, that counts when its covered share is taken; in field heights."""


TAPS = 11
"""Length of a kernel that blurs in one direction. The middle tap is the pixel's own."""
MOST_LAMPS = 5
NOISE_HW = (900, 1000)
"""Height and width of the noise that `painting` keeps and takes windows of."""


def tint_by_chance(rng: Rng) -> Floats:
    """(3, 3): how the channels mix in all pictures of a board: other hues and saturation, as bright."""
    turn = rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else rng.normal(0, 0.1)
    saturation = rng.uniform(0.3, 1.5) if rng.random() < 0.5 else rng.uniform(0.85, 1.15)
    luma = np.array([0.114, 0.587, 0.299])
    grey = np.tile(luma, (3, 1))
    axis = np.ones(3) / np.sqrt(3)
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    rotation = np.eye(3) + np.sin(turn) * cross + (1 - np.cos(turn)) * (cross @ cross)
    colour = saturation * rotation @ (np.eye(3) - grey)
    colour -= np.ones((3, 1)) @ (luma @ colour)[None, :]
    return (grey + colour).astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class Disturbance:
    """The numbers with which `painting` paints one picture and cuts its strips.

    picture: (H, W, 3) the flattened field. mixing: see `tint_by_chance`. gains: (3,) factors of the channels.
    light: (3, 3) factors, stretched over the picture. sun: (H, W) where the sun shines, 255 for fully;
    sun_strength: share that it adds to the light there, negative for a shadow. lamps: (MOST_LAMPS, 6) x, y
    and size in pixels, and the colour that each lamp adds at its middle. brighter: factor of the mean
    brightness. gamma: exponent of the levels. blur: (2, TAPS) kernels across and down. noise: its standard
    deviation, as a share of NOISE_DEVIATION; noise_at: which kept noise, and top and left of its window.
    jpeg_quality: 0 for no JPEG. to_px: (3, 3) from field coordinates to pixels. columns: (26, W) and rows:
    (26, H) field coordinates of the strips' pixels. within_px: (2, 2) least and greatest x, y; beyond, the
    picture's edge is repeated.
    """

    picture: Image
    mixing: Floats
    gains: Floats
    light: Floats
    sun: Image | None
    sun_strength: float
    lamps: Floats | None
    brighter: float
    gamma: float
    blur: Floats
    noise: float
    noise_at: tuple[int, int, int]
    jpeg_quality: int
    to_px: Floats
    columns: Floats
    rows: Floats
    within_px: Floats

    @staticmethod
    def by_chance(
        rng: Rng, picture: Image, tint: Floats, bar: tuple[float, float], reach: float = 1.0
    ) -> "Disturbance":
        """Another camera, another light, and a field found with small errors. reach: see `strips`."""
        is_lit = rng.random() < 0.8
        sun, strength = _sun(rng) if is_lit and rng.random() < 0.3 else (None, 0.0)
        corners, edges = _errors(rng)
        columns, rows = strip_axes((bar[0] + edges[0], bar[1] + edges[1]), reach)
        return Disturbance(
            picture=picture,
            mixing=tint,
            gains=(rng.normal(1, 0.04, 3) if is_lit else np.ones(3)).astype(np.float32),
            light=(np.exp(rng.normal(0, 0.12, (3, 3))) if is_lit else np.ones((3, 3))).astype(np.float32),
            sun=sun,
            sun_strength=strength,
            lamps=_lamps(rng) if rng.random() < 0.15 else None,
            brighter=float(np.exp(rng.normal(0, 0.25))),
            gamma=float(np.exp(rng.normal(0, 0.18))) if rng.random() < 0.5 else 1.0,
            blur=_blur(rng),
            noise=float(rng.uniform(0, 7) / NOISE_DEVIATION) if rng.random() < 0.7 else 0.0,
            noise_at=(
                int(rng.integers(2)),
                int(rng.integers(NOISE_HW[0] - FLAT_WH[1])),
                int(rng.integers(NOISE_HW[1] - FLAT_WH[0])),
            ),
            jpeg_quality=int(rng.integers(35, 92)) if rng.random() < 0.2 else 0,
            to_px=cv2.getPerspectiveTransform(_SQUARE, flat_px(_SQUARE + corners)).astype(np.float32),
            columns=columns.astype(np.float32),
            rows=rows.astype(np.float32),
            within_px=_within(rng),
        )


_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
_FAR_PX = 1e4


def _sun(rng: Rng) -> tuple[Image, float]:
    """Up to two patches of sun or of shadow, and their strength; see Disturbance."""
    width, height = FLAT_WH
    patch = np.zeros((height, width), np.uint8)
    for _ in range(rng.integers(1, 3)):
        middle = rng.uniform(0, 1, 2) * (width, height)
        corners = middle + rng.normal(0, 0.4, (4, 2)) * (width, height)
        cv2.fillConvexPoly(patch, cv2.convexHull(corners.astype(np.float32)).astype(np.int32), 255)
    strength = rng.uniform(0.3, 1.6) if rng.random() < 0.6 else rng.uniform(-0.6, -0.2)
    return np.asarray(cv2.GaussianBlur(patch, (0, 0), rng.uniform(0.7, 8)), np.uint8), float(strength)


def _lamps(rng: Rng) -> Floats:
    """(MOST_LAMPS, 6): one or more small glowing lamps along the rims; the rest are black."""
    width, height = FLAT_WH
    lamps = np.zeros((MOST_LAMPS, 6), np.float32)
    lamps[:, 2] = 1.0
    for lamp in lamps[: rng.integers(1, MOST_LAMPS + 1)]:
        at = rng.uniform(0.05, 0.95) * width, rng.choice([0.06, 0.94]) * height + rng.normal(0, 6)
        colour = np.array(LAMPS_BGR[rng.integers(len(LAMPS_BGR))]) / 255
        lamp[:] = *at, rng.uniform(1.5, 9), *(rng.uniform(60, 255) * colour)
    return lamps


def _blur(rng: Rng) -> Floats:
    """(2, TAPS): kernels for defocus, motion, low resolution, or none of these."""
    offsets = np.arange(TAPS) - TAPS // 2
    across = down = (offsets == 0).astype(np.float32)
    kind = rng.random()
    if kind < 0.35:
        across = down = np.exp(-(offsets**2) / (2 * rng.uniform(0.4, 1.7) ** 2))
    elif kind < 0.4:
        length = int(rng.integers(2, 6))
        moved = ((offsets >= -(length // 2)) & (offsets < length - length // 2)).astype(np.float32)
        across, down = (moved, down) if rng.random() < 0.5 else (across, moved)
    elif kind < 0.6:
        # A coarse pixel is the mean of its area; between two of them the interpolation is linear.
        wide = 1 / rng.uniform(0.45, 0.9)
        fine = (np.arange(FINE * TAPS) + 0.5) / FINE - TAPS / 2
        spread = np.convolve(np.maximum(0, 1 - np.abs(fine) / wide), np.abs(fine) < wide / 2, mode="same")
        across = down = spread.reshape(TAPS, FINE).sum(axis=1)
    return np.stack([kernel / kernel.sum() for kernel in (across, down)]).astype(np.float32)


def _errors(rng: Rng) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Errors of the found corners (4, 2) and of the bar's edges (2,), in field coordinates."""
    if rng.random() >= 0.75:
        return np.zeros((4, 2)), np.zeros(2)
    worst = rng.uniform(0, 1)
    corners = CORNER_ERROR * rng.uniform(-1, 1, (4, 2)) * (1, USUAL_ASPECT)
    return worst * corners, worst * BAR_ERROR * rng.uniform(-1, 1, 2)


def _within(rng: Rng) -> Floats:
    """(2, 2): least and greatest x, y of the picture in pixels, or far away where it is not cut short."""
    if rng.random() >= CUT_SHORT:
        return np.array([[-_FAR_PX] * 2, [_FAR_PX] * 2], dtype=np.float32)
    beyond = np.where(rng.random((2, 2)) < 0.5, rng.uniform(0.0, EDGE_BEYOND, (2, 2)), 1.0)
    return flat_px(np.array([-beyond[0], 1 + beyond[1]]))


def covered(rng: Rng, flat_bgr: Image, bar: tuple[float, float]) -> tuple[Image, Floats, float, bool]:
    """Lay an arm or a flat thing over a picture.

    Also returns the (26,) covered shares of the places, that of the field, and whether it is an arm.
    """
    width, height = FLAT_WH
    mask = np.zeros((height, width), np.uint8)
    colour = np.array(SKINS_BGR[rng.integers(len(SKINS_BGR))], dtype=np.float32)
    sleeve = None
    arm = bool(rng.random() < 0.6)
    if arm:
        end = rng.uniform(0.1, 0.9, 2) * (width, height)
        start = (rng.uniform(-0.1, 1.1) * width, rng.choice([-0.2, 1.2]) * height)
        thick = int(rng.integers(24, 60))
        cv2.line(mask, _whole(start), _whole(end), 255, thick, cv2.LINE_AA)
        for _ in range(rng.integers(2, 6)):
            tip = end + rng.normal(0, 26, 2)
            cv2.line(mask, _whole(end), _whole(tip), 255, int(rng.integers(6, 14)), cv2.LINE_AA)
        if rng.random() < SLEEVED:
            sleeve = np.zeros_like(mask)
            cuff = start + rng.uniform(0.4, 0.95) * (end - start)
            thick = int(thick * rng.uniform(1.0, 1.6))
            cv2.line(sleeve, _whole(start), _whole(cuff), 255, thick, cv2.LINE_AA)
            mask = np.maximum(mask, sleeve)
    else:
        middle = rng.uniform(0, 1, 2) * (width, height)
        box = (
            _whole(middle),
            (float(rng.uniform(15, 120)), float(rng.uniform(15, 160))),
            float(rng.uniform(0, 180)),
        )
        cv2.fillPoly(mask, [cv2.boxPoints(box).astype(np.int32)], 255, cv2.LINE_AA)
        colour = rng.uniform(10, 240, 3).astype(np.float32)
    cover = np.broadcast_to(colour, flat_bgr.shape)
    if sleeve is not None:
        cloth = rng.uniform(10, 240, 3).astype(np.float32)
        cover = np.where(sleeve[..., None] > 127, cloth, cover)
    shade = cv2.resize(
        rng.uniform(0.6, 1.25, (5, 5)).astype(np.float32), FLAT_WH, interpolation=cv2.INTER_CUBIC
    )
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.5, 1.5)).astype(np.float32)[..., None] / 255
    coarse = cv2.resize(mask, (width // SHADOW_COARSE, height // SHADOW_COARSE), interpolation=cv2.INTER_AREA)
    blurred = cv2.GaussianBlur(coarse.astype(np.float32), (0, 0), rng.uniform(4, 14) / SHADOW_COARSE)
    shadow = cv2.resize(blurred, FLAT_WH, interpolation=cv2.INTER_LINEAR)[..., None] / 255
    under = flat_bgr * (1 - rng.uniform(0, 0.5) * shadow)
    seen = under * (1 - soft) + soft * cover * shade[..., None]
    shares = _shares(mask, bar)
    edge_y, edge_x = int(0.09 * height), int(0.076 * width)
    field = float(mask[edge_y:-edge_y, edge_x:-edge_x].mean()) / 255
    return np.clip(seen, 0, 255).astype(np.uint8), shares, field, arm


def _whole(point: npt.ArrayLike) -> tuple[int, int]:
    x, y = np.asarray(point, dtype=np.float64)
    return int(x), int(y)


def _shares(mask: Image, bar: tuple[float, float]) -> Floats:
    """(26,) the share of each place that a mask covers."""
    middles, columns = column_middles(bar)
    top = is_top()
    shares = np.zeros(N_PLACES, np.float32)
    for place in range(N_PLACES):
        y = (0.0, COLUMN_REACH) if top[place] else (1 - COLUMN_REACH, 1.0)
        x = middles[place] - columns[place] / 2, middles[place] + columns[place] / 2
        (left, up), (right, down) = flat_px(np.array([[x[0], y[0]], [x[1], y[1]]]))
        shares[place] = mask[round(up) : round(down), round(left) : round(right)].mean() / 255
    return shares
