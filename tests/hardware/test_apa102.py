"""The LED strip: what the chips see, what it draws, what it costs."""

import subprocess
import sys
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.apa102 import DARK, STRIP_ORDER, Led, LedStrip, StripLights, leds_for, load_gpio
from hardware.device_errors import LightsUnavailable
from hardware.light_port import N_LIGHTS, Blink, PlaceLight
from tests.hardware.fake_gpio import FakeGpio, updates
from tests.hardware.hand_clock import HandClock, wait_until
from tests.paths import ROOT

RED, AMBER, WHITE = (255, 0, 0), (255, 140, 0), (255, 255, 255)
OFF = (0, 0, 0, 0)

lamps = st.lists(
    st.builds(
        PlaceLight,
        place=st.integers(0, N_LIGHTS - 1),
        rgb=st.tuples(*[st.integers(0, 255)] * 3),
        brightness=st.floats(0, 1),
    ),
    max_size=N_LIGHTS,
    unique_by=lambda lamp: lamp.place,
)


@pytest.fixture
def gpio():
    return FakeGpio()


def test_an_led_gets_its_level_and_its_colour(gpio):
    LedStrip(gpio).send([Led(level=31, rgb=(1, 2, 3)), DARK, Led(level=5, rgb=(255, 128, 64))])
    assert updates(gpio.edges, 3) == [[(31, 1, 2, 3), OFF, (5, 255, 128, 64)]]


def test_an_update_of_a_dark_strip_takes_2008_calls_and_a_few_lamps_hardly_more(gpio):
    strip = LedStrip(gpio)
    strip.send([DARK] * N_LIGHTS)
    assert len(gpio.take_edges()) == 2008  # 976 bits, two clock edges each, and 28 times data up and down
    strip.send(leds_for([PlaceLight(place=p, rgb=RED) for p in (5, 7, 12)], max_brightness=0.5, max_ma=1000))
    assert len(gpio.take_edges()) <= 2020


@given(lamps)
def test_no_update_takes_more_than_2900_calls(lit):
    gpio = FakeGpio()
    LedStrip(gpio).send(leds_for(lit, max_brightness=1, max_ma=9999))
    assert len(gpio.edges) <= 2900


def test_places_lie_along_the_strip_in_its_order():
    leds = leds_for([PlaceLight(place=23, rgb=RED)], max_brightness=1, max_ma=9999)
    assert [i for i, led in enumerate(leds) if led != DARK] == [STRIP_ORDER.index(23)] == [15]
    backwards = tuple(reversed(STRIP_ORDER))
    leds = leds_for([PlaceLight(place=23, rgb=RED)], order=backwards, max_brightness=1, max_ma=9999)
    assert [i for i, led in enumerate(leds) if led != DARK] == [12]


def test_the_default_strip_runs_along_the_top_and_back_along_the_bottom():
    assert STRIP_ORDER[:7] == (0, 1, 2, 3, 4, 5, 24)
    assert STRIP_ORDER[12:16] == (11, 26, 27, 23)
    assert sorted(STRIP_ORDER) == list(range(28))


def test_a_lamp_half_as_bright_gets_half_the_level_and_never_less_than_one():
    def level(brightness):
        (led,) = leds_for(
            [PlaceLight(place=0, rgb=RED, brightness=brightness)], order=(0,), max_brightness=1, max_ma=99
        )
        return led.level

    assert [level(b) for b in (1, 0.5, 0.01, 0)] == [31, 16, 1, 0]


def test_the_brightness_cap_holds_for_the_brightest_lamp():
    leds = leds_for([PlaceLight(place=0, rgb=WHITE)], max_brightness=0.2, max_ma=9999)
    assert max(led.level for led in leds) == 6


def test_28_white_leds_would_draw_1708_ma_and_are_dimmed_to_the_cap():
    everything = [PlaceLight(place=p, rgb=WHITE) for p in range(N_LIGHTS)]
    free = leds_for(everything, max_brightness=1, max_ma=9999)
    assert sum(led.ma for led in free) == pytest.approx(1708)
    capped = leds_for(everything, max_brightness=1, max_ma=500)
    assert 480 < sum(led.ma for led in capped) <= 500
    assert len({led.rgb for led in capped}) == 1


@given(lamps, st.floats(30, 2000), st.floats(0, 1))
def test_whatever_is_lit_the_strip_never_draws_more_than_its_cap(lit, max_ma, max_brightness):
    leds = leds_for(lit, max_brightness=max_brightness, max_ma=max_ma)
    assert sum(led.ma for led in leds) <= max_ma + 1e-9


def test_under_a_cap_below_what_dark_leds_draw_all_stay_dark():
    leds = leds_for([PlaceLight(place=3, rgb=RED)], max_brightness=1, max_ma=20)
    assert {led.rgb for led in leds} == {(0, 0, 0)}


def test_of_two_lamps_at_one_place_the_later_one_is_shown():
    lit = [PlaceLight(place=0, rgb=RED), PlaceLight(place=0, rgb=AMBER)]
    (led,) = leds_for(lit, order=(0,), max_brightness=1, max_ma=9999)
    assert led.rgb == AMBER


class LitStrip:
    """The lights over a fake GPIO, and what the LEDs showed, by place."""

    def __init__(self, **settings) -> None:
        self.clock = HandClock()
        self.gpio = FakeGpio()
        self.lights = StripLights(self.gpio, self.clock, **settings)

    def history(self) -> list[dict[int, tuple[int, int, int]]]:
        """The places lit and their colours after each update."""
        return [
            {STRIP_ORDER[i]: led[1:] for i, led in enumerate(leds) if led[0]}
            for leds in updates(list(self.gpio.edges), N_LIGHTS)
        ]

    def wait_for(self, lit: dict[int, tuple[int, int, int]]) -> None:
        wait_until(lambda: self.history()[-1:] == [lit])


@pytest.fixture
def strip():
    strip = LitStrip()
    yield strip
    strip.lights.close()


def test_lamps_are_lit_and_replaced(strip):
    strip.lights.show([PlaceLight(place=3, rgb=RED), PlaceLight(place=25, rgb=AMBER)])
    strip.wait_for({3: RED, 25: AMBER})
    strip.lights.show([PlaceLight(place=25, rgb=AMBER)])
    strip.wait_for({25: AMBER})


def test_the_strip_is_dark_at_the_start_and_after_closing(strip):
    strip.wait_for({})
    strip.lights.show([PlaceLight(place=3, rgb=RED)])
    strip.wait_for({3: RED})
    strip.lights.close()
    assert strip.history() == [{}, {3: RED}, {}]
    assert strip.gpio.outputs == {}
    strip.lights.close()


def test_unless_told_otherwise_a_strip_draws_no_more_than_half_of_a_2_a_supply():
    strip = LitStrip(max_brightness=1)
    strip.lights.show([PlaceLight(place=place, rgb=WHITE) for place in range(N_LIGHTS)])
    wait_until(lambda: any(len(lit) == N_LIGHTS for lit in strip.history()))
    *_, leds = updates(list(strip.gpio.edges), N_LIGHTS)
    strip.lights.close()
    assert 900 < sum(Led(level=level, rgb=rgb).ma for level, *rgb in leds) <= 1000


def test_what_is_shown_already_is_not_sent_again(strip):
    strip.lights.show([PlaceLight(place=3, rgb=RED)])
    strip.wait_for({3: RED})
    strip.lights.show([PlaceLight(place=3, rgb=RED)])
    strip.lights.show([PlaceLight(place=4, rgb=RED)])
    strip.wait_for({4: RED})
    assert strip.history()[-2:] == [{3: RED}, {4: RED}]


def test_a_fast_lamp_goes_on_and_off_four_times_a_second(strip):
    strip.lights.show([PlaceLight(place=3, rgb=RED, blink=Blink.FAST)])
    for t_ms, lit in [(0, {3: RED}), (250, {}), (500, {3: RED}), (750, {})]:
        strip.clock.t_ms = t_ms
        strip.wait_for(lit)


def test_a_lamp_shown_again_blinks_on_without_beginning_anew(strip):
    strip.lights.show([PlaceLight(place=3, rgb=RED, blink=Blink.ONCE)])
    strip.wait_for({3: RED})
    strip.clock.t_ms = 900
    strip.lights.show([PlaceLight(place=3, rgb=RED, blink=Blink.ONCE), PlaceLight(place=4, rgb=WHITE)])
    strip.wait_for({4: WHITE})


def test_showing_never_waits_for_the_strip(strip):
    strip.wait_for({})
    may_go_on = threading.Event()
    strip.gpio.on_output = may_go_on.wait
    strip.lights.show([PlaceLight(place=3, rgb=RED)])
    strip.lights.show([PlaceLight(place=4, rgb=RED)])  # the first update hangs on its first call meanwhile
    assert not may_go_on.is_set()
    may_go_on.set()
    strip.wait_for({4: RED})


def test_a_strip_whose_pins_fail_says_so_and_does_not_stop_the_game(strip):
    strip.wait_for({})

    def fail() -> None:
        raise RuntimeError("not an output")

    strip.gpio.on_output = fail
    strip.lights.show([PlaceLight(place=3, rgb=RED)])
    wait_until(lambda: strip.lights.problem is not None)
    assert strip.lights.problem == (
        "The LED strip can no longer be driven (not an output): check who else uses its pins."
    )
    strip.lights.show([])


def test_an_order_that_forgets_a_place_is_refused():
    with pytest.raises(ValueError, match="each place"):
        StripLights(FakeGpio(), HandClock(), order=STRIP_ORDER[1:])


LEAVE_WITHOUT_CLOSING = """
import sys
from hardware.apa102 import StripLights
from hardware.light_port import PlaceLight
from tests.hardware.fake_gpio import FakeGpio, updates
from tests.hardware.hand_clock import HandClock, wait_until
import atexit
gpio = FakeGpio()
atexit.register(lambda: print([sum(led[0] > 0 for led in leds) for leds in updates(gpio.edges, 28)]))
lights = StripLights(gpio, HandClock())
lights.show([PlaceLight(place=3, rgb=(255, 0, 0))])
wait_until(lambda: any(any(led[0] for led in leds) for leds in updates(list(gpio.edges), 28)))
raise SystemError("a crash")
"""


def test_a_program_that_crashes_leaves_the_strip_dark():
    crashed = subprocess.run(
        [sys.executable, "-c", LEAVE_WITHOUT_CLOSING],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert "SystemError: a crash" in crashed.stderr
    counts = crashed.stdout.strip()
    assert counts.endswith("1, 0]"), counts


def test_without_a_pi_one_sentence_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "RPi", None)
    with pytest.raises(
        LightsUnavailable, match="No GPIO library is installed: run sudo apt install python3-rpi-lgpio"
    ):
        load_gpio()


def test_a_gpio_library_that_finds_no_pi_is_said_too(monkeypatch, tmp_path):
    (tmp_path / "RPi").mkdir()
    (tmp_path / "RPi" / "__init__.py").touch()
    (tmp_path / "RPi" / "GPIO.py").write_text("raise RuntimeError('This module can only be run on a Pi!')")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("RPi", "RPi.GPIO"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    with pytest.raises(
        LightsUnavailable, match=r"This is no Raspberry Pi that RPi.GPIO knows .*: connect the LEDs to one"
    ):
        load_gpio()
