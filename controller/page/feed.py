"""Takes moments from the loop of the service to the browsers. The loop leaves a reference and goes on."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import asdict

from controller.page.moment import Moment
from controller.page.snapshot import Snapshot
from sentences import FILES, speaking

KEEP_ALIVE_S = 15.0
"""Time after which a comment is sent where nothing changes, so that lost browsers are noticed. Guess."""
MOST_WATCHERS = 64
"""Browsers that may watch at once. Guess: a club's evening."""


class TooManyWatchers(Exception):
    """No further browser can watch."""


class Feed:
    """The newest moment, and the browsers that are told of it. view: what is shown of a moment.

    `publish` may be called by any thread, everything else by the server's.
    """

    def __init__(self, view: Callable[[Moment], Snapshot]) -> None:
        self.newest: Moment | None = None
        self._view = view
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watchers: dict[asyncio.Event, str] = {}
        self._bodies: dict[str, tuple[Moment, str]] = {}
        """For each language the newest moment that was turned into text, and the text."""
        self._closed = False

    @property
    def n_watchers(self) -> int:
        return len(self._watchers)

    def open(self) -> None:
        """From now on browsers are told. Call it from the running event loop of the server."""
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        """Let every browser go."""
        self._closed = True
        self._tell()

    def publish(self, moment: Moment) -> None:
        """Hand a moment over, and return at once."""
        is_new = not moment.shows_same_as(self.newest)
        self.newest = moment
        if is_new and self._loop is not None and self._watchers:
            with suppress(RuntimeError):  # the server's loop is closed: nobody watches any more
                self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        for came in self._watchers:
            came.set()

    def body(self, language: str) -> str | None:
        """The snapshot of the newest moment as JSON on one line; None before the first moment."""
        moment = self.newest
        if moment is None:
            return None
        known = self._bodies.get(language)
        if known is None or not moment.shows_same_as(known[0]):
            with speaking(language):
                text = json.dumps(asdict(self._view(moment)), ensure_ascii=False, separators=(",", ":"))
            known = moment, text
        self._bodies[language] = moment, known[1]
        return known[1]

    async def events(self, language: str) -> AsyncIterator[str]:
        """The snapshots for one browser as server-sent events: the newest at once, then each that differs.

        Raises TooManyWatchers before the first one.
        """
        if self.n_watchers >= MOST_WATCHERS:
            raise TooManyWatchers
        assert language in FILES
        came = asyncio.Event()
        self._watchers[came] = language
        sent: str | None = None
        try:
            yield "retry: 1000\n\n"
            while not self._closed:
                body = self.body(language)
                if body is not None and body != sent:
                    sent = body
                    yield f"data: {body}\n\n"
                try:
                    await asyncio.wait_for(came.wait(), KEEP_ALIVE_S)
                except TimeoutError:
                    yield ": still here\n\n"
                came.clear()
        finally:
            del self._watchers[came]
