"""Draws the parts of dice: sides with pips, rounded edges, shadows, and the ground they lie on."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.grains import colour_by_chance
from vision.training.scenes.looks.prints import PIPS

Pictures = npt.NDArray[np.uint8]
Canvas = npt.NDArray[np.float32]
FloatArray = npt.NDArray[np.float64]

TEXTURE_PX = 96
SIDE_NORMALS = np.array([(0, 0, 1), (0, 0, -1), (1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)], np.float64)
"""Outward normals of a cube's sides: top, bottom, and the four others in opposite pairs."""
CORNERS = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], np.float64) / 2
"""Corners of a cube of width 1 about its middle."""


@dataclass(frozen=True, kw_only=True)
class View:
    """How the camera sees the board.

    lean: (2,) pitches by which what is one pitch high is displaced. light: (3,) direction to the light.
    pitches: width of what is drawn. fine_px: pixels of a pitch while drawing.
    """

    lean: FloatArray
    light: FloatArray
    pitches: float
    fine_px: int

    @property
    def towards(self) -> FloatArray:
        """(3,): the direction from the board to the camera."""
        return np.array([-self.lean[0], -self.lean[1], 1.0])

    def flat(self, points: FloatArray) -> FloatArray:
        """Project (N, 3) points in pitches to (N, 2) pixels of the drawing."""
        pitches = points[:, :2] + points[:, 2:] * self.lean
        return (pitches + self.pitches / 2) * self.fine_px

    def shade(self, normal: FloatArray) -> float:
        """Brightness of a surface, 1 for a horizontal one."""
        lit = 0.45 + 0.55 * max(0.0, float(normal @ self.light) / self.light[2])
        return float(np.clip(lit, 0.3, 1.3))


@dataclass(frozen=True, kw_only=True)
class Cube:
    """A die or a doubling cube: its rotation (3, 3), and its width and its middle (3,) in pitches."""

    turn: FloatArray
    size: float
    centre: FloatArray

    def corners(self, share: float = 1.0) -> FloatArray:
        """(8, 3): the corners. share: factor of the width."""
        return (self.turn @ CORNERS.T * share).T * self.size + self.centre

    def side_corners(self, side: int) -> FloatArray:
        """(4, 3): the corners of a side."""
        across = SIDE_NORMALS[(side + 2) % 6]
        along = np.cross(SIDE_NORMALS[side], across)
        ways = ((-1, -1), (1, -1), (1, 1), (-1, 1))
        square = [SIDE_NORMALS[side] + a * across + b * along for a, b in ways]
        return np.asarray(square, np.float64) @ self.turn.T * self.size / 2 + self.centre

    def sides_towards(self, view: View) -> list[tuple[int, FloatArray]]:
        """The sides that the camera sees, the nearest last, with their normals."""
        normals = SIDE_NORMALS @ self.turn.T
        order = np.argsort(normals @ view.towards)
        return [(int(side), normals[side]) for side in order if normals[side] @ view.towards > 0.02]


@dataclass(frozen=True, kw_only=True)
class Look:
    """What a set of dice looks like.

    body, pip: colours (3,). radius: of a pip. reach: offset of the outer pips from the middle, along each
    edge. edge: radius of the rounded edges. These three are shares of a side. ace: factor of the radius on
    the one.
    """

    body: Canvas
    pip: Canvas
    radius: float
    reach: float
    edge: float
    ace: float


def look_by_chance(rng: np.random.Generator) -> Look:
    kind = rng.random()
    if kind < 0.35:  # ivory or white with dark pips
        body = rng.uniform(185, 255) * np.array([rng.uniform(0.8, 1), rng.uniform(0.93, 1), 1])
    elif kind < 0.6:  # dark
        body = np.clip(rng.uniform(15, 70) + rng.normal(0, 6, 3), 5, 90)
    else:
        body = colour_by_chance(rng)
    bright = float(np.mean(body)) > rng.uniform(110, 170)
    pip = np.clip((rng.uniform(5, 60) if bright else rng.uniform(195, 255)) + rng.normal(0, 8, 3), 0, 255)
    if rng.random() < 0.1:
        pip = colour_by_chance(rng)
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


def turned_about(axis: int, angle: float) -> FloatArray:
    """(3, 3): the rotation about an axis."""
    one, two = [other for other in range(3) if other != axis]
    turn = np.eye(3)
    turn[[one, two], [one, two]] = np.cos(angle)
    turn[one, two], turn[two, one] = -np.sin(angle), np.sin(angle)
    return turn


def faces_of_sides(rng: np.random.Generator) -> list[int]:
    """The faces of a die's six sides in the order of SIDE_NORMALS; opposite ones add up to seven."""
    pairs = [int(n) if rng.random() < 0.5 else 7 - int(n) for n in rng.permutation([1, 2, 3])]
    return [face for one in pairs for face in (one, 7 - one)]


def side_texture(look: Look, face: int, rng: np.random.Generator, glare: float) -> tuple[Canvas, Canvas]:
    """Draw a side: (96, 96, 3) colours and (96, 96) opacity. glare: most brightening, in levels."""
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


def lay_texture(canvas: Canvas, view: View, texture: Canvas, alpha: Canvas, quad: FloatArray) -> None:
    """Paint a side's texture on its four corners `quad`."""
    size = (canvas.shape[1], canvas.shape[0])
    corner = np.array([(0, 0), (1, 0), (1, 1)], np.float32) * (TEXTURE_PX - 1)
    place = cv2.getAffineTransform(corner, view.flat(quad)[:3].astype(np.float32))
    mask = cv2.warpAffine(alpha, place, size, flags=cv2.INTER_AREA)[..., None]
    canvas += mask * (cv2.warpAffine(texture, place, size, flags=cv2.INTER_AREA) - canvas)


def draw_body(canvas: Canvas, rng: np.random.Generator, view: View, look: Look, cube: Cube) -> None:
    """Draw a cube's shadow and fill its outline. Sides painted on it later leave its round edges visible."""
    darken_below(canvas, rng, view, cube.corners())
    mask = np.zeros(canvas.shape[:2], np.float32)
    outline = cv2.convexHull(view.flat(cube.corners(1 - 2 * look.edge)).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(outline * 8).astype(np.int32), 1.0, cv2.LINE_AA, 3)
    width = max(1, round(2 * look.edge * cube.size * view.fine_px))
    cv2.polylines(mask, [np.rint(outline * 8).astype(np.int32)], True, 1.0, width, cv2.LINE_AA, 3)
    canvas += mask[..., None] * (look.body * 0.85 - canvas)


def darken_below(canvas: Canvas, rng: np.random.Generator, view: View, corners: FloatArray) -> None:
    """Darken the ground by a body's soft shadow."""
    on_ground = corners.copy()
    on_ground[:, :2] -= corners[:, 2:] * view.light[:2]
    on_ground[:, 2] = 0
    mask = np.zeros(canvas.shape[:2], np.float32)
    outline = cv2.convexHull(view.flat(on_ground).astype(np.float32))
    cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(2, 9))[..., None]
    canvas *= 1 - mask * np.float32(rng.uniform(0.1, 0.75))


def drawn_ground(rng: np.random.Generator, side: int) -> Canvas:
    """(side, side, 3): cloth, wood or cork, with up to two strips of other colours for edges of points."""
    canvas = np.empty((side, side, 3), np.float32)
    canvas[:] = colour_by_chance(rng)
    for _ in range(int(rng.integers(0, 3))):
        angle, at = rng.uniform(0, 2 * np.pi), rng.uniform(0, side, 2)
        across = 3 * side * np.array([np.cos(angle), np.sin(angle)])
        past = 3 * side * np.array([-np.sin(angle), np.cos(angle)])
        width = rng.uniform(0.1, 1.5)
        box = np.array([at - across, at + across, at + across + past * width, at - across + past * width])
        cv2.fillPoly(canvas, [np.rint(box).astype(np.int32)], colour_by_chance(rng).tolist(), cv2.LINE_AA)
    return np.asarray(canvas * light_relief(rng, side), np.float32)


def strew_dots(canvas: Canvas, rng: np.random.Generator, fine_px: int) -> None:
    """Strew dots of one kind over the ground, alone or in groups, as on terrazzo or a starry sky.

    fine_px: pixels of a pitch.
    """
    number = round(float(np.exp(rng.uniform(np.log(10), np.log(250)))))
    centres = rng.uniform(0, canvas.shape[0], (max(1, number // int(rng.integers(1, 7))), 2))
    around = fine_px * rng.uniform(0.04, 0.15)
    spots = centres[rng.integers(len(centres), size=number)] + rng.normal(0, around, (number, 2))
    colour, radius_px = (
        colour_by_chance(rng),
        fine_px * float(np.exp(rng.uniform(np.log(0.012), np.log(0.07)))),
    )
    dots = np.zeros(canvas.shape[:2], np.float32)
    for x, y in np.rint(spots * 8).astype(int).tolist():
        width = round(8 * radius_px * float(np.exp(rng.normal(0, 0.4))))
        cv2.circle(dots, (x, y), max(4, width), float(rng.uniform(0.4, 1)), -1, cv2.LINE_AA, 3)
    dots = cv2.GaussianBlur(dots, (0, 0), rng.uniform(0.3, 2.5))[..., None]
    canvas += dots * (colour - canvas)


def light_relief(rng: np.random.Generator, side: int) -> Canvas:
    """(side, side, 1) factors around one: noise, grain along one direction, or cells as in cork."""
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


def gleam_dome(canvas: Canvas, rng: np.random.Generator, at: FloatArray, radius_px: float) -> None:
    """Light a convex or hollow face: brighter to one side, and a spot where the lamp is reflected."""
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
