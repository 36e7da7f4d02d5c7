"""The file of `blotlight report`: the last minutes at the board, to replay a wrong play from.

It names nobody.
"""

import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from controller.commands.people_commands import parse_command
from controller.errors import InputError
from controller.record.match_settings import BOX_NAME, TEAM_NAME, MatchSettings
from controller.record.store import LogEntry, Store
from controller.service.recordings.recorder import DIE_LINE, recording_toml, write_rows
from controller.service.recordings.recording import (
    CALIBRATION_NAME,
    EARLIER_NAME,
    load_toml,
    open_recording,
)
from sentences import say

TOLD_NAME, ABOUT_NAME = "told.jsonl", "about.json"
"""Files of a pack: what the service logged in that time; the machine and the settings."""
MOST_UNPACKED_BYTES = 2_000_000_000
"""The largest pack that is unpacked, in bytes unpacked. Guess: an hour of pictures."""
FRAMES = "frames"


@dataclass(frozen=True, kw_only=True)
class Packed:
    """What lies in a pack."""

    seconds: float
    n_pictures: int


def newest_recording(folder: Path) -> Path:
    """The recording that was begun last. Raises InputError when there is none.

    The log says which that is, not the names: the clock may have been set back.
    """
    found = [path.parent for path in folder.glob("*/recording.toml")]
    if not found:
        raise InputError(say("no_recording_to_report", folder=folder))
    return max(found, key=lambda recording: (_place_in_log(recording) or (0, 0), recording.name))


def pack_report(recording: Path, log: Path, most_s: float, about: Mapping[str, Any], out: Path) -> Packed:
    """Write the last `most_s` seconds of a recording, and what the log of its match says, into a zip file.

    The pack holds the pictures, dice tray lines and commands of that time, how the board looked, and what the
    log held before and since. Raises InputError if there is nothing to pack, StoreError for an unusable log.
    """
    opened = open_recording(recording)
    times = sorted(int(path.stem) for path in (recording / FRAMES).iterdir() if path.stem.isdigit())
    if not times:
        raise InputError(say("no_recording_to_report", folder=recording))
    cut_ms = max(0, times[-1] - round(most_s * 1000))
    kept = [t_ms for t_ms in times if t_ms >= cut_ms]
    rows, began_ms = _rows(recording, log)
    with tempfile.TemporaryDirectory() as name, zipfile.ZipFile(out, "x", zipfile.ZIP_DEFLATED) as pack:
        folder = Path(name)
        match = replace(opened.match, **_nobody(opened.match))
        (folder / "recording.toml").write_text(
            recording_toml(opened.board, match, opened.settings), encoding="utf-8"
        )
        before = [row for row in rows if row.t_ms - began_ms < cut_ms] if cut_ms else list(opened.earlier)
        shift_ms = began_ms + cut_ms if cut_ms else 0
        if before:
            write_rows(folder / EARLIER_NAME, before, shift_ms)
        since = [row for row in rows if row.t_ms - began_ms >= cut_ms]
        write_rows(folder / TOLD_NAME, since, began_ms + cut_ms)
        (folder / "dice.log").write_bytes(_dice_since(recording / "dice.log", cut_ms))
        (folder / "events.jsonl").write_text(_commands_since(recording / "events.jsonl", cut_ms))
        (folder / ABOUT_NAME).write_text(json.dumps(about, indent=1), encoding="utf-8")
        if (recording / CALIBRATION_NAME).exists():
            pack.write(recording / CALIBRATION_NAME, CALIBRATION_NAME)
        for path in sorted(folder.iterdir()):
            pack.write(path, path.name)
        for t_ms in kept:
            name = f"{FRAMES}/{t_ms - cut_ms:010}.jpg"
            pack.write(recording / FRAMES / f"{t_ms:010}.jpg", name, zipfile.ZIP_STORED)
    return Packed(seconds=(times[-1] - cut_ms) / 1000, n_pictures=len(kept))


def _nobody(match: MatchSettings) -> dict[str, Any]:
    """Names that identify nobody."""
    if match.chouette:
        people = tuple(chr(ord("A") + number) for number in range(len(match.chouette)))
        return {"white": BOX_NAME, "black": TEAM_NAME, "chouette": people}
    return {"white": MatchSettings.white, "black": MatchSettings.black}


def _rows(recording: Path, log: Path) -> tuple[list[LogEntry], int]:
    """The rows of the recording's match, and the time on the service's clock at which the recording began."""
    place = _place_in_log(recording)
    if place is None:
        return [], 0
    number, began_ms = place
    with closing(Store(log, read_only=True)) as store:
        return store.match(number).entries(), began_ms


def _place_in_log(recording: Path) -> tuple[int, int] | None:
    """The match of a recording in the log, and the time on the service's clock at which it began."""
    try:
        place = load_toml(recording / "recording.toml", "").get("log")
    except InputError:
        return None
    match place:
        case {"match": int(number), "began_ms": int(began_ms)}:
            return number, began_ms
    return None


def _dice_since(path: Path, cut_ms: int) -> bytes:
    """The lines of a dice.log from a time on. First, as after a SNAP, the last earlier line of each die."""
    before: dict[bytes, bytes] = {}
    since = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        stated, _, raw = line.partition(b" ")
        if not stated.isdigit():
            continue
        if int(stated) >= cut_ms:
            since.append(b"%d %s\n" % (int(stated) - cut_ms, raw))
        elif die := DIE_LINE.match(raw):
            before.pop(die[1], None)
            before[die[1]] = b"0 %s\n" % raw
    return b"".join([*before.values(), *since])


def _commands_since(path: Path, cut_ms: int) -> str:
    """The commands of people from a time on. Lines that no playback can read are left out."""
    since = []
    for line in path.read_bytes().splitlines() if path.exists() else ():
        with suppress(ValueError):
            command = json.loads(line)
            t_ms = parse_command(command).t_ms
            if t_ms >= cut_ms:
                since.append(f"{json.dumps(command | {'t_ms': t_ms - cut_ms})}\n")
    return "".join(since)


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """The folder of a recording: for a pack, a temporary one that lasts for the block; else the path itself.

    Raises InputError when the pack is damaged, or far too large.
    """
    if not (path.is_file() and zipfile.is_zipfile(path)):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="blotlight-report-") as folder:
        try:
            with zipfile.ZipFile(path) as pack:
                if sum(entry.file_size for entry in pack.infolist()) > MOST_UNPACKED_BYTES:
                    raise InputError(say("file_far_too_large", path=path))
                pack.extractall(folder)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
            raise InputError(say("pack_damaged", path=path, problem=error)) from None
        yield Path(folder)
