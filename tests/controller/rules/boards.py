"""Boards for tests of the rules, written as they are thought of."""

from collections.abc import Mapping

from controller.rules import Position


def board(white: Mapping[int, int], black: Mapping[int, int] | None = None) -> Position:
    """White's and Black's checkers as {own place: count} (25 the bar), the others borne off."""
    sides = []
    for given in (white, black or {}):
        side = [0] * 26
        for place, count in given.items():
            side[place] = count
        side[0] = 15 - sum(side)
        sides.append(tuple(side))
    return Position(*sides)
