"""What a player can have done wrong, and the places to light for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.rules.board.position import BAR, OFF, Player


@dataclass(frozen=True, slots=True)
class Place:
    """A place that can be lit.

    number: White's number of a point, 1 to 24; 25 for the bar and 0 for the tray of `player`.
    player: whose bar or tray it is; None for a point.
    """

    number: int
    player: Player | None = None

    @classmethod
    def of(cls, player: Player, number: int) -> Place:
        """The place that `player` calls `number`: 25 his bar, 0 his tray."""
        if number in (BAR, OFF):
            return cls(number, player)
        return cls(number if player is Player.WHITE else BAR - number)

    def seen_by(self, player: Player) -> int:
        """What `player` calls this place; his own bar and his opponent's are both 25, the trays both 0."""
        return self.number if self.player or player is Player.WHITE else BAR - self.number

    def __str__(self) -> str:
        if self.player is None:
            return f"point {self.number}"
        return f"{self.player.value} {'bar' if self.number == BAR else 'tray'}"


class OffenceKind(Enum):
    """What a player can have done wrong, in the order in which a doubtful board is explained."""

    HIT_CHECKER_NOT_ON_BAR = "the hit checker was not put on the bar"
    MOVED_WITH_CHECKER_ON_BAR = "moved with a checker still on the bar"
    ONTO_HELD_POINT = "landed on a point the opponent holds"
    THROUGH_BLOCKED_POINT = "went through a point the opponent holds"
    BORE_OFF_TOO_EARLY = "bore off before all checkers were home"
    BORE_OFF_FROM_LOWER_POINT = "bore off with a number too high while a checker stands further back"
    PLACED_CHECKER_MOVED = "moved a checker placed on the first point before all are in"
    POINT_MADE_TOO_SOON = "made a point that may not yet be made"
    HIGHER_NUMBER_NOT_PLAYED = "only one number could be played, and it must be the higher"
    WHOLE_ROLL_NOT_PLAYED = "did not play the whole roll though it can be played"
    WRONG_DISTANCE = "moved a distance that the dice do not give"
    MOVED_BACKWARDS = "moved backwards"
    CHECKER_MISSING = "a checker is missing"
    MOVED_OPPONENTS_CHECKER = "moved a checker of the opponent"
    CHECKER_EXTRA = "there is a checker too many"
    CHECKER_BETWEEN_POINTS = "a checker lies between two points"
    BOARD_NOT_FURNISHED = "the board is not set up as the game begins"


@dataclass(frozen=True, slots=True)
class Offence:
    """One thing done wrong.

    places: what to light, the place a checker came from first and the place it landed on last.
    """

    kind: OffenceKind
    places: tuple[Place, ...]

    def __str__(self) -> str:
        return f"{self.kind.value} ({', '.join(map(str, self.places))})"
