"""Irregular plays as steps that readers of match files accept."""

from __future__ import annotations

from controller.rules import MovedIrregularly, Player, PlayError, Position, Step, after_steps, steps_between
from controller.rules.board.position import BAR, OFF

_MOST_STEPS = 4
"""Most steps of a play that GNU Backgammon reads."""
_MOST_PIPS = 6
"""Longest step that GNU Backgammon reads, in points."""


def plain_steps(position: Position, action: MovedIrregularly) -> tuple[Step, ...]:
    """Steps that lead, in this order, from `position` to the resulting board.

    GNU Backgammon reads at most four, of 1 to 6 points each, none from an empty place or onto a point that
    the opponent holds. () when there are no such steps; then the board itself must be written.
    """
    player, result = action.player, action.result
    for steps in (action.steps, steps_between(position, player, result)):
        if steps and _can_be_read(position, player, steps) and after_steps(position, player, steps) == result:
            return steps
    return ()


def _can_be_read(position: Position, player: Player, steps: tuple[Step, ...]) -> bool:
    if len(steps) > _MOST_STEPS:
        return False
    for number, step in enumerate(steps):
        try:
            stands = after_steps(position, player, steps[: number + 1])
        except PlayError:
            return False
        held = step.target != OFF and stands.side(player.opponent)[BAR - step.target] > 0
        if held or not 1 <= step.source - step.target <= _MOST_PIPS:
            return False
    return True
