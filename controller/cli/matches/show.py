"""The command `blotlight show`: a match that was played as a score sheet, with its analysis if wanted."""

import argparse
from collections.abc import Iterator

from controller.cli.matches.analyse import add_plies_option, analysed, cost_text, player_lines, worst_heading
from controller.cli.matches.kept_match_commands import add_match_argument, add_matches_options, log_of
from controller.cli.terminal.words_option import add_words_option
from controller.service.matches.gnubg_analysis import MatchAnalysis
from controller.service.matches.kept_matches import chosen_match, load_kept_matches
from controller.service.score_sheet import match_sheet
from sentences import say


def add_show(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    show = commands.add_parser("show", help="print a match as a score sheet")
    add_match_argument(show)
    show.add_argument(
        "--analysis",
        action="store_true",
        help="let GNU Backgammon analyse it, and print beside each decision what it cost",
    )
    add_plies_option(show)
    add_matches_options(show)
    add_words_option(show)
    show.set_defaults(run=_run_show)


def _run_show(options: argparse.Namespace) -> None:
    kept = chosen_match(load_kept_matches(log_of(options)), options.match)
    if not options.analysis:
        print("\n".join(match_sheet(kept.played, options.words)))
        return
    analysis = analysed(kept, options.plies)
    losses = {(one.game, one.half_turn, one.decision): one.loss for one in analysis.mistakes}
    sheet = match_sheet(kept.played, options.words, losses)
    print("\n".join([*sheet, "", say("losses_mean"), *player_lines(analysis), *_worst(analysis)]))


def _worst(analysis: MatchAnalysis) -> Iterator[str]:
    """The worst plays of each player and what was better, without diagrams."""
    for player in analysis.players:
        worst = analysis.worst(player.name)
        yield worst_heading(player.name, worst)
        for mistake in worst:
            yield f"  {cost_text(mistake, several_games=analysis.has_several_games)}"
