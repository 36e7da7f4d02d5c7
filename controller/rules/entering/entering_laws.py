"""The laws of Russian and Turkish backgammon as data, with the settings that they leave to agreement.

In both games the board is bare or nearly bare at first, throws enter the checkers, and both players travel
the same way round. Sources: Encyclopaedia Britannica, 9th edition (EB9), and Cady 1895 (Cady).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum

from sentences import say


class Complement(Enum):
    """The doublets on the opposite faces of the dice, 7 - n, after doublets of n."""

    NONE = "the doublets thrown count as face value only"
    OPTIONAL = "may be played after the doublets thrown"
    COMPELLED = "must be played after the doublets thrown"


class ShiftEnds(Enum):
    """How long an ace enters on the second point, and so on to a six on the seventh."""

    ALL_IN = "until all checkers are in"
    MOVED_OUT = "until the two checkers first placed have left the first point"


@dataclass(frozen=True, kw_only=True)
class Placing:
    """The laws that Turkish backgammon adds: two checkers placed on the first point, and making points.

    A player makes, or covers, a point with a second checker on it. Points are counted from his entrance.

    leader_only: only the player who leads places two checkers; otherwise both do.
    shift_ends: how long the two checkers placed make every number enter one point further.
    closed_while_entering: points 1 to this number may not be made before all checkers are entered: 12 for the
        near side, 6 for the inner table.
    hit_may_cover: until then a checker that was hit may still enter on a single checker of its own side.
        Otherwise a player with single checkers on all points of his entrance can enter no more, and the game
        may have no winner.
    twelfth_must_be_held: points beyond the twelfth may be made only while the twelfth is held; otherwise it
        is enough to have covered it once.
    binds_to_the_end: no point beyond the twelfth may be made even when fewer than two checkers are left to
        cover the twelfth. Such a player cannot get home.
    """

    leader_only: bool = False
    shift_ends: ShiftEnds = ShiftEnds.MOVED_OUT
    closed_while_entering: int = 12
    hit_may_cover: bool = True
    twelfth_must_be_held: bool = False
    binds_to_the_end: bool = False

    def __post_init__(self) -> None:
        if self.closed_while_entering not in (6, 12):
            raise ValueError(say("closed_points_wrong", number=self.closed_while_entering))


@dataclass(frozen=True, kw_only=True)
class EnteringLaws:
    """One set of laws for a game in which the checkers are entered by throws.

    name: what a recording or a command calls it. source: where the laws are written.
    complement: whether doublets are followed by their complement.
    throws_again: a player who has played doublets and their complement to the last number throws again.
    first_doublets_withheld: the first doublets that each player throws are played without a complement.
    deuce_ace: a player who has played 2-1 then plays any doublets he chooses and their complement. When all
        are played, he throws again. They do not count as his first doublets.
    continuation: what a player cannot play of his throw, his adversary plays, one checker at a time, until
        the player can play again. A player goes on to the complement, or throws again, only if he plays the
        last number of his doublets himself.
    higher_number_compelled: when either number can be played but not both, it must be the higher.
    entrances_opposite: Black enters halfway round the board; otherwise in the table in which White enters.
    placing: the laws on checkers placed before the first throw; None in Russian backgammon.
    points: what a single game, a gammon and a backgammon count.
    first_player_may_throw_again: the first player plays the dice of the opening throw or throws both again.
    """

    name: str
    source: str
    complement: Complement = Complement.COMPELLED
    throws_again: bool = True
    first_doublets_withheld: bool = False
    deuce_ace: bool = False
    continuation: bool = False
    higher_number_compelled: bool = False
    entrances_opposite: bool = False
    placing: Placing | None = None
    points: tuple[int, int, int] = (1, 2, 3)
    first_player_may_throw_again: bool = True

    def __post_init__(self) -> None:
        both_place = self.placing is not None and not self.placing.leader_only
        if both_place and not self.entrances_opposite:
            raise ValueError(say("both_place_in_one_table"))


RUSSIAN_BRITANNICA = EnteringLaws(
    name="russian-britannica",
    source="Encyclopaedia Britannica, 9th edition: Russian Backgammon or Tric-Trac",
)
"""EB9: all doublets give the complement and another throw; restriction and deuce-ace are "sometimes"."""

RUSSIAN_CADY = EnteringLaws(
    name="russian-cady",
    source="Cady 1895: Russian Backgammon",
    first_doublets_withheld=True,
    deuce_ace=True,
)
"""Cady: the complement is "not allowed to either player when he throws his first set of doublets"; deuce-ace
has its privilege; the continuation by the opponent is agreed "sometimes", but "many players prefer to omit"
it."""

TURKISH_CADY = EnteringLaws(
    name="turkish-cady",
    source="Cady 1895: Turkish Backgammon",
    complement=Complement.OPTIONAL,
    entrances_opposite=True,
    placing=Placing(),
)
"""Cady; docs/laws.md gives the reading taken of each of his sentences."""

ENTERING_LAWS = {laws.name: laws for laws in (RUSSIAN_BRITANNICA, RUSSIAN_CADY, TURKISH_CADY)}
"""Every set of laws of these games by name."""


def entering_answers(laws: EnteringLaws) -> Iterator[tuple[str, str]]:
    """(setting, answer in words) for every setting of `laws`."""
    for field in fields(laws):
        if field.name in ("name", "source"):
            continue
        value = getattr(laws, field.name)
        if isinstance(value, Placing):
            yield field.name, "two checkers are placed before the first throw"
            yield from (
                (f"placing.{inner.name}", _words(getattr(value, inner.name))) for inner in fields(value)
            )
        else:
            yield field.name, _words(value)


def _words(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value.value) if isinstance(value, Enum) else str(value)
