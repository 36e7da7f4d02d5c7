"""Draws dice lying on boards that never were, for teaching how to read them.

The boards are those of training/boards.py at 32 pixels a point; a die is a cube seen obliquely, its upper
face square as in every rectified picture, its sides leaning away from the camera.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from training.boards import DRAWN_PITCH_PX, PIPS, Canvas, Colour, Image, draw_surface

PATCH_PX = 112
"""Side of a sample: a piece of a board at `PITCH_PX` pixels a point."""
PITCH_PX = 40
PATCHES_A_BOARD = 8
COCKED = 6
"""The answer after those of the six faces: a die that leans."""
PIP_REACH = 0.27
FLOOR_SIDES = {1: 2, 2: 3, 3: 1, 4: 5, 5: 6, 6: 4}
"""For each upper face one of its neighbours, which then looks along the die's own x axis."""


@dataclass(frozen=True, kw_only=True)
class DrawnDice:
    """image_bgr (112, 112, 3) and, for each die, (x, y) of its upper face in pixels and its answer: 0 to 5
    for the faces 1 to 6, `COCKED` when it leans."""

    image_bgr: Image
    dice: tuple[tuple[float, float, int], ...]


@dataclass(frozen=True, kw_only=True)
class DieLook:
    """Body and pip colours, the die's size in pixels and its pips' radius as a fraction of it."""

    body: Colour
    pip: Colour
    size: float
    pip_radius: float
    digits: bool = False


def draw_dice_patches(rng: np.random.Generator) -> list[DrawnDice]:
    """Several pieces of one board with dice strewn over them; some have none."""
    surface = draw_surface(rng)
    lean = rng.normal(0, 0.4, 2) if rng.random() < 0.7 else rng.normal(0, 0.1, 2)
    look = _look(rng)
    scale = PITCH_PX / DRAWN_PITCH_PX
    patches = []
    for _ in range(PATCHES_A_BOARD):
        side = PATCH_PX / scale
        x = rng.uniform(0, surface.shape[1] - side)
        y = rng.uniform(0, surface.shape[0] - side)
        cut = np.array([[scale, 0, -x * scale], [0, scale, -y * scale]])
        patch = cv2.warpAffine(surface, cut, (PATCH_PX, PATCH_PX), flags=cv2.INTER_LINEAR)
        patches.append(_patch(rng, patch, lean, look))
    return patches


def _look(rng: np.random.Generator) -> DieLook:
    body = (
        rng.uniform(5, 250, 3)
        if rng.random() < 0.4
        else np.full(3, rng.choice([rng.uniform(200, 255), rng.uniform(5, 50)]))
    )
    pip = rng.uniform(5, 250, 3) if rng.random() < 0.2 else np.full(3, 250.0 if body.mean() < 128 else 10.0)
    if np.abs(body - pip).max() < 70:
        pip = np.full(3, 250.0 if body.mean() < 128 else 10.0)
    return DieLook(
        body=body.astype(np.float32),
        pip=pip.astype(np.float32),
        size=rng.uniform(0.24, 0.55) * PITCH_PX,
        pip_radius=rng.uniform(0.07, 0.12),
    )


def _patch(
    rng: np.random.Generator, patch: Canvas, lean: npt.NDArray[np.float64], look: DieLook
) -> DrawnDice:
    dice: list[tuple[float, float, int]] = []
    squeeze = float(np.exp(rng.normal(0, 0.1)))
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.15, 0.35, 0.35, 0.15]))):
        at = rng.uniform(8, PATCH_PX - 8, 2)
        if any(np.hypot(at[0] - x, at[1] - y) < 1.5 * look.size for x, y, _ in dice):
            continue
        if rng.random() < 0.1:
            block = DieLook(
                body=look.body, pip=look.pip, size=look.size * rng.uniform(1, 1.9), pip_radius=0, digits=True
            )
            _draw_cube(rng, patch, at, _turn(rng, 0.0), 1, lean, block, squeeze)
            continue
        cocked = rng.random() < 0.15
        face = int(rng.integers(1, 7))
        turn = _turn(rng, float(rng.uniform(0.3, 0.75)) if cocked else float(abs(rng.normal(0, 0.03))))
        x, y = _draw_cube(rng, patch, at, turn, face, lean, look, squeeze)
        dice.append((x, y, COCKED if cocked else face - 1))
    return DrawnDice(image_bgr=_seen(rng, patch), dice=tuple(dice))


def _turn(rng: np.random.Generator, tilt: float) -> npt.NDArray[np.float64]:
    """A turn about the upright axis after leaning over by `tilt` radians in some direction."""
    about, towards = rng.uniform(0, 2 * np.pi, 2)
    axis = np.array([np.cos(towards), np.sin(towards), 0]) * tilt
    leaning, _ = cv2.Rodrigues(axis)
    upright, _ = cv2.Rodrigues(np.array([0, 0, about]))
    return np.asarray(leaning @ upright, dtype=np.float64)


def _cube_faces(up: int, hand: int) -> list[tuple[int, npt.NDArray[np.float64]]]:
    """Each face's number and its axes (3, 3): along, across and outward, for a die with `up` above."""
    side = FLOOR_SIDES[up]
    third = next(n for n in range(1, 7) if n not in (up, 7 - up, side, 7 - side))
    third = third if hand > 0 else 7 - third
    x, y, z = np.eye(3)
    return [
        (up, np.array([x, y, z])),
        (7 - up, np.array([x, -y, -z])),
        (side, np.array([y, z, x])),
        (7 - side, np.array([-y, z, -x])),
        (third, np.array([-x, z, y])),
        (7 - third, np.array([x, z, -y])),
    ]


def _draw_cube(
    rng: np.random.Generator,
    patch: Canvas,
    at: npt.NDArray[np.float64],
    turn: npt.NDArray[np.float64],
    up: int,
    lean: npt.NDArray[np.float64],
    look: DieLook,
    squeeze: float,
) -> tuple[float, float]:
    """Paint a cube and its shadow; where the middle of its uppermost face is seen."""
    half = look.size / 2
    project = np.array([[1, 0, lean[0]], [0, squeeze, lean[1]]])
    faces = _cube_faces(up, 1 if rng.random() < 0.5 else -1)
    corners = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)]) @ turn.T * half
    drop = rng.normal(0, 0.25, 2) * look.size
    _shade(
        patch,
        corners[:, :2] * (1, squeeze) + at + drop - lean * half,
        rng.uniform(0, 0.6),
        rng.uniform(0.5, 3),
    )
    sun = rng.normal(0, 1, 3) * (1, 1, 0.3) + (0, 0, 1.5)
    sun /= np.linalg.norm(sun)
    middle = at.astype(np.float64)
    highest = -np.inf
    for number, axes in faces:
        along, across, out = (turn @ axis for axis in axes)
        frame = project @ np.column_stack([along, across, out])
        if np.linalg.det(frame[:, :2]) * np.linalg.det(project[:, :2]) <= 0:
            continue
        light = 0.45 + 0.55 * max(0.0, float(out @ sun)) if out[2] < 0.8 else 1.0
        _draw_face(patch, at + frame[:, 2] * half, frame[:, :2] * half, number, look, light)
        if out[2] > highest:
            highest, middle = out[2], at + frame[:, 2] * half
    return float(middle[0]), float(middle[1])


def _draw_face(
    patch: Canvas,
    middle: npt.NDArray[np.float64],
    frame: npt.NDArray[np.float64],
    number: int,
    look: DieLook,
    light: float,
) -> None:
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ frame.T + middle
    cv2.fillPoly(
        patch, [np.round(square * 16).astype(np.int32)], (look.body * light).tolist(), cv2.LINE_AA, 4
    )
    if look.digits:
        strokes = (
            np.array([(-0.5, 0.6), (-0.5, -0.6), (0.5, 0.0), (0.0, 0.6), (0.6, 0.6), (0.5, -0.6)]) @ frame.T
            + middle
        )
        cv2.polylines(
            patch,
            [np.round(strokes * 16).astype(np.int32)],
            False,
            (look.pip * light).tolist(),
            2,
            cv2.LINE_AA,
            4,
        )
        return
    round_spot = (
        np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 12)]) * look.pip_radius * 2
    )
    for spot in np.array(PIPS[number], dtype=np.float64) * PIP_REACH * 2:
        outline = (round_spot + spot) @ frame.T + middle
        cv2.fillPoly(
            patch, [np.round(outline * 16).astype(np.int32)], (look.pip * light).tolist(), cv2.LINE_AA, 4
        )


def _shade(patch: Canvas, points: npt.NDArray[np.float64], depth: float, blur: float) -> None:
    mask = np.zeros(patch.shape[:2], np.float32)
    hull = cv2.convexHull(np.round(points * 16).astype(np.int32))
    cv2.fillConvexPoly(mask, hull, 1.0, cv2.LINE_AA, 4)
    patch *= 1 - depth * cv2.GaussianBlur(mask, (0, 0), blur)[:, :, None]


def _seen(rng: np.random.Generator, patch: Canvas) -> Image:
    """Through the camera: exposure, blur, noise and JPEG."""
    picture = patch * (rng.uniform(0.85, 1.15, 3) * rng.uniform(0.4, 1.25)).astype(np.float32)
    if rng.random() < 0.2:
        picture = picture + rng.uniform(0, 60)
    picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.5))
    picture = picture + cv2.GaussianBlur(rng.normal(0, 1, picture.shape), (0, 0), 0.6) * rng.uniform(0, 14)
    image = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 95))])
        image = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    return image
