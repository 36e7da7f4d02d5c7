"""Where the camera stands and what its lens does. Units are mm and pixels of the picture."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.scenes.looks.board import Board

Floats = npt.NDArray[np.float64]
Picture = npt.NDArray[np.float32]
Spot = tuple[float, float, float]

RENDERED_LENSES = {
    "pi2": (62.2, (-0.03, 0.01)),
    "pi3": (66.0, (-0.03, 0.02)),
    "pi3wide": (102.0, (-0.10, -0.01)),
    "webcam": (70.0, (-0.08, 0.02)),
    "phone": (60.0, (-0.01, 0.01)),
    "long": (40.0, (-0.01, 0.01)),
}
"""For each lens its horizontal angle of view in degrees, and the range of its first radial coefficient."""

WIDE_DEG = 90.0
"""Cameras with lenses wider than this (degrees) do not stand low: they would see the horizon."""
VIEWS = ("above", "tilted", "steep", "end", "corner")


@dataclass(frozen=True, kw_only=True)
class Camera:
    """A camera.

    at_mm: where it is. turn: (3, 3) rotation, columns right, up and back. focal: focal length in picture
    widths. k1: first radial coefficient for radii in half diagonals: seen = ideal * (1 + k1 * ideal**2).
    """

    view: str
    lens: str
    size_wh: tuple[int, int]
    at_mm: Spot
    turn: tuple[Spot, ...]
    focal: float
    k1: float

    @property
    def overscan(self) -> float:
        """How many times as wide as the picture the render is, so that distortion finds pixels everywhere."""
        ideal = 1.0
        for _ in range(20):
            ideal = 1.0 / (1.0 + self.k1 * ideal**2)
        return max(ideal, 1.0)

    def seen(self, points_mm: npt.ArrayLike) -> Floats:
        """(N, 3) mm to (N, 3): right, up and ahead of the camera in mm."""
        off = np.asarray(points_mm, dtype=np.float64).reshape(-1, 3) - np.array(self.at_mm)
        turned = off @ np.array(self.turn)
        return np.asarray(turned * np.array([1.0, 1.0, -1.0]), dtype=np.float64)

    def ideal(self, points_mm: npt.ArrayLike) -> Floats:
        """(N, 3) mm to (N, 2) half diagonals from the middle, y downwards, before the lens distorts."""
        seen = self.seen(points_mm)
        share = 2 * self.focal * self.size_wh[0] / math.hypot(*self.size_wh)
        flat = seen[:, :2] * np.array([share, -share]) / np.maximum(seen[:, 2:], 1.0)
        return np.asarray(flat, dtype=np.float64)

    def px(self, points_mm: npt.ArrayLike) -> Floats:
        """(N, 3) mm to (N, 2) pixels of the picture; whole numbers are pixel centres."""
        off = self.ideal(points_mm)
        off = off * (1 + self.k1 * np.minimum((off**2).sum(axis=1, keepdims=True), 4.0))
        spots = off * math.hypot(*self.size_wh) / 2 + np.array(self.size_wh) / 2 - 0.5
        return np.asarray(spots, dtype=np.float64)

    def distorted(self, ideal: Picture) -> Picture:
        """Apply the lens distortion to a render with `overscan`."""
        radius, middle = math.hypot(*self.size_wh) / 2, np.array(self.size_wh) / 2
        x, y = np.meshgrid(
            *((np.arange(n) + 0.5 - m) / radius for n, m in zip(self.size_wh, middle, strict=True))
        )
        seen = np.hypot(x, y)
        back = seen.copy()
        for _ in range(12):
            back = seen / (1 + self.k1 * back**2)
        share = radius / (1 + self.k1 * back**2) / self.overscan
        maps = [(v * share + m - 0.5).astype(np.float32) for v, m in zip((x, y), middle, strict=True)]
        bent = cv2.remap(ideal, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(bent, dtype=np.float32)

    def as_fine_as(self, width_px: int) -> "Camera":
        """The same camera with pictures of this width."""
        wide, high = self.size_wh
        return replace(self, size_wh=(width_px, width_px * high // wide))

    def nudged(self, rng: np.random.Generator) -> "Camera":
        """The same camera after somebody has touched it."""
        at = np.array(self.at_mm) + rng.normal(0, 6, 3)
        turn = np.array(self.turn) @ _turned(rng.normal(0, 0.8), rng.normal(0, 0.8), rng.normal(0, 1.0))
        return replace(self, at_mm=as_spot(at), turn=rows(turn))


def corners_mm(board: Board) -> Floats:
    """(4, 3) top left, top right, bottom right, bottom left of the field on the board's surface."""
    wide, high = board.field_wh[0] / 2, board.field_wh[1] / 2
    return np.array([(-wide, high, 0), (wide, high, 0), (wide, -high, 0), (-wide, -high, 0)])


def as_spot(at: Floats) -> Spot:
    """(3,) as a tuple."""
    return float(at[0]), float(at[1]), float(at[2])


def rows(turn: Floats) -> tuple[Spot, ...]:
    """A (3, 3) rotation as tuples."""
    return tuple(as_spot(row) for row in turn)


def _turned(about_x: float, about_y: float, about_z: float) -> Floats:
    """(3, 3) rotation by degrees about the camera's own axes."""
    made, _ = cv2.Rodrigues(np.radians(np.array([about_x, about_y, about_z], dtype=np.float64)))
    return np.asarray(made, dtype=np.float64)


def looking(azimuth: float, elevation: float, roll: float) -> Floats:
    """(3, 3) right, up, back of a camera that stands in this direction from the board; angles in degrees.

    azimuth: 0 is in front of the lower row, 90 at the right end. elevation: 90 is straight above.
    """
    a, e, r = np.radians([azimuth, elevation, roll])
    back = np.array([math.sin(a) * math.cos(e), -math.cos(a) * math.cos(e), math.sin(e)])
    right = np.array([math.cos(a), math.sin(a), 0.0])
    up = np.cross(back, right)
    turned = math.cos(r) * right + math.sin(r) * up
    return np.stack([turned, np.cross(back, turned), back], axis=1)


def camera_by_chance(rng: np.random.Generator, board: Board) -> Camera:
    """A camera that shows the whole board. It fills at most 45 to 95 % of the picture's width, by chance."""
    view = str(rng.choice(VIEWS, p=[0.30, 0.30, 0.20, 0.10, 0.10]))
    azimuth = {"end": float(rng.choice([-90, 90])), "corner": rng.uniform(-40, 40)}.get(view, 0.0)
    azimuth += rng.normal(0, 4)
    elevation = {
        "above": rng.uniform(78, 90),
        "tilted": rng.uniform(48, 66),
        "steep": rng.uniform(64, 80),
        "end": rng.uniform(55, 88),
        "corner": rng.uniform(48, 80),
    }[view]
    if rng.random() < 0.08:
        elevation = rng.uniform(38, 50)
    lens = str(rng.choice(list(RENDERED_LENSES), p=[0.18, 0.22, 0.14, 0.18, 0.20, 0.08]))
    angle, k1 = RENDERED_LENSES[lens]
    if angle > WIDE_DEG:
        elevation = max(elevation, 58.0)
    size = (640, 480)
    if rng.random() < 0.07:
        size = (1280, 960) if rng.random() < 0.5 else (1280, 720)
    camera = Camera(
        view=view,
        lens=lens,
        size_wh=size,
        at_mm=(0.0, 0.0, 1000.0),
        turn=rows(looking(azimuth, elevation, rng.normal(0, 2.5))),
        focal=0.5 / math.tan(math.radians(angle * rng.uniform(0.93, 1.05)) / 2),
        k1=float(rng.uniform(*k1)),
    )
    return _fitted(rng, camera, board)


def _fitted(rng: np.random.Generator, camera: Camera, board: Board) -> Camera:
    """The camera as near as a width of the board, drawn by chance, allows, with the whole board in view."""
    left, right, low, high = board.outer
    rim = np.array([(x, y, z) for x in (left, right) for y in (low, high) for z in (board.wall,)])
    wanted, within = max(rng.uniform(0.45, 0.95, 2)), rng.uniform(0.9, 0.99)
    centre = np.array([0.0, 0.0, 0.0])
    near, far = 150.0, 6000.0
    size = np.array(camera.size_wh)
    back = np.array(camera.turn)[:, 2]
    for _ in range(22):
        away = math.sqrt(near * far)
        for _ in range(3):
            camera = replace(camera, at_mm=as_spot(centre + away * back))
            ends = camera.px(rim)
            middle = (ends.min(axis=0) + ends.max(axis=0)) / 2 - (size - 1) / 2
            per_px = away / (camera.focal * size[0])
            shift = np.array(camera.turn)[:, :2] @ (middle * per_px * np.array([1, -1]))
            centre = centre + np.array([shift[0], shift[1], 0.0])
        width = (ends[:, 0].max() - ends[:, 0].min()) / size[0]
        over = np.abs(ends - (size - 1) / 2).max(axis=0) / (size / 2)
        too_big = width > wanted or over.max() > within or camera.seen(rim)[:, 2].min() < 60
        near, far = (away, far) if too_big else (near, away)
    spare = np.maximum(within - over, 0.0) * rng.uniform(-0.9, 0.9, 2) * size / 2
    shift = np.array(camera.turn)[:, :2] @ (spare * per_px * np.array([1, -1]))
    return replace(camera, at_mm=as_spot(np.array(camera.at_mm) + shift))
