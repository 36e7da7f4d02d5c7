"""Single photographs read without calibration: places, whole boards, refusals, confidence and time.

Needs a folder `photos` with labels.json and negatives.json in the data folder.
"""

import json
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.board_reading import BoardReading
from vision.geometry import BoardGeometry, Image
from vision.locate.board_finder import BoardNotFound, find_board
from vision.photo.photo_reader import read_photo

USUAL_BAR = (0.47, 0.53)
START = {"0", "2L", "5D", "3D", "5L", "2D", "3L"}
BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1.001)


@dataclass(frozen=True, kw_only=True)
class Measured:
    """One labelled picture: places read rightly, confidence of each, bar read rightly, refusal, seconds."""

    name: str
    right: tuple[bool, ...]
    confidence: tuple[float, ...]
    bar_right: bool
    refused: str | None
    seconds: float

    @property
    def whole(self) -> bool:
        return all(self.right) and self.bar_right and self.refused is None


def run(data: Path | None) -> None:
    """Print the tables for the pictures under `data`, if there are any."""
    folder = (data or Path()) / "photos"
    if not (folder / "labels.json").exists():
        print("no labelled photographs: give --data FOLDER with photos/labels.json in it")
        return
    labels: list[dict[str, Any]] = json.loads((folder / "labels.json").read_text())
    measured = [measure(folder, label) for label in labels]
    for one in measured:
        bar = "right" if one.bar_right else "WRONG"
        print(f"{one.name:28s} {sum(one.right):2d}/24  bar {bar}  {one.refused or ''}")
    print_summary(measured)
    print_reliability(measured)
    print_negatives(folder)
    print_found(folder, labels)


def measure(folder: Path, label: dict[str, Any]) -> Measured:
    """Read one labelled picture, its corners given."""
    image = _picture(folder, label)
    started = time.perf_counter()
    reading = read_photo(image, _geometry(image, label), bar_known=label["bar_frac"] is not None)
    seconds = time.perf_counter() - started
    truth = [_count(text) for text in (*label["top"], *label["bottom"])]
    return Measured(
        name=label["file"],
        right=tuple(a == b for a, b in zip(truth, reading.counts(), strict=True)),
        confidence=reading.confidences(),
        bar_right=reading.bar_counts() == (label["bar_light"], label["bar_dark"]),
        refused=reading.refused,
        seconds=seconds,
    )


def print_summary(measured: list[Measured]) -> None:
    places = np.array([one.right for one in measured])
    print(f"places right         {places.mean():7.2%}  ({places.sum()} of {places.size})")
    print(f"whole boards right   {np.mean([one.whole for one in measured]):7.2%}")
    print(f"readable, refused    {sum(one.refused is not None for one in measured)}")
    print(f"seconds a picture    {np.median([one.seconds for one in measured]):7.2f} (median)")


def print_reliability(measured: list[Measured]) -> None:
    right = np.array([one.right for one in measured]).ravel()
    said = np.array([one.confidence for one in measured]).ravel()
    difference = said.mean() - right.mean()
    print(f"mean confidence {said.mean():.4f}, accuracy {right.mean():.4f}, difference {difference:+.4f}")
    for low, high in pairwise(BINS):
        inside = (said >= low) & (said < high)
        if inside.any():
            share = right[inside].mean()
            print(f"  said {low:.3f}-{min(high, 1):.3f}: {inside.sum():4d} places, right {share:.3f}")


def print_negatives(folder: Path) -> None:
    for label in json.loads((folder / "negatives.json").read_text()):
        image = _picture(folder, label)
        reading: BoardReading = read_photo(image, _geometry(image, label) if "corners" in label else None)
        print(f"{label['file']:28s} {label['reason']:18s} -> {reading.refused}")


def print_found(folder: Path, labels: list[dict[str, Any]]) -> None:
    """Print errors of corners found unaided in start positions and empty boards, in % of the field width."""
    for label in labels:
        rows = label["top"] + label["bottom"]
        if not set(rows) <= START or sum(text != "0" for text in rows) not in (0, 8):
            continue
        truth = np.array(label["corners"], dtype=np.float64)
        try:
            found = find_board(_picture(folder, label))
        except BoardNotFound as problem:
            print(f"{label['file']:28s} {problem}")
            continue
        width = (np.linalg.norm(truth[1] - truth[0]) + np.linalg.norm(truth[2] - truth[3])) / 2
        error = np.linalg.norm(np.array(found.geometry.corners_px) - truth, axis=1).max() / width
        print(f"{label['file']:28s} corners within {error:6.2%}, confidence {found.confidence:.2f}")


def _picture(folder: Path, label: dict[str, Any]) -> Image:
    return np.asarray(cv2.imread(str(folder / label["file"]), cv2.IMREAD_COLOR), dtype=np.uint8)


def _geometry(image: Image, label: dict[str, Any]) -> BoardGeometry:
    left, right = label["bar_frac"] or USUAL_BAR
    one, two, three, four = ((float(x), float(y)) for x, y in label["corners"])
    return BoardGeometry(
        corners_px=(one, two, three, four),
        image_wh=(image.shape[1], image.shape[0]),
        bar=(float(left), float(right)),
    )


def _count(text: str) -> int:
    """ "5L" is 5, "2D" is -2, "0" is 0."""
    return 0 if text == "0" else int(text[:-1]) * (1 if text[-1] == "L" else -1)
