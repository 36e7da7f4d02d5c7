"""The height at which a camera must stand over a board, and whether every point then gets enough pixels.

The model is a pinhole camera that looks at the middle of the board, from straight above or from beside it.
Lengths are in millimetres, angles in degrees. Lens distortion is left out, so keep a little margin.
"""

from dataclasses import dataclass
from math import hypot, radians, tan

import numpy as np
import numpy.typing as npt

ENOUGH_PX = 30.0
"""Least width of a checker in pixels. Smaller ones may be misread; recordings with 40 are read well."""
FREE_EDGE = 0.04
"""Margin at each edge as a share of the picture's width, for a stand that is not quite straight."""


@dataclass(frozen=True, kw_only=True)
class Lens:
    """A lens and its picture. across_deg: horizontal angle of view. size_wh: the picture's size in pixels."""

    name: str
    across_deg: float
    size_wh: tuple[int, int] = (1280, 720)

    @property
    def focal_px(self) -> float:
        """The focal length in pixels."""
        return self.size_wh[0] / 2 / tan(radians(self.across_deg) / 2)


LENSES = (
    Lens(name="Camera Module 3", across_deg=66.0),
    Lens(name="Camera Module 3 Wide", across_deg=102.0),
    Lens(name="Camera Module 2", across_deg=62.2),
    Lens(name="HQ Camera, 6 mm lens", across_deg=55.3),
    Lens(name="USB camera, 78 degrees diagonal", across_deg=70.4),
    Lens(name="USB camera, 90 degrees diagonal", across_deg=82.1),
)
"""Makers' figures for the full width of the sensor, which the 16:9 modes use. The HQ Camera's is computed
from its sensor (IMX477, 6.287 mm wide) and the lens, those of USB cameras from the diagonal angle printed on
the box."""


@dataclass(frozen=True, kw_only=True)
class Board:
    """The outer size of an open board, and the diameter of its checkers."""

    name: str
    width_mm: float
    depth_mm: float
    checker_mm: float


BOARDS = (
    Board(name="travel", width_mm=350, depth_mm=230, checker_mm=24),
    Board(name="club", width_mm=480, depth_mm=300, checker_mm=32),
    Board(name="tournament", width_mm=620, depth_mm=540, checker_mm=42),
)


@dataclass(frozen=True, kw_only=True)
class View:
    """What a camera sees of a board.

    fits: whether the whole board is in the picture, with a margin.
    least_px, most_px: the width of a checker in pixels where it appears smallest and largest, in the
        direction in which it appears smaller.
    """

    fits: bool
    least_px: float
    most_px: float

    @property
    def enough(self) -> bool:
        """Whether the board fits and every checker has at least ENOUGH_PX."""
        return self.fits and self.least_px >= ENOUGH_PX


def view(board: Board, lens: Lens, *, height_mm: float, beside_mm: float = 0.0) -> View:
    """The view from `height_mm` above the board and `beside_mm` from its middle, along its depth."""
    places = _grid(board, 7)
    px = _project(lens, places, height_mm, beside_mm)
    step = board.checker_mm / 2
    across = np.stack(
        [
            np.linalg.norm(
                _project(lens, places + offset, height_mm, beside_mm)
                - _project(lens, places - offset, height_mm, beside_mm),
                axis=1,
            )
            for offset in (np.array([step, 0.0]), np.array([0.0, step]))
        ]
    ).min(axis=0)
    width, height = lens.size_wh
    margin = FREE_EDGE * width
    fits = bool(
        (px >= margin).all() and (px[:, 0] <= width - margin).all() and (px[:, 1] <= height - margin).all()
    )
    return View(fits=fits, least_px=float(across.min()), most_px=float(across.max()))


def lowest_height_mm(board: Board, lens: Lens, *, tilt_deg: float = 0.0) -> float:
    """The least height at which the board fits, for a camera tilted by `tilt_deg` from the vertical."""
    low, high = 1.0, 10_000.0
    while high - low > 0.5:
        middle = (low + high) / 2
        beside = middle * tan(radians(tilt_deg))
        if view(board, lens, height_mm=middle, beside_mm=beside).fits:
            high = middle
        else:
            low = middle
    return high


def highest_height_mm(board: Board, lens: Lens) -> float:
    """The height above which checkers have fewer than ENOUGH_PX, for a camera straight above."""
    return lens.focal_px * board.checker_mm / ENOUGH_PX


def _grid(board: Board, n: int) -> npt.NDArray[np.float64]:
    """A grid of points (n * n, 2) over the board in millimetres, its middle at (0, 0)."""
    x = np.linspace(-board.width_mm / 2, board.width_mm / 2, n)
    y = np.linspace(-board.depth_mm / 2, board.depth_mm / 2, n)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def _project(
    lens: Lens, places_mm: npt.NDArray[np.float64], height_mm: float, beside_mm: float
) -> npt.NDArray[np.float64]:
    """The pixels (n, 2) of points on the board, seen from y = +beside_mm."""
    away = hypot(height_mm, beside_mm)
    down, back = height_mm / away, beside_mm / away
    x, y = places_mm[:, 0], places_mm[:, 1]
    depth = away - y * back
    right = lens.focal_px * x / depth
    below = lens.focal_px * y * down / depth
    return np.stack([right + lens.size_wh[0] / 2, below + lens.size_wh[1] / 2], axis=1)


def stand_table() -> str:
    """A Markdown table: the least and greatest height at which each lens sees a board well, and the least
    width of a checker in pixels at the least height."""
    rows = [
        "| lens, angle across the picture | "
        + " | ".join(f"{b.name}, {b.width_mm:.0f} x {b.depth_mm:.0f} mm" for b in BOARDS)
        + " |"
    ]
    rows.append("|---|" + "---|" * len(BOARDS))
    for lens in LENSES:
        cells = []
        for board in BOARDS:
            height_mm = lowest_height_mm(board, lens)
            px = view(board, lens, height_mm=height_mm).least_px
            most = highest_height_mm(board, lens)
            cells.append(f"{height_mm / 10:.0f} - {most / 10:.0f} cm, {px:.0f} px")
        rows.append(f"| {lens.name}: {lens.across_deg:.0f} degrees | " + " | ".join(cells) + " |")
    return "\n".join(rows)
