"""Draws a reading on its picture: the field, the counts, unsure and unseen places, lit LEDs."""

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np

from sentences import say
from vision.board_reading import BAR_PLACE, N_POINTS, BoardReading
from vision.geometry import BoardGeometry, FloatArray, Image

Bgr = tuple[int, int, int]

OUTLINE_COLOUR: Bgr = (80, 220, 80)
UNSURE_COLOUR: Bgr = (0, 160, 255)
UNSEEN_COLOUR: Bgr = (200, 200, 200)
STRIP_COLOUR: Bgr = (30, 30, 30)
FONT, LETTER_SIZE = cv2.FONT_HERSHEY_SIMPLEX, 0.42
"""The font, and its size for lines one pixel thick."""
MOST_ENLARGED = 8
"""Greatest enlargement. A board that would need more is too small to be read; guess."""
UNSURE_BELOW = 0.9
"""A count with a lower probability is drawn as unsure, with a question mark; guess."""
POINT_LENGTH = 0.4
"""Length of a drawn point as a fraction of the field's height; guess."""
PLATE_RADIUS = 9
"""Radius of the round plate behind a count, in pixels, for lines one pixel thick."""
CAPTION_WIDTHS = 560
"""Pixels of the picture's width for each size step of the caption's letters; guess."""
TIPS = (0.45, 0.55)
"""Height y at which the counts of the upper and of the lower points are drawn, in field coordinates."""


def draw_overlay(
    image_bgr: Image,
    geometry: BoardGeometry,
    reading: BoardReading,
    marks: Iterable[tuple[int, Bgr]] = (),
) -> Image:
    """A copy of the (h, w, 3) picture with the reading drawn on it, enlarged when it is small.

    marks: lit places (0 to 23, 24 for the bar) with their colour, drawn beside their base. A place that holds
    checkers, or of which the reader is unsure, carries its count on a light or dark plate, with "?" when
    unsure. Unseen places are hatched; a refused reading shows its reason.
    """
    column_px, apart_px = _column_px(geometry), _apart_px(geometry)
    plate_px = 2 * (PLATE_RADIUS + 1)
    factor = int(np.ceil(plate_px / max(min(column_px, apart_px), 1.0)))
    if 1 < factor <= MOST_ENLARGED:
        size_wh = (image_bgr.shape[1] * factor, image_bgr.shape[0] * factor)
        larger: Image = np.asarray(cv2.resize(image_bgr, size_wh, interpolation=cv2.INTER_CUBIC), np.uint8)
        return draw_overlay(larger, _enlarged(geometry, factor), reading, marks)
    drawn = image_bgr.copy()
    # Lines are so thin that plates of neighbouring and of facing points do not overlap.
    weight = max(1, int(min(column_px, apart_px) / plate_px))
    _outline(drawn, geometry, weight)
    for place in sorted(reading.unseen):
        _hatch(drawn, _place_px(geometry, place), weight)
    for place, (count, confidence) in enumerate(zip(reading.counts(), reading.confidences(), strict=True)):
        if place not in reading.unseen and (count or confidence < UNSURE_BELOW):
            _plate(drawn, _plate_px(geometry, place), count, confidence, weight)
    _bar_plates(drawn, geometry, reading, weight)
    for place, colour in marks:
        _light(drawn, geometry, place, colour)
    caption = reading.refused or (say("hand_in_picture") if reading.hand else None)
    if caption:
        _caption(drawn, caption)
    return drawn


def _enlarged(geometry: BoardGeometry, factor: int) -> BoardGeometry:
    """The same board in a picture `factor` times as large."""
    one, two, three, four = ((x * factor, y * factor) for x, y in geometry.corners_px)
    width, height = geometry.image_wh
    return replace(geometry, corners_px=(one, two, three, four), image_wh=(width * factor, height * factor))


def _column_px(geometry: BoardGeometry) -> float:
    """The width of a column in the middle of the field, in pixels."""
    left, right = geometry.to_px([(geometry.column_x(2), 0.5), (geometry.column_x(3), 0.5)])
    return float(np.linalg.norm(right - left))


def _apart_px(geometry: BoardGeometry) -> float:
    """The least distance between the drawn counts of two facing points, in pixels."""
    across = [geometry.to_px([(x, y) for y in TIPS]) for x in (0.0, 1.0)]
    return float(min(np.linalg.norm(lower - upper) for upper, lower in across))


def _polygon(geometry: BoardGeometry, corners: list[tuple[float, float]]) -> FloatArray:
    """(N, 2) pixels of a field polygon, with points along its sides, which the lens distortion bends."""
    sides = [
        np.linspace(start, end, 12, endpoint=False)
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True)
    ]
    return geometry.to_px(np.concatenate(sides))


def _outline(drawn: Image, geometry: BoardGeometry, weight: int) -> None:
    left, right = geometry.bar
    for corners in (
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)],
        [(left, 0.0), (right, 0.0), (right, 1.0), (left, 1.0)],
    ):
        ring = np.rint(_polygon(geometry, corners)).astype(np.int32)
        cv2.polylines(drawn, [ring], True, OUTLINE_COLOUR, weight, cv2.LINE_AA)


def _place_px(geometry: BoardGeometry, place: int) -> FloatArray:
    """(N, 2) pixels of a place's outline: of a point with its base, or of the bar."""
    if place == BAR_PLACE:
        left, right = geometry.bar
        return _polygon(geometry, [(left, 0.0), (right, 0.0), (right, 1.0), (left, 1.0)])
    middle, half = geometry.column_x(place), geometry.column_width(place) / 2
    base, tip = (0.0, POINT_LENGTH) if place < N_POINTS // 2 else (1.0 - POINT_LENGTH, 1.0)
    return _polygon(
        geometry, [(middle - half, base), (middle + half, base), (middle + half, tip), (middle - half, tip)]
    )


def _plate_px(geometry: BoardGeometry, place: int) -> FloatArray:
    """(2,): where a place's count is written, inside the field near the place's tip."""
    y = TIPS[place >= N_POINTS // 2]
    at_px: FloatArray = geometry.to_px([(geometry.column_x(place), y)])[0]
    return at_px


def _plate(drawn: Image, at_px: FloatArray, count: int, confidence: float, weight: int) -> None:
    paper: Bgr = (235, 235, 235) if count > 0 else (40, 40, 40)
    ink: Bgr = (20, 20, 20) if count > 0 else (240, 240, 240)
    words = f"{abs(count)}" + ("?" if confidence < UNSURE_BELOW else "")
    centre = (round(float(at_px[0])), round(float(at_px[1])))
    rim = UNSURE_COLOUR if confidence < UNSURE_BELOW else OUTLINE_COLOUR
    cv2.circle(drawn, centre, PLATE_RADIUS * weight, paper, -1, cv2.LINE_AA)
    cv2.circle(drawn, centre, PLATE_RADIUS * weight, rim, weight, cv2.LINE_AA)
    offset = np.array([-3.8 * weight * len(words), 4.5 * weight])
    _text(drawn, words, tuple(at_px + offset), ink, weight)


def _bar_plates(drawn: Image, geometry: BoardGeometry, reading: BoardReading, weight: int) -> None:
    if BAR_PLACE in reading.unseen:
        return
    middle = sum(geometry.bar) / 2
    confidences = np.exp(reading.bar.max(axis=1))
    for row, (count, y) in enumerate(zip(reading.bar_counts(), (0.06, 0.94), strict=True)):
        if count:
            signed = count if row == 0 else -count
            _plate(drawn, geometry.to_px([(middle, y)])[0], signed, float(confidences[row]), weight)


def _hatch(drawn: Image, ring_px: FloatArray, weight: int) -> None:
    """Slanting lines inside a ring."""
    inside = np.zeros(drawn.shape[:2], dtype=np.uint8)
    cv2.fillPoly(inside, [np.rint(ring_px).astype(np.int32)], (255,))
    y, x = np.indices(inside.shape)
    drawn[(inside > 0) & ((x + y) % (8 * weight) < weight)] = UNSEEN_COLOUR


def _light(drawn: Image, geometry: BoardGeometry, place: int, colour: Bgr) -> None:
    """A lit lamp just outside the base of a place, or at the bar's middle."""
    if place == BAR_PLACE:
        x, y = sum(geometry.bar) / 2, 0.5
    else:
        x, y = geometry.column_x(place), -0.035 if place < N_POINTS // 2 else 1.035
    centre_px, beside_px = geometry.to_px([(x, y), (x + 0.3 * geometry.diameter, y)])
    radius = max(3, round(float(np.linalg.norm(beside_px - centre_px))))
    centre = (round(float(centre_px[0])), round(float(centre_px[1])))
    cv2.circle(drawn, centre, radius, colour, -1, cv2.LINE_AA)
    cv2.circle(drawn, centre, radius, (255, 255, 255), max(1, radius // 6), cv2.LINE_AA)


def _text(drawn: Image, words: str, at_px: tuple[float, ...], colour: Bgr, weight: int) -> None:
    origin = (round(float(at_px[0])), round(float(at_px[1])))
    cv2.putText(drawn, words, origin, FONT, LETTER_SIZE * weight, colour, weight, cv2.LINE_AA)


def _caption(drawn: Image, words: str) -> None:
    """A sentence on a dark strip across the top, on as many lines as it needs."""
    height, width = drawn.shape[:2]
    weight = max(1, round(width / CAPTION_WIDTHS))
    margin, step = 6 * weight, 18 * weight
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        (length, _), _ = cv2.getTextSize(longer, FONT, LETTER_SIZE * weight, weight)
        if lines[-1] and length > width - 2 * margin:
            lines.append(word)
        else:
            lines[-1] = longer
    cv2.rectangle(drawn, (0, 0), (width, min(height, step * len(lines) + margin)), STRIP_COLOUR, -1)
    for row, line in enumerate(lines, start=1):
        _text(drawn, line, (margin, step * row - weight), UNSURE_COLOUR, weight)
