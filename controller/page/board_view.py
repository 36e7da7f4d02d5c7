"""A board as the page draws it: turned as it lies on the table, with its lit places."""

from collections.abc import Iterable
from dataclasses import dataclass

from controller.perception.board_drawing import drawn_board
from controller.perception.orientation import Orientation
from controller.referee import Lamp, Meaning
from controller.rules import Position
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
class TurnedBoard:
    """A position on the page.

    points: the checkers on places 0 to 23 of the picture, light ones positive, dark ones negative. guests:
    the other player's, where both players have checkers. bar: its upper and lower half. off: the upper and
    the lower tray. labels: White's number of each place.
    """

    points: tuple[int, ...]
    guests: tuple[int, ...]
    bar: tuple[int, int]
    off: tuple[int, int]
    labels: tuple[str, ...]


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


def board_view(position: Position, orientation: Orientation) -> TurnedBoard:
    """A position, turned as the board lies."""
    drawn = drawn_board(position, orientation)
    return TurnedBoard(
        points=tuple(drawn.points),
        guests=tuple(drawn.guests),
        bar=drawn.bar,
        off=drawn.off,
        labels=tuple(drawn.labels),
    )


def lamp_views(lamps: Iterable[Lamp], orientation: Orientation) -> tuple[LampView, ...]:
    """The lamps as the strip shows them: where two share a place, the first."""
    found: dict[int, LampView] = {}
    for lamp in lamps:
        look = LAMP_LOOKS[lamp.meaning]
        place = place_in_picture(lamp.place, orientation)
        view = LampView(
            place=place,
            meaning=lamp.meaning.name,
            text=say(LAMP_TEXTS[lamp.meaning]),
            rgb=look.rgb,
            blink=look.blink.name,
            strength=round(lamp.strength, 2),
        )
        found.setdefault(place, view)
    return tuple(found.values())
