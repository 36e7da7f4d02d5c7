"""Sets of laws as data: what the rules, the referee and the record ask, and what each set answers.

One row per set; nothing else in the package knows a set by its name.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.rules.position import Position


@dataclass(frozen=True, kw_only=True)
class Laws:
    """One set of laws.

    name: what a recording or a command calls it.
    source: where the laws are written.
    start: how the checkers are set up.
    higher_number_compelled: when either number can be played but not both, the higher must be.
    has_cube: the doubling cube belongs to the game.
    """

    name: str
    source: str
    start: Position
    higher_number_compelled: bool
    has_cube: bool


MODERN = Laws(
    name="modern",
    source="the modern rules of match and money play",
    start=Position.START,
    higher_number_compelled=True,
    has_cube=True,
)

LAWS = {laws.name: laws for laws in (MODERN,)}
