"""The port through which the service shows the game to people."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from controller.perception.orientation import Orientation
from controller.referee import Effect, Lamp, RefereeState


@dataclass(frozen=True, kw_only=True)
class DeviceState:
    """Whether a device is there, and since when. is_set_up: whether anybody expects it to be there."""

    name: str
    is_here: bool
    since_ms: int
    is_set_up: bool = True


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

    def draw(self, state: RefereeState, t_ms: int, devices: Sequence[DeviceState] = ()) -> None:
        """Bring the display up to date with the state of game and devices."""

    def show_pages(self, lines: Sequence[str]) -> None:
        """Show a text that may fill several pages, from its beginning."""

    def turn_page(self) -> None:
        """Show the next page of that text; after the last one the game again."""

    def ask(self) -> None:
        """Clear the line in which people type."""
