"""The unit of the record of a game, the half-turn, and the game that half-turns and declarations make."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import takewhile

from controller.rules import (
    Action,
    Dice,
    DidNotThrow,
    EditedBoard,
    Game,
    IllegalAction,
    Moved,
    MovedIrregularly,
    Player,
    Position,
    Rolled,
    Step,
    TurnState,
    notation,
)

Declared = tuple[tuple[int, Action], ...]
"""What people declared, each with the number of half-turns played before it."""


@dataclass(frozen=True, kw_only=True)
class HalfTurn:
    """One player's roll and what he played with it.

    t_ms: when the turn ended.
    dice: None when they were not reported and cannot be inferred.
    dice_inferred: the sensor did not report these dice; they explain the play best.
    steps: how the checkers moved; () when none did, or when no steps describe the change of the board.
    legal: whether the laws allow the board that was left.
    position: the board when the turn was over.
    words: the play in the notation of this game; "" when that is standard notation.
    turn_state: the turn state afterwards, where it is more than the board and the opponent's turn.
    unseen: no picture taken before the next half-turn ended shows this play.
    """

    t_ms: int
    player: Player
    dice: Dice | None
    dice_inferred: bool = False
    steps: tuple[Step, ...]
    legal: bool
    position: Position
    words: str = ""
    turn_state: TurnState | None = field(default=None, compare=False)
    unseen: bool = field(default=False, compare=False)

    @property
    def play(self) -> str:
        """The play in notation: "24/20*", "no move"."""
        return self.words or notation(self.steps)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The half-turn as the rules keep it."""
        if self.dice is None:
            return (DidNotThrow(player=self.player),) if self.legal else (self.board_left,)
        roll = Rolled(player=self.player, dice=self.dice)
        if self.legal:
            return roll, Moved(player=self.player, steps=self.steps)
        return roll, MovedIrregularly(player=self.player, result=self.position, steps=self.steps)

    @property
    def board_left(self) -> EditedBoard:
        """The board that was left, as if people had set it up."""
        return EditedBoard(position=self.position, on_roll=self.player.opponent)


def in_order(
    turns: Sequence[HalfTurn], declared: Iterable[tuple[int, Action]]
) -> Iterator[HalfTurn | Action]:
    """Half-turns and declarations as they followed each other."""
    waiting = list(declared)
    for n_played, turn in enumerate(turns):
        while waiting and waiting[0][0] <= n_played:
            yield waiting.pop(0)[1]
        yield turn
    yield from (action for _, action in waiting)


def actions(turns: Sequence[HalfTurn], declared: Declared) -> tuple[Action, ...]:
    """The actions of the whole game."""
    parts = in_order(turns, declared)
    return tuple(
        action for part in parts for action in (part.actions if isinstance(part, HalfTurn) else (part,))
    )


def played_by_rules(game: Game, played: Iterable[Action]) -> Game | None:
    """`game` after all actions of `played`; None when one of them is not legal."""
    try:
        return reduce(Game.push, played, game)
    except IllegalAction:
        return None


@lru_cache(maxsize=16)
def game_played(game: Game, turns: tuple[HalfTurn, ...], declared: Declared) -> Game:
    """`game`, which is about to begin, after these half-turns and the declarations made by then.

    A declaration that is not legal does not count. After a half-turn that is not, the game goes on from the
    board that it left.
    """
    by_then = takewhile(lambda one: one[0] <= len(turns), declared)
    for part in in_order(turns, by_then):
        ways = (part.actions, (part.board_left,)) if isinstance(part, HalfTurn) else ((part,),)
        game = next(filter(None, (played_by_rules(game, way) for way in ways)), game)
    return game
