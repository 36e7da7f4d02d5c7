"""Whole games from recordings that are altered as other cameras, colours and light would show them.

    python -m tests.benchmarks.altered_recordings DATA [--ways WAY ...]

Takes the labelled recordings under DATA/recordings. Nothing is given: no corners, no bar, no dice sensor.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from controller.service.recordings.recording import Recording, open_recording
from hardware.camera import FolderCamera, Frame, VideoCamera
from tests.benchmarks.half_turns import recorded_rightly, without_dice, without_geometry

Image = npt.NDArray[np.uint8]
Values = npt.NDArray[np.float32]
Rng = np.random.Generator
Way = Callable[[Image, int, Rng], npt.NDArray[np.generic]]
"""From a picture (h, w, 3), its time in ms and a random generator to the altered picture, 0 to 255."""


def _mirrored(image: Image, t_ms: int, rng: Rng) -> Image:
    """The mirror image, with its colour channels exchanged."""
    return image[:, ::-1, [1, 2, 0]]


def _turned(image: Image, t_ms: int, rng: Rng) -> Image:
    return np.rot90(image)


def _from_the_side(image: Image, t_ms: int, rng: Rng) -> Image:
    return _moved(image, [(0.22, 0.12), (0.80, 0.06), (0.99, 0.93), (0.03, 0.97)])


def _far_away(image: Image, t_ms: int, rng: Rng) -> Image:
    return _moved(image, [(0.27, 0.2), (0.77, 0.2), (0.77, 0.7), (0.27, 0.7)])


def _moved(image: Image, corners: list[tuple[float, float]]) -> Image:
    """The picture with its corners moved to these shares of its size; its edges fill what is left."""
    size = np.array(image.shape[1::-1], dtype=np.float32)
    corner = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype=np.float32)
    move = cv2.getPerspectiveTransform(corner * size, np.array(corners, dtype=np.float32) * size)
    wide, high = image.shape[1::-1]
    moved = cv2.warpPerspective(image, move, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.uint8)


def _small(image: Image, t_ms: int, rng: Rng) -> Values:
    high, wide = image.shape[:2]
    half = cv2.resize(image, (wide // 2, high // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(half + rng.normal(0, 6, half.shape), dtype=np.float32)


def _dim(image: Image, t_ms: int, rng: Rng) -> Values:
    dark = cv2.GaussianBlur(0.3 * image.astype(np.float32), (0, 0), 1.2)
    return np.asarray(dark + rng.normal(0, 4, dark.shape), dtype=np.float32)


def _sunlit(image: Image, t_ms: int, rng: Rng) -> Values:
    """In warm light, with the edge of a shadow that crosses the picture in two and a half minutes."""
    high, wide = image.shape[:2]
    y, x = np.mgrid[0:high, 0:wide].astype(np.float32)
    angle = 0.6 + 0.15 * np.sin(t_ms / 60_000)
    beyond = x * np.cos(angle) + y * np.sin(angle) - (0.25 + t_ms / 150_000 % 1.2) * wide
    sun = 1 + 0.9 / (1 + np.exp(np.clip(-beyond / 6, -50, 50)))
    warm = (image / np.float32(255)) ** 1.5 * np.array([0.75, 1.0, 1.2], dtype=np.float32)
    return np.asarray(255 * warm * sun[..., None], dtype=np.float32)


def _overexposed(image: Image, t_ms: int, rng: Rng) -> Values:
    return image.astype(np.float32) * np.float32(1.6) + np.float32(10)


def _blue(image: Image, t_ms: int, rng: Rng) -> Values:
    return image.astype(np.float32) * np.array([1.35, 0.95, 0.6], dtype=np.float32)


def _grey(image: Image, t_ms: int, rng: Rng) -> Values:
    return np.repeat(image.mean(axis=2, keepdims=True, dtype=np.float32), 3, axis=2)


def _other_colours(image: Image, t_ms: int, rng: Rng) -> Image:
    """Every hue moved on by a third of the colour circle."""
    colours = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    colours[..., 0] = (colours[..., 0].astype(np.int64) + 60) % 180
    return np.asarray(cv2.cvtColor(colours, cv2.COLOR_HSV2BGR), dtype=np.uint8)


def _noisy(image: Image, t_ms: int, rng: Rng) -> Image:
    """With noise, and packed into a small JPEG."""
    noisy = _rounded(image + rng.normal(0, 10, image.shape))
    _, packed = cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 25])
    return np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)


def _shaken(image: Image, t_ms: int, rng: Rng) -> Values:
    """Moved by a few pixels, and brighter or darker, differently in each picture."""
    high, wide = image.shape[:2]
    move = np.column_stack([np.eye(2), rng.normal(0, 2.5, 2)])
    moved = cv2.warpAffine(image, move, (wide, high), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved * np.exp(rng.normal(0, 0.12)), dtype=np.float32)


WAYS: dict[str, Way] = {
    "mirrored": _mirrored,
    "turned": _turned,
    "from-the-side": _from_the_side,
    "far-away": _far_away,
    "small": _small,
    "dim": _dim,
    "sunlit": _sunlit,
    "overexposed": _overexposed,
    "blue": _blue,
    "grey": _grey,
    "other-colours": _other_colours,
    "noisy": _noisy,
    "shaken": _shaken,
}


@dataclass
class AlteredCamera:
    """The frames of a recording, each altered in one way."""

    camera: FolderCamera | VideoCamera
    way: Way

    def __len__(self) -> int:
        return len(self.camera)

    @property
    def problems(self) -> list[str]:
        return self.camera.problems

    @property
    def broke_off(self) -> bool:
        return self.camera.broke_off

    @property
    def ended(self) -> bool:
        return self.camera.ended

    def next_frame(self) -> Frame | None:
        frame = self.camera.next_frame()
        if frame is None:
            return None
        altered = self.way(frame.image_bgr, frame.t_ms, np.random.default_rng(frame.t_ms))
        return Frame(t_ms=frame.t_ms, image_bgr=_rounded(altered))

    def close(self) -> None:
        self.camera.close()


def _rounded(values: npt.NDArray[np.generic]) -> Image:
    return np.ascontiguousarray(np.clip(values, 0, 255), dtype=np.uint8)


def altered(recording: Recording, way: Way) -> Recording:
    """The recording altered in that way, without geometry and dice sensor."""
    camera = cast(FolderCamera, AlteredCamera(recording.camera, way))
    return replace(without_dice(without_geometry(recording)), camera=camera)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS), metavar="WAY")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    for folder in sorted(path.parent for path in asked.data.glob("recordings/*/truth.jsonl")):
        for name in asked.ways:
            line = recorded_rightly(folder, altered(open_recording(folder), WAYS[name]))
            print(f"{folder.name:24s} {name:14s} {line}", flush=True)


if __name__ == "__main__":
    main()
