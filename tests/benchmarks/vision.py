"""Recordings read frame by frame after calibrating on their first frames: pixels alone, no rules.

Reads the folders in `recordings` in the data folder that have a labels.jsonl beside recording.toml.
"""

import json
import resource
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.rules import Position
from controller.service.recordings.recording import Recording, open_recording
from hardware.camera import frames_of
from vision.board_reading import BoardReading
from vision.geometry import BoardGeometry, Image
from vision.locate.board_finder import BoardNotFound, find_board
from vision.read.board_reader import BoardReader
from vision.read.calibration import Calibration, Calibrator
from vision.read.totals import with_usual_totals

UNPLAYED, UNAIDED, MOST_UNAIDED = ("empty", "start"), 0.01, 4
"""Kinds of first pictures in which the board is looked for unaided; error in field widths below which it
counts as found; most such pictures of a recording."""
FINGERTIP = 0.02
"""Share of the field. Whether a hand that covers less is noticed does not count."""

BINS = (0.0, 0.5, 0.8, 0.9, 0.95, 0.99, 0.999, 1.001)


@dataclass(kw_only=True)
class Tally:
    """What was measured on one recording (or on several together)."""

    right: list[bool] = field(default_factory=list)
    confidence: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    flagged: list[bool] = field(default_factory=list)
    wrongly_flagged: list[bool] = field(default_factory=list)
    corner_error: list[float] = field(default_factory=list)
    unaided_error: list[float] = field(default_factory=list)
    changed_ms: list[float] = field(default_factory=list)
    unchanged_ms: list[float] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Count another recording in."""
        for name, values in vars(self).items():
            values.extend(getattr(other, name))

    def line(self, name: str) -> str:
        """The row of the table."""
        return (
            f"{name:14s} {_share(self.right)} {_share(self.whole)} {_share(self.flagged)} "
            f"{_share(self.wrongly_flagged)} {100 * max(self.corner_error, default=np.nan):8.2f} "
            f"{np.median(self.changed_ms):8.1f} {np.median(self.unchanged_ms):8.2f}"
        )


def run(data: Path | None) -> None:
    """Print the tables for the recordings under `data`, if there are any."""
    folders = sorted(path.parent for path in ((data or Path()) / "recordings").glob("*/labels.jsonl"))
    if not folders:
        print("no labelled recordings: give --data FOLDER with recordings/NAME/labels.jsonl in it")
        return
    cv2.setNumThreads(1)
    total = Tally()
    print("places, boards: right in frames without a hand; corner: worst error in % of the field's width")
    print(f"{'recording':14s} {'places':>8s} {'boards':>8s} {'hands':>8s} {'false':>8s}", end=" ")
    print(f"{'corner':>8s} {'changed':>8s} {'same ms':>8s}")
    for folder in folders:
        tally = measure(folder)
        if tally is None:
            print(f"{folder.name:14s} never calibrated")
            continue
        print(tally.line(folder.name))
        total.add(tally)
    if total.right:
        print(total.line("together"))
        print_reliability(total)
        within = sum(error < UNAIDED for error in total.unaided_error)
        print(f"corners found unaided within {UNAIDED:.0%}: {within} of {len(total.unaided_error)}")
        print(f"most memory of this process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


def measure(folder: Path) -> Tally | None:
    """Read one recording from its first frame. None if it never shows the position that it should begin with,
    or if it does not say where the board is."""
    recording = open_recording(folder)
    labels = {label["t_ms"]: label for label in _labels(folder)}
    calibration: Calibration | None = None
    calibrator: Calibrator | None = None
    tally = Tally()
    for frame in frames_of(recording.camera):
        t_ms, image = frame.t_ms, frame.image_bgr
        label = labels.get(t_ms)
        if label and label["kind"] in UNPLAYED and len(tally.unaided_error) < MOST_UNAIDED:
            tally.unaided_error.append(_unaided_error(image, label))
        if calibrator is None:
            geometry = recording.board.geometry((image.shape[1], image.shape[0]))
            if geometry is None:
                return None
            counts = recording.board.orientation.counts(recording.match.furnished)
            calibrator = Calibrator(geometry=geometry)
        if calibration is None:
            learnt = calibrator.learn_from(image, [counts])
            if learnt is None:
                continue
            calibration = learnt[1]
            reader = BoardReader(calibration=calibration)
        reading = _timed(reader, image, t_ms, tally)
        if label is None:
            continue
        _compare(tally, recording, reader, with_usual_totals(reading, calibration.usual_totals), label)
    return tally if calibration else None


def _timed(reader: BoardReader, image: Image, t_ms: int, tally: Tally) -> BoardReading:
    start = time.process_time()
    reading = reader.read_picture(image, t_ms)
    changed = time.process_time()
    reader.read_picture(image, t_ms)
    tally.changed_ms.append(1000 * (changed - start))
    tally.unchanged_ms.append(1000 * (time.process_time() - changed))
    return reading


def _compare(
    tally: Tally, recording: Recording, reader: BoardReader, reading: BoardReading, label: dict[str, Any]
) -> None:
    if label["hand"]:
        shares = [hand["field_share"] for hand in label.get("hands", ())]
        if max(shares, default=1.0) >= FINGERTIP:
            tally.flagged.append(reading.hand)
        return
    tally.wrongly_flagged.append(reading.hand)
    position = _position(label["position"])
    orientation = recording.board.orientation
    right = _right_places(reading, recording, position)
    light, dark = reading.bar_counts()
    white, black = (light, dark) if orientation.light.name == "WHITE" else (dark, light)
    tally.right += right
    tally.confidence += reading.confidences()
    tally.whole.append(all(right) and (white, black) == (position.white[25], position.black[25]))
    tally.corner_error.append(_corner_error(reader.geometry, label))


def _unaided_error(image: Image, label: dict[str, Any]) -> float:
    """How far the corners are off when the board is looked for in the picture, in field widths."""
    try:
        return _corner_error(find_board(image).geometry, label)
    except BoardNotFound:
        return float("inf")


def _corner_error(geometry: BoardGeometry, label: dict[str, Any]) -> float:
    """How far the worst corner is off, in field widths."""
    corners = np.array(geometry.corners_px)
    width = np.linalg.norm(corners[1] - corners[0])
    return float(np.linalg.norm(corners - np.array(label["corners_px"]), axis=1).max() / width)


def _right_places(reading: BoardReading, recording: Recording, position: Position) -> list[bool]:
    """For each place whether it is read rightly; a point of both colours must be marked as mixed."""
    orientation = recording.board.orientation
    white = orientation.counts(Position(position.white, (0,) * 26))
    black = orientation.counts(Position((0,) * 26, position.black))
    return [
        (seen in (one, other) and place in reading.mixed) if one and other else seen == one + other
        for place, (seen, one, other) in enumerate(zip(reading.counts(), white, black, strict=True))
    ]


def print_reliability(tally: Tally) -> None:
    """Print how often places are read rightly, by the confidence of the reading."""
    confidence, right = np.array(tally.confidence), np.array(tally.right)
    print(f"confidence less accuracy: {100 * (confidence.mean() - right.mean()):+.2f} %")
    for low, high in pairwise(BINS):
        inside = (confidence >= low) & (confidence < high)
        if inside.any():
            share = f"{100 * right[inside].mean():6.2f} % right of {inside.sum()}"
            print(
                f"  {low:.3f} to {min(high, 1):.3f}: {100 * confidence[inside].mean():6.2f} % sure, {share}"
            )


def _share(values: list[bool]) -> str:
    return f"{100 * np.mean(values):6.2f} %" if values else "       -"


def _position(text: str) -> Position:
    white, black = (tuple(int(digit, 16) for digit in side) for side in text.split(":"))
    return Position(white, black)


def _labels(folder: Path) -> Iterator[dict[str, Any]]:
    with (folder / "labels.jsonl").open() as lines:
        for line in lines:
            yield json.loads(line)
