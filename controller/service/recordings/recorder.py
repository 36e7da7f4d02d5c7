"""Keeps frames, dice lines and commands of the live service as a recording on disk."""

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np
import numpy.typing as npt

from controller.perception.board_settings import BoardSettings
from controller.perception.orientation import Orientation
from controller.printable import is_printable
from controller.record.keeper import HEADING_KIND
from controller.record.match_settings import DEFAULT_SETTINGS, MatchSettings
from controller.record.store import LogEntry
from controller.referee import RefereeSettings
from controller.rules import Player, Position
from controller.service.recordings.pruning import PictureLimits, check_room, prune_recordings
from controller.service.recordings.recording import CALIBRATION_NAME, EARLIER_NAME
from hardware.camera import Frame, Image
from hardware.device_errors import disk_remedy
from hardware.dice_log import DiceLogWriter
from sentences import say
from vision.read.calibration import Calibration

RECORDINGS = "recordings"
"""The folder of the recordings that the settings ask for, beside the log of the matches."""
THUMB_WH = (80, 45)
CHANGED_LEVELS = 3.0
"""A picture is new when its thumbnail (THUMB_WH pixels, noise averaged away) differs anywhere by more levels
(0 to 255) from that of the last new one. Guess."""
SETTLING_MS, EVERY_MS = 3000, 10_000
"""How long every frame is kept after a change, and the time between two kept ones afterwards. Guesses."""
JPEG_QUALITY = 92
"""OpenCV's scale, 0 to 100. Guess."""
TIME_KEYS = frozenset({"t_ms", "ended_ms"})
"""The keys that hold times, in rows of a match's log, in their payloads and in commands."""
DIE_LINE = re.compile(rb"\$\d+,(?:MOVE|FACE),(\d)")
"""How a line of the dice tray about a single die begins. The group is the number of the die."""


class Recorder:
    """Writes one recording a match, or several for a long one.

    When the disk fails, recording ends and `tell` gets one sentence.
    began_ms: the time on the service's clock that is 0 in the recording. settings: of the referee.
    number: the match in the log. earlier: what the log holds of it. limits: for all recordings in the folder
    where this one lies; None to keep all.
    """

    def __init__(
        self,
        folder: Path,
        board: BoardSettings,
        match: MatchSettings,
        began_ms: int,
        tell: Callable[[str], None],
        *,
        settings: RefereeSettings = DEFAULT_SETTINGS,
        number: int | None = None,
        earlier: Sequence[LogEntry] = (),
        limits: PictureLimits | None = None,
    ) -> None:
        """Raises OSError when the folder cannot be made."""
        self._board, self._match, self._settings, self._tell = board, match, settings, tell
        self._limits = limits
        self._calibration: Calibration | None = None
        self._ended = False
        self._open(folder, began_ms, number, earlier)
        self.dice_log = _ShiftedDiceLog(self._dice, began_ms)
        """The log that the dice port writes to."""

    def _open(self, folder: Path, began_ms: int, number: int | None, earlier: Sequence[LogEntry]) -> None:
        self.folder = folder
        self._n_bytes = 0
        self.is_full = False
        """Whether the match is to go on in another recording: this one has filled its share of the space, and
        nothing has changed at the table for a while."""
        self._began_ms, self._number = began_ms, number
        self._thumb: npt.NDArray[np.int16] | None = None
        self._changed_ms = self._kept_ms = 0
        is_new = not folder.exists()
        (folder / "frames").mkdir(parents=True)
        try:
            self._write_toml()
            self._commands = (folder / "events.jsonl").open("a", encoding="utf-8")
            self._dice = (folder / "dice.log").open("wb")
            if earlier:
                write_rows(folder / EARLIER_NAME, earlier, began_ms)
        except OSError:
            if is_new:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        if self._limits is not None:
            prune_recordings(folder.parent, self._limits, datetime.now(UTC).timestamp(), begun=folder)

    def _write_toml(self) -> None:
        """Write a new file and then replace the old one: a full disk leaves the old one whole."""
        text = recording_toml(self._board, self._match, self._settings)
        if self._number is not None:
            text += f"\n[log]\nmatch = {self._number}\nbegan_ms = {self._began_ms}\n"
        beside = self.folder / ".recording.toml"
        try:
            beside.write_text(text, encoding="utf-8")
            beside.replace(self.folder / "recording.toml")
        except OSError:
            beside.unlink(missing_ok=True)
            raise

    def keep_calibration(self, calibration: Calibration, orientation: Orientation) -> None:
        """Keep how the board looks, and how the game lies on it, once that is known."""
        self._calibration = calibration
        self._board = replace(self._board, orientation=orientation, home_known=True)
        self._keep_board()

    def _keep_board(self) -> None:
        if self._calibration is None or self._ended:
            return
        with self._ending_on_failure():
            self._write_toml()
            self._calibration.save(self.folder / CALIBRATION_NAME)

    def begin_anew(
        self, t_ms: int, number: int | None, orientation: Orientation, earlier: Sequence[LogEntry] = ()
    ) -> None:
        """Begin another recording, for another match or to go on with the same one."""
        if self._ended:
            return
        self._board = replace(self._board, orientation=orientation)
        folder = folder_named_by_time(self.folder.parent, datetime.now(UTC))
        commands, dice = self._commands, self._dice
        with self._ending_on_failure():
            self._open(folder, t_ms, number, earlier)
            self.dice_log.begin(self._dice, t_ms)
        if self._ended:
            return
        commands.close()
        dice.close()
        self._keep_board()

    def keep_frame(self, frame: Frame) -> None:
        """Keep the frame if the picture has changed lately, or if the last one kept is old."""
        t_ms = frame.t_ms - self._began_ms
        if self._ended or not self._worth_keeping(frame.image_bgr, t_ms) or not self.has_room():
            return
        _, jpeg = cv2.imencode(".jpg", frame.image_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        with self._ending_on_failure():
            (self.folder / "frames" / f"{t_ms:010}.jpg").write_bytes(jpeg.tobytes())
            self._n_bytes += len(jpeg)
            has_share = self._limits is not None and self._n_bytes >= self._limits.part_bytes
            self.is_full = has_share and t_ms - self._changed_ms > SETTLING_MS
            self._kept_ms = t_ms

    def has_room(self) -> bool:
        """Whether the disk is there and has space for a picture. If not, the recording ends."""
        if not self._ended:
            with self._ending_on_failure():
                check_room(self.folder)
        return not self._ended

    def keep_command(self, command: Mapping[str, Any]) -> None:
        """Keep a command of people. Its `t_ms` is on the service's clock."""
        if self._ended:
            return
        line = json.dumps(_earlier_by(self._began_ms, command))
        with self._ending_on_failure():
            print(line, file=self._commands, flush=True)

    def close(self) -> None:
        """Close the files. What the disk does not take is lost."""
        for file in (self._commands, self._dice):
            with suppress(OSError):
                file.close()

    def _worth_keeping(self, image_bgr: Image, t_ms: int) -> bool:
        thumb = cv2.resize(image_bgr, THUMB_WH, interpolation=cv2.INTER_AREA).astype(np.int16)
        if self._thumb is None or np.abs(thumb - self._thumb).max() > CHANGED_LEVELS:
            self._thumb, self._changed_ms = thumb, t_ms
        return t_ms - self._changed_ms <= SETTLING_MS or t_ms - self._kept_ms >= EVERY_MS

    @contextmanager
    def _ending_on_failure(self) -> Iterator[None]:
        """The recording ends when the disk fails inside the block."""
        try:
            yield
        except OSError as error:
            self._ended, self.is_full = True, False
            reason, remedy = error.strerror, disk_remedy(error)
            self._tell(say("recording_ends", folder=self.folder, reason=reason, remedy=remedy))


class _ShiftedDiceLog(DiceLogWriter):
    """A dice log whose time 0 is `began_ms` on the clock. is_paused: whether lines are dropped."""

    def __init__(self, file: BinaryIO, began_ms: int) -> None:
        super().__init__(file)
        self._began_ms = began_ms
        self._last: dict[bytes, bytes] = {}
        """The last line of each die."""
        self.is_paused = False
        self._lock = threading.Lock()

    def begin(self, file: BinaryIO, began_ms: int) -> None:
        """From now on write into another file. First, as after a SNAP, repeat the last line of each die."""
        with self._lock:
            self._file, self._began_ms = file, began_ms
            for line in self._last.values():
                super().write(0, line)

    def write(self, t_ms: int, raw: bytes) -> None:
        if self.is_paused:
            return
        with self._lock:
            super().write(max(0, t_ms - self._began_ms), raw)
            if die := DIE_LINE.match(raw):
                self._last.pop(die[1], None)
                self._last[die[1]] = raw


def folder_named_by_time(folder: Path, now: datetime) -> Path:
    """A new folder for one recording, named by date and time."""
    named = folder / f"{now:%Y-%m-%dT%H-%M-%S}"
    return folder / f"{now:%Y-%m-%dT%H-%M-%S-%f}" if named.exists() else named


def write_rows(path: Path, rows: Iterable[LogEntry], began_ms: int) -> None:
    """Write rows of a match's log with the times of a recording. The heading with the names is left out."""
    lines = [
        _earlier_by(began_ms, {"t_ms": row.t_ms, "kind": row.kind, "payload": row.payload})
        for row in rows
        if row.kind != HEADING_KIND
    ]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def _earlier_by(ms: int, data: object) -> object:
    """A row of the log or a command, with all its times earlier by so much."""
    if isinstance(data, Mapping):
        return {key: part - ms if key in TIME_KEYS else _earlier_by(ms, part) for key, part in data.items()}
    if isinstance(data, list | tuple):
        return [_earlier_by(ms, part) for part in data]
    return data


def recording_toml(
    board: BoardSettings, match: MatchSettings, settings: RefereeSettings = DEFAULT_SETTINGS
) -> str:
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
        "",
        "[referee]",
        f"mode = {_quoted(settings.mode.value)}",
        f"settle_ms = {settings.settle_ms}",
    ]
    return "\n".join(lines) + "\n"


def _joined_in_progress(position: Position, on_roll: Player | None) -> list[str]:
    if on_roll is None:
        return []
    return [f"position = {_quoted(str(position))}", f"on_roll = {_quoted(on_roll.value)}"]


def _quoted(text: str) -> str:
    """A TOML string."""
    kept = text if is_printable(text) else "".join(char for char in text if char.isprintable())
    return '"' + kept.replace("\\", "\\\\").replace('"', '\\"') + '"'
