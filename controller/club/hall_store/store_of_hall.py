"""The store of the hall: SQLAlchemy Core on the URL of an SQLite or a PostgreSQL database."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError

from controller.club.hall_store.schema_steps import bring_up_to_date
from controller.club.tournament.changes import Change, parse_plan, plan_data
from controller.club.tournament.tournament import Plan
from controller.errors import InputError, WorkError
from sentences import say

ADD_ROW = """
INSERT INTO board_rows (board, stream, match_number, seq, t_ms, kind, payload)
VALUES (:board, :stream, :match, :seq, :t_ms, :kind, :payload)
"""
ADD_END = """
INSERT INTO match_ends (board, stream, match_number, seq) VALUES (:board, :stream, :match, :seq)
"""
NOTE_END = """
DELETE FROM match_ends WHERE board = :board AND stream = :stream AND match_number = :match AND seq = :seq
"""
OPEN_ENDS = """
SELECT board, stream, match_number, seq, t_ms, kind, payload
FROM board_rows JOIN match_ends USING (board, stream, match_number, seq)
ORDER BY board, stream, match_number, seq
"""


@dataclass(frozen=True, order=True)
class LogPlace:
    """The place of a row in a board's log: the number of its match, and of the row within the match."""

    match: int
    seq: int


@dataclass(frozen=True, kw_only=True)
class BoardRow:
    """A row of a board's log, as the board has published it. stream: which log of that board."""

    board: str
    stream: str
    place: LogPlace
    t_ms: int
    kind: str
    payload: Mapping[str, Any]

    @property
    def key(self) -> dict[str, str | int]:
        return {
            "board": self.board,
            "stream": self.stream,
            "match": self.place.match,
            "seq": self.place.seq,
        }


@dataclass(frozen=True, kw_only=True)
class BoardMatch:
    """The key of a match that a board has published."""

    board: str
    stream: str
    match: int


class ChangedMeanwhile(WorkError):
    """Somebody else has changed the tournament since it was read."""


def sqlite_url(path: Path) -> str:
    """The URL of an SQLite file."""
    return f"sqlite:///{path}"


class HallStore:
    """The store at a URL, created or brought up to date when it is opened.

    Raises InputError when the URL is invalid, WorkError when the database cannot be used.
    """

    def __init__(self, url: str) -> None:
        self._engine = _engine(url)
        self._reader = self._engine.execution_options(is_reading=True)
        try:
            with self._working() as connection:
                bring_up_to_date(connection)
        except WorkError:
            self.close()
            raise

    def close(self) -> None:
        """Close the connections to the database."""
        self._engine.dispose()

    # -- the boards

    def add_rows(self, rows: Sequence[BoardRow], ends: Sequence[BoardRow] = ()) -> None:
        """Store rows, all or none. ends: those of them that end a match.

        Raises WorkError when a row is already there.
        """
        if not rows:
            return
        with self._working() as connection:
            connection.execute(
                text(ADD_ROW),
                [
                    {
                        **row.key,
                        "t_ms": row.t_ms,
                        "kind": row.kind,
                        "payload": json.dumps(row.payload, separators=(",", ":")),
                    }
                    for row in rows
                ],
            )
            if ends:
                connection.execute(text(ADD_END), [row.key for row in ends])

    def open_ends(self) -> list[BoardRow]:
        """The rows that end a match and were not noted yet."""
        with self._reading() as connection:
            return [
                BoardRow(
                    board=board,
                    stream=stream,
                    place=LogPlace(match, seq),
                    t_ms=t_ms,
                    kind=kind,
                    payload=json.loads(payload),
                )
                for board, stream, match, seq, t_ms, kind, payload in connection.execute(text(OPEN_ENDS))
            ]

    def note_end(self, row: BoardRow) -> None:
        """Note that a row that ends a match changes no tournament."""
        with self._working() as connection:
            connection.execute(text(NOTE_END), row.key)

    def positions(self) -> dict[tuple[str, str], LogPlace]:
        """The place of the last stored row, by board and log."""
        with self._reading() as connection:
            found = connection.execute(
                text(
                    "SELECT board, stream, match_number, max(seq) FROM board_rows "
                    "GROUP BY board, stream, match_number ORDER BY match_number"
                )
            )
            return {(board, stream): LogPlace(match, seq) for board, stream, match, seq in found}

    def matches(self) -> list[BoardMatch]:
        """Every match of every board."""
        with self._reading() as connection:
            found = connection.execute(
                text(
                    "SELECT board, stream, match_number FROM board_rows "
                    "GROUP BY board, stream, match_number ORDER BY board, stream, match_number"
                )
            )
            return [BoardMatch(board=board, stream=stream, match=match) for board, stream, match in found]

    def rows(self, match: BoardMatch) -> list[BoardRow]:
        """The rows of a match in order."""
        with self._reading() as connection:
            found = connection.execute(
                text(
                    "SELECT seq, t_ms, kind, payload FROM board_rows WHERE board = :board "
                    "AND stream = :stream AND match_number = :match ORDER BY seq"
                ),
                {"board": match.board, "stream": match.stream, "match": match.match},
            )
            return [
                BoardRow(
                    board=match.board,
                    stream=match.stream,
                    place=LogPlace(match.match, seq),
                    t_ms=t_ms,
                    kind=kind,
                    payload=json.loads(payload),
                )
                for seq, t_ms, kind, payload in found
            ]

    # -- tournaments

    def add_tournament(self, plan: Plan) -> int:
        """Store a new tournament. Returns its number, from 1."""
        with self._working() as connection:
            number = (connection.execute(text("SELECT max(number) FROM tournaments")).scalar() or 0) + 1
            connection.execute(
                text("INSERT INTO tournaments (number, plan) VALUES (:number, :plan)"),
                {"number": number, "plan": json.dumps(plan_data(plan))},
            )
            return int(number)

    def tournaments(self) -> dict[int, tuple[Plan, list[tuple[int, Change]]]]:
        """The plan of every tournament, and its changes in order, each with its time."""
        with self._reading() as connection:
            plans = connection.execute(text("SELECT number, plan FROM tournaments ORDER BY number")).all()
            changes: defaultdict[int, list[tuple[int, Change]]] = defaultdict(list)
            for tournament, at_ms, change in connection.execute(
                text(
                    "SELECT tournament, at_ms, change_data FROM tournament_changes "
                    "ORDER BY tournament, number"
                )
            ):
                changes[tournament].append((at_ms, json.loads(change)))
        return {number: (parse_plan(json.loads(plan)), changes[number]) for number, plan in plans}

    def add_change(
        self, tournament: int, number: int, at_ms: int, change: Change, end: BoardRow | None = None
    ) -> None:
        """Store change `number`, from 1. end: the row from which it follows, noted with it.

        Raises ChangedMeanwhile when that number is taken.
        """
        try:
            with self._working() as connection:
                connection.execute(
                    text("INSERT INTO tournament_changes VALUES (:tournament, :number, :at_ms, :change)"),
                    {
                        "tournament": tournament,
                        "number": number,
                        "at_ms": at_ms,
                        "change": json.dumps(change),
                    },
                )
                if end is not None:
                    connection.execute(text(NOTE_END), end.key)
        except WorkError as error:
            if isinstance(error.__cause__, IntegrityError):
                raise ChangedMeanwhile(say("club_changed_meanwhile")) from None
            raise

    def _reading(self) -> AbstractContextManager[Connection]:
        """A transaction that only reads. On SQLite it takes no write lock."""
        return self._working(self._reader)

    @contextmanager
    def _working(self, engine: Engine | None = None) -> Iterator[Connection]:
        """A transaction. Raises WorkError when the database refuses it."""
        try:
            with (engine or self._engine).begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).splitlines()[0]
            raise WorkError(say("club_store_refuses", reason=reason)) from error


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "postgresql":
            # `postgresql://` always means psycopg here, whatever SQLAlchemy's default is.
            engine = create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
            from controller.club.hall_store.patient_connection import be_patient  # needs psycopg

            be_patient(engine)
            return engine
        if parsed.get_backend_name() != "sqlite":
            raise ArgumentError(url)
        engine = create_engine(parsed)
    except (ArgumentError, ImportError, SQLAlchemyError):
        raise InputError(say("club_store_url", url=url)) from None

    @event.listens_for(engine, "connect")
    def begin_ourselves(connection: DBAPIConnection, _: object) -> None:
        connection.isolation_level = None
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            connection.cursor().execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # Python's own transaction handling would leave schema changes outside the transaction.
        is_reading = connection.get_execution_options().get("is_reading")
        connection.exec_driver_sql("BEGIN" if is_reading else "BEGIN IMMEDIATE")

    return engine
