"""Draws boards for the tests: a camera's view of points, ringed checkers, dice, an arm, a shadow."""

import cv2
import numpy as np

from vision.geometry import BoardGeometry

OBLIQUE = ((186.0, 96.0), (476.0, 98.0), (520.0, 402.0), (132.0, 398.0))
START = (2, 0, 0, 0, 0, -5, 0, -3, 0, 0, 0, 5, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5)
"""A furnished board as it lies in the picture: 24 places, light positive."""
EMPTY = (0,) * 24
LIGHT_BGR, DARK_BGR = (225, 232, 238), (46, 40, 150)
POINTS_BGR = ((60, 50, 190), (150, 90, 50))
FIELD_BGR, FRAME_BGR, TABLE_BGR = (140, 175, 205), (50, 75, 110), (70, 90, 70)


def geometry(corners_px=OBLIQUE) -> BoardGeometry:
    return BoardGeometry(
        corners_px=corners_px, image_wh=(640, 480), bar=(0.46, 0.54), checker=0.072, aspect=1.2
    )


def picture(
    counts=EMPTY,
    *,
    bar=(0, 0),
    view=None,
    light=(1.0, 1.0, 1.0),
    seed=0,
    dice=(),
    arm=None,
    shadow=None,
    askew=None,
    piled=None,
    guests=None,
    loose=(),
    blur=0.0,
) -> np.ndarray:
    """A (480, 640, 3) picture of a board furnished with `counts`; light multiplies blue, green, red; askew
    shifts places' checkers sideways by field widths; piled maps places to where along their rows (0 on the
    first checker, 0.5 between the first two) further checkers lie on them; guests maps places to where along
    their rows, and how many points aside, a checker of the other colour lies; loose: field coordinates and
    colours of checkers that lie on no point."""
    view = view or geometry()
    image = _grain(np.full((480, 640, 3), TABLE_BGR, dtype=np.float32), 7, 6.0)
    image = _furniture(image, view)
    spread = np.random.default_rng(11)
    for place, count in enumerate(counts):
        for index in range(abs(count)):
            x, y = view.checker_xy(place, index)
            x += (askew or {}).get(place, 0.0)
            stray = spread.normal(0, 0.02, 2) * view.diameter
            _checker(
                image,
                view,
                x + stray[0],
                y + (0.02 * index * view.diameter) * (1 if place < 12 else -1),
                count,
            )
    for place, ranks in (piled or {}).items():
        for rank in ranks:
            x, y = view.checker_xy(place, rank)
            _checker(image, view, x, y, counts[place], level=1)
    for place, (rank, aside) in (guests or {}).items():
        x, y = view.checker_xy(place, rank)
        _checker(image, view, x + aside * view.column_width(place), y, -counts[place])
    for colour, number in zip((1, -1), bar, strict=True):
        for index in range(number):
            _checker(image, view, 0.5, 0.5 + colour * (0.1 + 0.1 * index), colour)
    for x, y, colour in loose:
        _checker(image, view, x, y, colour)
    for x, y in dice:
        _polygon(image, view, _square(x, y, 0.022), (245, 245, 245))
        _polygon(image, view, _square(x, y, 0.004), (20, 20, 20))
    if arm is not None:
        _arm(image, view, *arm)
    if shadow is not None:
        _shade(image, view, *shadow)
    image = cv2.GaussianBlur(image, (0, 0), 0.6 + blur) * np.array(light, dtype=np.float32)
    noise = np.random.default_rng(seed).normal(0, 1.5, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def _grain(image, seed, levels):
    rough = np.random.default_rng(seed).normal(0, 1, image.shape[:2]).astype(np.float32)
    return image + levels * cv2.GaussianBlur(rough, (0, 0), 1.5)[..., None] * 3


def _furniture(image, view):
    aspect = 1 / view.height
    for edge, colour in ((0.07, FRAME_BGR), (0.035, (30, 45, 70)), (0.0, FIELD_BGR)):
        ring = [(-edge, -edge * aspect), (1 + edge, -edge * aspect), (1 + edge, 1 + edge * aspect)]
        _polygon(image, view, [*ring, (-edge, 1 + edge * aspect)], colour)
    for place in range(24):
        middle, half = view.column_x(place), view.column_width(place) / 2
        base, tip = (0.0, 0.41) if place < 12 else (1.0, 0.59)
        triangle = [(middle - half, base), (middle + half, base), (middle, tip)]
        _polygon(image, view, triangle, POINTS_BGR[(place + place // 12) % 2])
    left, right = view.bar
    _polygon(image, view, [(left, 0), (right, 0), (right, 1), (left, 1)], FRAME_BGR)
    return _grain(image, 8, 2.0)


def _checker(image, view, x, y, colour, level=0):
    body = np.array(LIGHT_BGR if colour > 0 else DARK_BGR, dtype=np.float32)
    foot, top = level * view.top_height, (level + 1) * view.top_height
    low, high = (view.to_px(_circle(view, x, y, 0.5), h) for h in (foot, top))
    hull = cv2.convexHull(np.concatenate([low, high]).astype(np.float32)).reshape(-1, 2)
    _fill(image, hull, body * 0.55)
    for radius, shade in ((0.49, 0.85), (0.45, 1.0), (0.3, 0.8), (0.26, 1.05)):
        _fill(image, view.to_px(_circle(view, x, y, radius), top), np.minimum(body * shade, 255))


def _arm(image, view, x, y):
    """An arm from the picture's upper edge to a hand at field coordinates (x, y)."""
    hand = view.to_px([(x, y)])[0]
    cv2.line(image, (int(hand[0]) + 30, -20), tuple(int(v) for v in hand), (120, 60, 40), 44)
    cv2.circle(image, tuple(int(v) for v in hand), 30, (130, 160, 215), -1)


def _shade(image, view, x, y):
    dark = np.zeros(image.shape[:2], dtype=np.float32)
    middle = view.to_px([(x, y)])[0]
    cv2.circle(dark, tuple(int(v) for v in middle), 70, 0.3, -1)
    image *= 1 - cv2.GaussianBlur(dark, (0, 0), 15)[..., None]


def _circle(view, x, y, radius):
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    reach = radius * view.diameter
    return np.stack([x + reach * np.cos(turn), y + reach * np.sin(turn) / view.height], axis=1)


def _square(x, y, half):
    return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]


def _polygon(image, view, ring, colour):
    steps = np.linspace(0, 1, 24, endpoint=False) if view.distortion else np.zeros(1)
    corners = np.array(ring, dtype=np.float64)
    sides = np.roll(corners, -1, axis=0) - corners
    points = corners[:, None] + steps[None, :, None] * sides[:, None]
    _fill(image, view.to_px(points.reshape(-1, 2)), colour)


def _fill(image, ring_px, colour):
    ring = np.rint(np.asarray(ring_px) * 16).astype(np.int32)
    cv2.fillPoly(image, [ring], tuple(float(c) for c in colour), cv2.LINE_8, shift=4)
