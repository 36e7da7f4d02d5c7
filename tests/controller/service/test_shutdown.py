"""Told to stop, every program that lights the strip leaves it dark."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.apa102 import STRIP_ORDER
from hardware.light_port import BOTTOM_TRAY, N_LIGHTS, TOP_TRAY
from tests.hardware.fake_gpio import updates
from tests.hardware.hand_clock import wait_until
from tests.paths import ROOT

PRETENDED_PI = ROOT / "tests" / "hardware" / "pretended_pi"
SETTINGS = """\
[board]
corners_px = [[340, 120], [930, 120], [950, 610], [320, 610]]

[camera]
device = "{there}/video0"

[dice]
port = "{there}/dice"
"""


@pytest.fixture
def blotlight(tmp_path):
    """Starts the command in a process of its own, on a pretended Pi; `lit` is what its strip shows."""
    started = []

    def start(*arguments: str) -> subprocess.Popen:
        environment = {
            **os.environ,
            "PYTHONPATH": f"{PRETENDED_PI}{os.pathsep}{ROOT}",
            "GPIO_LOG": str(tmp_path / "gpio"),
            "PYTHONUNBUFFERED": "1",
        }
        program = "import sys; from controller.cli.entry import main; sys.exit(main())"
        with (tmp_path / "said").open("w") as out:
            started.append(
                subprocess.Popen(
                    [sys.executable, "-c", program, *arguments],
                    stdin=subprocess.PIPE,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    env=environment,
                    cwd=tmp_path,
                )
            )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdin.close()


def lit(folder: Path) -> list[list[int]]:
    """For each whole update of the strip, the numbers of the LEDs that are lit."""
    lines = (folder / "gpio").read_text().splitlines() if (folder / "gpio").exists() else []
    edges = [tuple(map(int, line.split())) for line in lines if line.count(" ") == 1]
    shown = updates(edges, N_LIGHTS)
    return [[number for number, led in enumerate(update) if led[0]] for update in shown]


def said(folder: Path) -> str:
    return (folder / "said").read_text()


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_the_service_starts_without_any_device_says_what_is_missing_and_ends_dark(blotlight, tmp_path, stop):
    (tmp_path / "blotlight.toml").write_text(SETTINGS.format(there=tmp_path / "nowhere"))
    service = blotlight("play")
    wait_until(lambda: "There is no camera at" in said(tmp_path) and "dice tray" in said(tmp_path), 60)
    service.send_signal(stop)
    assert service.wait(30) == 0
    assert lit(tmp_path)[-1] == []
    assert (tmp_path / "gpio").read_text().endswith("released\n")
    assert "Traceback" not in said(tmp_path)


def test_a_walk_along_the_strip_that_is_stopped_leaves_it_dark(blotlight, tmp_path):
    walk = blotlight("doctor", "lights")
    wait_until(lambda: lit(tmp_path)[-1:] == [[0]], 60)
    walk.send_signal(signal.SIGTERM)
    assert walk.wait(30) == 1
    assert lit(tmp_path)[-1] == []
    assert "Traceback" not in said(tmp_path)


def test_a_walk_along_the_strip_whose_input_ends_leaves_it_dark(blotlight, tmp_path):
    walk = blotlight("doctor", "lights")
    walk.stdin.close()
    assert walk.wait(60) == 1
    assert lit(tmp_path)[-1] == []
    assert said(tmp_path).endswith("blotlight: Stopped.\n")


def test_on_a_board_without_trays_the_walk_asks_again_for_a_place_that_was_told(blotlight, tmp_path):
    there = [place for place in STRIP_ORDER if place not in (TOP_TRAY, BOTTOM_TRAY)]
    walk = blotlight("doctor", "lights")
    answers = [*there, "", TOP_TRAY, BOTTOM_TRAY]  # Enter: place 13, which was told long ago
    walk.communicate("".join(f"{answer}\n" for answer in answers).encode(), timeout=60)
    assert walk.returncode == 0
    assert "Two LEDs cannot both light place 13." in said(tmp_path)
    assert said(tmp_path).endswith(f"order = {[*there, TOP_TRAY, BOTTOM_TRAY]}\n")


def test_after_a_crash_the_strip_can_be_made_dark(blotlight, tmp_path):
    assert blotlight("doctor", "lights", "--off").wait(60) == 0
    assert lit(tmp_path)
    assert not any(lit(tmp_path))


@pytest.mark.parametrize("given", [(), ("--settings", "blotlight.toml")])
def test_it_is_made_dark_through_the_pins_of_the_settings(blotlight, tmp_path, given):
    (tmp_path / "blotlight.toml").write_text("[lights]\ndata_bcm = 5\nclock_bcm = 6\n")
    assert blotlight("doctor", *given, "lights", "--off").wait(60) == 0
    used = {line.split()[0] for line in (tmp_path / "gpio").read_text().splitlines() if " " in line}
    assert used == {"5", "6"}


def test_a_closing_terminal_does_not_stop_what_nohup_started():
    program = """
import os, signal
from controller.service.shutdown import stop_asked

with stop_asked() as stop:
    os.kill(os.getpid(), signal.SIGHUP)
    print(stop.wait(0.1))
    os.kill(os.getpid(), signal.SIGTERM)
    print(stop.wait(10))
"""
    run = subprocess.run(
        ["nohup", sys.executable, "-c", program],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert run.stdout == "False\nTrue\n"


def test_signals_in_quick_succession_do_not_wait_for_each_other():
    program = """
import os, signal, threading
from controller.service.shutdown import stop_asked

def tell():
    for _ in range(100_000):
        os.kill(os.getpid(), signal.SIGTERM)

with stop_asked() as stop:
    telling = threading.Thread(target=tell)
    telling.start()
    while telling.is_alive():
        stop.wait(0)
    print(stop.wait(10))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert run.stdout == "True\n"
