"""The demonstration: a filmed game through the very loop that runs on the Pi."""

import sys
import time
from importlib.resources import as_file, files
from pathlib import Path

import cv2

from controller.cli.screen import Screen
from controller.errors import WorkError
from controller.perception.board_watcher import BoardWatcher
from controller.referee import Meaning
from controller.service.lamp_colours import to_lights
from controller.service.loop import GameLoop, play_back
from controller.service.recordings.recording import Recording, open_recording
from controller.service.recordings.transcript import Transcript
from controller.service.score_sheet import transcript_text
from hardware.camera import Frame, Image
from hardware.light_port import BOTTOM_TRAY, TOP_TRAY
from vision.board_reading import BAR_PLACE
from vision.overlay import draw_overlay

FILM = "cork-live"
TRAYS = (TOP_TRAY, BOTTOM_TRAY)


def run_demo(speed: float, picture: Path) -> None:
    """Play the bundled film and say what was played.

    speed: times real speed, 0 for as fast as the machine goes. picture: the last frame with what was read and
    lit drawn on it goes there, and beside it, as NAME-lit, the last one in which an illegal play was lit.
    """
    with as_file(files("controller.data") / FILM) as folder:
        _run(open_recording(folder), speed, picture)


def _run(recording: Recording, speed: float, picture: Path) -> None:
    transcript = Transcript()
    live = sys.stdout.isatty()
    screen = Screen(sys.stdout, recording.board.orientation, recording.match.names, live=live)
    watch = GameLoop(BoardWatcher(recording.board), sinks=(transcript.note, screen.note))
    began_s = time.monotonic()
    last = lit = None
    for frame in play_back(recording, watch):
        screen.draw(watch.state, frame.t_ms)
        last = frame
        if any(lamp.meaning is Meaning.OFFENCE for lamp in screen.lamps):
            lit = _drawn(frame, watch, screen)
        if speed > 0:
            time.sleep(max(0.0, began_s + frame.t_ms / 1000 / speed - time.monotonic()))
    if last is None:
        raise WorkError("The film holds no frame; install Blotlight again.")
    transcript.turns = watch.state.record
    print(transcript_text(transcript, recording.match))
    _write(picture, _drawn(last, watch, screen))
    if lit is not None:
        _write(picture.with_stem(f"{picture.stem}-lit"), lit)


def _drawn(frame: Frame, watch: GameLoop, screen: Screen) -> Image:
    """The frame with what was read and lit drawn on it."""
    watcher = watch.watcher
    if watcher.reading is None or watcher.geometry is None:
        return frame.image_bgr
    lamps = to_lights(screen.lamps, watcher.orientation)
    marks = [
        (min(lamp.place, BAR_PLACE), (lamp.rgb[2], lamp.rgb[1], lamp.rgb[0]))
        for lamp in lamps
        if lamp.place not in TRAYS
    ]
    return draw_overlay(frame.image_bgr, watcher.geometry, watcher.reading, marks)


def _write(path: Path, image_bgr: Image) -> None:
    if not cv2.imwrite(str(path), image_bgr):
        raise WorkError(f"{path} cannot be written; name a .png file in a folder that exists.")
    print(f"Picture: {path}")
