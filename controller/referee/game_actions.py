"""The game as the rules keep it: half-turns and people's words in one row of actions."""

from collections.abc import Iterable, Sequence

from controller.referee.half_turn import HalfTurn
from controller.rules import (
    Action,
    DidNotThrow,
    EditedBoard,
    Moved,
    MovedIrregularly,
    Player,
    Position,
    Rolled,
)


def actions(
    turns: Sequence[HalfTurn],
    declared: Iterable[tuple[int, Action]] = (),
    *,
    start: Position = Position.START,
    on_roll: Player | None = None,
) -> tuple[Action, ...]:
    """The whole game as actions.

    declared: what people said, each with the number of half-turns played before it.
    on_roll: who was to throw when the game was joined in progress at `start`; None when it began with the
        opening roll.
    """
    found: list[Action] = [] if on_roll is None else [EditedBoard(position=start, on_roll=on_roll)]
    waiting = list(declared)
    for n_played, turn in enumerate(turns):
        while waiting and waiting[0][0] <= n_played:
            found.append(waiting.pop(0)[1])
        found += _of_turn(turn)
    return (*found, *(action for _, action in waiting))


def _of_turn(turn: HalfTurn) -> list[Action]:
    if turn.dice is None:
        if turn.legal:
            return [DidNotThrow(player=turn.player)]
        return [EditedBoard(position=turn.position, on_roll=turn.player.opponent)]
    roll = Rolled(player=turn.player, dice=turn.dice)
    if turn.legal:
        return [roll, Moved(player=turn.player, steps=turn.steps)]
    return [roll, MovedIrregularly(player=turn.player, result=turn.position, steps=turn.steps)]
