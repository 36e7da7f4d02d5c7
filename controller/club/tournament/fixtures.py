"""The values of a tournament: who plays, who meets whom, and how it ended."""

from dataclasses import dataclass
from enum import Enum

from controller.club.tournament.elo import FIRST_RATING
from controller.errors import InputError

NOBODY = 0
"""The number that stands where a seat of a bracket is empty. Entrants are numbered from 1."""


class TournamentError(InputError):
    """Something that the tournament does not allow; the message says what to do."""


class Section(Enum):
    """The part of a tournament that a fixture belongs to; the value begins its key."""

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

    rating, experience: with which he begins where he was never rated here. is_out: whether he has withdrawn.
    home_table: the table at which he must sit, where he cannot change tables.
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
    """Two players who meet. key: names it for good, like R3.2. round: from 1, within its section.

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


def fixture_key(section: Section, round_number: int, place: int) -> str:
    """The key of the fixture at a place, from 1, of a round."""
    return f"{section.value}{round_number}.{place}"
