"""The commands `blotlight matches` and `export`: the matches that the log holds."""

import argparse
import json
import os
from pathlib import Path

from controller.cli.terminal.outputs import check_outputs, write_output
from controller.errors import InputError
from controller.record.match_record import MatchRecord, file_name
from controller.referee.words.sentences import points_text
from controller.service.matches.kept_matches import (
    KeptMatch,
    chosen_match,
    load_kept_matches,
    standing_text,
)
from controller.service.matches.match_folder import log_in, own_folder
from controller.service.matches.match_text import ENTERING_SUFFIXES, MATCH_SUFFIXES, match_text
from controller.service.settings import find_settings
from sentences import say


def add_kept_matches(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    matches = commands.add_parser("matches", help="list the matches that were played")
    matches.add_argument("--json", action="store_true", help="print one JSON object a match")
    add_matches_options(matches)
    matches.set_defaults(run=_run_matches)
    export = commands.add_parser("export", help="write matches as .mat and .sgf")
    export.add_argument(
        "match",
        nargs="?",
        default="last",
        metavar="MATCH",
        help="the number of a match, last, or all; default: last",
    )
    export.add_argument(
        "files",
        nargs="*",
        type=Path,
        metavar="FILE",
        help="the files to write, ending in .mat, .sgf or .jsonl; default: each format that holds the match, "
        "named by date and players",
    )
    export.add_argument(
        "--folder", type=Path, default=Path(), help="where to write files that are not named; default: here"
    )
    add_matches_options(export)
    export.set_defaults(run=_run_export)


def add_match_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "match", nargs="?", default="last", metavar="MATCH", help="its number, or last; default: last"
    )


def add_matches_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--matches", type=Path, metavar="FOLDER", help="where the matches are kept; default: the user's data"
    )
    parser.add_argument(
        "--simulated", action="store_true", help="take the matches that were played on a simulated table"
    )


def log_of(options: argparse.Namespace, *, to_change: bool = False) -> Path:
    """The log that the options of `add_matches_options` name.

    By default it is the log that the settings name, such as the service's. Where this user may not read it
    (or, with `to_change`, not change it), it is his own log, if there is one.
    """
    folder = options.matches or find_settings(None, None, os.environ).folder
    log = log_in(folder, simulated=options.simulated)
    if options.matches or os.access(log.parent if to_change else log, os.W_OK if to_change else os.R_OK):
        return log
    own = log_in(own_folder(folder, os.environ), simulated=options.simulated)
    return own if own.exists() else log


def _run_matches(options: argparse.Namespace) -> None:
    log = log_of(options)
    matches = load_kept_matches(log)
    if options.json:
        lines = [json.dumps(_object(match)) for match in matches]
    else:
        lines = [_line(match) for match in matches] or [say("no_matches_yet", log=log)]
    if lines:
        print("\n".join(lines))


def _line(kept: KeptMatch) -> str:
    match = kept.played.match
    date = kept.played.date.isoformat() if kept.played.date else "?"
    length = points_text(match.length) if match.length else say("money")
    score = "-".join(map(str, kept.score))
    players = ", ".join(match.chouette) or say("players_of_match", white=match.white, black=match.black)
    columns = f"{kept.number:3}  {date:<10}  {players:<28} {length:<9} {score:<6} {match.laws:<12}"
    return f"{columns} {standing_text(kept)}"


def _object(kept: KeptMatch) -> dict[str, object]:
    match = kept.played.match
    return {
        "match": kept.number,
        "date": kept.played.date.isoformat() if kept.played.date else None,
        "white": match.white,
        "black": match.black,
        "length": match.length,
        "laws": match.laws,
        "score": list(kept.score),
        "games": len(kept.played.games),
        "half_turns": kept.n_half_turns,
        "winner": kept.winner.value if kept.winner else None,
        "unfinished": kept.is_unfinished,
        **({"chouette": dict(chouette.points)} if (chouette := kept.played.chouette) else {}),
    }


def _run_export(options: argparse.Namespace) -> None:
    matches = load_kept_matches(log_of(options))
    if options.match == "all":
        if options.files:
            raise InputError(say("files_for_one_match"))
        chosen = [match for match in matches if match.n_half_turns]
    else:
        chosen = [chosen_match(matches, options.match)]
    written = [(path, match) for match in chosen for path in options.files or _files(match, options.folder)]
    texts = [(path, match_text(match.played, path)) for path, match in written]
    check_outputs(path for path, _ in texts)
    for path, text in texts:
        write_output(path, text)
        print(path)


def _files(kept: KeptMatch, folder: Path) -> list[Path]:
    """The files of a match, named by number, date and players."""
    suffixes = MATCH_SUFFIXES if kept.played.laws is None else ENTERING_SUFFIXES
    match = kept.played.match
    record = MatchRecord(white=match.white, black=match.black, date=kept.played.date)
    return [folder / f"{kept.number:03} {file_name(record, suffix)}" for suffix in suffixes]
