"""Log densities of each pixel of a scene, for the empty board and for each colour of checker.

All scenes are compared in the light of the calibration (see vision.appearance.light_change).
"""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.appearance.light_change import LightChange, channel_sum
from vision.appearance.scene import SceneImage
from vision.geometry import Map, Mask

BIN_LEVELS = 8
"""Levels of one channel in a bin of a colour histogram; guess."""
BINS = 256 // BIN_LEVELS
BIN_STRIDES = np.array([[BINS * BINS, BINS, 1]], dtype=np.float32)
NEAR_BLUR_BINS, FAR_BLUR_BINS, NEAR_SHARE = 0.8, 2.0, 0.6
"""Standard deviations of a histogram's two blurs in bins, and the share of the narrow one; guesses."""
OUTLIER_SHARE = 0.02
"""Share of pixels that no model explains: dice, reflections, dirt; guess."""
LOG_UNIFORM = float(-3 * np.log(256))
"""Log density of a colour when all colours are equally likely, in nats."""
FOREIGN_NATS = LOG_UNIFORM - 0.5
"""A pixel whose best log density is lower shows something that the models do not know, in nats; guess."""
MOST_PIXEL_NATS = 10.0
"""Greatest log-likelihood ratio of a single pixel, in nats: beyond it the models are not trusted; guess."""
DEEPEST_SHADOW = 0.45
"""Least share of the light that a shadow leaves; guess."""
SHADOW_NATS = 4.5
"""Cost of explaining a pixel by the deepest shadow, in nats; guess."""
INFERRED_LEVELS = 3.0
"""Further deviation where the bare board is inferred, in levels; guess."""
LEAST_DEVIATION_LEVELS = 4.0
"""Deviation of a still picture through compression and resampling, in levels; guess."""
EDGE_SHIFT_PX = 0.5
"""How far the scene may be displaced, in scene pixels; guess."""


@dataclass(frozen=True, kw_only=True)
class ColourModel:
    """The colours a kind of checker shows: log density (BINS, BINS, BINS) over blue, green, red."""

    log_density: Map

    @staticmethod
    def from_pixels(
        pixels: npt.NDArray[np.float32],
    ) -> "ColourModel":
        """Learn from (N, 3) pixels of checkers: a smoothed histogram with a floor for the unexpected."""
        counts = (
            np.bincount(colour_bins(pixels), minlength=BINS**3).reshape(BINS, BINS, BINS).astype(np.float64)
        )
        near, far = _blurred(counts, NEAR_BLUR_BINS), _blurred(counts, FAR_BLUR_BINS)
        density = (NEAR_SHARE * near + (1 - NEAR_SHARE) * far) / max(counts.sum(), 1e-9) / BIN_LEVELS**3
        uniform = np.exp(LOG_UNIFORM)
        mixed = (1 - OUTLIER_SHARE) * density + OUTLIER_SHARE * uniform
        return ColourModel(log_density=np.log(mixed).astype(np.float32))

    def log_density_of_bins(self, bins: npt.NDArray[np.int32]) -> Map:
        """(H, W) log density of each pixel, given by its bin (see colour_bins)."""
        return np.asarray(self.log_density.ravel().take(bins), dtype=np.float32)


def colour_bins(colours: npt.NDArray[np.float32]) -> npt.NDArray[np.int32]:
    """(...) the bin of each of (..., 3) colours in a flattened ColourModel."""
    bins = np.clip(colours, 0, 255).astype(np.uint8) // BIN_LEVELS
    index = cv2.transform(bins.reshape(-1, 1, 3).astype(np.float32), BIN_STRIDES)
    return np.asarray(index.reshape(colours.shape[:-1]), dtype=np.int32)


def _blurred(counts: npt.NDArray[np.float64], sigma_bins: float) -> npt.NDArray[np.float64]:
    """A (n, n, n) histogram blurred along its three axes."""
    reach = int(3 * sigma_bins + 1)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma_bins) ** 2)
    kernel /= kernel.sum()
    for axis in range(3):
        padded = np.pad(counts, [(reach, reach) if a == axis else (0, 0) for a in range(3)], mode="edge")
        counts = sum(
            weight * padded.take(range(shift, shift + BINS), axis=axis) for shift, weight in enumerate(kernel)
        )
    return counts


@dataclass(frozen=True, kw_only=True)
class EmptyBoard:
    """The board without checkers, as a scene.

    colour: (H, W, 3). deviation: (H, W) standard deviation of a channel in levels, by noise and by edges that
    shift by a fraction of a pixel. known: (H, W) where it was really seen and not inferred from its
    neighbours. evening: (H, W, 1) factor that takes colours to even light; ones where that is not known.
    noise: standard deviation of a pixel in levels.
    """

    colour: SceneImage
    deviation: Map
    known: Mask
    evening: SceneImage
    noise: float

    @cached_property
    def _scale(self) -> Map:
        return np.asarray(-0.5 / (self.deviation * self.deviation), dtype=np.float32)

    @cached_property
    def _peak(self) -> Map:
        """Log density of a pixel that fits exactly, less what the deepest shadow would cost."""
        peak = -3 * np.log(self.deviation * np.sqrt(2 * np.pi)) - SHADOW_NATS / (1 - DEEPEST_SHADOW)
        return np.asarray(peak, dtype=np.float32)

    @staticmethod
    def from_scene(colour: SceneImage, known: Mask, noise: float) -> "EmptyBoard":
        """From a scene and the noise (standard deviation in levels) of its pixels."""
        grey = cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)
        across = cv2.Sobel(grey, cv2.CV_32F, 1, 0, scale=0.125)
        along = cv2.Sobel(grey, cv2.CV_32F, 0, 1, scale=0.125)
        edges = cv2.dilate(np.hypot(across, along).astype(np.float32), np.ones((3, 3), np.uint8))
        guess = np.where(known, 0.0, INFERRED_LEVELS).astype(np.float32)
        deviation = np.sqrt((noise + LEAST_DEVIATION_LEVELS) ** 2 + (EDGE_SHIFT_PX * edges) ** 2 + guess**2)
        even = np.ones((*grey.shape, 1), dtype=np.float32)
        return EmptyBoard(
            colour=colour, deviation=deviation.astype(np.float32), known=known, evening=even, noise=noise
        )

    def with_seen(self, scene: SceneImage, bare: Mask) -> "EmptyBoard":
        """The board with what a scene, in the same light, first shows bare."""
        first_seen = bare & ~self.known
        if not first_seen.any():
            return self
        colour = np.where(first_seen[..., None], scene, self.colour)
        return replace(
            EmptyBoard.from_scene(colour, self.known | first_seen, self.noise), evening=self.evening
        )

    def evenly_lit(self, scene: SceneImage) -> SceneImage:
        """A scene as if the light fell evenly on the board."""
        return scene * self.evening

    def log_density(self, scene: SceneImage, light: LightChange | None = None) -> Map:
        """(H, W) log density of each pixel of a scene (its colours corrected) being bare board."""
        colour = self.colour if light is None else light.gain * self.colour + light.offset
        product = scene * colour
        both = channel_sum(product)
        norm = np.maximum(channel_sum(np.multiply(colour, colour, out=product)), 1.0)
        share = np.clip(both / norm, DEEPEST_SHADOW, 1.0)
        rest = channel_sum(np.multiply(scene, scene, out=product)) + share * (share * norm - 2 * both)
        fit = rest * self._scale + self._peak + share * (SHADOW_NATS / (1 - DEEPEST_SHADOW))
        floor = np.float32(LOG_UNIFORM + np.log(OUTLIER_SHARE))
        return np.asarray(np.maximum(fit, floor), dtype=np.float32)
