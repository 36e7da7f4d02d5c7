"""Measures how much larger one face is seen than another: a higher checker is nearer to the camera.

A checker on another one is 10 mm nearer. At 75 cm that makes it larger by a seventy-fifth. All edges of a
face together show its size to a few thousandths, compared with a face beside it or with an earlier picture of
the place, in the same light.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np

from vision.appearance.checker_faces import (
    RING_REACH_PX,
    STRIP_CHECKER_PX,
    FaceStrip,
    scene_to_row,
    spot_levels,
)
from vision.appearance.scene import SceneView
from vision.geometry import FloatArray, Image, Map

FACE_RADIUS_PX = STRIP_CHECKER_PX // 2
FACE_SPARE_PX = 4
"""Strip pixels cut out beyond the face on each side, so that it may lie elsewhere or be larger; guess."""
MOST_FACE_SHIFT = 0.1
"""Greatest shift of a face in diameters, and greatest change of its log size; guess."""
RELINEARISATIONS, FACE_REWEIGHTINGS = 2, 2
"""Rounds of the fit, and rounds of reweighting in each; guesses."""
OUTLIER_SPREADS = 1.5
"""Pixels that differ by more spreads than this count less: a gleam or a shadow lies there; guess."""
LEAST_NOISE_LEVELS = 0.5
"""Two pictures of a face never agree better than this, in levels; guess."""
LEAST_CONTRAST_GAIN = 0.2
"""The contrast of a face is never taken to be a smaller share of the other's; guess."""
NOISE_CORRELATION = 3.0
"""Factor on the spread of a measured size, because neighbouring pixels err together; guess."""
SAME_FACE_LEVELS = 5.0
"""A face is unchanged when no spot of it differs by more levels than this; guess."""
KEPT_COMPARISONS = 32
"""Comparisons of faces kept in memory: few faces of a row change at a time; guess."""

_Y, _X = (
    axis / STRIP_CHECKER_PX
    for axis in np.mgrid[-FACE_RADIUS_PX : FACE_RADIUS_PX + 1, -FACE_RADIUS_PX : FACE_RADIUS_PX + 1]
)
FACE_PIXELS = np.hypot(_X, _Y) <= 0.5


@dataclass(frozen=True, kw_only=True, eq=False)
class FaceCut:
    """A face cut out of a picture in grey, (n, n), centred as well as it is known."""

    grey: Map

    @staticmethod
    def cut_out(view: SceneView, image_bgr: Image, scene_xy: FloatArray) -> "FaceCut":
        """The face at a (2,) scene pixel."""
        reach = (FACE_RADIUS_PX + FACE_SPARE_PX - RING_REACH_PX) / STRIP_CHECKER_PX
        strip = FaceStrip.around(view, 0, scene_to_row(view, 0, scene_xy[None])[0], reach)
        return FaceCut(grey=strip.grey(image_bgr).astype(np.float32))

    def looks_like(self, other: "FaceCut") -> bool:
        """Whether the other shows the same but for noise."""
        return spot_levels(self.grey, other.grey) < SAME_FACE_LEVELS

    def shift_of(self, other: "FaceCut") -> tuple[FloatArray, float]:
        """(3,) shift of the other to the right and down in diameters, and its log size; and the size's
        spread.

        After Lucas and Kanade 1981, with robust weights. The other face is this one moved, enlarged and lit
        differently.
        """
        changes = self._changes.astype(np.float64)
        moved, spread = np.zeros(3), np.inf
        for _ in range(RELINEARISATIONS):
            seen = other._resampled(moved)[FACE_PIXELS].astype(np.float64)
            weight = np.ones(len(seen))
            for _ in range(FACE_REWEIGHTINGS):
                weighted = changes * weight[:, None]
                normal = weighted.T @ changes + 1e-6 * np.eye(changes.shape[1])
                found = np.linalg.solve(normal, weighted.T @ seen)
                rest = seen - changes @ found
                noise = 1.48 * float(np.median(np.abs(rest))) + LEAST_NOISE_LEVELS
                weight = 1 / (1 + (rest / (OUTLIER_SPREADS * noise)) ** 2)
            gain = max(float(found[3]), LEAST_CONTRAST_GAIN)
            moved = np.clip(moved - found[:3] / gain, -MOST_FACE_SHIFT, MOST_FACE_SHIFT)
            spread = NOISE_CORRELATION * noise / gain * float(np.sqrt(np.linalg.inv(normal)[2, 2]))
        return moved, spread

    @cached_property
    def _changes(self) -> Map:
        """(pixels, 8): how the face's pixels change as it is moved, enlarged, and lit otherwise."""
        grey = self._resampled(np.zeros(3)).astype(np.float64)
        down, right = (gradient * STRIP_CHECKER_PX for gradient in np.gradient(grey))
        lit = (grey, np.ones_like(grey), _X, _Y, _X**2 + _Y**2)
        changes = np.stack([right, down, _X * right + _Y * down, *lit], axis=-1)
        return np.asarray(changes[FACE_PIXELS], dtype=np.float32)

    def _resampled(self, moved: FloatArray) -> Map:
        """The face as it is if it lies (x, y) diameters off the middle and is larger by a log size."""
        middle, size = FACE_RADIUS_PX + FACE_SPARE_PX, float(np.exp(moved[2]))
        map_x = (middle + STRIP_CHECKER_PX * (_X * size + moved[0])).astype(np.float32)
        map_y = (middle + STRIP_CHECKER_PX * (_Y * size + moved[1])).astype(np.float32)
        face = cv2.remap(self.grey, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(face, dtype=np.float32)


@dataclass(frozen=True, kw_only=True)
class FaceShift:
    """How one face is seen compared with another.

    xy: (2,) shift to the right and down from the middle of its cut, in diameters. log_size, spread: natural
    logarithm of how much larger it is, and its spread.
    """

    xy: FloatArray
    log_size: float
    spread: float


@lru_cache(maxsize=KEPT_COMPARISONS)
def compare_faces(one: FaceCut, other: FaceCut) -> FaceShift:
    """How the other is seen compared with the one.

    Noise makes the second face of a comparison seem smaller, so each is compared with the other.
    """
    if one is other:
        return FaceShift(xy=np.zeros(2), log_size=0.0, spread=0.0)
    (there, exact_there), (back, exact_back) = one.shift_of(other), other.shift_of(one)
    moved = 0.5 * (there - back)
    spread = 0.5 * float(np.hypot(exact_there, exact_back))
    return FaceShift(xy=moved[:2], log_size=float(moved[2]), spread=spread)
