"""Ratings as backgammon federations compute them: the formula of FIBS, the First Internet Backgammon Server.

Two players meet in a match to n points; D is the difference of their ratings.

    P_upset = 1 / (10 ** (D * sqrt(n) / 2000) + 1)      the probability that the lower rated player wins
    change  = 4 * K * sqrt(n) * P                       P: the probability of the opposite result
    K       = max(1, 5 - experience / 100)              the ramp-up; experience includes this match

Everybody begins with rating 1500 and experience 0. The experience is the sum of the lengths of all finished
matches.

Sources: `help formula` of FIBS, reprinted at https://www.bkgm.com/rgb/rgb.cgi?view+1093; that the experience
includes the match, http://fibs.com/macfibs/help/glossary/pages/Ratings.html. The British federation rates no
match that was unfinished, forfeited or cancelled (http://results.ukbgf.com/sussex-league/policy).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import sqrt

FIRST_RATING = 1500.0
CLASS_WIDTH = 2000.0
CHANGE_OF_EVEN_POINT = 4.0
"""Twice what an experienced player gains by winning a match to one point against an equal."""
RAMP_UP, RAMP_UP_POINTS = 5.0, 100.0
"""K at experience 0, and the points of experience over which it falls by 1."""


@dataclass(frozen=True, kw_only=True)
class Rating:
    """A player's rating. experience: the sum of the lengths of all finished matches."""

    value: float = FIRST_RATING
    experience: int = 0


@dataclass(frozen=True, kw_only=True)
class RatedMatch:
    """A match that counts for ratings. winner, loser: permanent names of the players."""

    winner: str
    loser: str
    length: int


def win_chance(own: float, other: float, length: int) -> float:
    """The probability of winning a match to `length` points. own, other: the ratings of both players."""
    return float(1 / (10 ** ((other - own) * sqrt(length) / CLASS_WIDTH) + 1))


def rated(winner: Rating, loser: Rating, length: int) -> tuple[Rating, Rating]:
    """The ratings of winner and loser after a match. Raises ValueError for a length below 1."""
    if length < 1:
        raise ValueError(length)
    stake = CHANGE_OF_EVEN_POINT * sqrt(length) * win_chance(loser.value, winner.value, length)
    return _moved(winner, stake, length), _moved(loser, -stake, length)


def rated_in_order(ratings: Mapping[str, Rating], matches: Iterable[RatedMatch]) -> dict[str, Rating]:
    """The ratings after matches, given in the order in which they ended. A new player gets `Rating()`."""
    found = dict(ratings)
    for match in matches:
        winner, loser = (found.get(name, Rating()) for name in (match.winner, match.loser))
        found[match.winner], found[match.loser] = rated(winner, loser, match.length)
    return found


def highest_first(ratings: Mapping[str, Rating]) -> list[tuple[str, Rating]]:
    """The players with their ratings, the highest rating first."""
    return sorted(ratings.items(), key=lambda item: (-item[1].value, item[0]))


def _moved(rating: Rating, stake: float, length: int) -> Rating:
    experience = rating.experience + length
    k = max(1.0, RAMP_UP - experience / RAMP_UP_POINTS)
    return replace(rating, value=rating.value + k * stake, experience=experience)
