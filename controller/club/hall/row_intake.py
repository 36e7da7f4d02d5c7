"""Takes the rows of all boards: each once, in order, without gaps."""

from collections.abc import Mapping

from controller.club.hall_store.store_of_hall import BoardRow, HallStore, LogPlace
from controller.club.wire.board_messages import HaveMessage, LogMessage
from controller.errors import WorkError

MOST_WAITING = 20_000
"""Rows that wait for a database that does not answer. More are refused, and sent again later. Guess."""


class RowIntake:
    """Rows wait here until `keep` has written them; only then the boards hear of them."""

    def __init__(self, store: HallStore) -> None:
        self._store = store
        self._kept: dict[str, tuple[str, LogPlace]] = dict(store.positions())
        self._taken = dict(self._kept)
        self._waiting: list[BoardRow] = []
        self.n_repeated = 0
        self.n_after_gap = 0

    def take(self, message: LogMessage) -> bool:
        """Take a row, if it is the next one of its board."""
        row = message.row
        stream, place = self._taken.get(row.board, ("", None))
        if stream != row.stream:
            is_next = row.place.seq == 0
        elif place is not None and row.place <= place:
            self.n_repeated += 1
            return False
        else:
            is_next = message.after == place
        if not is_next or len(self._waiting) >= MOST_WAITING:
            self.n_after_gap += 1
            return False
        self._taken[row.board] = row.stream, row.place
        self._waiting.append(row)
        return True

    def keep(self) -> tuple[list[BoardRow], Mapping[str, HaveMessage]]:
        """Write what waits. Returns the rows, and what each of their boards is to hear.

        Raises WorkError when the database refuses; the rows then wait on.
        """
        rows = list(self._waiting)
        self._store.add_rows(rows)
        del self._waiting[: len(rows)]
        heard = {row.board: HaveMessage(stream=row.stream, place=row.place) for row in rows}
        self._kept |= {row.board: (row.stream, row.place) for row in rows}
        return rows, heard

    def have(self, board: str, stream: str) -> HaveMessage:
        """What a board that has just come is to hear."""
        kept_stream, place = self._kept.get(board, ("", None))
        return HaveMessage(stream=stream, place=place if kept_stream == stream else None)


def kept_or_waiting(intake: RowIntake) -> tuple[list[BoardRow], Mapping[str, HaveMessage]]:
    """`keep`, with nothing where the database refuses: its rows are tried again."""
    try:
        return intake.keep()
    except WorkError:
        return [], {}
