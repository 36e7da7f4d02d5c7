"""Keeps frames, dice lines and commands of the live service as a recording on disk."""

import errno
import json
import os
import shutil
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
import numpy.typing as npt

from controller.perception.board_settings import BoardSettings
from controller.record.match_settings import MatchSettings
from controller.rules import Player, Position
from hardware.camera import Frame, Image
from hardware.dice_log import DiceLogWriter
from sentences import say

THUMB_WH = (80, 45)
CHANGED_LEVELS = 3.0
"""A picture is new when its thumbnail (THUMB_WH pixels, noise averaged away) differs from the last by more
grey levels (0 to 255) anywhere. Guess."""
SETTLING_MS, EVERY_MS = 3000, 10_000
"""How long frames are kept after the last change, and the time between two while nothing changes. Guesses."""
STOPS_AT_FREE_BYTES = 200_000_000
"""Room that pictures leave on the disk, for the matches and the system. Guess."""
JPEG_QUALITY = 92
"""OpenCV's scale, 0 to 100. Guess."""


class Recorder:
    """Writes one recording. When the disk fails, `tell` gets one sentence and the recording ends.

    began_ms: the time on the service's clock that is 0 in the recording.
    """

    def __init__(
        self,
        folder: Path,
        board: BoardSettings,
        match: MatchSettings,
        began_ms: int,
        tell: Callable[[str], None],
    ) -> None:
        """Raises OSError when the folder cannot be made."""
        self.folder = folder
        self._began_ms = began_ms
        self._tell = tell
        self._thumb: npt.NDArray[np.int16] | None = None
        self._changed_ms = self._kept_ms = 0
        self._ended = False
        (folder / "frames").mkdir(parents=True)
        (folder / "recording.toml").write_text(recording_toml(board, match), encoding="utf-8")
        self._commands = (folder / "events.jsonl").open("a", encoding="utf-8")
        self._dice = (folder / "dice.log").open("wb")
        self.dice_log = _ShiftedDiceLog(self._dice, began_ms)
        """The log that the dice port writes to."""

    def keep_frame(self, frame: Frame) -> None:
        """Keep the frame if it shows something new, or if the last one is old."""
        t_ms = frame.t_ms - self._began_ms
        if self._ended or not self._worth_keeping(frame.image_bgr, t_ms) or not self.has_room():
            return
        _, jpeg = cv2.imencode(".jpg", frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        try:
            (self.folder / "frames" / f"{t_ms:010}.jpg").write_bytes(jpeg.tobytes())
        except OSError as error:
            self._end(error)
        self._kept_ms = t_ms

    def has_room(self) -> bool:
        """Whether the disk has room for a picture; when it has not, the recording ends."""
        if not self._ended and shutil.disk_usage(self.folder).free < STOPS_AT_FREE_BYTES:
            self._end(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        return not self._ended

    def keep_command(self, command: Mapping[str, Any]) -> None:
        """Keep a command of people. Its `t_ms` is on the service's clock."""
        if self._ended:
            return
        try:
            print(
                json.dumps({**command, "t_ms": command["t_ms"] - self._began_ms}),
                file=self._commands,
                flush=True,
            )
        except OSError as error:
            self._end(error)

    def close(self) -> None:
        """Close the files."""
        self._commands.close()
        self._dice.close()

    def _worth_keeping(self, image_bgr: Image, t_ms: int) -> bool:
        thumb = cv2.resize(image_bgr, THUMB_WH, interpolation=cv2.INTER_AREA).astype(np.int16)
        if self._thumb is None or np.abs(thumb - self._thumb).max() > CHANGED_LEVELS:
            self._thumb, self._changed_ms = thumb, t_ms
        return t_ms - self._changed_ms <= SETTLING_MS or t_ms - self._kept_ms >= EVERY_MS

    def _end(self, error: OSError) -> None:
        self._ended = True
        self._tell(say("recording_ends", folder=self.folder, reason=error.strerror))


class _ShiftedDiceLog(DiceLogWriter):
    """A dice log whose time 0 is later than that of the clock. is_paused: nothing is kept."""

    def __init__(self, file: BinaryIO, began_ms: int) -> None:
        super().__init__(file)
        self._began_ms = began_ms
        self.is_paused = False

    def write(self, t_ms: int, raw: bytes) -> None:
        if self.is_paused:
            return
        super().write(max(0, t_ms - self._began_ms), raw)


def folder_named_by_time(folder: Path, now: datetime) -> Path:
    """A new folder for one recording, named by date and time."""
    return folder / f"{now:%Y-%m-%dT%H-%M-%S}"


def recording_toml(board: BoardSettings, match: MatchSettings) -> str:
    """The text of recording.toml."""
    corners = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in board.corners_px or ())
    left, right = board.bar
    lines = [
        "[board]",
        *([f"corners_px = [{corners}]"] if corners else []),
        f"bar = [{left:.4f}, {right:.4f}]",
        *([f"white_home = {_quoted(board.orientation.white_home)}"] if board.home_known else []),
        f"light = {_quoted(board.orientation.light.value)}",
        *([f"checker_mm = {board.checker_mm}"] if board.checker_mm else []),
        *([f"field_mm = [{board.field_mm[0]}, {board.field_mm[1]}]"] if board.field_mm else []),
        "",
        "[match]",
        f"white = {_quoted(match.white)}",
        f"black = {_quoted(match.black)}",
        f"length = {match.length}",
        f"laws = {_quoted(match.laws)}",
        *([f"chouette = [{', '.join(map(_quoted, match.chouette))}]"] if match.chouette else []),
        *_joined_in_progress(match.position, match.on_roll),
    ]
    return "\n".join(lines) + "\n"


def _joined_in_progress(position: Position, on_roll: Player | None) -> list[str]:
    if on_roll is None:
        return []
    return [f"position = {_quoted(str(position))}", f"on_roll = {_quoted(on_roll.value)}"]


def _quoted(text: str) -> str:
    """A TOML string."""
    kept = "".join(char for char in text if char.isprintable())
    return '"' + kept.replace("\\", "\\\\").replace('"', '\\"') + '"'
