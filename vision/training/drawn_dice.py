"""Draws small pieces of boards with dice on them, to train and test the network that finds and reads dice.

A piece looks like a part of `vision.dice.field_view`: the board's plane is undistorted, and what stands on it
leans roughly towards the upper edge. Dice are solid cubes, so up to two of their sides are visible as well.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.dice.field_view import PITCH_PX
from vision.networks.dice_network import COCKED, CUBE
from vision.training.dice_drawing import (
    CORNERS,
    Canvas,
    Cube,
    FloatArray,
    Look,
    Pictures,
    View,
    darken_below,
    draw_body,
    drawn_ground,
    faces_of_sides,
    gleam_dome,
    lay_texture,
    look_by_chance,
    side_texture,
    strew_dots,
    turned_about,
)
from vision.training.grains import colour_by_chance

PIECE_PX = 112
"""Width of a finished piece, which shows two pitches of the board."""
FINE_PX = 96
"""Pixels of a pitch while drawing."""
WHOLE_PITCHES = 2.5
"""Width of what is drawn: more than a piece, so that nothing ends at the piece's edge."""
DOTTED = 0.3
"""Share of the pieces whose ground has dots, which may look like pips."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A piece of a board (112, 112, 3) and what lies on it.

    objects: (N, 4) x, y of an object's middle as seen, its size (the root of the area of its bounding box),
    all in pixels, and its class, see `vision.networks.dice_network`; negative where any answer is right.
    """

    image_bgr: Pictures
    objects: FloatArray


def draw_piece(rng: np.random.Generator, ground: Pictures | None = None) -> Piece:
    """Draw dice, checkers and cubes on a ground (a piece of any board), or on a drawn one."""
    side = round(WHOLE_PITCHES * FINE_PX)
    turn = turned_about(2, rng.normal(0, 0.4))[:2, :2]
    view = View(
        lean=turn @ np.array([0.0, -rng.uniform(0, 1.35)]),
        light=np.array([*rng.normal(0, 0.6, 2), 1.0]),
        pitches=WHOLE_PITCHES,
        fine_px=FINE_PX,
    )
    canvas = drawn_ground(rng, side) if ground is None else _enlarged(ground, side)
    if rng.random() < DOTTED:
        strew_dots(canvas, rng, FINE_PX)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.45, 0.35, 0.2] if ground is None else [0.8, 0.15, 0.05]))):
        _checker(canvas, rng, view)
    objects = [_cube_or_mark(canvas, rng, view)] if rng.random() < 0.12 else []
    taken = [at[:2] / FINE_PX - WHOLE_PITCHES / 2 for at in objects]
    look, size, middles = look_by_chance(rng), rng.uniform(0.2, 0.46), list[FloatArray]()
    places = rng.uniform(-0.6, 0.6, (int(rng.choice([0, 1, 2, 3], p=[0.12, 0.38, 0.35, 0.15])), 2))
    for middle in sorted(places, key=lambda place: float(place[1])):
        if any(np.linalg.norm(middle - other) < 1.25 * size for other in middles):
            continue
        if any(np.linalg.norm(middle - other) < 1.2 for other in taken):
            continue
        middles.append(middle)
        look = look if rng.random() < 0.7 else look_by_chance(rng)
        objects.append(_die(canvas, rng, view, look, size, middle))
    if rng.random() < 0.15 and not objects:
        _checker(canvas, rng, view)
    elif rng.random() < 0.15:
        _checker(canvas, rng, view, beside=middles)
    listed = np.array(objects, np.float64).reshape(-1, 4)
    scale = PITCH_PX / FINE_PX
    listed[:, :2] = listed[:, :2] * scale - (WHOLE_PITCHES * PITCH_PX - PIECE_PX) / 2
    listed[:, 2] *= scale
    return Piece(image_bgr=_photographed(canvas, rng, view), objects=listed)


def _enlarged(ground: Pictures, side: int) -> Canvas:
    size = round(PIECE_PX / PITCH_PX * FINE_PX)
    large = cv2.resize(ground, (size, size), interpolation=cv2.INTER_CUBIC)
    edge = (side - size) // 2
    rest = side - size - edge
    return np.asarray(cv2.copyMakeBorder(large, edge, rest, edge, rest, cv2.BORDER_REFLECT), np.float32)


def _seen(view: View, cube: Cube, answer: int) -> FloatArray:
    """(4,): a cube's middle as seen and its size, in pixels of the drawing, and its class."""
    outline = view.flat(cube.corners())
    low, high = outline.min(axis=0), outline.max(axis=0)
    return np.array([*(low + high) / 2, np.sqrt(np.prod(high - low)), answer])


def _die(
    canvas: Canvas, rng: np.random.Generator, view: View, look: Look, size: float, middle: FloatArray
) -> FloatArray:
    """Draw a die, sometimes leaning or on a checker. Returns what `_seen` says of it."""
    leans, upon = rng.random() < 0.10, rng.random() < 0.03
    height = rng.uniform(0.15, 0.32) if upon else 0.0
    if upon:
        _checker(canvas, rng, view, under=(middle, height))
    tilt = np.radians(rng.uniform(13, 47) if leans else rng.uniform(0, 3))
    turn = (
        turned_about(2, rng.uniform(0, 2 * np.pi))
        @ turned_about(0, tilt)
        @ turned_about(2, rng.uniform(0, 2 * np.pi))
    )
    lift = -float((turn @ CORNERS.T)[2].min()) * size + (rng.uniform(0, 0.2) if leans else height)
    cube = Cube(turn=turn, size=size, centre=np.array([*middle, lift]))
    draw_body(canvas, rng, view, look, cube)
    faces = faces_of_sides(rng)
    for side, normal in cube.sides_towards(view):
        glare = rng.uniform(0, 225) if side == 0 and rng.random() < 0.35 else 0.0
        texture, alpha = side_texture(look, faces[side], rng, glare)
        lay_texture(canvas, view, texture * view.shade(normal), alpha, cube.side_corners(side))
    return _seen(view, cube, COCKED if leans or upon else faces[0])


def _checker(
    canvas: Canvas,
    rng: np.random.Generator,
    view: View,
    beside: list[FloatArray] | None = None,
    under: tuple[FloatArray, float] | None = None,
) -> None:
    """Draw a checker with its side, rings and gleam.

    beside: places (in pitches) of dice; a checker too near to one is not drawn. under: place and height of a
    checker that carries a die.
    """
    radius, height = rng.uniform(0.36, 0.5), rng.uniform(0.15, 0.32)
    middle = rng.uniform(-1.1, 1.1, 2)
    if under:
        middle, height = under[0] + rng.uniform(-0.2, 0.2, 2), under[1]
    if any(np.linalg.norm(middle - other) < radius + 0.35 + height for other in beside or ()):
        return
    colour = colour_by_chance(rng)
    round_px = round(radius * FINE_PX * 8)
    angles = np.linspace(0, 2 * np.pi, 24)
    rim = np.stack([np.cos(angles), np.sin(angles)], 1) * radius + middle
    body = np.concatenate([np.c_[rim, np.zeros(24)], np.c_[rim, np.full(24, height)]])
    darken_below(canvas, rng, view, body)
    hull = cv2.convexHull(view.flat(body).astype(np.float32))
    cv2.fillConvexPoly(canvas, np.rint(hull).astype(np.int32), (colour * 0.55).tolist(), cv2.LINE_AA)
    at = view.flat(np.array([[*middle, height]]))[0]
    place = tuple(int(v) for v in np.rint(at * 8))
    cv2.circle(canvas, place, round_px, colour.tolist(), -1, cv2.LINE_AA, 3)
    for _ in range(int(rng.integers(0, 4))):
        tint = np.clip(colour * rng.uniform(0.5, 1.5), 0, 255)
        ring, width = round(round_px * rng.uniform(0.15, 0.98)), int(rng.integers(1, 9))
        cv2.circle(canvas, place, ring, tint.tolist(), width, cv2.LINE_AA, 3)
    if rng.random() < 0.5:
        gleam_dome(canvas, rng, at, radius * FINE_PX)
    if rng.random() < 0.6:
        gleam = np.zeros(canvas.shape[:2], np.float32)
        start = int(rng.integers(360))
        inner = round(radius * FINE_PX * rng.uniform(0.3, 0.95))
        thick = -1 if rng.random() < 0.3 else int(rng.integers(2, 9))
        where = tuple(int(v) for v in np.rint(at))
        cv2.ellipse(gleam, where, (inner, inner), 0, start, start + int(rng.integers(20, 160)), 1.0, thick)
        gleam = cv2.GaussianBlur(gleam, (0, 0), rng.uniform(1, 5))[..., None]
        canvas += gleam * np.float32(rng.uniform(0.2, 0.9)) * (255 - canvas)


def _cube_or_mark(canvas: Canvas, rng: np.random.Generator, view: View) -> FloatArray:
    """Draw a doubling cube, or a round mark (screw, knot or inlay). Returns what `_seen` says of it."""
    if rng.random() < 0.3:
        at = tuple(int(v) for v in rng.uniform(0.3, 0.7, 2) * canvas.shape[0])
        radius = int(rng.integers(3, 30))
        cv2.circle(canvas, at, radius, colour_by_chance(rng).tolist(), -1, cv2.LINE_AA)
        return np.array([*at, 2 * radius, 0])
    look, size = look_by_chance(rng), rng.uniform(0.5, 0.95)
    turn = turned_about(2, rng.uniform(0, 2 * np.pi))
    cube = Cube(turn=turn, size=size, centre=np.array([*rng.uniform(-0.6, 0.6, 2), size / 2]))
    draw_body(canvas, rng, view, look, cube)
    for side, normal in cube.sides_towards(view):
        texture, alpha = side_texture(look, 1, rng, 0.0)
        numeral = np.zeros(texture.shape[:2], np.uint8)
        text = str(rng.choice(["2", "4", "8", "16", "32", "64"]))
        scale = 2.2 if len(text) == 1 else 1.6
        cv2.putText(numeral, text, (14, 70), 0, scale, 255, 6, cv2.LINE_AA)
        texture = look.body + (numeral[..., None] / np.float32(255)) * (look.pip - look.body)
        lay_texture(canvas, view, texture * view.shade(normal), alpha, cube.side_corners(side))
    return _seen(view, cube, CUBE)


def _photographed(canvas: Canvas, rng: np.random.Generator, view: View) -> Pictures:
    """(112, 112, 3): the drawing as a camera takes it (coarse, blurred, noisy, compressed), rectified."""
    coarse = float(np.exp(rng.uniform(np.log(24), np.log(90)))) / FINE_PX
    steepness = np.hypot(*view.lean)
    along = view.lean / max(float(steepness), 1e-6)
    shrink = 1 / np.sqrt(1 + steepness**2)
    squeeze = np.eye(2) - (1 - shrink) * np.outer(along, along)
    squeeze = coarse * turned_about(2, rng.uniform(0, 2 * np.pi))[:2, :2] @ squeeze
    side = canvas.shape[0]
    seen = round(side * coarse * 1.1) + 4
    place = np.c_[squeeze, np.full(2, seen / 2) - squeeze @ np.full(2, side / 2)]
    soft = 0.38 / coarse * rng.uniform(0.6, 1.3)
    smooth = cv2.GaussianBlur(canvas, (0, 0), max(soft, 0.3))
    picture = cv2.warpAffine(
        smooth, place, (seen, seen), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.0))
    picture = picture * rng.uniform(0.45, 1.15) * np.clip(rng.normal(1, 0.06, 3), 0.8, 1.2)
    picture = picture + rng.normal(0, rng.uniform(0, 7), picture.shape)
    if rng.random() < 0.3:
        sharp = cv2.GaussianBlur(picture, (0, 0), 1.0)
        picture = picture + rng.uniform(0.2, 1.0) * (picture - sharp)
    taken = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.8:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(55, 97))]
        taken = np.asarray(cv2.imdecode(cv2.imencode(".jpg", taken, quality)[1], cv2.IMREAD_COLOR), np.uint8)
    back = np.linalg.inv(np.r_[place, [[0, 0, 1]]])
    scale = PITCH_PX / FINE_PX
    onto = np.diag([scale, scale, 1.0])
    onto[:2, 2] = -(WHOLE_PITCHES * PITCH_PX - PIECE_PX) / 2
    total = (onto @ back)[:2]
    flags = cv2.INTER_LINEAR if rng.random() < 0.5 else cv2.INTER_CUBIC
    piece = cv2.warpAffine(taken, total, (PIECE_PX, PIECE_PX), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(piece, np.uint8)
