"""The record of the live match. Every effect is written at once; if that fails, it is queued and retried."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date as Date
from pathlib import Path
from typing import Any

from controller.record.journal import KINDS, effect_payload
from controller.record.match_settings import MatchSettings
from controller.record.safety.salvage import resume_salvage, salvage
from controller.record.store import LogEntry, MatchLog, NoLog, Store, StoreDamaged, StoreError
from controller.referee import Effect
from controller.rules import Player, Position
from sentences import say

HEADING_KIND, STARTED_KIND, SAID_KIND, TRAY_KIND, SHORTER_KIND = "match", "started", "said", "tray", "shorter"
UNSEEN_KIND, DELETED_KIND, PAUSED_KIND = "unseen", "deleted", "paused"
"""Kinds of rows besides the effects. match: its players. started: the start of a game. said: a command of
people. tray: the roll in play. shorter: the record of the game has become shorter. unseen: the half-turns
that no picture shows. deleted: the match was deleted or brought back. paused: the game is paused or not."""

DATE_KEY = "date"
"""Key of the heading: the day on which the match began, like 2026-11-22. It does not identify the match."""

RETRY_MS = 10_000
"""Time before the next attempt to write after a failure. Guess."""

Row = tuple[int, str, Mapping[str, Any]]
NoteRow = Callable[[int, str, Mapping[str, Any]], object]
"""Writes a row: its time, kind and payload."""


class MatchKeeper:
    """Writes a match into the log at `path`. Continues the last match there if its heading is the same.

    Rows that cannot be written are queued and written later, and one sentence says so.
    tell: receives each sentence for people. new: begin a new match in any case.
    today: returns the day for the heading of a new match, None while it is not known; None to leave it out.
    """

    def __init__(
        self,
        path: Path,
        match: MatchSettings,
        tell: Callable[[str], None],
        *,
        new: bool = False,
        today: Callable[[], Date | None] | None = None,
    ) -> None:
        self.earlier: list[LogEntry] = []
        """The rows that the log already holds of the match."""
        self._path = path
        self._tell = tell
        self._heading = match_heading(match)
        self._today = today
        self._store: Store | None = None
        self._log: MatchLog | None = None
        self._waiting: list[Row] = []
        self._is_together = False
        self._retry_ms: int | None = None
        self._problem: StoreError | None = None
        """Why the last attempt to write failed."""
        try:
            self._open()
            self._find_earlier(new)
        except StoreError as problem:
            self._report_failure(problem, 0)
        if not self.earlier:
            self.begin_anew(0)

    def begin_anew(self, t_ms: int) -> None:
        """Begin the log of a new match with the same players."""
        day = self._today() if self._today else None
        date = {DATE_KEY: day.isoformat()} if day else {}
        self.note_row(t_ms, HEADING_KIND, self._heading | date)

    def note(self, effect: Effect) -> None:
        self.note_row(effect.t_ms, KINDS[type(effect)], effect_payload(effect))

    def note_row(self, t_ms: int, kind: str, row: Mapping[str, Any]) -> None:
        """Write a row of any kind, if the disk allows: at once, or at the end of a block of `together`."""
        self._waiting.append((t_ms, kind, row))
        if not self._is_together:
            self._write_waiting(t_ms)

    @contextmanager
    def together(self, t_ms: int) -> Iterator[None]:
        """The rows noted inside the block are written at its end, all or none of them."""
        self._is_together = True
        try:
            yield
        finally:
            self._is_together = False
            self._write_waiting(t_ms)

    @property
    def number(self) -> int | None:
        """The number of the match in the log; None while nothing could be written."""
        return self._log.number if self._log else None

    def entries(self) -> list[LogEntry]:
        """The rows of the match in the log; none while the log cannot be read."""
        try:
            return self._log.entries() if self._log else []
        except StoreError:
            return []

    def close(self) -> None:
        """Close the log. Raises StoreError when the last rows still cannot be written."""
        if self._waiting:
            self._write_waiting(self._retry_ms or 0)
        if self._store is not None:
            self._store.close()
        if self._waiting:
            raise StoreError(say("record_incomplete", problem=self._problem))

    def _open(self) -> Store:
        if self._store is None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    say("folder_not_made", folder=self._path.parent, reason=error.strerror)
                ) from None
            self._store = self._whole_store()
        return self._store

    def _whole_store(self) -> Store:
        """Open the log. If it is damaged, salvage its whole rows first."""
        try:
            resume_salvage(self._path)
            try:
                return _checked_store(self._path)
            except NoLog:
                raise
            except StoreDamaged:
                saved = salvage(self._path)
        except OSError as error:
            raise StoreError(say("record_unusable", path=self._path, problem=error.strerror)) from None
        self._tell(say("record_salvaged", n_matches=saved.n_matches, n_rows=saved.n_rows, aside=saved.aside))
        return Store(self._path)

    def _find_earlier(self, new: bool) -> None:
        """Continue the last match if its heading is the same."""
        assert self._store is not None
        numbers = self._store.matches()
        if new or not numbers:
            return
        log = self._store.match(numbers[-1])
        entries = log.entries()
        heading = entries[0].payload if entries and entries[0].kind == HEADING_KIND else {}
        if {key: heading[key] for key in heading if key != DATE_KEY} == self._heading:
            self._log, self.earlier = log, entries

    def _write_waiting(self, t_ms: int) -> None:
        if not self._waiting or (self._retry_ms is not None and t_ms < self._retry_ms):
            return
        try:
            store, log = self._open(), self._log
            with store.all_or_nothing():
                for t_row_ms, kind, row in self._waiting:
                    if kind == HEADING_KIND or log is None:
                        log = store.new_match()
                    log.append(t_row_ms, kind, row)
            self._log = log
            self._waiting.clear()
        except StoreError as problem:
            self._report_failure(problem, t_ms)
            return
        if self._retry_ms is not None:
            self._retry_ms = None
            self._tell(say("record_written_again"))

    def _report_failure(self, problem: StoreError, t_ms: int) -> None:
        if self._retry_ms is None:
            self._tell(say("record_waits", problem=problem))
        self._problem, self._retry_ms = problem, t_ms + RETRY_MS


def _checked_store(path: Path) -> Store:
    store = Store(path)
    try:
        store.check()
    except StoreError:
        store.close()
        raise
    return store


def started_payload(position: Position, on_roll: Player | None) -> dict[str, Any]:
    """How a game starts, as the payload of its row; on_roll: None before an opening throw."""
    return {"position": str(position), "on_roll": on_roll.value if on_roll else None}


def match_heading(match: MatchSettings) -> dict[str, Any]:
    """What identifies a match after a restart."""
    people = {"chouette": list(match.chouette)} if match.chouette else {}
    return {"white": match.white, "black": match.black, "length": match.length, "laws": match.laws, **people}
