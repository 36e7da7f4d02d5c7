"""The matches that the log holds, as games that were watched."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date as Date
from pathlib import Path

from controller.errors import InputError
from controller.record.keeper import DATE_KEY, DELETED_KIND, HEADING_KIND
from controller.record.match_settings import MatchSettings
from controller.record.store import LogEntry, Store
from controller.rules import ALL_LAWS, Ending, Outcome, Player, Position, Win
from controller.service.matches.played_matches import (
    PlayedGame,
    PlayedMatch,
    final_match,
    match_record,
    points_won,
)
from controller.service.restore import LoggedGame, LoggedMatch
from sentences import say


@dataclass(frozen=True, kw_only=True)
class KeptMatch:
    """One match of the log, with its number there. is_deleted: people may bring it back."""

    number: int
    played: PlayedMatch
    is_deleted: bool = False

    @property
    def score(self) -> tuple[int, int]:
        """The points of White and of Black."""
        if self.played.laws is not None:
            points = points_won(self.played)
            return points[Player.WHITE], points[Player.BLACK]
        return final_match(self.played).score

    @property
    def winner(self) -> Player | None:
        """Who has won the match; None while it goes on, and always in a money session."""
        if self.played.laws is not None:
            ended = [game.outcome for game in self.played.games if game.outcome]
            return ended[-1].winner if ended else None
        return final_match(self.played).winner

    @property
    def is_unfinished(self) -> bool:
        """Whether the match, or the last game of a money session, goes on."""
        if self.played.match.length and self.played.laws is None:
            return self.winner is None
        if self.played.laws is not None:
            return self.winner is None
        games = match_record(self.played).games
        return not games or games[-1].played().outcome is None

    @property
    def n_half_turns(self) -> int:
        return sum(len(game.turns) for game in self.played.games)


def load_kept_matches(log: Path, *, with_deleted: bool = False) -> list[KeptMatch]:
    """Every match of the log in which a game was begun, oldest first. with_deleted: those deleted as well.

    Raises InputError when there is no log, StoreError when it cannot be read.
    """
    if not log.exists():
        raise InputError(say("no_matches_in_log", log=log))
    store = Store(log, read_only=True)
    try:
        logged = [(number, store.match(number).entries()) for number in store.matches()]
    finally:
        store.close()
    found = [
        KeptMatch(number=number, played=parse_kept_match(entries), is_deleted=_is_deleted(entries))
        for number, entries in logged
    ]
    return [kept for kept in found if with_deleted or not kept.is_deleted]


def mark_deleted(log: Path, number: int, *, deleted: bool) -> None:
    """Delete a match of the log, or bring it back. Its rows stay. Raises StoreError when that fails."""
    store = Store(log)
    try:
        rows = store.match(number)
        rows.append(rows.entries()[-1].t_ms, DELETED_KIND, {"deleted": deleted})
    finally:
        store.close()


def _is_deleted(entries: Sequence[LogEntry]) -> bool:
    said = [entry.payload["deleted"] for entry in entries if entry.kind == DELETED_KIND]
    return bool(said and said[-1])


def chosen_match(matches: Sequence[KeptMatch], name: str) -> KeptMatch:
    """The match of a number, or the `last`. Raises InputError when there is none."""
    if not matches:
        raise InputError(say("no_match_kept"))
    if name == "last":
        return matches[-1]
    for match in matches:
        if name == str(match.number):
            return match
    numbers = ", ".join(str(match.number) for match in matches)
    raise InputError(say("no_such_match", name=name, numbers=numbers))


def parse_kept_match(entries: Sequence[LogEntry]) -> PlayedMatch:
    """The match in the entries of its log."""
    logged = LoggedMatch()
    heading: dict[str, object] = {}
    for entry in entries:
        if entry.kind == HEADING_KIND:
            heading = dict(entry.payload)
        else:
            logged.take(entry)
    settings = _settings(heading)
    return PlayedMatch(
        match=settings,
        games=tuple(_played_game(game, settings) for game in logged.games if game.turns or game.declared),
        date=_date(heading.get(DATE_KEY)),
    )


def _settings(heading: dict[str, object]) -> MatchSettings:
    plain = MatchSettings()
    laws, length = heading.get("laws"), heading.get("length")
    people = heading.get("chouette")
    return MatchSettings(
        chouette=tuple(map(str, people)) if isinstance(people, list) else (),
        white=str(heading.get("white", plain.white)),
        black=str(heading.get("black", plain.black)),
        length=length if isinstance(length, int) else plain.length,
        laws=laws if isinstance(laws, str) and laws in ALL_LAWS else plain.laws,
    )


def _date(text: object) -> Date | None:
    try:
        return Date.fromisoformat(str(text)) if text else None
    except ValueError:
        return None


def _played_game(game: LoggedGame, settings: MatchSettings) -> PlayedGame:
    start: Position = game.start or settings.start
    return PlayedGame(
        start=start,
        on_roll=game.on_roll,
        turns=game.marked_turns,
        declared=tuple(game.declared),
        outcome=_outcome(game) if game.won else None,
    )


def _outcome(game: LoggedGame) -> Outcome:
    assert game.won is not None
    return Outcome(
        winner=Player(game.won["winner"]),
        win=Win[game.won["win"].upper()],
        points=game.won["points"],
        ending=Ending.BORNE_OFF,
    )


def standing_text(kept: KeptMatch) -> str:
    """How far the match has come."""
    if kept.winner is not None:
        return say("match_won", name=kept.played.match.names[kept.winner])
    if not kept.n_half_turns:
        return say("nothing_played")
    return say("unfinished") if kept.is_unfinished else say("finished")
