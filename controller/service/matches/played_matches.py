"""Turns games that were watched into the record of a match, as match files hold it.

Recordings and the log both come through here, so that a game reads the same in every file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date as Date

from controller.record.match_record import GameRecord, MatchFileError, MatchRecord
from controller.record.match_settings import MatchSettings
from controller.record.thrown_games import ThrownGame, cannot_carry
from controller.referee import HalfTurn, RefereeState
from controller.rules import (
    AcceptedResignation,
    Action,
    Chouette,
    DidNotThrow,
    EditedBoard,
    EnteringLaws,
    Game,
    GamePhase,
    IllegalAction,
    Match,
    Moved,
    MovedIrregularly,
    OfferedResignation,
    Outcome,
    Player,
    PlayError,
    Position,
    PositionError,
    Rolled,
    Took,
)
from sentences import say


@dataclass(frozen=True, kw_only=True)
class PlayedGame:
    """One game as it was watched.

    start: the board before the first throw. on_roll: who was to throw there when the game was joined in
        progress; None when it began with the opening throw.
    declared: what people said, each with the number of half-turns played before it.
    outcome: how the game ended; None while it goes on.
    """

    start: Position
    on_roll: Player | None = None
    turns: tuple[HalfTurn, ...] = ()
    declared: tuple[tuple[int, Action], ...] = ()
    outcome: Outcome | None = None


@dataclass(frozen=True, kw_only=True)
class PlayedMatch:
    """A match as it was watched: its settings and its games. date: None when it is not known."""

    match: MatchSettings
    games: tuple[PlayedGame, ...] = ()
    date: Date | None = None

    @property
    def chouette(self) -> Chouette | None:
        """The people of a chouette after the games that ended; None where two play."""
        return self.match.chouette_after(game.outcome for game in self.games)

    @property
    def laws(self) -> EnteringLaws | None:
        """The laws of a game whose checkers are entered by throws; None for any other."""
        laws = self.match.rules.laws
        return laws if isinstance(laws, EnteringLaws) else None


def played_game(state: RefereeState) -> PlayedGame:
    """The referee's current game."""
    start = state.likeliest.root.position if state.histories else Position.START
    return PlayedGame(
        start=start,
        on_roll=state.joined,
        turns=state.marked_record,
        declared=state.declared,
        outcome=state.outcome,
    )


def match_record(played: PlayedMatch) -> MatchRecord:
    """The match with the scores, the cube and the results that follow from its games.

    Raises MatchFileError when the checkers are entered by throws; use `thrown_games` for such a match.
    """
    return record_and_match(played)[0]


def record_and_match(played: PlayedMatch) -> tuple[MatchRecord, Match]:
    """The record, and the match by the rules after its last finished game. Raises like `match_record`."""
    settings, laws = played.match, played.match.rules.laws
    if isinstance(laws, EnteringLaws):
        raise cannot_carry(laws, ".mat")
    record = MatchRecord.under(laws, settings.length, settings.white, settings.black)
    record = replace(record, chouette=settings.chouette)
    match, games = record.begun(), list[GameRecord]()
    for watched in played.games:
        if match.winner:
            break
        game = _GameOnPaper(match.game).game_of(watched)
        games.append(GameRecord.of(game, match.score))
        match = match.after_game(game) if game.phase is GamePhase.OVER else match
    return replace(record, games=tuple(games), date=played.date), match


class _GameOnPaper:
    """The game by the rules, action by action. A play they forbid is written as the board that stood."""

    def __init__(self, begun: Game) -> None:
        self._game = begun

    def game_of(self, watched: PlayedGame) -> Game:
        """The game with every half-turn, and every word that the rules allow."""
        if watched.on_roll is not None:
            self._push(EditedBoard(position=watched.start, on_roll=watched.on_roll))
        declared = list(watched.declared)
        for n_played, turn in enumerate(watched.turns):
            while declared and declared[0][0] <= n_played:
                self._push(declared.pop(0)[1])
            if self._game.phase is GamePhase.OVER:
                break
            self._play(turn)
        for _, action in declared:
            self._push(action)
        if watched.outcome is not None and self._game.phase is not GamePhase.OVER:
            self._end_as(watched.outcome)
        return self._game

    def _play(self, turn: HalfTurn) -> None:
        dice = turn.dice
        if dice is None:
            if not (turn.legal and self._push(DidNotThrow(player=turn.player))):
                if self._game.phase is GamePhase.OPENING:  # whose half-turn it is
                    self._push(EditedBoard(position=self._game.position, on_roll=turn.player))
                self._push(EditedBoard(position=turn.position, on_roll=turn.player.opponent))
            return
        roll = Rolled(player=turn.player, dice=dice)
        if not self._push(roll):
            self._push(EditedBoard(position=self._game.position, on_roll=turn.player))
            self._push(roll)
        before = self._game
        played = turn.legal and self._push(Moved(player=turn.player, steps=turn.steps))
        if not played or self._game.position != turn.position:
            self._game = before
            self._push(MovedIrregularly(player=turn.player, result=turn.position, steps=turn.steps))

    def _end_as(self, outcome: Outcome) -> None:
        """End a game that is over, but not by the rules: the loser resigns."""
        loser = outcome.winner.opponent
        if self._game.phase is GamePhase.DOUBLED and self._game.asked is not None:
            self._push(Took(player=self._game.asked))
        self._push(OfferedResignation(player=loser, win=outcome.win))
        self._push(AcceptedResignation(player=outcome.winner))

    def _push(self, action: Action) -> bool:
        """Do the action. Returns False when the rules do not allow it; then nothing has changed."""
        try:
            self._game = self._game.push(action)
        except (IllegalAction, PlayError, PositionError):
            return False
        return True


def thrown_games(played: PlayedMatch) -> tuple[ThrownGame, ...]:
    """The games of a match in which the checkers are entered by throws.

    Raises MatchFileError when the checkers begin on the board; use `match_record` for such a match.
    """
    if played.laws is None:
        raise MatchFileError(say("export_as_mat", laws=played.match.rules.laws.name))
    return tuple(_thrown_game(played, played.laws, game) for game in played.games)


def _thrown_game(played: PlayedMatch, laws: EnteringLaws, watched: PlayedGame) -> ThrownGame:
    leader = watched.turns[0].player if watched.turns else watched.on_roll or Player.WHITE
    game = ThrownGame(laws=laws, leader=leader, white=played.match.white, black=played.match.black)
    for turn in watched.turns:
        game = _with_throw(game, turn)
    return game


def _with_throw(game: ThrownGame, turn: HalfTurn) -> ThrownGame:
    """The game after one more half-turn. What cannot be written as a play is written as the board."""
    if turn.legal and turn.dice:
        try:
            return game.after(turn.dice, turn.words)
        except PlayError:
            pass
    on_board = replace(game.stand.on_board(turn.position), on_roll=turn.player.opponent, choosing=False)
    return game.after_irregular(turn.dice, turn.turn_state or on_board)


def crawford_games(played: PlayedMatch) -> frozenset[int]:
    """The games (from 0) without the cube, because a player needs one point for the first time."""
    if played.laws is not None:
        return frozenset()
    record = match_record(played)
    return frozenset(
        number for number, game in enumerate(record.games) if record.stakes.cube and not game.stakes.cube
    )


def unseen_turns(games: Iterable[PlayedGame]) -> Iterator[tuple[int, int]]:
    """(game, half-turn), both from 1, of every half-turn that no picture supports."""
    for number, game in enumerate(games, start=1):
        for index, turn in enumerate(game.turns, start=1):
            if turn.unseen:
                yield number, index


def points_won(played: PlayedMatch) -> Mapping[Player, int]:
    """The points of each player from the games that ended."""
    return {
        player: sum(
            game.outcome.points for game in played.games if game.outcome and game.outcome.winner is player
        )
        for player in Player
    }
