"""PROTOCOL.md is the contract: its examples must be lines, and its tables must be what the firmware does."""

import re

from hardware.wire import LOST_AFTER_MS, MAX_LINE_BYTES, PROTOCOL_VERSION, AskHello, AskSnap, Line, parse_line
from tests.paths import FIRMWARE

PAGE = (FIRMWARE / "PROTOCOL.md").read_text()


def defined(name, header):
    (value,) = re.findall(rf"#define {name} (\d+)", (FIRMWARE / "core" / header).read_text())
    return int(value)


def test_every_example_is_a_good_line_and_every_kind_of_line_has_one():
    examples = re.findall(r"`(\$\d[^`]*\*[0-9A-F]{4})`", PAGE)
    found = [parse_line(example.encode()) for example in examples]
    assert all(isinstance(line, Line) for line in found)
    kinds = {type(line.message).__name__ for line in found if isinstance(line, Line)}
    assert kinds == {
        "Boot", "Hello", "Moving", "Face", "Lifted", "Heartbeat", "Error", AskHello.__name__, AskSnap.__name__
    }  # fmt: skip


def test_the_page_lists_exactly_the_faults_that_the_firmware_reports():
    told = set(re.findall(r'say\(tray, "ERR", "(\w+)"\)', (FIRMWARE / "core" / "tray.c").read_text()))
    assert set(re.findall(r"^\| `([A-Z]+)` \|", PAGE, re.MULTILINE)) - {"BOOT", "HELLO", "SNAP"} == told


def test_the_page_the_firmware_and_the_driver_agree_on_their_numbers():
    assert f"Protocol {PROTOCOL_VERSION}." in PAGE
    assert defined("PROTOCOL_NUMBER", "tray.h") == PROTOCOL_VERSION
    assert defined("LINE_MAX_BYTES", "line.h") == MAX_LINE_BYTES
    assert f"At most {MAX_LINE_BYTES} bytes" in PAGE
    assert f"still for | {defined('SETTLE_MS', 'well.h')} ms" in PAGE
    assert f"empty for | {defined('LIFT_MS', 'well.h')} ms" in PAGE
    assert f"stirring for | {defined('MOVE_MS', 'well.h')} ms" in PAGE
    assert f"({LOST_AFTER_MS / 1000} s without any good line)" in PAGE
