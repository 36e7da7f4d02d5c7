"""Finds the order of the LEDs along the strip by lighting one after the other."""

from collections.abc import Sequence

from hardware.light_port import N_LIGHTS, Lights, PlaceLight
from sentences import say

WALK_RGB = (255, 255, 255)


class StripWalk:
    """A walk along the strip: each LED is lit until somebody tells which place it lights.

    order: the presumed place of each LED along the strip, with which `lights` was set up.
    """

    def __init__(self, lights: Lights, order: Sequence[int]) -> None:
        self._lights = lights
        self.order = tuple(order)
        self.seen: tuple[int, ...] = ()
        """The places told so far."""
        self._light()

    @property
    def place(self) -> int | None:
        """The place that is lit now if `order` is right; None when the walk is over."""
        return self.order[len(self.seen)] if len(self.seen) < len(self.order) else None

    def see(self, place: int) -> None:
        """Note the place that is lit now, and go on. Raises ValueError when it was told before or is none."""
        if place in self.seen:
            raise ValueError(say("doubled_place", place=place))
        if not 0 <= place < N_LIGHTS:
            raise ValueError(say("no_such_place"))
        self.seen = (*self.seen, place)
        self._light()

    def back(self) -> None:
        """Take the last place back, and light its LED again."""
        self.seen = self.seen[:-1]
        self._light()

    def _light(self) -> None:
        place = self.place
        self._lights.show([] if place is None else [PlaceLight(place=place, rgb=WALK_RGB)])
