"""An open hall with its broker and its boards, for the tests and the pictures of its page."""

from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.club.hall.hall_server import OpenHall
from controller.club.hall_store.store_of_hall import sqlite_url
from controller.club.wire.broker_files import board_names
from controller.page.page_access import PageAddress, invitation
from tests.broker import broker
from tests.controller.club.simulated_boards import SimulatedBoard, wait_until

TOKEN = "a-token-of-the-director"
NAMES = ("Ada", "Bert", "Cleo", "Dora", "Emil", "Fritz", "Gerda", "Hans", "Ida", "Jens")


class HallWithBoards:
    """n boards are in the list; each is a SimulatedBoard that has come."""

    def __init__(self, hall_broker, hall, boards):
        self.broker, self.hall, self.boards = hall_broker, hall, boards

    @property
    def url(self):
        return self.hall.address.url

    @property
    def invitation(self):
        return invitation(self.url, TOKEN)


@contextmanager
def hall_with_boards(n, *, url=None, delay_s=0.0, names=None):
    """names: of White and Black at each board; pairs of NAMES where left out."""
    with ExitStack() as cleaning:
        folder = Path(cleaning.enter_context(TemporaryDirectory(prefix="blotlight-hall-")))
        hall_broker = cleaning.enter_context(broker(n))
        hall = OpenHall(
            store_url=url or sqlite_url(folder / "hall.db"),
            link=hall_broker.link("hall"),
            address=PageAddress(host="127.0.0.1", port=0),
            boards=board_names(n),
            token=TOKEN,
            delay_s=delay_s,
        )
        cleaning.enter_context(closing(hall))
        boards = []
        for at, name in enumerate(board_names(n)):
            pair = (
                names[at]
                if names
                else (NAMES[2 * at % 10], f"{NAMES[(2 * at + 1) % 10]} {at // 5 or ''}".strip())
            )
            board = SimulatedBoard(folder, hall_broker.link(name), white=pair[0], black=pair[1])
            boards.append(cleaning.enter_context(closing(board)))
            board.come()
        wait_until(lambda: all(one.is_online for one in hall.live.boards()))
        yield HallWithBoards(hall_broker, hall, boards)
