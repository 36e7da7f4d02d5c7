"""How each meaning is lit, and where a place of the game lies in the picture."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.perception.orientation import Orientation
from controller.referee import Lamp, Meaning
from controller.rules import BAR, Place, Player
from hardware import light_port as lights
from hardware.light_port import Blink


@dataclass(frozen=True)
class LampLook:
    """Colour (0 to 255 each) and blink of a meaning."""

    rgb: tuple[int, int, int]
    blink: Blink


LAMP_LOOKS: dict[Meaning, LampLook] = {
    Meaning.OFFENCE: LampLook((255, 0, 0), Blink.FAST),
    Meaning.BLOT_AT_RISK: LampLook((255, 120, 0), Blink.STEADY),
    Meaning.MUST_ENTER: LampLook((255, 255, 255), Blink.SLOW),
    Meaning.COMPLETE: LampLook((0, 255, 0), Blink.ONCE),
    Meaning.UNSURE: LampLook((0, 0, 255), Blink.SLOW),
    Meaning.BOOK: LampLook((160, 0, 255), Blink.STEADY),
}
"""Colours and blinks are from the design: every meaning differs from all others in at least one."""

FAINTEST_BRIGHTNESS = 0.15
"""Brightness (0 to 1) of the lamp with the smallest strength. Guess: fainter ones would not be noticed."""


def to_lights(lamps: Iterable[Lamp], orientation: Orientation) -> tuple[lights.PlaceLight, ...]:
    """The referee's lamps as the strip takes them. Of two lamps at one place the first is shown."""
    placed: dict[int, lights.PlaceLight] = {}
    for lamp in lamps:
        look = LAMP_LOOKS[lamp.meaning]
        place = place_in_picture(lamp.place, orientation)
        brightness = FAINTEST_BRIGHTNESS + (1 - FAINTEST_BRIGHTNESS) * lamp.strength
        placed.setdefault(
            place, lights.PlaceLight(place=place, rgb=look.rgb, brightness=brightness, blink=look.blink)
        )
    return tuple(placed.values())


def place_in_picture(place: Place, orientation: Orientation) -> int:
    """Where a place of the game lies in the picture. A player's bar and tray lie on the side of his home."""
    if place.player is None:
        return orientation.place(place.number)
    top = orientation.white_home.startswith("top") is (place.player is Player.WHITE)
    if place.number == BAR:
        return lights.TOP_BAR if top else lights.BOTTOM_BAR
    return lights.TOP_TRAY if top else lights.BOTTOM_TRAY
