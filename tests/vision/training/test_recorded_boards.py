"""Labelled recordings, kept to learn from."""

import json
from pathlib import Path

import cv2
import numpy as np

from tests.vision.drawn_board import OBLIQUE, START, picture
from vision.training.flat_boards import load
from vision.training.recorded_boards import keep_recordings

POSITION = "00000050300000800000000002:00000050300000800000000002"


def record(folder: Path, fault: str) -> None:
    """A recording of one frame."""
    (folder / "frames").mkdir(parents=True)
    cv2.imwrite(str(folder / "frames" / "0000000000.jpg"), picture(START))
    board = 'board = {bar = [0.46, 0.54], white_home = "bottom right", light = "white"}'
    (folder / "recording.toml").write_text(board)
    label = {"t_ms": 0, "kind": "play", "position": POSITION, "corners_px": OBLIQUE}
    (folder / "labels.jsonl").write_text(json.dumps({**label, "hand": False, "fault": fault}))


def test_a_recording_that_shows_nothing_to_learn_from_is_left_out(tmp_path: Path):
    record(tmp_path / "recordings" / "sharp", "")
    record(tmp_path / "recordings" / "unsharp", "defocus")
    for _ in ("kept", "found kept"):
        (kept,) = keep_recordings(tmp_path / "recordings", tmp_path)
        assert kept.name == "recording-sharp"
        assert np.shape(load(kept).pictures)[0] == 1
