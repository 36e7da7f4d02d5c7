"""The command `blotlight analyse`: GNU Backgammon's word on a match that was played."""

import argparse
import os
import textwrap
from collections.abc import Iterator
from contextlib import closing

from controller.cli.matches.kept_match_commands import add_match_argument, add_matches_options, log_of
from controller.cli.terminal.progress import ProgressLine
from controller.errors import InputError, WorkError
from controller.service.matches.gnubg import MatchAnalysis, Mistake, analyse_match, find_gnubg
from controller.service.matches.kept_matches import chosen_match, load_kept_matches
from controller.service.matches.played_matches import match_record
from sentences import say

MOST_PLIES = 4
"""How deep GNU Backgammon may look. It takes minutes a play beyond."""


def add_analyse(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line."""
    analyse = commands.add_parser(
        "analyse", help="let GNU Backgammon say who played how well, and what was better"
    )
    add_match_argument(analyse)
    analyse.add_argument(
        "--plies",
        type=int,
        choices=range(MOST_PLIES + 1),
        metavar=f"0-{MOST_PLIES}",
        help="how deep it looks; default: its own setting, 2",
    )
    add_matches_options(analyse)
    analyse.set_defaults(run=_run_analyse)


def _run_analyse(options: argparse.Namespace) -> None:
    kept = chosen_match(load_kept_matches(log_of(options)), options.match)
    if kept.played.laws is not None:
        raise InputError(say("entering_not_analysed", laws=kept.played.laws.name))
    if not kept.n_half_turns:
        raise InputError(say("nothing_to_analyse", number=kept.number))
    gnubg = find_gnubg(os.environ)
    if gnubg is None:
        raise WorkError(say("gnubg_missing"))
    with closing(ProgressLine(say("step"))) as progress:
        analysis = analyse_match(match_record(kept.played), gnubg, progress.show, plies=options.plies)
    print("\n".join(_lines(analysis)))


def _lines(analysis: MatchAnalysis) -> Iterator[str]:
    for player in analysis.players:
        rate = player.error_rate.removeprefix("-").split(" (")[0]
        yield say("error_rate", name=player.name, rate=rate, rating=player.rating)
        yield f"{' ' * len(player.name)}  luck {player.luck}, {player.luck_rating.rstrip('.')}."
    for player in analysis.players:
        worst = analysis.worst(player.name)
        yield ""
        yield say("worst_plays", name=player.name) if worst else say("no_mistakes", name=player.name)
        for mistake in worst:
            yield from ("", *_mistake_lines(mistake))


def _mistake_lines(mistake: Mistake) -> Iterator[str]:
    where = mistake.where.capitalize()
    yield say("mistake_costs", where=where, played=mistake.played, loss=mistake.loss, better=mistake.better)
    yield from textwrap.indent("\n".join(mistake.diagram), "  ").splitlines()
