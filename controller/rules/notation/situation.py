"""A position with all that a player must know to act on it, as backgammon programs exchange it."""

from __future__ import annotations

from dataclasses import dataclass

from controller.rules.board.cube import CENTRED, Cube, Win
from controller.rules.board.dice import Dice
from controller.rules.board.position import DefectKind, Player, Position
from sentences import Key, say

MOST_CUBE_LOG2 = 15
"""The largest cube of an ID: the match ID has four bits for its power of two."""

MOST_POINTS = 32767
"""The longest match and the highest score of an ID: the match ID has 15 bits for each."""


class IdError(ValueError):
    """A text that is no ID, or a situation that has none; the message says what is wrong."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Situation:
    """A position, who is on roll, the cube and the score.

    dice: the roll to be played; None before the roll.
    doubled: the player on roll has offered the cube.
    beavers_made: 1 when that double was beavered, 2 when the beaver was beavered in turn (raccoon).
    resigned: the player on roll has offered to lose a game of this size.
    length: points of the match, 0 for money.
    score: points of White and of Black.
    crawford: this is the Crawford game; jacoby, beavers: agreed on, for money only.
    most_cube_log2: the largest cube that is in play, as a power of two.
    """

    position: Position
    on_roll: Player = Player.WHITE
    dice: Dice | None = None
    doubled: bool = False
    beavers_made: int = 0
    resigned: Win | None = None
    cube: Cube = CENTRED
    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    most_cube_log2: int = 10

    def require_id(self) -> None:
        """Raise IdError, naming what no ID can hold: extra checkers, both players on a point, a cube of 3."""
        told = [
            defect
            for defect in self.position.problems()
            if defect.kind in (DefectKind.EXTRA_CHECKER, DefectKind.BOTH_ON_ONE_POINT)
        ]
        if told:
            raise IdError(say("no_id_of_position", defect=told[0]))
        value = self.cube.value
        if value < 1 or value & (value - 1) or value > 1 << MOST_CUBE_LOG2:
            raise IdError(say("no_id_of_cube", value=value, most=1 << MOST_CUBE_LOG2))
        for name, number in ((Key("match_length"), self.length), (Key("score"), max(self.score))):
            if number > MOST_POINTS:
                raise IdError(say("no_id_of_points", name=say(name), number=number, most=MOST_POINTS))
        if min(self.length, *self.score) < 0:
            raise IdError(say("points_below_zero"))

    def points(self, player: Player) -> int:
        return self.score[0 if player is Player.WHITE else 1]
