"""Notes in the log of a match what a restart needs, and restores the referee's state from there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.commands.people_commands import Command, parse_command
from controller.record import keeper
from controller.record.journal import JOURNAL_CODEC, KINDS, parse_half_turn
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
from controller.rules import Action, Dice, Ending, Match, Outcome, Player, Position, Win


class RestartNotes:
    """Logs what a restart needs besides effects: roll in play, shortened record, unseen half-turns."""

    def __init__(self, note_row: keeper.NoteRow, state: RefereeState) -> None:
        self._note_row = note_row
        self._game, self._n_turns = state.game, len(state.recorded)
        self._unseen = state.game, state.unseen_turns
        self._roll = _recorded_roll(state)

    def note(self, state: RefereeState, t_ms: int) -> None:
        """Log what has changed."""
        game = {"game": state.game}
        if self._game == state.game and len(state.recorded) < self._n_turns:
            self._note_row(t_ms, keeper.SHORTER_KIND, game | {"half_turns": len(state.recorded)})
        self._game, self._n_turns = state.game, len(state.recorded)
        unseen = state.unseen_turns
        if (state.game, unseen) != self._unseen and (unseen or state.game == self._unseen[0]):
            self._note_row(t_ms, keeper.UNSEEN_KIND, {"game": state.game, "half_turns": unseen})
        self._unseen = state.game, unseen
        roll = _recorded_roll(state)
        if roll is not None and roll != self._roll:
            self._note_row(t_ms, keeper.TRAY_KIND, game | JOURNAL_CODEC.encode(roll))
        elif self._roll and roll is None and self._roll.half_turns == len(state.recorded):
            did_not_count = JOURNAL_CODEC.encode(self._roll) | {"faces": None}
            self._note_row(t_ms, keeper.TRAY_KIND, game | did_not_count)
        self._roll = roll


@dataclass(frozen=True, kw_only=True)
class LoggedRoll:
    """A roll in play: after how many half-turns, whose, and the faces in the tray, die 1 first.

    is_over: whether its turn is over, and its dice only still lie there.
    """

    half_turns: int
    player: Player
    faces: tuple[int, int]
    is_over: bool = False


@dataclass(frozen=True, kw_only=True)
class LoggedWord:
    """What people said, and what undoing it needs.

    kept: how many half-turns it left as they were. turns: the half-turns after those, as they were before the
    word. is_declared: whether it is a declaration, not a change of what was played. n_declared, roll,
    was_over: before the word, the number of declarations, the roll in play, and whether the game had ended.
    finished: half-turns of corrected earlier games before the word, by game. n_turns, rolls: after the word.
    """

    kept: int
    turns: tuple[HalfTurn, ...]
    n_declared: int
    is_declared: bool
    roll: LoggedRoll | None
    was_over: bool
    finished: Mapping[int, tuple[HalfTurn, ...]]
    n_turns: int
    rolls: tuple[Dice, ...]


def said_word(before: RefereeState, after: RefereeState) -> Word | None:
    """The word that a command has added to those that may be undone; None when it added none."""
    if after.refusal or not after.words or (before.words and after.words[-1] is before.words[-1]):
        return None
    return after.words[-1]


def word_payload(word: Word, after: RefereeState) -> dict[str, Any]:
    """What the log keeps of a word, besides the command. after: the state just after it."""
    before, then = word.before.record, after.record
    kept = next((n for n, pair in enumerate(zip(before, then, strict=False)) if pair[0] != pair[1]), None)
    kept = min(len(before), len(then)) if kept is None else kept
    finished = {
        number: one.course.turns
        for number, (one, other) in enumerate(zip(word.before.finished, after.finished, strict=False))
        if one.course.turns != other.course.turns
    }
    logged = LoggedWord(
        kept=kept,
        turns=before[kept:],
        n_declared=len(word.before.declared),
        is_declared=len(after.declared) > len(word.before.declared),
        roll=_roll_in_play(word.before),
        was_over=word.before.outcome is not None,
        finished=finished,
        n_turns=word.n_turns,
        rolls=word.rolls,
    )
    payload: dict[str, Any] = JOURNAL_CODEC.encode(logged)
    return payload


def said_row(command: Command, before: RefereeState, after: RefereeState) -> dict[str, Any] | None:
    """What the log keeps of a command that may be undone, or that undoes one; None for any other."""
    row: dict[str, Any] = {"command": dict(command.data), "game": after.game}
    if isinstance(command.event, UndoPressed):
        return None if after.refusal else row
    word = said_word(before, after)
    if word is None:
        return None
    if isinstance(command.event, ActionDeclared):
        row["half_turns"], _ = after.declared[-1]
    return row | word_payload(word, after)


def parse_word(data: Mapping[str, Any]) -> LoggedWord | None:
    """The word in a row of the log; None in a row of an earlier version, which can no longer be undone."""
    return JOURNAL_CODEC.decode(LoggedWord, data) if "n_turns" in data else None


def _roll_in_play(state: RefereeState) -> LoggedRoll | None:
    """The roll in play; None when there is none, or when it is not known."""
    if state.phase is not RefereePhase.ROLLED or len(state.rolls) != 1:
        return None
    faces = state.tray.roll or (state.rolls[0].high, state.rolls[0].low)
    return LoggedRoll(half_turns=len(state.record), player=state.on_roll, faces=faces)


def _roll_left(state: RefereeState) -> LoggedRoll | None:
    """The roll of the last half-turn while its dice still lie there, for people said that it is over."""
    faces, n_turns = state.tray.roll, len(state.record)
    if state.phase is not RefereePhase.BEFORE_ROLL or faces is None:
        return None
    if state.last_sensor_roll != (n_turns, Dice(*faces)):
        return None
    return LoggedRoll(half_turns=n_turns, player=state.record[-1].player, faces=faces, is_over=True)


def _recorded_roll(state: RefereeState) -> LoggedRoll | None:
    """The roll after the recorded half-turns. A half-turn not yet recorded counts as still being played."""
    n_recorded = len(state.recorded)
    if len(state.record) == n_recorded:
        return _roll_in_play(state) or _roll_left(state)
    if len(state.record) < n_recorded:
        return None
    turn = state.record[n_recorded]
    if turn.dice is None or turn.dice_inferred:
        return None
    return LoggedRoll(half_turns=n_recorded, player=turn.player, faces=(turn.dice.high, turn.dice.low))


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
    """What people said in the last game and may undo, the last at the end."""
    games, found = list(logged), list[Word]()
    for word in reversed(games[-1].words[-MOST_WORDS:]):
        if word is None:
            break
        last = games[-1]
        turns, declared = [*last.turns[: word.kept], *word.turns], last.declared[: word.n_declared]
        won = last.won if word.was_over else None
        games[-1] = replace(last, turns=turns, declared=declared, roll=word.roll, won=won)
        for number, before in word.finished.items():
            games[number] = replace(games[number], turns=list(before))
        found.append(Word(_states_after(games, fresh, t_ms)[-1], word.n_turns, word.rolls))
    return tuple(reversed(found))


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
        if word is None or word.is_declared:
            self.declared.pop()
        if word is None:
            self.won = None
        elif word.n_turns == len(self.turns):
            self.turns[word.kept :] = word.turns
            self.won = self.won if word.was_over else None

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on. The log does not keep whether the loser resigned."""
        if not self.won:
            return None
        return Outcome(
            winner=Player(self.won["winner"]),
            win=Win[self.won["win"].upper()],
            points=self.won["points"],
            ending=Ending.BORNE_OFF,
        )

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
            case keeper.STARTED_KIND:
                self._current()
                on_roll = Player(data["on_roll"]) if data["on_roll"] else None
                self.games[-1] = LoggedGame(start=Position.parse(data["position"]), on_roll=on_roll)
            case kind if kind == KINDS[TurnRecorded]:
                index = data["index"]
                self._named(data).turns[index : index + 1] = [parse_half_turn(data)]
            case keeper.SHORTER_KIND:
                del self._named(data).turns[data["half_turns"] :]
            case keeper.TRAY_KIND:
                self._named(data).roll = JOURNAL_CODEC.decode(LoggedRoll, data) if data["faces"] else None
            case keeper.SAID_KIND:
                event, game = parse_command(data["command"]), self._named(data)
                if isinstance(event, UndoPressed):
                    game.undo()
                    return
                game.words.append(parse_word(data))
                if isinstance(event, ActionDeclared):
                    game.declared.append((data["half_turns"], event.action))
            case keeper.UNSEEN_KIND if data["game"] < len(self.games):
                self.games[data["game"]].unseen = frozenset(data["half_turns"])
            case keeper.PAUSED_KIND:
                self.is_paused = data["is_paused"]
            case keeper.DELETED_KIND:
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
    roll = None if game.won or (game.roll and game.roll.half_turns != len(game.turns)) else game.roll
    return GameRestored(
        t_ms=t_ms,
        position=game.start or match.laws.start,
        on_roll=game.on_roll,
        first=game.first,
        turns=game.marked_turns,
        declared=tuple(game.declared),
        faces=roll.faces if roll and not roll.is_over else None,
        faces_left=roll.faces if roll and roll.is_over else None,
        outcome=game.outcome,
    )
