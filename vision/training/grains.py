"""Colours and grains of cloth, wood, leather and checkers."""

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

Rng = np.random.Generator
Floats = npt.NDArray[np.float32]
Colour = npt.NDArray[np.float64]

LIGHT_BGR = (
    (225, 235, 240),
    (205, 225, 235),
    (175, 210, 235),
    (150, 190, 220),
    (190, 200, 205),
    (120, 165, 205),
)
DARK_BGR = (
    (28, 26, 26),
    (45, 40, 40),
    (30, 45, 85),
    (25, 30, 60),
    (40, 40, 150),
    (30, 30, 190),
    (110, 50, 25),
)
DARK_MORE_BGR = ((140, 70, 20), (50, 85, 35), (40, 70, 110), (70, 105, 150), (85, 80, 80), (150, 100, 50))
CLOTHS_BGR = (
    (45, 95, 40),
    (30, 60, 25),
    (90, 45, 25),
    (60, 35, 30),
    (35, 35, 110),
    (40, 50, 75),
    (30, 32, 34),
)
CLOTHS_MORE_BGR = (
    (120, 165, 200),
    (95, 140, 180),
    (60, 95, 140),
    (40, 60, 95),
    (130, 130, 130),
    (190, 205, 215),
)


@cache
def fields_of_noise() -> list[Floats]:
    """Ten kinds of grain, (1600, 1600) each, of standard deviation 1, the last two of about 0.7."""
    rng = np.random.default_rng(11)
    noise = []
    for along, across in ((0.6, 0.6), (1.2, 1.2), (3, 3), (9, 9), (30, 30), (18, 0.8), (40, 1.6), (80, 4)):
        field = cv2.GaussianBlur(
            rng.normal(0, 1, (1600, 1600)).astype(np.float32), (0, 0), along, sigmaY=across
        )
        noise.append(field / field.std())
    warp = 60 * noise[4]
    y, x = np.mgrid[:1600, :1600].astype(np.float32)
    noise.append(np.sin((x + warp) / 14 + 3 * noise[3]).astype(np.float32))  # marble, or the grain of wood
    noise.append(np.sin((y + 2 * warp) / 5 + noise[6]).astype(np.float32))
    return noise


def grain_by_chance(rng: Rng, size_wh: tuple[int, int]) -> Floats:
    """(h, w): a random kind of grain, or a mixture of two, of standard deviation near 1."""
    noise = fields_of_noise()
    field = noise[rng.integers(len(noise))]
    if rng.random() < 0.5:
        field = 0.7 * field + 0.5 * noise[rng.integers(len(noise))]
    if rng.random() < 0.5:
        field = field.T
    y, x = rng.integers(0, 1600 - size_wh[1] + 1), rng.integers(0, 1600 - size_wh[0] + 1)
    return np.ascontiguousarray(field[y : y + size_wh[1], x : x + size_wh[0]])


def colour_by_chance(
    rng: Rng, darkest: float = 20, wood: tuple[tuple[float, float], ...] = ((0.3, 0.75), (0.6, 0.9))
) -> Floats:
    """A random colour: grey, wood, or saturated cloth.

    darkest: its least value. wood: ranges of blue and green in wood, as shares of its red.
    """
    kind, value = rng.random(), rng.uniform(darkest, 245)
    if kind < 0.3:
        return np.clip(value + rng.normal(0, 6, 3), 5, 250).astype(np.float32)
    if kind < 0.6:
        shares = np.array([*(rng.uniform(*ends) for ends in wood), 1.0])
        return np.clip(value * shares, 5, 250).astype(np.float32)
    hsv = np.array([[[rng.integers(180), rng.integers(90, 255), int(value)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def tone_near(rng: Rng, tones: tuple[tuple[int, int, int], ...], spread: float = 14) -> Colour:
    return np.clip(np.array(tones[rng.integers(len(tones))]) + rng.normal(0, spread, 3), 5, 250)
