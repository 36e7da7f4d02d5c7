"""The command `blotlight chances`: odds counted over the 36 throws, beside the odds that old books print."""

import argparse
import json
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path

from controller.cli.chances_plot import plot
from controller.cli.terminal.outputs import check_outputs, write_output
from controller.cli.terminal.words_option import add_words_option
from controller.errors import InputError
from controller.referee.words.sentences import Speech, call
from controller.rules import Dice
from controller.rules.openings.odds import (
    DISTANCES,
    ILLEGIBLE,
    N_THROWS,
    PRINTED_HITTING,
    PRINTED_SET,
    RUBBER,
    SET,
    Odds,
    average_spots,
    average_throw,
    entering_table,
    hitting,
    misprinted,
    odds_against,
    odds_on,
    ways,
    winning_a_set,
)
from controller.rules.openings.opening_book import Book
from sentences import begun, say


def add_chances(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    chances = commands.add_parser(
        "chances",
        help="show the chances of being hit, of entering and of winning a set, beside the old books",
    )
    chances.add_argument(
        "away",
        nargs="?",
        type=int,
        metavar="DISTANCE",
        help="show only the throws that hit a blot this many points away",
    )
    chances.add_argument(
        "--held",
        nargs="+",
        type=int,
        default=[],
        metavar="N",
        help="distances of the points in between that the opponent of the hitter holds",
    )
    chances.add_argument(
        "--gammons",
        type=_share,
        default=Fraction(0),
        metavar="SHARE",
        help="share of games that are gammons, such as 0.2 or 1/5, for the odds of sets",
    )
    chances.add_argument("--svg", type=Path, metavar="FILE", help="draw the chances into this file")
    chances.add_argument("--json", action="store_true", help="print one JSON object")
    add_words_option(chances)
    chances.set_defaults(run=_run_chances)


def _share(text: str) -> Fraction:
    try:
        share = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise argparse.ArgumentTypeError(say("share_not_read")) from None
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(say("share_out_of_range"))
    return share


def _run_chances(options: argparse.Namespace) -> None:
    if options.held and options.away is None:
        raise InputError(say("points_held_without_blot"))
    check_outputs([options.svg])
    if options.svg:
        write_output(options.svg, plot())
    distances = DISTANCES if options.away is None else (options.away,)
    try:
        rolls = {distance: hitting(distance, options.held) for distance in distances}
    except ValueError as error:
        raise InputError(begun(say("chances_wrong_distance", problem=error))) from None
    if options.json:
        print(json.dumps(_object(rolls, options), indent=1))
    elif options.away is not None:
        print(_hit_by_one(rolls[options.away], options))
    else:
        print("\n".join(_tables(rolls, options.words, options.gammons)))


def _hit_by_one(rolls: tuple[Dice, ...], options: argparse.Namespace) -> str:
    away = say("blot_away", away=options.away)
    if options.held:
        distances = " and ".join(map(str, sorted(options.held)))
        one = len(options.held) == 1
        away = (
            say("blot_behind_point", blot=away, distance=distances)
            if one
            else say("blot_behind_points", blot=away, distances=distances)
        )
    if not rolls:
        return say("blot_safe", blot=away)
    against = _odds_text(odds_against(ways(rolls)))
    by = ", ".join(call(dice, options.words) for dice in rolls)
    return say("blot_hit", blot=away, ways=ways(rolls), throws=N_THROWS, against=against, by=by)


def _tables(rolls: dict[int, tuple[Dice, ...]], speech: Speech, gammons: Fraction) -> Iterator[str]:
    yield say("blot_hit_by_one", throws=N_THROWS)
    yield f"  away  throws  against   {'EB9':<11} {'Cady':<9} by"
    yield from (_hitting_row(distance, rolls[distance], speech) for distance in rolls)
    yield from _misprints(rolls, speech)
    yield ""
    yield say("entering_chances", throws=N_THROWS)
    yield "  held  one man up  both of two"
    both = entering_table(up=2)
    yield from (f"  {held:>4}  {one:>10}  {both[held]:>11}" for held, one in entering_table().items())
    yield ""
    yield say("average_points", points=_of_36(average_throw()))
    yield say("average_spots", spots=_of_36(average_spots()))
    yield ""
    yield from _sets(gammons)


def _hitting_row(distance: int, rolls: tuple[Dice, ...], speech: Speech) -> str:
    against = _odds_text(odds_against(ways(rolls))) if rolls else "-"
    printed = f"{_printed(Book.BRITANNICA, distance):<11} {_printed(Book.CADY, distance):<9}"
    by = _hit_by(distance, rolls, speech)
    return f"  {distance:>4}  {ways(rolls):>6}  {against:<9} {printed} {by}".rstrip()


def _printed(book: Book, distance: int) -> str:
    if (book, distance) in ILLEGIBLE:
        return say("illegible")
    odds = PRINTED_HITTING[book].get(distance)
    return (_odds_text(odds) + " (!)" * (distance in misprinted(book))) if odds else ""


def _hit_by(distance: int, rolls: Iterable[Dice], speech: Speech) -> str:
    """The throws that hit; those that show the distance itself become one: "any 3, 1-1, 2-1"."""
    shown = [dice for dice in rolls if distance in (dice.high, dice.low)]
    others = [call(dice, speech) for dice in rolls if dice not in shown]
    return ", ".join([say("any_blot_away", distance=distance)] * bool(shown) + others)


def _misprints(rolls: dict[int, tuple[Dice, ...]], speech: Speech) -> Iterator[str]:
    for book in PRINTED_HITTING:
        for distance, right in misprinted(book).items():
            printed = _odds_text(PRINTED_HITTING[book][distance])
            by = ", ".join(call(dice, speech) for dice in rolls[distance])
            yield say("cady_misprint", right=_odds_text(right), by=by, book=book.value, printed=printed)


def _sets(gammons: Fraction) -> Iterator[str]:
    share = say("share_of_gammons", share=f"{float(gammons):.0%}") if gammons else say("no_gammons")
    yield say("set_chances", points=SET.points, share=share)
    yield "  won  lost  odds on A  Cady XV"
    for (won, lost), printed in PRINTED_SET.items():
        chance = winning_a_set(SET.points - won, SET.points - lost, gammons)
        yield f"  {won:>3}  {lost:>4}  {_rounded(chance):<9}  {_odds_text(printed)}"
    first = winning_a_set(RUBBER.points - 1, RUBBER.points, gammons)
    yield say("rubber_chances", points=RUBBER.points, chance=_rounded(first))


def _rounded(chance: Fraction) -> str:
    """Odds in small whole numbers; other odds as a decimal to 1."""
    on, against = odds_on(chance)
    small = max(on, against) <= N_THROWS
    return say("odds", on=on, against=against) if small else f"{float(Fraction(on, against)):.2f} to 1"


def _odds_text(odds: Odds) -> str:
    return say("odds", on=odds[0], against=odds[1])


def _of_36(average: Fraction) -> str:
    whole, rest = divmod(average, 1)
    return f"{average * N_THROWS}/{N_THROWS} = {whole}{f' {rest}' if rest else ''}"


def _object(rolls: dict[int, tuple[Dice, ...]], options: argparse.Namespace) -> dict[str, object]:
    return {
        "hitting": [
            {
                "away": distance,
                "held": options.held,
                "throws": ways(hit_by),
                "rolls": [str(dice) for dice in hit_by],
                "printed": {} if options.held else _all_printed(distance),
            }
            for distance, hit_by in rolls.items()
        ],
        "entering": {"one_up": entering_table(), "two_up": entering_table(up=2)},
        "average_throw": float(average_throw()),
        "average_spots": float(average_spots()),
        "sets": [
            {
                "won": won,
                "lost": lost,
                "chance": float(winning_a_set(SET.points - won, SET.points - lost, options.gammons)),
                "printed_odds_on": printed,
            }
            for (won, lost), printed in PRINTED_SET.items()
        ],
    }


def _all_printed(distance: int) -> dict[str, dict[str, object]]:
    """For each book the odds against, and whether they are right."""
    return {
        book.value: {"against": odds[distance], "right": distance not in misprinted(book)}
        for book, odds in PRINTED_HITTING.items()
        if distance in odds
    }
