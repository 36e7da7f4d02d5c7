"""Passes moments from the loop of the service to the browsers. The loop leaves a reference and goes on."""

import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import asdict, replace
from itertools import islice

from controller.page.moment import Moment
from controller.page.snapshot import Snapshot
from sentences import FILES, speaking

KEEP_ALIVE_S = 15.0
"""Time without news after which a sign of life is sent: each side notices that the other is gone. Guess."""
SIGN_OF_LIFE = "event: alive\ndata: -\n\n"
"""An event that scripts hear, unlike a comment, and that is no snapshot."""
MOST_WATCHERS = 64
"""Browsers that may watch at once. Guess: a club's evening."""


class TooManyWatchers(Exception):
    """No further browser can watch."""


class Feed:
    """The newest moment, and the browsers that are told of it. view: makes its snapshot.

    delay_s: how much later spectators see it than players, in seconds.
    `publish` may be called by any thread, everything else by the server's.
    """

    def __init__(
        self,
        view: Callable[[Moment], Snapshot],
        delay_s: float = 0.0,
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self.newest: Moment | None = None
        self.delay_s = delay_s
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._past: deque[tuple[float, Moment]] = deque()
        """With a delay: the moment that spectators see now, then those that they have not seen yet, each with
        its time and without its picture, which spectators never see."""
        self._view = view
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watchers: dict[asyncio.Event, str] = {}
        self._bodies: dict[tuple[str, bool], tuple[Moment, str]] = {}
        """By language, and for spectators or players: the last moment turned into text, and the text."""
        self._closed = False

    @property
    def n_watchers(self) -> int:
        return len(self._watchers)

    def open(self) -> None:
        """Begin to tell browsers. Call it from the running event loop of the server."""
        self._loop = asyncio.get_running_loop()

    def close(self) -> None:
        """Let every browser go."""
        self._closed = True
        self._tell()

    def publish(self, moment: Moment) -> None:
        """Hand a moment over, and return at once."""
        is_new = not moment.shows_same_as(self.newest)
        self.newest = moment
        if is_new and self.delay_s:
            now_s = self._clock_s()
            with self._lock:
                self._past.append((now_s, replace(moment, picture=None)))
                self._drop_seen(now_s - self.delay_s)
        if is_new and self._loop is not None and self._watchers:
            with suppress(RuntimeError):  # the server's loop is closed: nobody watches any more
                self._loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        for came in self._watchers:
            came.set()

    def _drop_seen(self, due_s: float) -> None:
        """Drop the moments before the one that was the newest at `due_s`."""
        while len(self._past) > 1 and self._past[1][0] <= due_s:
            self._past.popleft()

    def shown(self, *, late: bool) -> Moment | None:
        """What players or spectators (`late`) see now; None before their first moment."""
        return self._shown(late=late)[0]

    def _shown(self, *, late: bool) -> tuple[Moment | None, float]:
        """What players or spectators (`late`) see now, and the seconds after which to look again."""
        if not (late and self.delay_s):
            return self.newest, KEEP_ALIVE_S
        due_s = self._clock_s() - self.delay_s
        with self._lock:
            self._drop_seen(due_s)
            now_and_next = list(islice(self._past, 2))
        times = [at_s - due_s for at_s, _ in now_and_next if at_s > due_s]
        is_due = bool(now_and_next) and now_and_next[0][0] <= due_s
        return now_and_next[0][1] if is_due else None, min([KEEP_ALIVE_S, *times])

    def body(self, language: str, *, late: bool = False) -> str | None:
        """The snapshot of the newest moment as JSON on one line; None before the first moment.

        late: what spectators see now.
        """
        moment = self.shown(late=late)
        if moment is None:
            return None
        known = self._bodies.get((language, late))
        if known is None or not moment.shows_same_as(known[0]):
            with speaking(language):
                text = json.dumps(asdict(self._view(moment)), ensure_ascii=False, separators=(",", ":"))
            known = moment, text
        self._bodies[language, late] = moment, known[1]
        return known[1]

    async def events(self, language: str, *, late: bool = False) -> AsyncIterator[str]:
        """The snapshots for one browser as server-sent events: the newest at once, then each that differs.

        late: for spectators. Raises TooManyWatchers before the first one.
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
                body = self.body(language, late=late)
                if body is not None and body != sent:
                    sent = body
                    yield f"data: {body}\n\n"
                try:
                    await asyncio.wait_for(came.wait(), self._shown(late=late)[1])
                except TimeoutError:
                    yield SIGN_OF_LIFE
                came.clear()
        finally:
            del self._watchers[came]
