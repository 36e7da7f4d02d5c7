"""The table [match] of settings and recordings: the players, the length, the laws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from controller.options import OptionTable
from controller.printable import is_printable
from controller.referee import RefereeSettings, RefereeState
from controller.rules import (
    ALL_LAWS,
    Chouette,
    ChouetteError,
    EnteringLaws,
    Match,
    Outcome,
    Player,
    Position,
    PositionError,
    Rules,
    rules_of,
)
from sentences import say

MOST_NAME = 60
"""Longest name of a player, in characters: longer ones fill the screen. Guess."""
LONGEST_MATCH = 999
"""Longest match, in points. Guess: the longest that are played have about 100."""
DEFAULT_SETTINGS = RefereeSettings()
BOX_NAME, TEAM_NAME = "Box", "Team"
"""Names of the two sides of a chouette, where one name stands for all its games."""


@dataclass(frozen=True, kw_only=True)
class MatchSettings:
    """The match to be played.

    position, on_roll: where a game joined in progress begins.
    chouette: the names of its players: the first box, the first captain, then the others; () where two play.
    """

    white: str = "White"
    black: str = "Black"
    length: int = 0
    laws: str = "modern"
    position: Position = Position.START
    on_roll: Player | None = None
    chouette: tuple[str, ...] = ()

    def as_chouette(self, names: Sequence[str]) -> MatchSettings:
        """These settings for a chouette of these players. Raises ChouetteError where there can be none."""
        if self.length:
            raise ChouetteError(say("chouette_has_length"))
        if self.is_entering:
            raise ChouetteError(say("chouette_of_old_game", laws=self.laws))
        for name in names:
            if len(name) > MOST_NAME or not is_printable(name):
                raise ChouetteError(f"{name!r} {say('must_be_one_line', most=MOST_NAME)}")
        line = Chouette.new(names).line
        return replace(self, white=BOX_NAME, black=TEAM_NAME, chouette=line)

    def chouette_after(self, outcomes: Iterable[Outcome | None]) -> Chouette | None:
        """The chouette after games with these outcomes; None where two play."""
        return Chouette.after_games(self.chouette, outcomes) if self.chouette else None

    def names_after(self, outcomes: Iterable[Outcome | None]) -> dict[Player, str]:
        """Who sits at the board after games with these outcomes: in a chouette the box and the captain."""
        chouette = self.chouette_after(outcomes)
        return {player: chouette.name(player) for player in Player} if chouette else self.names

    @property
    def names(self) -> dict[Player, str]:
        return {Player.WHITE: self.white, Player.BLACK: self.black}

    @property
    def rules(self) -> Rules:
        """The game that is played."""
        return rules_of(ALL_LAWS[self.laws])

    @property
    def is_entering(self) -> bool:
        """Whether the checkers are entered by throws, not set up before the first throw."""
        return isinstance(self.rules.laws, EnteringLaws)

    @property
    def start(self) -> Position:
        """The board before the first throw of a game."""
        return self.rules.start(Player.WHITE).position

    @property
    def furnished(self) -> Position:
        """The position in which the checkers' look is learnt: the ordinary start if they are entered."""
        return Position.START if self.is_entering else self.start

    def state(self, settings: RefereeSettings = DEFAULT_SETTINGS) -> RefereeState:
        """The referee's state before the match. A game whose checkers are entered forms a match by itself."""
        laws = self.rules.laws
        if isinstance(laws, EnteringLaws):
            return RefereeState(settings=settings, match=Match.new(0), other_rules=self.rules)
        return RefereeState(settings=settings, match=Match.new(self.length, laws))


def parse_match_settings(table: Mapping[str, Any], file: str) -> MatchSettings:
    """The table [match] of `file`. Raises OptionError that names the wrong option."""
    options = OptionTable("match", table, file)
    laws = options.one_of("laws", list(ALL_LAWS)) or "modern"
    on_roll = options.one_of("on_roll", [player.value for player in Player])
    start = MatchSettings(laws=laws).start
    match = MatchSettings(
        white=options.text("white", "White", most=MOST_NAME),
        black=options.text("black", "Black", most=MOST_NAME),
        length=options.whole_number("length", 0, least=0, most=LONGEST_MATCH),
        laws=laws,
        position=_parse_position(options, start) if "position" in table else start,
        on_roll=Player(on_roll) if on_roll else None,
    )
    names = table.get("chouette")
    if names is None:
        return match
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise options.wrong("chouette", say("must_be_names"))
    try:
        return match.as_chouette(names)
    except ChouetteError as error:
        raise options.wrong("chouette", say("is_wrong", problem=error)) from None


def _parse_position(options: OptionTable, start: Position) -> Position:
    try:
        position = Position.parse(options.data["position"])
    except (AttributeError, PositionError) as error:
        raise options.wrong("position", say("is_wrong", problem=error)) from None
    if position != start and position.problems():
        raise options.wrong("position", say("is_wrong", problem=position.problems()[0]))
    return position
