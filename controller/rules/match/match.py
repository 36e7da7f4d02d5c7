"""A match, or a session for money: games, their score, and the Crawford rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from controller.rules.board.cube import Win
from controller.rules.board.position import Player
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import Laws, Stakes, ordinary
from controller.rules.match.actions import Action, GamePhase, IllegalAction
from controller.rules.match.game import Game
from controller.rules.match.game_state import PLAIN_STAKES, Outcome
from controller.rules.notation.gnubg_id import gnubg_ids
from controller.rules.notation.situation import Situation
from controller.rules.notation.xgid import parse_situation, xgid
from controller.rules.plays.legal_plays import Play
from sentences import say


@dataclass(frozen=True, kw_only=True)
class Match:
    """A match at one moment. Immutable; `push` returns the match after an action.

    length: points needed to win, 0 for a session without end.
    stakes: the stakes of every game; only the Crawford rule takes the cube out of a game.
    crawford: the first game in which a player needs one point is played without the cube.
    score: points of White and of Black before the current game.
    games: the finished games; `game` is the current one, or the last one of a finished match.
    """

    length: int
    laws: Laws = MODERN
    stakes: Stakes = PLAIN_STAKES
    crawford: bool = True
    score: tuple[int, int] = (0, 0)
    crawford_played: bool = False
    games: tuple[Game, ...] = ()
    game: Game

    @classmethod
    def new(
        cls,
        length: int,
        laws: Laws = MODERN,
        stakes: Stakes | None = None,
        crawford: bool | None = None,
    ) -> Match:
        """A match about to begin; a rubber or a set is a match of as many points.

        stakes, crawford: None for what the laws propose. ValueError when the laws do not allow the stakes.
        """
        if length < 0:
            raise ValueError(say("no_length_of_match", length=length))
        agreed = ordinary(laws).stakes(length) if stakes is None else stakes
        match = cls(
            length=length,
            laws=laws,
            stakes=agreed,
            crawford=laws.crawford if crawford is None else crawford,
            game=Game.new(laws, agreed),
        )
        return match._with_new_game()

    @classmethod
    def replay(cls, length: int, actions: Iterable[Action], laws: Laws = MODERN) -> Match:
        """The match after all `actions`, game after game; IllegalAction at the first that is not legal."""
        match = cls.new(length, laws)
        for action in actions:
            match = match.push(action)
        return match

    @classmethod
    def from_situation(cls, situation: Situation, laws: Laws = MODERN) -> Match:
        """A match in progress, to be played on from `situation`. ValueError when it cannot be played on."""
        match = cls.new(situation.length, laws)
        short = situation.length > 1 and max(situation.score) == situation.length - 1
        if situation.crawford and not short:
            raise ValueError(say("no_crawford_at", score=situation.score, length=situation.length))
        if situation.length and max(situation.score) >= situation.length:
            raise ValueError(say("match_over_at", score=situation.score, length=situation.length))
        game = Game.from_situation(situation, laws)
        stakes = replace(game.stakes, cube=laws.has_cube)
        crawford_played = short and not situation.crawford
        return replace(
            match, stakes=stakes, score=situation.score, crawford_played=crawford_played, game=game
        )

    @classmethod
    def parse(cls, text: str, laws: Laws = MODERN) -> Match:
        """`from_situation` of an XGID, or of a position ID and a match ID joined by a colon."""
        return cls.from_situation(parse_situation(text), laws)

    def situation(self) -> Situation:
        """The position with cube and score, for IDs.

        ValueError before the opening throw, after the game and after a beaver.
        """
        return self.game.situation(self.length, self.score)

    def xgid(self) -> str:
        """The XGID of this moment; ValueError where there is none."""
        return xgid(self.situation())

    def gnubg_ids(self) -> str:
        """The position ID and match ID of this moment; ValueError where there are none."""
        return gnubg_ids(self.situation())

    @property
    def actions(self) -> tuple[Action, ...]:
        """Every action of every game, in order, each once."""
        games = self.games if self.game.outcome else (*self.games, self.game)
        return tuple(action for game in games for action in game.actions)

    def __str__(self) -> str:
        """Length and score, then the current game."""
        white, black = self.score
        length = say("length_of_match", length=self.length) if self.length else say("money_session")
        return f"{say('match_at', match=length, white=white, black=black)}\n{self.game}"

    def points(self, player: Player) -> int:
        return self.score[0 if player is Player.WHITE else 1]

    @property
    def winner(self) -> Player | None:
        """Who has won the match; None while it goes on, and always in a session."""
        if not self.length:
            return None
        return next((player for player in Player if self.points(player) >= self.length), None)

    def legal_actions(self) -> Iterator[Action]:
        """Everything that may be done now except irregular plays, edited boards and mishaps."""
        return iter(()) if self.winner else self.game.legal_actions()

    def push(self, action: Action | Play | str) -> Match:
        """The match after `action`. When it ends a game, the score is updated and the next game begins."""
        if self.winner:
            raise IllegalAction(say("the_match_is_over"))
        game = self.game.push(action)
        return self.after_game(game) if game.phase is GamePhase.OVER else replace(self, game=game)

    def after_game(self, game: Game) -> Match:
        """The match with its current game finished as `game`, the score updated and the next game begun.

        IllegalAction when `game` is not over.
        """
        outcome = game.outcome
        if outcome is None:
            raise IllegalAction(say("the_game_is_not_over"))
        white, black = self.score
        won = (outcome.points, 0) if outcome.winner is Player.WHITE else (0, outcome.points)
        after = replace(
            self,
            score=(white + won[0], black + won[1]),
            games=(*self.games, game),
            game=game,
            crawford_played=self.crawford_played or self.is_crawford_game,
        )
        return after if after.winner else after._with_new_game(self._first_after(outcome))

    def with_score(self, white: int, black: int) -> Match:
        """The match at another score, with its current game started again."""
        return replace(self, score=(white, black))._with_new_game(self.game.first)

    @property
    def is_crawford_game(self) -> bool:
        """Whether the current game is the Crawford game, which is played without the cube."""
        one_point_short = self.length > 1 and max(self.score) == self.length - 1
        return self.crawford and one_point_short and not self.crawford_played

    def _first_after(self, outcome: Outcome) -> Player | None:
        """Who has the first turn of the next game; None when an opening throw decides."""
        begins = self.laws.winner_of_single_begins and outcome.win is Win.SINGLE
        return outcome.winner if begins else None

    def _with_new_game(self, first: Player | None = None) -> Match:
        stakes = replace(self.stakes, cube=False) if self.is_crawford_game else self.stakes
        return replace(self, game=Game.new(self.laws, stakes, first))
