"""The questions that a set of laws answers, and the possible answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from controller.rules.board.position import Player, Position
from sentences import say


class ClosedOut(Enum):
    """Whether a closed-out player throws: one whom no throw can enter."""

    SUSPENDED = "his play is suspended, and the adversary goes on throwing"
    NEED_NOT_THROW = "he need not throw"


class WrongPlay(Enum):
    """Who may have a wrong play altered, and until when."""

    BOTH_ONCE_THROWN = "either player, until the adversary has thrown; from then on only both together"
    ADVERSARY_UNTIL_HE_THROWS = "the adversary, until he makes his next throw; then it stands"


class Touched(Enum):
    """Which of his men a player must play because his hand touched or took them."""

    NONE = "none: he may change his play"
    TAKEN_FROM_POINT = "each man taken from a point"
    TOUCHED = "each man touched that can be played"


class PlayEnds(Enum):
    """What makes a play final for the player who made it."""

    MAN_QUITTED = "each man is played once it is placed on a point and quitted"
    DICE_PICKED_UP = "picking up the dice"


class ThrowFault(Enum):
    """What can be wrong with a throw."""

    OTHER_TABLE = "a die jumps from one table to the other"
    WRONG_SIDE = "thrown elsewhere than on the board to the thrower's right"
    OFF_BOARD = "a die leaves the board"
    ON_BAR_OR_FRAME = "a die comes to lie on the bar or the frame"
    ON_DIE = "one die rests on the other"
    TILTED = "a die is tilted"
    ON_MAN = "a die lies on a man, even flat"
    PREMATURE = "thrown before the adversary has picked up his dice"


@dataclass(frozen=True, slots=True)
class Series:
    """A series of games played for one stake.

    points: the points that win it; a gammon counts 2 and a backgammon 3 or more.
    """

    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a text answers a question.

    where: the place in the text; "" when the text is silent.
    words: the text's own words, shortened at "..."; when it is silent, the reason for the answer.
    """

    where: str
    words: str

    def __str__(self) -> str:
        return f'{self.where}: "{self.words}"' if self.where else f"silent; {self.words}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Stakes:
    """What the players agree on for a game besides the laws.

    cube: the doubling cube is in play (never in a Crawford game).
    jacoby: gammons count only once the cube has been turned.
    beavers: a double may be beavered.
    automatic_doubles: how many ties of the opening throw turn the cube.
    throw_over: the player with the first turn may throw both dice again, whatever the laws say.
    throw_over_turns_cube: when he does, the cube is turned.
    backgammon: points of a backgammon, where the laws leave them to agreement; None for what they propose.
    premature_throw_stands: a throw made before the adversary has picked up his dice is not void.
    aces_to: the weaker player, who begins every game and has 1-1 as his first throw; None for nobody.
    """

    cube: bool = True
    jacoby: bool = False
    beavers: bool = False
    automatic_doubles: int = 0
    throw_over: bool = False
    throw_over_turns_cube: bool = False
    backgammon: int | None = None
    premature_throw_stands: bool = False
    aces_to: Player | None = None


@dataclass(frozen=True, kw_only=True)
class Laws:
    """One set of laws.

    name: what a recording or a command calls it.
    source: where the laws are written.
    citations: for each field below, where the source says it; empty for laws without a source.
    start: how the checkers are set up.
    first_player_may_throw_again: the first player plays the dice of the opening throw or throws both again.
    higher_number_compelled: when either number can be played but not both, it must be the higher.
    higher_number_deemed_borne: a man moved by one number and borne by the other is borne by the higher.
    closed_out: whether a player whom no throw can enter still throws.
    points: what a single game, a gammon and a backgammon count.
    backgammon_may_count: what a backgammon may count by agreement.
    backgammon_places: where one man of the loser makes it a backgammon; in his numbering, 25 his bar.
    backgammon_needs_none_borne: a loser who has borne a man loses a single game, wherever his men are.
    winner_of_single_begins: the winner of a single game begins the next; otherwise an opening throw decides.
    has_cube: the doubling cube belongs to the game.
    automatic_doubles, jacoby, beavers: the stakes of a session for money unless the players agree otherwise.
    crawford: the first game of a match in which a player needs one point is played without the cube.
    wrong_play: who may have a wrong play altered, and until when.
    bystander_must_be_silent: only the players may point out a wrong play; no bystander and no lamp may.
    borne_with_man_up_enter_again: men borne while one was on the bar must be entered again as well.
    touched: which of his men a player must play because his hand touched or took them.
    may_announce_adjusting: a player who first says that he adjusts a man need not play it.
    play_ends: what makes a play final for the player who made it.
    null_throws: the faults that make a throw void; it is made again with both dice.
    touched_die_named_by_adversary: when a player touches a die too early, his adversary names its number.
    furnishing_may_be_required: a player who has not thrown yet may require the board to be set up properly.
    omitted_men_stay_out: a player who has thrown without all his men on the board plays on without the rest.
    series: the series of games that the source mentions.
    """

    name: str
    source: str
    citations: Mapping[str, Citation] = field(default_factory=dict, repr=False, compare=False)
    start: Position
    first_player_may_throw_again: bool
    higher_number_compelled: bool
    higher_number_deemed_borne: bool
    closed_out: ClosedOut
    points: tuple[int, int, int]
    backgammon_may_count: tuple[int, ...]
    backgammon_places: tuple[int, ...]
    backgammon_needs_none_borne: bool
    winner_of_single_begins: bool
    has_cube: bool
    automatic_doubles: int
    jacoby: bool
    beavers: bool
    crawford: bool
    wrong_play: WrongPlay
    bystander_must_be_silent: bool
    borne_with_man_up_enter_again: bool
    touched: Touched
    may_announce_adjusting: bool
    play_ends: PlayEnds
    null_throws: frozenset[ThrowFault]
    touched_die_named_by_adversary: bool
    furnishing_may_be_required: bool
    omitted_men_stay_out: bool
    series: tuple[Series, ...]

    def stakes(self, length: int) -> Stakes:
        """The stakes in a match of `length` points, 0 for a session, unless the players agree otherwise."""
        if length or not self.has_cube:
            return Stakes(cube=self.has_cube, jacoby=self.jacoby and not length)
        return Stakes(jacoby=self.jacoby, beavers=self.beavers, automatic_doubles=self.automatic_doubles)

    def series_called(self, name: str) -> Series:
        """The series of games with this name; KeyError when these laws have none."""
        return {series.name: series for series in self.series}[name]


class WrongGame(ValueError):
    """Laws of Russian or Turkish backgammon where laws of the ordinary game are needed."""


def ordinary(laws: Laws) -> Laws:
    """`laws`, if they are laws of the ordinary game; else WrongGame, which says what to call instead."""
    if type(laws) is Laws:
        return laws
    name = getattr(laws, "name", None)
    if name is None:
        raise WrongGame(say("no_set_of_laws", laws=laws))
    raise WrongGame(say("laws_of_other_game", name=name))
