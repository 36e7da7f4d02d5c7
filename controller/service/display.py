"""Where the service shows the game to the people at the table."""

from typing import Protocol

from controller.perception.orientation import Orientation
from controller.referee import Effect, Lamp, RefereeState


class Display(Protocol):
    """A screen, or whatever shows a game being watched.

    orientation: how the game lies in the picture; set once it is known. lamps: the lamps that are lit.
    """

    orientation: Orientation
    lamps: tuple[Lamp, ...]

    def note(self, effect: Effect) -> None:
        """Take in one effect of the referee."""

    def say(self, t_ms: int, sentence: str) -> None:
        """Show a sentence that is no effect of the referee."""

    def draw(self, state: RefereeState, t_ms: int) -> None:
        """Bring the display up to date."""

    def ask(self) -> None:
        """Empty the line in which people type."""
