"""Takes the rows of all boards: each once, in order, without gaps."""

from collections.abc import Mapping

from controller.club.hall_store.store_of_hall import BoardRow, HallStore, LogPlace
from controller.club.wire.board_messages import HaveMessage, LogMessage

MOST_WAITING = 20_000
"""Rows that wait for a database that does not answer. More are refused, and sent again later. Guess."""


class RowIntake:
    """Rows wait here until `keep` has written them; only then the boards hear of them.

    Two logs may take turns at a board, and the broker may bring rows of an old one late: each has its place.
    """

    def __init__(self, store: HallStore) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], LogPlace] = dict(store.positions())
        self._taken = dict(self._kept)
        self._waiting: list[BoardRow] = []
        self.n_repeated = 0
        self.n_after_gap = 0

    def take(self, message: LogMessage) -> bool:
        """Take a row, if it is the next one of its log."""
        row = message.row
        place = self._taken.get((row.board, row.stream))
        if place is not None and row.place <= place:
            self.n_repeated += 1
            return False
        is_next = row.place.seq == 0 if place is None else message.after == place
        if not is_next or len(self._waiting) >= MOST_WAITING:
            self.n_after_gap += 1
            return False
        self._taken[row.board, row.stream] = row.place
        self._waiting.append(row)
        return True

    def keep(self) -> tuple[list[BoardRow], Mapping[tuple[str, str], HaveMessage]]:
        """Write what waits. Returns the rows, and for each board and log what the board is to hear.

        Raises WorkError when the database refuses; the rows then wait on.
        """
        rows = list(self._waiting)
        self._store.add_rows(rows)
        del self._waiting[: len(rows)]
        self._kept |= {(row.board, row.stream): row.place for row in rows}
        return rows, {(row.board, row.stream): self.have(row.board, row.stream) for row in rows}

    def have(self, board: str, stream: str) -> HaveMessage:
        """What a board is to hear of its log."""
        return HaveMessage(stream=stream, place=self._kept.get((board, stream)))
