"""Opens recordings on disk. docs/recording.md describes their form."""

import json
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from controller.commands.people_commands import Command, parse_commands
from controller.errors import InputError, os_error_sentence
from controller.options import OptionTable, TableError, naming_lines
from controller.perception.board_settings import BoardSettings, parse_board_settings
from controller.perception.board_watcher import BoardWatcher
from controller.record.keeper import HEADING_KIND, STARTED_KIND, match_heading, started_payload
from controller.record.match_settings import DEFAULT_SETTINGS, MatchSettings, parse_match_settings
from controller.record.store import LogEntry
from controller.referee import RefereeSettings, RefereeState
from controller.referee.effects import Mode
from controller.service.restore import RestoredMatch, restore_match
from hardware.camera import FolderCamera, VideoCamera
from hardware.device_errors import CameraUnavailable
from hardware.dice_log import DiceLog
from sentences import say
from vision.read.calibration import Calibration, CalibrationError

CALIBRATION_NAME, EARLIER_NAME = "calibration.npz", "earlier.jsonl"
"""Files of a recording: how the board looked; what the log of the match held when the recording began."""
MOST_SETTLE_MS = 10_000
"""Upper limit of `settle_ms`, the time that the board must lie still before it is judged. Guess."""
MOST_SETTINGS_BYTES, MOST_TEXT_BYTES = 1_000_000, 100_000_000
"""The largest file of settings, and the largest text file of a match. Guesses."""
FILM_EVERY_MS = 200
"""Time between two frames that are read of a film without settings: as in the live service. Guess."""


@dataclass(frozen=True, kw_only=True)
class Recording:
    """A recording opened for playback. problems: what is missing or damaged, one sentence each.

    settings: how the referee was set. calibration: how the board looked, if that was kept. earlier: what the
    log of the match held when the recording began.
    """

    name: str
    board: BoardSettings
    match: MatchSettings
    camera: FolderCamera | VideoCamera
    dice: DiceLog | None
    commands: tuple[Command, ...] = ()
    problems: tuple[str, ...] = ()
    settings: RefereeSettings = DEFAULT_SETTINGS
    calibration: Calibration | None = None
    earlier: tuple[LogEntry, ...] = ()

    @property
    def begun(self) -> tuple[LogEntry, ...]:
        """The rows of the match's log before the recording: who plays, and how the board is set up."""
        if self.earlier:
            return self.earlier
        started = started_payload(self.match.position, self.match.on_roll)
        return (
            LogEntry(seq=0, t_ms=0, kind=HEADING_KIND, payload=match_heading(self.match)),
            LogEntry(seq=1, t_ms=0, kind=STARTED_KIND, payload=started),
        )

    @property
    def fresh(self) -> RefereeState:
        """The state before the match."""
        return self.match.state(self.settings)

    @cached_property
    def resumed(self) -> RestoredMatch | None:
        """The match that goes on in this recording; None when it begins a new one."""
        return restore_match(self.earlier, self.fresh) if self.earlier else None

    @property
    def not_learnt(self) -> str:
        """What to do when no frame shows a position to learn from, as a sentence."""
        return say("film_without_start") if self.board.corners_px is None else say("board_not_learnt")

    def watcher(self) -> BoardWatcher:
        """A new watcher of its board."""
        joined_at = None if self.match.is_entering else self.match.position
        return BoardWatcher(self.board, self.match.furnished, self.calibration, joined_at=joined_at)


def open_recording(folder: Path) -> Recording:
    """Open the recording in `folder`, which may also be a single film. Raises InputError if it is neither."""
    if folder.is_file():
        return _open_film(folder)
    if not folder.is_dir():
        raise InputError(say("recording_missing", folder=folder))
    data = load_toml(folder / "recording.toml", missing=say("no_recording_toml", folder=folder))
    problems: list[str] = []
    with naming_lines(folder / "recording.toml"):
        board = parse_board_settings(_table(data, "board"), "recording.toml")
        match = parse_match_settings(data.get("match", {}), "recording.toml")
        settings = _referee_settings(data.get("referee", {}))
    return Recording(
        name=folder.name,
        board=board,
        match=match,
        camera=_open_camera(folder, data),
        dice=_load_dice_log(folder / "dice.log", problems),
        commands=_load_commands(folder / "events.jsonl", problems),
        problems=tuple(problems),
        settings=settings,
        calibration=_load_calibration(folder / CALIBRATION_NAME, problems),
        earlier=_load_rows(folder / EARLIER_NAME, problems),
    )


def _referee_settings(data: object) -> RefereeSettings:
    if not isinstance(data, dict):
        raise TableError("referee", "recording.toml", say("must_be_table", name="referee"))
    table, usual = OptionTable("referee", data, "recording.toml"), DEFAULT_SETTINGS
    return RefereeSettings(
        mode=Mode(table.one_of("mode", [mode.value for mode in Mode]) or usual.mode),
        settle_ms=table.whole_number("settle_ms", usual.settle_ms, least=0, most=MOST_SETTLE_MS),
    )


def _load_calibration(path: Path, problems: list[str]) -> Calibration | None:
    if path.exists():
        try:
            return Calibration.load(path)
        except CalibrationError:
            problems.append(say("learnt_from_board", path=path))
    return None


def _load_rows(path: Path, problems: list[str]) -> tuple[LogEntry, ...]:
    """The rows that the log of the match held when the recording began."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return tuple(
            LogEntry(seq=seq, t_ms=int(row["t_ms"]), kind=str(row["kind"]), payload=row["payload"])
            for seq, row in enumerate(map(json.loads, lines))
        )
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as error:
        problems.append(say("earlier_left_out", name=path.name, problem=error))
        return ()


def _open_film(path: Path) -> Recording:
    """A film without settings: the board is looked for in it, and the dice are read from the pictures."""
    try:
        camera = VideoCamera(path, every_ms=FILM_EVERY_MS)
    except CameraUnavailable as error:
        raise InputError(str(error)) from None
    board, match = parse_board_settings({}, path.name), parse_match_settings({}, path.name)
    return Recording(name=path.stem, board=board, match=match, camera=camera, dice=None)


def load_toml(path: Path, missing: str) -> dict[str, Any]:
    """The tables of a TOML file. Raises InputError; `missing` is its message when there is no such file."""
    if not path.exists():
        raise InputError(missing)
    try:
        return tomllib.loads(load_text(path, most_bytes=MOST_SETTINGS_BYTES))
    except (ValueError, RecursionError) as error:  # the text is wrong, a number too long, or nested too deep
        raise InputError(say("no_toml", path=path, problem=error)) from None


def load_text(path: Path, *, most_bytes: int = MOST_TEXT_BYTES) -> str:
    """The text in a file. Raises InputError when it cannot be read, is no UTF-8 or is too large."""
    try:
        if path.stat().st_size > most_bytes:
            raise InputError(say("file_far_too_large", path=path))
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(os_error_sentence(error)) from None
    except UnicodeDecodeError:
        raise InputError(say("not_utf8", path=path)) from None


def _table(data: dict[str, Any], name: str) -> dict[str, Any]:
    table = data.get(name)
    if not isinstance(table, dict):
        raise InputError(say("table_missing", name=name))
    return table


def _load_commands(path: Path, problems: list[str]) -> tuple[Command, ...]:
    try:
        return tuple(parse_commands(path.read_text(encoding="utf-8").splitlines(), problems))
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError) as error:
        problems.append(say("commands_left_out", problem=error))
        return ()


def _open_camera(folder: Path, data: dict[str, Any]) -> FolderCamera | VideoCamera:
    film = folder / "video.mp4"
    if not film.exists():
        films = sorted(path for path in folder.glob("video.*") if path.is_file())
        film = films[0] if films else film
    try:
        if film.exists():
            return VideoCamera(film, fps=_video_fps(data))
        return FolderCamera(folder / "frames")
    except CameraUnavailable as error:
        raise InputError(str(error)) from None


def _video_fps(data: dict[str, Any]) -> float:
    fps = data.get("video_fps")
    if not isinstance(fps, int | float) or not 0 < fps <= 1000:
        raise InputError(say("no_video_fps"))
    return float(fps)


def _load_dice_log(path: Path, problems: list[str]) -> DiceLog | None:
    try:
        return DiceLog.load(path)
    except FileNotFoundError:
        problems.append(say("no_dice_log"))
    except OSError as error:
        problems.append(say("dice_log_unreadable", reason=error.strerror))
    return None
