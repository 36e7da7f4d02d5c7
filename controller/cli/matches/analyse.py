"""The command `blotlight analyse`: GNU Backgammon's analysis of a match that was played."""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import closing

from controller.cli.matches.kept_match_commands import add_match_argument, add_matches_options, log_of
from controller.cli.terminal.progress import ProgressLine
from controller.errors import InputError, WorkError
from controller.service.matches.gnubg import analyse_match, find_gnubg
from controller.service.matches.gnubg_analysis import MatchAnalysis, Mistake
from controller.service.matches.kept_matches import KeptMatch, chosen_match, load_kept_matches
from controller.service.matches.played_matches import match_record
from sentences import begun, say

MOST_PLIES = 4
"""Most plies that GNU Backgammon may look ahead. With more it takes minutes a play."""


def add_analyse(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    analyse = commands.add_parser(
        "analyse", help="let GNU Backgammon say who played how well, and what was better"
    )
    add_match_argument(analyse)
    add_plies_option(analyse)
    add_matches_options(analyse)
    analyse.set_defaults(run=_run_analyse)


def add_plies_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--plies",
        type=int,
        choices=range(MOST_PLIES + 1),
        metavar=f"0-{MOST_PLIES}",
        help="how deep GNU Backgammon looks; default: its own setting, 2",
    )


def _run_analyse(options: argparse.Namespace) -> None:
    kept = chosen_match(load_kept_matches(log_of(options)), options.match)
    print("\n".join(_lines(analysed(kept, options.plies))))


def analysed(kept: KeptMatch, plies: int | None) -> MatchAnalysis:
    """GNU Backgammon's analysis of a match. Raises InputError or WorkError where there can be none."""
    if kept.played.laws is not None:
        raise InputError(say("entering_not_analysed", laws=kept.played.laws.name))
    if not kept.n_half_turns:
        raise InputError(say("nothing_to_analyse", number=kept.number))
    gnubg = find_gnubg()
    if gnubg is None:
        raise WorkError(say("gnubg_missing"))
    with closing(ProgressLine(say("step"))) as progress:
        return analyse_match(match_record(kept.played), gnubg, progress.show, plies=plies)


def player_lines(analysis: MatchAnalysis) -> Iterator[str]:
    """How well each player did, and what luck he had."""
    for player in analysis.players:
        rate = player.error_rate.removeprefix("-").split(" (")[0]
        yield say("error_rate", name=player.name, rate=rate, rating=player.rating.rstrip(".!"))
        luck = say("luck", luck=player.luck, rating=player.luck_rating.rstrip(".!"))
        yield f"{' ' * len(player.name)}  {luck}"


def _lines(analysis: MatchAnalysis) -> Iterator[str]:
    yield from player_lines(analysis)
    for player in analysis.players:
        worst = analysis.worst(player.name)
        yield ""
        yield worst_heading(player.name, worst)
        for mistake in worst:
            yield from ("", cost_text(mistake, several_games=analysis.has_several_games))
            yield from (f"  {line}" for line in mistake.diagram)


def worst_heading(name: str, worst: Sequence[Mistake]) -> str:
    """What stands above the worst plays of a player, or instead of them."""
    return say("worst_plays", name=name) if worst else say("no_mistakes", name=name)


def cost_text(mistake: Mistake, *, several_games: bool) -> str:
    """Which half-turn it was, what was done, what it cost and what was better."""
    game, number = mistake.game, mistake.half_turn
    where = say("half_turn_in_game", game=game, number=number)
    where = where if several_games else say("half_turn_of_number", number=number)
    return begun(
        say("mistake_costs", where=where, played=mistake.played, loss=mistake.loss, better=mistake.better)
    )
