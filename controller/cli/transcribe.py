"""The command `blotlight transcribe`: turn a recording into the record of its game."""

import argparse
import sys
from contextlib import ExitStack
from pathlib import Path

from controller.record.journal import EffectLog, journal_in
from controller.record.mat_writer import format_mat
from controller.record.thrown_games import format_thrown_game
from controller.referee.words.sentences import add_words_option
from controller.rules import Laws
from controller.rules.openings.opening_book import book_for
from controller.service.loop import Sink
from controller.service.recordings.recording import Recording, open_recording
from controller.service.recordings.transcript import Transcript, match_record, thrown_game, transcribe
from controller.service.score_sheet import transcript_text


def add_transcribe(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line."""
    parser = commands.add_parser("transcribe", help="turn a recording into the record of its game")
    parser.add_argument("recording", type=Path, help="the folder of the recording")
    parser.add_argument("--json", action="store_true", help="print one JSON object a half-turn")
    parser.add_argument("--mat", type=Path, metavar="FILE", help="write the match for GNU Backgammon")
    parser.add_argument(
        "--jsonl", type=Path, metavar="FILE", help="write a game whose checkers are entered by throws"
    )
    parser.add_argument("--record", type=Path, metavar="FILE", help="keep the log of the game in this file")
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="write every effect with its time as JSON lines"
    )
    parser.add_argument(
        "--book", action="store_true", help="show the first play of the laws' own book, or else of Hoyle's"
    )
    add_words_option(parser)
    parser.set_defaults(run=_run_transcribe)


def _run_transcribe(options: argparse.Namespace) -> None:
    recording = open_recording(options.recording)
    match = recording.match
    # A format that cannot carry the game is refused before the work begins.
    if options.mat:
        match_record((), match)
    if options.jsonl:
        thrown_game((), match)
    transcript = _transcript(recording, options)
    for problem in transcript.problems:
        print(f"blotlight: {problem}", file=sys.stderr)
    if options.mat:
        options.mat.write_text(format_mat(match_record(transcript.turns, match)), encoding="utf-8")
    if options.jsonl:
        options.jsonl.write_text(format_thrown_game(thrown_game(transcript.turns, match)), encoding="utf-8")
    if options.json:
        print("\n".join(transcript.json_lines()))
        return
    laws = match.rules.laws
    book = book_for(laws) if options.book and isinstance(laws, Laws) else None
    print(transcript_text(transcript, match, options.words, book=book))


def _transcript(recording: Recording, options: argparse.Namespace) -> Transcript:
    """Play the recording back; every effect also goes to the files that the options name."""
    with ExitStack() as cleaning:
        sinks: list[Sink] = []
        if options.record:
            sinks.append(cleaning.enter_context(journal_in(options.record)).note)
        if options.log:
            file = cleaning.enter_context(options.log.open("w", encoding="utf-8"))
            sinks.append(EffectLog(file).note)
        return transcribe(recording, sinks, progress=_show_progress)


def _show_progress(done: int, total: int) -> None:
    if sys.stderr.isatty():
        print(f"\rframe {done} of {total}", end="\n" if done == total else "", file=sys.stderr, flush=True)
