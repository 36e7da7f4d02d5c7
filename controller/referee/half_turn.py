"""What the record holds of a game: one half-turn after the other."""

from dataclasses import dataclass, field

from controller.rules import Dice, Player, Position, Step, TurnState, notation


@dataclass(frozen=True, kw_only=True)
class HalfTurn:
    """One player's roll and what he made of it.

    t_ms: when the turn ended.
    dice: None when they are neither reported nor can be inferred.
    dice_inferred: the sensor did not report these dice. They explain the play best.
    steps: how the checkers moved; () when none did, or when the board changed in no way that steps describe.
    legal: whether the laws allow what stands on the board.
    position: the board that stood when the turn was over.
    words: the play as the players of this game write it; "" when that is standard notation.
    turn_state: the game after it, where that is more than the board and the opponent's turn.
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
        """The play as it is written: "24/20*", "no move"."""
        return self.words or notation(self.steps)
