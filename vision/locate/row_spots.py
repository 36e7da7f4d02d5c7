"""Where the spots of both rows (bases, tips and ends) lie, from the likelihood maps of a network."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, FloatArray, GeometryError, Image, apply_homography
from vision.networks.row_network import (
    BASE_MAP,
    LEFT_END_MAP,
    POINTS_A_ROW,
    RIGHT_END_MAP,
    ROW_ASIDE,
    ROW_BEYOND,
    ROW_SCALE,
    ROW_STEP_PX,
    SPOT_MAPS,
    TIP_MAP,
    row_moves,
    row_spots,
    row_views,
    see_rows,
)
from vision.networks.strips import columns_of

USUAL_POINT_LENGTH, POINT_LENGTH_SPREAD = 0.4, 0.06
"""Mean and standard deviation of how far points reach, in field heights; of the training boards."""
EDGE_STEPS = np.arange(-0.45, 0.165, 0.01)
"""How far inside its given place an edge of the field is searched for, in field widths: a tray may have been
taken for points, a column for a tray, the edge of a shadow for that of the board."""
EDGE_SPREAD = 0.03
"""Mean distance of an edge of the field from its given place, in field widths; guess."""
BAR_WIDTHS_TRIED = np.arange(0.0, 0.17, 0.01)
"""Widths of the bar that are tried, in widths of the given field."""
OTHER_EDGE = 0.04
"""Distance from which an edge counts as lying elsewhere, in field widths: about half a column."""
NOT_SEEN_SHARE = 0.2
"""Probability that a spot is not seen where it lies, because something covers it; guess."""
WINDOW_CELLS = (3, 6)
"""Largest distances of a spot from its expected place, across and along, in map pixels; half a point's width
is 3.2."""
LEAST_LIKELY = 1e-9
"""Added to likelihoods before a division or a logarithm."""


@dataclass(frozen=True, kw_only=True)
class RowSpots:
    """Spots as `row_spots` lists them: of one row, N = 28, or of the top row and then the bottom row, N = 56.

    px: (N, 2) pixels. spread: (N, 2) standard deviations across and along, in field widths and heights.
    seen: (N,) share of the likelihood due to a spot that lies near it, 0 to 1.
    """

    px: FloatArray
    spread: FloatArray
    seen: FloatArray


class RowLooker:
    """Looks at the rows of one field in one picture.

    image_bgr: the picture, or a reduced copy. told: the field as far as known; its distortion is ignored.
    """

    def __init__(self, image_bgr: Image, told: BoardGeometry) -> None:
        self._told = told
        corners = np.array(told.corners_px)
        wide = np.hypot(*(corners[[1, 2]] - corners[[0, 3]]).T).max()
        self._moves = row_moves(corners)
        views = row_views(image_bgr, self._moves, told.image_wh, float(wide))
        self._likely = see_rows(views).astype(np.float64)

    def fields(self) -> Iterator[BoardGeometry]:
        """Variants of the told field with other left and right edges and bars, likeliest first.

        Each differs in some edge from each earlier one. Both halves are equally wide. A variant that is no
        possible field, as where a corner lies far outside the picture, is left out.
        """
        left, right = (grid.ravel() for grid in np.meshgrid(EDGE_STEPS, 1 - EDGE_STEPS, indexing="ij"))
        nats = np.stack([self._nats_of_fields(left, width, right) for width in BAR_WIDTHS_TRIED])
        middle, half = (left + right) / 2, BAR_WIDTHS_TRIED[:, None] / 2
        edges = np.stack(np.broadcast_arrays(left, middle - half, middle + half, right), axis=-1)
        while nats.max() > -np.inf:
            at = np.unravel_index(int(nats.argmax()), nats.shape)
            nats[(abs(edges - edges[at]) < OTHER_EDGE).all(axis=-1)] = -np.inf
            with suppress(GeometryError):
                yield self._between(*(float(edge) for edge in edges[at]))

    def _between(self, left: float, bar_left: float, bar_right: float, right: float) -> BoardGeometry:
        """The told field with these edges across. Raises GeometryError if that is no possible field."""
        corners = self._told.to_px([(left, 0), (right, 0), (right, 1), (left, 1)])
        first, last = ((edge - left) / (right - left) for edge in (bar_left, bar_right))
        return replace(self._told.with_corners(corners), bar=(first, last))

    def nats(self) -> float:
        """Log-likelihood of the told field, from what is seen across both rows."""
        left, bar_left, bar_right, right = (np.array([edge]) for edge in (0.0, *self._told.bar, 1.0))
        return float(self._nats_of_fields(left, bar_right - bar_left, right)[0])

    def spots(self, length: float) -> RowSpots:
        """The spots near where the told field expects them. length: of its points, in field heights."""
        rows = [self._row(bottom, length) for bottom in (False, True)]
        return RowSpots(
            px=np.concatenate([row.px for row in rows]),
            spread=np.concatenate([row.spread for row in rows]),
            seen=np.concatenate([row.seen for row in rows]),
        )

    def length(self) -> float:
        """How far points reach, in field heights, as both rows together show it."""
        along = self._likely[:, TIP_MAP].sum(axis=(0, 2))
        lengths = (np.arange(len(along)) + 0.5) * ROW_STEP_PX / ROW_SCALE[1] - ROW_BEYOND
        nats = np.log(along + LEAST_LIKELY) - ((lengths - USUAL_POINT_LENGTH) / POINT_LENGTH_SPREAD) ** 2 / 2
        return float(lengths[int(nats.argmax())])

    def _nats_of_fields(self, left: FloatArray, width: float, right: FloatArray) -> FloatArray:
        """(N,) log-likelihoods of fields between these edges, with a bar of this width in the middle."""
        middle = (left + right) / 2
        bar_left, bar_right = middle - width / 2, middle + width / 2
        columns = columns_of(left, bar_left, bar_right, right)
        nats = -(abs(left) + abs(1 - right)) / EDGE_SPREAD
        for kind, at in (
            (BASE_MAP, columns),
            (TIP_MAP, columns),
            (LEFT_END_MAP, np.stack([left, bar_right], axis=1)),
            (RIGHT_END_MAP, np.stack([bar_left, right], axis=1)),
        ):
            nats = nats + self._nats_across(kind, at)
        return nats

    def _nats_across(self, kind: int, x: FloatArray) -> FloatArray:
        """(N,) log-likelihoods that spots of a kind lie at (N, n) field coordinates x in both rows."""
        across = cv2.GaussianBlur(self._likely[:, kind].sum(axis=(0, 1))[None] / 2, (7, 1), 1.0)[0]
        cells = (x + ROW_ASIDE) * ROW_SCALE[0] / ROW_STEP_PX - 0.5
        seen = np.interp(cells, np.arange(len(across)), across, left=0.0, right=0.0)
        chance = (1 - NOT_SEEN_SHARE) * x.shape[1] * seen + NOT_SEEN_SHARE / len(across)
        return np.asarray(2 * np.log(chance).sum(axis=1))

    def _row(self, bottom: bool, length: float) -> RowSpots:
        move, likely = self._moves[int(bottom)], self._likely[int(bottom)]
        spots = row_spots(self._told.bar, length, bottom=False)
        expected = (np.array([ROW_ASIDE, ROW_BEYOND]) + spots) * ROW_SCALE - 0.5
        seen = spots_about(likely, expected)
        return RowSpots(
            px=apply_homography(np.linalg.inv(move), seen.px), spread=seen.spread / ROW_SCALE, seen=seen.seen
        )


def spots_about(likely: FloatArray, expected_px: FloatArray) -> RowSpots:
    """The spots of a row on likelihood maps (4, 48, 100), near where they are expected, (28, 2).

    All in pixels of the view, also the spread.
    """
    cells = np.round((expected_px + 0.5) / ROW_STEP_PX - 0.5).astype(np.int64)
    across, along = WINDOW_CELLS
    padded = np.pad(likely, ((0, 0), (along, along), (across, across)))
    y = np.clip(cells[:, 1], 0, likely.shape[1] - 1)[:, None] + np.arange(2 * along + 1)
    x = np.clip(cells[:, 0], 0, likely.shape[2] - 1)[:, None] + np.arange(2 * across + 1)
    parts = padded[SPOT_MAPS[:, None, None], y[:, :, None], x[:, None, :]]
    shares = (parts + LEAST_LIKELY) / (parts + LEAST_LIKELY).sum(axis=(1, 2), keepdims=True)
    column, row = (x - across)[:, None, :], (y - along)[:, :, None]
    middle = _peaks(shares, column, row)
    squares = (column - middle[:, 0, None, None]) ** 2, (row - middle[:, 1, None, None]) ** 2
    variance = np.stack([(shares * square).sum(axis=(1, 2)) for square in squares], axis=1)
    of_its_map = np.array([POINTS_A_ROW, POINTS_A_ROW, 2, 2])[SPOT_MAPS]
    return RowSpots(
        px=(middle + 0.5) * ROW_STEP_PX - 0.5,
        spread=np.sqrt(variance) * ROW_STEP_PX,
        seen=np.minimum(1.0, parts.sum(axis=(1, 2)) * of_its_map),
    )


def _peaks(shares: FloatArray, column: npt.NDArray[np.int64], row: npt.NDArray[np.int64]) -> FloatArray:
    """(28, 2) map pixels: the mean of the likelihood near each window's peak."""
    n, high, wide = shares.shape
    top, left = np.divmod(shares.reshape(n, -1).argmax(axis=1), wide)
    near = (abs(np.arange(high)[None, :, None] - top[:, None, None]) <= 2) & (
        abs(np.arange(wide)[None, None, :] - left[:, None, None]) <= 2
    )
    part = shares * near
    part /= part.sum(axis=(1, 2), keepdims=True)
    return np.stack([(part * column).sum(axis=(1, 2)), (part * row).sum(axis=(1, 2))], axis=1)
