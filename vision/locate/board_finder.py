"""Finds the board in a picture without help, whatever lies on it.

A network (vision/networks/field_network.py) sees the whole picture first, then the field flattened by the
corners that it found, again and again until they stay in place. A second one (vision/networks/row_network.py)
then sees where the points of both rows lie. Together they show each corner, even a hidden one.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

import cv2
import numpy as np

from sentences import Key, say
from vision.geometry import (
    BoardGeometry,
    Corners,
    FloatArray,
    GeometryError,
    Image,
    corner_problem,
)
from vision.locate.row_fit import fitted_to_rows
from vision.locate.row_spots import RowLooker
from vision.networks.field_network import (
    ACROSS,
    CUT,
    NOTHING,
    SEEN_WH,
    UPRIGHT,
    FieldSeen,
    reduced,
    see_field,
)
from vision.networks.runner import let_go
from vision.picture_faults import picture_fault

PICTURE_MARGIN = 0.03
"""Least margin around the whole picture, because the field may fill it, as a share of the network's view;
guess."""
FIELD_MARGIN = 0.13
"""Margin of a flattened view around the field, in field widths and heights; as in the training."""
FINER = 1.5
"""A picture is reduced until it is so many times finer than the view of it; guess."""
LONGEST_SIDE_PX = 1280
"""The picture is first reduced to this longer side, to save time; guess."""
MOST_LOOKS = 8
"""Most flattened views that are tried until the corners settle; guess."""
STEADY = 0.01
"""Corners have settled when none moves by more, in field widths; guess."""
CLOSE_LOOKS = 3
"""How often the rows are looked at, the last time closely; guess."""
LEAST_WHOLE = 0.5
"""Least probability that a whole board is visible; guess."""
LEAST_SURENESS = 0.3
"""Least share of its map's likelihood that lies near a corner; guess."""
SAME_FIELD = np.array([(0, 1, 2, 3), (2, 3, 0, 1), (1, 0, 3, 2), (3, 2, 1, 0)])
"""Orders of the corners under which a field looks like a field: as it is, from the other end, and the mirror
images of both."""
OUTWARD = np.array([0.0020, 0.0020])
"""How far outside the field the first network places a corner, in field widths and heights; the median of 253
rendered pictures."""
STILL_OUTWARD = (0.0005, 0.0015)
"""How far outside the field a corner still is after the rows are fitted, in field widths and heights: walls
hide bases. Medians of 86 rendered pictures of kinds that were trained on, held back."""
FIELDS_TRIED = 4
"""Fields that are tried in each of two views when the rows do not fit clearly; guess."""
SURE_NATS, LEAST_NATS = -97.0, -110.0
"""Log-likelihood of the rows from which they surely are a board's, and least one of a board; guesses. 346
pictures of boards have -90 or more, six of another board -93 to -104, 22 photographs without a fifth or a
half of the field's width -98 or less, 18 pictures of dice -114 or less."""
LEAST_SEEN, SURE_SEEN = 0.65, 0.9
"""Least share of the likelihood of a row's spots that lies where the field expects them, and share of both
rows from which they surely are a board's; guesses. A row that is cut off has less, which hardly lowers the
log-likelihood. On an unusual field the log-likelihood is low and the shares are high: 0.92 in a picture that
has -111 nats; of 415 pictures of parts of boards and of dice that have less than -97, none has more than 0.89
in both rows."""
MISSING_CORNERS = (
    Key("top_left_corner_missing"),
    Key("top_right_corner_missing"),
    Key("bottom_right_corner_missing"),
    Key("bottom_left_corner_missing"),
)


@dataclass(frozen=True, kw_only=True)
class FoundBoard:
    """A board found in a picture.

    confidence: probability (0 to 1) that a whole board is visible, times the share of likelihood near its
    least clear corner.
    """

    geometry: BoardGeometry
    confidence: float


class BoardNotFound(ValueError):
    """No board was found in the picture; the message gives the reason and what to do."""


@dataclass(frozen=True, kw_only=True)
class _Look:
    """What the network saw in one view of the picture; for the last two see `FieldSeen`.

    spots_px: (8, 2) corners and bar ends, in pixels of the picture. sureness: (8,). kinds: (4,).
    """

    spots_px: FloatArray
    sureness: FloatArray
    kinds: FloatArray

    @property
    def whole(self) -> float:
        return float(self.kinds[UPRIGHT] + self.kinds[ACROSS])

    @property
    def is_doubtful(self) -> bool:
        """Whether this may be no board. The ornament of a board may be taken for none."""
        return self.whole < LEAST_WHOLE


@dataclass(frozen=True, kw_only=True)
class _Fit:
    """A field fitted to its rows.

    nats: its log-likelihood. seen: the share of the likelihood of the spots of the top and of the bottom row
    that lies near them, 0 to 1.
    """

    geometry: BoardGeometry
    nats: float
    seen: tuple[float, float]

    @property
    def is_sure(self) -> bool:
        """Whether these surely are the rows of a board, unless one of them is cut off."""
        return self.nats >= SURE_NATS or min(self.seen) >= SURE_SEEN

    def problem(self, *, surely: bool) -> str | None:
        """Why this is no whole board, or not surely one; None if it is."""
        if min(self.seen) < LEAST_SEEN <= max(self.seen):
            return say("board_cut")
        fits = self.is_sure or (not surely and self.nats >= LEAST_NATS)
        return None if fits and max(self.seen) >= LEAST_SEEN else say("no_like_halves")


class _Looker:
    """Shows a picture to the network, whole or flattened."""

    def __init__(self, image_bgr: Image) -> None:
        self._wh = np.array(image_bgr.shape[1::-1])
        self._image = reduced(image_bgr, self._wh * min(1.0, LONGEST_SIDE_PX / self._wh.max()))
        self._colour = tuple(float(value) for value in self._image[::8, ::8].reshape(-1, 3).mean(axis=0))

    def whole(self) -> _Look:
        """The whole picture, turned by a quarter where it is higher than wide."""
        width, height = self._wh
        corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
        return self._seen_within(np.roll(corners, 1, axis=0) if height > width else corners)

    def diagonal_field(self) -> _Look | None:
        """The flattened field of a board that lies diagonally; None if there surely is none.

        It lies straight in the picture turned by an eighth.
        """
        middle, reach = self._wh / 2, self._wh.sum() / 2
        turned = self._seen_within(middle + reach * np.array([(0, -1), (1, 0), (0, 1), (-1, 0)]))
        with suppress(BoardNotFound):
            look = self.settled(turned.spots_px[:4])
            return None if look.is_doubtful else look
        return None

    def _seen_within(self, corners_px: FloatArray) -> _Look:
        """What the network sees between the corners of a rectangle."""
        sides = np.hypot(*(corners_px[[1, 3]] - corners_px[0]).T)
        shown = (1 - 2 * PICTURE_MARGIN) * (np.array(SEEN_WH) / sides).min() * sides
        low = (np.array(SEEN_WH) - shown) / 2
        quad = low + np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * shown
        return self._seen(corners_px - 0.5, quad - 0.5)

    def settled(self, corners_px: FloatArray) -> _Look:
        """The flattened field, from these rough corners on until they settle. Raises BoardNotFound."""
        corners, moved = corners_px, np.inf
        for _ in range(MOST_LOOKS):
            if corner_problem(_listed(corners), (int(self._wh[0]), int(self._wh[1]))) is not None:
                raise BoardNotFound(say("board_not_found", problem=say("no_board_in_picture")))
            look = self.flattened(corners)
            after = look.spots_px[:4]
            moved = float(np.hypot(*(after - corners).T).max() / np.hypot(*(corners[1] - corners[0])))
            corners = after
            if look.kinds[ACROSS] > look.kinds[UPRIGHT]:
                corners, moved = np.roll(corners, 1, axis=0), np.inf
            if moved < STEADY:
                break
        problem = _problem(look, settled=moved < np.inf)
        if problem:
            raise BoardNotFound(say("board_not_found", problem=problem))
        return look

    def flattened(self, corners_px: FloatArray) -> _Look:
        """The mean of four looks at the field between these corners: from both ends, plain and mirrored."""
        low, high = FIELD_MARGIN / (1 + 2 * FIELD_MARGIN), (1 + FIELD_MARGIN) / (1 + 2 * FIELD_MARGIN)
        quad = np.array([(low, low), (high, low), (high, high), (low, high)]) * SEEN_WH - 0.5
        looks = [self._seen(corners_px[order], quad) for order in SAME_FIELD]
        back = [np.concatenate([order, order + 4]) for order in SAME_FIELD]
        return _Look(
            spots_px=np.mean([look.spots_px[n] for look, n in zip(looks, back, strict=True)], axis=0),
            sureness=np.mean([look.sureness[n] for look, n in zip(looks, back, strict=True)], axis=0),
            kinds=np.mean([look.kinds for look in looks], axis=0),
        )

    def closely(self, told: BoardGeometry, *, at_once: bool) -> "_Fit":
        """The field as its rows show it.

        told: the field and its bar, approximately. at_once: whether no other fields near it are tried. Raises
        GeometryError if no possible field results.
        """
        fields = RowLooker(self._image, told).fields()
        first = best = self._fitted(next(fields, told))
        if not (best.is_sure or at_once):
            best = self._best_of(best, islice(fields, FIELDS_TRIED - 1))
        if not (best.is_sure or at_once):
            fields = RowLooker(self._image, first.geometry).fields()
            best = self._best_of(best, islice(fields, FIELDS_TRIED))
        x, y = STILL_OUTWARD
        return replace(best, geometry=best.geometry.reaching(x, y, 1 - x, 1 - y))

    def _best_of(self, best: "_Fit", fields: Iterator[BoardGeometry]) -> "_Fit":
        """The likeliest of this fit and the fits near other fields; impossible fields are left out."""
        for field in fields:
            with suppress(GeometryError):
                best = max(best, self._fitted(field), key=lambda one: one.nats)
        return best

    def _fitted(self, field: BoardGeometry) -> "_Fit":
        """The field near `field` that fits its rows best."""
        length = None
        for look in range(CLOSE_LOOKS):
            rows = RowLooker(self._image, field)
            length = rows.length() if length is None else length
            spots = rows.spots(length)
            fit = fitted_to_rows(field, spots, length, loosely=look < CLOSE_LOOKS - 1)
            field, length = fit.geometry, fit.length
        top, bottom = (float(row.mean()) for row in np.split(spots.seen, 2))
        return _Fit(geometry=field, nats=RowLooker(self._image, field).nats(), seen=(top, bottom))

    def _seen(self, corners_px: FloatArray, quad: FloatArray) -> _Look:
        """What the network sees when these corners of the picture are mapped to a quad of its view."""
        sides = np.hypot(*(np.roll(corners_px, -1, axis=0) - corners_px).T)
        wanted = FINER * np.hypot(*(np.roll(quad, -1, axis=0) - quad).T)
        image = reduced(self._image, self._wh * float((wanted / np.maximum(sides, 1.0)).max()))
        share = np.array(image.shape[1::-1]) / self._wh
        placed = (corners_px + 0.5) * share - 0.5
        move = cv2.getPerspectiveTransform(placed.astype(np.float32), quad.astype(np.float32))
        view = cv2.warpPerspective(
            image,
            move,
            SEEN_WH,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=self._colour,
        )
        seen: FieldSeen = see_field(np.asarray(view, dtype=np.uint8))
        back = np.linalg.inv(move.astype(np.float64))
        spots = cv2.perspectiveTransform(seen.spots_px[None], back)[0]
        return _Look(
            spots_px=(spots + 0.5) / share - 0.5,
            sureness=seen.sureness.astype(np.float64),
            kinds=seen.kinds.astype(np.float64),
        )


def find_board(
    image_bgr: Image, about: Corners | None = None, *, surely: bool = False, quickly: bool = False
) -> FoundBoard:
    """Find the field's corners, its bar and the lens in a picture (h, w, 3).

    about: its rough corners, if known. surely: refuse a board whose rows fit badly, because no known position
    confirms it later. quickly: do not look for one that lies diagonally, and try no other fields near it,
    however badly its rows fit.

    The corners are named as the picture shows them, with the bar upright; where the bar runs across the
    picture, the one called top left is at the bottom left. Raises BoardNotFound.
    """
    fault = picture_fault(image_bgr)
    if fault:
        raise BoardNotFound(fault)
    let_go()  # to save memory, networks that read and networks that find are never loaded together
    try:
        return _found(image_bgr, about, surely=surely, quickly=quickly)
    finally:
        let_go()


def _found(image_bgr: Image, about: Corners | None, *, surely: bool, quickly: bool) -> FoundBoard:
    looker = _Looker(image_bgr)
    try:
        look = looker.settled(looker.whole().spots_px[:4] if about is None else np.array(about))
    except BoardNotFound:
        diagonal = None if quickly or about else looker.diagonal_field()
        if diagonal is None:
            raise
        look = diagonal
    fit = _fit(look, looker, image_bgr, at_once=quickly or look.is_doubtful)
    problem = fit.problem(surely=surely or look.is_doubtful) if fit else say("no_like_halves")
    if fit is None or problem:
        shown = say("no_board_in_picture") if look.is_doubtful else problem
        raise BoardNotFound(say("board_not_found", problem=shown))
    return FoundBoard(geometry=fit.geometry, confidence=look.whole * float(look.sureness[:4].min()))


def has_points(image_bgr: Image, geometry: BoardGeometry) -> bool:
    """Whether anything like the field of a board lies between the corners of a geometry."""
    looker = _Looker(image_bgr)
    if looker.flattened(np.array(geometry.corners_px)).kinds[NOTHING] < 1 - LEAST_WHOLE:
        return True
    with suppress(GeometryError):
        return looker.closely(geometry, at_once=True).problem(surely=True) is None
    return False


def corners_in_order(image_bgr: Image, corners_px: Corners) -> Corners:
    """The same four corners in the order of a field with an upright bar: clockwise from the top left.

    Corners given correctly, but from the field's other end, stay so. Raises GeometryError if they cannot be a
    field's.
    """
    given = np.array(corners_px, dtype=np.float64)
    around = given - given.mean(axis=0)
    clockwise = np.argsort(
        (np.arctan2(around[:, 1], around[:, 0]) - np.arctan2(*around[0, ::-1])) % (2 * np.pi)
    )
    quad = given[clockwise]
    height, width = image_bgr.shape[:2]
    problem = corner_problem(_listed(quad), (width, height))
    if problem:
        raise GeometryError(problem)
    if _Looker(image_bgr).flattened(quad).kinds[ACROSS] > LEAST_WHOLE:
        return _listed(_as_shown(np.roll(quad, 1, axis=0)))
    return _listed(quad if np.array_equal(quad, given) else _as_shown(quad))


def _as_shown(corners: FloatArray) -> FloatArray:
    """The corners from the picture's top left on; from its bottom left where the bar lies across."""
    return np.roll(corners, 2, axis=0) if _from_other_end(corners) else corners


def _from_other_end(corners: FloatArray) -> bool:
    along = corners[1] + corners[2] - corners[0] - corners[3]
    return bool(along[0] < 0 if abs(along[0]) >= abs(along[1]) else along[1] > 0)


def _fit(look: _Look, looker: _Looker, image_bgr: Image, *, at_once: bool) -> _Fit | None:
    """The field, its bar and the lens, from this look and then its rows; None if there is no such field.

    at_once: see `_Looker.closely`.
    """
    height, width = image_bgr.shape[:2]
    corners, ends = look.spots_px[:4], look.spots_px[4:]
    if _from_other_end(corners):
        corners, ends = np.roll(corners, 2, axis=0), np.roll(ends, 2, axis=0)
    try:
        told = BoardGeometry(corners_px=_listed(corners), image_wh=(width, height))
        told = told.with_corners(told.corners_farther_out(-OUTWARD))
        along = told.to_field(ends)[:, 0]
        bar = sorted((float(along[[0, 3]].mean()), float(along[[1, 2]].mean())))
        return looker.closely(replace(told, bar=(bar[0], bar[1])), at_once=at_once)
    except GeometryError:
        return None


def _problem(look: _Look, settled: bool) -> str | None:
    """Why no board was found; None if one was."""
    if look.kinds[CUT] > max(look.whole, look.kinds[NOTHING]):
        return say("board_cut")
    least = int(look.sureness[:4].argmin())
    if look.sureness[least] < LEAST_SURENESS:
        return say("no_board_in_picture") if look.is_doubtful else say(MISSING_CORNERS[least])
    return None if settled else say("board_lies_unclear")


def _listed(corners: FloatArray) -> Corners:
    one, two, three, four = ((float(x), float(y)) for x, y in corners)
    return one, two, three, four
