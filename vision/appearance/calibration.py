"""Calibrates: learns the board, the checkers and the light from the first pictures of a game.

The pictures may show the empty board first, then the furnished one (the start position). The empty board
helps but is not needed. The caller gives the position: nothing here knows rules.
"""

from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.appearance.checker_looks import (
    CheckerLook,
    CheckerShape,
)
from vision.appearance.light_change import LightChange, light_on
from vision.appearance.look_learning import learn_looks, neat_discs
from vision.appearance.pixel_evidence import ColourModel, EmptyBoard
from vision.appearance.scene import CHECKER_PX, ContrastStretch, SceneImage, SceneView
from vision.appearance.stack_rows import PlaceCounts
from vision.board_reading import N_POINTS
from vision.geometry import COLUMNS_A_HALF, BoardGeometry, FloatArray, Image, Mask

KEPT_EARLIER_SCENES = 6
"""Earlier scenes kept, in case one turns out to show the empty board; guess."""
NEAT_RADIUS_DIAMETERS = 0.75
"""Radius round each checker's neat place that counts as covered, in diameters; guess."""
FILL_REACH_PX = 3.0 * CHECKER_PX
"""Scene pixels from which the light is taken where the board was never seen bare; guess."""
COLUMN_SHARE = 0.52
"""How far from its middle a column is filled in, in widths of a point; guess."""
NOISE_BLUR_PX, NOISE_WINDOW_PX, NOISE_PERCENT = 1.2, 9, 10
"""Blur that leaves the noise, window over which it is averaged, in scene pixels, and the percentile of
windows that counts as quiet; guesses."""
REFERENCE_WIDTH_PX = 640
"""Width in pixels of the whole picture that is kept to notice shifts and foreign bodies; guess."""


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """Everything learnt from the first pictures; see `Calibrator`.

    looks: how light and how dark checkers look. stretch: how pictures are stretched.
    noise: standard deviation of a scene pixel in levels.
    reference_bgr: the whole calibrating picture, reduced to `REFERENCE_WIDTH_PX`.
    counts: what lay on the places in the calibrating picture.
    """

    geometry: BoardGeometry
    empty: EmptyBoard
    looks: tuple[CheckerLook, CheckerLook]
    stretch: ContrastStretch
    noise: float
    reference_bgr: Image
    counts: PlaceCounts

    def save(self, path: Path) -> None:
        """Write to an .npz file."""
        geometry = self.geometry
        np.savez_compressed(
            path,
            corners_px=np.array(geometry.corners_px),
            image_wh=np.array(geometry.image_wh),
            bar=np.array(geometry.bar),
            lens=np.array([geometry.distortion, geometry.checker_height]),
            measures=np.array([geometry.checker or np.nan, geometry.aspect or np.nan]),
            empty=self.empty.colour.astype(np.float16),
            known=self.empty.known,
            evening=self.empty.evening,
            colours=np.stack([look.colour.log_density for look in self.looks]).astype(np.float16),
            faces=np.stack([look.face for look in self.looks]),
            patterns=np.stack([look.shape.pattern for look in self.looks]),
            likeness=np.array([look.shape.likeness for look in self.looks]),
            allowance=np.array([look.allowance for look in self.looks]),
            tone=np.array([self.stretch.gain, self.stretch.offset]),
            noise=np.array(self.noise),
            reference_bgr=self.reference_bgr,
            counts=np.array(self.counts),
        )

    @staticmethod
    def load(path: Path) -> "Calibration":
        """Read what `save` wrote. Raises CalibrationError when the file is something else."""
        try:
            with np.load(path) as data:
                return _from_arrays({name: data[name] for name in data.files})
        except (OSError, EOFError, ValueError, KeyError) as problem:
            raise CalibrationError(f"{path} holds no calibration ({problem}): calibrate again") from problem


class CalibrationError(ValueError):
    """A calibration cannot be used."""


def _from_arrays(data: dict[str, npt.NDArray[np.float64]]) -> Calibration:
    one, two, three, four = ((float(x), float(y)) for x, y in data["corners_px"])
    checker, aspect = (None if np.isnan(value) else float(value) for value in data["measures"])
    noise = float(data["noise"])
    light, dark = (
        CheckerLook(
            colour=ColourModel(log_density=data["colours"][side].astype(np.float32)),
            face=data["faces"][side].astype(np.float32),
            shape=CheckerShape(
                pattern=data["patterns"][side].astype(np.float32),
                likeness=tuple(data["likeness"][side].tolist()),
            ),
            allowance=float(data["allowance"][side]),
        )
        for side in range(2)
    )
    geometry = BoardGeometry(
        corners_px=(one, two, three, four),
        image_wh=(int(data["image_wh"][0]), int(data["image_wh"][1])),
        bar=(float(data["bar"][0]), float(data["bar"][1])),
        checker=checker,
        aspect=aspect,
        distortion=float(data["lens"][0]),
        checker_height=float(data["lens"][1]),
    )
    if data["empty"].shape[1::-1] != SceneView(geometry=geometry).size_wh:
        raise ValueError("its scene is of another size")
    return Calibration(
        geometry=geometry,
        empty=replace(
            EmptyBoard.from_scene(data["empty"].astype(np.float32), data["known"].astype(bool), noise),
            evening=data["evening"].astype(np.float32),
        ),
        looks=(light, dark),
        stretch=ContrastStretch(gain=float(data["tone"][0]), offset=float(data["tone"][1])),
        noise=noise,
        reference_bgr=data["reference_bgr"].astype(np.uint8),
        counts=tuple(int(count) for count in data["counts"]),
    )


@dataclass(kw_only=True)
class Calibrator:
    """Learns from pictures in order until one shows the board furnished as `start_counts` says.

    start_counts: 24 numbers, the checkers on each place, light positive and dark negative.
    """

    geometry: BoardGeometry
    start_counts: PlaceCounts
    _view: SceneView = field(init=False)
    _earlier: list[SceneImage] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        if len(self.start_counts) != N_POINTS or not (min(self.start_counts) < 0 < max(self.start_counts)):
            raise CalibrationError("calibrating needs 24 counts with checkers of both colours")
        self._view = SceneView(geometry=self.geometry)

    def learn_from(self, image_bgr: Image, t_ms: int) -> Calibration | None:
        """Learn from the next picture; the calibration once it shows the furnished board, else None."""
        seen = self._view.scene(image_bgr)
        stretch = ContrastStretch.for_picture(seen)
        scene, noise = stretch.stretched(seen), noise_of(stretch.stretched(seen))
        covered = neat_discs(self._view, self.start_counts, NEAT_RADIUS_DIAMETERS)
        earlier = [stretch.stretched(bare) for bare in reversed(self._earlier)]
        known = [EmptyBoard.from_scene(bare, np.ones_like(covered), noise) for bare in earlier]
        inferred = EmptyBoard.from_scene(_filled_board(self._view, scene, covered), ~covered, noise)
        for empty in (*known, inferred):
            learnt = learn_looks(self._view, scene, empty, self.start_counts)
            if learnt is not None:
                empty, looks = learnt
                return Calibration(
                    geometry=self.geometry,
                    empty=empty,
                    looks=looks,
                    stretch=stretch,
                    noise=noise,
                    reference_bgr=reduced(image_bgr),
                    counts=tuple(self.start_counts),
                )
        self._earlier = [*self._earlier[-(KEPT_EARLIER_SCENES - 1) :], seen]
        return None


def reduced(image_bgr: Image) -> Image:
    """The whole picture at `REFERENCE_WIDTH_PX`."""
    height, width = image_bgr.shape[:2]
    size = (REFERENCE_WIDTH_PX, round(height * REFERENCE_WIDTH_PX / width))
    whole = width % REFERENCE_WIDTH_PX == 0 or width > 2 * REFERENCE_WIDTH_PX
    means = cv2.INTER_AREA if whole else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image_bgr, size, interpolation=means), dtype=np.uint8)


def noise_of(scene: SceneImage) -> float:
    """Standard deviation of a pixel's noise in levels, from the quietest tenth of the scene."""
    grey = cv2.cvtColor(scene, cv2.COLOR_BGR2GRAY)
    rest = grey - cv2.GaussianBlur(grey, (0, 0), NOISE_BLUR_PX)
    local = cv2.blur(rest * rest, (NOISE_WINDOW_PX, NOISE_WINDOW_PX))
    return float(np.sqrt(np.percentile(local, NOISE_PERCENT)))


def _filled_board(view: SceneView, scene: SceneImage, covered: Mask) -> SceneImage:
    """The scene with what checkers cover taken from places of the same colour in the same row.

    Places in the same half take precedence: the distance across the bar is seldom known exactly.
    """
    typical = scene.copy()
    height, width = covered.shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    surface = view.to_surface(np.stack([x, y], axis=-1).reshape(-1, 2)).reshape(height, width, 2)
    half = N_POINTS // 2
    for place in range(N_POINTS):
        middle, reach = view.geometry.column_x(place), COLUMN_SHARE * view.geometry.column_width(place)
        own = covered & (np.abs(surface[..., 0] - middle) < reach)
        own &= (surface[..., 1] < 0.5) == (place < half)
        if not own.any():
            continue
        alike = [p for p in range(place % 2, half, 2) if p != place % half]
        near = [p for p in alike if p // COLUMNS_A_HALF == place % half // COLUMNS_A_HALF]
        for sources in (alike, near):
            aside = [view.geometry.column_x(p) - middle for p in sources]
            pool = np.stack([_seen_at(view, scene, covered, surface[own], step) for step in aside])
            usable = ~np.isnan(pool[..., 0]).all(axis=0)
            filled = typical[own]
            filled[usable] = np.nanmedian(pool[:, usable], axis=0)
            typical[own] = filled
    light = light_on(scene, typical, ~covered, FILL_REACH_PX)
    return np.where(covered[..., None], _lit(typical, light), scene)


def _seen_at(
    view: SceneView, scene: SceneImage, covered: Mask, surface: FloatArray, aside: float
) -> SceneImage:
    """(N, 3) colours of the board `aside` field widths from (N, 2) surface points; nan where covered."""
    there = view.from_surface(surface + np.array([aside, 0.0])).astype(np.float32)
    map_x, map_y = there[:, :1].copy(), there[:, 1:].copy()
    colours = cv2.remap(scene, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[:, 0]
    hidden = cv2.remap(covered.astype(np.float32), map_x, map_y, cv2.INTER_LINEAR)[:, 0] > 0
    return np.where(hidden[:, None], np.float32(np.nan), colours)


def _lit(typical: SceneImage, light: LightChange) -> SceneImage:
    return np.asarray(np.clip(typical * light.gain + light.offset, 0, 255), dtype=np.float32)
