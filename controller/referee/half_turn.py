"""The unit of the record of a game: the half-turn."""

from dataclasses import dataclass, field

from controller.rules import Dice, Player, Position, Step, TurnState, notation


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
