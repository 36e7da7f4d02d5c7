"""Finds out the order of the LEDs along the strip, by lighting one after the other."""

from collections.abc import Callable, Sequence

from hardware.light_port import N_LIGHTS, Lights, PlaceLight
from sentences import say

WALK_RGB = (255, 255, 255)


def walk(lights: Lights, ask: Callable[[int], int], order: Sequence[int]) -> tuple[int, ...]:
    """Light each LED along the strip. Returns the place that each one lights.

    lights: a strip that was set up with `order`. ask: gets the place that should be lit now, and returns the
    place that is lit (0 to 27). Raises ValueError when two LEDs light the same place.
    """
    seen = []
    for place in order:
        lights.show([PlaceLight(place=place, rgb=WALK_RGB)])
        seen.append(ask(place))
    lights.show([])
    doubled = sorted({place for place in seen if seen.count(place) > 1})
    if doubled or not all(0 <= place < N_LIGHTS for place in seen):
        raise ValueError(say("doubled_place", place=doubled[0]) if doubled else say("no_such_place"))
    return tuple(seen)
