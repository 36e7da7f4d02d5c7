"""The tournaments of a club evening: changes by the director and by boards, tables, results, ratings."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from operator import itemgetter

from controller.club.hall.row_intake import ends_match
from controller.club.hall_store.store_of_hall import BoardMatch, BoardRow, ChangedMeanwhile, HallStore
from controller.club.tournament.changes import Change, after_changes, changed, parse_plan
from controller.club.tournament.elo import RatedMatch, Rating, rated_in_order
from controller.club.tournament.fixtures import Fixture, FixtureEnd, TournamentError, folded
from controller.club.tournament.round_clock import RoundClock, clock_after
from controller.club.tournament.table_allocation import allocated
from controller.club.tournament.tournament import Plan, Tournament
from controller.errors import WorkError
from sentences import say

EVENING_MS = 12 * 3_600_000
"""How long after its last change boards still dispute a tournament that is over: one evening. Guess."""


@dataclass(frozen=True, kw_only=True)
class RunningTournament:
    """A tournament after its first `n_changes` changes. tables: of its open fixtures, by their keys.

    doubts: what the director should look at, by the key of the fixture, until he gives its result again.
    """

    number: int
    tournament: Tournament
    n_changes: int
    tables: dict[str, int] = field(default_factory=dict)
    clock: RoundClock | None = None
    doubts: dict[str, str] = field(default_factory=dict)

    @property
    def waits_for_tables(self) -> bool:
        """Whether there are more open fixtures than tables for them."""
        return len(self.tables) < len(self.tournament.open_fixtures)


class Evening:
    """All tournaments. Any thread may call its methods.

    tables: the table of each board, the front one first. delay_s: how late spectators see the tournaments.
    """

    def __init__(
        self,
        store: HallStore,
        tables: Mapping[str, int],
        clock_ms: Callable[[], int] | None = None,
        delay_s: float = 0.0,
    ) -> None:
        self._store = store
        self._tables = dict(tables)
        self._clock_ms = clock_ms or (lambda: round(time.time() * 1000))
        self._delay_ms = round(1000 * delay_s)
        self._changing = threading.RLock()
        """Held by whoever changes something, also while the database does not answer."""
        self._lock = threading.Lock()
        """Held for a moment only: everybody sees the tournaments while the database does not answer."""
        self._running: dict[int, RunningTournament] = {}
        self._past: dict[int, list[tuple[int, RunningTournament]]] = {}
        """The states of each tournament that somebody may still see, each with the time since when it holds.
        The last is the present one; spectators may see an earlier one."""
        self._last_ms = 0
        """The time of the last change. No two changes have the same time, so that their order is kept."""
        self._load()
        self._ends = store.open_ends()
        """The rows that end a match and were not noted yet."""
        self._is_in_doubt = False
        """Whether the database has failed to note one, or may have noted it without an answer."""

    def _load(self) -> None:
        """Load the tournaments from the store."""
        kept = self._store.tournaments()
        with self._lock:
            self._replay(kept)

    def _replay(self, kept: Mapping[int, tuple[Plan, list[tuple[int, Change]]]]) -> None:
        """Tournaments that changed since the earliest one began that is open, or that changed this evening,
        are replayed together. That restores tables, clocks and doubts, and what spectators still see."""
        self._running.clear()
        self._past.clear()
        self._last_ms = max((at_ms for _, changes in kept.values() for at_ms, _ in changes), default=0)
        for number, (plan, changes) in kept.items():
            tournament = after_changes(plan, [change for _, change in changes])
            running = RunningTournament(number=number, tournament=tournament, n_changes=len(changes))
            self._stand(running, changes[-1][0] if changes else 0)
        this_evening_ms = self._clock_ms() - EVENING_MS
        begun_ms = [
            changes[0][0]
            for number, (_, changes) in kept.items()
            if changes and (changes[-1][0] > this_evening_ms or not self._running[number].tournament.is_over)
        ]
        again = [
            (at_ms, number, change)
            for number, (_, changes) in kept.items()
            if begun_ms and changes and changes[-1][0] >= min(begun_ms)
            for at_ms, change in changes
        ]
        for number in {number for _, number, _ in again}:
            del self._past[number]
            self._stand(_begun(number, kept[number][0]), 0)
        for at_ms, number, change in sorted(again, key=itemgetter(0, 1)):
            self._keep(number, changed(self._running[number].tournament, change), change, at_ms)

    def _keep(self, number: int, tournament: Tournament, change: Change, at_ms: int) -> None:
        old = self._running[number]
        running = RunningTournament(
            number=number,
            tournament=tournament,
            n_changes=old.n_changes + 1,
            tables=old.tables,
            clock=clock_after(old.clock, old.tournament, tournament, change, at_ms),
            doubts=self._doubts_after(old, tournament, change),
        )
        self._stand(self._with_tables(running), at_ms)
        for waiting in [one for one in self._running.values() if one.waits_for_tables]:
            served = self._with_tables(waiting)
            if served != waiting:
                self._stand(served, at_ms)

    def _doubts_after(self, old: RunningTournament, tournament: Tournament, change: Change) -> dict[str, str]:
        """The doubts after a change: those of fixtures that stand as before, what a board disputes,
        and a result from another table than that of the match."""
        key, before = str(change.get("key")), set(old.tournament.outcomes)
        same = {state.fixture.key for state in tournament.outcomes if state in before} - {key}
        doubts = {known: doubt for known, doubt in old.doubts.items() if known in same}
        if change["do"] == "dispute":
            won, lost = map(int, change["score"])
            name = tournament.entrant(int(change["winner"])).name
            doubts[key] = say("club_other_result", board=change.get("by"), name=name, won=won, lost=lost)
        table = self._tables.get(str(change.get("by")))
        if change["do"] == "result" and table and old.tables.get(key, table) != table:
            doubts[key] = say("club_other_table", board=change.get("by"), table=old.tables[key])
        return doubts

    def _with_tables(self, running: RunningTournament) -> RunningTournament:
        """With the tables of its open fixtures, as far as other tournaments leave any."""
        elsewhere = {
            table
            for number, one in self._running.items()
            if number != running.number
            for table in one.tables.values()
        }
        free = [table for table in self._tables.values() if table not in elsewhere]
        return replace(running, tables=allocated(running.tournament, free, running.tables))

    def _stand(self, running: RunningTournament, since_ms: int) -> None:
        self._running[running.number] = running
        past = self._past.setdefault(running.number, [])
        past.append((since_ms, running))
        while len(past) > 1 and past[1][0] <= since_ms - self._delay_ms:
            del past[0]

    def tournaments(self, *, is_late: bool = False) -> list[RunningTournament]:
        """All tournaments, the newest first. is_late: as spectators see them."""
        with self._lock:
            found = dict(self._running)
            if is_late and self._delay_ms:
                until_ms = self._clock_ms() - self._delay_ms
                found = {
                    number: running
                    for number, past in self._past.items()
                    for since_ms, running in past
                    if since_ms <= until_ms
                }
            return [found[number] for number in sorted(found, reverse=True)]

    def begin(self, plan: object) -> int:
        """Begin a tournament. Returns its number. Raises TournamentError when the plan is invalid."""
        parsed = parse_plan(plan if isinstance(plan, dict) else {})
        with self._changing:
            number = self._store.add_tournament(parsed)
            with self._lock:
                self._stand(_begun(number, parsed), self._clock_ms())
            return number

    def change(
        self, number: int, change: Change, n_changes: int | None = None, end: BoardRow | None = None
    ) -> None:
        """Change a tournament. n_changes: how many changes the caller has seen, None for no check.
        end: the row of a board from which the change follows.

        Raises TournamentError when the change is not allowed, ChangedMeanwhile when there are others.
        """
        with self._changing:
            running = self._running.get(number)
            if running is None:
                raise TournamentError(say("club_no_tournament"))
            if n_changes not in (None, running.n_changes):
                raise ChangedMeanwhile(say("club_changed_meanwhile"))
            after = changed(running.tournament, change)
            at_ms = self._last_ms = max(self._clock_ms(), self._last_ms + 1)
            try:
                self._store.add_change(number, running.n_changes + 1, at_ms, change, end)
            except ChangedMeanwhile:  # the store has changes that are unknown here
                self._load()
                raise
            with self._lock:
                self._keep(number, after, change, at_ms)

    def ratings(self, *, is_late: bool = False) -> dict[str, Rating]:
        """The rating of every player after all tournaments that are over, in the order in which they began.

        is_late: as spectators see them. A player who is rated for the first time begins with the rating with
        which he was entered.
        """
        found: dict[str, Rating] = {}
        for running in reversed(self.tournaments(is_late=is_late)):
            tournament = running.tournament
            if tournament.is_over:
                matches = _rated_matches(tournament)
                played = {name for match in matches for name in (match.winner, match.loser)}
                entered = {
                    one.name: Rating(value=one.rating, experience=one.experience)
                    for one in tournament.entrants
                    if one.name in played
                }
                found = rated_in_order({**entered, **found}, matches)
        return found

    def note_rows(self, rows: Sequence[BoardRow]) -> None:
        """Take the results of finished matches from rows that are stored, also from earlier ones that the
        database did not let note. Call it again and again, also without rows."""
        with self._changing:
            try:
                if self._is_in_doubt:
                    self._load()
                    self._ends, self._is_in_doubt = self._store.open_ends(), False
                else:
                    self._ends += filter(ends_match, rows)
                while self._ends:
                    self._note_end(self._ends[0])
                    del self._ends[0]
            except WorkError:
                self._is_in_doubt = True

    def _note_end(self, row: BoardRow) -> None:
        """Change the tournament in which the players of the match meet, if there is one.

        Where another result of theirs stands, it goes on standing, and the director is told.
        """
        kept = self._store.rows(BoardMatch(board=row.board, stream=row.stream, match=row.place.match))
        white, black, length = _heading(kept[0])
        match row.payload.get("score"):
            case [int(n_white), int(n_black)]:
                score = n_white, n_black
            case _:
                score = 0, 0
        fitting = [
            (running, state, change)
            for running in self._running.values()
            if self._is_of_this_evening(running)
            for state in running.tournament.outcomes
            if (change := result_change(running.tournament, state.fixture, (white, black), length, score))
        ]
        where = [one for one in fitting if one[1].is_open][:1] or fitting[-1:]
        with suppress(TournamentError):  # then the director enters the result
            for running, state, change in where:
                if (state.winner, list(state.score)) != (change["winner"], change["score"]):
                    done = "result" if state.is_open else "dispute"
                    self.change(running.number, {**change, "do": done, "by": row.board}, end=row)
                    return
        self._store.note_end(row)

    def _is_of_this_evening(self, running: RunningTournament) -> bool:
        """Whether it is open, or was changed not long ago."""
        changed_ms = self._past[running.number][-1][0]
        return not running.tournament.is_over or changed_ms > self._clock_ms() - EVENING_MS


def _begun(number: int, plan: Plan) -> RunningTournament:
    """A tournament before its first change."""
    return RunningTournament(number=number, tournament=Tournament(plan=plan), n_changes=0)


def _rated_matches(tournament: Tournament) -> list[RatedMatch]:
    """The matches that count for ratings: those that were played out."""
    return [
        RatedMatch(
            winner=tournament.entrant(state.winner).name,
            loser=tournament.entrant(state.loser).name,
            length=state.fixture.length,
        )
        for state in tournament.outcomes
        if state.end is FixtureEnd.PLAYED and state.winner and state.loser
    ]


def result_change(
    tournament: Tournament, fixture: Fixture, names: tuple[str, str], length: int, score: Sequence[int]
) -> Change | None:
    """The change for a finished match; None when it is not this fixture. names, score: White's, Black's."""
    players = [tournament.entrant(number) for number in fixture.players]
    by_name = {folded(entrant.name): entrant.number for entrant in players}
    numbers = [by_name.get(folded(name)) for name in names]
    if None in numbers or numbers[0] == numbers[1] or length != fixture.length or score[0] == score[1]:
        return None
    ahead = 0 if score[0] > score[1] else 1
    return {
        "do": "result",
        "key": fixture.key,
        "winner": numbers[ahead],
        "loser": numbers[1 - ahead],
        "score": [min(length, score[ahead]), score[1 - ahead]],
    }


def _heading(row: BoardRow) -> tuple[str, str, int]:
    """(White's name, Black's name, length) from the heading of a match."""
    white, black, length = (row.payload.get(name) for name in ("white", "black", "length"))
    return str(white), str(black), length if isinstance(length, int) else 0
