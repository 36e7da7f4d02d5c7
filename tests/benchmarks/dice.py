"""Dice read from the picture: pairs in sharp frames of recordings, leaning dice, and milliseconds a frame.

Needs a folder `recordings` of labelled recordings in the data folder.
"""

import json
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.dice.dice_reader import SeenDie, detect_dice, readable_faces
from vision.geometry import BoardGeometry, Image

BLURRED, LEANING = "defocus", "cocked_die"


@dataclass(frozen=True, kw_only=True)
class Frame:
    """A picture that shows dice, with its label."""

    name: str
    image: Image
    geometry: BoardGeometry
    label: dict[str, Any]


def run(data: Path | None) -> None:
    """Print a line for each recording under `data`."""
    recordings = sorted((data or Path()).glob("recordings/*/labels.jsonl"))
    if not recordings:
        print("no labelled recordings: give --data FOLDER with recordings/NAME/labels.jsonl in it")
        return
    for labels in recordings:
        print_recording(labels.parent)


def print_recording(folder: Path) -> None:
    right, wrong, leaning, milliseconds = 0, [], [], []
    for frame in frames(folder):
        started = time.perf_counter()
        dice = detect_dice(frame.image, frame.geometry)
        milliseconds.append(1000 * (time.perf_counter() - started))
        fault = frame.label["fault"] or ""
        if LEANING in fault and frame.label["kind"] == "rolled":
            leaning.append(any(die.face is None for die in dice))
        elif BLURRED not in fault:
            if sorted(readable_faces(dice)) == sorted(frame.label["dice"]):
                right += 1
            else:
                wrong.append((frame.name, frame.label["dice"], _told(dice)))
    total = right + len(wrong)
    if not total:
        return
    print(
        f"{folder.name:14s} pairs {right}/{total} = {right / total:.1%}  "
        f"leaning told {sum(leaning)}/{len(leaning)}  {np.median(milliseconds):.0f} ms"
    )
    for name, dice_thrown, told in wrong[:12]:
        print(f"    {name}: {dice_thrown} read as {told}")


def frames(folder: Path) -> Iterator[Frame]:
    """The frames of a recording that show dice and no hand."""
    board = tomllib.loads((folder / "recording.toml").read_text())["board"]
    width, height = board["field_mm"]
    for line in (folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        path = folder / "frames" / f"{label['t_ms']:010d}.jpg"
        if label["hand"] or not label["dice"] or not path.exists():
            continue
        image = np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), dtype=np.uint8)
        one, two, three, four = ((float(x), float(y)) for x, y in label["corners_px"])
        geometry = BoardGeometry(
            corners_px=(one, two, three, four),
            image_wh=(image.shape[1], image.shape[0]),
            bar=(board["bar"][0], board["bar"][1]),
            aspect=width / height,
        )
        yield Frame(name=f"{label['t_ms']} ms", image=image, geometry=geometry, label=label)


def _told(dice: tuple[SeenDie, ...]) -> str:
    return ", ".join(f"{die.face or 'leans'} ({max(die.odds):.2f})" for die in dice) or "none"
