"""The two forms of match files, each with its parser and its formatter."""

from collections.abc import Callable
from dataclasses import dataclass

from controller.record.mat_reader import parse_mat
from controller.record.mat_writer import format_mat
from controller.record.match_record import MatchRecord, ParsedMatch
from controller.record.sgf import format_sgf, parse_sgf


@dataclass(frozen=True)
class MatchForm:
    """A form of match file; `suffix` with its dot."""

    suffix: str
    parse: Callable[[str], ParsedMatch]
    format: Callable[[MatchRecord], str]


MAT = MatchForm(".mat", parse_mat, format_mat)
SGF = MatchForm(".sgf", parse_sgf, format_sgf)
