"""Boards and memories for the tests of single inference modules."""

from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import BoardMemory, updated_memory
from controller.referee.inference.histories import History
from controller.referee.inference.roll_evidence import RollEvidence, sensor_rolls
from controller.rules import MODERN, Dice, Player, Position, TurnState, rules_of
from tests.controller.referee.table import board, seen

ORDINARY = rules_of(MODERN)
ROLL = Dice(3, 1)
NO_PICTURES = RollEvidence()
THROWN = sensor_rolls((ROLL,), NO_PICTURES)
"""What is known of a throw of ROLL that the sensor reported and no picture shows."""
START_SIDE = {6: 5, 8: 3, 13: 5, 24: 2}
AFTER_31 = Position.parse(board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE))
"""White's 8/5 6/5."""
AFTER_32 = Position.parse(board({4: 1, 5: 1, 6: 4, 8: 2, 13: 5, 24: 2}, START_SIDE))
"""White's 8/5 6/4: a play of 3-2, and of no 3-1."""
HALF_31 = Position.parse(board({5: 1, 6: 5, 8: 2, 13: 5, 24: 2}, START_SIDE))
"""White's 8/5, the first half of a 3-1."""
DANCING = Position.parse(board({25: 1, 6: 5, 8: 4, 13: 5}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 13: 5}))
"""White has a man on the bar; Black holds five points of his home board, so White needs a 6."""


def history(position: Position = Position.START, on_roll: Player = Player.WHITE) -> History:
    return History.starting_from(TurnState(position, on_roll), ORDINARY)


def watched(position: Position = Position.START, on_roll: Player = Player.WHITE) -> History:
    """A history whose board was seen before anybody played on."""
    before = BoardEvidence(now=memory(position))
    (counted,) = history(position, on_roll).weighed(before).weighed_for_good(before)
    return counted


def memory(*positions: Position, **how) -> BoardMemory:
    """What is remembered when these boards were seen, a second apart."""
    remembered = BoardMemory()
    for number, position in enumerate(positions, start=1):
        remembered = updated_memory(remembered, seen(position, 1000 * number, **how))
    return remembered


def evidence(*positions: Position, **how) -> BoardEvidence:
    """The evidence when the board lay as `positions`, the last now."""
    now = memory(*positions, **how)
    return BoardEvidence(now=now, full_view=now)
