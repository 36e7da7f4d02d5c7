"""`blotlight play` with a film instead of a camera, and with pins that note each update of the strip.

The rest is the real program: camera thread, JPEG decoding, reader, referee, log on disk, serial port, LED
driver, page. `python -m tests.benchmarks.slow_service FILM FOLDER` is started by slow_core.
"""

from __future__ import annotations

import json
import pickle
import sys
import time
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np

import controller.service.devices as devices
from controller.cli.main import main
from controller.perception.board_watcher import BoardWatcher
from controller.referee import BoardSeen
from controller.service.clock import real_ms
from hardware.apa102 import DATA_BCM
from hardware.camera import Frame, Image
from hardware.light_port import N_LIGHTS
from tests.benchmarks.hurried_film import FPS, HurriedFilm

BITS = 32 + 32 * N_LIGHTS + 32 + 8 * ((N_LIGHTS + 15) // 16)
"""Bits of one update of the strip."""


class FilmedSource:
    """A camera that shows the film from the moment at which it is opened."""

    def __init__(self, film: HurriedFilm) -> None:
        self._film = film
        self._began_ms = real_ms()
        self._n = 0
        print(f"FILM BEGINS {self._began_ms}", flush=True)

    def wait(self) -> bool:
        """Wait for the next picture of the film."""
        now_ms = real_ms() - self._began_ms
        self._n = max(self._n + 1, now_ms * FPS // 1000)  # pictures that nobody waited for are skipped
        time.sleep(max(0.0, (self._n * 1000 / FPS - now_ms) / 1000))
        return True

    def picture(self) -> Image:
        """The present picture, decoded as a camera's MJPG."""
        coded = np.frombuffer(self._film.picture(real_ms() - self._began_ms), np.uint8)
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)

    def lock_exposure(self) -> None:
        """A film has nothing to lock."""

    def close(self) -> None:
        """Nothing is open."""


class NotedPins:
    """An RPi.GPIO that keeps the time at which each update of the strip was out, and its bits."""

    BCM, OUT = 11, 0

    def __init__(self) -> None:
        self.updates: list[tuple[int, bytes]] = []
        self._bits = bytearray()
        self._level = 0

    def setwarnings(self, flag: bool) -> None:
        """Nothing to warn of."""

    def setmode(self, mode: int) -> None:
        """There is one mode."""

    def setup(self, channel: int, direction: int, *, initial: int) -> None:
        """Every pin is an output."""

    def cleanup(self, channel: object) -> None:
        """Nothing to clean."""

    def output(self, channel: int, value: int) -> None:
        """Set a pin; a rising edge of the clock takes a bit."""
        if channel == DATA_BCM:
            self._level = value
        elif value:
            self._bits.append(self._level)
            if len(self._bits) == BITS:
                self.updates.append((real_ms(), bytes(self._bits)))
                self._bits.clear()


def red_at(updates: list[tuple[int, bytes]]) -> list[int]:
    """The times of the updates in which some LED is pure red."""
    found = []
    for t_ms, bits in updates:
        leds = np.packbits(np.frombuffer(bits, np.uint8)[32 : 32 + 32 * N_LIGHTS]).reshape(N_LIGHTS, 4)
        if ((leds[:, 3] > 0) & (leds[:, 1:3] == 0).all(axis=1) & (leds[:, 0] & 31 > 0)).any():
            found.append(t_ms)
    return found


def run(film: HurriedFilm, folder: Path) -> None:
    """Run the service until the film ends, then write what was noted."""
    pins, read = NotedPins(), []
    observe = BoardWatcher.observe_frame

    def observed(watcher: BoardWatcher, frame: Frame) -> BoardSeen | None:
        began_ms = real_ms()
        seen = observe(watcher, frame)
        read.append((began_ms, real_ms(), seen is not None))
        return seen

    with (
        patch.object(devices, "open_camera", lambda *_: FilmedSource(film)),
        patch.object(devices, "load_gpio", lambda: pins),
        patch.object(BoardWatcher, "observe_frame", observed),
    ):
        main(
            [
                *("play", "--settings", str(folder / "blotlight.toml")),
                *("--matches", str(folder), "--page", "127.0.0.1:0"),
            ]
        )
    (folder / "noted.json").write_text(
        json.dumps({"read": read, "red": red_at(pins.updates), "processor_s": time.process_time()})
    )


if __name__ == "__main__":
    run(pickle.loads(Path(sys.argv[1]).read_bytes()), Path(sys.argv[2]))
