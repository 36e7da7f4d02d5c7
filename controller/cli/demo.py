"""The command `blotlight demo`: watch a filmed game being refereed, through the loop of the live service."""

import argparse
import sys
import time
from contextlib import ExitStack
from importlib.resources import as_file, files
from pathlib import Path

import cv2

from controller.cli.page_option import add_page_option, open_page
from controller.cli.screen import Screen
from controller.cli.terminal.outputs import check_picture_output
from controller.errors import InputError, WorkError
from controller.page.page_display import DisplayGroup
from controller.perception.board_watcher import BoardWatcher
from controller.referee import Meaning
from controller.referee.words.sentences import Speech
from controller.service.display import NOTHING_ASKED
from controller.service.lamp_colours import to_lights
from controller.service.loop import GameLoop, play_back
from controller.service.recordings.recording import Recording, open_recording
from controller.service.recordings.transcript import Transcript
from controller.service.score_sheet import transcript_text
from controller.service.shutdown import interrupted, stop_asked
from hardware.camera import Frame, Image
from hardware.light_port import BOTTOM_TRAY, TOP_TRAY
from sentences import say
from vision.board_reading import BAR_PLACE
from vision.overlay import draw_overlay

FILM = "cork-live"
"""The bundled recording, a folder in controller/data."""
LEAST_SPEED, MOST_SPEED = 0.01, 1000
"""Slowest and fastest playing of the film, over the true speed; guesses."""
TRAYS = (TOP_TRAY, BOTTOM_TRAY)


def add_demo(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    demo = commands.add_parser("demo", help="watch a filmed game being refereed and recorded")
    demo.add_argument("--speed", type=float, default=4.0, help="times real speed, 0 for as fast as possible")
    demo.add_argument(
        "--picture",
        type=Path,
        default=Path("demo.png"),
        help="the file for the last frame, with what was read and lit drawn on it; beside it, as NAME-lit, "
        "the last frame in which an illegal play was lit",
    )
    add_page_option(demo)
    demo.set_defaults(run=_run_demo)


def _run_demo(options: argparse.Namespace) -> None:
    if options.speed != 0 and not LEAST_SPEED <= options.speed <= MOST_SPEED:
        raise InputError(say("demo_speed_out_of_range", least=LEAST_SPEED, most=MOST_SPEED))
    check_picture_output(options.picture)
    with as_file(files("controller.data") / FILM) as folder, ExitStack() as cleaning:
        if options.page is not None:
            cleaning.enter_context(interrupted())
        _play_film(open_recording(folder), options.speed, options.picture, options.page, cleaning)
        if options.page is not None:
            with stop_asked() as stop:
                print(say("demo_page_stays"))
                stop.wait()


def _play_film(
    recording: Recording, speed: float, picture: Path, page: str | None, cleaning: ExitStack
) -> None:
    """Play the film. page: the address of a page that shows it until `cleaning` ends, if one is wanted."""
    transcript = Transcript()
    live = sys.stdout.isatty()
    screen = Screen(sys.stdout, recording.board.orientation, recording.match.names, live=live)
    display, watcher = DisplayGroup(screen), BoardWatcher(recording.board)
    loop = GameLoop(watcher, sinks=(transcript.note, display.note), note_state=transcript.note_state)
    if page is not None:
        _, shown = open_page(
            page,
            speech=Speech.PLAIN,
            log=None,
            may_command=False,
            display=display,
            screen=screen,
            tell=print,
            cleaning=cleaning,
        )
        shown.watch(watcher, recording.board.orientation, recording.match.names)
    began_s = time.monotonic()
    last = lit = None
    for frame in play_back(recording, loop):
        if watcher.calibrated:
            display.orientation = watcher.orientation
        display.draw(loop.state, frame.t_ms, (), NOTHING_ASKED)
        last = frame
        if any(lamp.meaning is Meaning.OFFENCE for lamp in screen.lamps):
            lit = _annotated(frame, loop, screen)
        if speed > 0:
            time.sleep(max(0.0, began_s + frame.t_ms / 1000 / speed - time.monotonic()))
    if last is None:
        raise WorkError(say("demo_without_frames"))
    screen.close()
    transcript.finish()
    print(transcript_text(transcript, recording.match))
    _write_picture(picture, _annotated(last, loop, screen))
    if lit is not None:
        _write_picture(picture.with_stem(f"{picture.stem}-lit"), lit)


def _annotated(frame: Frame, loop: GameLoop, screen: Screen) -> Image:
    """The frame with what was read and lit drawn on it."""
    watcher = loop.watcher
    if watcher.reading is None or watcher.geometry is None:
        return frame.image_bgr
    lamps = to_lights(screen.lamps, watcher.orientation)
    marks = [
        (min(lamp.place, BAR_PLACE), (lamp.rgb[2], lamp.rgb[1], lamp.rgb[0]))
        for lamp in lamps
        if lamp.place not in TRAYS
    ]
    return draw_overlay(frame.image_bgr, watcher.geometry, watcher.reading, marks)


def _write_picture(path: Path, image_bgr: Image) -> None:
    if not cv2.imwrite(str(path), image_bgr):
        raise WorkError(say("picture_unwritable", path=path))
    print(say("picture_written", path=path))
