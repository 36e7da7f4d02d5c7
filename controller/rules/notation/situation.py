"""A position with all that a player must know to act on it, as programs hand it to each other."""

from __future__ import annotations

from dataclasses import dataclass

from controller.rules.board.dice import Dice
from controller.rules.board.position import Player, Position
from controller.rules.match.game_state import CENTRED, Cube


class IdError(ValueError):
    """A text that is no ID of its kind; the message says where it goes wrong."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Situation:
    """A position, who is on roll, the cube and the score.

    dice: the roll to be played; None before it.
    doubled: the player on roll has offered the cube.
    length: points of the match, 0 for money.
    score: points of White and of Black.
    crawford: this is the Crawford game; jacoby, beavers: agreed on, for money only.
    """

    position: Position
    on_roll: Player = Player.WHITE
    dice: Dice | None = None
    doubled: bool = False
    cube: Cube = CENTRED
    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False

    def points(self, player: Player) -> int:
        return self.score[0 if player is Player.WHITE else 1]
