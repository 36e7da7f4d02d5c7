"""A chouette: more than two people at one game. The box plays alone against a captain and his team.

The modern page mentions it: more than two can take part, but all except two "act only as advisers and
bettors; therefore the game in essence is a two-person affair". So the game is an ordinary one, with one cube:
White is the box, and Black is the captain, who decides for his team. The page leaves the rest to a chapter
that it does not give. Payments and the order of players follow the practice of today.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from controller.rules.board.position import Player
from controller.rules.match.game_state import Outcome
from sentences import say

FEWEST_IN_CHOUETTE = 3
"""The fewest people in a chouette; two play an ordinary game."""


class ChouetteError(ValueError):
    """Names that make no chouette."""


@dataclass(frozen=True, kw_only=True)
class Chouette:
    """The people of a chouette before a game. Immutable; `after` returns them before the next game.

    line: the box, the captain, then the others in the order in which they become captain.
    points: (name, points won and lost so far) of everyone, in the order of the first game.
    """

    line: tuple[str, ...]
    points: tuple[tuple[str, int], ...]

    @classmethod
    def new(cls, names: Sequence[str]) -> Chouette:
        """A chouette with the first name in the box and the second as captain. ChouetteError if unfit."""
        if len(names) < FEWEST_IN_CHOUETTE:
            raise ChouetteError(say("too_few_in_chouette", fewest=FEWEST_IN_CHOUETTE, number=len(names)))
        for name in names:
            if not name.strip() or "," in name:
                raise ChouetteError(say("comma_in_chouette", name=name))
            if len([other for other in names if other.lower() == name.lower()]) > 1:
                raise ChouetteError(say("same_name_in_chouette", name=name))
        return cls(line=tuple(names), points=tuple((name, 0) for name in names))

    @classmethod
    def after_games(cls, names: Sequence[str], outcomes: Iterable[Outcome | None]) -> Chouette:
        """The chouette of `names` after games with these outcomes; None for a game that did not end."""
        chouette = cls.new(names)
        for outcome in outcomes:
            chouette = chouette.after(outcome) if outcome else chouette
        return chouette

    @property
    def box(self) -> str:
        """Who plays alone, as White."""
        return self.line[0]

    @property
    def captain(self) -> str:
        """Who plays for the team, as Black, and decides for it."""
        return self.line[1]

    @property
    def team(self) -> tuple[str, ...]:
        """Everyone who plays against the box, the captain first."""
        return self.line[1:]

    @property
    def advisers(self) -> tuple[str, ...]:
        """Who may advise the captain; the box has no advisers."""
        return self.line[2:]

    def name(self, player: Player) -> str:
        """Who sits at the board for `player`."""
        return self.box if player is Player.WHITE else self.captain

    def after(self, outcome: Outcome) -> Chouette:
        """The chouette after a game. The box wins or loses the points of the game against each of the team.

        The winner is in the box next. The loser, captain or box, goes to the end of the line.
        """
        sign = 1 if outcome.winner is Player.WHITE else -1
        won = dict.fromkeys(self.team, -sign * outcome.points)
        won[self.box] = sign * outcome.points * len(self.team)
        box, captain, *others = self.line
        winner, loser = (box, captain) if sign > 0 else (captain, box)
        points = tuple((name, before + won[name]) for name, before in self.points)
        return replace(self, line=(winner, *others, loser), points=points)

    def __str__(self) -> str:
        """`Ada is in the box; Bert is captain, with Cleo. Points: Ada +4, Bert -2, Cleo -2`."""
        points = ", ".join(f"{name} {points:+d}" if points else f"{name} 0" for name, points in self.points)
        advisers = ", ".join(self.advisers)
        return say("chouette_is", box=self.box, captain=self.captain, advisers=advisers, points=points)
