"""Measures how the light on a picture differs from the light of the calibration."""

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from vision.appearance.scene import CHECKER_PX, SceneImage
from vision.geometry import Map, Mask

Number = TypeVar("Number", np.float32, np.uint8)

LIGHT_STEPS = 3
"""Samples of the light over the distance in which it may change; guess."""
COLOUR_STEP = 5
"""The light's colour is measured on every so many of these samples; guess."""
FAR_REACH_FACTOR = 2
"""The light is first measured over so many times the distance, so that a new checker matters less; guess."""
DARK_LEVELS = 20
"""Levels added to a colour before the misfit is divided by it; guess."""
FAR_MISFIT_SHARE, NEAR_MISFIT_SHARE = 0.55, 0.25
"""Samples with a larger misfit, as a share of their colour, are left out far and near; guesses."""
FITTING_SHARE = 0.06
"""A colour fits when it is off by less than this share; guess."""
LOCAL_LIGHT_SHARES = (0.12, 0.3)
"""Share of misfits up to which the far light is used, and from which only the near light is; guesses."""
LIGHT_REACH_PX = 0.75 * CHECKER_PX
"""Distance within which glare begins and ends, in scene pixels; guess."""
RATIO_LEVELS = 4
"""Levels added to both colours before their ratio is taken; guess."""
COLOUR_RIDGE_LEVELS, COLOUR_RIDGE_SHARE = 30.0, 0.01
"""Levels, and share of the samples, that hold the colour correction near a plain gain; guesses."""
COLOUR_ROUNDS, COLOUR_MISFIT_LEVELS = 3, 12
"""Rounds of the robust fit of colours, and the misfit in levels at which a sample counts a quarter;
guesses."""
NEED_OFFSET, MEAN_OFFSET = 0.02, 0.05
"""Weights added so that means over few usable samples stay finite; guesses."""
LINE_RIDGE = 60
"""Squared levels that hold the local gain near one; guess."""
LOCAL_GAINS = (0.2, 4.0)
"""Least and greatest local gain; guess."""


@dataclass(frozen=True, kw_only=True)
class LightChange:
    """How the light of a picture differs from the calibration's.

    correction: (3, 4) takes a colour of the picture to the calibration's light. gain, offset: (H, W, 3) what
    is left, pixel by pixel: shade, and glare that comes or goes. The bare board is then expected at gain *
    colour + offset. local: (H, W) from 0 to 1, the weight of the light measured near by.
    """

    correction: Map
    gain: SceneImage
    offset: SceneImage
    local: Map

    @staticmethod
    def unchanged(scene: SceneImage) -> "LightChange":
        """The calibration's own light, for a scene of this size."""
        return LightChange(
            correction=np.eye(3, 4, dtype=np.float32),
            gain=np.ones_like(scene),
            offset=np.zeros_like(scene),
            local=np.zeros(scene.shape[:2], dtype=np.float32),
        )

    def corrected(self, scene: SceneImage) -> SceneImage:
        """The scene in the calibration's light, without the local change."""
        return np.asarray(cv2.transform(scene, self.correction), dtype=np.float32)

    def undone(self, scene: SceneImage) -> SceneImage:
        """The scene in the calibration's light, the local change included."""
        return np.asarray((self.corrected(scene) - self.offset) / self.gain, dtype=np.float32)


def channel_sum(scene: SceneImage) -> Map:
    """(H, W): the three channels added up, faster than numpy along a short axis."""
    return np.asarray(cv2.transform(scene, np.ones((1, 3), dtype=np.float32)), dtype=np.float32)


def channel_max(scene: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """(H, W): the greatest of the three channels."""
    greatest: npt.NDArray[Number] = np.maximum(np.maximum(scene[..., 0], scene[..., 1]), scene[..., 2])
    return greatest


def light_on(
    scene: SceneImage, expected: SceneImage, bare: Mask, reach_px: float = LIGHT_REACH_PX
) -> LightChange:
    """The change of light on a scene, from how it differs from the expected scene.

    expected: (H, W, 3) the board with the checkers last read on it, in the calibration's light.
    bare: (H, W) where no checker lay when the board was last read.
    reach_px: the light changes over no shorter distance than this.
    """
    step = int(reach_px / LIGHT_STEPS)
    small, base = (_thinned(picture, step) for picture in (scene, expected))
    usable = bare[step // 2 :: step, step // 2 :: step]
    correction = _colour_correction(small, base)
    small = np.asarray(cv2.transform(small, correction), dtype=np.float32)
    scale = channel_max(base) + DARK_LEVELS
    reach = 2 * LIGHT_STEPS + 1
    misfit = channel_max(np.abs(small - base)) / scale
    wide = _local_line(
        small, base, (usable & (misfit < FAR_MISFIT_SHARE)).astype(np.float32), FAR_REACH_FACTOR * reach
    )
    misfit = channel_max(np.abs(small - (wide[0] * base + wide[1]))) / scale
    need = _need(np.asarray(misfit, dtype=np.float32), usable, 2 * FAR_REACH_FACTOR * reach + 1)[..., None]
    gain, offset = wide
    if need.any():
        near = _local_line(small, base, (usable & (misfit < NEAR_MISFIT_SHARE)).astype(np.float32), reach)
        gain, offset = (narrow * need + broad * (1 - need) for narrow, broad in zip(near, wide, strict=True))
    size = (scene.shape[1], scene.shape[0])
    return LightChange(
        correction=correction,
        gain=_grown(gain, size),
        offset=_grown(offset, size),
        local=_grown(need[..., 0], size),
    )


def _thinned(scene: SceneImage, step: int) -> SceneImage:
    smooth = cv2.blur(scene, (step - 1, step - 1))
    return np.asarray(smooth[step // 2 :: step, step // 2 :: step], dtype=np.float32)


def _grown(small: SceneImage, size_wh: tuple[int, int]) -> SceneImage:
    return np.asarray(cv2.resize(small, size_wh, interpolation=cv2.INTER_LINEAR), dtype=np.float32)


def _colour_correction(small: SceneImage, base: SceneImage) -> Map:
    """(3, 4) affine map of colours from the picture to the calibration, robust against what is new."""
    correction = np.eye(3, 4, dtype=np.float32)
    seen, meant = small.reshape(-1, 3)[::COLOUR_STEP], base.reshape(-1, 3)[::COLOUR_STEP]
    gain = np.median((meant + RATIO_LEVELS) / (seen + RATIO_LEVELS), axis=0)
    correction[:, :3] = np.diag(gain)
    design = np.hstack([seen, np.ones((len(seen), 1), np.float32)])
    ridge = np.diag([*3 * (COLOUR_RIDGE_LEVELS,), 1.0]) ** 2 * len(seen) * COLOUR_RIDGE_SHARE
    for _ in range(COLOUR_ROUNDS):
        rest = channel_max(np.abs(design @ correction.T - meant))
        weight = 1 / (1 + (rest / COLOUR_MISFIT_LEVELS) ** 2) ** 2
        normal = (design * weight[:, None]).T @ design + ridge
        pull = (design * weight[:, None]).T @ meant + ridge[:, :3] * gain
        correction = np.linalg.solve(normal, pull).T.astype(np.float32)
    return correction


def _need(misfit: Map, usable: Mask, width: int) -> SceneImage:
    """(h, w) from 0 to 1: the weight of the near light, larger where the far light explains little."""
    reach = (width, width)
    bad = cv2.blur((usable & (misfit > FITTING_SHARE)).astype(np.float32), reach)
    share = bad / (cv2.blur(usable.astype(np.float32), reach) + NEED_OFFSET)
    return np.clip((share - LOCAL_LIGHT_SHARES[0]) / (LOCAL_LIGHT_SHARES[1] - LOCAL_LIGHT_SHARES[0]), 0, 1)


def _local_line(
    small: SceneImage, base: SceneImage, weight: Map, width: int
) -> tuple[SceneImage, SceneImage]:
    """Gain and offset (h, w, 3) of the local straight line from expected to seen colours (a guided
    filter, He 2013)."""
    reach = (width, width)
    share = cv2.blur(weight, reach)[..., None] + MEAN_OFFSET
    weight = weight[..., None]

    def mean(values: SceneImage, otherwise: SceneImage) -> SceneImage:
        return np.asarray(
            (cv2.blur(values * weight, reach) + MEAN_OFFSET * otherwise) / share, dtype=np.float32
        )

    base_mean, seen_mean = mean(base, base), mean(small, base)
    spread = mean(base * base, base * base) - base_mean * base_mean
    joint = mean(base * small, base * base) - base_mean * seen_mean
    gain = np.clip((joint + LINE_RIDGE) / (spread + LINE_RIDGE), *LOCAL_GAINS)
    offset = seen_mean - gain * base_mean
    return cv2.blur(gain, reach), cv2.blur(offset, reach)
