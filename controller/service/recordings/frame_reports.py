"""Reads a recording frame by frame, without rules."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from controller.errors import WorkError
from controller.perception.board_report import BoardReport
from controller.rules import Player
from controller.service.recordings.recording import open_recording
from hardware.camera import frames_of
from vision.read.totals import with_usual_totals


def read_frames(folder: Path, on_roll: Player = Player.WHITE) -> Iterator[tuple[int, BoardReport]]:
    """The time and the reading of every frame, in order.

    The board is learnt first, then the recording is read from its first frame on. Raises InputError when the
    folder holds no recording, WorkError when no frame shows a position to learn from.
    """
    recording = open_recording(folder)
    watcher = recording.watcher()
    for frame in frames_of(recording.camera):
        watcher.observe_frame(frame)
        if watcher.calibrated:
            break
    else:
        raise WorkError(recording.not_learnt)
    recording.camera.close()
    assert watcher.calibration
    shares = watcher.calibration.usual_totals
    for frame in frames_of(open_recording(folder).camera):
        watcher.observe_frame(frame)
        if watcher.reading is not None:
            reading = replace(watcher.reading, dice=watcher.dice_thrown_last(frame))
            counted = with_usual_totals(reading, shares)
            yield frame.t_ms, BoardReport(counted, watcher.orientation, on_roll)
