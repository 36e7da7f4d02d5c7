"""The tournaments of an evening: changes by the director and by the boards, tables, results, ratings."""

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from controller.club.hall_store.store_of_hall import BoardRow, ChangedMeanwhile, HallStore
from controller.club.tournament.changes import Change, after_changes, changed, parse_plan
from controller.club.tournament.elo import RatedMatch, rated_in_order
from controller.club.tournament.fixtures import Fixture, FixtureEnd, TournamentError
from controller.club.tournament.round_clock import RoundClock
from controller.club.tournament.table_allocation import allocated
from controller.club.tournament.tournament import Tournament
from controller.errors import BlotlightError
from controller.record.journal import KINDS
from controller.record.keeper import HEADING_KIND
from controller.referee import GameWon
from sentences import say


@dataclass(frozen=True, kw_only=True)
class RunningTournament:
    """A tournament with its changes, and the tables of its open fixtures, by their keys."""

    number: int
    tournament: Tournament
    n_changes: int
    tables: dict[str, int] = field(default_factory=dict)
    clock: RoundClock | None = None


class Evening:
    """All tournaments. tables: of the hall, the one in front first. Any thread may call."""

    def __init__(
        self, store: HallStore, tables: Sequence[int], clock_ms: Callable[[], int] | None = None
    ) -> None:
        self._store = store
        self._tables = list(tables)
        self._clock_ms = clock_ms or (lambda: round(time.time() * 1000))
        self._lock = threading.RLock()
        self._running: dict[int, RunningTournament] = {}
        self._headings: dict[str, tuple[str, str, int]] = {}
        """The players and the length of the match at each board."""
        self._load()

    def _load(self) -> None:
        for number, (plan, changes) in self._store.tournaments().items():
            self._keep(number, after_changes(plan, changes), len(changes))

    def _keep(self, number: int, tournament: Tournament, n_changes: int) -> None:
        old = self._running.get(number)
        elsewhere = {
            table for other, one in self._running.items() if other != number for table in one.tables.values()
        }
        free = [table for table in self._tables if table not in elsewhere]
        clock = old.clock if old else None
        if tournament.open_fixtures and (old is None or tournament.rounds != old.tournament.rounds):
            longest = max(fixture.length for fixture in tournament.open_fixtures)
            clock = RoundClock.for_length(longest).started(self._clock_ms())
        self._running[number] = RunningTournament(
            number=number,
            tournament=tournament,
            n_changes=n_changes,
            tables=allocated(tournament, free, old.tables if old else {}),
            clock=clock if tournament.open_fixtures else None,
        )

    def tournaments(self) -> list[RunningTournament]:
        """All tournaments, the newest first."""
        with self._lock:
            return [self._running[number] for number in sorted(self._running, reverse=True)]

    def begin(self, plan: object) -> int:
        """A new tournament. Returns its number. Raises TournamentError when the plan is none."""
        parsed = parse_plan(plan if isinstance(plan, dict) else {})
        with self._lock:
            number = self._store.add_tournament(parsed)
            self._keep(number, Tournament(plan=parsed), 0)
            return number

    def change(self, number: int, change: Change, n_changes: int | None = None) -> None:
        """Change a tournament. n_changes: how many its changer has seen, None for whatever there is.

        Raises TournamentError when it is not allowed, ChangedMeanwhile when he has not seen all.
        """
        with self._lock:
            running = self._running.get(number)
            if running is None:
                raise TournamentError(say("club_no_tournament"))
            if n_changes not in (None, running.n_changes):
                raise ChangedMeanwhile(say("club_changed_meanwhile"))
            after = changed(running.tournament, change)
            self._store.add_change(number, running.n_changes + 1, self._clock_ms(), change)
            self._keep(number, after, running.n_changes + 1)
            if after.is_over:
                self._rate(number, after)

    def prolong(self, number: int, minutes: float) -> None:
        """Give a round more time."""
        with self._lock:
            running = self._running.get(number)
            if running is not None and running.clock is not None:
                clock = running.clock.prolonged(minutes)
                self._running[number] = replace(running, clock=clock)

    def note_rows(self, rows: Sequence[BoardRow]) -> None:
        """Take results from what the boards have recorded."""
        with self._lock:
            for row in rows:
                if row.kind == HEADING_KIND:
                    self._headings[row.board] = _heading(row)
                elif row.kind == KINDS[GameWon] and row.payload.get("match_over") is True:
                    self._take_result(row)

    def _take_result(self, row: BoardRow) -> None:
        white, black, length = self._headings.get(row.board) or self._kept_heading(row)
        score = row.payload.get("score")
        if not isinstance(score, list) or len(score) != 2:
            return
        for running in list(self._running.values()):
            for fixture in running.tournament.open_fixtures:
                change = result_change(running.tournament, fixture, (white, black), length, score)
                if change is not None:
                    with suppress(BlotlightError):  # then the director writes it down
                        self.change(running.number, change)
                    return

    def _kept_heading(self, row: BoardRow) -> tuple[str, str, int]:
        for match in self._store.matches():
            if (match.board, match.stream, match.match) == (row.board, row.stream, row.place.match):
                kept = self._store.rows(match)
                return _heading(kept[0])
        return "", "", 0

    def _rate(self, number: int, tournament: Tournament) -> None:
        matches = [
            RatedMatch(
                winner=tournament.entrant(state.winner).name,
                loser=tournament.entrant(state.loser).name,
                length=state.fixture.length,
            )
            for state in tournament.outcomes
            if state.end is FixtureEnd.PLAYED and state.winner and state.loser
        ]
        ratings = rated_in_order(self._store.ratings(), matches)
        self._store.rate_tournament(number, ratings, self._clock_ms())


def result_change(
    tournament: Tournament, fixture: Fixture, names: tuple[str, str], length: int, score: Sequence[int]
) -> Change | None:
    """The change that a finished match makes, when it is this fixture. names, score: White's and Black's."""
    players = [tournament.entrant(number) for number in (fixture.one, fixture.other)]
    by_name = {entrant.name.casefold(): entrant.number for entrant in players}
    numbers = [by_name.get(name.casefold()) for name in names]
    if None in numbers or numbers[0] == numbers[1] or length != fixture.length or score[0] == score[1]:
        return None
    ahead = 0 if score[0] > score[1] else 1
    return {
        "do": "result",
        "key": fixture.key,
        "winner": numbers[ahead],
        "loser": numbers[1 - ahead],
        "score": [min(length, score[ahead]), score[1 - ahead]],
        "by": "board",
    }


def _heading(row: BoardRow) -> tuple[str, str, int]:
    """The players and the length in the heading of a match."""
    white, black, length = (row.payload.get(name) for name in ("white", "black", "length"))
    return str(white), str(black), length if isinstance(length, int) else 0
