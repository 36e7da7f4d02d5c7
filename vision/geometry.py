"""Where the board lies in the picture: field coordinates to pixels and back, with lens and parallax.

Field coordinates: (0, 0) is the field's top left corner in the picture, (1, 0) top right, (1, 1) bottom
right; x runs along the rows of points, y across the board. Heights above the board are in field widths.
The camera is a pinhole with square pixels, its axis through the middle of the picture, and one radial term.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from sentences import say
from vision.board_reading import N_POINTS

FloatArray = npt.NDArray[np.float64]
Image = npt.NDArray[np.uint8]
"""A picture (h, w, 3) as blue, green, red, or (h, w) grey."""
Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

UNIT_SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float64)
"""Corners of a field in field coordinates, in the order of `BoardGeometry.corners_px`."""
USUAL_HEIGHT, LOG_HEIGHT_SPREAD = 0.88, 0.2
"""Height over width of a playing field of unknown size, and the standard deviation of its natural logarithm;
guesses."""
ROW_LENGTH = 5
"""Checkers in a point's first row before a second layer begins, as a rule."""
USUAL_CHECKER_WIDTH = 0.95
"""A checker's diameter over the width of a point, when it is not known; guess."""
USUAL_FOCAL = 1.0
"""Focal length over the picture's longer side, when the picture does not show it; guess: a 53 degree lens."""
USUAL_CHECKER_HEIGHT = 0.24
"""Height of a checker over its diameter; from a checker of 10 mm by 42 mm."""
MOST_LOG_FOCAL = 0.9
"""Largest natural logarithm of a tried focal length over the usual one, up or down; guess."""
SKEW_SPREAD, ASPECT_SPREAD, LOG_FOCAL_SPREAD = 0.01, 0.02, 0.3
"""Standard deviations of a field's skew, of its log aspect and of the log focal length; guesses."""
UNDISTORT_ROUNDS = 8
"""Fixed-point iterations that invert the radial distortion; guess."""
CORNER_OUTSIDE_SHARE = 0.1
"""A corner may lie this share of the picture's size outside the picture; guess."""
MOST_OUTSIDE = 0.05
"""How far the field may lie outside the picture, in field widths; guess: a little more than half a column."""
SMALLEST_AREA_SHARE = 0.01
"""The field must fill at least this share of the picture's area; guess."""
COLUMNS_A_HALF = 6
"""Points beside each other in one half of the field; from the game."""


class GeometryError(ValueError):
    """The four corners cannot be those of a board in this picture."""


@dataclass(frozen=True, kw_only=True)
class BoardGeometry:
    """The field's place in the picture.

    corners_px: top left, top right, bottom right, bottom left of the 24-point field, as pixels (x, y).
    image_wh: width and height of the picture.
    bar: the bar's left and right edge as fractions of the field's width.
    checker: a checker's diameter as a fraction of the field's width; None takes it from the points' width.
    aspect: the field's width over its height, or None when not known.
    distortion: first radial coefficient k1 for radii in half diagonals: an ideal point at radius r is seen at
        r * (1 + k1 * r ** 2) (negative for a barrel).
    checker_height: a checker's height over its diameter.

    Raises GeometryError when the corners are not a convex quadrilateral of some size, in that order, or lie
    far outside the picture, and when the bar does not lie between 0.2 and 0.8.
    """

    corners_px: Corners
    image_wh: tuple[int, int]
    bar: tuple[float, float] = (0.46, 0.54)
    checker: float | None = None
    aspect: float | None = None
    distortion: float = 0.0
    checker_height: float = USUAL_CHECKER_HEIGHT

    def __post_init__(self) -> None:
        problem = corner_problem(self.corners_px, self.image_wh)
        if problem:
            raise GeometryError(problem)
        left, right = self.bar
        if not 0.2 < left <= right < 0.8:
            raise GeometryError(say("bar_edges_wrong", left=left, right=right))

    # -- the field's own measures

    @property
    def height(self) -> float:
        """The field's height over its width, estimated from the perspective if its aspect is not known."""
        return 1.0 / self.aspect if self.aspect else self._camera.height

    @property
    def diameter(self) -> float:
        """A checker's diameter as a fraction of the field's width."""
        return self.checker or USUAL_CHECKER_WIDTH * (self.bar[0] + 1 - self.bar[1]) / (2 * COLUMNS_A_HALF)

    @property
    def top_height(self) -> float:
        """Height of a lying checker's top face in field widths."""
        return self.diameter * self.checker_height

    def column_x(self, place: int) -> float:
        """The middle of a place's base (place 0 to 23) along the row, in field coordinates."""
        column = place % (N_POINTS // 2)
        left, right = self.bar
        if column < COLUMNS_A_HALF:
            return left * (column + 0.5) / COLUMNS_A_HALF
        return right + (1 - right) * (column - COLUMNS_A_HALF + 0.5) / COLUMNS_A_HALF

    def column_width(self, place: int) -> float:
        """Width of a place's base as a fraction of the field's width."""
        left, right = self.bar
        return (left if place % (N_POINTS // 2) < COLUMNS_A_HALF else 1 - right) / COLUMNS_A_HALF

    def checker_xy(self, place: int, index: int) -> tuple[float, float]:
        """Field coordinates of the centre of checker `index` (0 nearest the base) of a neat stack."""
        inward = (index + 0.5) * self.diameter / self.height
        return self.column_x(place), inward if place < N_POINTS // 2 else 1 - inward

    def row_reach(self, count: int) -> float:
        """How far `count` checkers reach from a point's base, in field heights: at most a full row."""
        return min(count, ROW_LENGTH) * self.diameter / self.height

    # -- between field and picture

    @cached_property
    def _centre_px(self) -> FloatArray:
        return np.array(self.image_wh, dtype=np.float64) / 2 - 0.5

    @cached_property
    def _radius_px(self) -> float:
        return float(np.hypot(*self.image_wh)) / 2

    @cached_property
    def homography(self) -> FloatArray:
        """(3, 3): field coordinates on the board's surface to ideal (undistorted) pixels."""
        ideal = self.undistort(np.array(self.corners_px, dtype=np.float64))
        return cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), ideal.astype(np.float32)).astype(
            np.float64
        )

    @cached_property
    def _camera(self) -> "PinholeCamera":
        return camera_of(self.homography, self._centre_px, self.image_wh, self.aspect)

    @property
    def focal_px(self) -> float:
        """The focal length in pixels, estimated from the perspective."""
        return self._camera.focal_px

    @property
    def normal(self) -> FloatArray:
        """(3,): change of the ideal homogeneous pixel per field width of height above the board."""
        return self._camera.normal

    def plane(self, height: float = 0.0) -> FloatArray:
        """(3, 3): field coordinates on the plane `height` field widths above the board to ideal pixels."""
        if not height:
            return self.homography
        lifted = self.homography.copy()
        lifted[:, 2] += height * self.normal
        return lifted

    def undistort(self, points_px: FloatArray) -> FloatArray:
        """(N, 2) pixels as the lens shows them to the pixels of an ideal lens."""
        offset: FloatArray = (points_px - self._centre_px) / self._radius_px
        seen = np.sqrt((offset**2).sum(axis=-1, keepdims=True))
        ideal = seen.copy()
        for _ in range(UNDISTORT_ROUNDS):
            ideal = seen / (1 + self.distortion * ideal**2)
        back: FloatArray = self._centre_px + offset * self._radius_px / (1 + self.distortion * ideal**2)
        return back

    def distort(self, points_px: FloatArray) -> FloatArray:
        """(N, 2) pixels of an ideal lens to pixels as the lens shows them."""
        offset = (points_px - self._centre_px) / self._radius_px
        square = (offset**2).sum(axis=-1, keepdims=True)
        seen: FloatArray = self._centre_px + offset * self._radius_px * (1 + self.distortion * square)
        return seen

    def to_px(self, points: npt.ArrayLike, height: float = 0.0) -> FloatArray:
        """(N, 2) field coordinates, `height` field widths above the board, to (N, 2) pixels."""
        return self.distort(apply_homography(self.plane(height), np.asarray(points, dtype=np.float64)))

    def to_field(self, points_px: npt.ArrayLike, height: float = 0.0) -> FloatArray:
        """(N, 2) pixels to (N, 2) field coordinates on the plane `height` field widths above the board."""
        ideal = self.undistort(np.asarray(points_px, dtype=np.float64))
        return apply_homography(np.asarray(np.linalg.inv(self.plane(height)), dtype=np.float64), ideal)

    def with_corners(self, corners_px: npt.ArrayLike) -> "BoardGeometry":
        """The same board seen with its corners elsewhere, (4, 2) pixels."""
        one, two, three, four = ((float(x), float(y)) for x, y in np.asarray(corners_px, dtype=np.float64))
        return replace(self, corners_px=(one, two, three, four))

    @property
    def is_cut(self) -> bool:
        """Whether so much of the field lies outside the picture that checkers cannot be seen."""
        corners = np.array(self.corners_px)
        outside_px = max(float((-corners).max()), float((corners - self.image_wh).max()))
        return outside_px > MOST_OUTSIDE * float(np.hypot(*(corners[1] - corners[0])))

    def corners_farther_out(self, share: npt.ArrayLike) -> FloatArray:
        """(4, 2) pixels of the corners of a field that is enlarged on each side.

        share: of its width and height, one number for both or two; negative to shrink it.
        """
        return self.to_px(UNIT_SQUARE + np.asarray(share) * (2 * UNIT_SQUARE - 1))

    def reaching(self, left: float, top: float, right: float, bottom: float) -> "BoardGeometry":
        """The same board with a field from (left, top) to (right, bottom), in its present field coordinates.

        The bar stays where it is in the picture. Raises GeometryError if that is no possible field.
        """
        corners = self.to_px([(left, top), (right, top), (right, bottom), (left, bottom)])
        first, last = ((edge - left) / (right - left) for edge in self.bar)
        return replace(self.with_corners(corners), bar=(first, last))

    def turned(self) -> "BoardGeometry":
        """The same board seen from its other end: its top left corner is the bottom right one."""
        one, two, three, four = self.corners_px
        return replace(self, corners_px=(three, four, one, two), bar=(1 - self.bar[1], 1 - self.bar[0]))


def corner_problem(corners_px: Corners, image_wh: tuple[int, int]) -> str | None:
    """The reason why these are not the corners of a field in a picture of this size; None if they can be."""
    quad = np.asarray(corners_px, dtype=np.float64)
    if quad.shape != (4, 2) or not np.isfinite(quad).all():
        return say("four_corners_needed")
    width, height = image_wh
    size = np.array([width, height])
    outside = (quad < -CORNER_OUTSIDE_SHARE * size) | (quad > (1 + CORNER_OUTSIDE_SHARE) * size)
    if outside.any():
        return say("corner_outside", width=width, height=height)
    sides = np.roll(quad, -1, axis=0) - quad
    following = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0]
    if not (turns > 0).all():
        return say("corners_out_of_order")
    if cv2.contourArea(quad.astype(np.float32)) < SMALLEST_AREA_SHARE * width * height:
        return say("field_too_small")
    return None


@dataclass(frozen=True, kw_only=True)
class PinholeCamera:
    """The camera and the field's shape, as estimated from one view.

    focal_px: the focal length in pixels. normal: (3,) change of the homogeneous pixel with height.
    height: the field's height over its width.
    """

    focal_px: float
    normal: FloatArray
    height: float


def camera_of(
    homography: FloatArray, centre_px: FloatArray, image_wh: tuple[int, int], aspect: float | None
) -> PinholeCamera:
    """Estimate the camera from its view of the field (Zhang 2000, section 3.1).

    homography: (3, 3) field coordinates to ideal pixels. The focal length is the one under which the field is
    most nearly a rectangle of the given aspect, or of a usual one. It stays near the usual focal length where
    the perspective says little.
    """
    longest = max(image_wh)
    shift = np.eye(3)
    shift[:2, 2] = -centre_px
    centred = shift @ homography
    focals = longest * USUAL_FOCAL * np.exp(np.linspace(-MOST_LOG_FOCAL, MOST_LOG_FOCAL, 91))
    scales = np.stack([1 / focals, 1 / focals, np.ones_like(focals)], axis=1)
    right, down = scales * centred[:, 0], scales * centred[:, 1]
    width, height = np.linalg.norm(right, axis=1), np.linalg.norm(down, axis=1)
    skew = (right * down).sum(axis=1) / (width * height)
    if aspect is None:
        stretch = np.log(height / width / USUAL_HEIGHT) / LOG_HEIGHT_SPREAD
    else:
        stretch = np.log(width / height / aspect) / ASPECT_SPREAD
    unusual = np.log(focals / longest / USUAL_FOCAL) / LOG_FOCAL_SPREAD
    best = float(focals[((skew / SKEW_SPREAD) ** 2 + stretch**2 + unusual**2).argmin()])
    columns = centred / np.array([[best], [best], [1.0]])
    wide = np.linalg.norm(columns[:, 0])
    across = columns[:, 1] - columns[:, 0] * (columns[:, 0] @ columns[:, 1]) / wide**2
    upward = -np.cross(columns[:, 0] / wide, across / np.linalg.norm(across)) * wide
    back = np.linalg.inv(shift) @ np.diag([best, best, 1.0])
    seen_height = float(np.linalg.norm(columns[:, 1]) / wide)
    return PinholeCamera(focal_px=best, normal=back @ upward, height=seen_height)


def field_homography(corners_px: FloatArray) -> FloatArray:
    """(3, 3): undistorted pixels to field coordinates. corners_px: (4, 2) of the field."""
    corners, field = corners_px.astype(np.float32), UNIT_SQUARE.astype(np.float32)
    return cv2.getPerspectiveTransform(corners, field).astype(np.float64)


def apply_homography(transform: FloatArray, points: FloatArray) -> FloatArray:
    """(N, 2) points mapped by a homography (3, 3)."""
    homogeneous = points @ transform[:, :2].T + transform[:, 2]
    projected: FloatArray = homogeneous[..., :2] / homogeneous[..., 2:]
    return projected
