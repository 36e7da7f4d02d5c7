"""What the referee wants done: record turns, light lamps, show offences. Other parts do it."""

from dataclasses import dataclass
from enum import Enum

from controller.referee.events import Timed
from controller.referee.half_turn import HalfTurn
from controller.rules import Dice, Offence, Place, Player, Win


class Meaning(Enum):
    """What a lit lamp means. The values are written to the log."""

    OFFENCE = "offence"
    BLOT_AT_RISK = "blot at risk"
    MUST_ENTER = "must enter or set up"
    COMPLETE = "play complete"
    UNSURE = "reader unsure"
    BOOK = "play of the book"


class Mode(Enum):
    """How much the lamps may show. TOURNAMENT: the laws let no bystander point out an illegal play."""

    COACH = "coach"
    CLUB = "club"
    TOURNAMENT = "tournament"


@dataclass(frozen=True, kw_only=True)
class Lamp:
    """One lit place; `strength` from 0 to 1 grows with the risk."""

    place: Place
    meaning: Meaning
    strength: float = 1.0


@dataclass(frozen=True, kw_only=True)
class TurnRecorded(Timed):
    """Half-turn `index` of game `game` (both from 0) is `turn`. mended: this replaces an earlier record."""

    game: int = 0
    index: int
    turn: HalfTurn
    mended: bool = False


@dataclass(frozen=True, kw_only=True)
class RollCalled(Timed):
    """A valid roll was reported. player: None while nothing shows who won the opening throw."""

    player: Player | None
    dice: Dice


@dataclass(frozen=True, kw_only=True)
class OffenceShown(Timed):
    """In half-turn `index` the board shows what the laws do not allow."""

    index: int
    player: Player
    offences: tuple[Offence, ...]


@dataclass(frozen=True, kw_only=True)
class OffenceEnded(Timed):
    """The offence shown last was put right, or it stands."""

    index: int
    stands: bool


@dataclass(frozen=True, kw_only=True)
class LampsChanged(Timed):
    """From now on exactly these lamps are lit."""

    lamps: tuple[Lamp, ...]


@dataclass(frozen=True, kw_only=True)
class Question(Timed):
    """Half-turn `index` is in doubt; `candidates`: what may have been played, the likeliest first."""

    index: int
    candidates: tuple[HalfTurn, ...]


@dataclass(frozen=True, kw_only=True)
class CommandRefused(Timed):
    """A command cannot be obeyed; `why` is one sentence."""

    why: str


@dataclass(frozen=True, kw_only=True)
class GameWon(Timed):
    """The game is over. win: its size; points: the size times the cube; score: White's, Black's."""

    winner: Player
    win: Win
    points: int
    score: tuple[int, int]
    match_over: bool


Effect = (
    TurnRecorded
    | RollCalled
    | OffenceShown
    | OffenceEnded
    | LampsChanged
    | Question
    | CommandRefused
    | GameWon
)
