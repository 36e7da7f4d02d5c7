"""The game as the rules keep it: half-turns and people's declarations in one sequence of actions."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache

from controller.referee.half_turn import HalfTurn
from controller.rules import (
    Action,
    DidNotThrow,
    EditedBoard,
    Game,
    IllegalAction,
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
    """The actions of the whole game.

    declared: what people declared, each with the number of half-turns played before it.
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


def played_by_rules(game: Game, played: Iterable[Action]) -> Game | None:
    """`game` after all actions of `played`; None when one of them is not legal."""
    try:
        for action in played:
            game = game.push(action)
    except IllegalAction:
        return None
    return game


def _of_turn(turn: HalfTurn) -> list[Action]:
    if turn.dice is None:
        if turn.legal:
            return [DidNotThrow(player=turn.player)]
        return [EditedBoard(position=turn.position, on_roll=turn.player.opponent)]
    roll = Rolled(player=turn.player, dice=turn.dice)
    if turn.legal:
        return [roll, Moved(player=turn.player, steps=turn.steps)]
    return [roll, MovedIrregularly(player=turn.player, result=turn.position, steps=turn.steps)]


@lru_cache(maxsize=16)
def game_played(
    game: Game,
    turns: tuple[HalfTurn, ...],
    declared: tuple[tuple[int, Action], ...],
    start: Position,
    on_roll: Player | None,
) -> Game:
    """`game`, which is about to begin, after these half-turns and declarations.

    Where a half-turn is not legal, the game goes on from the board that it left. Other arguments as in
    `actions`.
    """
    if on_roll is not None:
        game = game.push(EditedBoard(position=start, on_roll=on_roll))
    waiting = list(declared)
    for n_played in range(len(turns) + 1):
        while waiting and waiting[0][0] <= n_played:
            with suppress(IllegalAction):
                game = game.push(waiting.pop(0)[1])
        if n_played < len(turns):
            game = _after_turn(game, turns[n_played])
    return game


def _after_turn(game: Game, turn: HalfTurn) -> Game:
    edited = EditedBoard(position=turn.position, on_roll=turn.player.opponent)
    return played_by_rules(game, _of_turn(turn)) or played_by_rules(game, [edited]) or game
