"""Serves the page from a thread of its own with an event loop of its own. The service never waits for it."""

import queue
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from controller.page.camera_view import CameraView
from controller.page.feed import Feed
from controller.page.match_views import MatchShelf
from controller.page.page_access import PageAddress
from controller.page.page_routes import PageRoutes
from controller.page.snapshot import snapshot_of
from controller.perception.orientation import Orientation
from controller.referee.words.sentences import Speech
from controller.referee.words.typed_commands import Names
from sentences import say

MOST_LINES_WAITING = 20
"""Lines that may wait for the service. It takes them several times a second. Guess."""
MOST_CONNECTIONS = 120
"""Connections at once. Guess: every watcher holds one."""
PATIENCE_S = 5.0
"""How long the end of the program waits for the server. Guess."""


@dataclass(frozen=True, kw_only=True)
class PageSetup:
    """What the page shows. log: the file of the matches, None where none are kept.

    token: what commands need; None where nobody may command.
    """

    names: Names
    speech: Speech = Speech.PLAIN
    log: Path | None = None
    token: str | None = None


class PageServer:
    """The page, served until it is closed.

    tell: gets the sentence when the address cannot be used; the game goes on without the page then.
    """

    def __init__(self, address: PageAddress, setup: PageSetup, tell: Callable[[str], None]) -> None:
        self.feed = Feed(
            lambda moment: snapshot_of(
                moment, setup.names, setup.speech, follows_live=setup.token is not None
            )
        )
        self._lines: queue.Queue[str] = queue.Queue(maxsize=MOST_LINES_WAITING)
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None
        self.address: PageAddress | None = None
        """Where it listens; None when it does not."""
        try:
            listening = listening_socket(address)
        except OSError as error:
            tell(say("page_not_served", host=address.host, port=address.port, reason=error.strerror))
            return
        self.address = PageAddress(host=address.host, port=listening.getsockname()[1])
        routes = PageRoutes(
            feed=self.feed,
            camera=CameraView(),
            shelf=MatchShelf(setup.log, self._orientation, setup.speech),
            token=setup.token,
            send_line=self._send_line,
            speech=setup.speech,
        )
        config = server_config(routes.app())
        self._server = _Server(config, self.feed)
        self._thread = threading.Thread(
            target=self._server.run, args=([listening],), name="page", daemon=True
        )
        self._thread.start()

    def lines(self) -> list[str]:
        """The lines that people sent since the last call."""
        found = []
        with suppress(queue.Empty):
            while True:
                found.append(self._lines.get_nowait())
        return found

    def close(self) -> None:
        """Let every browser go, and end the thread."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(PATIENCE_S)

    def _send_line(self, line: str) -> bool:
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            return False
        return True

    def _orientation(self) -> Orientation:
        return self.feed.newest.orientation if self.feed.newest else Orientation()


class _Server(uvicorn.Server):
    """Opens the feed on the server's event loop, and closes it before it waits for its connections."""

    def __init__(self, config: uvicorn.Config, feed: Feed) -> None:
        super().__init__(config)
        self._feed = feed

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._feed.open()
        await super().startup(sockets)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._feed.close()
        await super().shutdown(sockets)


def server_config(app: ASGIApp) -> uvicorn.Config:
    """How an application is served: no logs, no headers of its own, few connections, short patience."""
    return uvicorn.Config(
        app,
        lifespan="off",
        ws="none",
        http="h11",
        loop="asyncio",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=16_384,
    )


def listening_socket(address: PageAddress) -> socket.socket:
    """Raises OSError when the address cannot be used."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    return socket.create_server((address.host, address.port), family=family, backlog=128)
