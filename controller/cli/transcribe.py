"""The command `blotlight transcribe`: turn a recording into the record of its game."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

from controller.cli.terminal.outputs import check_outputs, write_output
from controller.cli.terminal.progress import ProgressLine
from controller.cli.terminal.words_option import add_words_option
from controller.freed_memory import give_freed_memory_back
from controller.record.journal import EffectLog, journal_in
from controller.rules import Laws, Position
from controller.rules.openings.opening_book import book_for
from controller.service.loop import Sink
from controller.service.matches.match_text import FORMATS
from controller.service.matches.played_matches import PlayedGame, PlayedMatch, unseen_turns
from controller.service.recordings.recording import Recording, open_recording
from controller.service.recordings.report_file import unpacked
from controller.service.recordings.transcript import Transcript, transcribe
from controller.service.score_sheet import transcript_text
from sentences import say

BARE_GAME = PlayedGame(start=Position.START)
"""A game in which nothing was played."""


def add_transcribe(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = commands.add_parser("transcribe", help="turn a film or a recording into the record of its game")
    parser.add_argument(
        "recording", type=Path, metavar="FILM", help="a film, the folder of a recording, or a report"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object a half-turn")
    parser.add_argument("--mat", type=Path, metavar="FILE", help="write the match for GNU Backgammon")
    parser.add_argument("--sgf", type=Path, metavar="FILE", help="write the match as Smart Game Format")
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


def _run_transcribe(options: argparse.Namespace) -> int:
    """Returns 0, or 1 when the film breaks off."""
    give_freed_memory_back()
    with unpacked(options.recording) as folder:
        return _run(open_recording(folder), options)


def _run(recording: Recording, options: argparse.Namespace) -> int:
    match = recording.match
    wanted = {".mat": options.mat, ".sgf": options.sgf, ".jsonl": options.jsonl}
    files = {path: FORMATS[suffix] for suffix, path in wanted.items() if path}
    # Refuse a format that cannot hold the game, or a file that cannot be written, before the work begins.
    for form in files.values():
        form(PlayedMatch(match=match))
    check_outputs([*files, options.record, options.log])
    transcript = _transcript(recording, options)
    for problem in (*transcript.problems, *_doubts(transcript)):
        print(f"blotlight: {problem}", file=sys.stderr)
    played = transcript.played(match)
    if match.is_entering and not played.games:
        played = replace(played, games=(BARE_GAME,))
    for path, form in files.items():
        write_output(path, form(played))
    if options.json:
        for line in transcript.json_lines():
            print(line)
    else:
        laws = match.rules.laws
        book = book_for(laws) if options.book and isinstance(laws, Laws) else None
        print(transcript_text(transcript, match, options.words, book=book))
    return 1 if transcript.broke_off else 0


def _doubts(transcript: Transcript) -> Iterator[str]:
    """What a reader of the record must know: why it is empty, or which half-turns nobody saw."""
    if not any(game.turns for game in transcript.games):
        why = (
            say("film_ended_early")
            if transcript.broke_off
            else say("no_play_seen")
            if transcript.n_rolls
            else say("nobody_threw")
        )
        yield say("nothing_recorded", why=why)
    unseen = list(unseen_turns(transcript.games))
    if unseen:
        yield _unseen_turns_sentence(unseen, len(transcript.games))


def _unseen_turns_sentence(turns: list[tuple[int, int]], n_games: int) -> str:
    """Names the half-turns that no picture shows. turns: game and half-turn, both from 1."""
    names = [say("turn_of_game", turn=turn, game=game) if n_games > 1 else str(turn) for game, turn in turns]
    if len(names) == 1:
        return say("unseen_turn", turn=names[0])
    return say("unseen_turns", turns=", ".join(names[:-1]), last=names[-1])


def _transcript(recording: Recording, options: argparse.Namespace) -> Transcript:
    """Play the recording back; every effect also goes to the files that the options name."""
    with ExitStack() as cleaning:
        sinks: list[Sink] = []
        log = cleaning.enter_context(journal_in(options.record, recording.begun)) if options.record else None
        if options.log:
            file = cleaning.enter_context(options.log.open("w", encoding="utf-8"))
            sinks.append(EffectLog(file).note)
        progress = cleaning.enter_context(closing(ProgressLine(say("frame"))))
        return transcribe(recording, sinks, progress=progress.show, note_row=log.append if log else None)
