"""Draws small pieces of boards with dice on them, to teach and test the network that finds and reads dice.

A piece is seen as `vision.dice.field_view` shows the field: the board's plane is true, and whatever stands
up from it leans roughly to the upper edge. Dice are solid cubes, so two of their sides are seen as well.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.dice.field_view import PITCH_PX
from vision.networks.dice_network import COCKED, CUBE

Pictures = npt.NDArray[np.uint8]
Canvas = npt.NDArray[np.float32]
FloatArray = npt.NDArray[np.float64]

PIECE_PX = 112
"""Width of a finished piece, which shows two pitches of the board."""
FINE_PX = 96
"""Pixels a pitch while drawing."""
WHOLE_PITCHES = 2.5
"""What is drawn, so that nothing ends at the piece's edge."""
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)),
    6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}
TEXTURE_PX = 96
SIDES = np.array([(0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)], np.float64)
"""Outward normals of a cube's sides: top, bottom, and the four others in opposite pairs."""


@dataclass(frozen=True, kw_only=True)
class View:
    """How the camera looks: what is one pitch high leans by `lean` (2,) pitches. light: (3,) towards it."""

    lean: FloatArray
    light: FloatArray

    @property
    def towards(self) -> FloatArray:
        """(3,): the direction from the board to the camera."""
        return np.array([-self.lean[0], -self.lean[1], 1.0])

    def flat(self, points: FloatArray) -> FloatArray:
        """(N, 3) points in pitches to (N, 2) fine pixels."""
        pitches = points[:, :2] + points[:, 2:] * self.lean
        return (pitches + WHOLE_PITCHES / 2) * FINE_PX

    def shade(self, normal: FloatArray) -> float:
        """Brightness of a surface, 1 for one that lies flat."""
        lit = 0.45 + 0.55 * max(0.0, float(normal @ self.light) / self.light[2])
        return float(np.clip(lit, 0.3, 1.3))


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a set of dice looks like: colours (3,), pips' radius and reach and edges' radius over the side."""

    body: Canvas
    pip: Canvas
    radius: float
    reach: float
    edge: float
    ace: float


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A piece of a board (112, 112, 3) and what lies on it.

    objects: (N, 4) x, y of an object's middle as seen, its size (the root of its outline's area), all in
    pixels, and its class, see `vision.networks.dice_network`; negative for what may be called anything.
    """

    image_bgr: Pictures
    objects: FloatArray


def draw_piece(rng: np.random.Generator, ground: Pictures | None = None) -> Piece:
    """A piece with dice, checkers and cubes drawn on a ground (a piece of any board), or on a drawn one."""
    side = round(WHOLE_PITCHES * FINE_PX)
    turn = _turned(2, rng.normal(0, 0.4))[:2, :2]
    view = View(
        lean=turn @ np.array([0.0, -rng.uniform(0, 1.35)]), light=np.array([*rng.normal(0, 0.6, 2), 1.0])
    )
    canvas = _ground(rng, side) if ground is None else _enlarged(ground, side)
    for _ in range(int(rng.choice([0, 1, 2], p=[0.45, 0.35, 0.2] if ground is None else [0.8, 0.15, 0.05]))):
        _checker(canvas, rng, view)
    objects = []
    if rng.random() < 0.12:
        objects.append(_cube_or_mark(canvas, rng, view))
    look, size, middles = _look(rng), rng.uniform(0.2, 0.46), list[FloatArray]()
    places = rng.uniform(-0.6, 0.6, (int(rng.choice([0, 1, 2, 3], p=[0.12, 0.38, 0.35, 0.15])), 2))
    for middle in sorted(places, key=lambda place: float(place[1])):
        if any(np.linalg.norm(middle - other) < 1.25 * size for other in middles):
            continue
        if objects and np.linalg.norm(objects[0][:2] / FINE_PX - WHOLE_PITCHES / 2 - middle) < 1.2:
            continue
        middles.append(middle)
        look = look if rng.random() < 0.7 else _look(rng)
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


def _seen(view: View, corners: FloatArray, answer: int) -> FloatArray:
    """(4,): the middle of a body as seen, its size (fine pixels), and its class."""
    outline = view.flat(corners)
    low, high = outline.min(axis=0), outline.max(axis=0)
    return np.array([*(low + high) / 2, np.sqrt(np.prod(high - low)), answer])


def _colour(rng: np.random.Generator) -> Canvas:
    """A colour as boards, checkers and dice have them."""
    kind, value = rng.random(), float(rng.uniform(20, 245))
    if kind < 0.3:
        return np.clip(value + rng.normal(0, 6, 3), 5, 250).astype(np.float32)
    if kind < 0.6:
        wood = value * np.array([rng.uniform(0.3, 0.75), rng.uniform(0.6, 0.9), 1.0])
        return np.clip(wood, 5, 250).astype(np.float32)
    hsv = np.array([[[rng.integers(180), rng.integers(90, 255), int(value)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _look(rng: np.random.Generator) -> Look:
    kind = rng.random()
    if kind < 0.35:  # ivory or white with dark pips
        body, pip = rng.uniform(185, 255) * np.array([rng.uniform(0.8, 1), rng.uniform(0.93, 1), 1]), None
    elif kind < 0.6:  # dark
        body, pip = np.clip(rng.uniform(15, 70) + rng.normal(0, 6, 3), 5, 90), None
    else:
        body, pip = _colour(rng), None
    bright = float(np.mean(body)) > rng.uniform(110, 170)
    pip = np.clip((rng.uniform(5, 60) if bright else rng.uniform(195, 255)) + rng.normal(0, 8, 3), 0, 255)
    if rng.random() < 0.1:
        pip = _colour(rng)
        if abs(float(pip.mean()) - float(np.mean(body))) < 70:
            pip = np.full(3, 20.0 if bright else 240.0)
    return Look(
        body=np.asarray(body, np.float32),
        pip=np.asarray(pip, np.float32),
        radius=rng.uniform(0.075, 0.125),
        reach=rng.uniform(0.21, 0.29),
        edge=rng.uniform(0.02, 0.16),
        ace=rng.choice([1.0, 1.5], p=[0.8, 0.2]),
    )


def _die(
    canvas: Canvas, rng: np.random.Generator, view: View, look: Look, size: float, middle: FloatArray
) -> FloatArray:
    """Draw a die, sometimes leaning or upon a checker; see `_seen`."""
    leans, upon = rng.random() < 0.10, rng.random() < 0.03
    height = rng.uniform(0.15, 0.32) if upon else 0.0
    if upon:
        _checker(canvas, rng, view, under=(middle, height))
    tilt = np.radians(rng.uniform(13, 47) if leans else rng.uniform(0, 3))
    turn = _turned(2, rng.uniform(0, 2 * np.pi)) @ _turned(0, tilt) @ _turned(2, rng.uniform(0, 2 * np.pi))
    corners = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float64) / 2
    lift = -float((turn @ corners.T)[2].min()) * size + (rng.uniform(0, 0.2) if leans else height)
    centre = np.array([*middle, lift])
    _shadow(canvas, rng, view, (turn @ corners.T).T * size + centre)
    _hull(canvas, view, (turn @ corners.T * (1 - 2 * look.edge)).T * size + centre, look, size)
    faces = _faces_of_sides(rng)
    normals = SIDES @ turn.T
    order = [side for side in np.argsort(normals @ view.towards) if normals[side] @ view.towards > 0.02]
    for side in order:
        glare = rng.uniform(0, 225) if side == 0 and rng.random() < 0.35 else 0.0
        texture, alpha = _texture(look, faces[side], rng, glare)
        _lay(canvas, view, texture * view.shade(normals[side]), alpha, _quad(side, turn, size, centre))
    answer = COCKED if leans or upon else faces[0]
    return _seen(view, (turn @ corners.T).T * size + centre, answer)


def _turned(axis: int, angle: float) -> FloatArray:
    """(3, 3): a turn about an axis."""
    one, two = [other for other in range(3) if other != axis]
    turn = np.eye(3)
    turn[[one, two], [one, two]] = np.cos(angle)
    turn[one, two], turn[two, one] = -np.sin(angle), np.sin(angle)
    return turn


def _faces_of_sides(rng: np.random.Generator) -> list[int]:
    """The faces of a die's six sides in the order of SIDES; opposite ones add up to seven."""
    pairs = [int(n) if rng.random() < 0.5 else 7 - int(n) for n in rng.permutation([1, 2, 3])]
    return [face for one in pairs for face in (one, 7 - one)]


def _quad(side: int, turn: FloatArray, size: float, centre: FloatArray) -> FloatArray:
    """(4, 3): the corners of a side."""
    across = SIDES[(side + 2) % 6]
    along = np.cross(SIDES[side], across)
    square = [SIDES[side] + a * across + b * along for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return np.asarray(square, np.float64) @ turn.T * size / 2 + centre


def _texture(look: Look, face: int, rng: np.random.Generator, glare: float) -> tuple[Canvas, Canvas]:
    """(96, 96, 3) colours and (96, 96) opacity of a side."""
    size = TEXTURE_PX
    picture = np.empty((size, size, 3), np.float32)
    picture[:] = look.body
    quarter = np.array([[0, -1], [1, 0]]) if rng.random() < 0.5 else np.eye(2)
    radius = look.radius * (look.ace if face == 1 else 1.0)
    for spot in np.array(PIPS[face]) @ quarter.T * look.reach:
        at = np.rint((spot + 0.5) * size * 8).astype(int)
        place = (int(at[0]), int(at[1]))
        cv2.circle(picture, place, round(radius * size * 8), look.pip.tolist(), -1, cv2.LINE_AA, 3)
    if glare:
        ys, xs = np.mgrid[0:size, 0:size] / size
        x, y, reach = *rng.uniform(0, 1, 2), rng.uniform(0.3, 1.5)
        bright = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * reach**2))[..., None] * glare / 255
        picture += bright.astype(np.float32) * (255 - picture)
    alpha = np.zeros((size, size), np.float32)
    rim = round(look.edge * size * 0.6)
    cv2.rectangle(alpha, (rim, rim), (size - 1 - rim, size - 1 - rim), 1.0, -1)
    return picture, cv2.GaussianBlur(alpha, (0, 0), 0.5 + look.edge * size * 0.35)


def _lay(canvas: Canvas, view: View, texture: Canvas, alpha: Canvas, quad: FloatArray) -> None:
    """Lay a texture over the place of a side."""
    size = (canvas.shape[1], canvas.shape[0])
    corner = np.array([(0, 0), (1, 0), (1, 1)], np.float32) * (TEXTURE_PX - 1)
    place = cv2.getAffineTransform(corner, view.flat(quad)[:3].astype(np.float32))
    mask = cv2.warpAffine(alpha, place, size, flags=cv2.INTER_AREA)[..., None]
    canvas += mask * (cv2.warpAffine(texture, place, size, flags=cv2.INTER_AREA) - canvas)


def _hull(canvas: Canvas, view: View, corners: FloatArray, look: Look, size: float) -> None:
    """The rounded edges: what lies between the sides."""
    mask = np.zeros(canvas.shape[:2], np.float32)
    outline = cv2.convexHull(view.flat(corners).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(outline * 8).astype(np.int32), 1.0, cv2.LINE_AA, 3)
    width = max(1, round(2 * look.edge * size * FINE_PX))
    cv2.polylines(mask, [np.rint(outline * 8).astype(np.int32)], True, 1.0, width, cv2.LINE_AA, 3)
    canvas += mask[..., None] * (look.body * 0.85 - canvas)


def _shadow(canvas: Canvas, rng: np.random.Generator, view: View, corners: FloatArray) -> None:
    """Darken what lies where a body throws its shadow, softly."""
    on_ground = corners.copy()
    on_ground[:, :2] -= corners[:, 2:] * view.light[:2]
    on_ground[:, 2] = 0
    mask = np.zeros(canvas.shape[:2], np.float32)
    outline = cv2.convexHull(view.flat(on_ground).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(2, 9))[..., None]
    canvas *= 1 - mask * np.float32(rng.uniform(0.1, 0.75))


def _ground(rng: np.random.Generator, side: int) -> Canvas:
    """Cloth, wood or cork, with the edges of points."""
    canvas = np.empty((side, side, 3), np.float32)
    canvas[:] = _colour(rng)
    for _ in range(int(rng.integers(0, 3))):
        angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(0, side, 2)
        across = 3 * side * np.array([np.cos(angle), np.sin(angle)])
        past = 3 * side * np.array([-np.sin(angle), np.cos(angle)])
        width = rng.uniform(0.1, 1.5)
        box = np.array([at - across, at + across, at + across + past * width, at - across + past * width])
        cv2.fillPoly(canvas, [np.rint(box).astype(np.int32)], _colour(rng).tolist(), cv2.LINE_AA)
    return np.asarray(canvas * _relief(rng, side), np.float32)


def _relief(rng: np.random.Generator, side: int) -> Canvas:
    """Factors round one: fine noise, grain along one direction, or cells as in cork."""
    kind, strength = rng.integers(4), rng.uniform(0.02, 0.3)
    if kind == 0:
        return np.ones((side, side, 1), np.float32)
    cells = rng.integers(5, 70, 2)
    if kind == 1:
        cells = np.array([cells[0], max(2, cells[1] // 12)])[:: int(rng.choice([-1, 1]))]
    noise = rng.normal(0, 1, (int(cells[0]), int(cells[1]))).astype(np.float32)
    if kind < 3:
        noise = cv2.resize(noise, (side, side), interpolation=cv2.INTER_CUBIC)
        return np.clip(1 + strength * noise, 0.2, 1.8)[..., None]
    crooked = rng.normal(0, side / cells.max() * 1.2, (2, 24, 24)).astype(np.float32)
    dx, dy = (cv2.resize(d, (side, side), interpolation=cv2.INTER_CUBIC) for d in crooked)
    ys, xs = np.mgrid[0:side, 0:side].astype(np.float32)
    column = ((xs + dx) * cells[1] / side).astype(np.float32)
    row = ((ys + dy) * cells[0] / side).astype(np.float32)
    cell = cv2.remap(noise, column, row, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REFLECT)
    return np.clip(1 + strength * cell, 0.2, 1.8)[..., None]


def _checker(
    canvas: Canvas,
    rng: np.random.Generator,
    view: View,
    beside: list[FloatArray] | None = None,
    under: tuple[FloatArray, float] | None = None,
) -> None:
    """A checker with its side, rings and gleam.

    beside: places (pitches) of dice that it must not cover. under: place and height of one that bears a die.
    """
    radius, height = rng.uniform(0.36, 0.5), rng.uniform(0.15, 0.32)
    middle = rng.uniform(-1.1, 1.1, 2)
    if under:
        middle, height = under[0] + rng.uniform(-0.2, 0.2, 2), under[1]
    if any(np.linalg.norm(middle - other) < radius + 0.35 + height for other in beside or ()):
        return
    colour = _colour(rng)
    round_px = round(radius * FINE_PX * 8)
    angles = np.linspace(0, 2 * np.pi, 24)
    rim = np.stack([np.cos(angles), np.sin(angles)], 1) * radius + middle
    body = np.concatenate([np.c_[rim, np.zeros(24)], np.c_[rim, np.full(24, height)]])
    _shadow(canvas, rng, view, body)
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
        _dome(canvas, rng, at, radius * FINE_PX)
    if rng.random() < 0.6:
        gleam = np.zeros(canvas.shape[:2], np.float32)
        start = int(rng.integers(360))
        inner = round(radius * FINE_PX * rng.uniform(0.3, 0.95))
        thick = -1 if rng.random() < 0.3 else int(rng.integers(2, 9))
        where = tuple(int(v) for v in np.rint(at))
        cv2.ellipse(gleam, where, (inner, inner), 0, start, start + int(rng.integers(20, 160)), 1.0, thick)
        gleam = cv2.GaussianBlur(gleam, (0, 0), rng.uniform(1, 5))[..., None]
        canvas += gleam * np.float32(rng.uniform(0.2, 0.9)) * (255 - canvas)


def _dome(canvas: Canvas, rng: np.random.Generator, at: FloatArray, radius_px: float) -> None:
    """The light on a bulging or hollow face: brighter to one side, and a spot where the lamp is mirrored."""
    ys, xs = np.mgrid[0 : canvas.shape[0], 0 : canvas.shape[1]].astype(np.float32)
    dx, dy = (xs - at[0]) / radius_px, (ys - at[1]) / radius_px
    inside = (dx**2 + dy**2 < rng.uniform(0.3, 0.9) ** 2).astype(np.float32)
    inside = cv2.GaussianBlur(inside, (0, 0), rng.uniform(1, 4))[..., None]
    tilt = rng.normal(0, 0.3, 2)
    canvas *= 1 + inside * np.clip(tilt[0] * dx + tilt[1] * dy, -0.6, 0.6)[..., None].astype(np.float32)
    x, y = rng.normal(0, 0.25, 2)
    reach = rng.uniform(0.05, 0.3)
    spot = np.exp(-((dx - x) ** 2 + (dy - y) ** 2) / (2 * reach**2))[..., None].astype(np.float32)
    canvas += inside * spot * np.float32(rng.uniform(0.1, 0.95)) * (255 - canvas)


def _cube_or_mark(canvas: Canvas, rng: np.random.Generator, view: View) -> FloatArray:
    """A doubling cube with numerals, or a screw, knot or inlay: no dice; see `_seen`."""
    if rng.random() < 0.3:
        at = tuple(int(v) for v in rng.uniform(0.3, 0.7, 2) * canvas.shape[0])
        radius = int(rng.integers(3, 30))
        cv2.circle(canvas, at, radius, _colour(rng).tolist(), -1, cv2.LINE_AA)
        return np.array([*at, 2 * radius, 0])
    look, size = _look(rng), rng.uniform(0.5, 0.95)
    turn = _turned(2, rng.uniform(0, 2 * np.pi))
    corners = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float64) / 2
    centre = np.array([*rng.uniform(-0.6, 0.6, 2), size / 2])
    _shadow(canvas, rng, view, (turn @ corners.T).T * size + centre)
    _hull(canvas, view, (turn @ corners.T * (1 - 2 * look.edge)).T * size + centre, look, size)
    for side in np.argsort(SIDES @ turn.T @ view.towards):
        if SIDES[side] @ turn.T @ view.towards > 0.02:
            texture, alpha = _texture(look, 1, rng, 0.0)
            numeral = np.zeros(texture.shape[:2], np.uint8)
            text = str(rng.choice(["2", "4", "8", "16", "32", "64"]))
            scale = 2.2 if len(text) == 1 else 1.6
            cv2.putText(numeral, text, (14, 70), 0, scale, 255, 6, cv2.LINE_AA)
            texture = look.body + (numeral[..., None] / np.float32(255)) * (look.pip - look.body)
            _lay(
                canvas, view, texture * view.shade(turn @ SIDES[side]), alpha, _quad(side, turn, size, centre)
            )
    return _seen(view, (turn @ corners.T).T * size + centre, CUBE)


def _photographed(canvas: Canvas, rng: np.random.Generator, view: View) -> Pictures:
    """(112, 112, 3): as a camera takes it (coarse, blurred, noisy, compressed), then rectified."""
    coarse = float(np.exp(rng.uniform(np.log(24), np.log(90)))) / FINE_PX
    steepness = np.hypot(*view.lean)
    along = view.lean / max(float(steepness), 1e-6)
    shrink = 1 / np.sqrt(1 + steepness**2)
    squeeze = np.eye(2) - (1 - shrink) * np.outer(along, along)
    squeeze = coarse * _turned(2, rng.uniform(0, 2 * np.pi))[:2, :2] @ squeeze
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
