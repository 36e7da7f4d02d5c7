"""A match as the text of a file."""

from pathlib import Path

from controller.errors import InputError
from controller.record.mat_writer import format_mat
from controller.record.sgf import format_sgf
from controller.record.thrown_games import format_thrown_game
from controller.service.matches.played_matches import PlayedMatch, match_record, thrown_games
from sentences import say

MATCH_SUFFIXES, ENTERING_SUFFIXES = (".mat", ".sgf"), (".jsonl",)
KNOWN_SUFFIXES = (*MATCH_SUFFIXES, *ENTERING_SUFFIXES)
"""The formats of a match, and of games whose checkers are entered by throws."""


def match_text(played: PlayedMatch, path: Path) -> str:
    """The match in the format that the suffix of `path` names.

    Raises InputError for another suffix, MatchFileError when that format cannot carry the match.
    """
    suffix = path.suffix.lower()
    if suffix == ".mat":
        return format_mat(match_record(played))
    if suffix == ".sgf":
        return format_sgf(match_record(played))
    if suffix == ".jsonl":
        return "".join(map(format_thrown_game, thrown_games(played)))
    raise InputError(say("unknown_format", path=path, known=", ".join(KNOWN_SUFFIXES)))
