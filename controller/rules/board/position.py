"""Where the checkers stand: players, positions, and what can be wrong with a position."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from sentences import say

N_CHECKERS = 15
"""Checkers of one player."""
OFF = 0
"""The place of the checkers borne off, in their owner's numbering."""
BAR = 25
"""The bar, in its owner's numbering."""
N_PLACES = 26
"""Places of one player: off, 24 points, bar."""
HOME_POINTS = range(1, 7)
"""The home board, in its owner's numbering."""


class PositionError(ValueError):
    """A text, or a row of counts, that is no position."""


class Player(Enum):
    """A player. White moves from his 24-point to his 1-point, Black in the opposite direction."""

    WHITE = "white"
    BLACK = "black"

    @property
    def opponent(self) -> Player:
        return Player.BLACK if self is Player.WHITE else Player.WHITE


def check_player(player: object) -> None:
    """Raise TypeError for anything but a Player, such as the text "white"."""
    if type(player) is not Player:
        raise TypeError(say("no_player", given=repr(player)))


class DefectKind(Enum):
    """What can be wrong with a position; a `Defect` has the words for it."""

    MISSING_CHECKER = "missing checker"
    EXTRA_CHECKER = "extra checker"
    BOTH_ON_ONE_POINT = "both on one point"
    BOTH_BORNE_OFF = "both borne off"


@dataclass(frozen=True)
class Defect:
    """One thing wrong with a position.

    player: whose checkers are wrong, None for both.
    point: White's number (1 to 24) of the point, None when the defect is not at one point.
    count: how many checkers are missing or too many.
    """

    kind: DefectKind
    player: Player | None = None
    point: int | None = None
    count: int = 1

    def __str__(self) -> str:
        match self.kind:
            case DefectKind.MISSING_CHECKER | DefectKind.EXTRA_CHECKER:
                assert self.player is not None
                checkers = say("one_checker") if self.count == 1 else say("checkers", number=self.count)
                if self.kind is DefectKind.MISSING_CHECKER:
                    return say("has_missing", player=say(self.player.value), checkers=checkers)
                return say("has_too_many", player=say(self.player.value), checkers=checkers)
            case DefectKind.BOTH_ON_ONE_POINT:
                return say("both_on_one_point", point=self.point)
            case _:
                return say("both_borne_off")


class Position:
    """An immutable position of the checkers of both players.

    white, black: 26 counts each, in that player's own numbering: index 0 borne off, 1 to 24 the points,
        25 the bar. White's n-point is Black's 25-n.

    A position may have defects (a checker missing, both players on one point), because a camera may read it
    so; `problems()` names every defect. Only counts outside 0 to 15 and rows of another length raise
    PositionError.
    """

    __slots__ = ("_packed",)
    __match_args__ = ("white", "black")
    START: ClassVar[Position]

    _packed: int
    """52 bytes, lowest first: White's counts, then Black's. A step is one addition to this integer."""

    def __init__(self, white: Sequence[int], black: Sequence[int]) -> None:
        for name, side in (("white", white), ("black", black)):
            if len(side) != N_PLACES:
                raise PositionError(say("wrong_number_of_counts", name=name, number=len(side)))
            if min(side) < 0 or max(side) > N_CHECKERS:
                place = next(i for i, n in enumerate(side) if not 0 <= n <= N_CHECKERS)
                raise PositionError(say("wrong_count", name=name, place=place, count=side[place]))
        object.__setattr__(self, "_packed", int.from_bytes(bytes((*white, *black)), "little"))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(say("position_immutable", name=name))

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return Position.parse, (str(self),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._packed == other._packed

    def __hash__(self) -> int:
        return hash(self._packed)

    @property
    def white(self) -> tuple[int, ...]:
        return tuple(self._packed.to_bytes(2 * N_PLACES, "little")[:N_PLACES])

    @property
    def black(self) -> tuple[int, ...]:
        return tuple(self._packed.to_bytes(2 * N_PLACES, "little")[N_PLACES:])

    @classmethod
    def from_packed(cls, packed: int) -> Position:
        """The position packed as 52 bytes in one integer, White's counts lowest; they are not checked."""
        return position_of(packed)

    @property
    def packed(self) -> int:
        """The position as 52 bytes in one integer, White's counts lowest."""
        return self._packed

    @classmethod
    def of(cls, player: Player, own: Iterable[int], opposing: Iterable[int]) -> Position:
        """The position in which `player` stands as `own` and the opponent as `opposing`."""
        check_player(player)
        mine, theirs = tuple(own), tuple(opposing)
        return cls(mine, theirs) if player is Player.WHITE else cls(theirs, mine)

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read `WHITE:BLACK`, 26 hexadecimal digits each; PositionError says where the text goes wrong."""
        white, colon, black = text.partition(":")
        if not colon:
            raise PositionError(say("no_colon_in_position"))
        return cls(_digits(white, "White", 0), _digits(black, "Black", len(white) + 1))

    def __str__(self) -> str:
        return ":".join("".join(f"{n:x}" for n in side) for side in (self.white, self.black))

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r})"

    def side(self, player: Player) -> tuple[int, ...]:
        """The 26 counts of `player`, in his own numbering."""
        if player is Player.WHITE:
            return self.white
        check_player(player)
        return self.black

    def mirrored(self) -> Position:
        """The same position with the colours exchanged."""
        return Position(self.black, self.white)

    def pip_count(self, player: Player) -> int:
        """How many pips `player` still has to throw to bear off all his checkers."""
        return sum(place * n for place, n in enumerate(self.side(player)))

    def is_closed_out(self, player: Player) -> bool:
        """Whether `player` has a checker on the bar that no throw can enter."""
        held = self.side(player.opponent)
        return self.side(player)[BAR] > 0 and all(held[point] > 1 for point in HOME_POINTS)

    @property
    def winner(self) -> Player | None:
        """Who has borne off all his checkers, or None."""
        if not self._packed & _WHITES_MEN and self._packed & _WHITES_BORNE:
            return Player.WHITE
        if not self._packed & _BLACKS_MEN and self._packed & _BLACKS_BORNE:
            return Player.BLACK
        return None

    def problems(self) -> tuple[Defect, ...]:
        """Every defect, with its place; () for a position without one."""
        found = [defect for player in Player for defect in self._miscount(player)]
        found += [
            Defect(DefectKind.BOTH_ON_ONE_POINT, point=point)
            for point in range(1, BAR)
            if self.white[point] and self.black[BAR - point]
        ]
        if self.white[OFF] == self.black[OFF] == N_CHECKERS:
            found.append(Defect(DefectKind.BOTH_BORNE_OFF))
        return tuple(found)

    def _miscount(self, player: Player) -> tuple[Defect, ...]:
        surplus = sum(self.side(player)) - N_CHECKERS
        if not surplus:
            return ()
        kind = DefectKind.EXTRA_CHECKER if surplus > 0 else DefectKind.MISSING_CHECKER
        return (Defect(kind, player, count=abs(surplus)),)


_SIDE_BITS = 8 * N_PLACES
_WHITES_BORNE, _WHITES_MEN = 0xFF, (1 << _SIDE_BITS) - 0x100
_BLACKS_BORNE, _BLACKS_MEN = _WHITES_BORNE << _SIDE_BITS, _WHITES_MEN << _SIDE_BITS
"""Masks over a packed position: the checkers borne off, and those on the board and the bar."""
_new_position = object.__new__
_set_packed = Position.__dict__["_packed"].__set__


def position_of(packed: int) -> Position:
    """`Position.from_packed` for inner loops: it calls no constructor."""
    position = _new_position(Position)
    _set_packed(position, packed)
    return position


def _digits(text: str, name: str, offset: int) -> tuple[int, ...]:
    """The counts of one side; `offset` is where `text` begins in the whole text."""
    for column, char in enumerate(text[:N_PLACES]):
        if char not in "0123456789abcdefABCDEF":
            raise PositionError(say("no_hexadecimal_digit", number=offset + column + 1, char=char))
    if len(text) != N_PLACES:
        raise PositionError(say("wrong_number_of_digits", name=name, number=len(text)))
    return tuple(int(char, 16) for char in text)


Position.START = Position.parse("00000050300005000000000020:00000050300005000000000020")
