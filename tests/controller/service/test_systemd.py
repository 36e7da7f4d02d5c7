"""What systemd is told."""

import json
import os
import re
import socket
import subprocess
import sys
from contextlib import contextmanager

import httpx
import pytest

from controller.record.keeper import MatchKeeper
from controller.service.devices import Devices
from controller.service.live import MatchStart, Service
from controller.service.systemd import Systemd
from tests.durability.evening import MATCH, NoCamera, ReadBoard, Silence, Tray
from tests.hardware.hand_clock import HandClock


@pytest.fixture
def manager(tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.setblocking(False)
        yield line


def heard(line: socket.socket) -> list[str]:
    found = []
    while True:
        try:
            found.append(line.recv(100).decode())
        except BlockingIOError:
            return found


def test_ready_alive_three_times_a_watchdog_period_and_stopping(manager, tmp_path):
    clock = HandClock()
    systemd = Systemd({"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000000"}, clock)
    systemd.ready()
    systemd.ready()
    for clock.t_ms in range(0, 30_000, 100):
        systemd.alive()
    systemd.stopping()
    assert heard(manager) == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]


def test_without_systemd_nothing_is_told_and_nothing_fails(tmp_path):
    Systemd({}, HandClock()).ready()
    Systemd({"NOTIFY_SOCKET": str(tmp_path / "nobody")}, HandClock()).ready()


class SlowCamera(NoCamera):
    """A camera that is still being opened."""

    def __init__(self):
        self.problems = []


def test_the_service_is_under_way_once_people_know_of_the_camera(tmp_path):
    camera, keeper = SlowCamera(), MatchKeeper(tmp_path / "blotlight.db", MATCH, print)
    service = Service(
        start=MatchStart(fresh=MATCH.state()),
        devices=Devices(camera=camera, dice=Tray(), lights=(), lines=list),
        watcher=ReadBoard(),
        keeper=keeper,
        display=Silence(),
        clock_ms=HandClock(),
    )
    service.run_once()
    assert not service.is_under_way
    camera.problems.append("The camera gives no pictures.")
    assert not service.is_under_way
    service.run_once()
    assert service.is_under_way
    keeper.close()


@contextmanager
def playing(tmp_path, *options):
    """`blotlight play` under a manager of services."""
    command = [sys.executable, "-m", "controller.cli", "play", "--page", "127.0.0.1:0"]
    process = subprocess.Popen(
        [*command, "--matches", str(tmp_path), *options],
        env=os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=60)


def wait_for_ready(manager):
    manager.settimeout(60)
    assert manager.recv(100) == b"READY=1"


def said_until(process, pattern):
    """The lines up to the one that holds a pattern."""
    said = []
    for line in process.stdout:
        said.append(line)
        if re.search(pattern, line):
            return said
    raise AssertionError(f"never said: {pattern}: {said}")


def test_when_ready_the_page_shows_a_board_that_is_looked_at(manager, tmp_path):
    (tmp_path / "game.mat").write_text(" 3 point match\n\n Game 1\n A : 0    B : 0\n  1) 31: 8/5 6/5\n")
    with playing(tmp_path, "--simulated", str(tmp_path / "game.mat"), "--speed", "0.05") as process:
        wait_for_ready(manager)
        url = re.search(r"The page is at (\S+)", said_until(process, "The page is at")[-1])[1]
        with httpx.stream("GET", f"{url}events", timeout=30) as answer:
            data = next(line for line in answer.iter_lines() if line.startswith("data: "))
    devices = {one["name"]: one["is_here"] for one in json.loads(data.removeprefix("data: "))["devices"]}
    assert devices["camera"]


def test_without_a_camera_the_service_is_ready_once_it_has_said_so(manager, tmp_path):
    settings = tmp_path / "blotlight.toml"
    settings.write_text('[camera]\ndevice = "/dev/no-camera"\n[lights]\nstrip = false\n')
    with playing(tmp_path, "--settings", str(settings)) as process:
        wait_for_ready(manager)
        process.terminate()
        assert any("/dev/no-camera" in line for line in process.stdout)
    assert manager.recv(100) == b"STOPPING=1"
