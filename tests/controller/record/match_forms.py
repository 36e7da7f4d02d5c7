"""The two forms of match files, each with its parser and its formatter, and records to be written in them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from controller.record.mat_reader import parse_mat
from controller.record.mat_writer import format_mat
from controller.record.match_record import GameRecord, MatchRecord, ParsedMatch
from controller.record.sgf import format_sgf, parse_sgf
from controller.rules import Action


@dataclass(frozen=True)
class MatchForm:
    """A form of match file; `suffix` with its dot."""

    suffix: str
    parse: Callable[[str], ParsedMatch]
    format: Callable[[MatchRecord], str]


MAT = MatchForm(".mat", parse_mat, format_mat)
SGF = MatchForm(".sgf", parse_sgf, format_sgf)


def match_of_actions(actions: Iterable[Action], about: MatchRecord) -> MatchRecord:
    """`about` with the games that `actions` form, in order. Scores and Crawford game follow from them."""
    match = about.begun()
    games: list[GameRecord] = []
    for action in actions:
        score = match.score
        match = match.push(action)
        if len(match.games) > len(games):
            games.append(GameRecord.of(match.games[-1], score))
    if match.game.actions and not match.game.outcome:
        games.append(GameRecord.of(match.game, match.score))
    return replace(about, games=tuple(games))
