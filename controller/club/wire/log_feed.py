"""Chooses which rows of a board's log are sent next. The log on disk is the only outbox."""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from controller.club.hall_store.store_of_hall import BoardRow, LogPlace
from controller.club.wire.board_messages import HaveMessage, LogMessage
from controller.record.store import Store

STREAM_FILE = "club-stream"
"""The file beside the log that holds its name. A new log is another stream, whose numbers begin anew."""
STREAM_BYTES = 12
MOST_UNDERWAY = 200
"""Most rows that are sent and not confirmed yet. Guess."""
RESEND_S = 5.0
"""Time without a confirmation from the hall after which unconfirmed rows are sent again. Guess."""


def kept_stream(folder: Path) -> str:
    """The name of the log in a folder. It is created when there is none."""
    path = folder / STREAM_FILE
    try:
        found = path.read_text(encoding="ascii").strip()
        if len(found) == 2 * STREAM_BYTES and found.isalnum():
            return found
    except (OSError, UnicodeDecodeError):
        pass
    return new_stream(folder)


def new_stream(folder: Path) -> str:
    """A new name for the log in a folder. Where it cannot be written, it holds until the board stops.

    The file is replaced atomically: who reads it meanwhile finds the old name or the new one.
    """
    stream = secrets.token_hex(STREAM_BYTES)
    written = folder / f".new-{STREAM_FILE}"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        written.write_text(f"{stream}\n", encoding="ascii")
        written.replace(folder / STREAM_FILE)
    return stream


class LogFeed:
    """Reads the log and remembers what was sent and what the hall has.

    The hall confirms rows, because a broker may lose a row that it has accepted. After every loss of the
    connection, and when no confirmation comes, sending goes back to the row after the last confirmed one.
    For a log that the hall does not know, sending begins with the latest match. `due` raises StoreError.
    """

    def __init__(self, board: str, stream: str, store: Store) -> None:
        self.board, self.stream = board, stream
        self._store = store
        self._sent: LogPlace | None = None
        self._confirmed: LogPlace | None = None
        self._n_underway = 0
        self._news_s = 0.0

    def connected(self, now_s: float) -> None:
        """Begin again after the last row that the hall has confirmed."""
        self._go_back(now_s)

    def heard(self, have: HaveMessage, now_s: float) -> None:
        """Note what the hall has. A message about another log is ignored."""
        place, earlier, sent = have.place, self._confirmed, self._sent
        if have.stream != self.stream or place == earlier:
            return
        self._confirmed, self._news_s = place, now_s
        if earlier is not None and place is not None and sent is not None and earlier < place <= sent:
            self._n_underway = sent.seq - place.seq if sent.match == place.match else self._n_underway
        else:
            self._go_back(now_s)

    def lacks(self, have: HaveMessage) -> bool:
        """Whether the hall has a row of this log that the log itself has no longer, because it was salvaged
        or restored from a copy: what follows now is another log. Raises StoreError."""
        place = have.place
        if have.stream != self.stream or place is None:
            return False
        return next(self._store.rows(place.match, place.seq), None) is None

    def begin_as(self, stream: str, now_s: float) -> None:
        """Begin again as another log, which the hall does not know."""
        self.stream, self._confirmed = stream, None
        self._go_back(now_s)

    def due(self, now_s: float) -> Iterator[LogMessage]:
        """The rows to send now. Each counts as sent once the next one is asked for. Raises StoreError."""
        if self._n_underway and now_s - self._news_s >= RESEND_S:
            self._go_back(now_s)
        if not self._n_underway:
            self._news_s = now_s
        numbers = self._store.matches()
        if not numbers:
            return
        begin = self._sent.match if self._sent else numbers[-1]
        for number in (one for one in numbers if one >= begin):
            since = self._sent.seq + 1 if self._sent and self._sent.match == number else 0
            for entry in self._store.match(number).entries(since):
                if self._n_underway >= MOST_UNDERWAY:
                    return
                place = LogPlace(number, entry.seq)
                yield LogMessage(
                    row=BoardRow(
                        board=self.board,
                        stream=self.stream,
                        place=place,
                        t_ms=entry.t_ms,
                        kind=entry.kind,
                        payload=entry.payload,
                    ),
                    after=self._before(place, numbers),
                )
                self._sent = place
                self._n_underway += 1

    def _go_back(self, now_s: float) -> None:
        self._sent, self._n_underway, self._news_s = self._confirmed, 0, now_s

    def _before(self, place: LogPlace, numbers: tuple[int, ...]) -> LogPlace | None:
        """The place of the row before `place` in the whole log; None for the first row."""
        if place.seq:
            return LogPlace(place.match, place.seq - 1)
        earlier = [number for number in numbers if number < place.match]
        if not earlier:
            return None
        return LogPlace(earlier[-1], self._store.match(earlier[-1]).entries()[-1].seq)
