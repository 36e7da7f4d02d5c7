"""The serial driver on a pseudo-terminal: handshake, losses, cables pulled."""

import io
import os
import pty
import select
import termios
import threading
import tty
from pathlib import Path

import pytest

from hardware import dice_port
from hardware.device_errors import DicePortNotFound
from hardware.dice_events import DiceEvent, DiceSettled, SensorFound, SensorLost
from hardware.dice_log import DiceLog, DiceLogWriter
from hardware.dice_port import PortTiming, SerialDice, find_dice_port
from hardware.simulated.simulated_port import TrayOnAPty
from tests.hardware.hand_clock import HandClock, wait_until

QUICK = PortTiming(ask_every_ms=50, retry_s=(0.005,))


class Table:
    """A tray, the driver that listens to it, and one clock for both."""

    def __init__(self, folder: Path) -> None:
        self.clock = HandClock()
        self.tray = TrayOnAPty(folder / "tray", self.clock)
        self.log = io.BytesIO()
        self.dice = SerialDice(
            lambda: find_dice_port(str(self.tray.link)), self.clock, log=DiceLogWriter(self.log), timing=QUICK
        )
        self.heard: list[DiceEvent] = []

    def wait_for(self, *kinds: type[DiceEvent]) -> list[DiceEvent]:
        """The events heard until one of each kind has come, in order."""
        fresh: list[DiceEvent] = []

        def have_all() -> bool:
            fresh.extend(self.dice.events_until(self.clock()))
            return all(any(isinstance(event, kind) for event in fresh) for kind in kinds)

        wait_until(have_all)
        self.heard += fresh
        return fresh

    def close(self) -> None:
        self.dice.close()
        self.tray.pull_out()


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    yield table
    table.close()


def test_the_tray_is_found_says_who_it_is_and_what_lies_in_it(table):
    table.tray.happen(1, "4")
    table.wait_for(SensorFound, DiceSettled)
    wait_until(lambda: table.dice.hello is not None)
    assert table.dice.hello.dice == 2
    assert DiceSettled(t_ms=0, die=1, face=4) in table.heard


def test_events_carry_the_time_at_which_their_line_came(table):
    table.wait_for(SensorFound)
    table.clock.t_ms = 700
    table.tray.happen(2, "5")
    assert DiceSettled(t_ms=700, die=2, face=5) in table.wait_for(DiceSettled)


def test_noise_on_the_line_costs_nothing(table):
    table.wait_for(SensorFound)
    table.tray.noise(b"\x00\xffgarbage$$$3,FA")
    table.tray.happen(1, "3")
    assert DiceSettled(t_ms=0, die=1, face=3) in table.wait_for(DiceSettled)


def test_a_face_lost_on_its_way_is_asked_for_after_the_gap(table):
    table.tray.happen(1, "2")
    table.wait_for(SensorFound, DiceSettled)
    wait_until(lambda: b"FACE,2,-" in table.log.getvalue())
    table.tray.happen_unheard(2, "6")
    table.clock.t_ms = 1000  # a heartbeat comes, its number shows the gap
    assert DiceSettled(t_ms=1000, die=2, face=6) in table.wait_for(DiceSettled)


def test_a_pulled_cable_is_a_lost_sensor_and_plugged_in_it_is_found_again(table):
    table.wait_for(SensorFound)
    table.tray.pull_out()
    (lost,) = table.wait_for(SensorLost)
    assert "check its cable" in lost.reason
    table.tray.plug_in()
    table.wait_for(SensorFound)
    table.tray.happen(1, "1")
    table.wait_for(DiceSettled)


def test_a_tray_that_falls_silent_is_lost_after_three_heartbeats_and_found_when_it_speaks(table):
    table.wait_for(SensorFound)
    wait_until(lambda: b"FACE,2,-" in table.log.getvalue())  # nothing more is on its way
    table.tray.pause()
    table.clock.t_ms = 3400
    assert table.dice.events_until(3400) == []
    table.clock.t_ms = 3600
    (lost,) = table.wait_for(SensorLost)
    assert lost.t_ms == 3500
    table.tray.go_on()
    table.wait_for(SensorFound)


def test_a_port_that_only_echoes_the_host_is_no_tray():
    """As a modem does, or a cable whose two wires touch."""
    clock, heard = HandClock(), []
    far_end, near_end = pty.openpty()
    tty.setraw(near_end, termios.TCSANOW)
    dice = SerialDice(lambda: os.ttyname(near_end), clock, timing=QUICK)

    def is_lost() -> bool:
        clock.t_ms += 10
        if select.select([far_end], [], [], 0)[0]:
            os.write(far_end, os.read(far_end, 64))
        heard.extend(dice.events_until(clock()))
        return bool(heard)

    wait_until(is_lost)
    dice.close()
    os.close(near_end)
    os.close(far_end)
    assert [type(event) for event in heard] == [SensorLost]


def test_a_port_that_is_not_there_is_said_once(tmp_path):
    tries: list[str] = []

    def nowhere() -> str:
        tries.append(str(tmp_path / "nothing"))
        return tries[-1]

    dice = SerialDice(nowhere, HandClock(), timing=QUICK)
    wait_until(lambda: len(tries) > 5)
    dice.close()
    (lost,) = dice.events_until(0)
    assert isinstance(lost, SensorLost)
    assert "check its cable" in lost.reason


def test_the_raw_log_replays_to_what_was_heard(table):
    table.tray.happen(1, "4")
    table.wait_for(SensorFound, DiceSettled)
    table.clock.t_ms = 900
    table.tray.happen(2, "4")
    table.wait_for(DiceSettled)
    table.dice.close()
    settled = [event for event in DiceLog(table.log.getvalue()).events if isinstance(event, DiceSettled)]
    assert settled == [event for event in table.heard if isinstance(event, DiceSettled)]


def test_a_log_that_cannot_be_written_ends_but_the_dice_are_heard_on(tmp_path):
    clock = HandClock()
    tray = TrayOnAPty(tmp_path / "tray", clock)
    with open("/dev/full", "wb", buffering=0) as full:
        dice = SerialDice(lambda: str(tray.link), clock, log=DiceLogWriter(full), timing=QUICK)
        wait_until(lambda: dice.log_problem is not None)
        tray.happen(1, "6")
        wait_until(lambda: DiceSettled(t_ms=0, die=1, face=6) in dice.events_until(0))
        dice.close()
        tray.pull_out()
    assert dice.log_problem == (
        "The dice log ends here, for it cannot be written (No space left on device): make room there."
    )


def test_plugging_in_a_thousand_times_leaks_no_thread_and_no_descriptor(table):
    table.wait_for(SensorFound)
    threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))
    for _ in range(1000):
        table.tray.pull_out()
        table.wait_for(SensorLost)
        table.tray.plug_in()
        table.wait_for(SensorFound)
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) == descriptors


def test_a_told_port_is_taken_at_its_word():
    assert find_dice_port("/dev/ttyS9") == "/dev/ttyS9"


def test_the_udev_name_goes_before_any_adapter(tmp_path, monkeypatch):
    (tmp_path / "named").touch()
    monkeypatch.setattr(dice_port, "UDEV_NAME", str(tmp_path / "named"))
    assert find_dice_port() == str(tmp_path / "named")


def test_the_only_adapter_is_taken_and_of_several_one_must_be_named(tmp_path, monkeypatch):
    monkeypatch.setattr(dice_port, "UDEV_NAME", str(tmp_path / "named"))
    monkeypatch.setattr(dice_port, "BY_ID", str(tmp_path / "usb-*"))
    with pytest.raises(DicePortNotFound, match="connect its USB cable"):
        find_dice_port()
    (tmp_path / "usb-nano").touch()
    assert find_dice_port() == str(tmp_path / "usb-nano")
    (tmp_path / "usb-printer").touch()
    with pytest.raises(DicePortNotFound, match="2 serial adapters are plugged in"):
        find_dice_port()
