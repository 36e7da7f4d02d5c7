"""The questions that a set of laws answers, and the words for the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from controller.rules.board.position import Player, Position
from sentences import say


class ClosedOut(Enum):
    """What becomes of the throws of a player whom none of them can enter."""

    SUSPENDED = "his play is suspended, and the adversary goes on throwing"
    NEED_NOT_THROW = "he need not throw"


class WrongPlay(Enum):
    """Who may have a wrong play altered, and until when."""

    BOTH_ONCE_THROWN = "either player, until the adversary has thrown; from then on only both together"
    ADVERSARY_UNTIL_HE_THROWS = "the adversary, until he makes his next throw; then it stands"


class Touched(Enum):
    """Which of his men a player has to play because of what his hand did."""

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
    """Games played for more than one game's stake.

    points: what wins it, a gammon counting 2 and a backgammon 3 or more.
    """

    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Citation:
    """Where a text says it.

    words: the text's own, shortened where it says "...", or, when it is silent, why the answer is given.
    """

    where: str
    words: str

    @property
    def is_silent(self) -> bool:
        """Whether the text does not answer."""
        return not self.where

    def __str__(self) -> str:
        return f"silent; {self.words}" if self.is_silent else f'{self.where}: "{self.words}"'


@dataclass(frozen=True, kw_only=True, slots=True)
class Stakes:
    """What the players agreed on for the game besides the laws.

    cube: the doubling cube is in play (never in a Crawford game).
    jacoby: gammons count only once the cube has been turned.
    beavers: a double may be beavered.
    automatic_doubles: how many ties of the opening throw turn the cube.
    throw_over: who has the first turn may throw over the dice of the opening throw, whatever the laws say.
    throw_over_turns_cube: when he does, the cube is turned.
    backgammon: what a backgammon counts, where the laws leave it to agreement; None for what they propose.
    premature_throw_stands: a throw made before the adversary has picked up his dice is not thrown over.
    aces_to: the weaker player, who begins every game and is given aces for his first throw; None for nobody.
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
    citations: for each field below, where the source says it; empty for laws of one's own.
    start: how the checkers are set up.
    first_player_may_throw_again: who has the first turn plays the dice of the opening throw, or throws both.
    higher_number_compelled: when either number can be played but not both, the higher must be.
    higher_number_deemed_borne: a man that is moved by one number and then borne is borne by the higher.
    closed_out: what becomes of the throws of a player whom none of them can enter.
    points: what a single game, a gammon and a backgammon count.
    backgammon_may_count: what a backgammon may count by agreement.
    backgammon_places: the loser's places, 25 his bar, where one of his men makes a gammon a backgammon.
    backgammon_needs_none_borne: a loser who has borne a man has lost a single game, wherever his men are.
    winner_of_single_begins: who won a single game has the first turn of the next; otherwise it is thrown for.
    has_cube: the doubling cube belongs to the game.
    automatic_doubles, jacoby, beavers: the stakes of a session for money unless the players agree otherwise.
    crawford: the game in which a player of a match first needs one point is played without the cube.
    wrong_play: who may have a wrong play altered, and until when.
    bystander_must_be_silent: only the players may speak of a wrong play; nobody else, and no lamp.
    borne_with_man_up_enter_again: men borne while one was up are put up as well.
    touched: which of his men a player has to play because of what his hand did.
    may_announce_adjusting: who first says that he adjusts a man need not play it.
    play_ends: what makes a play final for the player who made it.
    null_throws: the faults for which a throw is void and made again, with both dice.
    touched_die_named_by_adversary: when a player touches a die too early, the other names its number.
    furnishing_may_be_required: until he throws a die, a player may require the board to be set up properly.
    omitted_men_stay_out: who has thrown without all his men on the board plays on with those he has.
    series: the series of games that the source speaks of.
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
        """What holds in a match of `length` points, 0 for a session, unless the players agree otherwise."""
        if length or not self.has_cube:
            return Stakes(cube=self.has_cube, jacoby=self.jacoby and not length)
        return Stakes(jacoby=self.jacoby, beavers=self.beavers, automatic_doubles=self.automatic_doubles)

    def series_called(self, name: str) -> Series:
        """A series of games by its name. KeyError when these laws know none such."""
        return {series.name: series for series in self.series}[name]


class WrongGame(ValueError):
    """Laws of Russian or Turkish backgammon where those of the ordinary game are needed."""


def ordinary(laws: Laws) -> Laws:
    """`laws`, if they are those of the ordinary game; else WrongGame, which says what to call instead."""
    if type(laws) is Laws:
        return laws
    name = getattr(laws, "name", None)
    if name is None:
        raise WrongGame(say("no_set_of_laws", laws=laws))
    raise WrongGame(say("laws_of_other_game", name=name))
