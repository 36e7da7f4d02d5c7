"""Draws pictures of whole boards as a camera sees them, for training to find the field's corners.

The flat board comes from vision/training/boards.py. Frame, rails and bar may be raised: then their inner
sides are visible on the far side, and on the near side they hide a little of the field. That makes the
field's edges hard to find.
"""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.networks.row_network import SPOTS_A_ROW, row_spots
from vision.training.boards import DRAWN_PITCH_PX, DrawnBoard, draw_board, start_counts

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

DRAWN_VIEW_WH = (400, 300)
VIEW_FRAME_PITCHES = 3.5
BOARD_PITCH_PX = DRAWN_PITCH_PX / 2


@dataclass(frozen=True, kw_only=True)
class BoardView:
    """A picture (h, w, 3) of a whole board. points_px (8, 2): the field's four corners, then where the bar's
    edges meet the field's top and bottom edge, each clockwise from the top left. rows_px (2, 28, 2): the
    spots of the top and of the bottom row, see `row_spots`."""

    image_bgr: Image
    points_px: Floats
    rows_px: Floats


def draw_views(rng: np.random.Generator) -> list[BoardView]:
    """Draw a random board in two views (300, 400, 3) from above one of its long sides."""
    kind, swaps = rng.random(), rng.random(2) < 0.5
    counts = (
        None if kind < 0.2 else (0,) * 24 if kind < 0.55 else start_counts(bool(swaps[0]), bool(swaps[1]))
    )
    board = draw_board(rng, counts, margin=VIEW_FRAME_PITCHES)
    return [_one_view(rng, board) for _ in range(2)]


def _one_view(rng: np.random.Generator, board: DrawnBoard) -> BoardView:
    _, _, wide, high = (size / BOARD_PITCH_PX for size in board.field_px)
    view = _view(rng, wide, high)
    size = DRAWN_VIEW_WH
    onto = view[:, [0, 1, 3]] @ _flat_to_field(board)
    flat = board.image_bgr.copy()
    raised = rng.random() < 0.8
    tray = rng.uniform(0.7, 1.9) if rng.random() < 0.7 else 0.0
    wall = rng.uniform(0.15, 0.9)
    if raised:
        _lay_floors(rng, flat, board, tray, wall)
    picture = _table(rng, size).astype(np.float32)
    inside = cv2.warpPerspective(np.full(flat.shape[:2], 255, np.uint8), onto, size)[:, :, None] / 255.0
    seen = cv2.warpPerspective(flat, onto, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    picture += inside.astype(np.float32) * (seen - picture)
    if raised:
        _raise_walls(rng, picture, view, board, tray, wall)
    left, right = ((edge - board.field_px[0]) / BOARD_PITCH_PX for edge in board.bar_px)
    ends = [(0.0, wide), (left, right)]
    points = [spot for a, b in ends for spot in ((a, 0, 0), (b, 0, 0), (b, high, 0), (a, high, 0))]
    bar = left / wide, right / wide
    rows = np.concatenate([row_spots(bar, board.point_length, bottom) for bottom in (False, True)])
    upright = np.column_stack([rows * (wide, high), np.zeros(len(rows))])
    return BoardView(
        image_bgr=_developed(rng, picture),
        points_px=_seen(view, np.array(points, dtype=np.float64)),
        rows_px=_seen(view, upright).reshape(2, SPOTS_A_ROW, 2),
    )


def _flat_to_field(board: DrawnBoard) -> Floats:
    """(3, 3): from pixels of the flat board to pitches from the field's top left corner."""
    x, y, _, _ = board.field_px
    return np.array([[1, 0, -x], [0, 1, -y], [0, 0, BOARD_PITCH_PX]]) / BOARD_PITCH_PX


def _view(rng: np.random.Generator, wide: float, high: float) -> Floats:
    """(3, 4): a random camera, from pitches (x, y, height above the board) to pixels of the picture."""
    tilt = np.radians(rng.uniform(0, 15) if rng.random() < 0.35 else rng.uniform(10, 58))
    round_about = np.radians(rng.normal(0, 12))
    away = rng.uniform(18, 50)
    middle = np.array([wide / 2, high / 2, 0])
    eye = middle + away * np.array(
        [np.sin(tilt) * np.sin(round_about), np.sin(tilt) * np.cos(round_about), np.cos(tilt)]
    )
    forward = (middle - eye) / away
    right = np.array([np.cos(round_about), -np.sin(round_about), 0])
    camera = np.array([right, np.cross(right, forward), forward])
    view = np.column_stack([camera, -camera @ eye])
    turn = np.radians(rng.normal(0, 4))
    squeeze = np.exp(rng.normal(0, 0.12))
    roll = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    view = np.diag([1, squeeze, 1]) @ roll @ view
    quad = _seen(view, np.array([(0, 0, 0), (wide, 0, 0), (wide, high, 0), (0, high, 0)], dtype=np.float64))
    low, span = quad.min(axis=0), np.ptp(quad, axis=0)
    size = np.array(DRAWN_VIEW_WH)
    scale = rng.uniform(0.5, 0.99) * (size / span).min()
    room = size - scale * span
    shift = rng.uniform(0.1, 0.9, 2) * room - scale * low
    return np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ view


def _seen(view: Floats, points: Floats) -> Floats:
    """Project (N, 3) points in pitches to (N, 2) pixels."""
    homogeneous = points @ view[:, :3].T + view[:, 3]
    return homogeneous[:, :2] / homogeneous[:, 2:]


def _some_colour(rng: np.random.Generator) -> Floats:
    """A random colour of woods, greys and cloths."""
    value = rng.uniform(15, 240)
    if rng.random() < 0.6:
        return np.clip(value * np.array([rng.uniform(0.3, 0.8), rng.uniform(0.55, 0.9), 1.0]), 5, 250)
    hsv = np.uint8([[[rng.integers(180), rng.integers(0, 255), int(value)]]])
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float64)


def _table(rng: np.random.Generator, size: tuple[int, int]) -> npt.NDArray[np.float32]:
    """Draw a table top with up to six things on it."""
    cells = (int(rng.integers(2, 40)), int(rng.integers(2, 40)), 1)
    noise = cv2.resize(rng.normal(0, 1, cells), size, interpolation=cv2.INTER_CUBIC)[:, :, None]
    table = _some_colour(rng) * (1 + rng.uniform(0, 0.2) * noise)
    for _ in range(int(rng.integers(0, 7))):
        at, wide = rng.uniform(0, 1, 2) * size, rng.uniform(5, 60, 2)
        colour = _some_colour(rng).tolist()
        if rng.random() < 0.5:
            box = cv2.boxPoints(
                ((float(at[0]), float(at[1])), (float(wide[0]), float(wide[1])), rng.uniform(0, 180))
            )
            cv2.fillPoly(table, [box.astype(np.int32)], colour, cv2.LINE_AA)
        else:
            cv2.ellipse(
                table, at.astype(int).tolist(), (wide / 2).astype(int).tolist(), 0, 0, 360, colour, -1
            )
    return table.astype(np.float32)


def _lay_floors(rng: np.random.Generator, flat: Image, board: DrawnBoard, tray: float, wall: float) -> None:
    """Paint tray floors beside the field over those of the flat board, often in the field's own colour."""
    x, y, wide, high = board.field_px
    pitch = BOARD_PITCH_PX
    cloth = np.median(
        flat[round(y + 0.45 * high) : round(y + 0.55 * high), round(x) : round(x + wide)], axis=(0, 1)
    )
    floor = cloth if rng.random() < 0.5 else _some_colour(rng)
    low, top = max(0, round(y)), round(y + high)
    for first, last in ((x - (tray + wall) * pitch, x), (x + wide, x + wide + (tray + wall) * pitch)):
        part = flat[low:top, max(0, round(first)) : round(last)]
        part[:] = np.clip(floor + rng.normal(0, rng.uniform(0, 12), (*part.shape[:2], 1)), 0, 255)
        if tray and rng.random() < 0.4:
            _fill_tray(rng, part)


def _fill_tray(rng: np.random.Generator, part: Image) -> None:
    """Paint up to seven bars of random colours across a tray, as of checkers on edge."""
    rows = part.shape[0]
    for _ in range(int(rng.integers(1, 8))):
        start = int(rng.integers(0, rows - 8))
        part[start : start + int(rng.integers(3, 20)), 3:-3] = _some_colour(rng)


def _raise_walls(
    rng: np.random.Generator,
    picture: npt.NDArray[np.float32],
    view: Floats,
    board: DrawnBoard,
    tray: float,
    wall: float,
) -> None:
    """Draw frame, rails and bar as boxes, the farthest first."""
    wide, high = board.field_px[2] / BOARD_PITCH_PX, board.field_px[3] / BOARD_PITCH_PX
    up = rng.uniform(0.1, 1.3)
    rail, low = wall * rng.uniform(0.4, 1.0), up * rng.uniform(0.5, 1.0)
    side = rail + tray + wall if tray else wall
    colour = _some_colour(rng)
    other = colour if rng.random() < 0.6 else _some_colour(rng)
    boxes = [((-side, wide + side), (-wall, 0.0), up), ((-side, wide + side), (high, high + wall), up)]
    boxes += [((-side, wall - side), (-wall, high + wall), up)]
    boxes += [((wide + side - wall, wide + side), (-wall, high + wall), up)]
    inner = []
    if tray:
        inner += [((-rail, 0.0), (0.0, high), low), ((wide, wide + rail), (0.0, high), low)]
        if rng.random() < 0.5:
            middle = (high / 2 - rng.uniform(0.3, 1.2), high / 2 + rng.uniform(0.3, 1.2))
            inner += [((-rail - tray, -rail), middle, low), ((wide + rail, wide + rail + tray), middle, low)]
    left, right = ((edge - board.field_px[0]) / BOARD_PITCH_PX for edge in board.bar_px)
    if right - left > 0.15 and rng.random() < 0.7:
        inner.append(((left, right), (0.0, high), low))
    shades = rng.uniform(0.35, 1.1, 5)
    eye = -np.linalg.inv(view[:, :3]) @ view[:, 3]
    coloured = [(box, colour) for box in boxes] + [(box, other) for box in inner]
    coloured.sort(key=lambda item: -_distance(item[0], eye))
    for box, paint in coloured:
        _draw_box(rng, picture, view, box, paint, shades)


Box = tuple[tuple[float, float], tuple[float, float], float]


def _distance(box: Box, eye: Floats) -> float:
    """Distance on the board's plane from the eye to the nearest point of a box."""
    (x0, x1), (y0, y1), _ = box
    return float(np.hypot(eye[0] - np.clip(eye[0], x0, x1), eye[1] - np.clip(eye[1], y0, y1)))


def _draw_box(
    rng: np.random.Generator,
    picture: npt.NDArray[np.float32],
    view: Floats,
    box: Box,
    colour: Floats,
    shades: Floats,
) -> None:
    """Draw the faces of a box that the camera sees, each in its shade, the top last."""
    (x0, x1), (y0, y1), up = box
    eye = -np.linalg.inv(view[:, :3]) @ view[:, 3]
    foot = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    outward = ((0, -1), (1, 0), (0, 1), (-1, 0))
    faces = []
    for i in range(4):
        a, b = foot[i], foot[(i + 1) % 4]
        if (eye[0] - a[0]) * outward[i][0] + (eye[1] - a[1]) * outward[i][1] > 0:
            faces.append(([(*a, 0), (*b, 0), (*b, up), (*a, up)], shades[i]))
    faces.append(([(*corner, up) for corner in foot], shades[4]))
    for face, shade in faces:
        points = np.round(_seen(view, np.array(face, dtype=np.float64)) * 16).astype(np.int32)
        tint = np.clip(colour * shade * rng.uniform(0.85, 1.15), 0, 255)
        cv2.fillPoly(picture, [points], tint.tolist(), cv2.LINE_AA, 4)
        if rng.random() < 0.2:
            cv2.polylines(picture, [points], True, (tint * 0.6).tolist(), 1, cv2.LINE_AA, 4)


def _developed(rng: np.random.Generator, picture: npt.NDArray[np.float32]) -> Image:
    """Add uneven light, a shadow, blur, noise and JPEG at random."""
    rows, columns = picture.shape[:2]
    ramp = cv2.resize(rng.uniform(0.6, 1.2, (3, 3)), (columns, rows), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.3:
        shadow = np.zeros((rows, columns), np.float32)
        cv2.fillPoly(shadow, [(rng.uniform(-0.2, 1.2, (4, 2)) * (columns, rows)).astype(np.int32)], (1.0,))
        ramp *= 1 - rng.uniform(0.1, 0.5) * cv2.GaussianBlur(shadow, (0, 0), rng.uniform(1, 12))
    lit = picture * ramp[:, :, None] * rng.uniform(0.9, 1.6, 3)
    if rng.random() < 0.5:
        lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.4, 2.0))
    lit += rng.normal(0, rng.uniform(0, 5), lit.shape)
    image = np.clip(lit, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        _, jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(50, 95))])
        image = np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)
    return image
