"""Copies of the log: back up all matches into one file, and restore them from it."""

import os
from contextlib import closing, suppress
from pathlib import Path

from controller.record.safety.salvage import put_saved_in_place, replace_durably, resume_salvage, saved_name
from controller.record.store import NoLog, Store, StoreDamaged
from sentences import say


def back_up(log: Path, copy: Path) -> int:
    """Copy all matches into one new file, even while the log is being written. Returns their number.

    Raises StoreError when the log is damaged, StoreError or OSError when the copy cannot be written.
    """
    with closing(Store(log, read_only=True)) as store:
        store.check()
        _copy(store, copy, named=copy)
    return _checked(copy)


def restore(copy: Path, log: Path) -> Path | None:
    """Replace the log by the matches of a copy. Nothing may write the log meanwhile.

    The old log is moved aside as it is, whole or damaged. Returns its new path; None where there was none.
    Raises StoreError when the copy is no whole log; then the old log stays. `resume_salvage` finishes the
    work after a power cut.
    """
    try:
        _checked(copy)
    except NoLog:
        raise
    except StoreDamaged:
        raise StoreDamaged(say("backup_damaged", path=copy)) from None
    log.parent.mkdir(parents=True, exist_ok=True)
    resume_salvage(log)
    saved = saved_name(log)
    with closing(Store(copy, read_only=True)) as store:
        _copy(store, saved, named=log)
    _give_to_owner_of(log.parent, saved)
    aside = put_saved_in_place(log, "before")
    return aside if aside.exists() else None


def _copy(store: Store, target: Path, *, named: Path) -> None:
    """Write the copy under another name, then rename it, so that a crash leaves no half `target`.

    named: the file that people asked for, which errors name.
    """
    half = target.with_name(f"half-{target.name}")
    half.unlink(missing_ok=True)
    try:
        store.copy_to(half, named)
        with half.open("rb") as file:
            os.fsync(file.fileno())
        replace_durably(half, target)
    finally:
        with suppress(OSError):
            half.unlink(missing_ok=True)


def _give_to_owner_of(folder: Path, file: Path) -> None:
    """Let the service write a file that root has made: give it the owner of `folder`."""
    owner = folder.stat()
    with suppress(PermissionError):
        os.chown(file, owner.st_uid, owner.st_gid)
    file.chmod(0o640)


def _checked(path: Path) -> int:
    """The number of matches in a file. Raises StoreError when one of their rows is damaged."""
    with closing(Store(path, read_only=True)) as store:
        store.check()
        return len(store.matches())
