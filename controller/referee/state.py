"""Everything the referee knows, in one immutable value."""

from dataclasses import dataclass, field
from enum import Enum

from controller.referee.decisions.lamps import Mode
from controller.referee.dice_tray import DiceTray
from controller.referee.effects import Lamp, OffenceShown
from controller.referee.game_actions import actions
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_layouts import underway
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.histories import BoardEvidence, History, best
from controller.referee.inference.roll_evidence import Faces
from controller.rules import Action, Dice, Match, Player, Position, Rules, rules_of
from controller.rules.match.game_state import Outcome


class RefereePhase(Enum):
    """Where the game stands."""

    IDLE = "no game"
    OPENING = "opening roll"
    BEFORE_ROLL = "before the roll"
    ROLLED = "rolled"
    BETWEEN = "between games"
    OVER = "over"


@dataclass(frozen=True)
class RefereeSettings:
    """What players may choose. settle_ms: how long a board must lie still before anything is said of it."""

    mode: Mode = Mode.COACH
    settle_ms: int = 750


@dataclass(frozen=True)
class RefereeState:
    """Everything the referee knows.

    game: the number of this game in the match, from 0.
    other_rules: the game that is played, where it is not by the laws of the match; then a match is one game.
    match: the match as it stood before this game, and after it once it is over, when `outcome` says how.
    joined: who was to roll when the game was joined in progress, or began without all its men; None when it
        began from the start.
    said: what people said in this game, each with the number of half-turns played before it.
    rolls: what the roll in play may be; several when a die was not heard.
    doubt: how likely a die of that roll was misheard.
    from_opening: the roll in play is the opening throw.
    heard: the number of half-turns played when the last one ended whose roll was heard, and that roll.
    thrown: the state as both dice were thrown again in the course of a play, and when; None if they were not.
    faces: what the pictures have shown of the dice since they were last lifted or thrown.
    sensor: whether a dice sensor speaks; without one, turns are inferred from the board.
    plain: the board as it was last seen whole and without a hand over it, since the roll; None if it was not.
    before: what the board plainly showed when the roll was made, or when it was last settled before it;
        earlier: the same of the last half-turn.
    untouched: nobody has played since the last half-turn ended, so the board still speaks for its result.
    disturbed: somebody has reached over the board since then, or a place has changed.
    n_visible: how many rows of the board were seen when the histories were last weighed.
    inferred_ms: the board as it changed then has lain still, and plays have been inferred from it.
    stands: what was told last of an irregular play that stood before anything could be said of it.
    told: the half-turns of which an offence was told.
    recorded: the half-turns as they were last announced. asked: the half-turns that a question was asked of.
    refusal: why the last thing said cannot be, "" when it can.
    """

    settings: RefereeSettings = RefereeSettings()
    match: Match = field(default_factory=lambda: Match.new(0))
    other_rules: Rules | None = None
    game: int = 0
    phase: RefereePhase = RefereePhase.IDLE
    histories: tuple[History, ...] = ()
    joined: Player | None = None
    said: tuple[tuple[int, Action], ...] = ()
    outcome: Outcome | None = None
    tray: DiceTray = field(default_factory=DiceTray)
    rolls: tuple[Dice, ...] = ()
    doubt: float = 0.0
    from_opening: bool = False
    heard: tuple[int, Dice] | None = None
    thrown: "tuple[RefereeState, int] | None" = None
    faces: Faces = field(default_factory=Faces)
    sensor: bool = False
    memory: BoardMemory = field(default_factory=BoardMemory)
    plain: BoardMemory | None = None
    before: BoardMemory = field(default_factory=BoardMemory)
    earlier: BoardMemory = field(default_factory=BoardMemory)
    untouched: bool = True
    disturbed: bool = True
    n_visible: int = 0
    inferred_ms: int = -1
    offence: OffenceShown | None = None
    stands: OffenceShown | None = None
    told: frozenset[int] = frozenset()
    recorded: tuple[HalfTurn, ...] = ()
    asked: frozenset[int] = frozenset()
    lamps: tuple[Lamp, ...] = ()
    refusal: str = ""

    @property
    def rules(self) -> Rules:
        """The game that is played."""
        return self.other_rules or rules_of(self.match.laws)

    @property
    def may_throw_over(self) -> bool:
        """Whether who has the first turn need not play the opening throw but may throw both dice."""
        match = self.match
        return match.laws.first_player_may_throw_again or match.game.stakes.throw_over

    @property
    def views(self) -> BoardEvidence:
        """What the board shows of the turn being played."""
        return BoardEvidence(now=self.memory, plain=self.plain, before=self.before)

    @property
    def n_heard(self) -> int:
        """How many half-turns had been played when the last one ended whose roll was heard."""
        return self.heard[0] if self.heard else 0

    @property
    def on_roll(self) -> Player:
        """Who plays now, in the likeliest history."""
        return best(self.histories).on_roll

    @property
    def shown(self) -> Position:
        """The board as it is now: as the likeliest history explains it, or as it is seen when none does."""
        if not self.histories:
            return Position.START
        top = best(self.histories)
        if self.offence and self.rolls:
            return self.memory.likeliest(top.position, self.before)
        if not self.rolls:
            return top.lies
        if top.stand.choosing:
            return self.memory.likeliest(top.position, self.before)
        boards = underway(top.rules, top.stand, self.rolls)
        return boards.boards[boards.likeliest(self.memory, top.position)]

    @property
    def record(self) -> tuple[HalfTurn, ...]:
        """The half-turns of the likeliest history."""
        return best(self.histories).turns if self.histories else ()

    @property
    def actions(self) -> tuple[Action, ...]:
        """The game so far as the rules take it, without a roll that is being played."""
        start = best(self.histories).root.position
        return actions(self.record, self.said, start=start, on_roll=self.joined)
