"""Connections to PostgreSQL that do not wait for ever for a server that has frozen or cannot be reached."""

from collections.abc import Generator
from time import monotonic
from typing import Any, TypeVar

import psycopg
from sqlalchemy import Engine, event

from sentences import say

CONNECT_S = 10
"""Longest wait for a new connection, where the URL says no `connect_timeout`. Guess."""
SILENT_S = 15.0
"""Longest wait for a sign from the server within a statement: the longest one takes far less. Guess."""
WAIT_INTERVAL_S = 0.1
"""Time between two looks at the clock while the server is silent; that of psycopg."""

Answer = TypeVar("Answer")


class PatientConnection(psycopg.Connection[Any]):
    """A connection that closes itself and raises OperationalError when the server is silent for SILENT_S.

    Neither the server's own limits nor those of TCP help where a server is frozen: its kernel still answers.
    """

    def wait(
        self,
        gen: Generator[Any, Any, Answer],
        interval: float = WAIT_INTERVAL_S,
        timeout: float | None = None,  # only where notifications are awaited; the hall awaits none
    ) -> Answer:
        return super().wait(self._until_silent(gen), interval)

    def _until_silent(self, gen: Generator[Any, Any, Answer]) -> Generator[Any, Any, Answer]:
        """The same generator. psycopg sends it a 0 for every interval in which the server was silent."""
        heard_s = monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    heard_s = monotonic()
                elif monotonic() - heard_s > SILENT_S:
                    self.close()
                    raise psycopg.OperationalError(say("club_store_silent", seconds=round(SILENT_S)))
                wanted = gen.send(ready)
        except StopIteration as ended:
            return ended.value  # type: ignore[no-any-return]


def be_patient(engine: Engine) -> None:
    """Let every connection of an engine be a PatientConnection."""
    event.listen(
        engine,
        "do_connect",
        lambda _dialect, _record, given, named: PatientConnection.connect(
            *given, **{"connect_timeout": CONNECT_S, **named}
        ),
    )
