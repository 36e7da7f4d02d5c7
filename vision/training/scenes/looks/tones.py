"""Colours by name: each tone is a range of hue, saturation and value from which a colour is drawn."""

import colorsys

import cv2
import numpy as np
import numpy.typing as npt

Rgb = tuple[float, float, float]
"""Red, green and blue from 0 to 1 as a screen shows them (sRGB)."""

TONES: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "white": ((0.00, 1.00), (0.00, 0.06), (0.85, 0.97)),
    "cream": ((0.08, 0.15), (0.10, 0.35), (0.80, 0.97)),
    "ivory": ((0.09, 0.14), (0.18, 0.45), (0.75, 0.92)),
    "black": ((0.00, 1.00), (0.00, 0.25), (0.04, 0.17)),
    "grey": ((0.00, 1.00), (0.00, 0.10), (0.25, 0.70)),
    "slate": ((0.50, 0.70), (0.05, 0.30), (0.22, 0.50)),
    "red": ((-0.03, 0.03), (0.70, 0.95), (0.50, 0.88)),
    "crimson": ((0.93, 1.01), (0.65, 0.92), (0.28, 0.55)),
    "orange": ((0.04, 0.09), (0.70, 0.95), (0.70, 0.97)),
    "yellow": ((0.11, 0.16), (0.50, 0.95), (0.75, 0.97)),
    "mustard": ((0.09, 0.13), (0.55, 0.85), (0.50, 0.75)),
    "green": ((0.28, 0.44), (0.45, 0.90), (0.22, 0.60)),
    "dark_green": ((0.33, 0.45), (0.50, 0.90), (0.12, 0.32)),
    "lime": ((0.20, 0.32), (0.50, 0.90), (0.55, 0.85)),
    "teal": ((0.45, 0.54), (0.35, 0.85), (0.25, 0.65)),
    "blue": ((0.56, 0.65), (0.55, 0.92), (0.35, 0.80)),
    "navy": ((0.58, 0.68), (0.40, 0.85), (0.12, 0.32)),
    "sky": ((0.52, 0.60), (0.20, 0.50), (0.65, 0.92)),
    "purple": ((0.70, 0.82), (0.30, 0.75), (0.22, 0.60)),
    "pink": ((0.90, 1.00), (0.20, 0.55), (0.65, 0.95)),
    "tan": ((0.06, 0.11), (0.35, 0.65), (0.50, 0.78)),
    "brown": ((0.03, 0.09), (0.40, 0.75), (0.20, 0.45)),
    "wood_light": ((0.08, 0.12), (0.25, 0.55), (0.68, 0.92)),
    "wood_mid": ((0.05, 0.10), (0.45, 0.78), (0.45, 0.72)),
    "wood_dark": ((0.03, 0.08), (0.35, 0.70), (0.15, 0.36)),
    "wood_red": ((0.00, 0.05), (0.50, 0.80), (0.25, 0.55)),
    "olive": ((0.09, 0.15), (0.40, 0.65), (0.45, 0.75)),
    "gold": ((0.10, 0.13), (0.50, 0.80), (0.55, 0.80)),
    "pastel": ((0.00, 1.00), (0.15, 0.40), (0.65, 0.95)),
    "vivid": ((0.00, 1.00), (0.65, 0.98), (0.45, 0.92)),
    "dull": ((0.00, 1.00), (0.10, 0.40), (0.20, 0.70)),
    "any": ((0.00, 1.00), (0.00, 0.95), (0.06, 0.97)),
}


def drawn(rng: np.random.Generator, tone: str) -> Rgb:
    """A colour of this tone."""
    hue, saturation, value = (float(rng.uniform(*ends)) for ends in TONES[tone])
    return colorsys.hsv_to_rgb(hue % 1.0, saturation, value)


def lab(colour: Rgb) -> npt.NDArray[np.float32]:
    """(3,) CIELAB lightness 0 to 100 and two axes of colour; distances are about as people see them."""
    pixel = np.array(colour, dtype=np.float32).reshape(1, 1, 3)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_RGB2LAB)[0, 0], dtype=np.float32)


def distance(one: Rgb, other: Rgb) -> float:
    """How different two colours look; 2 is just visible, 100 is black against white."""
    return float(np.linalg.norm(lab(one) - lab(other)))


def linear(colour: Rgb) -> Rgb:
    """The same colour in linear amounts of light, as a renderer takes it."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return red, green, blue


def two_apart(rng: np.random.Generator, tones: tuple[str, str], least: float) -> tuple[Rgb, Rgb]:
    """Two colours that differ by at least `least`, or the best of many tries."""
    best = max(
        ((drawn(rng, tones[0]), drawn(rng, tones[1])) for _ in range(3)), key=lambda pair: distance(*pair)
    )
    for _ in range(20):
        if distance(*best) >= least:
            break
        pair = drawn(rng, tones[0]), drawn(rng, tones[1])
        best = max(best, pair, key=lambda two: distance(*two))
    return best
