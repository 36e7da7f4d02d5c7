"""The board drawn in the terminal, and the contract of all lights."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.apa102 import STRIP_ORDER, StripLights
from hardware.light_port import N_LIGHTS, Blink, PlaceLight
from hardware.terminal_lights import DrawnBoard, render_board
from tests.hardware.fake_gpio import FakeGpio, updates
from tests.hardware.hand_clock import HandClock, wait_until
from tests.hardware.stand_ins import MirrorLights

RED, AMBER, GREEN = (255, 0, 0), (255, 140, 0), (0, 255, 0)
LABELS = tuple(str(n) for n in [*range(13, 25), *range(12, 0, -1)])
START = DrawnBoard(
    points=(5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, -5, 0, 0, 0, 3, 0, 5, 0, 0, 0, 0, -2), labels=LABELS
)

START_DRAWN = """\
-- 13 - 14 - 15 - 16 - 17 - 18 -------- 19 - 20 - 21 - 22 - 23 - 24 ---------
|  O    :    .    :    X    :  |     |  X    :    .    :    .    O  |       |
|  O    :    .    :    X    :  |     |  X    :    .    :    .    O  |       |
|  O    :    .    :    X    :  |     |  X    :    .    :    .    :  |       |
|  O    :    .    :    .    :  |     |  X    :    .    :    .    :  |       |
|  O    :    .    :    .    :  |     |  X    :    .    :    .    :  |       |
|                              |     |                              |       |
|  X    :    .    :    .    :  |     |  O    :    .    :    .    :  |       |
|  X    :    .    :    .    :  |     |  O    :    .    :    .    :  |       |
|  X    :    .    :    O    :  |     |  O    :    .    :    .    :  |       |
|  X    :    .    :    O    :  |     |  O    :    .    :    .    X  |       |
|  X    :    .    :    O    :  |     |  O    :    .    :    .    X  |       |
-- 12 - 11 - 10 - 9 -- 8 -- 7 --------- 6 -- 5 -- 4 -- 3 -- 2 -- 1 ----------"""


def plain(board, lamps=()):
    return render_board(board, lamps, colour=False)


def without_colours(text):
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def test_the_start_position_as_it_lies_on_the_table():
    assert plain(START) == START_DRAWN


def test_a_tall_stack_says_its_number_on_the_fifth_checker():
    lines = plain(DrawnBoard(points=(11,) + (0,) * 23)).split("\n")
    assert [line[1:6].strip() for line in lines[1:6]] == ["O", "O", "O", "O", "11"]


def test_the_bar_and_the_trays_show_their_checkers():
    lines = plain(DrawnBoard(bar=(2, -1), off=(0, -13))).split("\n")
    assert [line[31:38].strip(" |") for line in lines[1:12]] == ["O", "O", *[""] * 8, "X"]
    assert lines[11].endswith("|  X  13|")


def test_a_lit_place_has_the_sign_of_its_blink_on_both_sides():
    lamps = [
        PlaceLight(place=7, rgb=AMBER),
        PlaceLight(place=18, rgb=RED, blink=Blink.FAST),
        PlaceLight(place=25, rgb=(255, 255, 255), blink=Blink.SLOW),
        PlaceLight(place=26, rgb=GREEN, blink=Blink.ONCE),
    ]
    drawing = plain(START, lamps)
    for marked in ("*20*", "!6!", "~bar~", "+off+"):
        assert marked in drawing
    assert drawing.split("\n")[13:] == [
        " * amber, steady: 20",
        " ! red, fast: 6",
        " ~ white, slow: bar",
        " + green, once: off",
    ]


def test_in_colour_a_lit_place_has_its_colour_as_ground():
    drawing = render_board(START, [PlaceLight(place=18, rgb=(250, 1, 2), blink=Blink.FAST)])
    assert re.search(r"48;2;250;1;2m !6! ", drawing)


counts = st.integers(-15, 15)
boards = st.builds(
    DrawnBoard,
    points=st.lists(counts, min_size=24, max_size=24),
    bar=st.tuples(counts, counts),
    off=st.tuples(counts, counts),
    labels=st.just(LABELS),
)
lamps = st.lists(
    st.builds(PlaceLight, place=st.integers(0, N_LIGHTS - 1), rgb=st.just(RED), blink=st.sampled_from(Blink))
)


@given(boards, lamps, st.booleans())
def test_any_board_fits_into_80_columns(board, lit, colour):
    lines = without_colours(render_board(board, lit, colour=colour)).split("\n")
    assert all(len(line) <= 78 for line in lines[:13])


@given(boards)
def test_every_checker_of_small_stacks_is_drawn(board):
    drawing = "\n".join(plain(board).split("\n")[1:-1])
    piles = [*board.points, *board.bar]
    expected = sum(min(count, 4 if count > 5 else 5) for count in piles if count > 0)
    assert drawing.count("O") == expected + sum(count > 0 for count in board.off)


class OnTheStrip:
    """The LED strip, seen by its chips."""

    def __init__(self) -> None:
        self.gpio = FakeGpio()
        self.lights = StripLights(self.gpio, HandClock())

    def lit(self) -> set[int]:
        last = updates(list(self.gpio.edges), N_LIGHTS)[-1:]
        return {STRIP_ORDER[i] for leds in last for i, led in enumerate(leds) if led[0]}


class InTheMirror:
    """The stand-in of the tests."""

    def __init__(self) -> None:
        self.lights = MirrorLights(HandClock())

    def lit(self) -> set[int]:
        return {lamp.place for lamp in self.lights.lamps}


@pytest.mark.parametrize("make", [OnTheStrip, InTheMirror])
class TestEveryLights:
    @pytest.fixture
    def seen(self, make):
        seen = make()
        yield seen
        seen.lights.close()

    def test_exactly_the_lamps_shown_last_are_lit(self, seen):
        seen.lights.show([PlaceLight(place=3, rgb=RED), PlaceLight(place=20, rgb=AMBER)])
        wait_until(lambda: seen.lit() == {3, 20})
        seen.lights.show([PlaceLight(place=20, rgb=AMBER)])
        wait_until(lambda: seen.lit() == {20})

    def test_closed_twice_all_is_dark(self, seen):
        seen.lights.show([PlaceLight(place=3, rgb=RED)])
        wait_until(lambda: seen.lit() == {3})
        seen.lights.close()
        seen.lights.close()
        assert seen.lit() == set()
