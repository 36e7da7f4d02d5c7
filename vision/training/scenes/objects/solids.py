"""Things as unions of convex parts, whose outlines can be drawn without rendering.

A part is the convex hull of (N, 3) points in mm.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.scenes.camera import Camera, Floats, Spot
from vision.training.scenes.looks.prints import USUAL_PIPS
from vision.training.scenes.looks.tones import Rgb

Mask = npt.NDArray[np.uint8]

_GOLDEN = math.pi * (3 - math.sqrt(5))
_BALL = np.array(
    [
        (math.sqrt(1 - z * z) * math.cos(k * _GOLDEN), math.sqrt(1 - z * z) * math.sin(k * _GOLDEN), z)
        for k, z in enumerate(np.linspace(-1, 1, 40))
    ]
)


def capsule(one: Spot, other: Spot, radius_one: float, radius_other: float) -> Floats:
    """Two balls and what lies between them."""
    return np.concatenate([np.array(one) + radius_one * _BALL, np.array(other) + radius_other * _BALL])


def disc(foot: Spot, radius: float, height: float, count: int = 24) -> Floats:
    """An upright cylinder."""
    angles = np.linspace(0, 2 * math.pi, count, endpoint=False)
    ring = np.stack([np.cos(angles) * radius, np.sin(angles) * radius, np.zeros(count)], axis=1) + np.array(
        foot
    )
    return np.concatenate([ring, ring + np.array([0, 0, height])])


def box(middle: Spot, size: Spot, turn: Floats) -> Floats:
    """A box about its middle, turned by a (3, 3) rotation."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
    return np.asarray(signs * np.array(size) @ np.asarray(turn).T + np.array(middle), dtype=np.float64)


def turned(yaw: float, tilt: float = 0.0, towards: float = 0.0) -> Floats:
    """(3, 3) rotation by `yaw` about the vertical, then by `tilt` in the direction `towards`; in degrees."""
    y, d = math.radians(yaw), math.radians(towards)
    upright = np.array([[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1.0]])
    axis = np.array([-math.sin(d), math.cos(d), 0.0]) * math.radians(tilt)
    return np.asarray(cv2.Rodrigues(axis)[0] @ upright, dtype=np.float64)


def drawn(camera: Camera, parts: list[Floats], share: float = 1.0) -> Mask:
    """(H, W) mask, 255 where one of the parts is seen, at `share` of the camera's picture size."""
    width, height = (round(n * share) for n in camera.size_wh)
    mask = np.zeros((height, width), dtype=np.uint8)
    for part in parts:
        ahead = camera.seen(part)[:, 2] > 20
        if not ahead.any():
            continue
        spots = ((camera.px(part[ahead]) + 0.5) * share - 0.5) * 16
        hull = cv2.convexHull(np.clip(spots, -1e6, 1e6).astype(np.int32).reshape(-1, 1, 2))
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_8, 4)
    return mask


@dataclass(frozen=True, kw_only=True)
class Solid:
    """One convex part of a thing.

    shape: "box" (at is its middle, size its sides, turn its rotation), "capsule" (from at to end) or "disc"
    (at is the middle of its foot, size[2] its height). radii: of the capsule's two ends, of the disc, or of
    the box's edges. printed: what is drawn on a box's faces: "die", "cube", "screen", "lines" or nothing.
    pips: as USUAL_PIPS.
    """

    shape: str
    at: Spot
    end: Spot = (0.0, 0.0, 0.0)
    size: Spot = (1.0, 1.0, 1.0)
    turn: tuple[Spot, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    radii: tuple[float, float] = (0.0, 0.0)
    colour: Rgb = (0.5, 0.5, 0.5)
    second: Rgb = (0.0, 0.0, 0.0)
    gloss: float = 0.3
    printed: str = ""
    pips: tuple[float, float] = USUAL_PIPS

    def hull(self) -> Floats:
        """The points of its convex hull."""
        if self.shape == "box":
            return box(self.at, self.size, np.array(self.turn))
        if self.shape == "disc":
            return disc(self.at, self.radii[0], self.size[2])
        return capsule(self.at, self.end, *self.radii)


@dataclass(frozen=True, kw_only=True)
class Thing:
    """Something that lies, stands or is held over the table. hides: whether it covers what is to be read."""

    name: str
    solids: tuple[Solid, ...]
    hides: bool = True

    def hulls(self) -> list[Floats]:
        return [solid.hull() for solid in self.solids]


def limb(one: Spot, other: Spot, radii: tuple[float, float], colour: Rgb) -> Solid:
    """A capsule."""
    return Solid(shape="capsule", at=one, end=other, radii=radii, colour=colour)
