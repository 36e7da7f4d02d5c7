"""What is drawn on a field besides its points: medallions, stars, borders, arrows, letters."""

import math
from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.training.scenes.looks.grounds import GROUNDS
from vision.training.scenes.looks.paint import Image, Plane, mixed, neighbour
from vision.training.scenes.looks.tones import Rgb, drawn

if TYPE_CHECKING:
    from vision.training.scenes.looks.field_image import FieldImage

LETTERS = "ABCDEFGHIKLMNOPRSTUVZ"


def ornaments(field: "FieldImage") -> Image:
    """The field's picture with up to two kinds of ornament."""
    rng = field.rng
    kinds = {str(rng.choice(field.family.ornaments))}
    if rng.random() < 0.25:
        kinds.add(str(rng.choice(field.family.ornaments)))
    image = field.image
    for kind in sorted(kinds - {"none"}):
        colour = neighbour(rng, field.colour, 0.6) if rng.random() < 0.6 else drawn(rng, "any")
        mask = np.zeros(image.shape[:2], dtype=np.uint8)
        if kind == "border":
            _border(field, mask)
        elif kind == "arrows":
            _arrows(field, mask)
        elif kind == "blobs":
            _blobs(field, mask)
        else:
            _in_the_middle(field, mask, kind)
        image = _inlaid(rng, image, mask.astype(np.float32) / 255, colour)
    return image


def _inlaid(rng: np.random.Generator, image: Image, mask: Plane, colour: Rgb) -> Image:
    kind = "mosaic" if rng.random() < 0.15 else "plain"
    size = image.shape[1], image.shape[0]
    paint = GROUNDS[kind](rng, colour, size) if kind != "plain" else colour
    return mixed(image, paint, mask * rng.uniform(0.4, 1.0))


def _in_the_middle(field: "FieldImage", mask: np.ndarray, kind: str) -> None:
    rng, board = field.rng, field.board
    free = max(board.field_wh[1] * (0.5 - board.reach), 0.04 * board.field_wh[1]) * field.px_per_mm
    radius = min(free, 2.4 * board.pitch * field.px_per_mm) * rng.uniform(0.7, 1.25)
    halves = (-3 * board.pitch - board.bar / 2, 3 * board.pitch + board.bar / 2)
    word = "".join(str(letter) for letter in rng.choice(list(LETTERS), int(rng.integers(2, 9))))
    petals, inner = int(rng.integers(4, 17)), rng.uniform(0.3, 0.8)
    width = int(rng.integers(2, 7))
    flipped = rng.random() < 0.5
    for side, x_mm in enumerate(halves):
        middle = (round(field.x_px(x_mm)), round(field.y_px(0)))
        if kind == "lettering":
            _lettered(mask, word, middle, radius, width, flipped and side == 1)
            continue
        if kind == "diamond":
            tall = radius * rng.uniform(0.9, 1.1)
            rhombus = [(0, -tall), (tall * inner, 0), (0, tall), (-tall * inner, 0)]
            cv2.fillPoly(mask, [np.array(rhombus, dtype=np.int32) + middle], 255, cv2.LINE_AA)
            continue
        angles = np.linspace(0, 2 * math.pi, 24 * petals, endpoint=False)
        if kind == "star":
            wave = np.where(np.arange(len(angles)) % 24 < 12, 1.0, inner)
        else:
            wave = 1 - (1 - inner) * np.abs(np.sin(angles * petals / 2))
        for share, shade in ((1.0, 255), (0.75, 0), (0.5, 255), (0.2, 0)):
            spots = (
                np.stack([np.cos(angles), np.sin(angles)], axis=1) * (wave * share * radius)[:, None] + middle
            )
            cv2.fillPoly(mask, [spots.astype(np.int32)], shade, cv2.LINE_AA)
        if kind == "medallion":
            cv2.circle(mask, middle, round(radius * 1.1), 255, width, cv2.LINE_AA)


def _lettered(
    mask: np.ndarray, word: str, middle: tuple[int, int], high: float, width: int, turned: bool
) -> None:
    font = cv2.FONT_HERSHEY_DUPLEX if width % 2 else cv2.FONT_HERSHEY_TRIPLEX
    (wide, tall), _ = cv2.getTextSize(word, font, high / 40, width)
    part = np.zeros((tall + 20, wide + 20), dtype=np.uint8)
    cv2.putText(part, word, (10, tall + 8), font, high / 40, 255, width, cv2.LINE_AA)
    part = part[::-1, ::-1] if turned else part
    x, y = middle[0] - part.shape[1] // 2, middle[1] - part.shape[0] // 2
    left, top = max(x, 0), max(y, 0)
    shown = part[top - y :, left - x :][: mask.shape[0] - top, : mask.shape[1] - left]
    mask[top : top + shown.shape[0], left : left + shown.shape[1]] |= shown


def _border(field: "FieldImage", mask: np.ndarray) -> None:
    """Lines, sometimes with little triangles, round each half."""
    rng, board = field.rng, field.board
    width = int(rng.integers(2, 10))
    teeth = rng.random() < 0.5
    inset = rng.uniform(-0.02, 0.12) * board.pitch
    for left, right in (
        (-board.field_wh[0] / 2, -board.bar / 2),
        (board.bar / 2, board.field_wh[0] / 2),
    ):
        one = (round(field.x_px(left + inset)), round(field.y_px(board.field_wh[1] / 2 - inset)))
        other = (round(field.x_px(right - inset)), round(field.y_px(-board.field_wh[1] / 2 + inset)))
        cv2.rectangle(mask, one, other, 255, width)
        if teeth:
            step = max(int(board.pitch * field.px_per_mm / 4), 6)
            for y in range(one[1], other[1], step):
                for x, inward in ((one[0], 1), (other[0], -1)):
                    spots = [(x, y), (x + inward * step // 2, y + step // 2), (x, y + step)]
                    cv2.fillPoly(mask, [np.array(spots, dtype=np.int32)], 255, cv2.LINE_AA)


def _arrows(field: "FieldImage", mask: np.ndarray) -> None:
    """Arrow heads beyond the tips of the points."""
    rng, board = field.rng, field.board
    size = board.pitch * field.px_per_mm * rng.uniform(0.2, 0.45)
    for place in range(24):
        inward = 1 if place < 12 else -1
        tip = board.rim_y(place) - inward * board.reach * board.field_wh[1] * 1.03
        x, y = field.x_px(board.column_x(place)), field.y_px(tip)
        spots = np.array([(x - size / 2, y), (x + size / 2, y), (x, y + inward * size)])
        cv2.fillPoly(mask, [spots.astype(np.int32)], 255, cv2.LINE_AA)


def _blobs(field: "FieldImage", mask: np.ndarray) -> None:
    """Round dabs of colour anywhere: flowers, animals, stains of print."""
    rng = field.rng
    for _ in range(int(rng.integers(4, 18))):
        at = (int(rng.integers(mask.shape[1])), int(rng.integers(mask.shape[0])))
        axes = (int(rng.integers(8, 70)), int(rng.integers(8, 70)))
        cv2.ellipse(mask, at, axes, float(rng.uniform(0, 180)), 0, 360, 255, -1, cv2.LINE_AA)
