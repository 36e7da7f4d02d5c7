"""Restores the referee's state after a restart, from the log of the match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.commands.people_commands import parse_command
from controller.record.journal import KINDS, parse_half_turn
from controller.record.keeper import (
    DELETED_KIND,
    PAUSED_KIND,
    SAID_KIND,
    SHORTER_KIND,
    STARTED_KIND,
    TRAY_KIND,
    UNSEEN_KIND,
)
from controller.record.store import LogEntry
from controller.referee import (
    ActionDeclared,
    GameRestored,
    GameWon,
    HalfTurn,
    RefereePhase,
    RefereeState,
    TurnRecorded,
    UndoPressed,
    step,
)
from controller.referee.priors import MOST_WORDS
from controller.referee.state import Word
from controller.rules import (
    Action,
    Ending,
    Match,
    Outcome,
    Player,
    Position,
    Win,
)
from controller.service.undo_list import LoggedRoll, LoggedWord, parse_roll, parse_word, restored_words


@dataclass(frozen=True, kw_only=True)
class RestoredMatch:
    """An unfinished match, restored from its log.

    state: as it was, with the roll in play if one was made. t_ms: the time of the last entry. is_paused:
    whether people had paused the game. finished: the state at the end of each game before.
    """

    state: RefereeState
    t_ms: int
    is_paused: bool = False
    finished: tuple[RefereeState, ...] = ()


def restore_match(entries: Sequence[LogEntry], fresh: RefereeState) -> RestoredMatch | None:
    """The match in the entries of its log; None when nothing was begun, or the match is over or deleted.

    fresh: the state before the match, with its settings, length and laws.
    """
    logged = LoggedMatch()
    for entry in entries:
        logged.take(entry)
    if not logged.games or logged.is_deleted:
        return None
    t_ms = max(entry.t_ms for entry in entries)
    *finished, state = _states_after(logged.games, fresh, t_ms)
    if state.phase is RefereePhase.OVER:
        return None
    return RestoredMatch(
        state=replace(state, words=_words(logged.games, fresh, t_ms)),
        t_ms=t_ms,
        is_paused=logged.is_paused,
        finished=tuple(finished),
    )


def _states_after(games: "Sequence[LoggedGame]", fresh: RefereeState, t_ms: int) -> list[RefereeState]:
    """The state after each game of a log."""
    states = [fresh]
    for game in games:
        states.append(step(states[-1], _restored(game, states[-1].match, t_ms))[0])
    return states[1:]


def _words(logged: "Sequence[LoggedGame]", fresh: RefereeState, t_ms: int) -> tuple[Word, ...]:
    """What people said in the last game and may undo."""
    games = list(logged)

    def state_before(word: LoggedWord) -> RefereeState:
        last = games[-1]
        turns, declared = [*last.turns[: word.kept], *word.turns], last.declared[: word.n_declared]
        won = last.won if word.was_over else None
        games[-1] = replace(last, turns=turns, declared=declared, roll=word.roll, won=won)
        for number, before in word.finished.items():
            games[number] = replace(games[number], turns=list(before))
        return _states_after(games, fresh, t_ms)[-1]

    return restored_words(games[-1].words[-MOST_WORDS:], state_before)


@dataclass
class LoggedGame:
    """What the log says of one game. won: the entry that says how it ended."""

    start: Position | None = None
    on_roll: Player | None = None
    turns: list[HalfTurn] = field(default_factory=list)
    declared: list[tuple[int, Action]] = field(default_factory=list)
    roll: LoggedRoll | None = None
    words: list[LoggedWord | None] = field(default_factory=list)
    won: Mapping[str, Any] | None = None
    unseen: frozenset[int] = frozenset()

    @property
    def marked_turns(self) -> tuple[HalfTurn, ...]:
        """The half-turns. Those that no picture shows are marked."""
        return tuple(replace(turn, unseen=index in self.unseen) for index, turn in enumerate(self.turns))

    def undo(self) -> None:
        """Take back the last word. If nothing was played since, plays and end are again as before it."""
        word = self.words.pop()
        if word is None or word.declared:
            self.declared.pop()
        if word is None:
            self.won = None
        elif word.n_turns == len(self.turns):
            self.turns[word.kept :] = word.turns
            self.won = self.won if word.was_over else None

    @property
    def first(self) -> Player | None:
        """Who plays first, as far as it is known."""
        if self.turns:
            return self.turns[0].player
        return self.on_roll or (self.roll.player if self.roll else None)


class LoggedMatch:
    """The games of a match, taken from its entries one by one."""

    def __init__(self) -> None:
        self.games: list[LoggedGame] = []
        self.is_paused = self.is_deleted = False

    def take(self, entry: LogEntry) -> None:
        data = entry.payload
        match entry.kind:
            case kind if kind == STARTED_KIND:
                self._current()
                on_roll = Player(data["on_roll"]) if data["on_roll"] else None
                self.games[-1] = LoggedGame(start=Position.parse(data["position"]), on_roll=on_roll)
            case kind if kind == KINDS[TurnRecorded]:
                index = data["index"]
                self._named(data).turns[index : index + 1] = [parse_half_turn(data)]
            case kind if kind == SHORTER_KIND:
                del self._named(data).turns[data["half_turns"] :]
            case kind if kind == TRAY_KIND:
                self._named(data).roll = parse_roll(data) if data["faces"] else None
            case kind if kind == SAID_KIND:
                event, game = parse_command(data["command"]), self._named(data)
                if isinstance(event, UndoPressed):
                    game.undo()
                    return
                game.words.append(parse_word(data))
                if isinstance(event, ActionDeclared):
                    game.declared.append((data["half_turns"], event.action))
            case kind if kind == UNSEEN_KIND and data["game"] < len(self.games):
                self.games[data["game"]].unseen = frozenset(data["half_turns"])
            case kind if kind == PAUSED_KIND:
                self.is_paused = data["is_paused"]
            case kind if kind == DELETED_KIND:
                self.is_deleted = data["deleted"]
            case kind if kind == KINDS[GameWon]:
                self._current().won = data

    def _named(self, data: Mapping[str, Any]) -> LoggedGame:
        """The game that a row names. Some rows of earlier versions name none and mean the one in play."""
        number = data.get("game", len(self.games))
        return self.games[number] if number < len(self.games) else self._current()

    def _current(self) -> LoggedGame:
        """The game in play. After a game that was won, the next one begins by itself."""
        if not self.games or self.games[-1].won:
            self.games.append(LoggedGame())
        return self.games[-1]


def _restored(game: LoggedGame, match: Match, t_ms: int) -> GameRestored:
    roll = game.roll
    in_play = roll is not None and not game.won and roll.half_turns == len(game.turns)
    return GameRestored(
        t_ms=t_ms,
        position=game.start or match.laws.start,
        on_roll=game.on_roll,
        first=game.first,
        turns=game.marked_turns,
        declared=tuple(game.declared),
        faces=roll.faces if roll and in_play else None,
        outcome=_outcome(game.won) if game.won else None,
    )


def _outcome(won: Mapping[str, Any]) -> Outcome:
    return Outcome(
        winner=Player(won["winner"]),
        win=Win[won["win"].upper()],
        points=won["points"],
        ending=Ending.BORNE_OFF,
    )
