"""Boards and tables of photographed materials, from a folder of pictures that training never saw."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.training.scenes.looks.families import BY_NAME
from vision.training.scenes.looks.family import Family
from vision.training.scenes.looks.grounds import GROUNDS
from vision.training.scenes.looks.paint import Image
from vision.training.scenes.looks.tones import Rgb

NAME = "photographed"
LEAST_PART = 0.4
"""Least part of a picture's width that is shown on a field or a table; guess."""
PHOTOGRAPHED = Family(
    name=NAME,
    grounds=(NAME,),
    field=(
        *("any", "dull", "cream", "tan", "grey", "dark_green", "navy"),
        *("wood_light", "wood_mid", "wood_dark"),
    ),
    points=(
        *(("any", "any"), ("vivid", "dull"), ("black", "cream")),
        *(("wood_dark", "wood_light"), ("red", "white")),
    ),
    shapes=("triangle", "slim", "wide", "rounded", "arch", "leaf", "stepped"),
    fills=("solid", "outline"),
    checkers=(("white", "black"), ("wood_light", "wood_dark"), ("ivory", "crimson"), ("any", "any")),
    looks=("plain", "ringed", "dished", "domed", "wooden", "marbled"),
    frames=("wood", "leather", "plastic", "stone", "none"),
    bars=("raised", "flat", "hinge"),
    tables=(NAME, NAME, "wood", "cloth"),
    gloss=(0.0, 0.8),
)


def use_photographs(folder: Path) -> Family:
    """Add the material and the family of this name, with the pictures (.jpg, .png) in a folder.

    Raises ValueError if there is none.
    """
    paths = sorted(path for path in folder.iterdir() if path.suffix in (".jpg", ".png"))
    if not paths:
        raise ValueError(f"{folder} has no pictures (.jpg, .png) of materials.")
    GROUNDS[NAME], BY_NAME[NAME] = photographed(paths), PHOTOGRAPHED
    return PHOTOGRAPHED


def photographed(paths: list[Path]) -> Callable[[np.random.Generator, Rgb, tuple[int, int]], Image]:
    """A material: part of one of these pictures, with the mean colour that is asked for."""

    def part(rng: np.random.Generator, colour: Rgb, size_wh: tuple[int, int]) -> Image:
        path = paths[int(rng.integers(len(paths)))]
        image = cv2.imread(str(path))
        if image is None:
            raise ValueError(f"{path} is no picture that can be read.")
        image = np.rot90(image[..., ::-1], int(rng.integers(4)))
        high, wide = image.shape[:2]
        share = rng.uniform(LEAST_PART, 1.0) * min(1.0, high / wide * size_wh[0] / size_wh[1])
        width = max(int(wide * share), 1)
        height = min(max(round(width * size_wh[1] / size_wh[0]), 1), high)
        left, top = int(rng.integers(wide - width + 1)), int(rng.integers(high - height + 1))
        shown = np.ascontiguousarray(image[top : top + height, left : left + width])
        smaller = width > size_wh[0]
        shown = cv2.resize(shown, size_wh, interpolation=cv2.INTER_AREA if smaller else cv2.INTER_CUBIC)
        light = shown.astype(np.float32) / 255 + 0.02
        tint = np.array(colour, np.float32) / light.mean(axis=(0, 1))
        return np.asarray(np.clip(light * tint, 0, 1), dtype=np.float32)

    return part
