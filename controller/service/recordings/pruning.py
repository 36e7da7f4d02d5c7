"""Deletes old recordings, so that pictures never fill the card."""

import errno
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

DAY_S = 86_400
STOPS_AT_FREE_BYTES = 200_000_000
"""Free space that pictures leave on the disk, for the matches and the system. Guess."""
RECORDINGS_IN_ROOM = 10
"""Recordings that share the allowed space. Guess: with fewer, more is lost when the oldest goes."""


@dataclass(frozen=True, kw_only=True)
class PictureLimits:
    """How long recordings are kept, and how much space they may take together. Guesses."""

    most_days: float = 30
    most_bytes: int = 4_000_000_000

    @property
    def part_bytes(self) -> int:
        """The space for one recording. A match that needs more goes on in another one."""
        return self.most_bytes // RECORDINGS_IN_ROOM


def check_room(folder: Path) -> None:
    """Raise OSError when the disk of a folder is not there, or has no room for pictures."""
    if shutil.disk_usage(folder).free < STOPS_AT_FREE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def prune_recordings(folder: Path, limits: PictureLimits, now_s: float, begun: Path) -> list[Path]:
    """Delete the recordings in `folder` that are too old, and the oldest until there is space for one more.

    begun: the recording that needs the space; it stays.

    Only folders with a recording.toml are looked at. The newest date in one counts: the clock may have been
    set while it was made. A recording dated in the future, made while the clock was wrong, counts as new.
    Returns the recordings chosen, oldest first. What cannot be deleted stays.
    """
    found = sorted(
        (max(file.lstat().st_mtime for file in path.parent.iterdir()), path.parent)
        for path in folder.glob("*/recording.toml")
        if path.is_file() and path.parent != begun
    )
    sizes = {recording: _size_bytes(recording) for _, recording in found}
    room_bytes, deleted = sum(sizes.values()), []
    for made_s, recording in found:
        if now_s - made_s > limits.most_days * DAY_S or room_bytes > limits.most_bytes - limits.part_bytes:
            shutil.rmtree(recording / "frames", ignore_errors=True)
            shutil.rmtree(recording, ignore_errors=True)  # last: without its .toml it is never found again
            room_bytes -= sizes[recording] - _size_bytes(recording)
            deleted.append(recording)
    return deleted


def _size_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
