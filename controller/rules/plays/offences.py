"""What a player can do wrong, and the places to light for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.rules.board.position import BAR, OFF, Player
from sentences import Key, say


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
        """The number that `player` gives this place; both bars are 25, both trays 0."""
        return self.number if self.player or player is Player.WHITE else BAR - self.number

    @property
    def words(self) -> str:
        """The place in words for people."""
        if self.player is None:
            return say("point_number", number=self.number)
        if self.number == BAR:
            return say("bar_of", player=self.player.value)
        return say("tray_of", player=self.player.value)

    def __str__(self) -> str:
        """The place as the record writes it."""
        if self.player is None:
            return f"point {self.number}"
        return f"{self.player.value} {'bar' if self.number == BAR else 'tray'}"


class OffenceKind(Enum):
    """What a player can do wrong. Of equally good explanations the one whose kind comes first is chosen.

    The first two come before all others: in them each step was legal by itself. The value is the key of the
    words that `str` returns.
    """

    HIGHER_NUMBER_NOT_PLAYED = Key("higher_number_not_played")
    WHOLE_ROLL_NOT_PLAYED = Key("whole_roll_not_played")
    HIT_CHECKER_NOT_ON_BAR = Key("hit_checker_not_on_bar")
    MOVED_WITH_CHECKER_ON_BAR = Key("moved_with_checker_on_bar")
    ONTO_HELD_POINT = Key("onto_held_point")
    THROUGH_BLOCKED_POINT = Key("through_blocked_point")
    BORE_OFF_TOO_EARLY = Key("bore_off_too_early")
    BORE_OFF_FROM_LOWER_POINT = Key("bore_off_from_lower_point")
    PLACED_CHECKER_MOVED = Key("placed_checker_moved")
    POINT_MADE_TOO_SOON = Key("point_made_too_soon")
    WRONG_DISTANCE = Key("wrong_distance")
    MOVED_BACKWARDS = Key("moved_backwards")
    CHECKER_MISSING = Key("checker_is_missing")
    MOVED_OPPONENTS_CHECKER = Key("moved_opponents_checker")
    CHECKER_EXTRA = Key("checker_extra")
    CHECKER_BETWEEN_POINTS = Key("checker_between_points")
    BOARD_NOT_FURNISHED = Key("board_not_furnished")

    def __str__(self) -> str:
        return say(self.value)


@dataclass(frozen=True, slots=True)
class Offence:
    """One thing done wrong.

    places: what to light; first the place a checker came from, last the place where it landed.
    """

    kind: OffenceKind
    places: tuple[Place, ...]

    def __str__(self) -> str:
        return say("offence_at", offence=self.kind, places=", ".join(place.words for place in self.places))
