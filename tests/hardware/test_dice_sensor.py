"""One contract for every source of dice: real, simulated, replayed."""

import io
import re

import pytest

from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound
from hardware.dice_log import DiceLog, DiceLogWriter
from hardware.dice_port import PortTiming, SerialDice
from hardware.simulated.simulated_port import TrayOnAPty
from hardware.simulated.simulated_tray import Happening, SimulatedTray
from tests.hardware.hand_clock import HandClock, wait_until
from tests.hardware.stand_ins import SimulatedDice

SCRIPT = [
    Happening(t_ms=1200, die=1, state="*"),
    Happening(t_ms=1300, die=2, state="*"),
    Happening(t_ms=2100, die=1, state="6"),
    Happening(t_ms=2200, die=2, state="?"),
    Happening(t_ms=5000, die=2, state="-"),
]
EVENTS = [
    DiceMoving(t_ms=1200, die=1),
    DiceMoving(t_ms=1300, die=2),
    DiceSettled(t_ms=2100, die=1, face=6),
    DiceSettled(t_ms=2200, die=2, face=None),
    DiceLifted(t_ms=5000, die=2),
]
QUICK = PortTiming(ask_every_ms=50, retry_s=(0.005,))


def simulated(tmp_path):
    return SimulatedDice(SCRIPT), lambda: None


def replayed(tmp_path):
    tray = SimulatedTray()
    for step in SCRIPT:
        tray.happen(step.t_ms, step.die, step.state)
    log = b"".join(b"%d %s" % line for line in tray.lines_until(5000))
    return DiceLog(log), lambda: None


def real(tmp_path):
    """The serial driver, after the script has been played on the tray at the other end of the line."""
    clock, log = HandClock(), io.BytesIO()
    tray = TrayOnAPty(tmp_path / "tray", clock)
    dice = SerialDice(lambda: str(tray.link), clock, log=DiceLogWriter(log), timing=QUICK)
    wait_until(lambda: b"FACE,2,-" in log.getvalue())  # what lay in the tray before
    for step in SCRIPT:
        clock.t_ms = step.t_ms
        tray.happen(step.die, step.state)
        line = rb"%d \$\d+,(MOVE|FACE),%d" % (step.t_ms, step.die)
        wait_until(lambda line=line: re.search(line, log.getvalue()))
    dice.close()
    return dice, tray.pull_out


@pytest.fixture(params=[simulated, replayed, real], ids=lambda make: make.__name__)
def sensor(request, tmp_path):
    dice, pull_out = request.param(tmp_path)
    yield dice
    dice.close()
    pull_out()


def dice_events(events):
    return [event for event in events if not isinstance(event, SensorFound)]


def test_every_event_is_given_once_and_in_order(sensor):
    assert dice_events(sensor.events_until(8000)) == EVENTS
    assert list(sensor.events_until(8000)) == []


def test_nothing_is_given_before_its_time(sensor):
    assert dice_events(sensor.events_until(1299)) == EVENTS[:1]
    assert dice_events(sensor.events_until(2100)) == EVENTS[1:3]
    assert dice_events(sensor.events_until(5000)) == EVENTS[3:]


def test_the_sensor_is_found_before_its_first_die_moves(sensor):
    assert [type(event) for event in sensor.events_until(1200)] == [SensorFound, DiceMoving]


def test_closing_twice_is_once(sensor):
    sensor.close()
    sensor.close()
