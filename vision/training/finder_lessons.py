"""Random views of boards, and of things that are no boards, with the spots of the field in them."""

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.locate.board_finder import FIELD_MARGIN
from vision.networks.field_network import ACROSS, CUT, NOTHING, SEEN_WH, UPRIGHT
from vision.training.finder_pictures import BoardPictures

Rng = np.random.Generator
Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

EITHER = -1
"""Kind of a view for which either answer is right."""
CLOSE, CUT_SHARE, NO_BOARD = 0.55, 0.06, 0.10
"""Share of flattened views, of views whose edge cuts the board, and of views without a board."""
VIEWS_ASTRAY = 0.35
"""Share of flattened views whose left and right edges may be wrong by up to two columns or a tray."""
WALLED, WALLED_BY = 0.3, (-0.02, 0.12)
"""Share of flattened views whose upper and lower edges are wrong, mostly too far out, as a high wall shows
them; range of the error at each corner, in field heights."""
BESIDE, NEAR_BY, FAR_BY = 0.12, (0.1, 0.4), (0.6, 1.6)
"""Share of pictures with something printed beside the board; ranges of where it begins and ends, as shares
of the field's width or height."""
OUT_FROM, IN_FROM = 0.05, 0.02
"""A field counts as cut from the first distance of a corner outside the picture, and as whole up to the
second. In field widths."""
COVER_WH = (256, 192)
"""Width and height of what is laid over a picture, in pixels."""
MOST_SHRUNK = 0.7
"""A view at a smaller scale than this is made from the picture at half its size."""
MIRRORED, UPTURNED = np.array([1, 0, 3, 2, 5, 4, 7, 6]), np.array([3, 2, 1, 0, 7, 6, 5, 4])
"""Number of each spot's mirror image when left and right, or top and bottom, are exchanged."""


@dataclass(frozen=True, kw_only=True)
class View:
    """picture (160, 192, 3); spots_px (8, 2); known (8,): which of them are in the view; kind or EITHER."""

    picture: Image
    spots_px: Floats
    known: npt.NDArray[np.bool_]
    kind: int


def flat_quad(margin: float = FIELD_MARGIN) -> Floats:
    """(4, 2): the field's corners in a flattened view, in pixels."""
    size = np.array(SEEN_WH)
    low, high = margin / (1 + 2 * margin), (1 + margin) / (1 + 2 * margin)
    return np.array([(low, low), (high, low), (high, high), (low, high)]) * size - 0.5


def view_by_chance(rng: Rng, source: BoardPictures, number: int) -> View:
    """Make a random view of one of the pictures."""
    width, height = source.sizes_wh[number]
    image = source.pictures[number, :height, :width]
    spots = source.points_px[number].copy()
    if rng.random() < 0.5:
        image, spots = image[:, ::-1], np.column_stack([width - 1 - spots[:, 0], spots[:, 1]])[MIRRORED]
    image = np.ascontiguousarray(image)
    draw = rng.random()
    is_board = draw >= NO_BOARD
    if not is_board:
        image = _without_board(rng, image, spots[:4])
    elif rng.random() < BESIDE:
        image = with_print_beside(rng, image, spots[:4])
    if rng.random() < CLOSE:
        move = _flattened(rng, spots[:4])
    else:
        move = _afar(rng, spots[:4], cut=is_board and draw < NO_BOARD + 2 * CUT_SHARE)
    picture = _warped(rng, image, move)
    moved = cv2.perspectiveTransform(spots[None], move)[0]
    spots_px, known, kind = _answers(moved)
    return View(
        picture=photographed(rng, picture),
        spots_px=spots_px,
        known=known & is_board,
        kind=kind if is_board else NOTHING,
    )


def mirrored(view: View, sideways: bool, over: bool) -> View:
    """The mirror image of a view: left and right exchanged, top and bottom exchanged, or both."""
    picture, spots, known = view.picture, view.spots_px, view.known
    for wanted, axis, order in ((sideways, 1, MIRRORED), (over, 0, UPTURNED)):
        if wanted:
            picture, spots, known = np.flip(picture, axis), spots[order], known[order]
            spots[:, 1 - axis] = SEEN_WH[1 - axis] - 1 - spots[:, 1 - axis]
    return View(picture=np.ascontiguousarray(picture), spots_px=spots, known=known, kind=view.kind)


def _answers(moved: Floats) -> tuple[Floats, npt.NDArray[np.bool_], int]:
    """The spots, clockwise from the one at the view's top left, which of them count, and the kind."""
    along = moved[1] + moved[2] - moved[0] - moved[3]
    quarter = int(np.floor((np.degrees(np.arctan2(along[1], along[0])) + 45) / 90)) % 4
    ordered = moved.copy()
    for part in (slice(0, 4), slice(4, 8)):
        ordered[part] = np.roll(moved[part], quarter, axis=0)
    size = np.array(SEEN_WH)
    wide = np.hypot(*(moved[1] - moved[0]))
    outside = np.maximum(-0.5 - ordered, ordered - (size - 0.5)).max(axis=1)
    known = outside < 0
    known[4:] &= quarter % 2 == 0
    worst = outside[:4].max() / wide
    whole = ACROSS if quarter % 2 else UPRIGHT
    return ordered, known, whole if worst < IN_FROM else CUT if worst > OUT_FROM else EITHER


def _flattened(rng: Rng, corners: Floats) -> Floats:
    """(3, 3): transform that nearly flattens the field, sometimes turned by quarters."""
    quad = flat_quad() + 0.5
    wide = quad[1, 0] - quad[0, 0]
    error = rng.choice([0.008, 0.025, 0.06], p=[0.4, 0.4, 0.2])
    quad = quad + rng.normal(0, error * wide / np.sqrt(2), (4, 2)) + rng.normal(0, error * wide / 2, 2)
    if rng.random() < VIEWS_ASTRAY:
        for side, outward in (((0, 3), 1.0), ((1, 2), -1.0)):
            if rng.random() < 0.6:
                quad[list(side), 0] += outward * rng.uniform(-0.07, 0.17) * wide
    if rng.random() < WALLED:
        high = quad[3, 1] - quad[0, 1]
        for corner, outward in enumerate((1.0, 1.0, -1.0, -1.0)):
            if rng.random() < 0.6:
                quad[corner, 1] += outward * rng.uniform(*WALLED_BY) * high
    turn = int(rng.choice([0, 2, 1, 3], p=[0.45, 0.35, 0.1, 0.1]))
    return _move(np.roll(corners, turn, axis=0), quad - 0.5)


def _afar(rng: Rng, corners: Floats, cut: bool) -> Floats:
    """(3, 3): transform that turns, tilts, stretches, scales and moves the picture."""
    middle = corners.mean(axis=0)
    size = np.sqrt(cv2.contourArea(corners.astype(np.float32)))
    centred = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, size]]) / size
    tilt = np.eye(3)
    tilt[2, :2] = rng.normal(0, 0.1, 2)
    angle = np.radians(
        90 * rng.integers(4) + (rng.normal(0, 8) if rng.random() < 0.8 else rng.uniform(-42, 42))
    )
    cos, sin = np.cos(angle), np.sin(angle)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    stretch = np.diag([np.exp(rng.normal(0, 0.13)), 1.0, 1.0])
    move = stretch @ turn @ tilt @ centred
    quad = cv2.perspectiveTransform(corners[None], move)[0]
    low, span = quad.min(axis=0), np.ptp(quad, axis=0)
    seen = np.array(SEEN_WH, dtype=np.float64)
    scale = rng.uniform(0.36, 1.0) * (seen / span).min()
    room = seen - scale * span
    if cut:
        shift = (
            room * rng.uniform(0, 1, 2) + rng.choice([-1, 0, 1], 2) * rng.uniform(0.05, 0.5, 2) * scale * span
        )
    else:
        shift = room * rng.uniform(0, 1, 2)
    shift = shift - scale * low - 0.5
    return np.array([[scale, 0, shift[0]], [0, scale, shift[1]], [0, 0, 1]]) @ move


def _move(corners: Floats, quad: Floats) -> Floats:
    return cv2.getPerspectiveTransform(corners.astype(np.float32), quad.astype(np.float32)).astype(np.float64)


def _warped(rng: Rng, image: Image, move: Floats) -> Image:
    """Warp the picture into a view, shrunk to half first where the view is small.

    Beyond the picture's edges lies one colour, or its edge is repeated.
    """
    shrink = np.sqrt(abs(np.linalg.det(move[:2, :2] / move[2, 2])))
    if shrink < MOST_SHRUNK:
        half = (image.shape[1] // 2, image.shape[0] // 2)
        image = np.asarray(cv2.resize(image, half, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        move = move @ np.array([[2.0, 0, 0.5], [0, 2.0, 0.5], [0, 0, 1]])
    edge = cv2.BORDER_REPLICATE if rng.random() < 0.4 else cv2.BORDER_CONSTANT
    colour = image.reshape(-1, 3)[::997].mean(axis=0) if rng.random() < 0.6 else rng.uniform(0, 255, 3)
    seen = cv2.warpPerspective(
        image, move, SEEN_WH, flags=cv2.INTER_LINEAR, borderMode=edge, borderValue=colour.tolist()
    )
    return np.asarray(seen, dtype=np.uint8)


def _without_board(rng: Rng, image: Image, corners: Floats) -> Image:
    """The picture with something else over the field, or a pattern only."""
    height, width = image.shape[:2]
    kind = rng.random()
    if kind < 0.3:
        return _pattern(rng, (width, height))
    cover = _pattern(rng, COVER_WH) if kind < 0.65 else _cloth(rng, image)
    grow = rng.uniform(1.0, 1.25)
    return _covered(image, cover, corners.mean(axis=0) + (corners - corners.mean(axis=0)) * grow)


def with_print_beside(rng: Rng, image: Image, corners: Floats) -> Image:
    """The picture with a pattern beside the board, as in broadcasts and books."""
    one, two, three, four = np.roll(corners, int(rng.integers(4)), axis=0)
    near, far = rng.uniform(*NEAR_BY), rng.uniform(*FAR_BY)
    over, under = two - one, three - four
    quad = np.array([two + over * near, two + over * far, three + under * far, three + under * near])
    return _covered(image, _pattern(rng, COVER_WH), quad)


def _covered(image: Image, cover: Image, quad: Floats) -> Image:
    """The picture with `cover` laid on a quadrilateral of it."""
    size, (width, height) = image.shape[1::-1], COVER_WH
    box = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], dtype=np.float64)
    move = _move(box, quad)
    laid = cv2.warpPerspective(cover, move, size)
    inside = cv2.warpPerspective(np.full(COVER_WH[::-1], 255, np.uint8), move, size)
    return np.where(inside[..., None] > 127, laid, image).astype(np.uint8)


def _cloth(rng: Rng, image: Image) -> Image:
    """The picture's upper rim, or one colour with a grain."""
    if rng.random() < 0.5:
        side = image[: max(8, image.shape[0] // 8)]
        return np.asarray(cv2.resize(side, COVER_WH, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)
    grain = cv2.resize(rng.normal(0, 1, tuple(rng.integers(2, 90, 2))).astype(np.float32), COVER_WH)[
        ..., None
    ]
    return np.clip(rng.uniform(20, 230, 3) * (1 + rng.uniform(0, 0.25) * grain), 0, 255).astype(np.uint8)


def _pattern(rng: Rng, size: tuple[int, int]) -> Image:
    """A pattern of squares, tiles, stripes, discs, blots or grain, with up to eight ellipses on it."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(-0.5, 0.5) + (np.pi / 2) * rng.integers(2)
    u, v = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
    step = rng.uniform(0.03, 0.2) * width * np.array([1, rng.uniform(0.5, 2)])
    first, second = np.floor(u / step[0]), np.floor(v / step[1])
    near = np.minimum(u % step[0], v % step[1] * step[0] / step[1])
    kind = rng.integers(6)
    if kind == 0:
        mask = (first + second) % 2
    elif kind == 1:
        mask = near < rng.uniform(0.04, 0.2) * step[0]
    elif kind == 2:
        mask = first % 2
    elif kind == 3:
        mask = (
            np.hypot(u % step[0] - step[0] / 2, v % step[1] - step[1] / 2)
            < rng.uniform(0.2, 0.48) * step.min()
        )
    elif kind == 4:
        mask = cv2.resize(rng.random((12, 16)).astype(np.float32), size) > 0.5
    else:
        mask = np.zeros((height, width))
    one, other = rng.uniform(0, 255, (2, 3))
    grain = cv2.resize(rng.normal(0, 1, tuple(rng.integers(2, 90, 2))).astype(np.float32), size)[..., None]
    seen = np.where(np.asarray(mask, dtype=bool)[..., None], one, other) * (1 + rng.uniform(0, 0.3) * grain)
    picture = np.clip(seen, 0, 255).astype(np.uint8)
    for _ in range(int(rng.integers(0, 9))):
        at = tuple(int(v) for v in rng.uniform(0, 1, 2) * size)
        axes = tuple(int(v) for v in rng.uniform(0.02, 0.25, 2) * width)
        cv2.ellipse(picture, at, axes, rng.uniform(0, 180), 0, 360, rng.uniform(0, 255, 3).tolist(), -1)
    return picture


def photographed(rng: Rng, picture: Image) -> Image:
    """Vary a picture at random: colours, light and shadow, covers, blur, noise and JPEG."""
    height, width = picture.shape[:2]
    values = picture.astype(np.float32)
    if rng.random() < 0.25:
        values = np.ascontiguousarray(values[..., rng.permutation(3)])
    if rng.random() < 0.1:
        values = np.repeat(values.mean(axis=2, keepdims=True), 3, axis=2)
    if rng.random() < 0.15:
        _cover(rng, values)
    values = 255 * (values / 255) ** np.exp(rng.normal(0, 0.25))
    values *= np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.2))
    if rng.random() < 0.5:
        light = cv2.resize(
            rng.uniform(0.5, 1.3, (3, 3)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
        )
        values *= light[..., None]
    if rng.random() < 0.35:
        shade = np.zeros((height, width), np.float32)
        cv2.fillPoly(shade, [(rng.uniform(-0.3, 1.3, (4, 2)) * (width, height)).astype(np.int32)], 1.0)
        shade = cv2.GaussianBlur(shade, (0, 0), rng.uniform(0.4, 8))
        values *= 1 + (rng.uniform(-0.6, 0.5) * shade)[..., None]
    if rng.random() < 0.15:
        at, wide = rng.uniform(0, 1, 2) * (width, height), rng.uniform(4, 30)
        y, x = np.mgrid[0:height, 0:width]
        glare = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * wide**2))
        values += rng.uniform(60, 255) * glare[..., None]
    if rng.random() < 0.4:
        values = cv2.GaussianBlur(values, (0, 0), rng.uniform(0.3, 1.4))
    values += rng.normal(0, rng.uniform(0, 9), 1) * rng.standard_normal((height, width, 1), dtype=np.float32)
    seen = np.clip(values, 0, 255).astype(np.uint8)
    if rng.random() < 0.25:
        _, packed = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])
        seen = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8)
    return seen


def _cover(rng: Rng, values: npt.NDArray[np.float32]) -> None:
    """Draw an arm from the rim, or an ellipse anywhere."""
    skin = np.array([70, 110, 170]) * rng.uniform(0.4, 1.3) if rng.random() < 0.5 else rng.uniform(0, 255, 3)
    size = np.array(values.shape[1::-1])
    if rng.random() < 0.6:
        side = rng.choice([0.0, 1.0])
        start = np.array([rng.random(), side] if rng.random() < 0.7 else [side, rng.random()]) * size
        end = rng.uniform(0.2, 0.8, 2) * size
        ends = [tuple(int(v) for v in spot) for spot in (start, end)]
        cv2.line(values, ends[0], ends[1], skin.tolist(), int(rng.integers(6, 26)), cv2.LINE_AA)
    else:
        at = tuple(int(v) for v in rng.uniform(0, 1, 2) * size)
        axes = tuple(int(v) for v in rng.uniform(3, 26, 2))
        cv2.ellipse(values, at, axes, rng.uniform(0, 180), 0, 360, skin.tolist(), -1, cv2.LINE_AA)
