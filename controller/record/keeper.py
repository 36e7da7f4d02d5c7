"""The record of the live game: every effect is on the disk at once; what the disk refuses is kept waiting."""

from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from controller.record.journal import KINDS, effect_payload
from controller.record.match_settings import MatchSettings
from controller.record.store import LogEntry, MatchLog, Store, StoreError
from controller.referee import Effect

HEADING_KIND, STARTED_KIND, SAID_KIND, TRAY_KIND, SHORTER_KIND = "match", "started", "said", "tray", "shorter"
"""Kinds of entries besides the effects: who plays; a game's begin; people's words; the dice as they fell;
that the record of the game has only so many half-turns now."""

RETRY_MS = 10_000

Row = tuple[int, str, Mapping[str, Any]]


class MatchKeeper:
    """Writes a match into the log at `path`; goes on where the last match stopped, if it is the same.

    say: is given each sentence for people. When the disk refuses, what happens is remembered and written
    later; one sentence says so.
    """

    def __init__(
        self, path: Path, match: MatchSettings, say: Callable[[str], None], *, new: bool = False
    ) -> None:
        self.earlier: list[LogEntry] = []
        """What the log holds of the match already."""
        self._path = path
        self._say = say
        self._heading = heading(match)
        self._store: Store | None = None
        self._log: MatchLog | None = None
        self._waiting: deque[Row] = deque()
        self._retry_ms: int | None = None
        try:
            self._open()
            self._find(new)
        except StoreError as problem:
            self._refused(problem, 0)
        if not self.earlier:
            self.note_row(0, HEADING_KIND, self._heading)

    def begin_anew(self, t_ms: int) -> None:
        """From now on everything belongs to a new match."""
        self.note_row(t_ms, HEADING_KIND, self._heading)

    def note(self, effect: Effect) -> None:
        """Keep an effect."""
        self.note_row(effect.t_ms, KINDS[type(effect)], effect_payload(effect))

    def note_row(self, t_ms: int, kind: str, row: Mapping[str, Any]) -> None:
        """Keep anything else, at once if the disk takes it."""
        self._waiting.append((t_ms, kind, row))
        self._write_waiting(t_ms)

    def close(self) -> None:
        """Close the log."""
        if self._store is not None:
            self._store.close()

    def _open(self) -> Store:
        if self._store is None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StoreError(
                    f"The folder {self._path.parent} cannot be made ({error.strerror}): name another."
                ) from None
            self._store = Store(self._path)
        return self._store

    def _find(self, new: bool) -> None:
        """The last match, if it is ours and is to go on."""
        assert self._store is not None
        numbers = self._store.matches()
        if new or not numbers:
            return
        log = self._store.match(numbers[-1])
        entries = log.entries()
        if entries and entries[0].kind == HEADING_KIND and dict(entries[0].payload) == dict(self._heading):
            self._log, self.earlier = log, entries

    def _write_waiting(self, t_ms: int) -> None:
        if self._retry_ms is not None and t_ms < self._retry_ms:
            return
        try:
            store = self._open()
            while self._waiting:
                t_row_ms, kind, row = self._waiting[0]
                if kind == HEADING_KIND or self._log is None:
                    self._log = store.new_match()
                self._log.append(t_row_ms, kind, row)
                self._waiting.popleft()
        except StoreError as problem:
            self._refused(problem, t_ms)
            return
        if self._retry_ms is not None:
            self._retry_ms = None
            self._say("The record is written again; nothing is missing.")

    def _refused(self, problem: StoreError, t_ms: int) -> None:
        if self._retry_ms is None:
            self._say(f"{problem} The game goes on, and what happens is kept in mind until then.")
        self._retry_ms = t_ms + RETRY_MS


def heading(match: MatchSettings) -> dict[str, Any]:
    """What makes a match the same one after a restart."""
    return {"white": match.white, "black": match.black, "length": match.length, "laws": match.laws}
