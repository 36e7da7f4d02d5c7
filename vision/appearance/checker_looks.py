"""How a checker looks from above: its colours, its mean face, and the pattern of its rings and rim."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.appearance.light_change import LightChange
from vision.appearance.pixel_evidence import (
    FOREIGN_NATS,
    MOST_PIXEL_NATS,
    ColourModel,
    EmptyBoard,
    colour_bins,
)
from vision.appearance.scene import CHECKER_PX, SceneImage
from vision.geometry import FloatArray, Image, Map, Mask
from vision.sharpness import scene_sharpness

FACE_REACH_PX = round(0.6 * CHECKER_PX)
"""Half the width of a mean face in scene pixels: the face and what its rim borders on; guess."""
FACE_MASK: Mask = (
    np.hypot(*np.mgrid[-FACE_REACH_PX : FACE_REACH_PX + 1, -FACE_REACH_PX : FACE_REACH_PX + 1])
    <= 0.48 * CHECKER_PX
)
"""(n, n) the pixels of a mean face within 0.48 diameters of its centre; guess."""
FACE_RADIUS_DIAMETERS = 0.46
"""Radius of the part of a face that certainly belongs to the checker, in diameters; guess."""
FACE_SAMPLES = 8.0
"""Independent pixels that a face is worth, because the errors of neighbours are correlated; guess."""
RIVAL_NATS = 1.0
"""A pixel counts against a colour once it fits the other colour better by so many nats; guess."""
SHAPE_NATS = (-8.0, 10.0)
"""Least and greatest log-likelihood ratio that the pattern of edges may give a checker, in nats; guess."""
LIKENESS_STEPS = 1000
"""Steps per unit of correlation in the table of log-likelihood ratios; guess."""
LEAST_LIKENESS_SPREADS = (0.08, 0.15)
"""Least spread of the correlation at checkers, and at everything else; guesses."""


@dataclass(frozen=True, kw_only=True)
class CheckerShape:
    """The edges of a checker's face: its rim and rings. They depend little on the light.

    pattern: (n, n) mean strength of edges. likeness: mean and spread of the correlation with the pattern at
    checkers, then at everything else.
    """

    pattern: Map
    likeness: tuple[float, float, float, float]

    def log_ratios(self, edges: Map, uneven: Map) -> Map:
        """(H, W) log-likelihood ratio of a checker centred there, from edges and their `unevenness`."""
        steps = (_likeness(edges, self.pattern, uneven) + 1) * LIKENESS_STEPS
        return self._ratio_table.take(steps.astype(np.int32), mode="clip")

    @cached_property
    def _ratio_table(self) -> Map:
        """(2 LIKENESS_STEPS + 1,) the log-likelihood ratios of likenesses from -1 to 1."""
        like = np.arange(-LIKENESS_STEPS, LIKENESS_STEPS + 1) / LIKENESS_STEPS
        mean, spread, other, other_spread = self.likeness
        short = np.minimum(like - mean, 0)
        ratio = -0.5 * (short / spread) ** 2 + 0.5 * (np.maximum(like - other, 0) / other_spread) ** 2
        ratio += np.log(other_spread / spread)
        return np.asarray(np.clip(ratio, *SHAPE_NATS), dtype=np.float32)

    @staticmethod
    def from_edges(edges: Map, centres: npt.NDArray[np.float64], elsewhere: Mask) -> "CheckerShape":
        """From edges with checkers at (N, 2) centres; elsewhere: (H, W) far from any checker's centre."""
        pattern = np.mean([face_at(edges, centre) for centre in centres], axis=0).astype(np.float32)
        like = _likeness(edges, pattern, unevenness(edges))
        best = cv2.dilate(like, np.ones((3, 3), np.uint8))
        x, y = np.rint(centres).astype(int).T
        there, others = best[y, x], like[elsewhere]
        return CheckerShape(
            pattern=pattern,
            likeness=(
                float(there.mean()),
                max(float(there.std()), LEAST_LIKENESS_SPREADS[0]),
                float(others.mean()),
                max(float(others.std()), LEAST_LIKENESS_SPREADS[1]),
            ),
        )


@dataclass(frozen=True, kw_only=True)
class CheckerLook:
    """One side's checkers: their colours, their (n, n, 3) mean face, their shape.

    allowance: nats added in favour of each checker, where the side hardly differs from the board.
    """

    colour: ColourModel
    face: SceneImage
    shape: CheckerShape
    allowance: float = 0.0


@dataclass(frozen=True, kw_only=True)
class SceneEvidence:
    """Log-likelihoods of a scene, for light (0) and dark (1) checkers against the bare board.

    centres: (2, H, W) log-likelihood ratio of a checker being centred on each pixel. fits: (3, H, W) log
    density of each pixel being bare board, a light, a dark checker. sharpness: see `scene_sharpness`.
    """

    centres: Map
    fits: Map
    sharpness: float

    @property
    def foreign(self) -> Mask:
        """(H, W) where neither the bare board nor a checker of either colour explains what is seen."""
        return np.asarray(self.fits.max(axis=0) < FOREIGN_NATS, dtype=np.bool_)

    def other_than(self, kinds: Image) -> Mask:
        """(H, W) where something else is seen than expected: 0 bare, 1 light, 2 dark, 3 anything."""
        expected = np.choose(np.minimum(kinds, 2), self.fits)
        return np.asarray((expected < FOREIGN_NATS) & (kinds < 3), dtype=np.bool_)


def weigh_scene(
    scene: SceneImage, empty: EmptyBoard, looks: tuple[CheckerLook, CheckerLook], light: LightChange
) -> SceneEvidence:
    """The evidence of a scene whose colours are corrected for the light."""
    edges = edges_of(scene)
    pixels, fits = pixel_evidence(scene, empty, (looks[0].colour, looks[1].colour), light)
    centres, uneven = face_evidence(pixels), unevenness(edges)
    for side, look in zip(centres, looks, strict=True):
        side += look.shape.log_ratios(edges, uneven)
        if look.allowance:
            side += look.allowance * (1 - light.local)
    return SceneEvidence(centres=centres, fits=fits, sharpness=scene_sharpness(edges))


def face_evidence(pixels: Map) -> Map:
    """(2, H, W): the log-likelihood ratio of a checker's face, summed over its pixels.

    The sum is taken at half the resolution: sums over a face are smooth.
    """
    height, width = pixels.shape[1:]
    sums = []
    for side in pixels:
        half = cv2.resize(side, ((width + 1) // 2, (height + 1) // 2), interpolation=cv2.INTER_AREA)
        disc = cv2.filter2D(half, cv2.CV_32F, FACE_SAMPLES * HALF_DISC)
        sums.append(cv2.resize(disc, (width, height), interpolation=cv2.INTER_LINEAR))
    return np.stack(sums)


def _disc(radius_px: float) -> Map:
    """A soft-edged disc, its sum one."""
    reach = int(np.ceil(radius_px))
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius_px + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(kernel / kernel.sum(), dtype=np.float32)


HALF_DISC = _disc(FACE_RADIUS_DIAMETERS * CHECKER_PX / 2)
"""Weights of a face's pixels at half the resolution of the scene."""


def pixel_evidence(
    scene: SceneImage,
    empty: EmptyBoard,
    colours: tuple[ColourModel, ColourModel],
    light: LightChange | None = None,
) -> tuple[Map, Map]:
    """(2, H, W) log-likelihood ratios of each pixel for a light and a dark checker, and (3, H, W) its
    fits."""
    bins = colour_bins(empty.evenly_lit(scene))
    fits = np.stack(
        [empty.log_density(scene, light), *(model.log_density_of_bins(bins) for model in colours)]
    )
    ratios = fits[1:] - np.maximum(fits[0], fits[:0:-1] - RIVAL_NATS)
    return np.clip(ratios, -MOST_PIXEL_NATS, MOST_PIXEL_NATS, out=ratios), fits


def edges_of(scene: SceneImage) -> Map:
    """(H, W): the square root of the strength of edges, so that faint rings count beside a glaring rim."""
    grey = cv2.cvtColor(scene, cv2.COLOR_BGR2GRAY)
    across, along = (cv2.Sobel(grey, cv2.CV_32F, dx, 1 - dx) for dx in (1, 0))
    return np.asarray(np.sqrt(cv2.magnitude(across, along)), dtype=np.float32)


def mean_face(scene: SceneImage, centres: npt.NDArray[np.float64]) -> SceneImage:
    """(n, n, 3): the mean of the checkers at (N, 2) centres."""
    return np.asarray(np.mean([face_at(scene, centre) for centre in centres], axis=0), dtype=np.float32)


def paint_face(scene: SceneImage, face: SceneImage, centre: npt.NDArray[np.float64]) -> None:
    """Lay a mean face on a scene at a centre (x, y), cut at the scene's edges."""
    x, y = (round(float(value)) for value in centre)
    height, width = scene.shape[:2]
    rows = slice(max(0, y - FACE_REACH_PX), min(height, y + FACE_REACH_PX + 1))
    cols = slice(max(0, x - FACE_REACH_PX), min(width, x + FACE_REACH_PX + 1))
    part = (
        slice(rows.start - y + FACE_REACH_PX, rows.stop - y + FACE_REACH_PX),
        slice(cols.start - x + FACE_REACH_PX, cols.stop - x + FACE_REACH_PX),
    )
    inside = FACE_MASK[part]
    scene[rows, cols][inside] = face[part][inside]


def draw_discs(mask: Image, centres: FloatArray, radius: float, value: int = 255) -> None:
    """Draw filled discs (radius in checker diameters) round (N, 2) scene pixels into a mask."""
    for x, y in centres:
        cv2.circle(
            mask, (round(16 * x), round(16 * y)), round(16 * radius * CHECKER_PX), (value,), -1, shift=4
        )


def face_at(picture: Map, centre: npt.NDArray[np.float64]) -> Map:
    """The part of a picture round a centre (x, y), its edges repeated where it ends."""
    size = (2 * FACE_REACH_PX + 1, 2 * FACE_REACH_PX + 1)
    return np.asarray(
        cv2.getRectSubPix(picture, size, (float(centre[0]), float(centre[1]))), dtype=np.float32
    )


def unevenness(edges: Map) -> Map:
    """(H, W): the root of the summed squared deviations from their mean of the edges a mean face covers."""
    size = (2 * FACE_REACH_PX + 1, 2 * FACE_REACH_PX + 1)
    total = cv2.boxFilter(edges, cv2.CV_32F, size, normalize=False)
    square = cv2.sqrBoxFilter(edges, cv2.CV_32F, size, normalize=False)
    return np.asarray(cv2.sqrt(np.maximum(square - total * total / (size[0] * size[1]), 1e-3)), np.float32)


def _likeness(edges: Map, pattern: Map, uneven: Map) -> Map:
    """(H, W) correlation of the edges round each pixel with a pattern; 0 where it does not fit in."""
    zero_mean = pattern - pattern.mean()
    zero_mean /= max(float(np.linalg.norm(zero_mean)), 1e-6)
    like = np.zeros_like(edges)
    inside = (slice(FACE_REACH_PX, -FACE_REACH_PX),) * 2
    like[inside] = cv2.matchTemplate(edges, zero_mean, cv2.TM_CCORR) / uneven[inside]
    return like
