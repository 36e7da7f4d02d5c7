"""Draws random backgammon boards, from which the finder and the dice networks learn, and for tests.

drawn_boards.py draws those from which the reader learns.

A drawn board is a rectified picture: the 24-point field upright, `FRAME_PITCHES` pitches of frame around it.
Everything about it is random: cloth, wood, points, colours, checkers with sides and shadows, dice, cups,
hands, light and camera.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.grains import colour_by_chance
from vision.training.scenes.looks.prints import PIPS

Image = npt.NDArray[np.uint8]
Canvas = npt.NDArray[np.float32]
Colour = npt.NDArray[np.float32]

DRAWN_PITCH_PX = 32
"""Width of a point while drawing; in the finished sample it is half of that."""
FRAME_PITCHES = 1.0
"""Pitches of frame and table around the field, by default."""
SKINS_BGR = ((150, 180, 225), (110, 145, 200), (80, 110, 165), (60, 80, 120), (40, 55, 85))


@dataclass(frozen=True, kw_only=True)
class Disc:
    """A drawn checker: centre and radii of its upper face in pixels."""

    x: float
    y: float
    rx: float
    ry: float


@dataclass(frozen=True, kw_only=True)
class DrawnBoard:
    """A finished sample.

    image_bgr: (h, w, 3) at half of the drawn scale (16 px a pitch).
    hands, dice: (h, w) masks, 0 to 1: hands with their sleeves, dice.
    counts: (24,) checkers on each place, light positive.
    point_length: how far points reach from their bases, in field heights.
    """

    image_bgr: Image
    hands: Canvas
    dice: Canvas
    counts: tuple[int, ...]
    bar_px: tuple[float, float]
    field_px: tuple[float, float, float, float]
    point_length: float


@dataclass
class Scene:
    """The board being drawn: a canvas and the masks of what has been painted on it."""

    rng: np.random.Generator
    canvas: Canvas
    hands: Canvas
    dice: Canvas
    left: float
    top: float
    width: float
    height: float
    bar: float
    gap: float
    point_length: float = 0.0
    discs: list[Disc] = field(default_factory=list)

    @property
    def right(self) -> float:
        """The field's right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """The field's bottom edge."""
        return self.top + self.height

    @property
    def bar_left(self) -> float:
        """The bar's left edge."""
        return self.left + 6 * DRAWN_PITCH_PX + 2 * self.gap

    def column_x(self, column: int) -> float:
        """Middle of a column, 0 to 11 from left to right."""
        half = self.left if column < 6 else self.bar_left + self.bar
        return half + self.gap + (column % 6 + 0.5) * DRAWN_PITCH_PX


def draw_board(
    rng: np.random.Generator,
    counts: tuple[int, ...] | None = None,
    margin: float = FRAME_PITCHES,
    gap: float = 0.0,
) -> DrawnBoard:
    """Draw a random board, with `margin` pitches of surroundings. `counts` (24 signed numbers) fixes what is
    on the points, not on the bar; then no hand is drawn. Outer points are `gap` pitches from wall and bar."""
    scene = _blank(rng, margin * DRAWN_PITCH_PX, gap * DRAWN_PITCH_PX)
    _frame(scene)
    _field(scene)
    _points(scene)
    _bar(scene)
    _ornaments(scene)
    chosen = counts if counts is not None else _some_position(rng)
    _checkers(scene, chosen)
    _some_dice(scene)
    if rng.random() < 0.3:
        _things_lying_about(scene)
    if counts is None and rng.random() < 0.3:
        _hand(scene)
    return _finish(scene, chosen)


def _blank(rng: np.random.Generator, margin: float, gap: float) -> Scene:
    pitch = DRAWN_PITCH_PX
    bar = float(rng.choice([0.0, rng.uniform(0.15, 1.5)], p=[0.08, 0.92])) * pitch
    width, height = 12 * pitch + bar + 4 * gap, 11.0 * pitch
    size = (round(height + 2 * margin), round(width + 2 * margin))
    canvas = np.zeros((*size, 3), np.float32)
    hands, dice = np.zeros((2, *size), np.float32)
    return Scene(rng, canvas, hands, dice, margin, margin, width, height, bar, gap)


def _colour(rng: np.random.Generator) -> Colour:
    return colour_by_chance(rng, darkest=15, wood=((0.3, 0.7), (0.6, 0.85)))


def _texture(rng: np.random.Generator, shape: tuple[int, int], strength: float) -> Canvas:
    """Factors around one, as of wood grain, cloth or cork."""
    height, width = shape
    kind = rng.integers(4)
    if kind == 0:
        return np.ones((height, width, 1), np.float32)
    if kind == 1:
        cells = (max(2, height // 2), max(2, width // 2))
    elif kind == 2:
        cells = (max(2, height // 4), max(2, width // int(rng.integers(30, 120)) + 2))
        cells = (
            cells
            if rng.random() < 0.5
            else (max(2, height // int(rng.integers(30, 120)) + 2), max(2, width // 4))
        )
    else:
        cells = (max(2, height // 6), max(2, width // 6))
    noise = rng.normal(0, 1, cells).astype(np.float32)
    noise = cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC)
    return (1 + strength * noise)[:, :, None]


def _paint(canvas: Canvas, mask: Canvas, colour: Canvas | Colour) -> None:
    canvas += mask[:, :, None] * (colour - canvas)


def _box(
    scene: Scene, x0: float, y0: float, x1: float, y1: float, colour: Colour, strength: float = 0.1
) -> None:
    rows, columns = scene.canvas.shape[:2]
    a, b = max(0, round(x0)), min(columns, round(x1))
    c, d = max(0, round(y0)), min(rows, round(y1))
    if a < b and c < d:
        scene.canvas[c:d, a:b] = colour * _texture(scene.rng, (d - c, b - a), strength)


def _frame(scene: Scene) -> None:
    """The table, the board's outer frame, and trays left and right of the field."""
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    rows, columns = scene.canvas.shape[:2]
    _box(scene, 0, 0, columns, rows, _colour(rng), 0.15)
    rim, rail = rng.uniform(0.1, 1.2) * pitch, rng.uniform(0.1, 0.6) * pitch
    tray = rng.uniform(0.8, 1.6) * pitch if rng.random() < 0.65 else 0.0
    x0, y0, x1, y1 = scene.left, scene.top, scene.right, scene.bottom
    wide = rail + tray + rim if tray else rim
    if rng.random() < 0.9:
        _box(scene, x0 - wide - 2, y0 - rim - 2, x1 + wide + 2, y1 + rim + 2, _colour(rng) * 0.5)
        _box(scene, x0 - wide, y0 - rim, x1 + wide, y1 + rim, _colour(rng))
    if tray:
        inside = _colour(rng)
        cut = rng.random() < 0.5
        for x in (x0 - rail - tray, x1 + rail):
            _box(scene, x, y0, x + tray, y1, inside, 0.15)
            if cut:
                _box(scene, x, (y0 + y1) / 2 - pitch, x + tray, (y0 + y1) / 2 + pitch, _colour(rng))
            _tray_checkers(scene, x + tray / 2)


def _tray_checkers(scene: Scene, x: float) -> None:
    """Draw borne-off checkers in a tray. They count as no checkers of a point."""
    rng = scene.rng
    if rng.random() < 0.7:
        return
    colour = _colour(rng)
    for i in range(int(rng.integers(1, 12))):
        y = scene.top + i * 0.3 * DRAWN_PITCH_PX
        _box(scene, x - 12, y, x + 12, y + 7, colour)


def _field(scene: Scene) -> None:
    x1, y1 = scene.right, scene.bottom
    _box(scene, scene.left, scene.top, x1, y1, _colour(scene.rng), scene.rng.uniform(0, 0.25))


def _points(scene: Scene) -> None:
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    scene.point_length = rng.uniform(0.3, 0.48)
    length = scene.point_length * scene.height
    half = rng.uniform(0.36, 0.5) * pitch
    blunt = rng.uniform(0, 0.12) * pitch if rng.random() < 0.5 else 0.0
    bulge = half * (0.5 + rng.choice([0.0, rng.uniform(0, 0.25)]))
    outlines: list[npt.NDArray[np.int32]] = []
    hollow = rng.random() < 0.12
    rounded = rng.uniform(0.15, 0.55) * pitch if rng.random() < 0.3 else 0.0
    dots = int(rng.integers(3, 9)) if rng.random() < 0.12 else 0
    knob = rng.uniform(0.1, 0.2) * pitch if rng.random() < 0.12 else 0.0
    masks = [np.zeros(scene.canvas.shape[:2], np.uint8) for _ in range(2)]
    for place in range(24):
        x = scene.column_x(place % 12)
        base, way = (scene.top, 1) if place < 12 else (scene.bottom, -1)
        tip = base + way * length
        middle = base + way * length * 0.5
        corners = [(x - half, base + way * rounded), (x - bulge, middle), (x - blunt, tip)]
        corners += [(2 * x - a, b) for a, b in reversed(corners)]
        if rounded:
            bend = np.linspace(0, np.pi, 13)
            corners += [(x + half * np.cos(a), base + way * rounded * (1 - np.sin(a))) for a in bend]
        mask = masks[(place + (place >= 12)) % 2]
        outlines.append(np.round(np.array(corners) * 8).astype(np.int32))
        cv2.fillPoly(mask, [outlines[-1]], 255, cv2.LINE_AA, 3)
        if knob:
            cv2.circle(mask, (round(x), round(tip)), round(knob), 255, -1, cv2.LINE_AA)
        for along in np.linspace(0.1, 0.85, dots):
            at = round(x + rng.choice([-1, 1]) * half * (1 - along) * 0.4), round(base + way * length * along)
            cv2.circle(mask, at, round(half * (1 - along) * 0.3), 0, -1, cv2.LINE_AA)
    for mask in masks[: 1 if hollow else 2]:
        relief = _texture(rng, scene.canvas.shape[:2], rng.uniform(0, 0.25))
        _paint(scene.canvas, mask.astype(np.float32) / 255, _colour(rng) * relief)
    if rng.random() < 0.35:
        thick = 1 + int(rng.random() < 0.3)
        cv2.polylines(scene.canvas, outlines, False, _colour(rng).tolist(), thick, cv2.LINE_AA, 3)


def _polygon(scene: Scene, corners: list[tuple[float, float]]) -> Canvas:
    mask = np.zeros(scene.canvas.shape[:2], np.uint8)
    points = np.round(np.array(corners) * 8).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 3)
    return mask.astype(np.float32) / 255


def _blocks(scene: Scene, x: float) -> None:
    """A column of two to six dice, put away on the bar."""
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    body, ink = _colour(rng), _colour(rng)
    y = scene.top + rng.uniform(0.15, 0.6) * scene.height
    for _ in range(int(rng.integers(2, 7))):
        size, face = rng.uniform(0.4, 0.8) * pitch, int(rng.integers(1, 7))
        at = (x + rng.normal(0, 0.12) * pitch, y)
        draw_die(
            scene.canvas, scene.dice, at, size, face, rng.uniform(0, 1.57), body * rng.uniform(0.8, 1.1), ink
        )
        y += size * rng.uniform(0.9, 1.6)


def _bar(scene: Scene) -> None:
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    x = scene.bar_left
    if scene.bar > 2 and rng.random() < 0.9:
        _box(scene, x, scene.top, x + scene.bar, scene.bottom, _colour(rng), 0.15)
    if rng.random() < 0.6:
        middle = x + scene.bar / 2
        top, bottom = (round(middle), round(scene.top)), (round(middle), round(scene.bottom))
        cv2.line(scene.canvas, top, bottom, _colour(rng).tolist(), int(rng.integers(1, 4)))
    if rng.random() < 0.5:
        metal, high = _colour(rng), rng.uniform(0.2, 1.5) * pitch
        first = rng.uniform(0.1, 0.4)
        for at in (first, 1 - first):
            y = scene.top + at * scene.height
            _box(scene, x + 0.1 * scene.bar, y - high / 2, x + 0.9 * scene.bar, y + high / 2, metal)
            _paint(scene.canvas, 0.7 * _writing(scene, "o8o", (round(x), round(y)), 0, 0.6, 2), _colour(rng))
    if rng.random() < 0.08:
        _blocks(scene, x + scene.bar / 2)


def _ornaments(scene: Scene) -> None:
    """Emblems, rosettes and writing in the middle of the halves, and a band between the rows."""
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    middle = scene.top + scene.height / 2
    colour = _colour(rng).tolist()
    if rng.random() < 0.12:
        _box(scene, scene.left, middle - 0.6 * pitch, scene.right, middle + 0.6 * pitch, _colour(rng))
    if rng.random() < 0.5:
        kinds = rng.integers(0, 5, 2)
        for x, kind in zip(
            (scene.column_x(2) + pitch / 2, scene.column_x(8) + pitch / 2), kinds, strict=True
        ):
            at = (round(x), round(middle))
            if kind == 0:
                text = "".join(rng.choice(list("abcdefgmnw.ABCDFGR"), int(rng.integers(2, 9))))
                mask = _writing(
                    scene, text, (at[0] - 60, at[1]), int(rng.integers(0, 5)), rng.uniform(0.5, 1.8), 2
                )
                _paint(scene.canvas, mask, _colour(rng))
            elif kind == 1:
                size = (round(rng.uniform(0.5, 1.5) * pitch), round(rng.uniform(0.3, 1.0) * pitch))
                cv2.ellipse(scene.canvas, at, size, 0, 0, 360, colour, -1 if rng.random() < 0.3 else 2)
                cv2.ellipse(
                    scene.canvas, at, (size[0] // 2, size[1] // 2), 0, 0, 360, _colour(rng).tolist(), 2
                )
            elif kind == 2:
                _emblem(scene, x, middle)
            else:
                w, h = rng.uniform(0.5, 1.6) * pitch, rng.uniform(0.4, 0.9) * pitch
                diamond = [(x - w, middle), (x, middle - h), (x + w, middle), (x, middle + h)]
                _paint(scene.canvas, _polygon(scene, diamond), _colour(rng))
                if kind == 4:
                    inner = [(x + 0.6 * (a - x), middle + 0.6 * (b - middle)) for a, b in diamond]
                    _paint(scene.canvas, _polygon(scene, inner), _colour(rng))


def _emblem(scene: Scene, x: float, y: float) -> None:
    """A printed, inlaid or embossed ornament: petals and scrolls, mirrored left to right."""
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    mask = np.zeros(scene.canvas.shape[:2], np.float32)
    for _ in range(int(rng.integers(3, 9))):
        dx, dy = rng.uniform(0, 1.1) * pitch, rng.uniform(-0.8, 0.8) * pitch
        size = (round(rng.uniform(3, 0.45 * pitch)), round(rng.uniform(2, 0.2 * pitch)))
        turn, thick = rng.uniform(0, 180), int(rng.choice([-1, 1, 2]))
        for way in (1, -1):
            at = (round(x + way * dx), round(y + dy))
            cv2.ellipse(mask, at, size, way * turn, 0, 360, 1.0, thick, cv2.LINE_AA)
    _paint(scene.canvas, mask * rng.uniform(0.2, 1.0), _colour(rng))


def _writing(scene: Scene, text: str, at: tuple[int, int], font: int, scale: float, width: int) -> Canvas:
    mask = np.zeros(scene.canvas.shape[:2], np.uint8)
    cv2.putText(mask, text, at, font, scale, (255,), width, cv2.LINE_AA)
    return mask.astype(np.float32) / 255


def _some_position(rng: np.random.Generator) -> tuple[int, ...]:
    """A random position: 1 to 15 checkers of each side, at most 7 on a point, or a bare board."""
    counts = [0] * 24
    if rng.random() < 0.08:
        return tuple(counts)
    for side in (1, -1):
        left = int(rng.choice([15, 15, 15, 12, rng.integers(1, 16)]))
        crowd = rng.uniform(0.5, 6)
        while left:
            place = int(rng.integers(24))
            if counts[place] * side < 0 or abs(counts[place]) > 6:
                continue
            if counts[place] == 0 and rng.random() < 0.2 * crowd / 6:
                continue
            put = min(left, int(rng.integers(1, 2 + round(crowd))), 7 - abs(counts[place]))
            counts[place] += side * put
            left -= put
    return tuple(counts)


@dataclass(frozen=True, kw_only=True)
class CheckerLook:
    """What the checkers of one side look like."""

    colour: Colour
    edge: Colour
    rings: tuple[tuple[float, float], ...]
    relief: float
    gloss: float
    rim: float
    shade: float


def _look(
    rng: np.random.Generator, colour: Colour, rings: tuple[tuple[float, float], ...], other: Colour
) -> CheckerLook:
    return CheckerLook(
        colour=colour,
        edge=(other if rng.random() < 0.1 else colour * rng.uniform(0.3, 0.9)).astype(np.float32),
        rings=tuple((r, float(v * rng.uniform(0.5, 1.5))) for r, v in rings),
        relief=float(rng.choice([0.0, 0.05, 0.15])),
        gloss=float(rng.choice([0.0, rng.uniform(20, 140)])),
        rim=float(rng.choice([0.0, rng.uniform(-0.5, 0.2)])),
        shade=float(rng.uniform(0, 0.2)),
    )


def _two_looks(rng: np.random.Generator) -> tuple[CheckerLook, CheckerLook]:
    while True:
        light, dark = _colour(rng), _colour(rng)
        if rng.random() < 0.5:
            dark = np.clip(dark * 0.3, 5, 250).astype(np.float32)
            light = np.clip(light * 0.4 + 140, 5, 250).astype(np.float32)
        if np.abs(light - dark).max() > 45:
            break
    if light.mean() < dark.mean():
        light, dark = dark, light
    n_rings = int(rng.choice([0, 1, 2, 3]))
    rings = tuple((float(rng.uniform(0.15, 0.92)), float(rng.normal(0, 0.25))) for _ in range(n_rings))
    return _look(rng, light, rings, dark), _look(rng, dark, rings, light)


def _checkers(scene: Scene, counts: tuple[int, ...]) -> None:
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    light, dark = _two_looks(rng)
    diameter = rng.uniform(0.74, 0.99) * pitch
    squeeze = rng.uniform(0.82, 1.18)
    spacing = diameter * squeeze * rng.uniform(1.0, 1.08)
    gap = rng.uniform(-0.05, 0.2) * diameter
    askew = rng.uniform(0, 0.06) * pitch
    camera = (
        scene.left + rng.uniform(-0.2, 1.2) * scene.width,
        scene.top + rng.uniform(-0.5, 1.8) * scene.height,
    )
    parallax = rng.choice([rng.uniform(0, 0.02), rng.uniform(0, 0.05)])
    bar_counts = (0, 0)
    if scene.bar > 0.3 * pitch and rng.random() < 0.4:
        bar_counts = int(rng.integers(0, 4)), int(rng.integers(0, 3))
    spots = []
    for place, count in enumerate(counts):
        shove = rng.uniform(0, 0.3) * spacing if rng.random() < 0.15 else 0.0
        y = shove + gap + spacing / 2
        for _ in range(abs(count)):
            x = scene.column_x(place % 12) + rng.normal(0, askew)
            at = scene.top + y if place < 12 else scene.bottom - y
            spots.append((x, at, 1 if count > 0 else -1))
            loose = spacing * rng.uniform(0, 0.35) if rng.random() < 0.08 else 0.0
            y += spacing + loose + abs(rng.normal(0, 0.02)) * pitch
    spots += _on_bar(scene, bar_counts, spacing)
    spots.sort(key=lambda s: -((s[0] - camera[0]) ** 2 + (s[1] - camera[1]) ** 2))
    sun = rng.normal(0, 0.1, 2) * pitch
    _shadows(scene, spots, diameter, squeeze, sun)
    for x, y, side in spots:
        lean = (parallax * (x - camera[0]), parallax * (y - camera[1]))
        radius = diameter / 2 * rng.uniform(0.98, 1.02)
        disc = Disc(x=x + lean[0], y=y + lean[1], rx=radius, ry=radius * squeeze)
        _draw_checker(scene, disc, lean, light if side > 0 else dark)
        scene.discs.append(disc)


def _on_bar(scene: Scene, bar: tuple[int, int], spacing: float) -> list[tuple[float, float, int]]:
    spots = []
    x = scene.left + scene.width / 2
    away = scene.rng.uniform(0.55, 2.0)
    first = 1 if scene.rng.random() < 0.5 else -1
    for count, side in zip(bar, (1, -1), strict=True):
        for i in range(count):
            y = scene.top + scene.height / 2 + first * side * (away + i) * spacing
            spots.append((x + scene.rng.normal(0, 1.0), y, side))
    return spots


def _shadows(
    scene: Scene,
    spots: list[tuple[float, float, int]],
    diameter: float,
    squeeze: float,
    sun: npt.NDArray[np.float64],
) -> None:
    rng = scene.rng
    mask = np.zeros(scene.canvas.shape[:2], np.float32)
    size = (round(diameter / 2 * 1.03), round(diameter / 2 * squeeze * 1.03))
    for x, y, _ in spots:
        cv2.ellipse(mask, (round(x + sun[0]), round(y + sun[1])), size, 0, 0, 360, 1.0, -1, cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.7, 4))
    scene.canvas *= 1 - (rng.uniform(0.1, 0.7) * mask)[:, :, None]


def _draw_checker(scene: Scene, disc: Disc, lean: tuple[float, float], look: CheckerLook) -> None:
    canvas, rng = scene.canvas, scene.rng
    reach = int(max(disc.rx, disc.ry) + abs(lean[0]) + abs(lean[1]) + 3)
    x0, y0 = max(0, int(disc.x) - reach), max(0, int(disc.y) - reach)
    patch = canvas[y0 : int(disc.y) + reach, x0 : int(disc.x) + reach]
    if patch.size == 0:
        return
    ys, xs = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]].astype(np.float32)
    xs, ys = xs + x0 - disc.x, ys + y0 - disc.y
    steps = max(1, int(np.hypot(*lean)))
    side = np.zeros(patch.shape[:2], np.float32)
    for i in range(1, steps + 1):
        r = np.hypot((xs + lean[0] * i / steps) / disc.rx, (ys + lean[1] * i / steps) / disc.ry)
        np.maximum(side, np.clip((1 - r) * disc.rx + 0.5, 0, 1), out=side)
    _paint(patch, side, look.edge)
    r = np.hypot(xs / disc.rx, ys / disc.ry)
    face = np.ones_like(r)
    for radius, value in look.rings:
        face += value * np.exp(-(((r - radius) / 0.06) ** 2))
    face += look.shade * xs / disc.rx + look.rim * np.clip((r - 0.8) / 0.2, 0, 1)
    colour = face[:, :, None] * look.colour * rng.uniform(0.93, 1.07)
    if look.relief:
        colour = colour * _texture(rng, patch.shape[:2], look.relief)
    if look.gloss:
        glint = np.exp(-(((xs / disc.rx - 0.3) ** 2 + (ys / disc.ry + 0.35) ** 2) / 0.05))
        colour = colour + (look.gloss * glint)[:, :, None]
    _paint(patch, np.clip((1 - r) * disc.rx + 0.5, 0, 1), np.clip(colour, 0, 255))


def _some_dice(scene: Scene) -> None:
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    if rng.random() < 0.3:
        return
    body, pip = _colour(rng), _colour(rng)
    if rng.random() < 0.5:
        body, pip = np.full(3, 240, np.float32), np.full(3, 20, np.float32)
    size = rng.uniform(0.22, 0.5) * pitch
    for _ in range(int(rng.integers(1, 4))):
        x = scene.left + rng.uniform(0.05, 0.95) * scene.width
        y = scene.top + rng.uniform(0.1, 0.9) * scene.height
        if any(np.hypot(x - d.x, y - d.y) < d.rx + size * 0.7 for d in scene.discs):
            continue
        draw_die(
            scene.canvas, scene.dice, (x, y), size, int(rng.integers(1, 7)), rng.uniform(0, 1.57), body, pip
        )


def draw_die(
    canvas: Canvas,
    mask: Canvas | None,
    at: tuple[float, float],
    size: float,
    face: int,
    angle: float,
    body: Colour,
    pip: Colour,
) -> None:
    """Paint a flat die of `size` px on `canvas` (h, w, 3), and on the mask where one is given."""
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ turn.T * size / 2 + at
    corners = [np.round(square * 16).astype(np.int32)]
    cv2.fillPoly(canvas, corners, body.tolist(), cv2.LINE_AA, 4)
    if mask is not None:
        cv2.fillPoly(mask, corners, 1.0, cv2.LINE_AA, 4)
    radius = round(size * 0.095 * 16)
    for spot in np.array(PIPS[face]) @ turn.T * size * 0.27 + at:
        centre = np.round(spot * 16).astype(int).tolist()
        cv2.circle(canvas, centre, radius, pip.tolist(), -1, cv2.LINE_AA, 4)


def _things_lying_about(scene: Scene) -> None:
    """Cups, cubes and cards on the field."""
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    for _ in range(int(rng.integers(1, 3))):
        x = scene.left + rng.uniform(0, 1) * scene.width
        y = scene.top + rng.uniform(0.3, 0.7) * scene.height
        size = rng.uniform(0.6, 2.2, 2) * pitch
        turn = rng.uniform(0, 180)
        if rng.random() < 0.6:
            box = cv2.boxPoints(((x, y), (float(size[0]), float(size[1])), turn))
            mask = _polygon(scene, [(float(a), float(b)) for a, b in box])
        else:
            mask = np.zeros(scene.canvas.shape[:2], np.float32)
            at = (round(x), round(y))
            axes = [round(half) for half in np.maximum(size, (1.1 * pitch, 0.7 * pitch))]
            cv2.ellipse(mask, at, axes, turn, 0, 360, 1.0, -1, cv2.LINE_AA)
        _lay_over(scene, mask, _colour(rng))


def _lay_over(scene: Scene, mask: Canvas, colour: Colour) -> None:
    """Paint a foreign body, and take what it covers out of the masks."""
    rng = scene.rng
    shape = scene.canvas.shape[:2]
    shadow = cv2.GaussianBlur(np.roll(mask, tuple(rng.integers(-6, 7, 2)), (0, 1)), (0, 0), rng.uniform(1, 6))
    scene.canvas *= 1 - (rng.uniform(0, 0.6) * shadow)[:, :, None]
    rounded = cv2.GaussianBlur(mask, (0, 0), rng.uniform(2, 9))
    _paint(scene.canvas, mask, colour * _texture(rng, shape, 0.08) * (0.55 + 0.45 * rounded)[:, :, None])
    for hidden in (scene.hands, scene.dice):
        hidden *= 1 - mask


def _lay_hand(scene: Scene, mask: Canvas, colour: Colour) -> None:
    _lay_over(scene, mask, colour)
    np.maximum(scene.hands, mask, out=scene.hands)


def _hand(scene: Scene) -> None:
    """An arm from the picture's edge, with palm, fingers and sometimes a sleeve."""
    rng, pitch = scene.rng, DRAWN_PITCH_PX
    rows, columns = scene.canvas.shape[:2]
    side = rng.integers(4)
    along = rng.uniform(0, (columns, columns, rows, rows))[side]
    start = np.array([(along, 0), (along, rows), (0, along), (columns, along)][side])
    target = np.array(
        [scene.left + rng.uniform(0.05, 0.95) * scene.width, scene.top + rng.uniform(0.1, 0.9) * scene.height]
    )
    way = target - start
    way *= min(1.0, rng.uniform(1.5, 8) * pitch / max(1.0, float(np.hypot(*way))))
    palm = start + way
    ahead = way / max(1.0, float(np.hypot(*way)))
    mask = np.zeros((rows, columns), np.float32)
    width = rng.uniform(0.8, 1.5) * pitch
    _stroke(mask, start - 2 * pitch * ahead, palm, width * rng.uniform(1.0, 1.5))
    cv2.circle(mask, (round(palm[0]), round(palm[1])), round(width * 0.75), 1.0, -1, cv2.LINE_AA)
    across = np.array([-ahead[1], ahead[0]])
    curled = rng.random() < 0.3
    for finger in np.linspace(-0.6, 0.6, int(rng.integers(2, 6))):
        root = palm + across * finger * width
        bend = ahead + across * rng.normal(finger * 0.4, 0.3)
        _stroke(
            mask,
            root,
            root + bend * rng.uniform(0.3, 0.8 if curled else 1.9) * pitch,
            rng.uniform(0.28, 0.45) * pitch,
        )
    skin = np.array(SKINS_BGR[rng.integers(len(SKINS_BGR))], np.float32) * rng.uniform(0.7, 1.15)
    skin_tone = np.clip(skin + rng.normal(0, 8, 3), 5, 250).astype(np.float32)
    _lay_hand(scene, mask, skin_tone)
    for finger in np.linspace(-0.3, 0.3, int(rng.integers(0, 4))):
        root = palm + across * finger * width
        crease = np.zeros_like(mask)
        _stroke(crease, root, root + ahead * rng.uniform(0.5, 1.2) * pitch, 2)
        _paint(scene.canvas, crease * mask * rng.uniform(0.2, 0.8), skin_tone * 0.4)
    if rng.random() < 0.4:
        sleeve = np.zeros_like(mask)
        _stroke(sleeve, start - 2 * pitch * ahead, start + way * rng.uniform(0.2, 0.6), width * 1.8)
        _lay_hand(scene, sleeve, _colour(rng))


def _stroke(mask: Canvas, a: npt.NDArray[np.float64], b: npt.NDArray[np.float64], width: float) -> None:
    ends = [(round(float(p[0])), round(float(p[1]))) for p in (a, b)]
    cv2.line(mask, ends[0], ends[1], 1.0, max(1, round(width)), cv2.LINE_AA)


def start_counts(mirrored: bool, swapped: bool) -> tuple[int, ...]:
    """The start position's 24 signed counts, `mirrored` left to right, or with the colours `swapped`."""
    top = [5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2]
    if mirrored:
        top.reverse()
    if swapped:
        top = [-n for n in top]
    return (*top, *(-n for n in top))


def _finish(scene: Scene, counts: tuple[int, ...]) -> DrawnBoard:
    rng = scene.rng
    picture = scene.canvas * _light(scene)
    if rng.random() < 0.1:
        ghost = _writing(scene, "Sample Stock", (20, int(rng.integers(60, 380))), 0, 2.0, 8)
        _paint(picture, 0.25 * ghost, np.full(3, 255, np.float32))
    if rng.random() < 0.7:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 2.2))
    half = (picture.shape[1] // 2, picture.shape[0] // 2)
    small = cv2.resize(picture, half, interpolation=cv2.INTER_AREA)
    small = small + rng.normal(0, rng.uniform(0, 7), small.shape)
    image = np.clip(small, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))])
        image = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    return DrawnBoard(
        image_bgr=image,
        hands=cv2.resize(scene.hands, half, interpolation=cv2.INTER_AREA),
        dice=cv2.resize(scene.dice, half, interpolation=cv2.INTER_AREA),
        counts=counts,
        bar_px=(scene.bar_left / 2, (scene.bar_left + scene.bar) / 2),
        field_px=(scene.left / 2, scene.top / 2, scene.width / 2, scene.height / 2),
        point_length=scene.point_length,
    )


def _light(scene: Scene) -> Canvas:
    """(rows, columns, 3) factors: uneven light, cast shadows, glare, the lamp's colour, exposure."""
    rng = scene.rng
    rows, columns = scene.canvas.shape[:2]
    ramp = cv2.resize(
        rng.uniform(0.75, 1.25, (2, 2)).astype(np.float32), (columns, rows), interpolation=cv2.INTER_LINEAR
    )
    if rng.random() < 0.25:
        edge = _polygon(
            scene, [(float(x), float(y)) for x, y in rng.uniform(-0.3, 1.3, (4, 2)) * (columns, rows)]
        )
        ramp *= 1 - rng.uniform(0.1, 0.5) * cv2.GaussianBlur(edge, (0, 0), rng.uniform(1, 20))
    if rng.random() < 0.25:
        spot = np.zeros((rows, columns), np.float32)
        cv2.circle(
            spot, (int(rng.integers(columns)), int(rng.integers(rows))), int(rng.integers(20, 90)), 1.0, -1
        )
        ramp *= 1 + rng.uniform(0, 1.2) * cv2.GaussianBlur(spot, (0, 0), 30)
    lamp = rng.uniform(0.85, 1.15, 3).astype(np.float32) * rng.uniform(0.35, 1.2)
    return ramp[:, :, None] * lamp
