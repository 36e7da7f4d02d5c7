"""Copies of the log: one file with all matches, and the log put back from it."""

import os
from contextlib import closing, suppress
from pathlib import Path

from controller.record.safety.salvage import free_name, replace_durably
from controller.record.store import Store


def back_up(log: Path, copy: Path) -> int:
    """Write all matches into one new file, also while they are written. Returns how many there are.

    Raises StoreError when the log is damaged, OSError when the copy cannot be written.
    """
    with closing(Store(log, read_only=True)) as store:
        _copy(store, copy)
    return _checked(copy)


def restore(copy: Path, log: Path) -> Path | None:
    """Put the matches of a copy in the place of the log. Nothing may write the log meanwhile.

    Returns where the log that was there lies now; None where there was none. Raises StoreError when the copy
    is none, or not whole; then nothing was changed.
    """
    _checked(copy)
    log.parent.mkdir(parents=True, exist_ok=True)
    coming = log.with_name(f"coming-{log.name}")
    with closing(Store(copy, read_only=True)) as store:
        _copy(store, coming)
    _give_to_owner_of(log.parent, coming)
    aside = None
    if log.exists():
        aside = free_name(log, "before")
        with closing(Store(log, read_only=True)) as store:
            _copy(store, aside)
        _give_to_owner_of(log.parent, aside)
        Store(log).close()  # which brings what the write-ahead log holds into the file, and removes it
    replace_durably(coming, log)
    return aside


def _copy(store: Store, target: Path) -> None:
    """Write a new file and then give it its name, so that a crash leaves none that is half."""
    half = target.with_name(f"half-{target.name}")
    half.unlink(missing_ok=True)
    try:
        store.copy_to(half)
        with half.open("rb") as file:
            os.fsync(file.fileno())
        replace_durably(half, target)
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)


def _give_to_owner_of(folder: Path, file: Path) -> None:
    """Let the service write a file that root has made."""
    owner = folder.stat()
    with suppress(PermissionError):
        os.chown(file, owner.st_uid, owner.st_gid)
    file.chmod(0o640)


def _checked(path: Path) -> int:
    """How many matches a file holds. Raises StoreError when one of their rows is not whole."""
    with closing(Store(path, read_only=True)) as store:
        store.check()
        numbers = store.matches()
        for number in numbers:
            for _ in store.match(number).read():
                pass
    return len(numbers)
