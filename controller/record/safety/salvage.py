"""Salvages the whole rows of a damaged log. The damaged file is kept beside the new one."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from controller.record.store import LogEntry, MatchLog, Store, StoreError, sync_folder

MOST_UNREADABLE = 1000
"""The search for matches ends after more than this many successive numbers at which the file cannot be read.
Guess."""


@dataclass(frozen=True, kw_only=True)
class Salvaged:
    """What was saved. aside: where the damaged file lies now. n_matches, n_rows: in the new log."""

    aside: Path
    n_matches: int
    n_rows: int


def salvage(path: Path) -> Salvaged:
    """Replace a damaged log by a new one, with the rows of each match before its first damaged row.

    After a power cut meanwhile the damaged log is still in its place, or `resume_salvage` finishes the work.
    Raises StoreError or OSError when the new log cannot be written.
    """
    saved, being_saved = saved_name(path), path.with_name(f"being-saved-{path.name}")
    for leftover in _files_of(being_saved):
        leftover.unlink(missing_ok=True)
    n_matches = n_rows = 0
    with closing(Store(being_saved)) as new, new.all_or_nothing():
        for number, rows in _whole_rows(path):
            log = MatchLog(new, number)
            for row in rows:
                log.append(row.t_ms, row.kind, row.payload)
            n_matches, n_rows = n_matches + 1, n_rows + len(rows)
    replace_durably(being_saved, saved)
    return Salvaged(aside=put_saved_in_place(path, "damaged"), n_matches=n_matches, n_rows=n_rows)


def resume_salvage(path: Path) -> None:
    """Put the saved log in place where a power cut came in between."""
    if not path.exists() and saved_name(path).exists():
        put_saved_in_place(path, "damaged")


def saved_name(path: Path) -> Path:
    """Where the log lies that is to take the place of the one at `path`."""
    return path.with_name(f"saved-{path.name}")


def replace_durably(source: Path, target: Path) -> None:
    """Rename a file within its folder. On return the new name is on the disk."""
    source.replace(target)
    sync_folder(target.parent)


def put_saved_in_place(path: Path, word: str) -> Path:
    """Move the old log aside, and the saved one into its place. Returns the new path of the old one.

    Its write-ahead log does not stay: SQLite would apply it to the new log. It is copied before the log is
    moved, so that a power cut leaves no log without its own. word: says in the name of the old log why.
    """
    aside = _free_name(path, word)
    _, ahead, index = _files_of(path)
    if path.exists():
        if ahead.exists():
            _copy_durably(ahead, _files_of(aside)[1])
        replace_durably(path, aside)
    ahead.unlink(missing_ok=True)
    index.unlink(missing_ok=True)
    sync_folder(path.parent)
    replace_durably(saved_name(path), path)
    return aside


def _copy_durably(source: Path, target: Path) -> None:
    """Copy a file with its owner. On return the copy is on the disk."""
    shutil.copy2(source, target)
    owner = source.stat()
    with suppress(PermissionError):
        os.chown(target, owner.st_uid, owner.st_gid)
    with target.open("rb") as file:
        os.fsync(file.fileno())
    sync_folder(target.parent)


def _free_name(path: Path, word: str) -> Path:
    """A name beside `path` that is not taken: blotlight-WORD-1.db."""
    names = (path.with_name(f"{path.stem}-{word}-{number}{path.suffix}") for number in count(1))
    return next(name for name in names if not any(file.exists() for file in _files_of(name)))


def _files_of(path: Path) -> tuple[Path, Path, Path]:
    """A log, its write-ahead log, and the index of that."""
    return (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm"))


def _whole_rows(path: Path) -> Iterator[tuple[int, list[LogEntry]]]:
    """Each match whose first row is whole: its number, and its rows before the first damaged one."""
    try:
        store = Store(path, read_only=True)
    except StoreError:
        return
    with closing(store):
        number, n_unreadable = 0, 0
        while n_unreadable <= MOST_UNREADABLE:
            try:
                following = store.next_match(number)
                n_unreadable = 0
            except StoreError:
                following = number + 1
                n_unreadable += 1
            if following is None:
                return
            number = following
            if rows := _rows_before_damage(MatchLog(store, number)):
                yield number, rows


def _rows_before_damage(log: MatchLog) -> list[LogEntry]:
    rows: list[LogEntry] = []
    with suppress(StoreError):
        for row in log.read():
            rows.append(row)  # one by one, to keep those before a damaged row
    return rows
