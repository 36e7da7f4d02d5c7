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
    first_player_may_throw_again: who has the first turn plays the dice of the opening throw, or throws both.
    higher_number_compelled: when either number can be played but not both, the higher must be.
    closed_out_need_not_throw: who has a checker up against a closed board lets his throw be.
    points: what a single game, a gammon and a backgammon count.
    winner_of_single_begins: who won a single game has the first turn of the next; otherwise it is thrown for.
    has_cube: the doubling cube belongs to the game.
    """

    name: str
    source: str
    start: Position
    first_player_may_throw_again: bool
    higher_number_compelled: bool
    closed_out_need_not_throw: bool
    points: tuple[int, int, int]
    winner_of_single_begins: bool
    has_cube: bool


MODERN = Laws(
    name="modern",
    source="the modern rules of match and money play",
    start=Position.START,
    first_player_may_throw_again=False,
    higher_number_compelled=True,
    closed_out_need_not_throw=True,
    points=(1, 2, 3),
    winner_of_single_begins=False,
    has_cube=True,
)

LAWS = {laws.name: laws for laws in (MODERN,)}
"""Every set of laws by its name."""
