"""The command `blotlight simulate`: make a recording of a game from a file, on a simulated table."""

import argparse
import shlex
import sys
from pathlib import Path

from controller.cli.terminal.outputs import check_name_of_pictures
from controller.errors import InputError
from controller.perception.orientation import HOME_CORNERS, Orientation
from controller.service.recordings.recorder import recording_toml
from controller.simulation.game_files import Screenplay, load_screenplay
from controller.simulation.screenplay import drawn_board_settings
from hardware.simulated.drawn_table import BOARD_LOOKS
from hardware.simulated.simulated_table import write_recording
from sentences import say


def add_simulate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    simulate = commands.add_parser(
        "simulate", help="make a recording of a game from a file, on a simulated table"
    )
    simulate.add_argument(
        "match", type=Path, metavar="FILE", help="a .mat file, or the .jsonl of a Russian or Turkish game"
    )
    simulate.add_argument(
        "--out", required=True, type=Path, metavar="FOLDER", help="the folder to write the recording to"
    )
    simulate.add_argument(
        "--game", type=int, default=1, metavar="N", help="the game of the match; default: 1"
    )
    simulate.add_argument("--turns", type=int, metavar="N", help="film only the first N half-turns")
    simulate.add_argument(
        "--look",
        choices=[look.name for look in BOARD_LOOKS],
        default=BOARD_LOOKS[0].name,
        help="the look of the board",
    )
    simulate.add_argument(
        "--white-home",
        choices=HOME_CORNERS,
        default=HOME_CORNERS[0],
        help="the corner of White's 1-point in the picture",
    )
    simulate.set_defaults(run=_run_simulate)


def _run_simulate(options: argparse.Namespace) -> None:
    if options.turns is not None and options.turns < 1:
        raise InputError(say("turns_out_of_range"))
    play = open_screenplay(options.match, options.game, options.turns)
    (look,) = [look for look in BOARD_LOOKS if look.name == options.look]
    orientation = Orientation(white_home=options.white_home)
    check_name_of_pictures(options.out)
    _require_empty(options.out)
    options.out.mkdir(parents=True, exist_ok=True)
    write_recording(play.script(orientation), options.out, look)
    settings = recording_toml(drawn_board_settings(look, orientation), play.match)
    (options.out / "recording.toml").write_text(settings, encoding="utf-8")
    print(say("film_made", n_turns=len(play.turns), folder=shlex.quote(str(options.out))))


def open_screenplay(path: Path, number: int, most: int | None = None) -> Screenplay:
    """Game `number` (from 1) of a file. What is wrong in the file is told on stderr."""
    play = load_screenplay(path, number, most)
    for problem in play.problems:
        print(f"blotlight: {path}, {problem}", file=sys.stderr)
    return play


def _require_empty(folder: Path) -> None:
    """Raises InputError when something lies in the folder: two films in one would be read as one."""
    if folder.is_dir() and any(folder.iterdir()):
        raise InputError(say("folder_in_use", folder=folder))
    if folder.exists() and not folder.is_dir():
        raise InputError(say("film_folder_is_file", folder=folder))
