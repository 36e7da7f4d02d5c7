"""Downloads from the hall: all matches in one archive; results, standings and ratings as tables."""

import csv
import io
import zipfile
from collections.abc import Iterable, Mapping

from controller.club.hall_store.store_of_hall import HallStore
from controller.club.tournament.elo import Rating, highest_first
from controller.club.tournament.fixtures import NOBODY
from controller.club.tournament.standings import TIE_BREAKS, standings
from controller.club.tournament.tournament import Tournament
from controller.record.mat_writer import format_mat
from controller.record.match_record import MatchFileError
from controller.record.store import LogEntry
from controller.service.matches.kept_matches import parse_kept_match
from controller.service.matches.played_matches import match_record

NOT_A_MATCH = (MatchFileError, KeyError, ValueError, TypeError, IndexError, AttributeError, OverflowError)
"""Errors that reading the rows of a board may raise. The rows come from outside."""


def zipped_matches(store: HallStore) -> bytes:
    """A ZIP archive of all matches in which something was played, as .mat files named by board and match."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        for match in store.matches():
            entries = [
                LogEntry(seq=row.place.seq, t_ms=row.t_ms, kind=row.kind, payload=row.payload)
                for row in store.rows(match)
            ]
            try:
                record = match_record(parse_kept_match(entries))
                text = format_mat(record)
            except NOT_A_MATCH:
                continue
            if any(game.actions for game in record.games):
                archive.writestr(f"{match.board}-{match.stream[:6]}-{match.match:03}.mat", text)
    return found.getvalue()


def results_table(tournament: Tournament) -> str:
    """The results as CSV."""
    rows = (
        (
            state.fixture.key,
            state.fixture.length,
            _name(tournament, state.fixture.one),
            _name(tournament, state.fixture.other),
            _name(tournament, state.winner or NOBODY),
            *state.score,
            state.end.value if state.end else "",
        )
        for state in tournament.outcomes
    )
    heads = ("match", "length", "player", "opponent", "winner", "winner_points", "loser_points", "end")
    return _csv(heads, rows)


def standings_table(tournament: Tournament) -> str:
    """The standings as CSV."""
    rows = (
        (row.place, _name(tournament, row.number), row.won, row.lost, *row.points, *row.tie_breaks)
        for row in standings(tournament)
    )
    breaks = (one.value.replace("-", "_") for one in TIE_BREAKS.get(tournament.plan.system, ()))
    return _csv(("place", "player", "won", "lost", "points_won", "points_lost", *breaks), rows)


def ratings_table(ratings: Mapping[str, Rating]) -> str:
    """The ratings as CSV, the highest first."""
    rows = (
        (place, _plain(name), f"{one.value:.2f}", one.experience)
        for place, (name, one) in enumerate(highest_first(ratings), start=1)
    )
    return _csv(("place", "player", "rating", "experience"), rows)


def _name(tournament: Tournament, number: int) -> str:
    return _plain(tournament.entrant(number).name) if number else ""


def _plain(name: str) -> str:
    # A spreadsheet takes a name that begins so for a formula.
    return f"'{name}" if name[:1] in ("=", "+", "-", "@") else name


def _csv(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return out.getvalue()
