"""The matches that the log holds, as the page shows them."""

import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path

from controller.page.snapshot import TurnView, turn_views
from controller.perception.board_drawing import drawn_board
from controller.perception.orientation import Orientation
from controller.record.match_record import GameRecord, MatchFileError, ends_half_turn
from controller.record.store import Store, StoreError
from controller.referee import HalfTurn
from controller.referee.words.sentences import Speech, outcome_text, points_text
from controller.rules import (
    ALL_LAWS,
    EnteringLaws,
    IllegalAction,
    Player,
    Position,
    position_id,
    shots,
    xgid,
)
from controller.service.matches.kept_matches import (
    KeptMatch,
    mark_deleted,
    standing_text,
)
from controller.service.matches.match_text import ENTERING_SUFFIXES, MATCH_SUFFIXES, match_text
from controller.service.matches.played_matches import PlayedGame, match_record
from controller.service.recordings.stills import (
    StillKind,
    StillName,
    still_file,
    stills_folder,
    stills_of,
)
from hardware.terminal_lights import DrawnBoard
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
    files: tuple[str, ...]
    is_deleted: bool


@dataclass(frozen=True, kw_only=True)
class GameView:
    """A game. boards: before the first half-turn, and after each. pips: White's and Black's on each board.

    ids: position ID and XGID after each half-turn, () where there are none. shots: how many of the 36 rolls
    hit the player who has just played, -1 where that is not known. stills: for each half-turn the kinds of
    photographs that are kept.
    """

    title: str
    result: str
    turns: tuple[TurnView, ...]
    boards: tuple[DrawnBoard, ...]
    pips: tuple[tuple[int, int], ...]
    ids: tuple[tuple[str, str], ...]
    shots: tuple[int, ...]
    stills: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, kw_only=True)
class MatchView:
    """A match. light: the colour of the player with the light checkers."""

    entry: MatchEntry
    light: str
    games: tuple[GameView, ...]


class MatchShelf:
    """Reads the log on request. log: its file, None where nothing is kept.

    orientation: returns how boards are turned. Any thread may call the methods.
    """

    def __init__(
        self, log: Path | None, orientation: Callable[[], Orientation], speech: Speech = Speech.PLAIN
    ) -> None:
        self._log = log
        self._stills = stills_folder(log) if log else None
        self._orientation = orientation
        self._speech = speech
        self._lock = threading.Lock()
        self._stamp: object = None
        self._listed: dict[int, tuple[int, KeptMatch]] = {}
        """By number: how many rows were read of each match, and the match without its games."""
        self._looked_at: KeptMatch | None = None
        """The match that was looked at last. No other is kept: years of matches take much memory."""

    def listed(self) -> list[MatchEntry]:
        """Every match, the newest first."""
        return [_entry(kept) for kept in reversed(self._matches())]

    def match(self, number: int) -> MatchView | None:
        """The match of a number; None when there is none."""
        kept = self.kept(number)
        if kept is None:
            return None
        orientation = self._orientation()
        records = match_record(kept.played).games if kept.played.laws is None else ()
        stills = stills_of(self._stills, number) if self._stills else frozenset()
        games = zip_longest(range(1, len(kept.played.games) + 1), kept.played.games, records)
        return MatchView(
            entry=_entry(kept),
            light=orientation.light.value,
            games=tuple(
                self._game(kept, game, place, orientation, record, stills) for place, game, record in games
            ),
        )

    def kept(self, number: int) -> KeptMatch | None:
        """The match of a number as the log has it; None when there is none."""
        if self._log is None or number not in [kept.number for kept in self._matches()]:
            return None
        with self._lock:
            if self._looked_at is None or self._looked_at.number != number:
                try:
                    with closing(Store(self._log, read_only=True)) as store:
                        self._looked_at = KeptMatch.of(store.match(number))
                except StoreError:
                    return None
            return self._looked_at

    def still(self, match: int, name: StillName) -> bytes | None:
        """A photograph; None when there is none."""
        file = still_file(self._stills, match, name) if self._stills else None
        try:
            return file.read_bytes() if file else None
        except OSError:
            return None

    def still_in_hand(self, game: int, number: int) -> str:
        """The address of the photograph after a half-turn of the newest match; "" when there is none."""
        matches = self._matches()
        name = StillName(game, number, StillKind.TURN.value)
        if not matches or self._stills is None or name not in stills_of(self._stills, matches[-1].number):
            return ""
        return f"/stills/{matches[-1].number}/{game}/{number}/{name.kind}"

    def mark(self, number: int, *, deleted: bool) -> str | None:
        """Delete a match, or bring it back. Returns None when done, else the reason why not.

        The newest one is not deleted: it may be in progress.
        """
        matches = self._matches()
        if self._log is None or number not in [kept.number for kept in matches]:
            return say("page_not_there")
        if deleted and number == matches[-1].number:
            return say("page_match_in_hand")
        try:
            mark_deleted(self._log, number, deleted=deleted)
        except StoreError as problem:
            return str(problem)
        return None

    def file(self, number: int, kind: str) -> tuple[str, str] | None:
        """(name, text) of a match as a file with the ending `kind`; None when there is none."""
        kept = self.kept(number)
        if kept is None or f".{kind}" not in _suffixes(kept):
            return None
        name = f"match-{number:03}.{kind}"
        try:
            return name, match_text(kept.played, Path(name))
        except MatchFileError:
            return None

    def _matches(self) -> list[KeptMatch]:
        """The matches without their games; none when the log cannot be read."""
        if self._log is None or not self._log.exists():
            return []
        with self._lock:
            stamp = [_stamp(path) for path in (self._log, self._log.with_name(f"{self._log.name}-wal"))]
            if stamp != self._stamp:
                try:
                    with closing(Store(self._log, read_only=True)) as store:
                        self._read_changed(store)
                except StoreError:
                    return []
                self._stamp = stamp
            return [kept for _, kept in self._listed.values()]

    def _read_changed(self, store: Store) -> None:
        before, self._listed = self._listed, {}
        for number, n_rows in store.n_rows().items():
            known = before.get(number)
            if known is None or known[0] != n_rows:
                kept = KeptMatch.of(store.match(number))
                if self._looked_at is not None and self._looked_at.number == number:
                    self._looked_at = kept
                known = n_rows, kept.without_games
            self._listed[number] = known

    def _game(
        self,
        kept: KeptMatch,
        game: PlayedGame,
        number: int,
        orientation: Orientation,
        record: GameRecord | None,
        stills: frozenset[StillName],
    ) -> GameView:
        positions = [game.start, *(turn.position for turn in game.turns)]
        return GameView(
            title=say("page_game_of_number", number=number),
            result=outcome_text(game.outcome, kept.played.match.names) if game.outcome else "",
            turns=turn_views(game.turns, self._speech),
            boards=tuple(drawn_board(position, orientation) for position in positions),
            pips=tuple(
                (position.pip_count(Player.WHITE), position.pip_count(Player.BLACK)) for position in positions
            ),
            ids=_ids(record, len(game.turns), kept.played.match.length) if record else (),
            shots=tuple(_n_shots(turn, kept) for turn in game.turns),
            stills=tuple(
                tuple(kind.value for kind in StillKind if StillName(number, at, kind.value) in stills)
                for at in range(1, len(game.turns) + 1)
            ),
        )


def _ids(record: GameRecord, n_turns: int, length: int) -> tuple[tuple[str, str], ...]:
    """(position ID, XGID) after each half-turn, for the player then on roll; ("", "") where there is none.

    record: as it stood. () where it has not `n_turns` half-turns, or an illegal action.
    """
    game, found = record.begun(), list[tuple[str, str]]()
    for action in record.actions:
        is_half_turn = ends_half_turn(game, action)
        try:
            game = game.push(action)
        except IllegalAction:
            return ()
        if is_half_turn:
            try:
                situation = game.situation(length, record.score)
                found.append((position_id(situation.position, situation.on_roll), xgid(situation)))
            except ValueError:  # the game is over, or the board holds what no ID can
                found.append(("", ""))
    return tuple(found) if len(found) == n_turns else ()


def _n_shots(turn: HalfTurn, kept: KeptMatch) -> int:
    """How many of the 36 rolls hit the player who has just played; -1 where it is not known."""
    if turn.position.problems():
        return -1
    return _any_shots(turn.position, turn.player, kept.played.match.laws)


@lru_cache(maxsize=4096)
def _any_shots(position: Position, player: Player, laws: str) -> int:
    found = ALL_LAWS[laws]
    return -1 if isinstance(found, EnteringLaws) else shots(position, player, found).any_count


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
        length=points_text(match.length) if match.length else say("money"),
        score=kept.score,
        standing=standing_text(kept),
        is_deleted=kept.is_deleted,
        files=tuple(suffix.removeprefix(".") for suffix in _suffixes(kept)),
    )
