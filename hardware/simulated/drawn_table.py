"""Draws what a camera over a board sees: boards of several looks, checkers, dice, a hand, light.

Lengths are millimetres on the table, from the upper left corner of the field: x to the right, y towards the
side of the camera, z up. Places are those of the picture, so nothing here knows the game.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import cos, hypot, radians, sin, tan

import cv2
import numpy as np
import numpy.typing as npt

from hardware.camera import Image

Colour = tuple[int, int, int]
"""Blue, green, red."""
Points = npt.NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class BoardLook:
    """A board and the camera over it. Colours are blue, green, red. The camera stands at the near side.

    height_mm, beside_mm: distance of the camera above the table and from the middle of the board.
    across_deg: its horizontal angle of view. noise: standard deviation of the picture's noise, in levels.
    """

    name: str
    field_bgr: Colour
    points_bgr: tuple[Colour, Colour]
    frame_bgr: Colour
    table_bgr: Colour
    light_bgr: Colour
    dark_bgr: Colour
    field_mm: tuple[float, float] = (560.0, 460.0)
    bar_mm: float = 44.0
    checker_mm: float = 40.0
    thick_mm: float = 9.0
    frame_mm: float = 28.0
    size_wh: tuple[int, int] = (1280, 720)
    height_mm: float = 900.0
    beside_mm: float = 120.0
    across_deg: float = 66.0
    noise: float = 2.0


BOARD_LOOKS = (
    BoardLook(
        name="cork",
        field_bgr=(95, 140, 180),
        points_bgr=((50, 60, 120), (70, 110, 85)),
        frame_bgr=(35, 60, 100),
        table_bgr=(70, 75, 80),
        light_bgr=(200, 220, 230),
        dark_bgr=(40, 35, 40),
    ),
    BoardLook(
        name="felt",
        field_bgr=(75, 95, 45),
        points_bgr=((45, 45, 150), (190, 205, 210)),
        frame_bgr=(40, 45, 70),
        table_bgr=(120, 130, 140),
        light_bgr=(215, 225, 230),
        dark_bgr=(60, 40, 140),
        height_mm=840.0,
        beside_mm=0.0,
    ),
    BoardLook(
        name="walnut",
        field_bgr=(70, 100, 140),
        points_bgr=((40, 60, 95), (140, 175, 205)),
        frame_bgr=(30, 45, 75),
        table_bgr=(60, 60, 65),
        light_bgr=(170, 205, 225),
        dark_bgr=(30, 45, 70),
        height_mm=820.0,
        beside_mm=420.0,
    ),
)


@dataclass(frozen=True, kw_only=True)
class LyingDie:
    """A die on the field: its middle, its upper face, its rotation."""

    x_mm: float
    y_mm: float
    face: int
    turned_deg: float = 20.0


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What is on the table.

    points: checkers on each of the 24 places, light ones positive, dark ones negative. bar, off: the same for
    the upper and the lower half. guests: checkers of the other colour on the same place. hand: the place
    under a hand. light: factor of the brightness, 1 as in the look.
    """

    points: tuple[int, ...] = (0,) * 24
    guests: tuple[int, ...] = (0,) * 24
    bar: tuple[int, int] = (0, 0)
    off: tuple[int, int] = (0, 0)
    dice: tuple[LyingDie, ...] = ()
    hand: int | None = None
    light: float = 1.0


def corners_px(look: BoardLook) -> list[tuple[float, float]]:
    """The field's corners in the picture: top left, top right, bottom right, bottom left."""
    width, depth = look.field_mm
    corners = np.array([(0, 0, 0), (width, 0, 0), (width, depth, 0), (0, depth, 0)], dtype=np.float64)
    return [(float(x), float(y)) for x, y in _project_to_px(look, corners)]


def bar_fractions(look: BoardLook) -> tuple[float, float]:
    """The bar's edges as fractions of the field's width."""
    half = look.bar_mm / look.field_mm[0] / 2
    return 0.5 - half, 0.5 + half


def draw_table(scene: Scene, look: BoardLook, seed: int = 0) -> Image:
    """The picture (height, width, 3) that the camera takes. seed: of its noise."""
    picture = _empty_board(look).copy()
    for x, y, z, light in _checkers(scene, look):
        _draw_checker(picture, look, x, y, z, look.light_bgr if light else look.dark_bgr)
    for die in scene.dice:
        _draw_die(picture, look, die)
    if scene.hand is not None:
        _draw_hand(picture, look, scene.hand)
    lit = cv2.convertScaleAbs(cv2.GaussianBlur(picture, (0, 0), 0.7), alpha=scene.light)
    return np.asarray(cv2.add(lit, _noise(look, seed % 4), dtype=cv2.CV_8U), np.uint8)


@lru_cache(maxsize=8)
def _noise(look: BoardLook, seed: int) -> npt.NDArray[np.int8]:
    """The noise for a seed. It is cached, because drawing it would take most of the time of a picture."""
    width, height = look.size_wh
    noise = np.random.default_rng(seed).standard_normal((height, width, 3), np.float32)
    return np.asarray(np.round(noise * look.noise), np.int8)


def _project_to_px(look: BoardLook, places: Points) -> Points:
    """The pixels (n, 2) of points (n, 3) in millimetres."""
    width, depth = look.field_mm
    away = hypot(look.height_mm, look.beside_mm)
    up, back = look.height_mm / away, look.beside_mm / away
    focal = look.size_wh[0] / 2 / tan(radians(look.across_deg) / 2)
    x, y, z = places[:, 0] - width / 2, places[:, 1] - depth / 2, places[:, 2]
    ahead = away - y * back - z * up
    right = focal * x / ahead + look.size_wh[0] / 2
    down = focal * (y * up - z * back) / ahead + look.size_wh[1] / 2
    return np.stack([right, down], axis=1)


def _fill(picture: Image, look: BoardLook, outline: Points, colour: Colour) -> None:
    """Fill a convex outline of points (n, 3) in millimetres, with antialiased edges."""
    px = np.round(_project_to_px(look, outline) * 16).astype(np.int32)
    cv2.fillConvexPoly(picture, px, colour, cv2.LINE_AA, 4)


def _rectangle(x1: float, y1: float, x2: float, y2: float, z: float = 0.0) -> Points:
    return np.array([(x1, y1, z), (x2, y1, z), (x2, y2, z), (x1, y2, z)], dtype=np.float64)


@lru_cache(maxsize=8)
def _empty_board(look: BoardLook) -> Image:
    """The empty board, with a grain."""
    width, height = look.size_wh
    picture = np.full((height, width, 3), look.table_bgr, np.uint8)
    field_width, depth = look.field_mm
    rim = look.frame_mm
    _fill(picture, look, _rectangle(-rim, -rim, field_width + rim, depth + rim), look.frame_bgr)
    _fill(picture, look, _rectangle(0, 0, field_width, depth), look.field_bgr)
    for place in range(24):
        _draw_point(picture, look, place)
    bar_left = (field_width - look.bar_mm) / 2
    _fill(picture, look, _rectangle(bar_left, 0, bar_left + look.bar_mm, depth), look.frame_bgr)
    grain = np.random.default_rng(1).standard_normal((height, width), np.float32) * 6
    grained = picture.astype(np.float32) + cv2.GaussianBlur(grain, (0, 0), 1.5)[..., None]
    return np.asarray(np.clip(grained, 0, 255), np.uint8)


def _draw_point(picture: Image, look: BoardLook, place: int) -> None:
    x, base = place_mm(look, place)
    half = _pitch_mm(look) / 2
    tip = base + (1 if place < 12 else -1) * look.field_mm[1] * 0.42
    outline = np.array([(x - half, base, 0), (x + half, base, 0), (x, tip, 0)], dtype=np.float64)
    _fill(picture, look, outline, look.points_bgr[(place + place // 12) % 2])


def _pitch_mm(look: BoardLook) -> float:
    return (look.field_mm[0] - look.bar_mm) / 12


def place_mm(look: BoardLook, place: int) -> tuple[float, float]:
    """The middle of the base of a place's point, (x, y)."""
    column = place % 12
    x = (column + 0.5) * _pitch_mm(look) + (look.bar_mm if column >= 6 else 0.0)
    return x, 0.0 if place < 12 else look.field_mm[1]


def _checkers(scene: Scene, look: BoardLook) -> list[tuple[float, float, float, bool]]:
    """(x, y, z of the underside, whether light) of every checker, the lower first, then the farther."""
    d, depth = look.checker_mm, look.field_mm[1]
    found = []
    for place, (count, guests) in enumerate(zip(scene.points, scene.guests, strict=True)):
        x, base = place_mm(look, place)
        inwards = 1 if place < 12 else -1
        for k, light in enumerate([count > 0] * abs(count) + [guests > 0] * abs(guests)):
            layer, rank = divmod(k, 5)
            found.append((x, base + inwards * (rank + 0.5) * d, layer * look.thick_mm, light))
    for half, count in enumerate(scene.bar):
        for k in range(abs(count)):
            y = depth / 2 + (1 if half else -1) * (k + 0.6) * d
            found.append((look.field_mm[0] / 2, y, 0.0, count > 0))
    for half, count in enumerate(scene.off):
        for k in range(abs(count)):
            y = (k + 0.5) * look.thick_mm if half == 0 else depth - (k + 0.5) * look.thick_mm
            found.append((look.field_mm[0] + look.frame_mm + 0.6 * d, y, 0.0, count > 0))
    return sorted(found, key=lambda checker: (checker[2], checker[1]))


_TURNS = np.linspace(0, 2 * np.pi, 48, endpoint=False)
_CIRCLE = np.stack([np.cos(_TURNS), np.sin(_TURNS), np.zeros(48)], axis=1)


def _disc(x: float, y: float, z: float, radius: float) -> Points:
    return np.asarray(_CIRCLE * radius + (x, y, z), dtype=np.float64)


def _shade(colour: Colour, share: float) -> Colour:
    blue, green, red = (max(0, min(255, round(value * share))) for value in colour)
    return blue, green, red


def _draw_checker(picture: Image, look: BoardLook, x: float, y: float, z: float, colour: Colour) -> None:
    r, top = look.checker_mm / 2 - 0.3, z + look.thick_mm
    shadow = _project_to_px(look, _disc(x + 3, y + 3, z, r))
    _darken(picture, shadow)
    for level in np.linspace(z, top, 5)[:-1]:
        _fill(picture, look, _disc(x, y, float(level), r), _shade(colour, 0.62))
    _fill(picture, look, _disc(x, y, top, r), colour)
    _fill(picture, look, _disc(x, y, top, r * 0.72), _shade(colour, 0.93))
    _fill(picture, look, _disc(x, y, top, r * 0.64), _shade(colour, 1.03))


def _darken(picture: Image, outline_px: Points) -> None:
    x, y, width, height = cv2.boundingRect(np.round(outline_px).astype(np.int32))
    x, y = max(x, 0), max(y, 0)
    patch = picture[y : y + height, x : x + width]
    if patch.size == 0:
        return
    mask = np.zeros(patch.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round((outline_px - (x, y)) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    patch[:] = (patch * (1 - mask[..., None] / 255 * 0.45)).astype(np.uint8)


_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_DIE_MM = 16.0


def _draw_die(picture: Image, look: BoardLook, die: LyingDie) -> None:
    turn = radians(die.turned_deg)
    axes = np.array([(cos(turn), sin(turn), 0), (-sin(turn), cos(turn), 0)])
    middle = np.array([die.x_mm, die.y_mm, 0])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * _DIE_MM / 2
    for level in np.linspace(0, _DIE_MM, 9):
        body = (235, 240, 240) if level == _DIE_MM else (150, 155, 155)
        _fill(picture, look, square @ axes + middle + (0, 0, level), body)
    for pip in _PIPS[die.face]:
        x, y, _ = np.array(pip) * _DIE_MM / 4 @ axes + middle
        _fill(picture, look, _disc(float(x), float(y), _DIE_MM, 1.5), (30, 30, 30))


_SKIN_BGR = (120, 150, 205)


def _draw_hand(picture: Image, look: BoardLook, place: int) -> None:
    """Draw a forearm from the near edge of the picture with its fist over a place."""
    x, base = place_mm(look, place)
    y = base + (1 if place < 12 else -1) * look.checker_mm
    fist, elbow = _project_to_px(look, np.array([(x, y, 40.0), (x + 60, look.field_mm[1] + 260, 60.0)]))
    thick = int(look.checker_mm * look.size_wh[0] / (2 * look.height_mm * tan(radians(look.across_deg) / 2)))
    start, end = (int(fist[0]), int(fist[1])), (int(elbow[0]), int(elbow[1]))
    cv2.line(picture, start, end, _shade(_SKIN_BGR, 0.8), int(thick * 1.7), cv2.LINE_AA)
    cv2.line(picture, start, end, _SKIN_BGR, int(thick * 1.3), cv2.LINE_AA)
    cv2.circle(picture, start, int(thick * 1.2), _SKIN_BGR, -1, cv2.LINE_AA)
