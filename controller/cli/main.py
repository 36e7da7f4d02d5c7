"""The command `blotlight`."""

import argparse
import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path

from controller.cli.book import add_book
from controller.cli.chances import add_chances
from controller.cli.doctor import add_doctor
from controller.cli.laws import add_laws
from controller.cli.play import add_play
from controller.cli.read import add_read
from controller.cli.simulate import add_simulate
from controller.errors import BlotlightError, InputError
from controller.record.store import StoreError
from controller.referee.words.sentences import add_words_option
from hardware.device_errors import HardwareError
from vision.geometry import GeometryError

WORK_FAILED = 1
WRONG_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it did its work, 2 for wrong input, 1 for work that failed."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options) or 0)
    except (InputError, GeometryError) as error:
        return _complain(error, WRONG_INPUT)
    except (BlotlightError, HardwareError, StoreError, OSError) as error:
        return _complain(error, WORK_FAILED)
    except KeyboardInterrupt:
        return _complain("Stopped.", WORK_FAILED)


def _complain(error: object, status: int) -> int:
    print(f"blotlight: {error}", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="blotlight",
        description="Watches backgammon on a real board: referees, records, lights the points.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    demo = commands.add_parser("demo", help="watch a filmed game being refereed and recorded")
    demo.add_argument("--speed", type=float, default=4.0, help="times real speed, 0 for as fast as it goes")
    demo.add_argument(
        "--picture",
        type=Path,
        default=Path("demo.png"),
        help="where the last picture goes, with what was read",
    )
    demo.set_defaults(run=_demo)

    transcribe = commands.add_parser("transcribe", help="turn a recording into the record of its game")
    transcribe.add_argument("recording", type=Path)
    transcribe.add_argument("--json", action="store_true", help="one JSON object a half-turn")
    transcribe.add_argument("--mat", type=Path, metavar="FILE", help="write the match for GNU Backgammon")
    transcribe.add_argument(
        "--jsonl", type=Path, metavar="FILE", help="write a game whose checkers are entered by throws"
    )
    transcribe.add_argument(
        "--record", type=Path, metavar="FILE", help="keep the log of the game in this file"
    )
    transcribe.add_argument(
        "--log", type=Path, metavar="FILE", help="write every effect with its time as JSON lines"
    )
    transcribe.add_argument(
        "--book", action="store_true", help="say what the book of the laws, or Hoyle, would have played first"
    )
    add_words_option(transcribe)
    transcribe.set_defaults(run=_transcribe)

    add_book(commands)
    add_chances(commands)
    add_laws(commands)
    add_read(commands)
    add_play(commands)
    add_doctor(commands)
    add_simulate(commands)
    return parser


def _demo(options: argparse.Namespace) -> None:
    from controller.cli.demo import run_demo

    run_demo(speed=options.speed, picture=options.picture)


def _transcribe(options: argparse.Namespace) -> None:
    from controller.record import mat_writer as mat
    from controller.record import thrown_games as thrown
    from controller.record.journal import EffectLog, journal_in
    from controller.rules import Laws
    from controller.rules.openings.opening_book import book_for
    from controller.service.recordings.recording import open_recording
    from controller.service.recordings.transcript import match_record, thrown_game, transcribe
    from controller.service.score_sheet import transcript_text

    recording = open_recording(options.recording)
    match = recording.match
    if options.mat:
        match_record((), match)
    if options.jsonl:
        thrown_game((), match)
    with contextlib.ExitStack() as closing:
        sinks = []
        if options.record:
            sinks.append(closing.enter_context(journal_in(options.record)).note)
        if options.log:
            sinks.append(EffectLog(closing.enter_context(options.log.open("w", encoding="utf-8"))).note)
        transcript = transcribe(recording, sinks, progress=_show_progress)
    for problem in transcript.problems:
        print(f"blotlight: {problem}", file=sys.stderr)
    if options.mat:
        options.mat.write_text(mat.write(match_record(transcript.turns, match)), encoding="utf-8")
    if options.jsonl:
        options.jsonl.write_text(thrown.write(thrown_game(transcript.turns, match)), encoding="utf-8")
    laws = match.rules.laws
    book = book_for(laws) if options.book and isinstance(laws, Laws) else None
    print(
        "\n".join(transcript.json_lines())
        if options.json
        else transcript_text(transcript, match, options.words, book=book)
    )


def _show_progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\rframe {done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True)
