"""Measures by landmarks how the board shifts in the picture when the camera is bumped or the board pushed."""

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, FloatArray, GeometryError, Image
from vision.sharpness import gradient_greys

Points = npt.NDArray[np.float32]

TILES_WH, LANDMARKS_OF_TILE = (6, 4), 8
"""Tiles into which the board, and its surroundings, are divided, and the most landmarks in each: so the edges
of a shadow do not take them all; guesses."""
LEAST_LANDMARKS = 12
"""Least landmarks that must be found again to measure a shift; guess."""
LEAST_AGREEING_SHARE = 0.4
"""Least share of the landmarks found that must agree on a shift; guess."""
LEAST_UNMOVED, UNMOVED_PX, UNMOVED_SHARE = 6, 1.0, 0.6
"""If no shift can be measured, the camera did not move when at least so many landmarks, and this share of
those found, lie within so many reference pixels of where they were: checkers and hands may cover the others.
Nor is a picture measured again in which more than this share of the landmarks look unchanged; guesses."""
STILL_SHARE = 0.8
"""Nothing moved if so many landmarks stayed for each one that agrees on a shift; guess."""
RETURN_PX, AGREEING_PX = 0.5, 1.0
"""Largest errors of a landmark that is followed there and back, and of one that agrees on a shift, in
reference pixels; guesses."""
UNCHANGED_PX, PATCH_REACH_PX = 0.25, 3
"""A landmark has not moved if its patch changes less than a shift of the first size would change it; the
second is how far the patch reaches to each side; in reference pixels, guesses."""
LEAST_SHIFT_PX = 0.6
"""Smaller shifts of the corners are measuring noise, in reference pixels; guess."""
BLURRED_EDGE_SHARE = 0.4
"""A picture is blurred when its gradients are weaker than this share of the reference's. Measured: hands
leave nine tenths of them."""
LANDMARK_QUALITY, LANDMARK_APART_PX, LANDMARK_BLOCK_PX = 0.01, 8, 5
"""Landmarks: least corner quality as a share of the best in the tile, least distance, and block size; the
last two in reference pixels; guesses."""
FRAME_SHARE = 0.07
"""How far the board's frame reaches round the field, in field widths and heights; guess."""
FLOW_WINDOW_PX, FLOW_LEVELS = 17, 3
"""Window in reference pixels, and highest pyramid level, for following a landmark; guesses."""
LEVELLING_PX, LEAST_LEVEL = 31, 8
"""Width in reference pixels over which the lighting is evened out, and the least mean grey level; guesses."""
FARTHEST_SHIFT_DIAMETERS = 1.2
"""Larger shifts are not followed, in checker diameters; guess."""


@dataclass(frozen=True, kw_only=True)
class CameraShift:
    """How the picture moved relative to the reference.

    transform: (3, 3) reference pixels to pixels of the present reduced picture. corner_px: the farthest that
    a corner of the field moved, in reference pixels.
    """

    transform: FloatArray
    corner_px: float


@dataclass(kw_only=True)
class Landmarks:
    """Points of the reference picture that are found again in later ones.

    reference_bgr: the calibration picture, reduced. geometry: where the board lies in it at full size.
    """

    reference_bgr: Image
    geometry: BoardGeometry
    _grey: Image = field(init=False)
    _on_board: Points = field(init=False)
    _beside: Points = field(init=False)
    _measured: tuple[CameraShift, Image] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._grey = _levelled(self.reference_bgr)
        low, high = -FRAME_SHARE, 1 + FRAME_SHARE
        outline = self.geometry.to_px([[low, low], [high, low], [high, high], [low, high]]) * self.scale
        board = np.zeros(self._grey.shape, dtype=np.uint8)
        cv2.fillConvexPoly(board, np.rint(outline).astype(np.int32), (255,))
        self._on_board, self._beside = self._found(board), self._found(255 - board)

    def _found(self, mask: Image) -> Points:
        """(N, 2) landmarks of the reference picture inside a mask, spread over it."""
        rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
        found = [np.empty((0, 2), np.float32)]
        for across in np.array_split(columns, TILES_WH[0]):
            for down in np.array_split(rows, TILES_WH[1]):
                if not len(across) or not len(down):
                    continue
                tile = slice(down[0], down[-1] + 1), slice(across[0], across[-1] + 1)
                marks = cv2.goodFeaturesToTrack(
                    self._grey[tile],
                    LANDMARKS_OF_TILE,
                    LANDMARK_QUALITY,
                    LANDMARK_APART_PX,
                    mask=mask[tile],
                    blockSize=LANDMARK_BLOCK_PX,
                )
                if marks is not None:
                    found.append(
                        np.asarray(marks, np.float32).reshape(-1, 2) + np.array([across[0], down[0]])
                    )
        return np.concatenate(found).astype(np.float32)

    @property
    def enough(self) -> bool:
        """Whether there are enough landmarks to notice shifts."""
        return max(len(self._on_board), len(self._beside)) >= LEAST_LANDMARKS

    @property
    def scale(self) -> float:
        """Reference pixels for each pixel of the full picture."""
        return float(self.reference_bgr.shape[1] / self.geometry.image_wh[0])

    def is_blurred(self, reduced_bgr: Image) -> bool:
        """Whether a reduced picture is so far out of focus that no landmark could be found in it."""
        return gradient_greys(_levelled(reduced_bgr)) < BLURRED_EDGE_SHARE * gradient_greys(self._grey)

    def measure_shift(self, reduced_bgr: Image, guess: FloatArray) -> CameraShift | None:
        """The shift seen in a reduced picture, searched near a (3, 3) guess; None when too little agrees."""
        if not self.enough:
            return None
        if self._measured and self._still(reduced_bgr, *self._measured):
            return self._measured[0]
        shift = self._sought(reduced_bgr, guess)
        self._measured = None if shift is None else (shift, reduced_bgr)
        return shift

    def _still(self, reduced_bgr: Image, latest: CameraShift, then_bgr: Image) -> bool:
        """Whether most landmarks look just as in the picture measured last."""
        marks = np.concatenate([self._on_board, self._beside])
        points = cv2.perspectiveTransform(marks[None].astype(np.float64), latest.transform)[0]
        then, now = (_patches(picture, points) for picture in (then_bgr, reduced_bgr))
        steep = np.hypot(*np.gradient(then, axis=(1, 2))).mean(axis=(1, 2))
        still = np.abs(now - then).mean(axis=(1, 2)) < UNCHANGED_PX * steep
        return bool(still.mean() > UNMOVED_SHARE)

    def _sought(self, reduced_bgr: Image, guess: FloatArray) -> CameraShift | None:
        """The shift by landmarks on the board, which may have been pushed; else by those beside it."""
        grey = _levelled(reduced_bgr)
        return self._sought_by(self._on_board, grey, guess) or self._sought_by(self._beside, grey, guess)

    def _sought_by(self, marks: Points, grey: Image, guess: FloatArray) -> CameraShift | None:
        if len(marks) < LEAST_LANDMARKS:
            return None
        start = cv2.perspectiveTransform(marks[None].astype(np.float64), guess)[0].astype(np.float32)
        there, found = _tracked(self._grey, grey, marks, start)
        back, again = _tracked(grey, self._grey, there, marks)
        true = found & again
        true &= np.linalg.norm(back - marks, axis=1) < RETURN_PX
        unmoved = int((true & (np.linalg.norm(there - start, axis=1) < UNMOVED_PX)).sum())
        stands = unmoved >= max(LEAST_UNMOVED, UNMOVED_SHARE * true.sum())
        if true.sum() < LEAST_LANDMARKS:
            return self._shift(guess) if stands else None
        transform, agreeing = cv2.findHomography(marks[true], there[true], cv2.RANSAC, AGREEING_PX)
        count = 0 if agreeing is None else int(agreeing.sum())
        if transform is None or count < max(LEAST_LANDMARKS, LEAST_AGREEING_SHARE * true.sum()):
            return self._shift(guess) if stands else None
        if unmoved >= STILL_SHARE * count:
            return self._shift(guess)
        return self._shift(np.asarray(transform, np.float64))

    def _shift(self, transform: FloatArray) -> CameraShift:
        corners = np.array([self.geometry.corners_px]) * self.scale
        moved = cv2.perspectiveTransform(corners, transform)
        farthest = float(np.linalg.norm(moved - corners, axis=2).max())
        return CameraShift(transform=transform, corner_px=farthest)

    def moved_geometry(self, shift: CameraShift) -> BoardGeometry | None:
        """The geometry after a shift; None where no board can lie, such as outside the picture."""
        corners = np.array([self.geometry.corners_px]) * self.scale
        there = cv2.perspectiveTransform(corners, shift.transform)[0] / self.scale
        try:
            return self.geometry.with_corners(there)
        except GeometryError:
            return None


def _patches(picture_bgr: Image, points: FloatArray) -> FloatArray:
    """(N, n, n): the green levels around (N, 2) points; beyond the picture its edge is repeated."""
    near = np.arange(-PATCH_REACH_PX, PATCH_REACH_PX + 1)
    columns, rows = (np.rint(points).astype(np.int64)[:, :, None] + near).transpose(1, 0, 2)
    height, width = picture_bgr.shape[:2]
    columns, rows = columns.clip(0, width - 1), rows.clip(0, height - 1)
    return np.asarray(picture_bgr[rows[:, :, None], columns[:, None, :], 1], dtype=np.float64)


def _tracked(
    before: Image, after: Image, points: npt.NDArray[np.float32], guess: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """Where (N, 2) points of one picture are in the next, and which were found (Lucas and Kanade 1981)."""
    flags = cv2.OPTFLOW_USE_INITIAL_FLOW
    there, found, _ = cv2.calcOpticalFlowPyrLK(
        before,
        after,
        points,
        guess.copy(),
        winSize=(FLOW_WINDOW_PX, FLOW_WINDOW_PX),
        maxLevel=FLOW_LEVELS,
        flags=flags,
    )
    return np.asarray(there, dtype=np.float32), np.asarray(found, dtype=np.uint8).ravel() > 0


def _levelled(image_bgr: Image) -> Image:
    """The picture in grey with its lighting evened out, so that a lamp does not look like a movement."""
    grey = cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY)
    mean = np.maximum(cv2.blur(grey, (LEVELLING_PX, LEVELLING_PX)), LEAST_LEVEL)
    return np.asarray(cv2.divide(grey, mean, scale=128), dtype=np.uint8)
