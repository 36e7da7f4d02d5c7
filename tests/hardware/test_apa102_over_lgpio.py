"""The LED strip over the real rpi-lgpio, with a handful of lgpio's calls faked."""

import importlib.util
import json
import os
import subprocess
import sys

from hardware.apa102 import STRIP_ORDER
from tests.hardware.fake_gpio import updates
from tests.paths import ROOT
from tests.peers import require_peer

LIGHT_ONE = """
import json, sys

from hardware.apa102 import StripLights, load_gpio
from hardware.device_errors import LightsUnavailable
from hardware.light_port import PlaceLight
from tests.hardware.fake_gpio import updates
from tests.hardware.hand_clock import HandClock, wait_until

gpio = load_gpio()
import lgpio

PULLS, OUTPUT = 0, 0x200
modes, calls = {}, []

def claim_output(chip, gpio, level, flags):
    modes[gpio] = OUTPUT
    return 0

def write(chip, gpio, level):
    calls.append((gpio, int(level)))
    return 0

def give_back(chip, gpio, *flags):
    modes.pop(gpio, None)
    return 0

def open_chip(number):
    if "--no-chip" in sys.argv:
        raise lgpio.error("can not open gpiochip")
    return 0

lgpio.gpiochip_open = open_chip
lgpio.gpio_get_mode = lambda chip, gpio: modes.get(gpio, 0)
lgpio.gpio_claim_output = claim_output
lgpio.gpio_write = write
lgpio.gpio_claim_input = lgpio.gpio_free = give_back

try:
    lights = StripLights(gpio, HandClock(), max_brightness=1)
except LightsUnavailable as problem:
    sys.exit(f"said: {problem}")
lights.show([PlaceLight(place=3, rgb=(200, 100, 50))])
wait_until(lambda: any(led[0] for leds in updates(list(calls), 28) for led in leds))
lights.close()
assert modes == {}
print(json.dumps(calls))
"""


UNWRITABLE = "/proc"
"""A folder in which not even root can make a file."""


def run_on_a_faked_pi(*arguments):
    require_peer(importlib.util.find_spec("lgpio"), "PyPI's rpi-lgpio")
    return subprocess.run(
        [sys.executable, "-c", LIGHT_ONE, *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), "RPI_LGPIO_REVISION": "c03114"},
        cwd=UNWRITABLE,  # as the service runs in /
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_strip_is_lit_and_goes_dark_through_rpi_lgpio():
    ran = run_on_a_faked_pi()
    assert ran.returncode == 0, ran.stderr
    shown = updates([tuple(call) for call in json.loads(ran.stdout)], 28)
    lit = [{STRIP_ORDER[i]: led[1:] for i, led in enumerate(leds) if led[0]} for leds in shown]
    assert {3: (200, 100, 50)} in lit
    assert lit[-1] == {}


def test_a_gpio_chip_that_cannot_be_opened_is_one_sentence():
    ran = run_on_a_faked_pi("--no-chip")
    assert ran.stderr.startswith("said: The LED pins cannot be used (")
    assert "Traceback" not in ran.stderr
