"""Keeps pictures of whole boards, decoded once, with the field's corners, the bar's edges and the row spots.

The boards are rendered (vision/training/scenes) or drawn (vision/training/views.py).
"""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import UNIT_SQUARE
from vision.networks.row_network import row_spots
from vision.training.flat_boards import pictures_of
from vision.training.views import BoardView, draw_views

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

KEPT_WH = (640, 480)
HELD_BACK = 25
"""One board in so many is held back."""


@dataclass(frozen=True, kw_only=True)
class BoardPictures:
    """pictures (N, 480, 640, 3), read from the file when used. sizes_wh (N, 2): used part of each, from
    the top left. points_px (N, 8, 2): corners, then ends of the bar's edges, each clockwise from the top
    left of the board with its bar upright. rows_px (N, 2, 28, 2): the spots of the top and of the bottom row,
    as `row_spots` lists them. boards (N,): the number of the board that each shows."""

    pictures: Image
    sizes_wh: npt.NDArray[np.int64]
    points_px: Floats
    rows_px: Floats
    boards: npt.NDArray[np.int64]

    def held_back(self) -> npt.NDArray[np.bool_]:
        """(N,) which pictures are held back from training."""
        held: npt.NDArray[np.bool_] = self.boards % HELD_BACK == 0
        return held


def picked(
    rng: np.random.Generator, sources: list[BoardPictures], held: bool, rendered_share: float
) -> tuple[BoardPictures, int]:
    """A random picture: its source and its number there. held: of the boards held back, or of the others.

    rendered_share: share of the first source, if there are two.
    """
    source = sources[int(rng.random() > rendered_share and len(sources) > 1)]
    return source, int(rng.choice(np.flatnonzero(source.held_back() == held)))


def _reduced(view: BoardView) -> BoardView:
    """The same picture, reduced to KEPT_WH where it is larger."""
    high, wide = view.image_bgr.shape[:2]
    scale = min(1.0, KEPT_WH[0] / wide, KEPT_WH[1] / high)
    size = round(wide * scale), round(high * scale)
    return BoardView(
        image_bgr=np.asarray(cv2.resize(view.image_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8),
        points_px=(view.points_px + 0.5) * scale - 0.5,
        rows_px=(view.rows_px + 0.5) * scale - 0.5,
    )


def rendered(folders: list[Path]) -> list[tuple[int, BoardView]]:
    """The pictures of all boards that were rendered into these folders, with the numbers of the boards."""
    made = []
    for path in sorted(path for folder in folders for path in folder.glob("*/board.json")):
        length = json.loads(path.read_text())["point_length"]
        for _, image, view in pictures_of(path.parent, bent=True):
            left, right = view.bar
            ends = [(left, 0), (right, 0), (right, 1), (left, 1)]
            rows = [view.to_px(row_spots(view.bar, length, bottom)) for bottom in (False, True)]
            points_px = view.to_px(np.concatenate([UNIT_SQUARE, ends]))
            seen = BoardView(image_bgr=image, points_px=points_px, rows_px=np.stack(rows))
            made.append((int(path.parent.name), _reduced(seen)))
    return made


def drawn(count: int, seed: int) -> list[tuple[int, BoardView]]:
    """Draw `count` boards, two views of each, with the numbers of the boards."""
    rng = np.random.default_rng(seed)
    return [(number, view) for number in range(count) for view in draw_views(rng)]


def keep(path: Path, made: list[tuple[int, BoardView]]) -> None:
    """Write pictures to `path`.npy and their labels to .npz."""
    width, height = KEPT_WH
    path.parent.mkdir(parents=True, exist_ok=True)
    pictures = np.lib.format.open_memmap(
        path.with_suffix(".npy"), mode="w+", dtype=np.uint8, shape=(len(made), height, width, 3)
    )
    for number, (_, one) in enumerate(made):
        high, wide = one.image_bgr.shape[:2]
        pictures[number, :high, :wide] = one.image_bgr
    pictures.flush()
    np.savez(
        path.with_suffix(".npz"),
        sizes_wh=np.array([one.image_bgr.shape[1::-1] for _, one in made]),
        points_px=np.stack([one.points_px for _, one in made]),
        rows_px=np.stack([one.rows_px for _, one in made]),
        boards=np.array([board for board, _ in made]),
    )


def load(path: Path) -> BoardPictures:
    """The pictures that `keep` wrote."""
    with np.load(path.with_suffix(".npz")) as known:
        return BoardPictures(
            pictures=np.load(path.with_suffix(".npy"), mmap_mode="r"),
            sizes_wh=known["sizes_wh"],
            points_px=known["points_px"],
            rows_px=known["rows_px"],
            boards=known["boards"],
        )


def sources_in(cache: Path, folders: list[Path], n_drawn: int, seed: int) -> list[BoardPictures]:
    """The pictures kept in a cache: of rendered boards, if there are any, then of drawn ones.

    What is not kept yet is made first: of the rendered boards in these folders, and of `n_drawn` drawn ones.
    """
    if folders and not (cache / "rendered.npz").exists():
        keep(cache / "rendered", rendered(folders))
    if not (cache / "drawn.npz").exists():
        keep(cache / "drawn", drawn(n_drawn, seed))
    return [load(cache / name) for name in ("rendered", "drawn") if (cache / f"{name}.npz").exists()]
