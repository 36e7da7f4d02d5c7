"""Tall stacks on photoreal boards (made by vision/training/photoreal.py): how often and how surely counted.

Takes the folders in `boards` in the data folder. A stack counts once, in the first picture that shows it.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.referee.priors import ALIKE_READING_NATS
from vision.appearance.calibration import Calibrator
from vision.appearance.upper_layers import FULL_ROW
from vision.board_reading import MAX_COUNT
from vision.geometry import BoardGeometry, FloatArray
from vision.read.board_reader import BoardReader

APART_MS = 5000


@dataclass(frozen=True, kw_only=True)
class Stack:
    """A place that holds a full row or more, now or in the picture before, and what was said of it."""

    kind: str
    count: int
    before: int
    said: FloatArray
    said_before: FloatArray

    @property
    def changed(self) -> bool:
        return self.count != self.before

    @property
    def is_alike(self) -> bool:
        return bool(np.abs(self.said - self.said_before).max() < ALIKE_READING_NATS)

    @property
    def truth(self) -> float:
        """The log-likelihood of what lies there."""
        return float(self.said[MAX_COUNT + self.count])

    @property
    def is_right(self) -> bool:
        return int(self.said.argmax()) == MAX_COUNT + self.count


def run(data: Path | None) -> None:
    """Print the tables for the boards under `data`, if there are any."""
    folders = sorted(path.parent for path in ((data or Path()) / "boards").glob("*/board.json"))
    if not folders:
        print("no photoreal boards: give --data FOLDER with boards/NAME/board.json in it")
        return
    cv2.setNumThreads(1)
    stacks = [stack for folder in folders for stack in measure(folder)]
    for kind in sorted({stack.kind for stack in stacks}):
        print_table(kind, [stack for stack in stacks if stack.kind == kind])
    print_table("together", stacks)


def measure(folder: Path) -> Iterator[Stack]:
    """Calibrate on a board's first picture and read the others."""
    board = json.loads((folder / "board.json").read_text())
    images = [cv2.imread(str(folder / shot["file"])) for shot in board["pictures"]]
    calibrator = Calibrator(geometry=geometry(board), start_counts=tuple(board["start"]))
    calibration = calibrator.learn_from(np.asarray(images[0], dtype=np.uint8), 0)
    if calibration is None:
        print(f"{folder.name} never calibrated")
        return
    reader = BoardReader(calibration=calibration)
    said = [
        reader.read_picture(np.asarray(image, dtype=np.uint8), APART_MS * number).points
        for number, image in enumerate(images)
    ]
    counts = [shot["counts"] for shot in board["pictures"]]
    for (before, said_before), (now, said_now) in pairwise(zip(counts, said, strict=True)):
        for place in range(len(now)):
            if max(abs(now[place]), abs(before[place])) >= FULL_ROW:
                yield Stack(
                    kind=f"{board['camera']}, {board['layout']}",
                    count=now[place],
                    before=before[place],
                    said=said_now[place],
                    said_before=said_before[place],
                )


def geometry(board: dict[str, Any]) -> BoardGeometry:
    one, two, three, four = ((float(x), float(y)) for x, y in board["corners_px"])
    (left, right), (wide, high) = board["bar"], board["field_mm"]
    width, height = board["image_wh"]
    return BoardGeometry(
        corners_px=(one, two, three, four),
        image_wh=(width, height),
        bar=(left, right),
        checker=board["checker_mm"] / wide,
        aspect=wide / high,
    )


def print_table(title: str, stacks: list[Stack]) -> None:
    """Right, and the mean log-likelihood of the truth, by number; and who reads as before."""
    print(title)
    numbers = defaultdict(list)
    for stack in stacks:
        if stack.changed and abs(stack.count) >= FULL_ROW:
            numbers[abs(stack.count)].append(stack)
    for number, there in sorted(numbers.items()):
        right = sum(stack.is_right for stack in there)
        surely = np.mean([stack.truth for stack in there])
        print(f"  {number:2d} checkers: {right:3d} of {len(there):3d} right, truth at {surely:6.2f} nats")
    tall = [stack for stack in stacks if min(abs(stack.count), abs(stack.before)) >= FULL_ROW]
    for name, changed in (("left alone", False), ("changed", True)):
        alike = [stack.is_alike for stack in tall if stack.changed == changed]
        print(f"  {name}: {sum(alike)} of {len(alike)} read exactly as before")
