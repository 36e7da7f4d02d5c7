"""The tables of the hall's database, created and changed in steps. A published step is never changed.

The steps are plain SQL that both SQLite and PostgreSQL accept. All missing steps are made in one transaction:
afterwards a database is either unchanged or up to date.
"""

from sqlalchemy import Connection, text

from controller.errors import WorkError
from sentences import say

SCHEMA_STEPS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE board_rows (
            board VARCHAR(40) NOT NULL,
            stream VARCHAR(40) NOT NULL,
            match_number BIGINT NOT NULL,
            seq BIGINT NOT NULL,
            t_ms BIGINT NOT NULL,
            kind VARCHAR(40) NOT NULL,
            payload TEXT NOT NULL,
            PRIMARY KEY (board, stream, match_number, seq)
        )
        """,
        """
        CREATE TABLE board_positions (
            board VARCHAR(40) NOT NULL PRIMARY KEY,
            stream VARCHAR(40) NOT NULL,
            match_number BIGINT NOT NULL,
            seq BIGINT NOT NULL
        )
        """,
        """
        CREATE TABLE tournaments (
            number BIGINT NOT NULL PRIMARY KEY,
            plan TEXT NOT NULL
        )
        """,
        """
        CREATE TABLE tournament_changes (
            tournament BIGINT NOT NULL,
            number BIGINT NOT NULL,
            at_ms BIGINT NOT NULL,
            change_data TEXT NOT NULL,
            PRIMARY KEY (tournament, number)
        )
        """,
    ),
    (
        """
        CREATE TABLE ratings (
            player VARCHAR(80) NOT NULL PRIMARY KEY,
            value DOUBLE PRECISION NOT NULL,
            experience BIGINT NOT NULL
        )
        """,
        "ALTER TABLE tournaments ADD COLUMN rated_ms BIGINT",
    ),
    # Ratings are computed from the results. Stored ratings became wrong when a result was corrected.
    ("DROP TABLE ratings", "ALTER TABLE tournaments DROP COLUMN rated_ms"),
    # The last row of each log of a board is found in `board_rows`.
    ("DROP TABLE board_positions",),
    # The ends of matches that no tournament has looked at yet.
    (
        """
        CREATE TABLE match_ends (
            board VARCHAR(40) NOT NULL,
            stream VARCHAR(40) NOT NULL,
            match_number BIGINT NOT NULL,
            seq BIGINT NOT NULL,
            PRIMARY KEY (board, stream, match_number, seq)
        )
        """,
    ),
)
VERSION_TABLE = "CREATE TABLE IF NOT EXISTS hall_schema (version BIGINT NOT NULL)"


def bring_up_to_date(connection: Connection, steps: tuple[tuple[str, ...], ...] = SCHEMA_STEPS) -> None:
    """Apply the steps that a database lacks. Raises WorkError when a later program has applied more."""
    if connection.dialect.name == "postgresql":
        # Two halls that start at the same time wait for each other. Any number does that is the same in both.
        connection.execute(text("SELECT pg_advisory_xact_lock(8017)"))
    connection.execute(text(VERSION_TABLE))
    version = connection.execute(text("SELECT max(version) FROM hall_schema")).scalar() or 0
    if version > len(SCHEMA_STEPS):
        raise WorkError(say("club_store_newer"))
    for number, statements in enumerate(steps, start=1):
        if number > version:
            for statement in statements:
                connection.execute(text(statement))
            connection.execute(text("INSERT INTO hall_schema (version) VALUES (:number)"), {"number": number})
