"""Finds checkers' faces by their rings, which depend little on colour and light.

All edges of a face run round one centre. A score measures how well they do, in strips along the points that
are finer than the scene. The centre of a face is found to a few hundredths of its diameter.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.appearance.scene import CHECKER_PX, SceneView
from vision.board_reading import N_POINTS
from vision.geometry import FloatArray, Image, Map

STRIP_CHECKER_PX = 32
"""Diameter of a checker in the strips, in pixels; guess."""
RING_RADII_DIAMETERS = (0.25, 0.53)
"""Radii between which a checker shows rings and its rim, in diameters; guess."""
RING_REACH_PX = round(0.56 * STRIP_CHECKER_PX)
"""Half the width of the ring template, in strip pixels; guess."""
SPOT_PX = STRIP_CHECKER_PX // 4
"""Width of a spot over which noise averages out, in strip pixels; guess."""
FACE_SEARCH_DIAMETERS = 0.25
"""How far across the point a face is looked for, in diameters; guess."""
NEAREST_FACE_DIAMETERS = 0.2
"""How near to the base of its point the centre of a face may lie, in diameters; guess."""
SPARE_STRIP_DIAMETERS = 0.3
"""How far beyond the expected end of a row faces are looked for, in diameters; guess."""


def _ring_template() -> tuple[Map, Map]:
    """The double angles of the edges of a face, as two pictures of unit length together."""
    y, x = np.mgrid[-RING_REACH_PX : RING_REACH_PX + 1, -RING_REACH_PX : RING_REACH_PX + 1]
    radius, turn = np.hypot(x, y) / STRIP_CHECKER_PX, np.arctan2(y, x)
    weight = ((radius >= RING_RADII_DIAMETERS[0]) & (radius <= RING_RADII_DIAMETERS[1])).astype(np.float64)
    weight /= np.sqrt(weight.sum())
    return (weight * np.cos(2 * turn)).astype(np.float32), (weight * np.sin(2 * turn)).astype(np.float32)


RING_TEMPLATE = _ring_template()
"""The template of `ring_scores`: cosine and sine part."""
RING_DISC: Map = (
    np.hypot(*np.mgrid[-RING_REACH_PX : RING_REACH_PX + 1, -RING_REACH_PX : RING_REACH_PX + 1])
    <= RING_REACH_PX
).astype(np.float32)


def spot_levels(one: Image | Map, other: Image | Map) -> float:
    """Mean difference of two grey pictures over the spot where they differ most, in levels."""
    return float(cv2.blur(cv2.absdiff(one, other), (SPOT_PX, SPOT_PX)).max())


def ring_scores(grey: Image | Map) -> Map:
    """How well the edges round each pixel run in circles about it, from -1 to 1.

    grey: (H, W). The result is smaller by `RING_REACH_PX` on each side. The double angles of the edges are
    compared with those of a disc's rings, so rings may be brighter or darker than what they border on (after
    Loy and Zelinsky 2003).
    """
    across, along = cv2.Sobel(grey, cv2.CV_32F, 1, 0), cv2.Sobel(grey, cv2.CV_32F, 0, 1)
    weight = np.power(cv2.magnitude(across, along) + np.float32(1e-3), np.float32(-1.5))
    cosine, sine = (across * across - along * along) * weight, 2 * across * along * weight
    parts = zip((cosine, sine), RING_TEMPLATE, strict=True)
    round_it = np.add(*(cv2.matchTemplate(part, ring, cv2.TM_CCORR) for part, ring in parts))
    energy = cv2.matchTemplate(cosine * cosine + sine * sine, RING_DISC, cv2.TM_CCORR)
    return np.asarray(round_it / np.sqrt(np.maximum(energy, 1e-3)), dtype=np.float32)


@dataclass(frozen=True, kw_only=True)
class FaceStrip:
    """The part of the board round one place's row, seen finer than in the scene.

    along, across: where the ring scores' rows and columns lie, in diameters: from the base of the place
    inward, and to the right of its middle. map_xy: (H, W, 2) where its pixels are in the picture.
    """

    along: FloatArray
    across: FloatArray
    map_xy: npt.NDArray[np.float32]

    @staticmethod
    def for_row(view: SceneView, place: int, checkers: int) -> "FaceStrip":
        """The strip that holds a row of so many checkers."""
        return FaceStrip._laid(
            view,
            place,
            _stretch(0.0, FACE_SEARCH_DIAMETERS),
            np.arange(NEAREST_FACE_DIAMETERS, checkers + SPARE_STRIP_DIAMETERS, 1 / STRIP_CHECKER_PX),
        )

    @staticmethod
    def around(view: SceneView, place: int, row_xy: FloatArray, reach: float) -> "FaceStrip":
        """The piece in which faces so far from a (2,) place of the row lie, in diameters."""
        return FaceStrip._laid(view, place, *(_stretch(float(middle), reach) for middle in row_xy))

    @staticmethod
    def _laid(view: SceneView, place: int, across: FloatArray, along: FloatArray) -> "FaceStrip":
        x, y = np.meshgrid(_with_margin(across), _with_margin(along))
        tops = view.field_xy(row_to_scene(view, place, np.stack([x, y], axis=-1).reshape(-1, 2)))
        seen = view.geometry.to_px(tops, view.geometry.top_height)
        return FaceStrip(along=along, across=across, map_xy=seen.reshape(*x.shape, 2).astype(np.float32))

    def grey(self, image_bgr: Image) -> Image:
        """The strip cut out of a picture; its `ring_scores` are (len(along), len(across))."""
        map_x, map_y = cv2.split(self.map_xy)
        cut = cv2.remap(image_bgr, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _stretch(middle: float, reach: float) -> FloatArray:
    steps = round(reach * STRIP_CHECKER_PX)
    return middle + np.arange(-steps, steps + 1) / STRIP_CHECKER_PX


def _with_margin(places: FloatArray) -> FloatArray:
    margin = np.arange(1, RING_REACH_PX + 1) / STRIP_CHECKER_PX
    return np.concatenate([places[0] - margin[::-1], places, places[-1] + margin])


def inward_sign(place: int) -> int:
    """Which way scene y runs from a place's base to the middle of the board."""
    return 1 if place < N_POINTS // 2 else -1


def row_to_scene(view: SceneView, place: int, row_xy: FloatArray) -> FloatArray:
    """(N, 2) diameters right of a place's middle and inward from its base to (N, 2) scene pixels."""
    return np.asarray(view.base_xy(place) + CHECKER_PX * row_xy * [1, inward_sign(place)])


def scene_to_row(view: SceneView, place: int, scene_xy: FloatArray) -> FloatArray:
    """(N, 2) scene pixels to (N, 2) diameters right of a place's middle and inward from its base."""
    return np.asarray((scene_xy - view.base_xy(place)) / CHECKER_PX * [1, inward_sign(place)])
