"""The matches that the log holds, as the page shows them."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from controller.errors import BlotlightError
from controller.page.board_view import TurnedBoard, board_view
from controller.page.snapshot import TurnView, turn_views
from controller.perception.orientation import Orientation
from controller.record.match_record import MatchFileError
from controller.record.store import StoreError
from controller.referee.words.sentences import WINS, Speech, points_text
from controller.rules import Player
from controller.service.matches.kept_matches import KeptMatch, load_kept_matches, standing_text
from controller.service.matches.match_text import ENTERING_SUFFIXES, MATCH_SUFFIXES, match_text
from controller.service.matches.played_matches import PlayedGame
from sentences import say


@dataclass(frozen=True, kw_only=True)
class MatchEntry:
    """A match in the list. date: like 2026-11-21, or "". files: the endings of its files."""

    number: int
    date: str
    white: str
    black: str
    length: str
    score: tuple[int, int]
    standing: str
    n_half_turns: int
    files: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class GameView:
    """A game. boards: before the first half-turn, and after each. pips: White's and Black's on each board."""

    title: str
    result: str
    turns: tuple[TurnView, ...]
    boards: tuple[TurnedBoard, ...]
    pips: tuple[tuple[int, int], ...]


@dataclass(frozen=True, kw_only=True)
class MatchView:
    """A match. light: the colour of the player with the light checkers."""

    entry: MatchEntry
    light: str
    games: tuple[GameView, ...]


class MatchShelf:
    """Reads the log when somebody looks. log: its file, None where nothing is kept.

    orientation: how boards are turned. It may be called by any thread.
    """

    def __init__(
        self, log: Path | None, orientation: Callable[[], Orientation], speech: Speech = Speech.PLAIN
    ) -> None:
        self._log = log
        self._orientation = orientation
        self._speech = speech
        self._lock = threading.Lock()
        self._read: tuple[object, list[KeptMatch]] | None = None

    def listed(self) -> list[MatchEntry]:
        """Every match, the newest first."""
        return [_entry(kept) for kept in reversed(self._matches())]

    def match(self, number: int) -> MatchView | None:
        """The match of a number; None when there is none."""
        kept = self._kept(number)
        if kept is None:
            return None
        orientation = self._orientation()
        games = enumerate(kept.played.games, start=1)
        return MatchView(
            entry=_entry(kept),
            light=orientation.light.value,
            games=tuple(self._game(kept, game, place, orientation) for place, game in games),
        )

    def file(self, number: int, kind: str) -> tuple[str, str] | None:
        """(name, text) of a match as a file of that ending; None when there is none."""
        kept = self._kept(number)
        if kept is None or f".{kind}" not in _suffixes(kept):
            return None
        name = f"match-{number:03}.{kind}"
        try:
            return name, match_text(kept.played, Path(name))
        except MatchFileError:
            return None

    def _kept(self, number: int) -> KeptMatch | None:
        return next((kept for kept in self._matches() if kept.number == number), None)

    def _matches(self) -> list[KeptMatch]:
        """The matches, read again when the log has changed; none when it cannot be read."""
        if self._log is None:
            return []
        with self._lock:
            stamp = [_stamp(path) for path in (self._log, self._log.with_name(f"{self._log.name}-wal"))]
            if self._read is None or self._read[0] != stamp:
                try:
                    self._read = stamp, load_kept_matches(self._log)
                except (BlotlightError, StoreError):
                    return []
            return self._read[1]

    def _game(self, kept: KeptMatch, game: PlayedGame, number: int, orientation: Orientation) -> GameView:
        positions = [game.start, *(turn.position for turn in game.turns)]
        result = ""
        if game.outcome:
            name = kept.played.match.names[game.outcome.winner]
            win, points = say(WINS[game.outcome.win]), points_text(game.outcome.points)
            result = say("game_ended", name=name, win=win, points=points)
        return GameView(
            title=say("page_game_of_number", number=number),
            result=result,
            turns=turn_views(game.turns, self._speech),
            boards=tuple(board_view(position, orientation) for position in positions),
            pips=tuple(
                (position.pip_count(Player.WHITE), position.pip_count(Player.BLACK)) for position in positions
            ),
        )


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _suffixes(kept: KeptMatch) -> tuple[str, ...]:
    return MATCH_SUFFIXES if kept.played.laws is None else ENTERING_SUFFIXES


def _entry(kept: KeptMatch) -> MatchEntry:
    match = kept.played.match
    return MatchEntry(
        number=kept.number,
        date=kept.played.date.isoformat() if kept.played.date else "",
        white=match.white,
        black=match.black,
        length=say("length_in_points", length=match.length) if match.length else say("money"),
        score=kept.score,
        standing=standing_text(kept),
        n_half_turns=kept.n_half_turns,
        files=tuple(suffix.removeprefix(".") for suffix in _suffixes(kept)),
    )
