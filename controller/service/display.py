"""The port through which the service shows the game to people."""

from typing import Protocol

from controller.perception.orientation import Orientation
from controller.referee import Effect, Lamp, RefereeState


class Display(Protocol):
    """Anything that shows a game being watched: a screen, a printed log.

    orientation: how the game lies in the picture; set once it is known. lamps: the lit lamps.
    """

    orientation: Orientation
    lamps: tuple[Lamp, ...]

    def note(self, effect: Effect) -> None:
        """Show one effect of the referee."""

    def say(self, t_ms: int, sentence: str) -> None:
        """Show a sentence that is no effect of the referee."""

    def draw(self, state: RefereeState, t_ms: int) -> None:
        """Bring the display up to date with the state."""

    def ask(self) -> None:
        """Clear the line in which people type."""
