"""A match as the text of a file."""

from collections.abc import Callable, Mapping
from pathlib import Path

from controller.errors import InputError
from controller.record.mat_writer import format_mat
from controller.record.sgf import format_sgf
from controller.record.thrown_games import format_thrown_game
from controller.service.matches.played_matches import PlayedMatch, match_record, thrown_games
from sentences import say

MATCH_SUFFIXES, ENTERING_SUFFIXES = (".mat", ".sgf"), (".jsonl",)
"""The formats of a match, and of games whose checkers are entered by throws."""
FORMATS: Mapping[str, Callable[[PlayedMatch], str]] = {
    ".mat": lambda played: format_mat(match_record(played)),
    ".sgf": lambda played: format_sgf(match_record(played)),
    ".jsonl": lambda played: "".join(map(format_thrown_game, thrown_games(played))),
}
"""What writes each of them. Raises MatchFileError when the format cannot carry the match."""


def match_text(played: PlayedMatch, path: Path) -> str:
    """The match in the format that the suffix of `path` names.

    Raises InputError for another suffix, MatchFileError when that format cannot carry the match.
    """
    format_match = FORMATS.get(path.suffix.lower())
    if format_match is None:
        raise InputError(say("unknown_format", path=path, known=", ".join(FORMATS)))
    return format_match(played)
