"""Everything the referee knows, in one immutable value."""

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from controller.referee.dice_tray import DiceTray
from controller.referee.effects import Lamp, Mode, OffenceShown
from controller.referee.game_actions import actions, game_played
from controller.referee.half_turn import HalfTurn
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.continuing import boards_under_way
from controller.referee.inference.histories import History, likeliest_history
from controller.referee.inference.roll_evidence import RollEvidence
from controller.rules import Action, Dice, Game, Match, Player, Position, Rules, rules_of
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
    """What players may choose. settle_ms: how long a board must lie still before anything is shown."""

    mode: Mode = Mode.COACH
    settle_ms: int = 750


@dataclass(frozen=True, kw_only=True)
class FinishedGame:
    """A game of the match that is over: its likeliest course, what people declared, who was first to roll.

    `joined` and `declared` are those of RefereeState.
    """

    course: History
    declared: tuple[tuple[int, Action], ...]
    joined: Player | None


@dataclass(frozen=True)
class Word:
    """What people said last: the state before it, and the half-turns and rolls just after it."""

    before: "RefereeState"
    n_turns: int
    rolls: tuple[Dice, ...]


@dataclass(frozen=True)
class RefereeState:
    """Everything the referee knows.

    game: the number of this game in the match, from 0.
    other_rules: the game that is played, where it is not by the laws of the match; then a match is one game.
    match: the match as it stood before this game, and after it once it is over, when `outcome` says how.
    finished: the games of the match that are over, without the one on the board.
    joined: who was to roll when the game was joined in progress, or began without all its men; None when it
        began from the start.
    declared: what people declared in this game, each with the number of half-turns played before it.
    rolls: what the roll in play may be; several when the sensor did not report both dice.
    rolled_ms: when the sensor reported the last roll.
    from_opening: the roll in play is the opening throw.
    last_sensor_roll: the last roll that the sensor reported and that was played, after the number of half-
        turns that had been played when its turn ended.
    ended_ms: when a half-turn ended last; later ones follow from the board.
    half_read_from: the state when a throw came to rest of which not both faces were sure, and the time; None
        if no such throw lies there.
    thrown: the state when both dice were thrown again during a play, and the time; None if they were not.
    roll_evidence: what was seen of the dice since they were last lifted or thrown.
    last_roll_evidence: what had been seen of them when the last half-turn ended.
    sensor: whether a dice sensor reports. Without one, turns are inferred from the board.
    full_view: the board as it was last seen whole and without a hand over it since the roll. None if it was
        not.
    untouched: nobody has played since the last half-turn ended. The board is still evidence for its result.
    disturbed: somebody has reached over the board since then, or a place has changed.
    n_visible: how many rows of the board were seen when the histories were last weighed.
    reconsidered_ms: the last half-turn was reconsidered from the board as it was since its change at this
    time.
    inferred_ms: plays have been inferred from the board up to its change at this time.
    late_offence: the last irregular play that stood before it could be shown.
    offences_shown: the half-turns of which an offence was shown.
    supported: the half-turns that a picture shows, taken before the next one ended; or that people corrected.
    recorded: the half-turns as they were last recorded. questioned: those that a question was asked about.
    words: what people said in this game and may undo, the last at the end.
    refusal: why the last command cannot be obeyed, "" when it can.
    """

    settings: RefereeSettings = RefereeSettings()
    match: Match = field(default_factory=lambda: Match.new(0))
    other_rules: Rules | None = None
    game: int = 0
    phase: RefereePhase = RefereePhase.IDLE
    histories: tuple[History, ...] = ()
    finished: tuple[FinishedGame, ...] = ()
    joined: Player | None = None
    declared: tuple[tuple[int, Action], ...] = ()
    outcome: Outcome | None = None
    tray: DiceTray = field(default_factory=DiceTray)
    rolls: tuple[Dice, ...] = ()
    rolled_ms: int = 0
    from_opening: bool = False
    last_sensor_roll: tuple[int, Dice] | None = None
    ended_ms: int = -1
    half_read_from: "tuple[RefereeState, int] | None" = None
    thrown: "tuple[RefereeState, int] | None" = None
    roll_evidence: RollEvidence = field(default_factory=RollEvidence)
    last_roll_evidence: RollEvidence = field(default_factory=RollEvidence)
    sensor: bool = False
    memory: BoardMemory = field(default_factory=BoardMemory)
    full_view: BoardMemory | None = None
    untouched: bool = True
    disturbed: bool = True
    n_visible: int = 0
    reconsidered_ms: int = -1
    inferred_ms: int = -1
    offence: OffenceShown | None = None
    late_offence: OffenceShown | None = None
    offences_shown: frozenset[int] = frozenset()
    supported: frozenset[int] = frozenset()
    recorded: tuple[HalfTurn, ...] = ()
    questioned: frozenset[int] = frozenset()
    lamps: tuple[Lamp, ...] = ()
    words: tuple[Word, ...] = ()
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
    def ties_are_void(self) -> bool:
        """Whether two equal dice are thrown again."""
        return self.phase is RefereePhase.OPENING and not self.may_throw_over

    @property
    def half_read_is_played(self) -> bool:
        """Whether somebody has played since a throw came to rest of which not both faces were sure."""
        return self.half_read_from is not None and self.memory.played_ms > self.half_read_from[1]

    @cached_property
    def evidence(self) -> BoardEvidence:
        """What the board shows of the turn being played."""
        return BoardEvidence(now=self.memory, full_view=self.full_view)

    @property
    def on_roll(self) -> Player:
        """Who plays now, in the likeliest history."""
        return likeliest_history(self.histories).on_roll

    @property
    def shown(self) -> Position:
        """The board as it is now: as the likeliest history explains it, or as it is seen when none does."""
        if not self.histories:
            return Position.START
        top = likeliest_history(self.histories)
        if self.offence and self.rolls:
            return self.evidence.likeliest_board(top.place_states, top.position)
        if not self.rolls:
            return top.expected_board
        if top.turn_state.choosing:
            return self.evidence.likeliest_board(top.place_states, top.position)
        boards = boards_under_way(top, self.rolls, self.evidence)
        return boards.boards[boards.likeliest_index(self.evidence.rows(top.place_states))]

    @property
    def record(self) -> tuple[HalfTurn, ...]:
        """The half-turns of the likeliest history."""
        return likeliest_history(self.histories).turns if self.histories else ()

    @property
    def marked_record(self) -> tuple[HalfTurn, ...]:
        """The half-turns of the likeliest history. Those that no picture supports are marked."""
        return tuple(
            turn if index in self.supported else replace(turn, unseen=True)
            for index, turn in enumerate(self.record)
        )

    @property
    def unseen_turns(self) -> list[int]:
        """The numbers of the recorded half-turns that no picture supports."""
        return [n for n, turn in enumerate(self.marked_record[: len(self.recorded)]) if turn.unseen]

    @property
    def actions(self) -> tuple[Action, ...]:
        """The game so far as the rules take it, without a roll that is being played."""
        start = likeliest_history(self.histories).root.position
        return actions(self.record, self.declared, start=start, on_roll=self.joined)

    @property
    def game_by_rules(self) -> Game:
        """The game as the rules have it: the cube, who has to answer, whose turn. The roll is left out."""
        start = likeliest_history(self.histories).root.position if self.histories else Position.START
        game = self.match.games[self.game] if self.outcome and self.match.games else self.match.game
        if self.outcome or self.other_rules:
            return game
        return game_played(game, self.record, self.declared, start, self.joined)
