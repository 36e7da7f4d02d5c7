"""Replaying a dice.log: the same events as were heard, and nothing in the file that stops it."""

import io
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from hardware.dice_log import DiceLog, DiceLogWriter
from hardware.simulated.simulated_tray import Happening, SimulatedTray
from hardware.wire import encode
from tests.hardware.stand_ins import SimulatedDice

GAME = b"""\
0 $0,BOOT*17E8
120 $1,HELLO,1,1.0.0,2,face+move*43BC
1017 $2,HB,1,0*0951
2017 $3,HB,2,0*17D2
2695 $4,MOVE,1*D5D6
2935 $5,MOVE,1*9205
3017 $6,HB,3,0*685C
3065 $7,MOVE,2*2DC0
3305 $8,MOVE,2*F402
3345 $9,FACE,1,6*61EE
3662 $10,FACE,2,3*5F2D
4017 $11,HB,4,0*1CB9
"""
THROW = (
    DiceMoving(t_ms=2695, die=1),
    DiceMoving(t_ms=3065, die=2),
    DiceSettled(t_ms=3345, die=1, face=6),
    DiceSettled(t_ms=3662, die=2, face=3),
)


def silent_after(t_ms: int) -> SensorLost:
    return SensorLost(t_ms=t_ms + 3500, reason="The dice sensor has fallen silent: check its cable.")


def test_a_log_gives_the_events_that_were_heard():
    log = DiceLog(GAME)
    assert log.events == (SensorFound(t_ms=0), *THROW, silent_after(4017))
    assert log.problems == []


def test_garbage_in_the_middle_costs_only_the_lines_it_hit():
    damaged = GAME.replace(b"2017 $3,HB", b"\x00\xff\xfe#\n\x1b[31m$$$\x80 7 2017 $3,HB")
    log = DiceLog(damaged)
    assert log.events == (SensorFound(t_ms=0), *THROW, silent_after(4017))
    assert log.problems[0] == ("Line 4 of the dice log is left out: a line that does not begin with $.")


def test_a_line_whose_time_is_lost_came_with_the_line_before_it():
    log = DiceLog(GAME.replace(b"3345 $9", b"$9"))
    assert DiceSettled(t_ms=3305, die=1, face=6) in log.events


@pytest.mark.parametrize("wrong", [b"99999999", b"1"])
def test_one_wild_time_does_not_move_the_lines_around_it(wrong):
    log = DiceLog(GAME.replace(b"3017 $6,HB", wrong + b" $6,HB"))
    assert [event for event in log.events if 3100 < event.t_ms < 5000] == list(THROW[2:])


def heartbeats(n: int) -> bytes:
    return b"".join(b"%d %s" % (10 * i, encode(i % 256, "HB", i, 0)) for i in range(n))


def loading_s(data: bytes) -> float:
    began_s = time.process_time()
    DiceLog(data)
    return time.process_time() - began_s


def test_a_log_of_an_evening_loads_in_time_that_grows_with_its_length():
    short, long = (min(loading_s(heartbeats(n)) for _ in range(2)) for n in (5_000, 40_000))
    assert long < 16 * short, "eight times as many lines"


def test_two_lines_of_one_millisecond_both_keep_it():
    log = DiceLog(GAME.replace(b"3662 $10", b"3345 $10"))
    assert [event.t_ms for event in log.events if isinstance(event, DiceSettled)] == [3345, 3345]


def test_a_torn_last_line_is_left_out():
    log = DiceLog(GAME[: GAME.index(b",3*5F2D")])
    assert log.events == (SensorFound(t_ms=0), *THROW[:3], silent_after(3345))
    assert log.problems == ["Line 11 of the dice log is left out: a line that is cut short or garbled."]


def test_a_missing_log_is_the_callers_to_decide(tmp_path):
    with pytest.raises(FileNotFoundError):
        DiceLog.load(tmp_path / "dice.log")


def test_silence_in_a_log_is_a_lost_sensor_until_it_speaks_again():
    log = DiceLog(GAME + b"60017 $60,HB,60,0*" + encode(60, "HB", 60, 0)[-5:])
    assert log.events[-3:] == (silent_after(4017), SensorFound(t_ms=60017), silent_after(60017))


def test_a_log_without_a_line_of_a_sensor_tells_of_no_sensor():
    echo = b"100 " + encode(0, "HELLO")
    assert DiceLog(b"").events == DiceLog(b"100 garbage\n").events == DiceLog(echo).events == ()


def test_windows_line_ends_change_nothing():
    assert DiceLog(GAME.replace(b"\n", b"\r\n")).events == DiceLog(GAME).events


@given(st.binary(max_size=300), st.integers(0, len(GAME)))
def test_no_garbage_anywhere_raises_and_times_never_go_back(garbage, where):
    log = DiceLog(GAME[:where] + garbage + GAME[where:])
    times = [event.t_ms for event in log.events]
    assert times == sorted(times)


def test_what_a_tray_said_and_a_log_kept_is_replayed_to_the_same_events():
    script = [
        Happening(t_ms=1500, die=1, state="*"),
        Happening(t_ms=2400, die=1, state="5"),
        Happening(t_ms=2500, die=2, state="?"),
        Happening(t_ms=9000, die=1, state="-"),
    ]
    heard = SimulatedDice(script).events_until(10_000)
    tray, file = SimulatedTray(), io.BytesIO()
    for step in script:
        tray.happen(step.t_ms, step.die, step.state)
    writer = DiceLogWriter(file)
    for t_ms, raw in tray.lines_until(10_000):
        writer.write(t_ms, raw.rstrip(b"\n"))
    assert DiceLog(file.getvalue()).events == (*heard, silent_after(10_000))
    assert heard[-1] == DiceLifted(t_ms=9000, die=1)
