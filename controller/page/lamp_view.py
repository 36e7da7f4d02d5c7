"""The lit places of a board as the page draws them."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.perception.orientation import Orientation
from controller.referee import Lamp, Meaning
from controller.service.lamp_colours import LAMP_LOOKS, place_in_picture
from sentences import Key, say

LAMP_TEXTS = {
    Meaning.OFFENCE: Key("lamp_offence"),
    Meaning.BLOT_AT_RISK: Key("lamp_blot_at_risk"),
    Meaning.MUST_ENTER: Key("lamp_must_enter"),
    Meaning.COMPLETE: Key("lamp_complete"),
    Meaning.UNSURE: Key("lamp_unsure"),
    Meaning.BOOK: Key("lamp_book"),
}


@dataclass(frozen=True, kw_only=True)
class LampView:
    """A lit place: 0 to 23, 24 and 25 the halves of the bar, 26 and 27 the trays, the upper ones first.

    meaning: the name of a Meaning. blink: the name of a Blink. rgb: 0 to 255 each. strength: 0 to 1.
    """

    place: int
    meaning: str
    text: str
    rgb: tuple[int, int, int]
    blink: str
    strength: float


def lamp_views(lamps: Iterable[Lamp], orientation: Orientation) -> tuple[LampView, ...]:
    """The lamps as the strip shows them: where two share a place, the first."""
    found: dict[int, LampView] = {}
    for lamp in lamps:
        place = place_in_picture(lamp.place, orientation)
        text = say(LAMP_TEXTS[lamp.meaning])
        found.setdefault(place, lamp_view(place, lamp.meaning, text, round(lamp.strength, 2)))
    return tuple(found.values())


def lamp_view(place: int, meaning: Meaning, text: str, strength: float = 1.0) -> LampView:
    """A lit place with the colour and the blink of its meaning."""
    look = LAMP_LOOKS[meaning]
    return LampView(
        place=place, meaning=meaning.name, text=text, rgb=look.rgb, blink=look.blink.name, strength=strength
    )
