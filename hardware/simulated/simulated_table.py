"""A simulated table: a camera over it, and a dice tray.

A script tells what happens on it: scenes, and happenings in the tray, each with its time. The whole program
runs on it as on a real board.
"""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import cv2

from hardware.camera import Frame, Image, frames_of
from hardware.dice_log import DiceLogWriter
from hardware.simulated.drawn_table import BOARD_LOOKS, BoardLook, Scene, draw_table
from hardware.simulated.simulated_tray import Happening, SimulatedTray

FRAME_MS = 250
"""Time between two pictures of a simulated camera. Guess."""


@dataclass(frozen=True, kw_only=True)
class Arranged:
    """A scene, and the time from which the table looks like it."""

    t_ms: int
    scene: Scene


@dataclass(frozen=True, kw_only=True)
class Script:
    """What happens on the table. scenes: in order of time, the first at the start."""

    scenes: tuple[Arranged, ...]
    dice: tuple[Happening, ...] = ()
    end_ms: int = 0

    def scene(self, t_ms: int) -> Scene:
        """How the table looks at a time."""
        times = [arranged.t_ms for arranged in self.scenes]
        return self.scenes[max(0, bisect_right(times, t_ms) - 1)].scene


class SimulatedCamera:
    """The table as a Camera that takes a picture every `every_ms` until the script ends."""

    def __init__(self, script: Script, look: BoardLook = BOARD_LOOKS[0], *, every_ms: int = FRAME_MS) -> None:
        self.problems: list[str] = []
        self._script = script
        self._look = look
        self._every_ms = every_ms
        self._next_ms = 0

    def __len__(self) -> int:
        """The number of frames still to come."""
        return max(0, -(-(self._script.end_ms - self._next_ms) // self._every_ms))

    @property
    def ended(self) -> bool:
        """Whether the script is over."""
        return self._next_ms >= self._script.end_ms

    def next_frame(self) -> Frame | None:
        """The next picture."""
        if self.ended:
            return None
        t_ms = self._next_ms
        self._next_ms += self._every_ms
        return Frame(t_ms=t_ms, image_bgr=draw_table(self._script.scene(t_ms), self._look, seed=t_ms))

    def close(self) -> None:
        """Give no more pictures."""
        self._next_ms = self._script.end_ms


class OpenScript:
    """A script that is written while it is played. end_ms: the time after which nothing is planned yet.

    Times must not go back, because scenes that are over are forgotten.
    """

    def __init__(self, first: Scene) -> None:
        self._script = Script(scenes=(Arranged(t_ms=0, scene=first),))

    @property
    def end_ms(self) -> int:
        return self._script.end_ms

    def scene(self, t_ms: int) -> Scene:
        """How the table looks at a time."""
        scenes = self._script.scenes
        over = bisect_right([arranged.t_ms for arranged in scenes], t_ms) - 1
        if over > 0:
            self._script = replace(self._script, scenes=scenes[over:])
        return self._script.scene(t_ms)

    def add(self, script: Script) -> None:
        """Append what happens next. Its times must be later than all before."""
        then = self._script
        self._script = Script(scenes=(*then.scenes, *script.scenes), end_ms=script.end_ms)


class SimulatedSource:
    """The table as the device behind a LiveCamera. A picture shows the scene at the time of the clock.

    wait: returns True when the next picture is due, False when the camera is dead.
    """

    def __init__(
        self,
        script: Script | OpenScript,
        clock_ms: Callable[[], int],
        wait: Callable[[], bool],
        look: BoardLook = BOARD_LOOKS[0],
    ) -> None:
        self._script = script
        self._clock_ms = clock_ms
        self._wait = wait
        self._look = look

    def wait(self) -> bool:
        """Wait until the next picture is due. Returns False when the camera is dead."""
        return self._wait()

    def picture(self) -> Image:
        """The table as it looks now."""
        t_ms = self._clock_ms()
        return draw_table(self._script.scene(t_ms), self._look, seed=t_ms)

    def lock_exposure(self) -> None:
        """Do nothing: a drawn picture has nothing to lock."""

    def close(self) -> None:
        """Do nothing: there is no device."""


def write_recording(script: Script, folder: Path, look: BoardLook = BOARD_LOOKS[0]) -> None:
    """Write the frames and the dice.log of a recording of the script. The caller writes recording.toml."""
    frames = folder / "frames"
    frames.mkdir(parents=True, exist_ok=True)
    for frame in frames_of(SimulatedCamera(script, look)):
        cv2.imwrite(str(frames / f"{frame.t_ms:010}.jpg"), frame.image_bgr)
    with (folder / "dice.log").open("wb") as file:
        write_dice_log(script, file)


def write_dice_log(script: Script, file: BinaryIO) -> None:
    """Write the lines that the tray sends during the script."""
    tray, log = SimulatedTray(), DiceLogWriter(file)
    for happening in script.dice:
        tray.happen(happening.t_ms, happening.die, happening.state)
    for t_ms, raw in tray.lines_until(script.end_ms):
        log.write(t_ms, raw.rstrip(b"\n"))
