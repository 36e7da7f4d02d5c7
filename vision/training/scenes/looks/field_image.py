"""The field drawn from above: its material, the points, ornaments and the seam or print of the bar."""

import math
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.scenes.looks.board import Board
from vision.training.scenes.looks.family import Family
from vision.training.scenes.looks.grounds import GROUNDS
from vision.training.scenes.looks.ornaments import ornaments
from vision.training.scenes.looks.paint import Image, Plane, mixed, neighbour
from vision.training.scenes.looks.tones import Rgb, distance, drawn, two_apart

Outline = npt.NDArray[np.float64]
PX_WIDE = 1280
"""Width of the field's picture: twice what a camera of 640 pixels can see of it."""
LIKE_CHECKERS = 0.07
"""Probability that the field has nearly the colour of a side's checkers; one kind of points has it twice as
often."""
SEEN_LINE = 12.0
"""Least `tones.distance` between the field and outlines, and between the field and one kind of points."""
NOT_FOR_POINTS = (
    *("mosaic", "marquetry", "crocodile", "print", "terrazzo"),
    *("kilim", "newspaper", "old_map", "tartan"),
)
"""Materials of the field that its points do not take over."""
UNDER_FRAME = 0.02
"""Margin of the picture around the field, as a share of its width: what lies under the frame's edge."""

PROFILES: dict[str, Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]] = {
    "triangle": lambda t: 1 - t,
    "slim": lambda t: 0.6 * (1 - t),
    "wide": lambda t: 1 - t**1.6,
    "rounded": lambda t: np.sqrt(np.clip(1 - t**2.2, 0, 1)),
    "column": lambda t: np.where(t < 0.86, 1.0, np.sqrt(np.clip(1 - ((t - 0.86) / 0.14) ** 2, 0, 1))) * 0.85,
    "arch": lambda t: np.clip(1 - t**2, 0, 1),
    "ogee": lambda t: np.clip(0.5 + 0.5 * np.cos(math.pi * t), 0, 1) ** 0.8,
    "spear": lambda t: np.where(t < 0.7, 0.35 + 0.1 * np.cos(9 * t), 2.3 * np.clip(1 - t, 0, 1)) * 0.95,
    "wavy": lambda t: np.clip((1 - t) * (1 + 0.18 * np.sin(26 * t)), 0, 1),
    "diamonds": lambda t: (1 - 0.6 * t) * np.abs(((t * 4) % 1) - 0.5) * 2 * 0.9 + 0.03,
    "stepped": lambda t: np.ceil((1 - t) * 6) / 6,
    "flame": lambda t: np.clip((1 - t) * (1 + 0.35 * np.sin(7 * t)), 0, 1),
    "leaf": lambda t: np.clip(0.35 * (1 - t) + 0.65 * np.sin(math.pi * np.clip(t, 0, 1) ** 0.7), 0, 1),
}
"""Width of a point along its length, as a share of the greatest: t is 0 at the base and 1 at the tip."""


def outline(
    shape: str, middle: float, base: float, half: float, length: float, swell: float = 0.0
) -> Outline:
    """(N, 2) polygon of a point; length is negative for points that go up the picture."""
    t = np.linspace(0, 1, 40)
    width = np.clip(half * PROFILES[shape](t) + swell, 0, None)
    y = base + t * length
    return np.concatenate(
        [np.stack([middle - width, y], axis=1), np.stack([middle + width, y], axis=1)[::-1]]
    )


def filled(size_wh: tuple[int, int], outlines: list[Outline]) -> Plane:
    """(H, W) mask, 1 inside the outlines."""
    mask = np.zeros((size_wh[1], size_wh[0]), dtype=np.uint8)
    for points in outlines:
        cv2.fillPoly(mask, [np.round(points * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    return np.asarray(mask / np.float32(255), dtype=np.float32)


def stroked(size_wh: tuple[int, int], outlines: list[Outline], width: int) -> Plane:
    """(H, W) mask, 1 on lines along the insides of the outlines, so that they do not enlarge the points."""
    mask = np.zeros((size_wh[1], size_wh[0]), dtype=np.uint8)
    for points in outlines:
        cv2.polylines(mask, [np.round(points * 16).astype(np.int32)], True, 255, 2 * width, cv2.LINE_AA, 4)
    lines = np.asarray(mask / np.float32(255), dtype=np.float32)
    return np.minimum(lines, filled(size_wh, outlines))


class FieldImage:
    """Draws one board's field; `image` is the result."""

    def __init__(self, rng: np.random.Generator, family: Family, board: Board, sets: tuple[Rgb, Rgb]) -> None:
        self.rng, self.family, self.board, self.sets = rng, family, board, sets
        self.margin = UNDER_FRAME * board.field_wh[0] + max(board.apart)
        wide, high = (side + 2 * self.margin for side in board.field_wh)
        self.px_per_mm = PX_WIDE / wide
        self.size_wh = (PX_WIDE, round(high * self.px_per_mm))
        self.ground = str(rng.choice(family.grounds))
        self.colour = drawn(rng, str(rng.choice(family.field)))
        if rng.random() < LIKE_CHECKERS:
            self.colour = neighbour(rng, sets[int(rng.integers(2))], 0.07)
        self.image = GROUNDS[self.ground](rng, self.colour, self.size_wh)
        self.image = self._halves(self.image)
        self.points()
        self.image = ornaments(self)
        self._bar()
        if rng.random() < 0.35:
            self._worn()

    def _halves(self, image: Image) -> Image:
        """Sometimes make the two halves differ in grain or shade."""
        if self.rng.random() > 0.15:
            return image
        other = GROUNDS[self.ground](self.rng, neighbour(self.rng, self.colour, 0.12), self.size_wh)
        return np.concatenate([image[:, : PX_WIDE // 2], other[:, PX_WIDE // 2 :]], axis=1)

    def x_px(self, x_mm: float) -> float:
        return (x_mm + self.board.field_wh[0] / 2 + self.margin) * self.px_per_mm

    def y_px(self, y_mm: float) -> float:
        return (self.board.field_wh[1] / 2 + self.margin - y_mm) * self.px_per_mm

    def points(self) -> None:
        """Draw both kinds of points."""
        rng, board, family = self.rng, self.board, self.family
        shape, fill = str(rng.choice(family.shapes)), str(rng.choice(family.fills))
        tones = family.points[int(rng.integers(len(family.points)))]
        colours = list(two_apart(rng, tones if rng.random() < 0.5 else tones[::-1], rng.choice([0, 8, 20])))
        near = rng.random()
        if near < 0.10:
            colours[int(rng.integers(2))] = neighbour(rng, self.colour, 0.08)
        elif near < 0.15:
            colours[1] = colours[0]
        elif near < 0.15 + 2 * LIKE_CHECKERS:
            colours[int(rng.integers(2))] = neighbour(rng, self.sets[int(rng.integers(2))], 0.07)
        shown = int(rng.integers(2))
        colours[shown] = self._seen(colours[shown])
        length = board.reach * board.field_wh[1] * self.px_per_mm
        half = board.pitch / 2 * board.fill * self.px_per_mm
        second = 1.0 if rng.random() < 0.8 else rng.uniform(0.7, 1.0)
        kinds: list[list[Outline]] = [[], []]
        facing = int(rng.random() < 0.7)
        for place in range(24):
            kind = (place + facing * (place // 12)) % 2
            inward = 1 if place < 12 else -1
            base = self.y_px(board.rim_y(place))
            long = inward * length * (second if kind else 1.0)
            kinds[kind].append(outline(shape, self.x_px(board.column_x(place)), base, half, long))
        bare = 1 - shown if rng.random() < 0.08 and fill == "solid" else -1
        for kind, (outlines, colour) in enumerate(zip(kinds, colours, strict=True)):
            if kind != bare:
                self._painted(outlines, colour, fill, colours[1 - kind])

    def _seen(self, colour: Rgb) -> Rgb:
        """This colour if it stands out from the field, else a lighter, darker or any other one that does."""
        for _ in range(20):
            if distance(colour, self.colour) >= SEEN_LINE:
                break
            near = self.rng.random() < 0.5
            colour = neighbour(self.rng, self.colour, 0.5) if near else drawn(self.rng, "any")
        return colour

    def _painted(self, outlines: list[Outline], colour: Rgb, fill: str, other: Rgb) -> None:
        rng = self.rng
        line = int(rng.integers(2, 9))
        if fill in ("outline", "arrowed"):
            colour = self._seen(colour)
            self._laid(colour, stroked(self.size_wh, outlines, line))
            if fill == "arrowed":
                tips = [points[12:28] for points in outlines]
                self._laid(self._paint(colour), filled(self.size_wh, tips))
            return
        paint, mask = self._paint(colour), filled(self.size_wh, outlines)
        if fill == "pattern":
            paint = GROUNDS["mosaic"](rng, colour, self.size_wh)
        elif fill == "pearl":
            paint = GROUNDS["marble"](rng, colour, self.size_wh)
        elif fill in ("striped", "hatched", "dotted", "gradient", "twotone", "chequered"):
            paint, mask = self._figured(fill, paint, mask, other)
        self._laid(paint, mask)
        if fill in ("inlay", "stitched", "hatched", "twotone") or rng.random() < 0.15:
            edge = neighbour(rng, colour, 0.8) if rng.random() < 0.6 else other
            self._laid(edge, stroked(self.size_wh, outlines, line))

    def _figured(self, fill: str, paint: Image, mask: Plane, other: Rgb) -> tuple[Image, Plane]:
        y, x = np.mgrid[0 : self.size_wh[1], 0 : self.size_wh[0]].astype(np.float32)
        step = self.rng.uniform(8, 30)
        if fill == "gradient":
            share = np.abs(y / self.size_wh[1] - 0.5) * 2
            return mixed(paint, other, 1 - share), mask
        if fill == "dotted":
            share = ((x % step - step / 2) ** 2 + (y % step - step / 2) ** 2 < (0.3 * step) ** 2).astype(
                np.float32
            )
        elif fill == "chequered":
            share = ((x // step + y // step) % 2).astype(np.float32)
        elif fill == "twotone":
            pitch = self.board.pitch * self.px_per_mm
            first = self.x_px(self.board.column_x(0))
            share = (
                np.where(x > PX_WIDE / 2, x - self.board.bar * self.px_per_mm, x) - first
            ) % pitch < pitch / 2
        else:
            share = ((x + y if fill == "hatched" else y) % step < step / 2).astype(np.float32)
        if fill == "hatched":
            return paint, mask * share
        return mixed(paint, other, share.astype(np.float32)), mask

    def _paint(self, colour: Rgb) -> Image:
        """The field's own material in another colour, or plain paint."""
        kind = self.ground if self.ground not in NOT_FOR_POINTS and self.rng.random() < 0.7 else "plain"
        return GROUNDS[kind](self.rng, colour, self.size_wh)

    def _laid(self, paint: Image | Rgb, mask: Plane) -> None:
        self.image = mixed(self.image, paint, mask)

    def _bar(self) -> None:
        """Draw a printed bar or the seam of a folding board."""
        board, rng = self.board, self.rng
        if board.bar_height > 0:
            return
        left, right = (round(self.x_px(s * board.bar / 2)) for s in (-1, 1))
        if board.bar_kind == "printed":
            colour = (
                neighbour(rng, self.colour, rng.uniform(0, 0.7)) if rng.random() < 0.6 else drawn(rng, "any")
            )
            self.image[:, left:right] = GROUNDS["plain"](rng, colour, (right - left, self.size_wh[1]))
        elif board.bar_kind == "groove" or rng.random() < 0.5:
            self.image[:, left - 1 : right + 2] *= rng.uniform(0.2, 0.7)

    def _worn(self) -> None:
        """Add dirt, fading and scratches."""
        rng, size = self.rng, self.size_wh
        patches = cv2.resize(
            rng.standard_normal((6, 8)).astype(np.float32), size, interpolation=cv2.INTER_CUBIC
        )
        self.image = np.clip(self.image * (1 + rng.uniform(0.02, 0.08) * patches[..., None]), 0, 1)
        for _ in range(int(rng.integers(0, 25))):
            one = rng.uniform(0, 1, 2) * size
            other = one + rng.normal(0, 60, 2)
            shade = np.clip(np.array(self.colour) + rng.choice([-0.2, 0.2]), 0, 1).tolist()
            ends = one.astype(int).tolist(), other.astype(int).tolist()
            cv2.line(self.image, *ends, shade, 1, cv2.LINE_AA)
