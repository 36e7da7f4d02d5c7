"""A checker's face from above, (256, 256, 3) red, green, blue from 0 to 1 (sRGB)."""

import math

import cv2
import numpy as np

from vision.training.scenes.looks.grounds import GROUNDS
from vision.training.scenes.looks.paint import Image, mixed, neighbour, shaded
from vision.training.scenes.looks.tones import Rgb, drawn

FACE_PX = 256


def checker_face(rng: np.random.Generator, look: str, colour: Rgb) -> Image:
    """A face of this look: most of it has the colour given."""
    size = (FACE_PX, FACE_PX)
    kind = {"wooden": "wood", "marbled": "marble", "pearl": "marble"}.get(look, "plain")
    image = GROUNDS[kind](rng, colour, size)
    middle, half = (FACE_PX // 2, FACE_PX // 2), FACE_PX // 2
    other = neighbour(rng, colour, rng.uniform(0.15, 0.6)) if rng.random() < 0.8 else drawn(rng, "any")
    mask = np.zeros(size, dtype=np.uint8)
    if look == "pearl":
        y, x = np.mgrid[0:FACE_PX, 0:FACE_PX] / FACE_PX
        hues = np.stack([np.sin(9 * x + 4 * y + p) for p in (0.0, 2.1, 4.2)], axis=2).astype(np.float32)
        image = np.clip(image + rng.uniform(0.01, 0.06) * hues, 0, 1)
    if look == "ringed" or rng.random() < 0.15:
        for _ in range(int(rng.integers(1, 4))):
            radius = round(half * rng.uniform(0.3, 0.92))
            cv2.circle(mask, middle, radius, 255, int(rng.integers(2, 22)), cv2.LINE_AA)
    if rng.random() < 0.12:
        cv2.circle(mask, middle, half - 6, 255, 16, cv2.LINE_AA)
    if look == "emblem":
        _emblem(rng, mask)
    return mixed(image, shaded(other, np.zeros(size, dtype=np.float32)), mask.astype(np.float32) / 255)


def _emblem(rng: np.random.Generator, mask: np.ndarray) -> None:
    half = FACE_PX // 2
    kind, radius = int(rng.integers(4)), half * rng.uniform(0.3, 0.75)
    if kind == 0:
        letter = chr(65 + int(rng.integers(26)))
        cv2.putText(mask, letter, (half - 55, half + 60), cv2.FONT_HERSHEY_TRIPLEX, 5, 255, 12, cv2.LINE_AA)
    elif kind == 1:
        cv2.circle(mask, (half, half), round(radius), 255, -1, cv2.LINE_AA)
    else:
        points = int(rng.integers(3, 9))
        angles = np.arange(2 * points) * math.pi / points
        reach = np.where(np.arange(2 * points) % 2, radius * rng.uniform(0.3, 0.9), radius)
        spots = np.stack([np.cos(angles), np.sin(angles)], axis=1) * reach[:, None] + half
        cv2.fillPoly(mask, [spots.astype(np.int32)], 255, cv2.LINE_AA)
