"""Building blocks of pictures of materials: smooth noise, shades of a colour, blended pictures."""

import colorsys
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.scenes.looks.tones import Rgb

Image = npt.NDArray[np.float32]
Plane = npt.NDArray[np.floating[Any]]


def noise(
    rng: np.random.Generator, size_wh: tuple[int, int], cells: tuple[float, float], octaves: int = 3
) -> Plane:
    """(H, W) smooth noise about 0 with deviation near 1; cells: how many lumps across and down."""
    made = np.zeros((size_wh[1], size_wh[0]), dtype=np.float32)
    share = 1.0
    for octave in range(octaves):
        wide, high = (max(int(n * 2**octave) + 2, 2) for n in cells)
        wide, high = min(wide, size_wh[0]), min(high, size_wh[1])
        small = rng.standard_normal((high, wide), dtype=np.float32)
        made += share * cv2.resize(small, size_wh, interpolation=cv2.INTER_CUBIC)
        share *= 0.55
    return made / 1.1


def squares(size_wh: tuple[int, int], across: float) -> tuple[Plane, Plane]:
    """(H, W) x and y in units of a square, of which `across` lie side by side."""
    wide, high = size_wh
    x, y = np.meshgrid(np.arange(wide) * across / wide, np.arange(high) * across / wide)
    return x, y


def shaded(colour: Rgb | Image, amount: Plane) -> Image:
    """A colour or picture made lighter and darker: amount 0 leaves it, 0.1 is ten per cent lighter."""
    lit = np.array(colour, dtype=np.float32) * (1 + amount[..., None].astype(np.float32))
    return np.asarray(np.clip(lit, 0, 1), dtype=np.float32)


def neighbour(rng: np.random.Generator, colour: Rgb, apart: float = 0.25) -> Rgb:
    """A colour of nearly the same hue, about `apart` (a share) lighter or darker."""
    hue, saturation, value = colorsys.rgb_to_hsv(*colour)
    value = float(np.clip(value * (1 + rng.choice([-1, 1]) * apart * rng.uniform(0.5, 1.5)), 0.03, 0.98))
    return colorsys.hsv_to_rgb(
        (hue + rng.normal(0, 0.015)) % 1, min(saturation * rng.uniform(0.7, 1.2), 1), value
    )


def mixed(one: Image, other: Image | Rgb, share: Plane) -> Image:
    """Blend two pictures, or a picture and a colour: `one` where share is 0, `other` where it is 1."""
    shares = np.clip(share, 0, 1)[..., None].astype(np.float32)
    return one + (np.asarray(other, dtype=np.float32) - one) * shares


def any_colour(rng: np.random.Generator) -> Rgb:
    red, green, blue = rng.uniform(0.05, 0.95, 3)
    return float(red), float(green), float(blue)
