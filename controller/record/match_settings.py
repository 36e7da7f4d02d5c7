"""The table [match] of settings and recordings: the players, the length, the laws."""

from dataclasses import dataclass
from typing import Any

from controller.errors import InputError
from controller.referee import RefereeSettings, RefereeState
from controller.rules import ALL_LAWS, EnteringLaws, Match, Player, Position, PositionError, Rules, rules_of

DEFAULT_SETTINGS = RefereeSettings()


@dataclass(frozen=True, kw_only=True)
class MatchSettings:
    """The match to be played. position, on_roll: the beginning of a game joined in progress."""

    white: str = "White"
    black: str = "Black"
    length: int = 0
    laws: str = "modern"
    position: Position = Position.START
    on_roll: Player | None = None

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
        """The position from which the checkers are learnt; the ordinary start where this game begins bare."""
        return Position.START if self.is_entering else self.start

    def state(self, settings: RefereeSettings = DEFAULT_SETTINGS) -> RefereeState:
        """The referee's state before the match. A game whose checkers are entered is a match by itself."""
        laws = self.rules.laws
        if isinstance(laws, EnteringLaws):
            return RefereeState(settings=settings, match=Match.new(0), other_rules=self.rules)
        return RefereeState(settings=settings, match=Match.new(self.length, laws))


def parse_match_settings(table: dict[str, Any], file: str) -> MatchSettings:
    """The table [match] of `file`. Raises InputError that names the file when something in it is wrong."""
    try:
        laws = str(table.get("laws", "modern"))
        if laws not in ALL_LAWS:
            raise InputError(f"The laws {laws!r} are not known; there are: {', '.join(ALL_LAWS)}.")
        start = MatchSettings(laws=laws).start
        settings = MatchSettings(
            white=str(table.get("white", "White")),
            black=str(table.get("black", "Black")),
            length=int(table.get("length", 0)),
            laws=laws,
            position=Position.parse(table["position"]) if "position" in table else start,
            on_roll=Player(table["on_roll"]) if "on_roll" in table else None,
        )
        if settings.length < 0:
            raise ValueError("length must be 0 for a money session, or the points of the match")
    except (AttributeError, TypeError, ValueError, PositionError) as error:
        raise InputError(f"[match] in {file} is wrong: {error}; mend it.") from None
    if settings.position != settings.start and settings.position.problems():
        raise InputError(f"The position in {file} is wrong: {settings.position.problems()[0]}; mend it.")
    return settings
