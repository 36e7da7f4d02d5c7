"""Reads the board of a calibrated camera, picture by picture.

Keeps what changes slowly: where the board lies, biases, followed stacks, and the last reading.
"""

import math
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from sentences import say
from vision.board_reading import N_POINTS, BoardReading, refused_reading
from vision.follow.camera_bumps import FARTHEST_SHIFT_DIAMETERS, LEAST_SHIFT_PX, Landmarks
from vision.geometry import BoardGeometry, FloatArray, Image
from vision.networks.place_reader import PlaceReading, Reference
from vision.networks.strips import Strips, StripView
from vision.read.calibration import NETWORK, Calibration, PlaceCounts, reduced, signed_counts
from vision.read.count_biases import CountBiases
from vision.read.cover_biases import CoverBiases
from vision.read.filled_rows import room_in_row, with_rows_filled_first
from vision.read.followed_stacks import FollowedStacks
from vision.read.place_likelihoods import reading_of
from vision.read.side_colours import with_bar_sides_by_colour, with_doubtful_sides_by_colour

LEAST_PICTURE_DEVIATION = 4.0
"""Least standard deviation of a usable picture, in levels; guess."""
SAME_PICTURE_LEVELS = 4.0
"""Two pictures are the same while their thumbnails, smoothed over half a checker, differ by fewer levels
everywhere; guess."""
LOOK_AGAIN_MS = 500
"""Milliseconds until an unchanged picture is read again if it showed a hand or a cover, or lacked landmarks;
guess."""
LOST_MS = 3000
"""Milliseconds without landmarks after which the camera counts as moved away: an arm hides them for less;
guess."""
MANY_DOUBTED, DOUBTED_BELOW = 8, 0.7
"""The camera counts as moved away only if at least so many places are read with less than this probability;
guesses."""
SURER_NATS = 1.0
"""Another place of the board is preferred only if the board is read more surely there, by this; guess."""
THUMBNAIL_CHECKER_PX = 6
"""Diameter of a checker, in pixels, in the thumbnails by which pictures are compared; guess."""


@dataclass(frozen=True, kw_only=True)
class _Pose:
    """Where the board lies. transform: (3, 3) pixels of the reduced calibration picture to present ones."""

    geometry: BoardGeometry
    transform: FloatArray

    @cached_property
    def strips(self) -> StripView:
        return StripView(self.geometry)


@dataclass(kw_only=True)
class BoardReader:
    """Reads pictures of a calibrated board, in the order of their times."""

    calibration: Calibration
    stacks: FollowedStacks | None = None
    """What is known of the stacks; None to start from the calibration."""
    lost: bool = field(init=False, default=False)
    """Whether the board could not be followed into the last picture."""
    seems_at: BoardGeometry | None = field(init=False, default=None)
    """Where the landmarks place a lost board; None when they do not."""
    _pose: _Pose = field(init=False)
    _reference: Reference = field(init=False)
    _biases: CountBiases = field(init=False)
    _covers: CoverBiases = field(init=False)
    _landmarks: Landmarks = field(init=False)
    _checker_px: float = field(init=False)
    _lost_ms: int | None = field(init=False, default=None)
    _last: tuple[npt.NDArray[np.float32], BoardReading] | None = field(init=False, default=None)
    _last_until_ms: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        calibration = self.calibration
        self._pose = _Pose(geometry=calibration.geometry, transform=np.eye(3))
        self._reference = calibration.reference()
        said = NETWORK.read(calibration.strips, self._reference)
        self._covers = CoverBiases.measured(said)
        known = reading_of(self._covers.allowed_for(said))
        self._biases = CountBiases.measured(known, signed_counts(calibration.counts))
        if self.stacks is None:
            self.stacks = FollowedStacks.known(calibration.strips, signed_counts(calibration.counts))
        self._landmarks = Landmarks(reference_bgr=calibration.reference_bgr, geometry=self.geometry)
        left, right = np.array(self.geometry.corners_px)[:2]
        self._checker_px = float(np.linalg.norm(right - left)) * self.geometry.diameter

    @property
    def geometry(self) -> BoardGeometry:
        """Where the board lies in the last picture."""
        return self._pose.geometry

    def read_picture(self, image_bgr: Image, t_ms: int) -> BoardReading:
        """The reading of the picture; `refused` is set when it cannot be read."""
        width, height = self.calibration.geometry.image_wh
        if image_bgr.ndim != 3 or image_bgr.shape[:2] != (height, width):
            return refused_reading(say("not_as_calibrated", width=width, height=height))
        small = reduced(image_bgr)
        if float(small[::8, ::8].max(axis=2).std()) < LEAST_PICTURE_DEVIATION:
            return refused_reading(say("one_colour"))
        thumbnail = self._thumbnail(small)
        if self._last and t_ms < self._last_until_ms:
            before, reading = self._last
            if np.abs(thumbnail - before).max() < SAME_PICTURE_LEVELS:
                return reading
        reading = self._read_changed(image_bgr, small, t_ms)
        time_tells = reading.hand or reading.unseen or self._lost_ms is not None
        self._last_until_ms = t_ms + LOOK_AGAIN_MS if time_tells else math.inf
        self._last = (thumbnail, reading)
        return reading

    def know(self, counts: PlaceCounts) -> None:
        """Learn that the last picture shows these 24 signed counts, to count what comes and goes next."""
        assert self.stacks
        self.stacks = self.stacks.with_known(counts)

    def _thumbnail(self, reduced_bgr: Image) -> npt.NDArray[np.float32]:
        """The picture reduced and smoothed so far that noise vanishes but half a checker is still visible."""
        height, width = reduced_bgr.shape[:2]
        shrink = max(1, round(self._checker_px * self._landmarks.scale / THUMBNAIL_CHECKER_PX))
        small = cv2.resize(reduced_bgr, (width // shrink, height // shrink), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.blur(small.astype(np.float32), (3, 3)), dtype=np.float32)

    def _read_changed(self, image_bgr: Image, small: Image, t_ms: int) -> BoardReading:
        self.lost, self.seems_at = False, None
        lay = self._pose
        problem = self._follow(small, t_ms)
        if problem:
            return refused_reading(problem)
        strips, said = self._said_at(self._pose, image_bgr)
        if self._pose is not lay:
            strips_there, said_there = self._said_at(lay, image_bgr)
            if said_there.sureness > said.sureness + SURER_NATS:
                self._pose, strips, said = lay, strips_there, said_there
        self._covers = self._covers.after(said, t_ms)
        said = with_doubtful_sides_by_colour(self._covers.allowed_for(said), image_bgr, self.geometry)
        known = self.calibration
        if not known.counts[N_POINTS:].any():
            bars = strips[N_POINTS:], known.strips[N_POINTS:]
            said = with_bar_sides_by_colour(said, image_bgr, self.geometry, *bars)
        assert self.stacks
        self.stacks, reading = self.stacks.followed(strips, self._biases.allowed_for(reading_of(said)))
        if self._lost_ms is not None and t_ms - self._lost_ms > LOST_MS and _doubted(reading):
            self.lost = True
            return refused_reading(say("camera_moved"))
        return with_rows_filled_first(reading, room_in_row(self.geometry))

    def _said_at(self, pose: _Pose, image_bgr: Image) -> tuple[Strips, PlaceReading]:
        """The strips of the board at this pose, and the networks' answer to them."""
        strips = pose.strips.cut(image_bgr)
        return strips, NETWORK.read(strips, self._reference)

    def _follow(self, small: Image, t_ms: int) -> str | None:
        """Move the pose along with a shift of the board in the picture; why that cannot be done, or None."""
        if not self._landmarks.enough:
            return None
        shift = self._landmarks.measure_shift(small, self._pose.transform)
        if shift is None:
            if self._landmarks.is_blurred(small):
                return say("picture_blurred")
            self._lost_ms = t_ms if self._lost_ms is None else self._lost_ms
            return None
        self._lost_ms = None
        moved = self._landmarks.moved_geometry(shift)
        farthest_px = FARTHEST_SHIFT_DIAMETERS * self._checker_px * self._landmarks.scale
        if moved is None or shift.corner_px > farthest_px:
            self.lost, self.seems_at = True, moved
            return say("camera_moved")
        now = np.array([self.geometry.corners_px])
        if np.abs(np.array([moved.corners_px]) - now).max() * self._landmarks.scale > LEAST_SHIFT_PX:
            self._pose = _Pose(geometry=moved, transform=shift.transform)
        return None


def _doubted(reading: BoardReading) -> bool:
    doubted = sum(value < DOUBTED_BELOW for value in reading.confidences())
    return doubted >= MANY_DOUBTED
