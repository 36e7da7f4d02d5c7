"""How exactly the field's corners and the bar's edges are found with nothing given, from either end.

The data folder may hold `recordings`, each with recording.toml and labels.jsonl; `photos` with labels.json
and negatives.json; and `rendered` boards, each with board.json and labels.jsonl.
"""

import json
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.geometry import BoardGeometry, FloatArray, Image
from vision.locate.board_finder import BoardNotFound, find_board
from vision.photo.photo_reader import read_photo

NEAR = 0.01
"""Error in field widths up to which the corners count as near."""
CUT_SHARES = (0.1, 0.2, 0.5)
"""Shares of the field's width or height that are cut off photographs."""
MOST_FRAMES, MOST_PICTURES = 12, 3
"""Most pictures that are read of each recording, and of each rendered board."""
Shown = tuple[Image, FloatArray, tuple[float, float] | None]


def run(data: Path | None) -> None:
    if data is None:
        print("needs --data")
        return
    for folder in sorted(path.parent for path in data.glob("recordings/*/recording.toml")):
        print_row(folder.name, _recording(folder))
    if (data / "photos").exists():
        print_row("photographs", _photographs(data / "photos"), each=True)
        _print_negatives(data / "photos")
        _print_cut(data / "photos")
    by_family: dict[str, list[Path]] = {}
    for path in sorted(data.glob("rendered/*/board.json")):
        by_family.setdefault(str(json.loads(path.read_text())["family"]), []).append(path.parent)
    for family, folders in sorted(by_family.items()):
        print_row(family, (shown for folder in folders for shown in _rendered(folder)))


def print_row(name: str, shown: Iterator[Shown], *, each: bool = False) -> None:
    """Print one line: how many boards are found, how many of these within `NEAR`, errors and time."""
    off, bar_off, seconds, total = [], [], [], 0
    for image, corners, bar in shown:
        total += 1
        began = time.perf_counter()
        try:
            found = find_board(image)
        except BoardNotFound as problem:
            if each:
                print(f"   {problem}")
            continue
        finally:
            seconds.append(time.perf_counter() - began)
        wide = np.linalg.norm(corners[[1, 2]] - corners[[0, 3]], axis=1).mean()
        ends = (found.geometry, found.geometry.turned())
        away, seen = min(((_away(end, corners), end) for end in ends), key=lambda one: one[0])
        off.append(away / wide)
        if bar:
            bar_off.append(float(np.abs(np.array(seen.bar) - bar).max()))
        if each:
            print(f"   {100 * off[-1]:6.2f} % off, {found.confidence:.2f} sure")
    near = sum(error <= NEAR for error in off)
    told = f"{name:26s} found {len(off):3d}/{total:3d}, within 1 % {near:3d}"
    if off:
        told += f", off {100 * np.median(off):.2f} % (median) {100 * max(off):.2f} % (most)"
    if bar_off:
        told += f", bar {100 * np.median(bar_off):.2f} %"
    print(f"{told}, {np.median(seconds):.2f} s" if seconds else told, flush=True)


def _away(found: BoardGeometry, corners: FloatArray) -> float:
    """How far the worst corner is off, in pixels."""
    return float(np.linalg.norm(np.array(found.corners_px) - corners, axis=1).max())


def _recording(folder: Path) -> Iterator[Shown]:
    """Frames without a hand, spread over the recording."""
    board = tomllib.loads((folder / "recording.toml").read_text())["board"]
    rows = [json.loads(line) for line in (folder / "labels.jsonl").read_text().splitlines()]
    clear = [row for row in rows if not row.get("hand")]
    for row in clear[:: max(1, len(clear) // MOST_FRAMES)][:MOST_FRAMES]:
        image = cv2.imread(str(folder / "frames" / f"{row['t_ms']:010d}.jpg"))
        if image is not None:
            yield (
                np.asarray(image, np.uint8),
                np.array(row.get("corners_px") or board["corners_px"]),
                board["bar"],
            )


def _photographs(folder: Path) -> Iterator[Shown]:
    for label in json.loads((folder / "labels.json").read_text()):
        image = np.asarray(cv2.imread(str(folder / label["file"])), dtype=np.uint8)
        print(f"{label['file']:28s}", end="")
        yield image, np.array(label["corners"], dtype=np.float64), label["bar_frac"]


def _print_negatives(folder: Path) -> None:
    for label in json.loads((folder / "negatives.json").read_text()):
        try:
            found = find_board(np.asarray(cv2.imread(str(folder / label["file"])), dtype=np.uint8))
            said = f"found, {found.confidence:.2f} sure"
        except BoardNotFound as problem:
            said = str(problem)
        print(f"{label['file']:28s} {label['reason']:18s} {said}")


def _print_cut(folder: Path) -> None:
    """Print how many photographs are read although one side of the board is cut off."""
    labels = json.loads((folder / "labels.json").read_text())
    for share in CUT_SHARES:
        read = total = 0
        for label in labels:
            image = np.asarray(cv2.imread(str(folder / label["file"])), dtype=np.uint8)
            for part in cut_pictures(image, np.array(label["corners"]), share):
                total += 1
                read += read_photo(part).refused is None
        print(f"{100 * share:.0f} % of the field cut off: read {read}/{total}", flush=True)


def cut_pictures(image: Image, corners: FloatArray, share: float) -> list[Image]:
    """The picture without a share of the field at its left, right, top and bottom."""
    left, top = corners.min(axis=0)
    right, bottom = corners.max(axis=0)
    wide, high = share * (right - left), share * (bottom - top)
    parts = (
        image[:, round(left + wide) :],
        image[:, : round(right - wide)],
        image[round(top + high) :],
        image[: round(bottom - high)],
    )
    return [np.ascontiguousarray(part) for part in parts]


def _rendered(folder: Path) -> Iterator[Shown]:
    for line in (folder / "labels.jsonl").read_text().splitlines()[:MOST_PICTURES]:
        row = json.loads(line)
        image = cv2.imread(str(folder / row["file"]))
        if image is not None:
            yield np.asarray(image, dtype=np.uint8), np.array(row["corners_px"]), row["bar"]
