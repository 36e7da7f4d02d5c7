"""Draws the surroundings of a board's corners, for teaching where the field lies."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from training.boards import DRAWN_PITCH_PX, Image, draw_board, start_counts

CORNER_PX = 64
PITCH_PX = DRAWN_PITCH_PX / 2


@dataclass(frozen=True, kw_only=True)
class DrawnCorner:
    """image_bgr (64, 64, 3), mirrored so that it shows a top left part of a field; pixels (x, y) of the
    field's corner and of the bar's left end, as far as they lie in the patch."""

    image_bgr: Image
    corner_px: tuple[float, float]
    bar_px: tuple[float, float]


def draw_corners(rng: np.random.Generator) -> list[DrawnCorner]:
    """The surroundings of a board's four corners, four bar ends, and of what lies just outside its corners
    (trays and frames have corners too), roughly set upright."""
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
            outward = (
                rng.uniform((0.8, -0.6), (2.6, 1.0)) * PITCH_PX * (1 if right else -1, 1 if lower else -1)
            )
            for about in (corner, end, corner + outward):
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
