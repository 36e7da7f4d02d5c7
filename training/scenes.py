"""Pictures of drawn boards on tables, seen by a camera, for teaching where the field lies."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from training.boards import DRAWN_PITCH_PX, Image, draw_board, start_counts

SCENE_WH = (160, 120)
DRAWN_WH = (320, 240)
CORNER_PX = 64
PITCH_PX = DRAWN_PITCH_PX / 2


@dataclass(frozen=True, kw_only=True)
class DrawnScene:
    """image_bgr (120, 160, 3); the field's corners TL, TR, BR, BL (4, 2), the bar's ends top left, top right,
    bottom right, bottom left (4, 2) in pixels; what lies on the points."""

    image_bgr: Image
    corners_px: npt.NDArray[np.float64]
    bar_px: npt.NDArray[np.float64]
    counts: tuple[int, ...]


def draw_scene(rng: np.random.Generator) -> DrawnScene:
    """A start position or an empty board somewhere in the picture."""
    kind = rng.random()
    counts = (
        None
        if kind < 0.3
        else (0,) * 24
        if kind < 0.55
        else start_counts(rng.random() < 0.5, rng.random() < 0.5)
    )
    board = draw_board(rng, counts, margin=3.5)
    x, y, width, height = board.field_px
    field = np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    (left, right) = board.bar_px
    bar = np.array([(left, y), (right, y), (right, y + height), (left, y + height)])
    view = _camera(rng, field)
    picture = _table(rng)
    seen = np.zeros(picture.shape[:2], np.uint8)
    whole = np.full(board.image_bgr.shape[:2], 255, np.uint8)
    warped = cv2.warpPerspective(board.image_bgr, view, DRAWN_WH, flags=cv2.INTER_LINEAR)
    cv2.warpPerspective(whole, view, DRAWN_WH, dst=seen, flags=cv2.INTER_NEAREST)
    picture = np.where(seen[..., None] > 0, warped, picture)
    if rng.random() < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.0))
    halved = np.diag([0.5, 0.5, 1.0]) @ view
    return DrawnScene(
        image_bgr=np.asarray(cv2.resize(picture, SCENE_WH, interpolation=cv2.INTER_AREA), np.uint8),
        corners_px=_through(halved, field),
        bar_px=_through(halved, bar),
        counts=board.counts,
    )


@dataclass(frozen=True, kw_only=True)
class DrawnCorner:
    """image_bgr (64, 64, 3), mirrored so that it shows a top left part of a field; pixels (x, y) of the
    field's corner and of the bar's left end, as far as they lie in the patch."""

    image_bgr: Image
    corner_px: tuple[float, float]
    bar_px: tuple[float, float]


def draw_corners(rng: np.random.Generator) -> list[DrawnCorner]:
    """The surroundings of a board's four corners and four bar ends, roughly set upright."""
    kind = rng.random()
    swaps = rng.random(2) < 0.5
    counts = None if kind < 0.3 else (0,) * 24 if kind < 0.6 else start_counts(bool(swaps[0]), bool(swaps[1]))
    board = draw_board(rng, counts, margin=3.5)
    x, y, width, height = board.field_px
    picture = board.image_bgr
    patches = []
    for right in (False, True):
        for lower in (False, True):
            corner = np.array([x + width * right, y + height * lower])
            end = np.array([board.bar_px[1 if right else 0], y + height * lower])
            for about in (corner, end):
                view = _rough_view(rng, about) if not right else _mirror(0) @ _rough_view(rng, about)
                view = _mirror(1) @ view if lower else view
                patch = cv2.warpPerspective(
                    picture, view, (CORNER_PX, CORNER_PX), borderMode=cv2.BORDER_REFLECT
                )
                (cx, cy), (bx, by) = _through(view, np.array([corner, end]))
                patches.append(
                    DrawnCorner(
                        image_bgr=np.asarray(patch, np.uint8),
                        corner_px=(float(cx), float(cy)),
                        bar_px=(float(bx), float(by)),
                    )
                )
    return patches


def _rough_view(rng: np.random.Generator, about: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A small turn, stretch and shift that puts a point near the middle of a patch."""
    angle = np.radians(rng.normal(0, 3))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    shear = np.array([[1, rng.normal(0, 0.05)], [rng.normal(0, 0.03), 1]])
    stretch = np.diag(np.exp(rng.normal(0, (0.06, 0.12))))
    linear = turn @ shear @ stretch
    middle = CORNER_PX / 2 + rng.uniform(-0.8, 0.8, 2) * PITCH_PX
    view = np.eye(3)
    view[:2, :2] = linear
    view[:2, 2] = middle - linear @ about
    return view


def _mirror(axis: int) -> npt.NDArray[np.float64]:
    flip = np.eye(3)
    flip[axis, axis], flip[axis, 2] = -1, CORNER_PX - 1
    return flip


def _through(view: npt.NDArray[np.float64], points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return cv2.perspectiveTransform(points[None].astype(np.float64), view)[0]


def _camera(rng: np.random.Generator, field: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """A view of the field's plane that keeps the field's corners in or just about in the picture."""
    width, height = DRAWN_WH
    centre = field.mean(axis=0)
    size = field[2, 0] - field[0, 0]
    tilt = np.radians(rng.choice([rng.uniform(-8, 8), rng.uniform(0, 50)]))
    swing, roll = np.radians(rng.normal(0, 6)), np.radians(rng.normal(0, 5))
    turn = (
        _rotation(2, roll)
        @ _rotation(0, tilt)
        @ _rotation(1, swing)
        @ _rotation(2, np.radians(rng.normal(0, 7)))
    )
    focal, away = rng.uniform(0.8, 1.8), rng.uniform(1.2, 2.5)
    plane = np.array([[1 / size, 0, -centre[0] / size], [0, 1 / size, -centre[1] / size], [0, 0, 1]])
    flat = np.diag([focal, focal * np.exp(rng.normal(0, 0.15)), 1.0]) @ np.column_stack(
        [turn[:, 0], turn[:, 1], [0, 0, away]]
    )
    view = flat @ plane
    corners = _through(view, field)
    low, high = corners.min(axis=0), corners.max(axis=0)
    spread = high - low
    scale = rng.uniform(0.5, 1.0) * min(width / spread[0], height / spread[1])
    slack = np.maximum(np.array([width, height]) - scale * spread, 0)
    shift = slack * rng.uniform(0.05, 0.95, 2) - scale * low
    return np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ view


def _rotation(axis: int, angle: float) -> npt.NDArray[np.float64]:
    turn = np.eye(3)
    a, b = [i for i in range(3) if i != axis]
    turn[a, a] = turn[b, b] = np.cos(angle)
    turn[a, b], turn[b, a] = -np.sin(angle), np.sin(angle)
    return turn


def _table(rng: np.random.Generator) -> Image:
    """Surroundings: a plain, a pattern, and things with straight edges and round ones."""
    width, height = DRAWN_WH
    picture = np.full((height, width, 3), rng.uniform(10, 240, 3), np.float32)
    picture += cv2.resize(rng.normal(0, 12, (30, 40, 3)).astype(np.float32), DRAWN_WH)
    for _ in range(int(rng.integers(0, 8))):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        size = (float(rng.uniform(10, 120)), float(rng.uniform(10, 120)))
        colour = rng.uniform(5, 250, 3).tolist()
        if rng.random() < 0.6:
            box = cv2.boxPoints(((float(at[0]), float(at[1])), size, rng.uniform(0, 90)))
            cv2.fillPoly(picture, [box.astype(np.int32)], colour)
        else:
            cv2.ellipse(picture, at, (round(size[0] / 2), round(size[1] / 2)), 0, 0, 360, colour, -1)
    return np.clip(picture, 0, 255).astype(np.uint8)
