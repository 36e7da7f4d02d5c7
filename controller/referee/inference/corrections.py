"""People's word about what stood after a half-turn. It is final."""

from dataclasses import replace

from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.continuing import lawful_turn
from controller.referee.inference.histories import BoardEvidence, History, likeliest_history
from controller.rules import Position, steps_between


def with_correction(
    histories: tuple[History, ...], index: int, position: Position
) -> tuple[History, ...] | None:
    """The histories after people have said what stood after half-turn `index`; None if there is none such.

    Those that agree stay; if none does, the likeliest is built again with that board, and with the
    boards that were seen after it.
    """
    agreeing = tuple(history for history in histories if _position_after(history, index) == position)
    if agreeing:
        return agreeing
    top = likeliest_history(histories)
    turns = top.turns
    if not 0 <= index < len(turns):
        return None
    rebuilt = top.root
    for number, turn in enumerate(turns):
        board = position if number == index else turn.position
        rebuilt = rebuilt.after_weighed_turn(
            _turn_leading_to(rebuilt, turn, board), 0.0, 0.0, BoardEvidence(now=BoardMemory())
        )
    return (rebuilt,)


def _position_after(history: History, index: int) -> Position | None:
    turns = history.turns
    return turns[index].position if 0 <= index < len(turns) else None


def _turn_leading_to(parent: History, turn: HalfTurn, board: Position) -> HalfTurn:
    """`turn` as it reads when it led from `parent` to `board`."""
    plays = parent.plays(turn.dice).leading_to(board) if turn.dice else ()
    if turn.dice and plays:
        return lawful_turn(parent, turn.dice, plays[0], turn.t_ms, inferred=turn.dice_inferred)
    steps = steps_between(parent.position, turn.player, board)
    return replace(turn, steps=steps, legal=False, position=board, words="", turn_state=None)
