"""Perft: count the lines of play from a position, to check an enumeration of plays against others."""

from __future__ import annotations

from collections.abc import Sequence

from controller.rules.board.dice import Dice
from controller.rules.board.position import Player, Position
from controller.rules.plays.legal_plays import legal_plays


def perft(position: Position, player: Player, rolls: Sequence[Dice]) -> int:
    """The number of lines of play when `player` plays the first of `rolls`, his opponent the next, and so on.

    Plays of one roll that leave the same position count once. A game that is over counts as one line.
    """
    if not rolls or position.winner:
        return 1
    first, rest = rolls[0], rolls[1:]
    plays = legal_plays(position, player, first)
    if not rest:
        return len(plays)
    return sum(perft(play.result, player.opponent, rest) for play in plays)
