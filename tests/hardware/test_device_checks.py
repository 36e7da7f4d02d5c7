"""The doctor: each part ok, not ok or not there, and what to do."""

import itertools
import os
import pty
import time
import tty
from datetime import UTC, datetime
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from hardware import device_checks as doctor
from hardware import live_camera
from hardware.device_checks import CheckStatus, Finding, Setup, all_well, check_devices, sharpness
from hardware.simulated.simulated_port import TrayOnAPty
from tests.hardware.hand_clock import HandClock


def test_with_nothing_connected_every_part_says_what_is_missing_within_five_seconds(tmp_path):
    setup = Setup(
        dice_port=str(tmp_path / "nothing"), camera=str(tmp_path / "video0"), record_folder=tmp_path
    )
    started = time.monotonic()
    findings = list(check_devices(setup, HandClock()))
    assert time.monotonic() - started < 5
    assert [finding.part for finding in findings] == [
        "computer", "supply", "GPIO library", "LED current", "dice tray", "camera", "light", "focus",
        "permissions", "disk", "clock",
    ]  # fmt: skip
    states = {finding.part: finding.state for finding in findings}
    assert states["camera"] is CheckStatus.MISSING
    assert states["dice tray"] is CheckStatus.WRONG
    assert all(finding.words.endswith((".", ").")) for finding in findings)
    assert not all_well(findings)


def test_a_pi_is_known_by_its_model(tmp_path):
    model = tmp_path / "model"
    model.write_bytes(b"Raspberry Pi Zero 2 W Rev 1.0\0")
    assert doctor.check_computer(model).words == "Raspberry Pi Zero 2 W Rev 1.0."
    model.write_bytes(b"Radxa ROCK 5B\0")
    assert doctor.check_computer(model).state is CheckStatus.MISSING
    assert doctor.check_computer(tmp_path / "none").state is CheckStatus.MISSING


@pytest.mark.parametrize(("alarm", "state"), [("0", CheckStatus.OK), ("1", CheckStatus.WRONG)])
def test_a_pi_that_got_too_little_voltage_is_not_ok(tmp_path, alarm, state):
    monitor = tmp_path / "hwmon1"
    monitor.mkdir()
    (monitor / "name").write_text("rpi_volt\n")
    (monitor / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    assert doctor.check_supply(tmp_path).state is state
    assert doctor.check_supply(tmp_path / "none").state is CheckStatus.MISSING


def test_leds_that_may_draw_more_than_their_supply_gives_are_not_ok():
    assert doctor.check_led_current(Setup(led_max_ma=1000, led_supply_ma=2000)).state is CheckStatus.OK
    finding = doctor.check_led_current(Setup(led_max_ma=1500, led_supply_ma=1000))
    assert finding.state is CheckStatus.WRONG
    assert "all white they would draw 1708" in finding.words


def test_a_tray_that_answers_is_ok_and_says_its_firmware(tmp_path):
    clock = HandClock()
    tray = TrayOnAPty(tmp_path / "tray", clock)
    finding = doctor.check_dice_tray(Setup(dice_port=str(tray.link)), clock)
    tray.pull_out()
    assert finding.state is CheckStatus.OK
    assert finding.words == f"Firmware simulated at {tray.link} reads 2 dice."


def test_a_named_port_that_is_not_there_wants_its_cable(tmp_path):
    finding = doctor.check_dice_tray(Setup(dice_port=str(tmp_path / "ttyUSB0")), HandClock())
    assert finding.state is CheckStatus.WRONG
    assert "connect its USB cable" in finding.words


def test_a_port_that_is_silent_wants_the_firmware():
    master, slave = pty.openpty()
    tty.setraw(slave)
    seconds = itertools.count()
    finding = doctor.check_dice_tray(Setup(dice_port=os.ttyname(slave)), lambda: next(seconds) * 1000)
    os.close(master)
    os.close(slave)
    assert finding.state is CheckStatus.WRONG
    assert "make -C firmware flash" in finding.words


class SilentCapture:
    """cv2.VideoCapture of a camera that gives no picture."""

    n_waits = 0

    def __init__(self, device, backend) -> None: ...

    def isOpened(self):
        return True

    def set(self, name, value): ...

    def grab(self):
        SilentCapture.n_waits += 1
        return False

    def release(self): ...


def test_a_silent_camera_is_waited_for_once(monkeypatch, tmp_path):
    monkeypatch.setattr(live_camera.cv2, "VideoCapture", SilentCapture)
    (tmp_path / "video0").touch()
    camera = next(doctor.check_camera(Setup(camera=str(tmp_path / "video0"))))
    assert camera.state is CheckStatus.WRONG
    assert SilentCapture.n_waits == 1


def scene() -> np.ndarray:
    """Discs on triangles under even light."""
    image = np.full((720, 1280, 3), (60, 90, 80), np.uint8)
    for x in range(60, 1280, 100):
        cv2.fillPoly(image, [np.array([[x - 45, 0], [x + 45, 0], [x, 300]])], (40, 60, 150), cv2.LINE_AA)
        cv2.circle(image, (x, 600), 40, (220, 230, 235), -1, cv2.LINE_AA)
    return cv2.GaussianBlur(image, (0, 0), 0.6)


def test_a_sharp_picture_is_ok_and_a_blurred_one_is_not():
    assert doctor.check_focus(scene()).state is CheckStatus.OK
    assert doctor.check_focus(cv2.GaussianBlur(scene(), (0, 0), 2)).state is CheckStatus.WRONG


@pytest.mark.parametrize("dim", [1.0, 0.4])
def test_sharpness_hangs_little_on_light(dim):
    dimmed = (scene() * dim).astype(np.uint8)
    assert sharpness(dimmed) == pytest.approx(sharpness(scene()), rel=0.1)


@pytest.mark.parametrize(
    ("factor", "state"),
    [(1.0, CheckStatus.OK), (0.2, CheckStatus.WRONG), (4.0, CheckStatus.WRONG)],
    ids=["lit", "dark", "glare"],
)
def test_too_little_and_too_much_light_are_said(factor, state):
    assert doctor.check_light(np.clip(scene() * factor, 0, 255).astype(np.uint8)).state is state


def test_a_uniform_picture_is_blurred_not_an_error():
    assert doctor.check_focus(np.full((720, 1280, 3), 90, np.uint8)).state is CheckStatus.WRONG


def test_a_record_folder_that_does_not_exist_is_missing(tmp_path):
    assert doctor.check_disk(Setup(record_folder=tmp_path)).state is CheckStatus.OK
    assert doctor.check_disk(Setup(record_folder=tmp_path / "none")).state is CheckStatus.MISSING


def test_a_card_that_may_only_be_read_is_said(tmp_path, monkeypatch):
    card = SimpleNamespace(f_flag=os.ST_RDONLY, f_bavail=1, f_blocks=1, f_bfree=1, f_frsize=10**9)
    monkeypatch.setattr(doctor.os, "statvfs", lambda path: card)
    found = doctor.check_disk(Setup(record_folder=tmp_path))
    assert found.state is CheckStatus.WRONG
    assert "may only be read" in found.words


def test_a_clock_that_was_never_set_is_not_ok(tmp_path):
    then = datetime(1970, 1, 1, tzinfo=UTC)
    assert doctor.check_clock(then, tmp_path / "none").state is CheckStatus.WRONG
    later = doctor.check_clock(datetime(2027, 3, 1, tzinfo=UTC), tmp_path)
    assert (later.state, later.words) == (
        CheckStatus.OK,
        "The clock says 2027-03-01 00:00 UTC, set by the network.",
    )


def test_parts_that_are_optional_do_not_fail_the_doctor():
    fine = Finding(part="camera", state=CheckStatus.OK, words="There.")
    without_tray = Finding(part="dice tray", state=CheckStatus.MISSING, words="None: plug it in.")
    without_camera = Finding(part="camera", state=CheckStatus.MISSING, words="None: plug it in.")
    broken = Finding(part="dice tray", state=CheckStatus.WRONG, words="It does not answer: flash it.")
    assert all_well([fine, without_tray])
    assert not all_well([without_camera])
    assert not all_well([fine, broken])
