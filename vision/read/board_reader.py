"""Reads the board of a calibrated camera, picture by picture.

It keeps what changes slowly: the board's place since the last bump, the light, and the last reading.
"""

import math
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.appearance.calibration import Calibration, reduced
from vision.appearance.checker_looks import SceneEvidence, draw_discs, edges_of, paint_face, weigh_scene
from vision.appearance.light_change import LightChange, light_on
from vision.appearance.pixel_evidence import EmptyBoard
from vision.appearance.scene import SceneImage, SceneView
from vision.appearance.stack_rows import (
    CheckerRows,
    RowFinder,
    bar_log_likelihoods,
    doubt_between_points,
    likeliest_counts,
    log_likelihoods,
)
from vision.appearance.upper_layers import FULL_ROW
from vision.board_reading import (
    BAR_PLACE,
    MAX_COUNT,
    N_POINTS,
    BoardReading,
    flat_log_likelihoods,
    refused_reading,
)
from vision.follow.camera_bumps import FARTHEST_SHIFT_DIAMETERS, LEAST_SHIFT_PX, Landmarks
from vision.follow.hands import HIDDEN_BY_HAND, HIDDEN_BY_THINGS, Surroundings, occluded_places, shrunk
from vision.geometry import BoardGeometry, FloatArray, Image, Mask
from vision.read.colour_doubts import doubt_ringless
from vision.read.layer_counter import LayerCounter
from vision.read.mixed_points import mixed_places
from vision.sharpness import scene_sharpness

LEAST_PICTURE_DEVIATION = 4.0
"""Least standard deviation of a picture that shows anything, in levels; guess."""
SAME_PICTURE_LEVELS = 4.0
"""Two pictures are the same when no half checker differs by more levels than this; guess."""
LOOK_AGAIN_MS = 500
"""A possible hand, or a camera moved away, is examined again after so many milliseconds; guess."""
MANY_CHANGED = 4
"""When so many places changed at once, the scene is read again with the new board expected; guess."""
LOST_MS = 3000
"""Milliseconds without landmarks after which the camera was moved away: an arm hides them for less; guess."""
MANY_UNSEEN = 8
"""It was moved away only if so many places do not show the board. With fewer, checkers and hands cover the
landmarks; guess."""
MOVED_MESSAGE = "the camera was moved: calibrate again"
BLURRED_MESSAGE = "the picture is too blurred to read: focus the camera and keep it still"
WORTHLESS_SHARPNESS, FULL_SHARPNESS = 0.3, 0.9
"""Sharpness over the expected one at which evidence has the least weight, and from which on full; guesses."""
LEAST_TRUST = 0.02
"""Least weight of the evidence of a picture out of focus; guess."""
ANYTHING_KIND = 3
"""The kind of a pixel near a checker: its side or its shadow may be seen (see SceneEvidence.other_than)."""
NEAR_CHECKER_DIAMETERS, FACE_DISC_DIAMETERS = 0.75, 0.45
"""Radii round a checker's centre of the pixels near it, and of those of its face, in diameters; guesses."""
THUMBNAIL_CHECKER_PX = 6
"""Diameter of a checker in the thumbnail by which pictures are compared, in pixels; guess."""


@dataclass(kw_only=True)
class BoardReader:
    """Reads pictures of the board that a calibration was made for, in the order of their times."""

    calibration: Calibration
    geometry: BoardGeometry = field(init=False)
    _view: SceneView = field(init=False)
    _transform: FloatArray = field(init=False)
    _bare: Mask = field(init=False)
    _expected: SceneImage = field(init=False)
    _empty: EmptyBoard = field(init=False)
    _kinds: Image = field(init=False)
    _sharpness: float = field(init=False)
    _remembered: tuple[int, ...] = field(init=False, default=())
    _lost_ms: int | None = field(init=False, default=None)
    _last: tuple[SceneImage, BoardReading] | None = field(init=False, default=None)
    _last_until_ms: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        calibration = self.calibration
        self.geometry = calibration.geometry
        self._view = SceneView(geometry=self.geometry)
        self._transform = np.eye(3)
        self._empty = calibration.empty
        self._bare = np.ones(self._empty.colour.shape[:2], dtype=bool)
        self._kinds = np.zeros(self._bare.shape, dtype=np.uint8)
        self._expected = self._empty.colour
        self._sharpness = scene_sharpness(edges_of(self._expected))
        self._landmarks = Landmarks(reference_bgr=calibration.reference_bgr, geometry=self.geometry)
        self._surroundings = Surroundings(
            reference_bgr=calibration.reference_bgr,
            geometry=self.geometry,
            stretch=calibration.stretch,
            noise=calibration.noise,
        )
        self._layers = LayerCounter(view=self._view)
        self._finder = RowFinder(view=self._view)
        left, right = np.array(self.geometry.corners_px)[:2]
        self._checker_px = float(np.linalg.norm(right - left)) * self.geometry.diameter

    def read_picture(self, image_bgr: Image, t_ms: int) -> BoardReading:
        """The reading of the picture; `refused` is set when it cannot be read."""
        width, height = self.calibration.geometry.image_wh
        if image_bgr.ndim != 3 or image_bgr.shape[:2] != (height, width):
            return refused_reading(f"the picture is not {width} x {height} pixels as calibrated")
        small = reduced(image_bgr)
        if float(small[::8, ::8].max(axis=2).std()) < LEAST_PICTURE_DEVIATION:
            return refused_reading("the picture shows nothing: it is of one colour")
        thumbnail = self._thumbnail(small)
        if self._last and t_ms < self._last_until_ms:
            before, reading = self._last
            if np.abs(thumbnail - before).max() < SAME_PICTURE_LEVELS:
                return reading
        reading = self._read_changed(image_bgr, small, t_ms)
        time_tells = reading.hand or self._lost_ms is not None
        self._last_until_ms = t_ms + LOOK_AGAIN_MS if time_tells else math.inf
        self._last = (thumbnail, reading)
        return reading

    def _thumbnail(self, reduced_bgr: Image) -> SceneImage:
        """The picture so small and smooth that noise vanishes and half a checker is still seen."""
        height, width = reduced_bgr.shape[:2]
        shrink = max(1, round(self._checker_px * self._landmarks.scale / THUMBNAIL_CHECKER_PX))
        small = cv2.resize(reduced_bgr, (width // shrink, height // shrink), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.blur(small.astype(np.float32), (3, 3)), dtype=np.float32)

    def _read_changed(self, image_bgr: Image, small: Image, t_ms: int) -> BoardReading:
        table = shrunk(small)
        quiet = self._surroundings.is_unchanged(table)
        lost = None if quiet else self._follow(small, t_ms)
        if lost:
            return refused_reading(lost)
        hand = not quiet and self._surroundings.detect_hand(table, self._transform, t_ms)
        scene = self.calibration.stretch.stretched(self._view.scene(image_bgr, small))
        reading, rows, light = self._read_scene(image_bgr, scene, hand)
        if not reading.hand and self._n_changed(reading) >= MANY_CHANGED:
            self._remember(reading, rows, scene, light)
            reading, rows, light = self._read_scene(image_bgr, scene, hand)
        if (
            self._lost_ms is not None
            and t_ms - self._lost_ms > LOST_MS
            and len(reading.unseen) >= MANY_UNSEEN
        ):
            return refused_reading(MOVED_MESSAGE)
        if not reading.hand:
            self._remember(reading, rows, scene, light)
        return reading

    def _read_scene(
        self, image_bgr: Image, scene: SceneImage, hand: bool
    ) -> tuple[BoardReading, CheckerRows, LightChange]:
        """Read a scene, with the light measured against the board as it was last read."""
        light = light_on(scene, self._expected, self._bare)
        seen = weigh_scene(light.corrected(scene), self._empty, self.calibration.looks, light)
        rows = self._finder.find_in(seen)
        trust = self._evidence_weight(seen)
        scores = trust * doubt_between_points(self._view, seen, rows)
        scores = doubt_ringless(self._view, image_bgr, rows, scores)
        strange = seen.other_than(self._kinds) if hand else seen.foreign & self._empty.known
        unseen = occluded_places(self._view, strange, HIDDEN_BY_HAND if hand else HIDDEN_BY_THINGS)
        piled = {
            place: trust
            * self._layers.more_on_row(
                image_bgr, place, rows.centres(place, count), dark=count < 0, hand=hand, sharp=trust == 1
            )
            for place, count in enumerate(likeliest_counts(scores))
            if abs(count) >= FULL_ROW and place not in unseen
        }
        if not hand and trust == 1:
            self._layers.forget_all_but(piled.keys() | unseen)
        points, bar = log_likelihoods(scores, piled), bar_log_likelihoods(self._view, seen, trust)
        for place in unseen:
            if place == BAR_PLACE:
                bar[:] = flat_log_likelihoods(MAX_COUNT + 1)
            else:
                points[place] = flat_log_likelihoods(2 * MAX_COUNT + 1)
        mixed = mixed_places(self._view, image_bgr, seen, rows, likeliest_counts(rows.scores)) - unseen
        reading = BoardReading(points=points, bar=bar, unseen=unseen, mixed=mixed, hand=hand or bool(unseen))
        return reading, rows, light

    def _n_changed(self, reading: BoardReading) -> int:
        """How many places read differently from last time; all of them the first time."""
        if not self._remembered:
            return N_POINTS
        return sum(now != then for now, then in zip(reading.counts(), self._remembered, strict=True))

    def _follow(self, small: Image, t_ms: int) -> str | None:
        """Move the geometry along with a bumped camera; why it cannot be followed, or None."""
        if not self._landmarks.enough:
            return None
        shift = self._landmarks.measure_shift(small, self._transform)
        if shift is None:
            if self._landmarks.is_blurred(small):
                return BLURRED_MESSAGE
            self._lost_ms = t_ms if self._lost_ms is None else self._lost_ms
            return None
        self._lost_ms = None
        if shift.corner_px > FARTHEST_SHIFT_DIAMETERS * self._checker_px * self._landmarks.scale:
            return MOVED_MESSAGE
        now = np.array([self.geometry.corners_px])
        moved = self._landmarks.moved_geometry(shift)
        if np.abs(np.array([moved.corners_px]) - now).max() * self._landmarks.scale > LEAST_SHIFT_PX:
            self.geometry = moved
            self._view = SceneView(geometry=moved)
            self._layers = self._layers.moved_to(self._view)
            self._transform = shift.transform
        return None

    def _evidence_weight(self, seen: SceneEvidence) -> float:
        """Weight of a picture's evidence, from 0 to 1: less when it is out of focus."""
        sharp = seen.sharpness / max(self._sharpness, 1e-6)
        return float(
            np.clip((sharp - WORTHLESS_SHARPNESS) / (FULL_SHARPNESS - WORTHLESS_SHARPNESS), LEAST_TRUST, 1)
        )

    def _remember(
        self, reading: BoardReading, rows: CheckerRows, scene: SceneImage, light: LightChange
    ) -> None:
        """Keep what the next picture should show, and the board where it is first seen bare."""
        if reading.counts() == self._remembered:
            return
        self._remembered = reading.counts()
        self._kinds = np.zeros(self._bare.shape, dtype=np.uint8)
        counts = reading.counts()
        lying = [(int(count < 0), rows.centres(place, count)) for place, count in enumerate(counts) if count]
        for _, centres in lying:
            draw_discs(self._kinds, centres, NEAR_CHECKER_DIAMETERS, ANYTHING_KIND)
        self._bare = self._kinds == 0
        if not self._empty.known.all():
            self._empty = self._empty.with_seen(light.undone(scene), self._bare)
        self._expected = self._empty.colour.copy()
        for colour, centres in lying:
            draw_discs(self._kinds, centres, FACE_DISC_DIAMETERS, 1 + colour)
            for centre in centres:
                paint_face(self._expected, self.calibration.looks[colour].face, centre)
        self._sharpness = scene_sharpness(edges_of(self._expected))
