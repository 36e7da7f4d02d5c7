"""Finds the board by itself in a picture of the start position or of the empty board.

Where corners of a field seem to be is seen in the whole picture at several sizes; fours of them that could be
one field are set upright and looked at closely. The four whose corners and bar then look best is the board.
"""

from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.faults import picture_fault
from vision.geometry import BoardGeometry, Corners, GeometryError
from vision.network import MAP_STEP_PX, look

Image = npt.NDArray[np.uint8]
FloatArray = npt.NDArray[np.float64]
Maps = npt.NDArray[np.float32]
Peak = tuple[float, float, float]
"""x, y in pixels and height."""

PITCH_PX = 16
"""Width of a point in the pictures that the network was taught with."""
CLOSE_PX = 64
"""Side of the surroundings of a corner that are looked at closely."""
PICTURE_WIDTHS_PX = (210, 270, 345)
"""Longer side of the whole picture when looked at; a field fills between a half and all of it."""
CANDIDATES = 6
"""Places considered for each corner."""
GUESSES, FOURS, FINALISTS = 250, 8, 3
"""Fours of corners whose points are looked for, that are looked at closely once, and time and again."""
BAR_SLACK_PITCHES = 0.7
"""How far a bar's end may lie from its usual place when corners are rough."""
RIM_PX = 24
"""Added all round, as corners may lie at the picture's edge."""
STRIP = slice(round(2.0 * PITCH_PX), round(3.0 * PITCH_PX))
"""Rows of an upright half, from the base, where the points are about half as wide as at the base."""
RHYTHMIC = 0.4
"""The correlation with the columns from which on a board is as good as any."""
ASKEW_PITCHES = 0.3
"""How far the bar's ends may lie beside where the corners put them."""
CLOSE_LOOKS = 3
FAINTEST = 0.02
APART_PITCHES = 0.6
USUAL_BAR_PITCHES = 0.85
USUAL_HEIGHT_PITCHES = 11.0
NARROWEST, WIDEST = 0.75, 2.2
"""Width over height that a field may have in a picture."""
SMALLEST_SHARE = 0.12
"""Of the picture's area that a field must fill."""
LEAST_CONFIDENCE, LEAST_TENTATIVE = 0.3, 0.01
"""To say where the board is, and to look there for what hides it."""
FAINTEST_RHYTHM = 0.08
"""Correlation with the columns below which there are no points."""
NOT_FOUND = "no board was found in the picture; show all of it in the start position, or give its corners"


@dataclass(frozen=True, kw_only=True)
class FoundBoard:
    """A board found in a picture, and how surely (0 to 1)."""

    geometry: BoardGeometry
    confidence: float


class BoardNotFound(ValueError):
    """No board is to be made out in the picture; the message says why and what to do.

    tentative: where a board might be after all, or None.
    """

    def __init__(self, message: str, tentative: BoardGeometry | None = None) -> None:
        super().__init__(message)
        self.tentative = tentative


@dataclass(frozen=True, kw_only=True)
class _Sight:
    """Field corners and bar ends (4, 2) in pixels, and how well they look (0 to 1)."""

    corners_px: FloatArray
    bar_px: FloatArray
    confidence: float


def find_board(image_bgr: Image) -> FoundBoard:
    """The field's corners and bar in a picture (h, w, 3) of the start position or of the empty board.

    The corners are named as the picture shows them, bar upright; where the bar runs across the picture, TL is
    the corner at the bottom left. Raises BoardNotFound.
    """
    fault = picture_fault(image_bgr)
    if fault:
        raise BoardNotFound(fault)
    turned = np.asarray(cv2.rotate(image_bgr, cv2.ROTATE_90_CLOCKWISE), dtype=np.uint8)
    upright, lying = _best_sight(image_bgr), _best_sight(turned)
    sights = [sight for sight in (upright, lying) if sight]
    best = max(sights, key=lambda sight: sight.confidence, default=None)
    if best is None:
        raise BoardNotFound(NOT_FOUND)
    corners, bar = best.corners_px, best.bar_px
    if best is lying:
        corners, bar = (_turned_back(points, image_bgr.shape[0]) for points in (corners, bar))
    found = _found(corners, bar, best.confidence, (image_bgr.shape[1], image_bgr.shape[0]))
    if found.confidence < LEAST_CONFIDENCE:
        tentative = found.geometry if found.confidence > LEAST_TENTATIVE else None
        raise BoardNotFound(NOT_FOUND, tentative)
    return found


def has_points(image_bgr: Image, geometry: BoardGeometry) -> bool:
    """Whether anything like 24 points lies between the corners of a geometry."""
    corners = np.array(geometry.corners_px, dtype=np.float64)
    rhythms = []
    for left, right in (geometry.bar, (0.5, 0.5)):
        bar = geometry.to_px([(left, 0), (right, 0), (right, 1), (left, 1)])
        rhythms.append(_rhythm(image_bgr, corners, bar))
    return max(rhythms) > FAINTEST_RHYTHM


def _found(corners: FloatArray, bar: FloatArray, confidence: float, size_wh: tuple[int, int]) -> FoundBoard:
    try:
        plain = BoardGeometry(corners_px=_as_corners(corners), image_wh=size_wh)
        ends = plain.to_field(bar)[:, 0]
        edges = float(np.clip(ends[[0, 3]].mean(), 0.4, 0.5)), float(np.clip(ends[[1, 2]].mean(), 0.5, 0.6))
        geometry = BoardGeometry(corners_px=_as_corners(corners), image_wh=size_wh, bar=edges)
    except GeometryError as problem:
        raise BoardNotFound(f"no board was found: {problem}") from problem
    return FoundBoard(geometry=geometry, confidence=confidence)


def _as_corners(points: FloatArray) -> Corners:
    one, two, three, four = ((float(x), float(y)) for x, y in points)
    return one, two, three, four


def _turned_back(points: FloatArray, height: int) -> FloatArray:
    """Pixels of the picture turned clockwise, as pixels of the picture of that height itself."""
    return np.column_stack([points[:, 1], height - 1 - points[:, 0]])


def _best_sight(image_bgr: Image) -> _Sight | None:
    """The best of the fours of corners, looked at closely."""
    first = [_closely(image_bgr, corners, looks=1) for corners in _likely_fours(image_bgr)]
    first.sort(key=lambda sight: -sight.confidence)
    sights = [_closely(image_bgr, sight.corners_px, looks=CLOSE_LOOKS) for sight in first[:FINALISTS]]
    return max(sights, key=lambda sight: sight.confidence, default=None)


def _likely_fours(image_bgr: Image) -> list[FloatArray]:
    """Fours of corners (4, 2) in pixels that could be one field's, likeliest first."""
    height, width = image_bgr.shape[:2]
    seen = [_seen_peaks(image_bgr, which) for which in range(4)]
    ends = [np.array(bar).reshape(-1, 3) for _, bar in seen]
    fours = []
    for four in product(*(corners for corners, _ in seen)):
        points = np.array([(x, y) for x, y, _ in four])
        if _could_be_a_field(points, width * height):
            heights = np.prod([h for _, _, h in four]) * _bar_support(points, ends)
            fours.append((float(heights), points))
    fours.sort(key=lambda four: -four[0])
    ranked = [
        (heights**0.5 * _usual_rhythm(image_bgr, points), points) for heights, points in fours[:GUESSES]
    ]
    ranked.sort(key=lambda four: -four[0])
    return [points for _, points in ranked[:FOURS]]


def _usual_rhythm(image_bgr: Image, corners_px: FloatArray) -> float:
    """The rhythm of the points when the bar is as wide as usual, or when there is none."""
    back = np.linalg.inv(_upright(corners_px))
    best = 0.02
    for width in (USUAL_BAR_PITCHES * PITCH_PX, 0.0):
        ends = _goal()
        ends[:, 0] = ends[1, 0] / 2 + np.array([-0.5, 0.5, 0.5, -0.5]) * width
        bar_px = cv2.perspectiveTransform(ends[None], back)[0]
        best = max(best, _rhythm(image_bgr, corners_px, np.asarray(bar_px, dtype=np.float64)))
    return best


def _bar_support(corners_px: FloatArray, ends: list[FloatArray]) -> float:
    """How well peaks of bar ends (N, 3) lie in the middle of the field that four corners would make."""
    upright = _upright(corners_px)
    support = 1.0
    for which, peaks in enumerate(ends):
        best = 0.0
        if len(peaks):
            at = cv2.perspectiveTransform(peaks[None, :, :2], upright)[0] / PITCH_PX
            middle = (12 + USUAL_BAR_PITCHES) / 2 + (-1 if which in (0, 3) else 1) * USUAL_BAR_PITCHES / 2
            off = at - (middle, 0 if which < 2 else USUAL_HEIGHT_PITCHES)
            best = float((peaks[:, 2] * np.exp(-((off / BAR_SLACK_PITCHES) ** 2).sum(axis=1) / 2)).max())
        support *= 0.02 + best
    return support


def _upright(corners_px: FloatArray) -> FloatArray:
    """(3, 3): pixels to the upright field, `PITCH_PX` pixels a point."""
    view = cv2.getPerspectiveTransform(corners_px.astype(np.float32), _goal().astype(np.float32))
    return np.asarray(view, dtype=np.float64)


def _goal() -> FloatArray:
    """The corners of the upright field."""
    wide, high = (12 + USUAL_BAR_PITCHES) * PITCH_PX, USUAL_HEIGHT_PITCHES * PITCH_PX
    return np.array([(0, 0), (wide, 0), (wide, high), (0, high)], dtype=np.float64)


def _seen_peaks(image_bgr: Image, which: int) -> tuple[list[Peak], list[Peak]]:
    """Where the corner and the bar's end of one quarter (0 to 3: top left, top right, bottom right, bottom
    left) seem to be in the picture, at any of several sizes."""
    height, width = image_bgr.shape[:2]
    found: tuple[list[Peak], list[Peak]] = [], []
    for longest in PICTURE_WIDTHS_PX:
        scale = longest / max(height, width)
        size = (round(width * scale), round(height * scale))
        small = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA)
        edged = cv2.copyMakeBorder(small, RIM_PX, RIM_PX, RIM_PX, RIM_PX, cv2.BORDER_REPLICATE)
        maps = look(_mirrored(np.asarray(edged, dtype=np.uint8), which), "corners")
        for answer, peaks in enumerate(found):
            for x, y, h in _peaks(maps[..., answer]):
                x = edged.shape[1] - 1 - x if which in (1, 2) else x
                y = edged.shape[0] - 1 - y if which in (2, 3) else y
                peaks.append(((x - RIM_PX + 0.5) / scale - 0.5, (y - RIM_PX + 0.5) / scale - 0.5, h))
    apart = APART_PITCHES * PITCH_PX * max(height, width) / PICTURE_WIDTHS_PX[-1]
    return _distinct(found[0], apart), _distinct(found[1], apart)


def _distinct(peaks: list[Peak], apart_px: float) -> list[Peak]:
    """The highest peaks that are not the same one seen at another size."""
    kept: list[Peak] = []
    for x, y, h in sorted(peaks, key=lambda peak: -peak[2]):
        if h > FAINTEST and all(np.hypot(x - a, y - b) > apart_px for a, b, _ in kept):
            kept.append((x, y, h))
    return kept[:CANDIDATES]


def _mirrored(picture: Image, corner: int) -> Image:
    """The picture so that a corner of that name becomes a top left one, the only ones the network knows."""
    across, down = -1 if corner in (1, 2) else 1, -1 if corner in (2, 3) else 1
    return np.ascontiguousarray(picture[::down, ::across])


def _could_be_a_field(points: FloatArray, picture_area: float) -> bool:
    sides = np.roll(points, -1, axis=0) - points
    following = np.roll(sides, -1, axis=0)
    if not (sides[:, 0] * following[:, 1] - sides[:, 1] * following[:, 0] > 0).all():
        return False
    if cv2.contourArea(points.astype(np.float32)) < SMALLEST_SHARE * picture_area:
        return False
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    ratio = (lengths[0] + lengths[2]) / (lengths[1] + lengths[3])
    return bool(NARROWEST < ratio < WIDEST and sides[0, 0] > 0 > sides[2, 0])


def _closely(image_bgr: Image, corners_px: FloatArray, looks: int) -> _Sight:
    """Each corner and bar end looked at, time and again, in a fine upright picture of its surroundings."""
    middle = (corners_px[[0, 0, 3, 3]] + corners_px[[1, 1, 2, 2]]) / 2
    sight = _Sight(corners_px=corners_px, bar_px=middle, confidence=0.0)
    for look_number in range(looks):
        if not _could_be_a_field(sight.corners_px, 1.0):
            break
        sight = _close_look(image_bgr, sight, bar_known=look_number > 0)
    return sight


def _close_look(image_bgr: Image, sight: _Sight, bar_known: bool) -> _Sight:
    wide, high = (12 + USUAL_BAR_PITCHES) * PITCH_PX, USUAL_HEIGHT_PITCHES * PITCH_PX
    goal, upright = _goal(), _upright(sight.corners_px)
    ends = goal.copy()
    ends[:, 0] = (wide + np.array([-1, 1, 1, -1]) * USUAL_BAR_PITCHES * PITCH_PX) / 2
    if bar_known:
        seen = cv2.perspectiveTransform(sight.bar_px[None], upright)[0]
        ends[:, 0] = np.clip(seen[:, 0], 0.4 * wide, 0.6 * wide)
    corners = [_close_peak(image_bgr, upright, goal[i], i, answer=0) for i in range(4)]
    bar = [_close_peak(image_bgr, upright, ends[i], i, answer=1) for i in range(4)]
    back = np.linalg.inv(upright)
    heights = [h for _, _, h in corners + bar]
    corners_px, bar_px = (
        cv2.perspectiveTransform(np.array([[(x, y) for x, y, _ in peaks]]), back)[0]
        for peaks in (corners, bar)
    )
    looks = float(np.exp(np.mean(np.log(np.maximum(heights, 1e-4)))))
    rhythm = 0.0
    if _could_be_a_field(corners_px, 1.0):
        rhythm = max(_rhythm(image_bgr, corners_px, bar_px), _usual_rhythm(image_bgr, corners_px))
    return _Sight(
        corners_px=corners_px,
        bar_px=bar_px,
        confidence=looks * (1 + _symmetry(bar, wide, high)) / 2 * min(rhythm / RHYTHMIC, 1.0),
    )


def _rhythm(image_bgr: Image, corners_px: FloatArray, bar_px: FloatArray) -> float:
    """How well points stand where six columns left and six right of the bar should have them, -1 to 1.

    Halfway up the points, colours differ from the cloth's in the middle of a column and not between columns.
    The worse half of the board counts.
    """
    top_left, top_right, bottom_right, bottom_left = corners_px
    left = np.array([top_left, bar_px[0], bar_px[3], bottom_left])
    right = np.array([bar_px[1], top_right, bottom_right, bar_px[2]])
    return min(_half_rhythm(image_bgr, left), _half_rhythm(image_bgr, right))


def _half_rhythm(image_bgr: Image, quad_px: FloatArray) -> float:
    """The mean correlation of the top and the bottom points of half a board with its six columns."""
    wide, high = 6 * PITCH_PX, round(USUAL_HEIGHT_PITCHES * PITCH_PX)
    goal = np.array([(0, 0), (wide, 0), (wide, high), (0, high)]) - 0.5
    view = cv2.getPerspectiveTransform(quad_px.astype(np.float32), goal.astype(np.float32))
    half = cv2.warpPerspective(image_bgr, view, (wide, high)).astype(np.float32)
    return (_beat(half[STRIP]) + _beat(half[::-1][STRIP])) / 2


def _beat(strip: Maps) -> float:
    """The correlation (-1 to 1) of a strip's (h, 6 pitches, 3) unlikeness to the cloth with its columns."""
    profile = np.median(strip, axis=0)
    x = (np.arange(len(profile)) + 0.5) / PITCH_PX
    cloth = np.median(profile[np.abs(x - np.round(x)) < 0.1], axis=0)
    unlike = np.linalg.norm(profile - cloth, axis=1)
    wave = -np.cos(2 * np.pi * x)
    spread = float(unlike.std())
    return float(np.mean((unlike - unlike.mean()) * wave) / (spread * wave.std())) if spread > 1 else 0.0


def _symmetry(bar: list[Peak], wide: float, high: float) -> float:
    """1 when the bar stands upright in the middle of the field from edge to edge, down to 0.

    That ties the corners together: one of the frame's among three of the field's bends the picture.
    """
    x, y = np.array([(x, y) for x, y, _ in bar]).T
    beside = [(x[0] + x[1] - wide) / 2, (x[2] + x[3] - wide) / 2, (x[0] - x[3]) / 2, (x[1] - x[2]) / 2]
    beyond = [y[0], y[1], y[2] - high, y[3] - high]
    off = np.array([*beside, *beyond]) / (ASKEW_PITCHES * PITCH_PX)
    return float(np.exp(-np.mean(np.minimum(off**2, 9.0)) / 2))


def _close_peak(image_bgr: Image, upright: FloatArray, about: FloatArray, corner: int, answer: int) -> Peak:
    """The peak near a point of the upright field, in pixels of that."""
    flips = np.array([-1.0 if corner in (1, 2) else 1.0, -1.0 if corner in (2, 3) else 1.0])
    middle = (CLOSE_PX - 1) / 2
    shift = middle - flips * about
    onto = np.array([[flips[0], 0, shift[0]], [0, flips[1], shift[1]], [0, 0, 1]])
    seen = look(_finely(image_bgr, onto @ upright), "corners")[..., answer]
    x, y, height = _peaks(seen)[0]
    return float(about[0] + flips[0] * (x - middle)), float(about[1] + flips[1] * (y - middle)), height


def _finely(image_bgr: Image, view: FloatArray) -> Image:
    """A corner's surroundings through a view (3, 3), each pixel the mean of nine: no aliasing."""
    fine = np.array([[3, 0, 1], [0, 3, 1], [0, 0, 1.0]]) @ view
    size = (CLOSE_PX * 3, CLOSE_PX * 3)
    tripled = cv2.warpPerspective(
        image_bgr, fine, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(cv2.resize(tripled, (CLOSE_PX, CLOSE_PX), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _peaks(heat: Maps) -> list[Peak]:
    """The highest peaks of a map, in pixels of the picture looked at."""
    summit = heat == cv2.dilate(heat, np.ones((5, 5), np.uint8))
    rows, columns = np.nonzero(summit)
    highest = np.argsort(-heat[rows, columns])[:CANDIDATES]
    return [
        (*_summit(heat, int(rows[i]), int(columns[i])), float(heat[rows[i], columns[i]])) for i in highest
    ]


def _summit(heat: Maps, row: int, column: int) -> tuple[float, float]:
    """The middle of a peak, the centre of gravity of its surroundings, in pixels of the picture looked at."""
    top, left = max(0, row - 2), max(0, column - 2)
    patch = heat[top : row + 3, left : column + 3].astype(np.float64) ** 2
    ys, xs = np.mgrid[0 : patch.shape[0], 0 : patch.shape[1]]
    y, x = (float((v * patch).sum() / patch.sum()) for v in (ys, xs))
    middle = (MAP_STEP_PX - 1) / 2
    return (left + x) * MAP_STEP_PX + middle, (top + y) * MAP_STEP_PX + middle
