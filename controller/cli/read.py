"""The command `blotlight read`: read the position from a photograph, or from each frame of a recording."""

import argparse
import json
import math
from pathlib import Path

from controller.errors import InputError
from controller.perception.orientation import HOME_CORNERS, Orientation
from controller.rules import Player
from sentences import say
from vision.geometry import Corners


def add_read(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    read = commands.add_parser(
        "read", help="read the position from a photograph, or from each frame of a recording"
    )
    read.add_argument("path", type=Path, metavar="PICTURE", help="a photograph, or the folder of a recording")
    read.add_argument(
        "--corners",
        type=parse_corners,
        metavar='"X,Y X,Y X,Y X,Y"',
        help="the field's corners in the photograph in pixels: top left, top right, bottom right, "
        "bottom left; default: looked for",
    )
    read.add_argument(
        "--bar",
        type=parse_pair,
        metavar="L,R",
        help="the bar's edges as fractions of the field's width",
    )
    read.add_argument(
        "--white-home",
        choices=HOME_CORNERS,
        default=HOME_CORNERS[0],
        help="where White's 1-point lies in the photograph",
    )
    read.add_argument(
        "--light", choices=_players(), default=Player.WHITE.value, help="the player of the light checkers"
    )
    read.add_argument(
        "--on-roll",
        choices=_players(),
        default=Player.WHITE.value,
        help="the player on roll, for the position IDs",
    )
    read.add_argument(
        "--overlay", type=Path, metavar="FILE", help="write the photograph with the reading drawn on it"
    )
    read.add_argument("--json", action="store_true", help="print one JSON object a picture")
    read.set_defaults(run=_run_read)


def _players() -> list[str]:
    return [player.value for player in Player]


def parse_corners(text: str) -> Corners:
    try:
        one, two, three, four = (parse_pair(pair) for pair in text.split())
    except ValueError:
        raise argparse.ArgumentTypeError(say("corners_not_read")) from None
    return one, two, three, four


def parse_pair(text: str) -> tuple[float, float]:
    try:
        first, second = (float(number) for number in text.split(","))
        if not math.isfinite(first + second):
            raise ValueError
    except ValueError:
        raise argparse.ArgumentTypeError(say("pair_not_read", text=text)) from None
    return first, second


def _run_read(options: argparse.Namespace) -> int:
    """Returns 0, or 1 when the photograph is refused."""
    if options.path.is_dir():
        _read_frames(options)
        return 0
    return _read_photo(options)


def _read_frames(options: argparse.Namespace) -> None:
    from controller.freed_memory import give_freed_memory_back
    from controller.service.recordings.frame_reports import read_frames

    if options.corners or options.bar or options.overlay:
        raise InputError(say("for_photographs_only"))
    give_freed_memory_back()
    for t_ms, report in read_frames(options.path, Player(options.on_roll)):
        if options.json:
            print(json.dumps({"t_ms": t_ms, **report.as_json()}), flush=True)
        else:
            print(f"{t_ms / 1000:9.3f} s  {report.as_line()}", flush=True)


def _read_photo(options: argparse.Namespace) -> int:
    from controller.cli.terminal.outputs import check_picture_output
    from controller.cli.terminal.progress import waiting_line
    from controller.perception.photo_report import read_picture_file

    check_picture_output(options.overlay)
    with waiting_line(say("reading_photograph")):
        report = read_picture_file(
            options.path,
            options.corners,
            options.bar,
            orientation=Orientation(white_home=options.white_home, light=Player(options.light)),
            on_roll=Player(options.on_roll),
            overlay=options.overlay,
        )
    print(json.dumps(report.as_json()) if options.json else report.as_text())
    return 1 if report.reading.refused else 0
