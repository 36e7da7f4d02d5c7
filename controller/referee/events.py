"""What comes in: the board as seen, the dice as reported, what people say, and how a match begins."""

from dataclasses import dataclass

from controller.referee.half_turn import Declared, HalfTurn
from controller.rules import BAR, Action, Dice, Match, Outcome, Place, Player, Position
from hardware.dice_events import DiceEvent

MAX_COUNT = 15
N_ROWS = 26
"""Rows of a sighting: the points 1 to 24 in White's numbering, White's bar, Black's bar."""

Rows = tuple[tuple[float, ...], ...]


def place_of_row(row: int) -> Place:
    """The place of a row of a sighting."""
    return Place(row + 1) if row < BAR - 1 else Place(BAR, Player.WHITE if row == BAR - 1 else Player.BLACK)


@dataclass(frozen=True, kw_only=True)
class Timed:
    """What happens at t_ms, in milliseconds of the clock that is passed in."""

    t_ms: int


@dataclass(frozen=True, kw_only=True)
class BoardSeen(Timed):
    """The likelihood of each content of each place, from one picture.

    rows: 26 rows of natural log-likelihoods. Row p - 1 is White's p-point; its column n + 15 stands for n
        white checkers (n > 0), -n black ones (n < 0) or none. Rows 24 and 25 are the white and the black
        checkers on the bar; their columns are counts.
    unseen: indices of the occluded rows; their values are ignored.
    mixed: indices of the rows on which checkers of both players surely lie.
    hand: whether a hand is over the board.
    dice: the faces seen lying on the field, () for none.
    """

    rows: Rows
    unseen: frozenset[int] = frozenset()
    mixed: frozenset[int] = frozenset()
    hand: bool = False
    dice: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GameStarted(Timed):
    """A game begins at `position`; `on_roll` is None when the opening roll decides."""

    position: Position = Position.START
    on_roll: Player | None = None


@dataclass(frozen=True, kw_only=True)
class DonePressed(Timed):
    """The player says that his play is complete."""


@dataclass(frozen=True, kw_only=True)
class ActionDeclared(Timed):
    """A player doubles, takes, passes, resigns or answers a resignation, or people set up the board anew."""

    action: Action


@dataclass(frozen=True, kw_only=True)
class TurnCorrected(Timed):
    """People say that `position` stood after half-turn `index` (from 0). Their word is final.

    game: the number of the game in the match, from 0; None for the one on the board. dice: the roll of that
    half-turn; None for the recorded one.
    """

    index: int
    position: Position
    game: int | None = None
    dice: Dice | None = None


@dataclass(frozen=True, kw_only=True)
class PlayTakenBack(Timed):
    """The last play is taken back. Its player plays the same roll again."""


@dataclass(frozen=True, kw_only=True)
class UndoPressed(Timed):
    """People undo what they said last: a declaration, a correction, or the taking back of a play."""


@dataclass(frozen=True, kw_only=True)
class InputEnded(Timed):
    """No more input comes: a recording ends, or the service stops."""


@dataclass(frozen=True, kw_only=True)
class MatchBegan(Timed):
    """A new match begins: `match` has its length, its laws and no game yet."""

    match: Match


@dataclass(frozen=True, kw_only=True)
class GameRestored(Timed):
    """A game of an interrupted match is restored from its log. Its effects were recorded before.

    position: the board from which it began. on_roll: who was to roll when the game was joined in progress;
        None when it began with the opening roll. first: who plays first; None while that is not known.
    declared: what people declared. faces: those of the roll in play, die 1 first; None when there is none.
    faces_left: those of the last half-turn, where its dice still lie there.
    outcome: how the game ended; None while it goes on.
    """

    position: Position
    on_roll: Player | None
    first: Player | None
    turns: tuple[HalfTurn, ...]
    declared: Declared = ()
    faces: tuple[int, int] | None = None
    faces_left: tuple[int, int] | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True, kw_only=True)
class RollDropped(Timed):
    """The restored roll in play is dropped, for no dice sensor is there to report the end of its turn."""


Event = (
    BoardSeen
    | DiceEvent
    | GameStarted
    | DonePressed
    | ActionDeclared
    | TurnCorrected
    | PlayTakenBack
    | UndoPressed
    | InputEnded
    | MatchBegan
    | GameRestored
    | RollDropped
)
