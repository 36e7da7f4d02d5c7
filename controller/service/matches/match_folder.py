"""The one place where matches are kept, and the lock that keeps a second program from writing there."""

import fcntl
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from controller.errors import InputError, WorkError
from sentences import say

LOG_NAME, SIMULATED_LOG_NAME = "blotlight.db", "simulated.db"
"""The log of all matches, and that of the matches on a simulated table."""
LOG_SUFFIX = ".db"


def matches_folder(given: Path | None, environment: Mapping[str, str]) -> Path:
    """The folder of the matches: as given, else systemd's, else that of the user's data.

    Raises InputError when nothing says where the user's data lie.
    """
    if given is not None:
        return given.expanduser()
    if state := environment.get("STATE_DIRECTORY"):
        return Path(state.split(":")[0])
    return users_folder(environment)


def users_folder(environment: Mapping[str, str]) -> Path:
    """The folder of the matches among the user's data (XDG). Raises InputError when nothing says where."""
    data = environment.get("XDG_DATA_HOME", "")
    if data and Path(data).is_absolute():  # relative paths are to be ignored, the specification says
        return Path(data) / "blotlight"
    try:
        return Path.home() / ".local" / "share" / "blotlight"
    except RuntimeError:
        raise InputError(say("no_home_folder")) from None


def own_folder(folder: Path, environment: Mapping[str, str]) -> Path:
    """The folder to write into: the given one, or this user's own if another user owns that one.

    Otherwise the service would find files of other users there that it cannot write.
    """
    try:
        is_anothers = folder.stat().st_uid != os.geteuid()
    except OSError:  # it is still to be made
        return folder
    return users_folder(environment) if is_anothers else folder


def log_in(folder: Path, *, simulated: bool = False) -> Path:
    """The file of the log in a folder. A path that names a log itself stays as it is."""
    if folder.suffix == LOG_SUFFIX or folder.is_file():
        return folder
    return folder / (SIMULATED_LOG_NAME if simulated else LOG_NAME)


class LogLock:
    """Lock held while a program writes the log. The kernel frees it when the program ends, in any way."""

    def __init__(self, log: Path, holder: str) -> None:
        """Take the lock. holder: what others are shown, such as the players.

        Raises WorkError that names the holder when another program has it. Where no lock can be written, such
        as in a folder that may only be read, nothing is locked: the log itself will be refused there.
        """
        self._file: TextIO | None = None
        with suppress(OSError):
            log.parent.mkdir(parents=True, exist_ok=True)
            self._file = log.with_name(f"{log.name}.lock").open("a+", encoding="utf-8")
        if self._file is None:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.seek(0)
            first = self._file.read().strip() or say("another_play")
            self._file.close()
            raise WorkError(say("matches_locked", log=log, holder=first)) from None
        with suppress(OSError):
            self._file.seek(0)
            self._file.truncate()
            self._file.write(f"{say('holder', holder=holder, process=os.getpid())}\n")
            self._file.flush()

    def close(self) -> None:
        """Free the lock."""
        if self._file is not None:
            self._file.close()
