"""The values of a tournament: entrants, fixtures and results."""

import unicodedata
from dataclasses import dataclass
from enum import Enum

from controller.club.tournament.elo import FIRST_RATING
from controller.errors import InputError

NOBODY = 0
"""The number of an empty seat of a bracket, or of no opponent. Entrants are numbered from 1."""


class TournamentError(InputError):
    """The tournament does not allow what was asked for; the message says what to do."""


class Section(Enum):
    """The part of a tournament to which a fixture belongs; the value is the first letter of its key."""

    ROUNDS = "R"
    MAIN = "M"
    LOSERS = "L"
    FINAL = "F"
    CONSOLATION = "C"


class FixtureEnd(Enum):
    """How a fixture ended. Only a played one counts for ratings."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    BYE = "bye"


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """A player in a tournament.

    rating, experience: used when he was never rated here before. is_out: whether he has withdrawn.
    home_table: the only table at which he can play, None when he can play at any.
    """

    number: int
    name: str
    rating: float = FIRST_RATING
    experience: int = 0
    is_out: bool = False
    home_table: int | None = None


@dataclass(frozen=True, kw_only=True)
class MatchResult:
    """The result of a fixture. score: the points of the winner and of the loser."""

    winner: int
    loser: int
    score: tuple[int, int] = (0, 0)
    end: FixtureEnd = FixtureEnd.PLAYED

    @property
    def players(self) -> frozenset[int]:
        return frozenset((self.winner, self.loser))


@dataclass(frozen=True, kw_only=True)
class Fixture:
    """Two players who meet. key: its permanent name, like R3.2. round: from 1, within its section.

    other: NOBODY where `one` has a bye. length: points of the match.
    """

    key: str
    section: Section
    round: int
    one: int
    other: int
    length: int

    @property
    def is_bye(self) -> bool:
        return self.other == NOBODY

    @property
    def players(self) -> frozenset[int]:
        return frozenset((self.one, self.other)) - {NOBODY}


def folded(name: str) -> str:
    """The same text for all ways to write a name."""
    return unicodedata.normalize("NFC", " ".join(name.split())).casefold()


def fixture_key(section: Section, round_number: int, place: int) -> str:
    """The key of a fixture. place: its place within the round, from 1."""
    return f"{section.value}{round_number}.{place}"
