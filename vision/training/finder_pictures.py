"""Pictures of whole boards with the field's corners and the bar's edges, decoded once and kept in one file.

Rendered boards (vision/training/scenes) and drawn ones (vision/training/views.py).
"""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, GeometryError
from vision.training.views import draw_views

Image = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

KEPT_WH = (640, 480)
HELD_BACK = 25
"""One board in so many is held back."""


@dataclass(frozen=True, kw_only=True)
class BoardPictures:
    """pictures (N, 480, 640, 3), not read before they are used. sizes_wh (N, 2): how much of each is used,
    from the top left. points_px (N, 8, 2): corners and ends of the bar's edges, each clockwise from the top
    left, the bar upright. boards (N,): which board each shows."""

    pictures: Image
    sizes_wh: npt.NDArray[np.int64]
    points_px: Floats
    boards: npt.NDArray[np.int64]

    def held_back(self) -> npt.NDArray[np.bool_]:
        """(N,) which pictures are kept back from teaching."""
        held: npt.NDArray[np.bool_] = self.boards % HELD_BACK == 0
        return held


def rendered(folders: list[Path]) -> list[tuple[Image, Floats, int]]:
    """Picture, points and board of all that was rendered into these folders."""
    made = []
    for path in sorted(path for folder in folders for path in folder.glob("*/board.json")):
        for line in (path.parent / "labels.jsonl").read_text().splitlines():
            row = json.loads(line)
            image = cv2.imread(str(path.parent / row["file"]))
            if image is None:
                continue
            points = points_of(row, (image.shape[1], image.shape[0]))
            if points is not None:
                made.append((np.asarray(image, dtype=np.uint8), points, int(path.parent.name)))
    return made


def points_of(row: dict[str, object], image_wh: tuple[int, int]) -> Floats | None:
    """(8, 2) points from a line of `labels.jsonl`; None where the field does not lie in the picture."""
    lens, given, bar = row["lens"], row["corners_px"], row["bar"]
    assert isinstance(lens, dict)
    assert isinstance(given, list)
    assert isinstance(bar, list)
    one, two, three, four = ((float(x), float(y)) for x, y in given)
    try:
        view = BoardGeometry(
            corners_px=(one, two, three, four),
            image_wh=image_wh,
            bar=(float(bar[0]), float(bar[1])),
            distortion=float(lens["k1"]),
        )
    except GeometryError:
        return None
    ends = [(bar[0], 0), (bar[1], 0), (bar[1], 1), (bar[0], 1)]
    return np.concatenate([np.array(given, dtype=np.float64), view.to_px(ends)])


def drawn(count: int, seed: int) -> list[tuple[Image, Floats, int]]:
    """So many drawn boards, two views of each."""
    rng = np.random.default_rng(seed)
    return [(view.image_bgr, view.points_px, number) for number in range(count) for view in draw_views(rng)]


def keep(path: Path, made: list[tuple[Image, Floats, int]]) -> None:
    """Write them to `path`.npy and .npz."""
    width, height = KEPT_WH
    path.parent.mkdir(parents=True, exist_ok=True)
    pictures = np.lib.format.open_memmap(
        path.with_suffix(".npy"), mode="w+", dtype=np.uint8, shape=(len(made), height, width, 3)
    )
    sizes, points = [], []
    for number, (image, spots, _) in enumerate(made):
        scale = min(1.0, width / image.shape[1], height / image.shape[0])
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        pictures[number, : size[1], : size[0]] = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        sizes.append(size)
        points.append((spots + 0.5) * scale - 0.5)
    pictures.flush()
    np.savez(
        path.with_suffix(".npz"),
        sizes_wh=np.array(sizes),
        points_px=np.stack(points),
        boards=np.array([board for _, _, board in made]),
    )


def load(path: Path) -> BoardPictures:
    """What was kept."""
    with np.load(path.with_suffix(".npz")) as known:
        return BoardPictures(
            pictures=np.load(path.with_suffix(".npy"), mmap_mode="r"),
            sizes_wh=known["sizes_wh"],
            points_px=known["points_px"],
            boards=known["boards"],
        )
