"""Reads the matches in the log as games that were watched."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date as Date
from pathlib import Path

from controller.errors import InputError
from controller.record.keeper import DATE_KEY, DELETED_KIND, HEADING_KIND
from controller.record.match_settings import MatchSettings
from controller.record.store import LogEntry, MatchLog, Store
from controller.rules import ALL_LAWS, Player
from controller.service.matches.played_matches import (
    PlayedGame,
    PlayedMatch,
    points_won,
    record_and_match,
)
from controller.service.restore import LoggedGame, LoggedMatch
from sentences import say


@dataclass(frozen=True, kw_only=True)
class KeptMatch:
    """One match of the log, with its number there. is_deleted: people may bring it back.

    score: the points of White and of Black. winner: None while the match goes on, and always in a money
    session; where checkers are entered by throws, the winner of the last game that ended. is_unfinished:
    whether the match, or the last game of a money session, goes on.
    """

    number: int
    played: PlayedMatch
    is_deleted: bool
    score: tuple[int, int]
    winner: Player | None
    is_unfinished: bool
    n_half_turns: int

    @classmethod
    def of(cls, log: MatchLog) -> "KeptMatch":
        """The match that a log holds. Raises StoreError when it cannot be read."""
        entries = log.entries()
        played = parse_kept_match(entries)
        if played.laws is not None:
            points = points_won(played)
            score = points[Player.WHITE], points[Player.BLACK]
            ended = [game.outcome for game in played.games if game.outcome]
            winner = ended[-1].winner if ended else None
            is_unfinished = winner is None
        else:
            record, final = record_and_match(played)
            score, winner = final.score, final.winner
            is_unfinished = winner is None
            if not record.length:
                is_unfinished = not record.games or record.games[-1].played().outcome is None
        return cls(
            number=log.number,
            played=played,
            is_deleted=_is_deleted(entries),
            score=score,
            winner=winner,
            is_unfinished=is_unfinished,
            n_half_turns=sum(len(game.turns) for game in played.games),
        )

    @property
    def without_games(self) -> "KeptMatch":
        """The same without its games, for a list of many matches."""
        return replace(self, played=replace(self.played, games=()))


def load_kept_matches(log: Path, *, with_deleted: bool = False) -> list[KeptMatch]:
    """Every match of the log in which a game was begun, oldest first. with_deleted: those deleted as well.

    Raises InputError when there is no log, StoreError when it cannot be read.
    """
    if not log.exists():
        raise InputError(say("no_matches_in_log", log=log))
    with closing(Store(log, read_only=True)) as store:
        found = [KeptMatch.of(store.match(number)) for number in store.matches()]
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
    """The match with a number, or the last one for `last`. Raises InputError when there is none."""
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
    return PlayedGame(
        start=game.start or settings.start,
        on_roll=game.on_roll,
        turns=game.marked_turns,
        declared=tuple(game.declared),
        outcome=game.outcome,
    )


def standing_text(kept: KeptMatch) -> str:
    """How far the match has come."""
    if kept.winner is not None:
        return say("match_won", name=kept.played.match.names[kept.winner])
    if not kept.n_half_turns:
        return say("nothing_played")
    return say("unfinished") if kept.is_unfinished else say("finished")
