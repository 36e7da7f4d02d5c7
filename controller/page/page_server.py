"""Serves the page from a thread of its own with an event loop of its own. The service never waits for it."""

import inspect
import queue
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from starlette.types import ASGIApp

from controller.page.camera_view import CameraView
from controller.page.feed import Feed
from controller.page.matches.match_views import MatchShelf
from controller.page.moment import Picture
from controller.page.page_access import PageAddress
from controller.page.page_connections import MOST_CONNECTIONS, PageConnection
from controller.page.page_routes import PageRoutes
from controller.page.snapshot import snapshot_of
from controller.perception.orientation import Orientation
from controller.referee.words.sentences import Speech
from controller.service.setup.setup_desk import SetupState
from controller.service.setup.setup_words import SetupWord
from hardware.camera import Frame
from sentences import say

T = TypeVar("T")

MOST_LINES_WAITING = 20
"""Lines that may wait for the service. It takes them several times a second. Guess."""
BACKLOG = 128
"""Connections that wait to be accepted, and that are accepted before the first of them is looked at."""
NEWER_OPTIONS = {"timeout_graceful_shutdown": 2, "h11_max_incomplete_event_size": 16_384}
"""Options that uvicorn 0.17 of Debian Bookworm does not have. There h11's own limit of a request's head is
the same, and `close` waits no longer than PATIENCE_S."""
IDLE_S = 30
"""Seconds of silence after which the system asks whether a browser is still there. Guess."""
GONE_S = 60
"""Seconds without an answer to anything sent after which a connection is given up. Guess."""
PATIENCE_S = 5.0
"""Longest time that `close` waits for the server. Guess."""


@dataclass(frozen=True, kw_only=True)
class PageSetup:
    """What the page shows. log: the file of the matches, None where none are kept.

    token: what commands need; None where nobody may command. may_set_up: whether the board may be set up.
    delay_s: how much later spectators see the game, in seconds. metrics: gives the counters as text, None
    where they are not shown.
    """

    speech: Speech = Speech.PLAIN
    log: Path | None = None
    token: str | None = None
    may_set_up: bool = False
    delay_s: float = 0.0
    metrics: Callable[[], str] | None = None


class PageServer:
    """The page, served until it is closed.

    tell: gets a sentence when the address cannot be used; the game then goes on without the page.
    """

    def __init__(self, address: PageAddress, setup: PageSetup, tell: Callable[[str], None]) -> None:
        self.feed = Feed(
            lambda moment: snapshot_of(moment, setup.speech, follows_live=setup.token is not None),
            setup.delay_s,
        )
        self._lines: queue.Queue[str] = queue.Queue(maxsize=MOST_LINES_WAITING)
        self._setup_words: queue.Queue[SetupWord] = queue.Queue(maxsize=MOST_LINES_WAITING)
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
            send_line=lambda line: _put(self._lines, line),
            send_setup_word=(lambda word: _put(self._setup_words, word)) if setup.may_set_up else None,
            speech=setup.speech,
            metrics=setup.metrics,
        )
        self.app = routes.app()
        """What answers requests."""
        config = server_config(self.app)
        self._server = _Server(config, self.feed)
        self._thread = threading.Thread(
            target=self._server.run, args=([listening],), name="page", daemon=True
        )
        self._thread.start()

    @property
    def is_under_way(self) -> bool:
        """Whether requests are answered, or people were told why they are not."""
        return self._server is None or self._server.started

    def lines(self) -> list[str]:
        """The lines that people sent since the last call."""
        return _taken(self._lines)

    def setup_words(self) -> list[SetupWord]:
        """What people said about setting the board up since the last call."""
        return _taken(self._setup_words)

    def show_setup(self, state: SetupState | None, frame: Frame | None) -> None:
        """Show the set-up over the game as it was shown last. state: None ends the set-up."""
        before = self.feed.newest
        if before is not None:
            picture = Picture(frame=frame, reading=None, geometry=None) if frame else None
            self.feed.publish(replace(before, setup=state, picture=picture))

    def close(self) -> None:
        """Let every browser go, and end the thread."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(PATIENCE_S)

    def _orientation(self) -> Orientation:
        return self.feed.newest.orientation if self.feed.newest else Orientation()


def _put(waiting: "queue.Queue[T]", said: T) -> bool:
    try:
        waiting.put_nowait(said)
    except queue.Full:
        return False
    return True


def _taken(waiting: "queue.Queue[T]") -> list[T]:
    found = []
    with suppress(queue.Empty):
        while True:
            found.append(waiting.get_nowait())
    return found


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
    """How an application is served: only errors are logged, no headers of its own, few connections, short
    time-outs."""
    return uvicorn.Config(
        app,
        lifespan="off",
        ws="none",
        http=PageConnection,
        loop="asyncio",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=10,
        **_known(NEWER_OPTIONS),
    )


def _known(options: dict[str, Any]) -> dict[str, Any]:
    """The options that the installed uvicorn has."""
    known = inspect.signature(uvicorn.Config).parameters
    return {name: value for name, value in options.items() if name in known}


def listening_socket(address: PageAddress) -> socket.socket:
    """The socket that listens at an address; at all of IPv6 also at all of IPv4.

    It drops browsers that went without a word, such as a phone out of reach, so that others get their places.
    Raises OSError when the address cannot be used.
    """
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    both = family is socket.AF_INET6 and address.is_everywhere and socket.has_dualstack_ipv6()
    try:
        listening = socket.create_server(
            (address.host, address.port), family=family, backlog=BACKLOG, dualstack_ipv6=both
        )
    except OSError as error:  # the address is named again behind the reason
        raise OSError(error.errno, str(error.strerror).partition(" (")[0]) from error
    # What is accepted inherits these options (Linux).
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, IDLE_S)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_S * 1000)
    return listening
