"""Where a lamp of the game is lit on the strip, and how."""

import pytest

from controller.perception.orientation import Orientation
from controller.referee import Lamp, Meaning
from controller.rules import BAR, OFF, Place, Player
from controller.service.lamp_colours import LAMP_LOOKS, place_in_picture, to_lights
from hardware.light_port import BOTTOM_BAR, BOTTOM_TRAY, TOP_BAR, TOP_TRAY


@pytest.mark.parametrize(
    ("home", "player", "bar", "tray"),
    [
        ("bottom-right", Player.WHITE, BOTTOM_BAR, BOTTOM_TRAY),
        ("bottom-left", Player.BLACK, TOP_BAR, TOP_TRAY),
        ("top-right", Player.WHITE, TOP_BAR, TOP_TRAY),
        ("top-left", Player.BLACK, BOTTOM_BAR, BOTTOM_TRAY),
    ],
)
def test_bar_and_tray_of_a_player_lie_on_the_side_of_his_home(home, player, bar, tray):
    places = [place_in_picture(Place(number, player), Orientation(white_home=home)) for number in (BAR, OFF)]
    assert places == [bar, tray]


def test_of_two_lamps_at_one_place_the_first_is_lit():
    lamps = [Lamp(place=Place(6), meaning=meaning) for meaning in (Meaning.OFFENCE, Meaning.BLOT_AT_RISK)]
    (lit,) = to_lights(lamps, Orientation())
    assert lit.rgb == LAMP_LOOKS[Meaning.OFFENCE].rgb


def test_no_two_meanings_look_alike():
    assert len(set(LAMP_LOOKS.values())) == len(Meaning)
