"""Finds out the order of the LEDs along the strip, by lighting one after the other."""

from collections.abc import Callable, Sequence

from hardware.light_port import N_LIGHTS, Lights, PlaceLight
from sentences import say

WALK_RGB = (255, 255, 255)


class StripWalk:
    """A walk along the strip: one LED is lit until somebody says which place it lights.

    order: the places that the LEDs light, as far as is known; `lights` was set up with it.
    """

    def __init__(self, lights: Lights, order: Sequence[int]) -> None:
        self._lights = lights
        self.order = tuple(order)
        self.seen: tuple[int, ...] = ()
        """The places that were said so far."""
        self._light()

    @property
    def place(self) -> int | None:
        """The place that should be lit now; None when the walk is over."""
        return self.order[len(self.seen)] if len(self.seen) < len(self.order) else None

    def see(self, place: int) -> None:
        """The LED that is lit now lights this place. Raises ValueError when another one lights it too."""
        if place in self.seen:
            raise ValueError(say("doubled_place", place=place))
        if not 0 <= place < N_LIGHTS:
            raise ValueError(say("no_such_place"))
        self.seen = (*self.seen, place)
        self._light()

    def back(self) -> None:
        """The last place was said wrongly."""
        self.seen = self.seen[:-1]
        self._light()

    def _light(self) -> None:
        place = self.place
        self._lights.show([] if place is None else [PlaceLight(place=place, rgb=WALK_RGB)])


def walk(lights: Lights, ask: Callable[[int], int], order: Sequence[int]) -> tuple[int, ...]:
    """Light each LED along the strip. Returns the place that each one lights.

    lights: a strip that was set up with `order`. ask: gets the place that should be lit now, and returns the
    place that is lit (0 to 27). Raises ValueError when two LEDs light the same place.
    """
    walking = StripWalk(lights, order)
    try:
        while (place := walking.place) is not None:
            walking.see(ask(place))
    finally:
        lights.show([])
    return walking.seen
