"""The running hall: store, connection to the broker, tournaments and page."""

import threading
from collections.abc import Callable, Sequence

import uvicorn

from controller.club.hall.evening import Evening
from controller.club.hall.hall_listener import HallListener, HallMessages
from controller.club.hall.hall_routes import HallRoutes
from controller.club.hall.live_boards import LiveBoards
from controller.club.hall.row_intake import RowIntake
from controller.club.hall_store.store_of_hall import HallStore
from controller.club.wire.club_link import ClubLink
from controller.errors import WorkError
from controller.page.page_access import PageAddress
from controller.page.page_server import PATIENCE_S, listening_socket, server_config
from sentences import say


class OpenHall:
    """The hall, open until `close`. Raises WorkError when its store or address cannot be used.

    boards: the names of the boards, the one at table 1 first. token: needed to direct. delay_s: how late
    spectators see.
    """

    def __init__(
        self,
        *,
        store_url: str,
        link: ClubLink,
        address: PageAddress,
        boards: Sequence[str],
        token: str,
        delay_s: float = 0.0,
    ) -> None:
        self._is_closing = threading.Event()
        tables = {board: table for table, board in enumerate(boards, start=1)}
        self.store = HallStore(store_url)
        self.live = LiveBoards(tables, delay_s)
        self.evening = Evening(self.store, tables, delay_s=delay_s)
        self.messages = HallMessages(RowIntake(self.store), self.live)
        try:
            listening = listening_socket(address)
        except OSError as error:
            self.store.close()
            raise WorkError(
                say("club_page_not_served", host=address.host, port=address.port, reason=error.strerror)
            ) from None
        self.address = PageAddress(host=address.host, port=listening.getsockname()[1])
        self.listener = HallListener(link, self.messages, self.evening.note_rows)
        routes = HallRoutes(
            live=self.live,
            evening=self.evening,
            store=self.store,
            token=token,
            delay_s=delay_s,
            is_closing=self._is_closing.is_set,
            end_call=self.listener.end_call,
        )
        self._server = uvicorn.Server(server_config(routes.app()))
        self._thread = threading.Thread(
            target=self._server.run, args=([listening],), name="hall page", daemon=True
        )
        self._thread.start()

    def wait(self, stop: threading.Event, tell: Callable[[str], None]) -> None:
        """Wait until stopped. tell: receives a sentence when the broker or the store comes or goes."""
        told = ""
        was_refused = False
        while not stop.wait(1.0):
            refused = self.messages.refused
            if refused is not None and not was_refused:
                tell(str(refused))
            if refused is None and was_refused:
                tell(say("club_store_there"))
            was_refused = refused is not None
            words = self._broker_words()
            if words != told:
                tell(words)
            told = words

    def _broker_words(self) -> str:
        if self.listener.problem:
            return self.listener.problem
        return say("club_broker_there") if self.listener.is_connected else say("club_broker_away")

    def close(self) -> None:
        """Disconnect from the broker and from every browser, and close the store."""
        self.listener.close()
        self._is_closing.set()
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)
        self.store.close()
