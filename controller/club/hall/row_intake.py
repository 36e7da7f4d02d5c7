"""Accepts the rows of all boards: each row once, in order, without gaps."""

from collections.abc import Mapping

from controller.club.hall_store.store_of_hall import BoardRow, HallStore, LogPlace
from controller.club.wire.board_messages import HaveMessage, LogMessage
from controller.record.journal import KINDS
from controller.referee import GameWon

MOST_WAITING = 20_000
"""Most rows that wait while the database does not answer. More are refused; boards resend them. Guess."""


class RowIntake:
    """Holds rows until `keep` has written them. Only then are they confirmed to the boards.

    The place reached is kept for each log, because a board may alternate between two logs, and the broker may
    deliver rows of an old one late.
    """

    def __init__(self, store: HallStore) -> None:
        self._store = store
        self._kept: dict[tuple[str, str], LogPlace] = dict(store.positions())
        self._taken = dict(self._kept)
        self._waiting: list[BoardRow] = []
        self._is_in_doubt = False
        """Whether the last write failed: the rows may be there although the database did not confirm them."""

    def take(self, message: LogMessage) -> bool:
        """Take a row if it is the next of its log and not too many wait. Returns whether it was taken."""
        row = message.row
        place = self._taken.get((row.board, row.stream))
        if place is not None and row.place <= place:
            return False
        is_next = row.place.seq == 0 if place is None else message.after == place
        if not is_next or len(self._waiting) >= MOST_WAITING:
            return False
        self._taken[row.board, row.stream] = row.place
        self._waiting.append(row)
        return True

    def keep(self) -> tuple[list[BoardRow], Mapping[tuple[str, str], HaveMessage]]:
        """Write the waiting rows. Returns them, and the message to send for each of their boards and logs.

        Raises WorkError when the database refuses; the rows then keep waiting.
        """
        rows = list(self._waiting)
        stored = self._store.positions() if self._is_in_doubt else {}
        self._is_in_doubt = True
        new = [row for row in rows if not _is_in(stored, row)]
        self._store.add_rows(new, [row for row in new if ends_match(row)])
        self._is_in_doubt = False
        del self._waiting[: len(rows)]
        self._kept |= {(row.board, row.stream): row.place for row in rows}
        return rows, {(row.board, row.stream): self.have(row.board, row.stream) for row in rows}

    def have(self, board: str, stream: str) -> HaveMessage:
        """The message that tells a board which rows of its log the hall has."""
        return HaveMessage(stream=stream, place=self._kept.get((board, stream)))


def ends_match(row: BoardRow) -> bool:
    """Whether a row tells that its match is over."""
    return row.kind == KINDS[GameWon] and row.payload.get("match_over") is True


def _is_in(places: Mapping[tuple[str, str], LogPlace], row: BoardRow) -> bool:
    place = places.get((row.board, row.stream))
    return place is not None and row.place <= place
