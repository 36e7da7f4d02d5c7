"""What Russian and Turkish backgammon leave to agreement, as data: a row for each way they are written down.

In both games the board is bare at first, the checkers are entered by throws, and both players travel the same
way round. Sources: Encyclopaedia Britannica, 9th edition (EB9), and Cady 1895 (Cady).
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
    """Until when an ace enters on the second point, and a six on the seventh."""

    ALL_IN = "until all checkers are in"
    MOVED_OUT = "until the two checkers first placed have left the first point"


@dataclass(frozen=True, kw_only=True)
class Placing:
    """What Turkish backgammon adds: two checkers placed on the first point, and where points may be made.

    A point is made, or covered, by a second checker of one's own on it. Points are counted from the entrance.

    leader_only: only the player who leads places two; otherwise both do.
    shift_ends: how long the two checkers placed make every number enter one point further.
    closed_while_entering: the last of the points, from the first on, of which none is made before all
        checkers are in: 12 for the near side, 6 for the inner table.
    hit_may_cover: a checker that was hit may be entered on one of one's own meanwhile. Otherwise a player
        whose checkers stand singly on all points of his entrance can enter no more, and nobody may win.
    twelfth_must_be_held: points beyond the twelfth are made only while the twelfth is held; otherwise it is
        enough to have covered it once.
    binds_to_the_end: also when fewer than two checkers are left to cover the twelfth point with, no point is
        made beyond it. Such a player cannot get home.
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
    complement: what doublets are worth besides their face value.
    throws_again: who has played doublets and their complement to the last number throws again.
    first_doublets_withheld: the first doublets that each player throws are played four times and no more.
    deuce_ace: who has played 2-1 then plays any doublets he chooses and their complement; all played, he
        throws again. They do not count as his first doublets.
    continuation: what a player cannot play of his throw his adversary plays, one checker at a time, until the
        player can come in again. Only who plays the last number of his doublets himself goes on to the
        complement, or throws again.
    higher_number_compelled: when either number can be played but not both, the higher must be.
    entrances_opposite: Black enters halfway round the board; otherwise in White's table of entrance.
    placing: the checkers placed before the first throw; None in Russian backgammon.
    points: what a single game, a gammon and a backgammon count.
    first_player_may_throw_again: who has the first turn plays the dice of the opening throw, or throws both.
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
"""EB9: the complement and another throw for all doublets; restriction and deuce-ace are "sometimes"."""

RUSSIAN_CADY = EnteringLaws(
    name="russian-cady",
    source="Cady 1895: Russian Backgammon",
    first_doublets_withheld=True,
    deuce_ace=True,
)
"""Cady: "not allowed to either player when he throws his first set of doublets"; deuce-ace has its privilege;
the continuation by the opponent is what "sometimes" is agreed and "many players prefer to omit"."""

TURKISH_CADY = EnteringLaws(
    name="turkish-cady",
    source="Cady 1895: Turkish Backgammon",
    complement=Complement.OPTIONAL,
    entrances_opposite=True,
    placing=Placing(),
)
"""Cady; the reading taken of each of his sentences is on the page of the laws."""

ENTERING_LAWS = {laws.name: laws for laws in (RUSSIAN_BRITANNICA, RUSSIAN_CADY, TURKISH_CADY)}
"""Every set of laws of these games by its name."""


def entering_answers(laws: EnteringLaws) -> Iterator[tuple[str, str]]:
    """(setting, answer in words) for everything that `laws` settle."""
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
