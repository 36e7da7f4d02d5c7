"""The connections of browsers: one computer may not take the places of all, nor hold one without asking."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

MOST_CONNECTIONS = 120
"""Connections at once that are answered. Guess: every watcher holds one."""
MOST_OPEN = 2 * MOST_CONNECTIONS
"""Connections at once. Each holds one of the files that the whole program may open, usually 1024."""
MOST_OF_ONE_COMPUTER = 40
"""Connections at once of one address. Guess: a browser opens six, a few phones may share an address."""
ASKING_S = 10.0
"""Time for a whole request, and between two checks of it. Guess."""


class PageConnection(H11Protocol):
    """A connection that ends when it is one too many, or when no whole request comes."""

    _asked: RequestResponseCycle | None = None
    """The request that had come at the last check."""
    _check: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Let a browser in, or close its connection at once."""
        super().connection_made(transport)
        if len(self.connections) > MOST_OPEN or self._n_of_computer() > MOST_OF_ONE_COMPUTER:
            transport.abort()
        else:
            self._check_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Check no more."""
        if self._check is not None:
            self._check.cancel()
        super().connection_lost(exc)

    def _n_of_computer(self) -> int:
        hosts = [one.client[0] for one in self.connections if isinstance(one, PageConnection) and one.client]
        return hosts.count(self.client[0]) if self.client else 0

    def _check_later(self) -> None:
        self._check = self.loop.call_later(ASKING_S, self._close_unless_asked)

    def _close_unless_asked(self) -> None:
        asked = self.cycle
        is_waiting = asked is None or asked.response_complete or asked.more_body
        if is_waiting and asked is self._asked:
            self.transport.close()
            return
        self._asked = asked
        self._check_later()
