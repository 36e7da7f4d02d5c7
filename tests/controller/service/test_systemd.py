"""What systemd is told."""

import socket

import pytest

from controller.service.systemd import Systemd
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
    for clock.t_ms in range(0, 30_000, 100):
        systemd.alive()
    systemd.stopping()
    assert heard(manager) == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]


def test_without_systemd_nothing_is_told_and_nothing_fails(tmp_path):
    Systemd({}, HandClock()).ready()
    Systemd({"NOTIFY_SOCKET": str(tmp_path / "nobody")}, HandClock()).ready()
