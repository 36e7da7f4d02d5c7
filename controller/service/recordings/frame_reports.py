"""A recording read frame by frame, without rules: what each picture shows by itself."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from controller.errors import WorkError
from controller.perception.board_report import Sight
from controller.perception.board_watcher import UNFURNISHED, Eyes
from controller.rules import Player
from controller.service.recordings.recording import open_recording
from hardware.camera import frames_of
from vision.dice.dice_reader import readable_faces


def read_frames(folder: Path, on_roll: Player = Player.WHITE) -> Iterator[tuple[int, Sight]]:
    """Every frame's milliseconds and what it shows, in their order.

    The board is learnt from the first frames, then read from the first frame on. Raises InputError when the
    folder holds no recording, WorkError when no frame shows the start position.
    """
    recording = open_recording(folder)
    eyes = Eyes(recording.board, recording.match.furnished)
    for frame in frames_of(recording.camera):
        eyes.look(frame)
        if eyes.calibrated:
            break
    else:
        raise WorkError(UNFURNISHED)
    for frame in frames_of(open_recording(folder).camera):
        eyes.look(frame)
        if eyes.reading is not None:
            reading = replace(eyes.reading, dice=readable_faces(eyes.dice(frame) or ()))
            yield frame.t_ms, Sight(reading, eyes.seating, on_roll)
