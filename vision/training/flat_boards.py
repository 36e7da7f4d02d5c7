"""Keeps labelled pictures of boards, flattened once, so that training decodes no JPEG.

A folder of boards holds, for each board, `board.json`, pictures, and `labels.jsonl` with one line a picture.
A flattened picture shows the field from straight above, with a margin.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.geometry import BoardGeometry, GeometryError
from vision.networks.strips import N_PLACES, leans

Image = npt.NDArray[np.uint8]

FLAT_WH = (464, 400)
MARGIN_X, MARGIN_Y = 0.09, 0.11
"""Margin kept around the field, as fractions of its width and height."""
LEAST_HAND = 0.008
"""A hand that covers at least this share of the field is over it; below, either answer is right."""
START = "start"
MOST_FACES = 40


def padded_faces(faces: npt.ArrayLike) -> npt.NDArray[np.float32]:
    """(N, 4) to (MOST_FACES, 4): filled up with nan, or cut off."""
    told = np.asarray(faces, dtype=np.float32).reshape(-1, 4)[:MOST_FACES]
    return np.concatenate([told, np.full((MOST_FACES - len(told), 4), np.nan, dtype=np.float32)])


@dataclass(frozen=True, kw_only=True)
class Labels:
    """The labels of one picture.

    counts: (26, 2) light and dark checkers. hidden: (26,) covered share of each place.
    hand, pad: 1, 0, or nan where either answer is right. lean: (26, 2), see `strips.leans`.
    faces: (MOST_FACES, 4) x, y of each visible top face in pixels of the flattened picture, its layer and its
    side (0 light, 1 dark); the rest is nan.
    """

    kind: str
    counts: npt.NDArray[np.int64]
    hidden: npt.NDArray[np.float32]
    hand: float
    pad: float
    lean: npt.NDArray[np.float32]
    faces: npt.NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class FlatBoard:
    """The kept pictures (N, H, W, 3) of one board, read from the file when used, and their labels."""

    name: str
    family: str
    bar: tuple[float, float]
    pictures: Image
    labels: tuple[Labels, ...]

    def starts(self) -> list[int]:
        """Numbers of the pictures of the start in which less than a tenth of each place is hidden."""
        return [
            n
            for n, shown in enumerate(self.labels)
            if shown.kind == START and shown.hidden.max(initial=0) < 0.1
        ]


def flatten(image_bgr: Image, view: BoardGeometry) -> Image:
    """(H, W, 3): the field from straight above, with its margin."""
    width, height = FLAT_WH
    x = (np.arange(width) + 0.5) / width * (1 + 2 * MARGIN_X) - MARGIN_X
    y = (np.arange(height) + 0.5) / height * (1 + 2 * MARGIN_Y) - MARGIN_Y
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    where = view.to_px(points).reshape(height, width, 2).astype(np.float32)
    map_x, map_y = cv2.split(where)
    seen = cv2.remap(image_bgr, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, dtype=np.uint8)


def flat_px(field_xy: npt.NDArray[np.float64]) -> npt.NDArray[np.float32]:
    """Convert (..., 2) field coordinates to pixels of a flattened picture."""
    margin, size = np.array([MARGIN_X, MARGIN_Y]), np.array(FLAT_WH)
    return np.asarray((field_xy + margin) / (1 + 2 * margin) * size - 0.5, dtype=np.float32)


def field_xy(pixels: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Convert (..., 2) pixels of a flattened picture to field coordinates."""
    margin, size = np.array([MARGIN_X, MARGIN_Y]), np.array(FLAT_WH)
    return np.asarray((pixels + 0.5) / size * (1 + 2 * margin) - margin)


def view_of(
    row: dict[str, Any], bar: tuple[float, float], image_wh: tuple[int, int], distortion: float = 0.0
) -> BoardGeometry:
    """The board's geometry in a picture, from its labels. Raises GeometryError."""
    one, two, three, four = ((float(x), float(y)) for x, y in row["corners_px"])
    left, right = row.get("bar") or bar
    return BoardGeometry(
        corners_px=(one, two, three, four),
        image_wh=image_wh,
        bar=(float(left), float(right)),
        distortion=distortion,
    )


def pictures_of(board: Path, *, bent: bool = False) -> Iterator[tuple[dict[str, Any], Image, BoardGeometry]]:
    """The pictures of a labelled board, each with its labels and its geometry.

    Those that cannot be read, or whose corners are not a board's, are left out. bent: with lens distortion.
    """
    bar = tuple(json.loads((board / "board.json").read_text()).get("bar") or (0.46, 0.54))
    for row in rows_of(board):
        image = cv2.imread(str(board / row["file"]))
        if image is None:
            continue
        distortion = float(row["lens"]["k1"]) if bent else 0.0
        try:
            view = view_of(row, (bar[0], bar[1]), (image.shape[1], image.shape[0]), distortion)
        except GeometryError:
            continue
        bar = view.bar
        yield row, np.asarray(image, dtype=np.uint8), view


def rows_of(board: Path) -> list[dict[str, Any]]:
    """The lines of a board's `labels.jsonl`."""
    return [json.loads(line) for line in (board / "labels.jsonl").read_text().splitlines() if line.strip()]


def labels_of(row: dict[str, Any], view: BoardGeometry) -> Labels:
    """The labels in a line of `labels.jsonl`."""
    share = float(row.get("hand_share") or 0.0)
    hand = 1.0 if share >= LEAST_HAND else float("nan") if row.get("hand") else 0.0
    hidden = [*row["hidden"], *row["bar_hidden"]]
    boxes = np.array(row.get("checker_boxes") or np.zeros((0, 6)), dtype=np.float64)
    there = flat_px(view.to_field(boxes[:, :2])) if len(boxes) else np.zeros((0, 2))
    return Labels(
        kind=row["kind"],
        counts=np.array([*row["places"], *row["bar_halves"]], dtype=np.int64).reshape(N_PLACES, 2),
        hidden=np.array(hidden, dtype=np.float32),
        hand=hand,
        pad=float(bool(row.get("pad"))),
        lean=leans(view),
        faces=padded_faces(np.concatenate([there, boxes[:, 4:]], axis=1)),
    )


def keep(board: Path, kept: Path) -> int:
    """Flatten a board's pictures into `kept`.npz and .npy, unless that is done. Returns their number."""
    many = len(rows_of(board))
    if kept.with_suffix(".npz").exists():
        with np.load(kept.with_suffix(".npz")) as known:
            if len(known["kind"]) + int(known["refused"]) == many:
                return len(known["kind"])
    flat, labels = [], []
    for row, image, view in pictures_of(board):
        bar = view.bar
        flat.append(flatten(image, view))
        labels.append(labels_of(row, view))
    if not flat:
        return 0
    family = str(json.loads((board / "board.json").read_text()).get("family", "?"))
    write_kept(kept, flat, labels, family=family, bar=bar, refused=many - len(flat))
    return len(flat)


def write_kept(
    kept: Path,
    flat: Sequence[Image],
    labels: Sequence[Labels],
    *,
    family: str,
    bar: tuple[float, float],
    refused: int = 0,
) -> None:
    """Write one board's flattened pictures and labels. refused: number of pictures that were unusable."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    np.save(kept.with_suffix(".npy"), np.stack(flat))
    np.savez(
        kept.with_suffix(".npz"),
        family=family,
        bar=np.array(bar),
        refused=refused,
        kind=np.array([shown.kind for shown in labels]),
        counts=np.stack([shown.counts for shown in labels]),
        hidden=np.stack([shown.hidden for shown in labels]),
        flags=np.array([(shown.hand, shown.pad) for shown in labels]),
        lean=np.stack([shown.lean for shown in labels]),
        faces=np.stack([shown.faces for shown in labels]),
    )


def load(kept: Path) -> FlatBoard:
    """Load a kept board. kept: path without the ending."""
    with np.load(kept.with_suffix(".npz")) as known:
        parts = (known[name] for name in ("kind", "counts", "hidden", "flags", "lean", "faces"))
        labels = tuple(
            Labels(
                kind=str(kind),
                counts=counts,
                hidden=hidden,
                hand=float(hand),
                pad=float(pad),
                lean=lean,
                faces=faces,
            )
            for kind, counts, hidden, (hand, pad), lean, faces in zip(*parts, strict=True)
        )
        family, bar = str(known["family"]), (float(known["bar"][0]), float(known["bar"][1]))
    pictures = np.load(kept.with_suffix(".npy"), mmap_mode="r")
    return FlatBoard(name=kept.name, family=family, bar=bar, pictures=pictures, labels=labels)


def keep_all(data: Path, cache: Path) -> list[Path]:
    """Flatten every finished board of a folder. Returns their kept names."""
    kept = []
    for board in sorted(path.parent for path in data.glob("*/board.json")):
        name = cache / f"{data.name}-{board.name}"
        if (board / "labels.jsonl").exists() and keep(board, name):
            kept.append(name)
    return kept
