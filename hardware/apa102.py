"""A strip of SK9822 or APA102 LEDs on two GPIO lines, through the RPi.GPIO interface.

The module `RPi.GPIO` comes from RPi.GPIO itself (Pi 1 to 4) or from rpi-lgpio (Pi 5, newer kernels). Bits are
sent by software on BCM10 (data) and BCM11 (clock), which are also the pins of hardware SPI. One update of
28 LEDs takes some 2,000 GPIO calls, 10 to 200 ms. A thread sends it, and only when something changes.

An update: 32 zero bits; for each LED 111, five bits of brightness, then blue, green and red; then an end
frame of zero bits, 32 for the SK9822's latch and one for every two LEDs (APA102 and SK9822 data sheets).
"""

import atexit
import importlib
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import chdir
from dataclasses import dataclass
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, Protocol

from hardware.device_errors import LightsUnavailable
from hardware.light_port import BOTTOM_BAR, BOTTOM_TRAY, N_LIGHTS, TOP_BAR, TOP_TRAY, LampAges, PlaceLight
from sentences import say

DATA_BCM = 10
CLOCK_BCM = 11

STRIP_ORDER: tuple[int, ...] = (
    *range(6),
    TOP_BAR,
    *range(6, 12),
    TOP_TRAY,
    BOTTOM_TRAY,
    *range(23, 17, -1),
    BOTTOM_BAR,
    *range(17, 11, -1),
)
"""The place that each LED along the strip lights, by default. The strip enters at the top left, runs along
the top edge to the right, passes the two trays and comes back along the bottom edge. Both bar halves lie in
the middle of their row."""

MA_PER_CHANNEL = 20.0
"""Current in mA of one colour of one LED at full brightness (SK9822 data sheet: 0.2 W at 5 V for three)."""
MA_IDLE = 1.0
"""Current of one dark LED in mA. Guess."""


MAX_BRIGHTNESS = 0.5
"""Share of full brightness (0 to 1) that a lamp of brightness 1 gets by default. Guess."""
MAX_MA = 1000.0
"""Current in mA that the strip may draw by default: half of what a 2 A supply gives."""


class Gpio(Protocol):
    """The part of the RPi.GPIO module that is used here."""

    BCM: int
    OUT: int

    def setwarnings(self, flag: bool) -> None:
        """Choose whether to warn of a pin that is still set up from a killed run."""

    def setmode(self, mode: int) -> None:
        """Choose how pins are numbered."""

    def setup(self, channel: int, direction: int, *, initial: int) -> None:
        """Make a pin an output."""

    def output(self, channel: int, value: int) -> None:
        """Set a pin high or low."""

    def cleanup(self, channel: Sequence[int]) -> None:
        """Make the pins inputs again."""


def load_gpio() -> Gpio:
    """The RPi.GPIO module of this machine. Raises LightsUnavailable when there is none."""
    try:
        # lgpio makes a pipe in the current folder, where a service may not write.
        with TemporaryDirectory() as folder, chdir(folder):
            gpio: Any = importlib.import_module("RPi.GPIO")
    except ImportError as error:
        raise LightsUnavailable(say("no_gpio_library")) from error
    except RuntimeError as error:
        raise LightsUnavailable(say("no_raspberry_pi", problem=error)) from error
    return gpio  # type: ignore[no-any-return]


def gpio_errors() -> tuple[type[Exception], ...]:
    """The errors that the GPIO library raises for an unusable pin. lgpio, if loaded, has its own."""
    lgpio = sys.modules.get("lgpio")
    return (OSError, RuntimeError, ValueError) + ((lgpio.error,) if lgpio else ())


@dataclass(frozen=True, kw_only=True)
class Led:
    """The values sent to one LED: `level` 0 to 31; red, green and blue 0 to 255."""

    level: int = 0
    rgb: tuple[int, int, int] = (0, 0, 0)

    @property
    def ma(self) -> float:
        """The current that the LED draws, in mA."""
        return MA_IDLE + MA_PER_CHANNEL * sum(self.rgb) / 255 * self.level / 31


DARK = Led()


def leds_for(
    lamps: Sequence[PlaceLight], *, order: Sequence[int] = STRIP_ORDER, max_brightness: float, max_ma: float
) -> tuple[Led, ...]:
    """The values for each LED along the strip to light these lamps.

    When they would draw more than `max_ma` together, all are dimmed by the same factor. Where two lamps share
    a place the later one is shown.
    """
    by_place = {lamp.place: lamp for lamp in lamps}
    leds = [_led(by_place.get(place), max_brightness) for place in order]
    idle_ma = MA_IDLE * len(leds)
    wanted_ma = sum(led.ma for led in leds) - idle_ma
    share = min(1.0, max(0.0, max_ma - idle_ma) / wanted_ma) if wanted_ma else 1.0
    return tuple(led if share == 1.0 else _dimmed(led, share) for led in leds)


def _led(lamp: PlaceLight | None, max_brightness: float) -> Led:
    if lamp is None or lamp.brightness == 0:
        return DARK
    return Led(level=max(1, round(31 * lamp.brightness * max_brightness)), rgb=lamp.rgb)


def _dimmed(led: Led, share: float) -> Led:
    red, green, blue = (int(value * share) for value in led.rgb)
    return Led(level=led.level, rgb=(red, green, blue))


def strip_bits(leds: Sequence[Led]) -> list[int]:
    """The bits of one update, first to last."""
    data = bytearray(4)
    for led in leds:
        red, green, blue = led.rgb
        data += bytes((0xE0 | led.level, blue, green, red))
    data += bytes(4 + (len(leds) + 15) // 16)
    return [byte >> shift & 1 for byte in data for shift in range(7, -1, -1)]


class LedStrip:
    """The two GPIO lines of a strip. The data line is set only when a bit differs from the last one.

    Raises LightsUnavailable when the pins cannot be used.
    """

    def __init__(self, gpio: Gpio, *, data_bcm: int = DATA_BCM, clock_bcm: int = CLOCK_BCM) -> None:
        self._gpio = gpio
        self._data, self._clock = data_bcm, clock_bcm
        self._level = 0
        try:
            gpio.setwarnings(False)
            gpio.setmode(gpio.BCM)
            gpio.setup(data_bcm, gpio.OUT, initial=0)
            gpio.setup(clock_bcm, gpio.OUT, initial=0)
        except gpio_errors() as error:
            raise LightsUnavailable(say("pins_unusable", problem=error)) from error

    def send(self, leds: Sequence[Led]) -> None:
        """Send one update. The LEDs hold it until the next one."""
        output, clock = self._gpio.output, self._clock
        for bit in strip_bits(leds):
            if bit != self._level:
                output(self._data, bit)
                self._level = bit
            output(clock, 1)
            output(clock, 0)

    def release(self) -> None:
        """Release the two pins."""
        self._gpio.cleanup((self._data, self._clock))


class StripLights:
    """The LED strip as Lights. A thread sends changes. All LEDs go dark on `close` and when Python ends.

    clock_ms: monotonic milliseconds, used for blinking.
    order: the place that each LED along the strip lights.
    max_brightness: 0 to 1, the share of full brightness for a lamp of brightness 1.
    max_ma: largest current of the whole strip, in mA.
    """

    def __init__(
        self,
        gpio: Gpio,
        clock_ms: Callable[[], int],
        *,
        data_bcm: int = DATA_BCM,
        clock_bcm: int = CLOCK_BCM,
        order: Sequence[int] = STRIP_ORDER,
        max_brightness: float = MAX_BRIGHTNESS,
        max_ma: float = MAX_MA,
    ) -> None:
        if sorted(order) != list(range(N_LIGHTS)):
            raise ValueError(say("strip_order_wrong", last=N_LIGHTS - 1))
        self._strip = LedStrip(gpio, data_bcm=data_bcm, clock_bcm=clock_bcm)
        self._clock_ms = clock_ms
        self._leds_for = partial(leds_for, order=order, max_brightness=max_brightness, max_ma=max_ma)
        self._ages = LampAges()
        self._closing = False
        self._changed = threading.Condition()
        self.problem: str | None = None
        """Why the strip is no longer driven, or None."""
        atexit.register(self.close)
        self._thread = threading.Thread(target=self._run, name="LED strip", daemon=True)
        self._thread.start()

    def show(self, lamps: Sequence[PlaceLight]) -> None:
        """Light these lamps and no others. Returns at once."""
        with self._changed:
            self._ages = self._ages.asked(lamps, self._clock_ms())
            self._changed.notify()

    def close(self) -> None:
        """Make all LEDs dark and release the pins."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()
        atexit.unregister(self.close)

    def _run(self) -> None:
        try:
            self._send_changes()
        except gpio_errors() as error:
            self.problem = say("strip_stopped", problem=error)

    def _send_changes(self) -> None:
        sent: tuple[Led, ...] = ()
        try:
            while (wanted := self._wanted(sent)) is not None:
                self._strip.send(wanted)
                sent = wanted
        finally:
            self._strip.send([DARK] * N_LIGHTS)
            self._strip.release()

    def _wanted(self, sent: tuple[Led, ...]) -> tuple[Led, ...] | None:
        """Wait until the strip should show something else. Returns that, or None when closing."""
        with self._changed:
            while not self._closing:
                now_ms = self._clock_ms()
                wanted = self._leds_for(self._ages.lit(now_ms))
                if wanted != sent:
                    return wanted
                wait_ms = self._ages.next_change_ms(now_ms)
                self._changed.wait(None if wait_ms is None else wait_ms / 1000)
        return None
