"""The real firmware in a simulated ATmega, heard by the serial driver that the service uses."""

import io
import subprocess
import time

import pytest

from hardware.dice_events import DiceEvent, DiceLifted, DiceSettled, SensorFound, SensorLost
from hardware.dice_log import DiceLogWriter
from hardware.dice_port import SerialDice
from tests.firmware.benches import EMPTY, atmega_bench, reflected
from tests.hardware.hand_clock import wait_until


def monotonic_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Nano:
    """The simulated ATmega on a pseudo-terminal, by the clock on the wall, and the driver that listens."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [*atmega_bench(), "--pty"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdout is not None
        self.port = self._process.stdout.readline().decode().strip()
        self.lay(1, EMPTY)
        self.lay(2, EMPTY)
        self.log = io.BytesIO()
        self.dice = SerialDice(lambda: self.port, monotonic_ms, log=DiceLogWriter(self.log))
        self.heard: list[DiceEvent] = []

    def do(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(command.encode() + b"\n")

    def lay(self, well: int, levels: list[int]) -> None:
        self.do(f"set {well - 1} {' '.join(map(str, levels))}")

    def wait_for(self, *news: tuple[object, ...]) -> None:
        """Until each piece of news, as `kind` gives it, has come since the last time."""
        fresh: list[DiceEvent] = []

        def have_all() -> bool:
            fresh.extend(self.dice.events_until(monotonic_ms()))
            return set(news) <= set(map(kind, fresh))

        wait_until(have_all, patience_s=20)
        self.heard += fresh

    def unplug(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


def kind(event: DiceEvent) -> tuple[object, ...]:
    """An event without its time and words."""
    match event:
        case DiceSettled(die=die, face=face):
            return (DiceSettled, die, face)
        case DiceLifted(die=die):
            return (DiceLifted, die)
    return (type(event),)


@pytest.fixture
def nano():
    nano = Nano()
    yield nano
    nano.dice.close()
    nano.unplug()


def test_a_throw_is_heard_from_the_sensors_to_the_event(nano):
    nano.wait_for((SensorFound,))
    nano.lay(1, reflected(6, 1))
    nano.lay(2, reflected(3, 2))
    nano.wait_for((DiceSettled, 1, 6), (DiceSettled, 2, 3))
    nano.lay(1, EMPTY)
    nano.wait_for((DiceLifted, 1))
    assert nano.dice.hello is not None
    assert (nano.dice.hello.protocol, nano.dice.hello.firmware, nano.dice.hello.dice) == (1, "1.0.0", 2)


def test_a_tray_that_restarts_says_its_dice_again_without_being_lost(nano):
    nano.lay(1, reflected(5))
    nano.wait_for((SensorFound,), (DiceSettled, 1, 5))
    nano.do("restart")
    nano.wait_for((DiceSettled, 1, 5))
    assert (SensorLost,) not in map(kind, nano.heard)
    assert nano.log.getvalue().count(b",BOOT*") >= 1


def test_a_tray_that_hangs_and_is_reset_by_its_watchdog_is_heard_again(nano):
    nano.wait_for((SensorFound,))
    nano.do("stall 1")
    bitten_ms = monotonic_ms() + 300  # the watchdog's 250 ms, and some
    wait_until(lambda: monotonic_ms() > bitten_ms)
    nano.do("stall 0")
    wait_until(lambda: b"ERR,WATCHDOG" in nano.log.getvalue())
    assert nano.dice.last_error in ("WATCHDOG", "LEVELS")
    nano.lay(2, reflected(1))
    nano.wait_for((DiceSettled, 2, 1))


def test_a_tray_whose_cable_is_pulled_is_lost(nano):
    nano.wait_for((SensorFound,))
    nano.unplug()
    nano.wait_for((SensorLost,))
