"""Going on after a restart: from the log of a match to the referee's state when it stopped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.record.journal import KINDS, parse_half_turn
from controller.record.keeper import SAID_KIND, SHORTER_KIND, STARTED_KIND, TRAY_KIND
from controller.record.store import LogEntry
from controller.referee import (
    ActionDeclared,
    GameStarted,
    GameWon,
    HalfTurn,
    RefereePhase,
    RefereeState,
    TurnRecorded,
    step,
)
from controller.referee.dice_tray import DiceTray, DieState
from controller.referee.game_actions import actions
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.histories import BoardEvidence, History
from controller.referee.words.people_commands import command
from controller.rules import (
    Action,
    Dice,
    EditedBoard,
    Ending,
    Game,
    GamePhase,
    IllegalAction,
    Match,
    Outcome,
    Player,
    Position,
    Win,
)


@dataclass(frozen=True, kw_only=True)
class RestoredMatch:
    """A match that goes on.

    state: as it was, with the roll in play if one was made. unrolled: the same without that roll, for when no
    dice sensor is there to say how the turn ends. t_ms: the time of the last entry.
    """

    state: RefereeState
    unrolled: RefereeState
    t_ms: int


def resumed(entries: Sequence[LogEntry], fresh: RefereeState) -> RestoredMatch | None:
    """The match that the entries tell of; None when nothing was begun, or the match is over.

    fresh: the state before the match, with its settings, length and laws.
    """
    told = _Told()
    for entry in entries:
        told.take(entry)
    if not told.games:
        return None
    state = fresh
    for game in told.games:
        state = _won(state, game) if game.won else _under_way(state, game)
    if state.phase is RefereePhase.OVER:
        return None
    last = told.games[-1]
    rolled = _with_roll(state, last) if last.roll and not last.won else state
    return RestoredMatch(state=rolled, unrolled=state, t_ms=max(entry.t_ms for entry in entries))


@dataclass(frozen=True, kw_only=True)
class _Roll:
    """A roll in play: after how many half-turns, whose, and the faces in the tray, die 1 first."""

    half_turns: int
    player: Player
    faces: tuple[int, int]


@dataclass
class _ToldGame:
    """What the log says of one game. won: the entry that says how it ended."""

    start: Position | None = None
    on_roll: Player | None = None
    turns: list[HalfTurn] = field(default_factory=list)
    said: list[tuple[int, Action]] = field(default_factory=list)
    roll: _Roll | None = None
    won: Mapping[str, Any] | None = None

    @property
    def first(self) -> Player | None:
        """Who plays first, as far as it is known."""
        if self.turns:
            return self.turns[0].player
        return self.on_roll or (self.roll.player if self.roll else None)


class _Told:
    """The games of a match, taken from its entries one by one."""

    def __init__(self) -> None:
        self.games: list[_ToldGame] = []

    def take(self, entry: LogEntry) -> None:
        data = entry.payload
        match entry.kind:
            case kind if kind == STARTED_KIND:
                self._current()
                on_roll = Player(data["on_roll"]) if data["on_roll"] else None
                self.games[-1] = _ToldGame(start=Position.parse(data["position"]), on_roll=on_roll)
            case kind if kind == KINDS[TurnRecorded]:
                turns, index = self._current().turns, data["index"]
                turns[index : index + 1] = [parse_half_turn(data)]
            case kind if kind == SHORTER_KIND:
                del self._current().turns[data["half_turns"] :]
            case kind if kind == TRAY_KIND:
                one, other = data["faces"]
                self._current().roll = _Roll(
                    half_turns=data["half_turns"], player=Player(data["player"]), faces=(one, other)
                )
            case kind if kind == SAID_KIND:
                event = command(data["command"])
                if isinstance(event, ActionDeclared):
                    self.games[data["game"]].said.append((data["half_turns"], event.action))
            case kind if kind == KINDS[GameWon]:
                self._current().won = data

    def _current(self) -> _ToldGame:
        """The game that is played; a game after one that was won begins by itself."""
        if not self.games or self.games[-1].won:
            self.games.append(_ToldGame())
        return self.games[-1]


def _under_way(state: RefereeState, game: _ToldGame) -> RefereeState:
    """The state in a game that is not over, before its next roll, or the choice of doublets instead."""
    started, _ = step(state, GameStarted(t_ms=0, position=_start(state.match, game), on_roll=game.first))
    if game.first is None:
        return started
    (history,) = _history(started.histories, game)
    before_roll = RefereePhase.BEFORE_ROLL if game.turns or game.on_roll else RefereePhase.OPENING
    return replace(
        started,
        phase=RefereePhase.ROLLED if history.stand.choosing else before_roll,
        rolls=history.rules.throws(history.stand) if history.stand.choosing else (),
        joined=game.on_roll,
        histories=(history,),
        said=tuple(game.said),
        recorded=history.turns,
    )


def _start(match: Match, game: _ToldGame) -> Position:
    """The board from which a game began."""
    return game.start or match.laws.start


def _history(begun: tuple[History, ...], game: _ToldGame) -> tuple[History, ...]:
    """The one course of the game that the log tells."""
    (history,) = begun
    edits = {n: action for n, action in game.said if isinstance(action, EditedBoard)}
    for number in range(len(game.turns) + 1):
        if number in edits:
            edit = edits[number]
            stand = replace(history.stand.on_board(edit.position), on_roll=edit.on_roll, choosing=False)
            history = replace(History.begun(stand, history.rules), parent=history)
        if number < len(game.turns):
            history = history.played(game.turns[number], 0.0, 0.0, BoardEvidence(now=BoardMemory()))
    return (history,)


def _with_roll(state: RefereeState, game: _ToldGame) -> RefereeState:
    """The state with the roll in play, if it was made after the last half-turn."""
    roll = game.roll
    if roll is None or roll.half_turns != len(game.turns):
        return state
    tray = DiceTray(dice=(DieState.LYING, DieState.LYING), faces=roll.faces)
    return replace(state, phase=RefereePhase.ROLLED, rolls=(Dice(*roll.faces),), doubt=tray.doubt, tray=tray)


def _won(state: RefereeState, game: _ToldGame) -> RefereeState:
    """The state after a game that was won."""
    under_way = _under_way(state, game)
    if state.other_rules:
        return replace(under_way, phase=RefereePhase.OVER)
    finished = _finished(state.match, game)
    match = state.match.after_game(finished)
    phase = RefereePhase.OVER if match.winner else RefereePhase.BETWEEN
    return replace(under_way, match=match, phase=phase, outcome=finished.outcome)


def _finished(match: Match, game: _ToldGame) -> Game:
    """The game by the rules; if the rules do not let it end as the log says, with that end all the same."""
    assert game.won is not None
    played = match.game
    try:
        start = _start(match, game)
        for action in actions(game.turns, game.said, start=start, on_roll=game.on_roll):
            played = played.push(action)
    except IllegalAction:
        played = match.game
    if played.outcome:
        return played
    outcome = Outcome(
        winner=Player(game.won["winner"]),
        win=Win[game.won["win"].upper()],
        points=game.won["points"],
        ending=Ending.BORNE_OFF,
    )
    return replace(played, phase=GamePhase.OVER, outcome=outcome)
