"""The log on disk: the rows of each match in order. Rows are appended and never changed.

One SQLite file holds many matches. Every append is on the disk before it returns (write-ahead log,
`synchronous=FULL`), so neither a killed process nor a power cut loses an appended row. A payload is a JSON
object; this module does not know its meaning.
"""

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sentences import say

_MIGRATIONS = (
    (
        """
CREATE TABLE log (
    match INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    t_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (match, seq)
) WITHOUT ROWID
""",
        """
CREATE TRIGGER log_is_never_changed BEFORE UPDATE ON log
BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END
""",
        """
CREATE TRIGGER log_is_never_shortened BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END
""",
    ),
    ("ALTER TABLE log ADD COLUMN crc INTEGER",),
)
"""The statements that lead from each version of the tables to the next, from none to the newest.

Version 2 adds a checksum of each row, because SQLite has none. It is NULL in rows of version 1.
"""
_SCHEMA_VERSION = len(_MIGRATIONS)
MOST_CACHED_KB = 200
"""Size in KB of the page cache while the file is written: small, because rows are only appended. Guess."""
_APPEND = """
INSERT INTO log (match, seq, t_ms, kind, payload, crc)
SELECT ?1, coalesce(max(seq) + 1, 0), ?2, ?3, ?4, ?5 FROM log WHERE match = ?1
RETURNING seq
"""

_REFUSED = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""SQLite's codes for a disk that may only be read: it may also open the file and then not its lock file."""
_DISORDER = """
SELECT 1 FROM (SELECT match, lag(match) OVER (ORDER BY match, seq) AS before FROM log)
WHERE match < before LIMIT 1
"""
"""Rows come in the order in which they lie in the file, so that only a damaged number comes out of order."""


class StoreError(Exception):
    """The log cannot be read or written. The message is one sentence that says what to do next."""


class StoreDamaged(StoreError):
    """The file is damaged, or not a log."""


class NoLog(StoreDamaged):
    """The file is not a log."""


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """One row of the log: `seq` counts from 0 within its match, `payload` is a JSON object."""

    seq: int
    t_ms: int
    kind: str
    payload: Mapping[str, Any]


class Store:
    """The file with the logs of all matches. All methods raise StoreError when it cannot be used.

    read_only: open the file only for reading. This needs no permission to write in its folder. The tables
    keep their version.
    """

    def __init__(self, path: Path, *, read_only: bool = False, lock_wait_s: float = 5.0) -> None:
        self._path = path
        try:
            self._db = _connected(path, read_only, lock_wait_s)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._explain(error, self._path) from error
        self._db.text_factory = _text
        try:
            self._prepare(read_only)
        except StoreError:
            self._db.close()
            raise

    def matches(self) -> tuple[int, ...]:
        """The numbers of the matches that have entries, oldest first."""
        return tuple(number for (number,) in self._execute("SELECT DISTINCT match FROM log ORDER BY match"))

    def n_rows(self) -> dict[int, int]:
        """How many rows each match has, by its number, oldest first."""
        return dict(self._execute("SELECT match, count(*) FROM log GROUP BY match ORDER BY match"))

    def new_match(self) -> "MatchLog":
        """The log of a new match. The file holds it once it has a row."""
        return MatchLog(self, self.last_match() + 1)

    def last_match(self) -> int:
        """The number of the newest match; 0 when there is none."""
        ((last,),) = self._execute("SELECT coalesce(max(match), 0) FROM log")
        if not isinstance(last, int):
            raise self.damaged()
        return last

    def next_match(self, number: int) -> int | None:
        """The number of the first match after `number`; None when there is none."""
        ((following,),) = self._execute("SELECT min(match) FROM log WHERE match > ?", number)
        return following if isinstance(following, int) else None  # a damaged number may be text

    def match(self, number: int) -> "MatchLog":
        """The log of a match. Raises StoreError when there is none of that number."""
        if not self._execute("SELECT 1 FROM log WHERE match = ? LIMIT 1", number):
            raise StoreError(
                say("record_without_match", path=self._path, number=number, known=_listed(self.matches()))
            )
        return MatchLog(self, number)

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def check(self) -> None:
        """Read the whole file. Raises StoreDamaged when SQLite finds a fault in it, or a row is not whole."""
        found = self._execute("PRAGMA quick_check(1)")
        if found != [("ok",)] or self._execute(_DISORDER):
            raise self.damaged()
        for number in self.matches():
            for _ in MatchLog(self, number).whole_rows():
                pass

    def damaged(self) -> StoreDamaged:
        """The error that says that the file is no longer whole."""
        return StoreDamaged(say("record_damaged", path=self._path))

    def rows(self, match: int, since: int) -> Iterator[tuple[Any, ...]]:
        """The rows of a match from number `since` on, as they stand in the file."""
        crc = "crc" if self.version > 1 else "NULL"
        statement = (
            f"SELECT seq, t_ms, kind, payload, {crc} FROM log WHERE match = ? AND seq >= ? ORDER BY seq"
        )
        try:
            yield from self._db.execute(statement, (match, since))
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._explain(error, self._path) from error

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """What is appended inside the block is on the disk at its end, or not at all."""
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            if self._db.in_transaction:
                self._db.rollback()
            raise

    def copy_to(self, path: Path, named: Path) -> None:
        """Copy the log as it is now into a new file, also while another program writes it.

        named: the file that a StoreError is to name.
        """
        try:
            self._db.execute("VACUUM INTO ?", (str(path),))
        except sqlite3.Error as error:
            raise self._explain(error, named) from error

    def _prepare(self, read_only: bool) -> None:
        ((version,),) = self._execute("PRAGMA user_version")
        if version > _SCHEMA_VERSION:
            raise StoreError(say("record_too_new", path=self._path))
        self.version: int = version
        """The version of the tables in the file."""
        if read_only:
            if not version:
                raise NoLog(say("no_record_of_matches", path=self._path))
            return
        self._execute("PRAGMA journal_mode=WAL")
        self._execute("PRAGMA synchronous=FULL")
        self._execute(f"PRAGMA cache_size={-MOST_CACHED_KB}")
        if version < _SCHEMA_VERSION:
            self._migrate()
            if self._path.exists():
                sync_folder(self._path.parent)  # else SQLite's journal may reappear and undo the migration

    def _migrate(self) -> None:
        """Bring the tables to the newest version. A power cut leaves either the old ones or the new ones."""
        with self.all_or_nothing():
            ((version,),) = self._execute("PRAGMA user_version")
            for statements in _MIGRATIONS[version:]:
                for statement in statements:
                    self._execute(statement)
            self._execute(f"PRAGMA user_version={_SCHEMA_VERSION}")
        self.version = _SCHEMA_VERSION

    def _execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(statement, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._explain(error, self._path) from error

    def _explain(self, error: sqlite3.Error | UnicodeDecodeError, path: Path) -> StoreError:
        """The error with the file at `path` as one sentence for people."""
        if isinstance(error, UnicodeDecodeError):  # SQLite's own message quotes damaged text
            return self.damaged()
        code = _primary_code(error)
        if code in _REFUSED and _is_on_read_only_disk(path):
            return StoreError(say("record_disk_read_only", path=path))
        match code:
            case sqlite3.SQLITE_FULL:
                return StoreError(say("record_disk_full", path=path))
            case sqlite3.SQLITE_IOERR:
                return StoreError(say("record_disk_refuses", path=path))
            case sqlite3.SQLITE_BUSY:
                return StoreError(say("record_locked", path=path))
            case sqlite3.SQLITE_READONLY:
                return StoreError(say("record_read_only", path=path))
            case sqlite3.SQLITE_CANTOPEN:
                return StoreError(say("record_not_opened", path=path))
            case sqlite3.SQLITE_CORRUPT:
                return StoreDamaged(say("record_damaged", path=path))
            case sqlite3.SQLITE_NOTADB:
                return NoLog(say("no_record_of_matches", path=path))
        return StoreError(say("record_unusable", path=path, problem=error))


class MatchLog:
    """The log of one match."""

    def __init__(self, store: Store, number: int) -> None:
        self.number = number
        self._store = store

    def append(self, t_ms: int, kind: str, payload: Mapping[str, Any]) -> LogEntry:
        """Append a row. On return it is on the disk; when StoreError is raised, nothing was appended."""
        text = json.dumps(payload, separators=(",", ":"), allow_nan=False)
        crc = _checksum(self.number, t_ms, kind, text)
        ((seq,),) = self._store._execute(_APPEND, self.number, t_ms, kind, text, crc)
        return LogEntry(seq=seq, t_ms=t_ms, kind=kind, payload=payload)

    def entries(self, since: int = 0) -> list[LogEntry]:
        """The rows in order, from number `since` on. Raises StoreDamaged when one is missing or damaged."""
        return list(self.read(since))

    def read(self, since: int = 0) -> Iterator[LogEntry]:
        """The rows in order. Raises StoreDamaged at the first that is missing or damaged."""
        for seq, t_ms, kind, text in self.whole_rows(since):
            yield LogEntry(seq=seq, t_ms=t_ms, kind=kind, payload=json.loads(text))

    def whole_rows(self, since: int = 0) -> Iterator[tuple[int, int, str, str]]:
        """The rows in order, their payload as text. Raises StoreDamaged as `read` does."""
        for due, (seq, t_ms, kind, text, crc) in enumerate(self._store.rows(self.number, since), since):
            is_whole = _is_json(text) if crc is None else crc == _checksum(self.number, t_ms, kind, text)
            if seq != due or not is_whole:
                raise self._store.damaged()
            yield seq, t_ms, kind, text


def _connected(path: Path, read_only: bool, lock_wait_s: float) -> sqlite3.Connection:
    if not read_only:
        return sqlite3.connect(path, timeout=lock_wait_s, isolation_level=None)
    uri = f"file:{quote(str(path.absolute()))}?mode=ro"
    db = sqlite3.connect(uri, uri=True, timeout=lock_wait_s, isolation_level=None)
    try:
        db.execute("PRAGMA user_version")
    except sqlite3.OperationalError as error:
        log = path.with_name(f"{path.name}-wal")
        if _primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) or log.exists():
            raise
        # Nobody writes the log, and its lock file cannot be made without permission to write in its folder.
        db.close()
        db = sqlite3.connect(f"{uri}&immutable=1", uri=True, isolation_level=None)
    return db


def _text(data: bytes) -> str:
    """Text of the file. A damaged byte becomes another letter, and the checksum then tells so."""
    return data.decode(errors="replace")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, TypeError):  # TypeError: damage can turn text into a number
        return False
    return True


def sync_folder(folder: Path) -> None:
    """On return the names of the files in a folder are on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _checksum(match: int, t_ms: int, kind: str, text: str) -> int:
    """CRC-32 of a row."""
    return zlib.crc32(f"{match} {t_ms} {kind} {text}".encode())


def _primary_code(error: sqlite3.Error) -> int:
    """The low byte of SQLite's extended result code, 0 when the error has none."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def _is_on_read_only_disk(path: Path) -> bool:
    with suppress(OSError):
        return bool(os.statvfs(path.parent).f_flag & os.ST_RDONLY)
    return False


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) if numbers else say("none_yet")
