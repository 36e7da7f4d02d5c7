"""A game as match files can hold it: without what was corrected at the table."""

from __future__ import annotations

from collections.abc import Iterable

from controller.rules import (
    Action,
    AgreedToAlter,
    EditedBoard,
    Game,
    GamePhase,
    MovedIrregularly,
    NamedThrow,
    NullThrow,
    OpeningThrow,
    PutBackUp,
    QuittedMan,
    RequiredFurnishing,
    RequiredRightNumber,
    Rolled,
    TouchedMan,
)


def without_mishaps(game: Game, actions: Iterable[Action]) -> tuple[Action, ...]:
    """Actions that lead from `game` to the same end as `actions`, without mishaps."""
    kept: list[Action] = []
    for action in actions:
        after = game.push(action)
        kept = _kept(kept, game, action, after)
        game = after
    return tuple(kept)


def _kept(kept: list[Action], before: Game, action: Action, after: Game) -> list[Action]:
    match action:
        case TouchedMan() | QuittedMan():
            return kept
        case NullThrow():
            return kept if before.phase is after.phase else kept[:-1]
        case NamedThrow(dice=dice):
            assert after.turn is not None
            return [*kept[:-1], Rolled(player=after.turn, dice=dice)]
        case RequiredRightNumber() | AgreedToAlter():
            wrong = max(n for n, done in enumerate(kept) if isinstance(done, MovedIrregularly))
            return kept[:wrong]
        case PutBackUp():
            assert after.turn is not None
            edited = EditedBoard(position=after.position, on_roll=after.turn)
            rolled = [Rolled(player=after.turn, dice=after.dice)] if after.dice else []
            return [*kept, edited, *rolled]
        case RequiredFurnishing():
            return [
                done for done in kept if isinstance(done, OpeningThrow) and before.phase is GamePhase.OPENING
            ]
    return [*kept, action]
