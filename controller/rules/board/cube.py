"""The doubling cube, and what it multiplies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from controller.rules.board.position import Player


class Win(Enum):
    """The three sizes of a won game; the value multiplies the cube."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube: its value, and its owner, who may turn it; None when both players may."""

    value: int = 1
    owner: Player | None = None


CENTRED = Cube()
