"""Writes a live match to a file in one call."""

from __future__ import annotations

from pathlib import Path

from controller.record.mat_writer import format_mat
from controller.record.match_record import MatchFileError, MatchRecord
from controller.record.sgf import format_sgf
from controller.rules import Match
from sentences import say

_FORMATS = {".mat": format_mat, ".sgf": format_sgf}


def write_match(match: Match, path: Path, *, white: str = "White", black: str = "Black") -> None:
    """Write `match` as far as it has come; the suffix of `path` says in which format, .mat or .sgf.

    MatchFileError when the suffix is another, or a name cannot be written.
    """
    format_match = _FORMATS.get(path.suffix)
    if format_match is None:
        raise MatchFileError(say("match_file_suffix", name=path.name, known=" or ".join(_FORMATS)))
    path.write_text(format_match(MatchRecord.of_match(match, white=white, black=black)), encoding="utf-8")
