"""A match as it is kept: who played, under which stakes, and the actions of each game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import date as Date

from controller.record.plain_game import without_mishaps
from controller.rules import MODERN, Action, Game, Laws, Match, Player, Stakes
from controller.rules.match.game import PLAIN_STAKES, Cube


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One game of a match.

    actions: what was done, first to last. They may begin with EditedBoard: a game joined in progress.
    score: points of White and of Black before the game.
    stakes: what held in this game; no cube in a Crawford game.
    cube_at_start: what the cube showed after automatic doubles whose throws are not known.
    first: who had the first turn without an opening throw, as the winner of a hit has under some laws.
    """

    actions: tuple[Action, ...] = ()
    score: tuple[int, int] = (0, 0)
    stakes: Stakes = PLAIN_STAKES
    cube_at_start: int = 1
    laws: Laws = MODERN
    first: Player | None = None

    def begun(self) -> Game:
        """The game before its first action."""
        game = Game.new(self.laws, self.stakes, self.first)
        return replace(game, cube=Cube(self.cube_at_start))

    def as_it_stood(self) -> GameRecord:
        """The same game without what was set right at the table: throws made again, plays taken back."""
        return replace(self, actions=without_mishaps(self.begun(), self.actions))

    def played(self) -> Game:
        """The game after its last action; IllegalAction when the actions do not make a game."""
        game = self.begun()
        for action in self.actions:
            game = game.push(action)
        return game


@dataclass(frozen=True, kw_only=True)
class MatchRecord:
    """A match, or a session for money (length 0), with what its files say about it.

    laws: those of the whole match. A game keeps its own, for a game may be taken out of its match.
    """

    white: str = "White"
    black: str = "Black"
    length: int = 0
    crawford: bool = True
    stakes: Stakes = PLAIN_STAKES
    laws: Laws = MODERN
    games: tuple[GameRecord, ...] = ()
    date: Date | None = None
    event: str = ""
    round: str = ""
    site: str = ""
    transcriber: str = ""

    @classmethod
    def of_actions(cls, actions: Iterable[Action], record: MatchRecord) -> MatchRecord:
        """`record` with the games that `actions` make, one game after the other.

        Scores and Crawford game follow from the actions, whatever games `record` had before.
        """
        match = record.begun()
        games: list[GameRecord] = []
        score = match.score
        for action in actions:
            match = match.push(action)
            if len(match.games) > len(games):
                games.append(_game_record(match.games[-1], score))
                score = match.score
        if match.game.actions and not match.game.outcome:
            games.append(_game_record(match.game, score))
        return replace(record, games=tuple(games))

    @classmethod
    def under(cls, laws: Laws, length: int = 0, white: str = "White", black: str = "Black") -> MatchRecord:
        """A match under `laws`, with the stakes that they propose."""
        stakes, crawford = laws.stakes(length), laws.crawford
        return cls(white=white, black=black, length=length, crawford=crawford, stakes=stakes, laws=laws)

    def begun(self) -> Match:
        """The match before its first game."""
        return Match.new(self.length, self.laws, self.stakes, self.crawford)

    def name(self, player: Player) -> str:
        return self.white if player is Player.WHITE else self.black


def _game_record(game: Game, score: tuple[int, int]) -> GameRecord:
    return GameRecord(actions=game.actions, score=score, stakes=game.stakes, laws=game.laws, first=game.first)


@dataclass(frozen=True, order=True)
class Problem:
    """Something wrong in a file that was read all the same; `line` counts from 1."""

    line: int
    message: str = field(compare=False)

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True)
class ParsedMatch:
    """What a file holds, as far as it could be read, and what was wrong with it."""

    record: MatchRecord
    problems: tuple[Problem, ...] = ()


class MatchFileError(ValueError):
    """The text is no match file of its kind at all."""


def file_name(record: MatchRecord, suffix: str) -> str:
    """`2026-11-21 Ada - Bert.mat`: date and players, without the characters that file systems refuse."""
    day = f"{record.date.isoformat()} " if record.date else ""
    stem = f"{day}{record.white} - {record.black}"
    safe = "".join("_" if char in '<>:"/\\|?*' or not char.isprintable() else char for char in stem)
    return f"{safe.strip(' .') or 'match'}{suffix}"
