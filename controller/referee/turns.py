"""What the record holds of a game: one half-turn after the other."""

from dataclasses import dataclass

from controller.rules import Dice, Player, Position, Step, notation


@dataclass(frozen=True, kw_only=True)
class HalfTurn:
    """One player's roll and what he made of it.

    t_ms: when the turn ended.
    dice: None when neither heard nor to be inferred.
    dice_inferred: the dice were not heard; they are the ones that explain the play best.
    steps: how the checkers moved; () when none did, or when the board changed in no way that steps describe.
    legal: whether the laws allow what stands on the board.
    position: the board that stood when the turn was over.
    """

    t_ms: int
    player: Player
    dice: Dice | None
    dice_inferred: bool = False
    steps: tuple[Step, ...]
    legal: bool
    position: Position

    @property
    def play(self) -> str:
        """The play in standard notation: "24/20*", "no move"."""
        return notation(self.steps)
