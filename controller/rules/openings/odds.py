"""Chances of being hit, of entering and of winning a set; the average throw. Counted, and as printed.

Hits and entries are counted over the 36 throws by the rules. What the old books print is kept unchanged;
`misprinted` lists the odds that the count contradicts.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from functools import cache

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, HOME_POINTS, N_CHECKERS, N_PLACES, OFF, Player, Position
from controller.rules.laws.law_sets import CADY_1895, HOYLE_1909
from controller.rules.openings.opening_book import Book
from controller.rules.plays.legal_plays import legal_plays
from controller.rules.plays.shots import shots
from sentences import say

N_THROWS = 36
DISTANCES = range(1, BAR)
"""The possible distances in points from a checker to a blot; 24 is from the bar to the farthest point."""

Odds = tuple[int, int]
"""Chances against and chances for: (25, 11) is printed "25 to 11"."""

PRINTED_HITTING: dict[Book, dict[int, Odds]] = {
    Book.BRITANNICA: {
        1: (25, 11),
        3: (22, 14),
        4: (21, 15),
        5: (21, 15),
        6: (19, 17),
        7: (30, 6),
        8: (30, 6),
        9: (31, 5),
        10: (33, 3),
        11: (34, 2),
        12: (35, 1),
    },
    Book.CADY: {1: (25, 11), 6: (19, 17)},
}
"""Odds against being hit, by distance.

Cady's Table No. II (Berkeley's table with five more long distances) is a picture that is lost; two of the
odds stand in the text.
"""

ILLEGIBLE = {(Book.BRITANNICA, 2)}
"""(book, distance) of odds that are printed but cannot be read in the transcription."""

PRINTED_SET: dict[Odds, Odds] = {(1, 0): (3, 2), (2, 0): (3, 1), (2, 1): (2, 1)}
"""Cady XV, after Berkeley: odds *on* A in a best of five, by the games that A and B have won."""

SET = CADY_1895.series_called("set")
RUBBER = HOYLE_1909.series_called("rubber")


def odds_against(ways: int) -> Odds:
    """The odds of `ways` of the 36 throws, as the books print them: chances against, chances for."""
    return N_THROWS - ways, ways


def ways(rolls: Collection[Dice]) -> int:
    """How many of the 36 throws give one of `rolls`."""
    return sum(dice.ways for dice in rolls)


def hitting(distance: int, held: Collection[int] = ()) -> tuple[Dice, ...]:
    """The rolls with which one checker hits a blot `distance` points before it, 1 to 24.

    held: distances from the checker, each below `distance`, of the points that the blot's owner holds; at
        most seven, because he has 14 more checkers. ValueError otherwise.
    """
    _check(distance, held)
    white, black = [0] * N_PLACES, [0] * N_PLACES
    black[BAR], black[OFF] = 1, N_CHECKERS - 1
    white[distance] = 1
    for point in held:
        white[point] = 2
    white[OFF] = N_CHECKERS - sum(white)
    return shots(Position(white, black), Player.WHITE).rolls[distance]


def _check(distance: int, held: Collection[int]) -> None:
    if distance not in DISTANCES:
        raise ValueError(say("blot_too_far", distance=distance))
    if any(not 0 < point < distance for point in held):
        raise ValueError(say("held_not_between", most=distance - 1))
    if len(set(held)) > (N_CHECKERS - 1) // 2:
        raise ValueError(say("too_many_points_held"))


def hitting_table() -> dict[int, int]:
    """For each distance, how many of the 36 throws hit when no point between is held."""
    return {distance: ways(hitting(distance)) for distance in DISTANCES}


def misprinted(book: Book) -> dict[int, Odds]:
    """The distances whose printed odds are wrong, with the right ones.

    The Britannica errs at distance 12: not only 6-6 hits but also 4-4 and 3-3. Cady says that Berkeley
    corrected an error in Hoyle's table, without saying which; this is the only one in the Britannica.
    """
    right = {distance: odds_against(ways(hitting(distance))) for distance in PRINTED_HITTING[book]}
    return {distance: odds for distance, odds in right.items() if PRINTED_HITTING[book][distance] != odds}


def entering(held: Collection[int], up: int = 1) -> int:
    """How many of the 36 throws enter all of `up` checkers where the opponent holds the points `held`.

    held: points of the opponent's home table, by the number that enters there, 1 to 6; ValueError for others.
    """
    if any(point not in HOME_POINTS for point in held):
        raise ValueError(say("entered_elsewhere"))
    white, black = [0] * N_PLACES, [0] * N_PLACES
    white[BAR], white[OFF] = up, N_CHECKERS - up
    for point in held:
        black[point] = 2
    black[OFF] = N_CHECKERS - sum(black)
    position = Position(white, black)
    return ways([dice for dice in Dice.rolls() if _all_enter(position, dice)])


def _all_enter(position: Position, dice: Dice) -> bool:
    return any(not play.result.white[BAR] for play in legal_plays(position, Player.WHITE, dice))


def entering_table(up: int = 1) -> dict[int, int]:
    """For 0 to 6 points held, how many of the 36 throws enter all of `up` checkers."""
    return {n_held: entering(range(1, n_held + 1), up) for n_held in range(7)}


def average_throw() -> Fraction:
    """The average points that a throw moves, with doublets played twice over: 294/36."""
    return Fraction(sum(dice.ways * sum(dice.numbers) for dice in Dice.rolls()), N_THROWS)


def average_spots() -> Fraction:
    """The average spots that a throw shows: 252/36."""
    return Fraction(sum(dice.ways * (dice.high + dice.low) for dice in Dice.rolls()), N_THROWS)


@cache
def winning_a_set(needs: int, adversary_needs: int, gammons: Fraction = Fraction(0)) -> Fraction:
    """The chance to win a set for a player who still needs `needs` games, when each game is even.

    gammons: the fraction of games that are gammons and count as two (H09: "reckoning as a double game").
    """
    if needs <= 0 or adversary_needs <= 0:
        return Fraction(needs <= 0)

    def after(games: int) -> Fraction:
        won = winning_a_set(needs - games, adversary_needs, gammons)
        lost = winning_a_set(needs, adversary_needs - games, gammons)
        return (won + lost) / 2

    return (1 - gammons) * after(1) + gammons * after(2)


def odds_on(chance: Fraction) -> Odds:
    """The odds on a player with this chance: 3/4 is (3, 1)."""
    return chance.numerator, chance.denominator - chance.numerator
