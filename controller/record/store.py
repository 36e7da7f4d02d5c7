"""The log on disk: the rows of each match in order. Rows are appended and never changed.

One SQLite file holds many matches. Every append is on the disk before it returns (write-ahead log,
`synchronous=FULL`), so neither a killed process nor a power cut loses an appended row. A payload is a JSON
object; this module does not know its meaning.
"""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sentences import say

_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS log (
    match INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    t_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (match, seq)
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS log_is_never_changed BEFORE UPDATE ON log
BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
CREATE TRIGGER IF NOT EXISTS log_is_never_shortened BEFORE DELETE ON log
BEGIN SELECT RAISE(ABORT, 'the log is only added to'); END;
"""
_APPEND = """
INSERT INTO log (match, seq, t_ms, kind, payload)
SELECT ?1, coalesce(max(seq) + 1, 0), ?2, ?3, ?4 FROM log WHERE match = ?1
RETURNING seq
"""


class StoreError(Exception):
    """The log cannot be read or written. The message is one sentence that says what to do next."""


class StoreFull(StoreError):
    """No room is left for the log."""


class StoreLocked(StoreError):
    """Another program is writing the log."""


class StoreReadOnly(StoreError):
    """The log may not be written."""


class StoreDamaged(StoreError):
    """The file is no log, or no longer one."""


@dataclass(frozen=True, kw_only=True)
class LogEntry:
    """One row of the log: `seq` counts from 0 within its match, `payload` is a JSON object."""

    seq: int
    t_ms: int
    kind: str
    payload: Mapping[str, Any]


class Store:
    """The file with the logs of all matches. All methods raise StoreError when it cannot be used."""

    def __init__(self, path: Path, *, lock_wait_s: float = 5.0) -> None:
        self._path = path
        try:
            self._db = sqlite3.connect(path, timeout=lock_wait_s, isolation_level=None)
        except sqlite3.Error as error:
            raise self._explain(error) from error
        try:
            self._prepare()
        except StoreError:
            self._db.close()
            raise

    def matches(self) -> tuple[int, ...]:
        """The numbers of the matches that have entries, oldest first."""
        return tuple(number for (number,) in self._execute("SELECT DISTINCT match FROM log ORDER BY match"))

    def new_match(self) -> "MatchLog":
        """The log of a new match. It is in the file from its first row on."""
        return MatchLog(self, max(self.matches(), default=0) + 1)

    def match(self, number: int) -> "MatchLog":
        """The log of a match. Raises StoreError when there is none of that number."""
        if number not in self.matches():
            raise StoreError(
                say("record_without_match", path=self._path, number=number, known=_listed(self.matches()))
            )
        return MatchLog(self, number)

    def close(self) -> None:
        """Close the file; may be called twice."""
        self._db.close()

    def _prepare(self) -> None:
        ((version,),) = self._execute("PRAGMA user_version")
        if version > _SCHEMA_VERSION:
            raise StoreError(say("record_too_new", path=self._path))
        self._execute("PRAGMA journal_mode=WAL")
        self._execute("PRAGMA synchronous=FULL")
        if version < _SCHEMA_VERSION:
            self._execute_script(f"{_SCHEMA} PRAGMA user_version={_SCHEMA_VERSION};")

    def _execute(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        try:
            return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise self._explain(error) from error

    def _execute_script(self, script: str) -> None:
        try:
            self._db.executescript(script)
        except sqlite3.Error as error:
            raise self._explain(error) from error

    def _explain(self, error: sqlite3.Error) -> StoreError:
        """The error as one sentence for people."""
        path = self._path
        match _primary_code(error):
            case sqlite3.SQLITE_FULL:
                return StoreFull(say("record_disk_full", path=path))
            case sqlite3.SQLITE_IOERR:
                return StoreFull(say("record_disk_refuses", path=path))
            case sqlite3.SQLITE_BUSY:
                return StoreLocked(say("record_locked", path=path))
            case sqlite3.SQLITE_READONLY:
                return StoreReadOnly(say("record_read_only", path=path))
            case sqlite3.SQLITE_CANTOPEN:
                return StoreReadOnly(say("record_not_opened", path=path))
            case sqlite3.SQLITE_CORRUPT:
                return StoreDamaged(say("record_damaged", path=path))
            case sqlite3.SQLITE_NOTADB:
                return StoreDamaged(say("no_record_of_matches", path=path))
        return StoreError(say("record_unusable", path=path, problem=error))


class MatchLog:
    """The log of one match."""

    def __init__(self, store: Store, number: int) -> None:
        self.number = number
        self._store = store

    def append(self, t_ms: int, kind: str, payload: Mapping[str, Any]) -> LogEntry:
        """Append a row. On return it is on the disk; when StoreError is raised, nothing was appended."""
        text = json.dumps(payload, separators=(",", ":"), allow_nan=False)
        ((seq,),) = self._store._execute(_APPEND, self.number, t_ms, kind, text)
        return LogEntry(seq=seq, t_ms=t_ms, kind=kind, payload=payload)

    def entries(self, since: int = 0) -> list[LogEntry]:
        """The rows in order, from number `since` on."""
        rows = self._store._execute(
            "SELECT seq, t_ms, kind, payload FROM log WHERE match = ? AND seq >= ? ORDER BY seq",
            self.number,
            since,
        )
        return [
            LogEntry(seq=seq, t_ms=t_ms, kind=kind, payload=json.loads(text))
            for seq, t_ms, kind, text in rows
        ]


def _primary_code(error: sqlite3.Error) -> int:
    """The low byte of SQLite's extended result code, 0 when the error has none."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers)) if numbers else say("none_yet")
