"""A match, or a session for money: games, their score, and the Crawford rule."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from controller.rules.actions import Action
from controller.rules.game import PLAIN_STAKES, Game, IllegalAction, Phase, Stakes
from controller.rules.laws import MODERN, Laws
from controller.rules.position import Player


@dataclass(frozen=True, kw_only=True)
class Match:
    """A match at one moment; immutable, `push` gives the match after an action.

    length: points needed to win, 0 for a session without end.
    stakes: what holds in every game, before the Crawford rule.
    crawford: the game in which a player first needs one point is played without the cube.
    score: points of White and of Black before the current game.
    games: the games finished; `game` is the one being played, or the last one.
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
        cls, length: int, laws: Laws = MODERN, stakes: Stakes = PLAIN_STAKES, crawford: bool = True
    ) -> Match:
        """A match about to begin."""
        if length < 0:
            raise ValueError(f"a match is of 0 or more points, not {length}; 0 is a session for money")
        match = cls(length=length, laws=laws, stakes=stakes, crawford=crawford, game=Game.new(laws, stakes))
        return match._with_new_game()

    @classmethod
    def replay(cls, length: int, actions: Iterable[Action], laws: Laws = MODERN) -> Match:
        """The match after all `actions`, game after game; IllegalAction at the first that cannot be done."""
        match = cls.new(length, laws)
        for action in actions:
            match = match.push(action)
        return match

    def points(self, player: Player) -> int:
        return self.score[0 if player is Player.WHITE else 1]

    @property
    def winner(self) -> Player | None:
        """Who has won the match; None while it goes on, and always in a session."""
        if not self.length:
            return None
        return next((player for player in Player if self.points(player) >= self.length), None)

    @property
    def is_crawford_game(self) -> bool:
        """Whether the current game is the one without the cube."""
        return self._next_is_crawford() if self.game.phase is not Phase.OVER else False

    def legal_actions(self) -> Iterator[Action]:
        """Everything that may be done now, but for irregular plays and edited boards."""
        return iter(()) if self.winner else self.game.legal_actions()

    def push(self, action: Action) -> Match:
        """The match after `action`. When it ends a game the score is carried and the next game begins."""
        if self.winner:
            raise IllegalAction("the match is over")
        after = replace(self, game=self.game.push(action))
        return after._scored() if after.game.phase is Phase.OVER else after

    def _scored(self) -> Match:
        outcome = self.game.outcome
        assert outcome is not None
        white, black = self.score
        won = (outcome.points, 0) if outcome.winner is Player.WHITE else (0, outcome.points)
        after = replace(
            self,
            score=(white + won[0], black + won[1]),
            games=(*self.games, self.game),
            crawford_played=self.crawford_played or self._next_is_crawford(),
        )
        return after if after.winner else after._with_new_game()

    def _with_new_game(self) -> Match:
        no_cube = self._next_is_crawford()
        stakes = replace(self.stakes, cube=False) if no_cube else self.stakes
        return replace(self, game=Game.new(self.laws, stakes))

    def _next_is_crawford(self) -> bool:
        """Whether a game begun at this score is the Crawford game."""
        return (
            self.crawford
            and self.length > 1
            and not self.crawford_played
            and max(self.score) == self.length - 1
        )
