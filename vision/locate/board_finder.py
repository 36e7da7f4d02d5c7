"""Finds the board by itself in a picture of the start position or of the empty board.

A small network shows where the two halves of the field lie in the whole picture. The four corners that cover
them best are then refined by the points of the field (vision/locate/point_lattice.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from sentences import say
from vision.geometry import UNIT_SQUARE, BoardGeometry, FloatArray, GeometryError, Image, Map
from vision.locate.coarse_fit import climb, nearer_fields
from vision.locate.field_walls import fit_to_walls
from vision.locate.point_lattice import PointLattice, fit_lattice
from vision.locate.point_sides import with_bar
from vision.networks.small_networks import MAP_STEP_PX, run_network
from vision.picture_faults import picture_fault

PICTURE_WIDTHS_PX = (160, 240)
"""Longer sides of the reduced picture, tried in turn until a board is found, in pixels; guess."""
PADDING_PX = 8
"""Pixels added all round the reduced picture, because the field may fill it; guess."""
USUAL_BAR_PITCHES = 0.8
"""Usual width of a bar, in pitches; guess."""
FIELD_THRESHOLD = 0.5
"""From this answer of the network on, a pixel lies in the field; guess."""
SMALLEST_FIELD_SHARE = 0.04
"""Least share of the picture's area that a field fills; guess."""
CORNER_STEPS_PX = (4.0, 2.0, 1.0, 0.5, 0.25)
"""Steps by which corners are moved to cover the field better, in pixels of the network's answer; guess."""
LEAST_CONFIDENCE, LEAST_TENTATIVE = 0.38, 0.1
"""Least share of the 24 points seen, to report a board and to examine its place for a hand; guesses."""
ENOUGH_CONFIDENCE = 0.5
"""Share of points seen from which no other orientation and size is tried; guess."""
QUAD_WAYS = np.diag([1.0] * 8 + [0.1])
"""Steps for each coordinate of the corners, and for the bar's width in pitches; guess."""
MOST_NEARER_FIELDS = 3
"""Other fields tried round the likeliest one; guess."""
CLEARLY_BETTER = 0.1
"""A field farther from first sight must show this share of points more: a field one column off looks almost
as good; guess."""
LEAST_COVERAGE = 0.6
"""Least share of the network's answer that the halves of a field must cover; guess."""
NOT_FOUND_MESSAGE = say("no_board_found")


@dataclass(frozen=True, kw_only=True)
class FoundBoard:
    """A board found in a picture, and how surely: the share (0 to 1) of the 24 points that were seen exactly
    where the geometry has them. Points under checkers cannot be seen, so a start position has up to 0.7."""

    geometry: BoardGeometry
    confidence: float


class BoardNotFound(ValueError):
    """No board was found in the picture; the message gives the reason and what to do.

    tentative: where a board might be after all, or None.
    """

    def __init__(self, message: str, tentative: BoardGeometry | None = None) -> None:
        super().__init__(message)
        self.tentative = tentative


def find_board(image_bgr: Image) -> FoundBoard:
    """The field's corners, its bar and the lens in a picture (h, w, 3) of the start position or of the empty
    board.

    The corners are named as the picture shows them, bar upright; where the bar runs across the picture, TL is
    the corner at the bottom left. Raises BoardNotFound.
    """
    fault = picture_fault(image_bgr)
    if fault:
        raise BoardNotFound(fault)
    best: PointLattice | None = None
    for rough, likeliest in _rough_fields(image_bgr):
        for lattice in _lattices(image_bgr, rough, around=likeliest):
            if best is None or lattice.support > best.support + CLEARLY_BETTER:
                best = lattice
            if best.support > ENOUGH_CONFIDENCE:
                break
        if best and best.support > LEAST_CONFIDENCE:
            break
    if best is None or best.support < LEAST_CONFIDENCE:
        tentative = best.geometry if best and best.support > LEAST_TENTATIVE else None
        raise BoardNotFound(NOT_FOUND_MESSAGE, tentative)
    geometry = fit_to_walls(image_bgr, best.geometry, best.half_base, best.rows_end)
    return FoundBoard(geometry=geometry, confidence=best.support)


def _lattices(image_bgr: Image, rough: BoardGeometry, around: bool) -> Iterator[PointLattice]:
    """Points fitted where a field seems to lie, and on demand also around there, the nearest first."""
    fields = [rough]
    for number in range(1 + MOST_NEARER_FIELDS):
        if number == 1 and around:
            near = nearer_fields(image_bgr, rough)
            fields += sorted(near, key=lambda field: _distance(field, rough))[:MOST_NEARER_FIELDS]
        if number < len(fields):
            try:
                yield fit_lattice(image_bgr, fields[number], rough)
            except GeometryError:
                continue


def _distance(one: BoardGeometry, other: BoardGeometry) -> float:
    """How far apart, at most, the corners of two fields lie in pixels."""
    away = np.array(one.corners_px, dtype=np.float64) - np.array(other.corners_px, dtype=np.float64)
    return float(np.hypot(away[:, 0], away[:, 1]).max())


def _rough_fields(image_bgr: Image) -> Iterator[tuple[BoardGeometry, bool]]:
    """Where a field seems to lie: at each of several sizes, bar upright and bar across, likelier first; and
    whether it is the likeliest of its size."""
    height, width = image_bgr.shape[:2]
    turned = np.asarray(cv2.rotate(image_bgr, cv2.ROTATE_90_CLOCKWISE), dtype=np.uint8)
    for longest in PICTURE_WIDTHS_PX:
        fields = []
        for picture, lying in ((image_bgr, False), (turned, True)):
            found = _covered_field(picture, longest)
            if found and found[1] > LEAST_COVERAGE:
                corners, likeness = found
                fields.append((likeness, _turned_back(corners, height) if lying else corners))
        fields.sort(key=lambda field: -field[0])
        for number, (_, corners) in enumerate(fields):
            one, two, three, four = ((float(x), float(y)) for x, y in corners)
            try:
                plain = BoardGeometry(corners_px=(one, two, three, four), image_wh=(width, height))
            except GeometryError:
                continue
            yield with_bar(plain, USUAL_BAR_PITCHES), number == 0


def _turned_back(points: FloatArray, height: int) -> FloatArray:
    """Pixels of the picture turned clockwise, as pixels of the picture of that height itself."""
    return np.column_stack([points[:, 1], height - 1 - points[:, 0]])


def _covered_field(image_bgr: Image, longest: int) -> tuple[FloatArray, float] | None:
    """The corners (4, 2) in pixels of the field that covers best what looks like its halves, and how well."""
    height, width = image_bgr.shape[:2]
    scale = longest / max(height, width)
    small = cv2.resize(image_bgr, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
    edged = cv2.copyMakeBorder(small, PADDING_PX, PADDING_PX, PADDING_PX, PADDING_PX, cv2.BORDER_REPLICATE)
    halves = run_network(np.asarray(edged, dtype=np.uint8), "field")
    first = _first_quad(halves)
    if first is None:
        return None
    quad, likeness = _covering(halves, first)
    return (quad * MAP_STEP_PX + (MAP_STEP_PX - 1) / 2 - PADDING_PX + 0.5) / scale - 0.5, likeness


def _first_quad(halves: Map) -> FloatArray | None:
    """Four corners (4, 2) round the largest patch of field on the map, from top left on."""
    seen = (halves.max(axis=2) > FIELD_THRESHOLD).astype(np.uint8)
    whole = cv2.morphologyEx(seen, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    _, labels, stats, _ = cv2.connectedComponentsWithStats(whole)
    if len(stats) < 2:
        return None
    patch = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    if stats[patch, cv2.CC_STAT_AREA] < SMALLEST_FIELD_SHARE * whole.size:
        return None
    rows, columns = np.nonzero(labels == patch)
    box = cv2.boxPoints(cv2.minAreaRect(np.column_stack([columns, rows]).astype(np.float32)))
    around = box[np.argsort(np.arctan2(*(box - box.mean(axis=0)).T[::-1]))].astype(np.float64)
    return np.roll(around, -int(around.sum(axis=1).argmin()), axis=0)


def _covering(halves: Map, quad: FloatArray) -> tuple[FloatArray, float]:
    """The corners moved, and the bar widened, until the halves of the field cover the map best."""
    first = np.append(quad.ravel(), USUAL_BAR_PITCHES)
    score, best = climb(lambda field: -_uncovered(halves, field), first, CORNER_STEPS_PX, ways=QUAD_WAYS)
    return best[:8].reshape(4, 2), 1 + score / max(float(halves.sum()), 1.0)


def _uncovered(halves: Map, field: FloatArray) -> float:
    """How much of two halves of a field (four corners and the bar's width in pitches) is not on the map, and
    how much of the map not on them, in pixels."""
    quad, bar = field[:8].reshape(4, 2), max(0.0, float(field[8]))
    ends = np.array([6, 6 + bar]) / (12 + bar)
    upright = cv2.getPerspectiveTransform(UNIT_SQUARE.astype(np.float32), quad.astype(np.float32))
    wrong = 0.0
    for half, (left, right) in enumerate(((0.0, ends[0]), (ends[1], 1.0))):
        part = np.array([[[left, 0], [right, 0], [right, 1], [left, 1]]], dtype=np.float64)
        corners = cv2.perspectiveTransform(part, upright.astype(np.float64))[0]
        mask = np.zeros(halves.shape[:2], np.uint8)
        if not np.isfinite(corners).all() or np.abs(corners).max() > 4 * max(halves.shape):
            return float(halves.size)
        cv2.fillPoly(mask, [np.round(corners * 16).astype(np.int32)], (255,), cv2.LINE_AA, 4)
        wrong += float(np.abs(mask * np.float32(1 / 255) - halves[..., half]).sum())
    return wrong


def has_points(image_bgr: Image, geometry: BoardGeometry) -> bool:
    """Whether anything like 24 points lies between the corners of a geometry."""
    try:
        return fit_lattice(image_bgr, geometry).support > LEAST_TENTATIVE
    except GeometryError:
        return False
