"""Keeps pictures of whole boards, decoded once, with the field's corners, the bar's edges and the row spots.

The boards are rendered (vision/training/scenes) or drawn (vision/training/views.py).
"""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import UNIT_SQUARE, BoardGeometry, GeometryError
from vision.networks.row_network import row_spots
from vision.training.views import draw_views

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


@dataclass(frozen=True, kw_only=True)
class BoardPicture:
    """One picture: image_bgr (h, w, 3), points_px (8, 2), rows_px (2, 28, 2) and the board's number."""

    image_bgr: Image
    points_px: Floats
    rows_px: Floats
    board: int

    def reduced(self) -> "BoardPicture":
        """The same picture, reduced to KEPT_WH where it is larger."""
        high, wide = self.image_bgr.shape[:2]
        scale = min(1.0, KEPT_WH[0] / wide, KEPT_WH[1] / high)
        size = round(wide * scale), round(high * scale)
        image = cv2.resize(self.image_bgr, size, interpolation=cv2.INTER_AREA)
        return BoardPicture(
            image_bgr=np.asarray(image, dtype=np.uint8),
            points_px=(self.points_px + 0.5) * scale - 0.5,
            rows_px=(self.rows_px + 0.5) * scale - 0.5,
            board=self.board,
        )


def rendered(folders: list[Path]) -> list[BoardPicture]:
    """The pictures of all boards that were rendered into these folders."""
    made = []
    for path in sorted(path for folder in folders for path in folder.glob("*/board.json")):
        board = json.loads(path.read_text())
        for line in (path.parent / "labels.jsonl").read_text().splitlines():
            row = json.loads(line)
            image = cv2.imread(str(path.parent / row["file"]))
            view = None if image is None else _view_of(row, (image.shape[1], image.shape[0]))
            if image is None or view is None:
                continue
            left, right = view.bar
            ends = [(left, 0), (right, 0), (right, 1), (left, 1)]
            made.append(
                BoardPicture(
                    image_bgr=np.asarray(image, dtype=np.uint8),
                    points_px=view.to_px(np.concatenate([UNIT_SQUARE, ends])),
                    rows_px=np.stack(
                        [
                            view.to_px(row_spots(view.bar, board["point_length"], bottom))
                            for bottom in (False, True)
                        ]
                    ),
                    board=int(path.parent.name),
                ).reduced()
            )
    return made


def _view_of(row: dict[str, object], image_wh: tuple[int, int]) -> BoardGeometry | None:
    """The board's geometry from a line of `labels.jsonl`; None where `BoardGeometry` refuses it."""
    lens, given, bar = row["lens"], row["corners_px"], row["bar"]
    assert isinstance(lens, dict)
    assert isinstance(given, list)
    assert isinstance(bar, list)
    one, two, three, four = ((float(x), float(y)) for x, y in given)
    try:
        return BoardGeometry(
            corners_px=(one, two, three, four),
            image_wh=image_wh,
            bar=(float(bar[0]), float(bar[1])),
            distortion=float(lens["k1"]),
        )
    except GeometryError:
        return None


def drawn(count: int, seed: int) -> list[BoardPicture]:
    """Draw `count` boards, two views of each."""
    rng = np.random.default_rng(seed)
    return [
        BoardPicture(image_bgr=view.image_bgr, points_px=view.points_px, rows_px=view.rows_px, board=number)
        for number in range(count)
        for view in draw_views(rng)
    ]


def keep(path: Path, made: list[BoardPicture]) -> None:
    """Write pictures to `path`.npy and their labels to .npz."""
    width, height = KEPT_WH
    path.parent.mkdir(parents=True, exist_ok=True)
    pictures = np.lib.format.open_memmap(
        path.with_suffix(".npy"), mode="w+", dtype=np.uint8, shape=(len(made), height, width, 3)
    )
    for number, one in enumerate(made):
        high, wide = one.image_bgr.shape[:2]
        pictures[number, :high, :wide] = one.image_bgr
    pictures.flush()
    np.savez(
        path.with_suffix(".npz"),
        sizes_wh=np.array([one.image_bgr.shape[1::-1] for one in made]),
        points_px=np.stack([one.points_px for one in made]),
        rows_px=np.stack([one.rows_px for one in made]),
        boards=np.array([one.board for one in made]),
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
