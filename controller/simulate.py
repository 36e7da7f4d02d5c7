"""The command `blotlight simulate`: a game from a match file, filmed on a table that does not exist."""

import argparse
from pathlib import Path

from controller.errors import InputError
from controller.record import mat_reader
from controller.record.matches import GameRecord, MatchFileError, MatchRecord
from controller.recorder import recording_toml
from controller.recording import MatchSettings
from controller.seating import CORNERS, Seating
from controller.simulation import drawn_board_settings, film, turns_of
from hardware.drawn_table import LOOKS, Look
from hardware.simulated_table import write_recording


def add_simulate(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line."""
    simulate = commands.add_parser(
        "simulate", help="film a game from a match file on a table that does not exist"
    )
    simulate.add_argument("match", type=Path, metavar="FILE.mat")
    simulate.add_argument("--out", required=True, type=Path, metavar="FOLDER", help="the recording to write")
    simulate.add_argument("--game", type=int, default=1, metavar="N")
    simulate.add_argument("--turns", type=int, metavar="N", help="only the first half-turns")
    simulate.add_argument("--look", choices=[look.name for look in LOOKS], default=LOOKS[0].name)
    simulate.add_argument(
        "--white-home", choices=CORNERS, default=CORNERS[0], help="where White's 1-point lies"
    )
    simulate.set_defaults(run=_simulate)


def _simulate(options: argparse.Namespace) -> None:
    record = match_in(options.match)
    turns = turns_of(game_in(record, options.game))[: options.turns]
    if not turns:
        raise InputError(f"Game {options.game} of {options.match} has no plays to film; name another game.")
    (look,) = [look for look in LOOKS if look.name == options.look]
    seating = Seating(white_home=options.white_home)
    options.out.mkdir(parents=True, exist_ok=True)
    write_recording(film(turns, seating, record.laws.start), options.out, look)
    (options.out / "recording.toml").write_text(_settings(record, look, seating), encoding="utf-8")
    print(f"{len(turns)} half-turns are filmed; now run: blotlight transcribe {options.out}")


def match_in(path: Path) -> MatchRecord:
    """The match in a file. Raises InputError when there is none."""
    try:
        return mat_reader.read(path.read_text(encoding="utf-8")).record
    except (OSError, UnicodeDecodeError, MatchFileError) as error:
        raise InputError(f"{path} is no match file that can be read: {error}.") from None


def game_in(record: MatchRecord, number: int) -> GameRecord:
    """The game of that number, from 1. Raises InputError when there is none."""
    if not 1 <= number <= len(record.games):
        raise InputError(f"There is no game {number}: the match has {len(record.games)}.")
    return record.games[number - 1]


def _settings(record: MatchRecord, look: Look, seating: Seating) -> str:
    match = MatchSettings(white=record.white, black=record.black, length=record.length, laws=record.laws.name)
    return recording_toml(drawn_board_settings(look, seating), match)
