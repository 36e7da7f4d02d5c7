"""What may happen to a picture: other colours, light, covers, blur, noise, a field not quite found.

All of it is chosen by chance, on flattened pictures (see `flat_boards`).
"""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.networks.strips import N_PLACES, STRIP_WH, Strips, column_middles, is_top, strips_on_field
from vision.training.boards import SKINS_BGR
from vision.training.flat_boards import FLAT_WH, Image, flat_px

Floats = npt.NDArray[np.float32]
Rng = np.random.Generator

CORNER_ERROR, BAR_ERROR = 0.013, 0.012
"""Greatest error of a found corner and bar edge, in field widths."""
USUAL_ASPECT = 1.2
LAMPS_BGR = ((40, 40, 255), (60, 255, 60), (40, 170, 255), (255, 120, 60), (255, 255, 255))
CUT_SHORT, EDGE_BEYOND = 0.15, 0.06
"""Share of pictures that end close beyond some edges of the field, at most so far, as a share of its size."""
SLEEVED = 0.6
"""Share of arms that wear a sleeve; guess."""
SHADOW_COARSE = 4
"""A shadow is blurred in a picture so many times smaller."""
COLUMN_REACH = 0.5
"""A place's checkers lie within so much of the field's height from its base."""


@dataclass(frozen=True, kw_only=True)
class Tint:
    """How one board's colours are changed, in all its pictures: (3, 3)."""

    mixing: Floats

    @staticmethod
    def by_chance(rng: Rng) -> "Tint":
        """Other hues and saturation; what was brighter stays brighter."""
        turn = rng.uniform(-np.pi, np.pi) if rng.random() < 0.5 else rng.normal(0, 0.1)
        saturation = rng.uniform(0.3, 1.5) if rng.random() < 0.5 else rng.uniform(0.85, 1.15)
        luma = np.array([0.114, 0.587, 0.299])
        grey = np.tile(luma, (3, 1))
        axis = np.ones(3) / np.sqrt(3)
        cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
        rotation = np.eye(3) + np.sin(turn) * cross + (1 - np.cos(turn)) * (cross @ cross)
        colour = saturation * rotation @ (np.eye(3) - grey)
        colour -= np.ones((3, 1)) @ (luma @ colour)[None, :]
        return Tint(mixing=(grey + colour).astype(np.float32))


def photographed(rng: Rng, flat_bgr: Image, tint: Tint) -> Image:
    """The same board as another camera sees it in another light."""
    seen = cv2.transform(flat_bgr.astype(np.float32), tint.mixing)
    if rng.random() < 0.8:
        seen *= _light(rng)[..., None] * rng.normal(1, 0.04, 3).astype(np.float32)
    if rng.random() < 0.15:
        _add_lamps(rng, seen)
    usual = float(np.clip(cv2.mean(cv2.resize(seen, (29, 25)))[1], 20, 200))
    wanted = float(np.clip(usual * np.exp(rng.normal(0, 0.25)), 35, 190))
    np.maximum(seen * np.float32(wanted / usual), 0, out=seen)
    if rng.random() < 0.5:
        seen = cv2.pow(seen / 255, float(np.exp(rng.normal(0, 0.18)))) * 255
    seen = _blurred(rng, seen)
    if rng.random() < 0.7:
        seen += _noise(rng) * np.float32(rng.uniform(0, 7) / 32)
    shown = np.clip(seen, 0, 255).astype(np.uint8)
    if rng.random() < 0.2:
        _, jpeg = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 92))])
        shown = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), dtype=np.uint8)
    return shown


def _light(rng: Rng) -> Floats:
    """(H, W): a gradient, and sometimes sun with sharp edges, or a shadow."""
    width, height = FLAT_WH
    light = cv2.resize(
        np.exp(rng.normal(0, 0.12, (3, 3))).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    if rng.random() < 0.3:
        patch = np.zeros((height, width), np.float32)
        for _ in range(rng.integers(1, 3)):
            middle = rng.uniform(0, 1, 2) * (width, height)
            corners = middle + rng.normal(0, 0.4, (4, 2)) * (width, height)
            cv2.fillConvexPoly(patch, cv2.convexHull(corners.astype(np.float32)).astype(np.int32), (1.0,))
        patch = cv2.GaussianBlur(patch, (0, 0), rng.uniform(0.7, 8))
        light *= 1 + patch * np.float32(
            rng.uniform(0.3, 1.6) if rng.random() < 0.6 else rng.uniform(-0.6, -0.2)
        )
    return light


def _add_lamps(rng: Rng, seen: Floats) -> None:
    """Small lamps along the rims, each with its glow."""
    width, height = FLAT_WH
    for _ in range(rng.integers(1, 6)):
        sigma = rng.uniform(1.5, 9)
        x, y = rng.uniform(0.05, 0.95) * width, rng.choice([0.06, 0.94]) * height + rng.normal(0, 6)
        reach = int(3 * sigma) + 1
        left, top = max(int(x) - reach, 0), max(int(y) - reach, 0)
        right, bottom = min(int(x) + reach, width), min(int(y) + reach, height)
        if right <= left or bottom <= top:
            continue
        ys, xs = np.mgrid[top:bottom, left:right]
        glow = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * sigma**2)) * rng.uniform(60, 255)
        colour = np.array(LAMPS_BGR[rng.integers(len(LAMPS_BGR))]) / 255
        seen[top:bottom, left:right] += (glow[..., None] * colour).astype(np.float32)


def _blurred(rng: Rng, seen: Floats) -> Floats:
    """Out of focus, moved, or of low resolution, or none of these."""
    kind = rng.random()
    if kind < 0.35:
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), rng.uniform(0.4, 1.7)), dtype=np.float32)
    if kind < 0.4:
        length = int(rng.integers(2, 6))
        kernel = np.ones((1, length) if rng.random() < 0.5 else (length, 1), np.float32) / length
        return np.asarray(cv2.filter2D(seen, -1, kernel), dtype=np.float32)
    if kind < 0.6:
        share = rng.uniform(0.45, 0.9)
        small = cv2.resize(seen, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, FLAT_WH, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
    return seen


@cache
def _noise_store() -> Floats:
    """Noise of standard deviation 32, fine and a little coarser, to take windows of."""
    rng = np.random.default_rng(5)
    noise = rng.normal(0, 32, (2, 900, 1000, 3)).astype(np.float32)
    noise[1] = cv2.GaussianBlur(noise[1], (0, 0), 0.8) * 2.2
    return noise


def _noise(rng: Rng) -> Floats:
    store = _noise_store()
    y, x = rng.integers(0, store.shape[1] - FLAT_WH[1]), rng.integers(0, store.shape[2] - FLAT_WH[0])
    return store[rng.integers(2), y : y + FLAT_WH[1], x : x + FLAT_WH[0]]


def covered(rng: Rng, flat_bgr: Image, bar: tuple[float, float]) -> tuple[Image, Floats, float, bool]:
    """A picture with an arm or a flat thing over it.

    Also the (26,) covered shares of the places, that of the field, and whether it is an arm.
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
    field = (
        float(mask[int(0.09 * height) : -int(0.09 * height), int(0.076 * width) : -int(0.076 * width)].mean())
        / 255
    )
    return np.clip(seen, 0, 255).astype(np.uint8), shares, field, arm


def _whole(point: npt.ArrayLike) -> tuple[int, int]:
    x, y = np.asarray(point, dtype=np.float64)
    return int(x), int(y)


def _shares(mask: Image, bar: tuple[float, float]) -> Floats:
    """(26,) how much of each place a mask covers."""
    middles, columns = column_middles(bar)
    top = is_top()
    shares = np.zeros(N_PLACES, np.float32)
    for place in range(N_PLACES):
        y = (0.0, COLUMN_REACH) if top[place] else (1 - COLUMN_REACH, 1.0)
        x = middles[place] - columns[place] / 2, middles[place] + columns[place] / 2
        (left, up), (right, down) = flat_px(np.array([[x[0], y[0]], [x[1], y[1]]]))
        shares[place] = mask[round(up) : round(down), round(left) : round(right)].mean() / 255
    return shares


def cut(rng: Rng, flat_bgr: Image, bar: tuple[float, float], reach: float = 1.0) -> Strips:
    """(26, H, W, 3) strips, cut by corners and bar edges as they may be found.

    reach: see `strips_on_field`.
    """
    error = np.zeros((4, 2)), np.zeros(2)
    if rng.random() < 0.75:
        worst = rng.uniform(0, 1)
        error = (
            worst * CORNER_ERROR * rng.uniform(-1, 1, (4, 2)) * (1, USUAL_ASPECT),
            worst * BAR_ERROR * rng.uniform(-1, 1, 2),
        )
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    bent = cv2.getPerspectiveTransform(square.astype(np.float32), flat_px(square + error[0]))
    field = strips_on_field((bar[0] + error[1][0], bar[1] + error[1][1]), reach).reshape(-1, 1, 2)
    where = cv2.perspectiveTransform(field.astype(np.float32), bent)
    where = where.reshape(N_PLACES * STRIP_WH[1], STRIP_WH[0], 2)
    if rng.random() < CUT_SHORT:
        beyond = np.where(rng.random((2, 2)) < 0.5, rng.uniform(0.0, EDGE_BEYOND, (2, 2)), 1.0)
        where = np.clip(where, *flat_px(np.array([-beyond[0], 1 + beyond[1]])))
    atlas = cv2.remap(flat_bgr, where, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(atlas, dtype=np.uint8).reshape(N_PLACES, STRIP_WH[1], STRIP_WH[0], 3)
