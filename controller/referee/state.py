"""Everything the referee knows, in one immutable value."""

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from controller.referee import priors
from controller.referee.dice_tray import DiceTray
from controller.referee.effects import Lamp, Mode, OffenceShown
from controller.referee.half_turn import Declared, HalfTurn, actions, game_played
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import BoardMemory
from controller.referee.inference.continuing import boards_under_way
from controller.referee.inference.histories import History, leading_histories, likeliest_history
from controller.referee.inference.roll_evidence import RollEvidence
from controller.rules import (
    Action,
    Dice,
    EditedBoard,
    Game,
    Match,
    Outcome,
    Player,
    Position,
    Rules,
    rules_of,
)


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
    """What players may choose. settle_ms: how long the board must lie still before anything is shown."""

    mode: Mode = Mode.COACH
    settle_ms: int = 750


@dataclass(frozen=True, kw_only=True)
class FinishedGame:
    """A game of the match that is over: its likeliest course, and `told` as in RefereeState."""

    course: History
    told: Declared


@dataclass(frozen=True)
class Word:
    """Something people said: the state before it; the number of half-turns and the rolls just after it."""

    before: "RefereeState"
    n_turns: int
    rolls: tuple[Dice, ...]


@dataclass(frozen=True)
class RefereeState:
    """Everything the referee knows.

    game: the number of this game in the match, from 0.
    other_rules: the rules of the game where the laws of the match do not apply; the match is then one game.
    match: the match as it stood before this game. Once the game is over, the match after it.
    outcome: how this game ended; None while it goes on.
    finished: the games of the match that are over, without the one on the board.
    joined: who was to roll when the game was joined in progress, or began without all its men; None when it
        began from the start.
    declared: what people declared in this game.
    rolls: what the roll in play may be; several when the sensor did not report both dice.
    rolled_ms: when the sensor reported the last roll.
    from_opening: whether the roll in play is the opening throw.
    last_sensor_roll: the last reported roll that was played, preceded by the number of half-turns played when
        its turn ended.
    ended_ms: when a half-turn last ended by the dice or by command; later ones were inferred from the board.
    half_read_from: the state and time at which a throw came to rest without both faces being sure; None if no
        such throw lies there.
    thrown: the state and time at which both dice were thrown again during a play; None if they were not.
    roll_evidence: what was seen of the dice since they were last lifted or thrown.
    last_roll_evidence: the same when the last half-turn ended.
    sensor: whether a dice sensor reports. Without one, turns are inferred from the board.
    full_view: the last full view since the roll; None if there was none.
    untouched: nobody has played since the last half-turn ended. The board is still evidence of its result.
    disturbed: since then a hand has come over the board, or a place has changed.
    n_visible: number of rows of the board that were visible when the histories were last weighed.
    reconsidered_ms: `memory.changed_ms` of the view from which the last half-turn was last reconsidered.
    inferred_ms: `memory.changed_ms` of the view from which plays were last inferred.
    late_offence: the last irregular play that stood before it could be shown.
    offences_shown: the half-turns of which an offence was shown.
    supported: the half-turns that a picture taken before the end of the next one shows, or that people
        corrected.
    recorded: the half-turns as they were last recorded. questioned: those that players were asked about.
    words: what people said in this game and can undo, the latest last.
    refusal: why the last command cannot be obeyed; "" when it can.
    """

    settings: RefereeSettings = RefereeSettings()
    match: Match = field(default_factory=lambda: Match.new(0))
    other_rules: Rules | None = None
    game: int = 0
    phase: RefereePhase = RefereePhase.IDLE
    histories: tuple[History, ...] = ()
    finished: tuple[FinishedGame, ...] = ()
    joined: Player | None = None
    declared: Declared = ()
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
        """Whether the player with the first turn may throw both dice instead of playing the opening throw."""
        return self.rules.laws.first_player_may_throw_again or self.match.game.stakes.throw_over

    @property
    def ties_are_void(self) -> bool:
        """Whether two equal dice are a void opening throw."""
        return self.phase is RefereePhase.OPENING and not self.may_throw_over

    @property
    def half_read_is_played(self) -> bool:
        """Whether somebody has played since a half-read throw came to rest."""
        return self.half_read_from is not None and self.memory.played_ms > self.half_read_from[1]

    @cached_property
    def evidence(self) -> BoardEvidence:
        """What the board shows of the turn being played."""
        return BoardEvidence(now=self.memory, full_view=self.full_view)

    @cached_property
    def likeliest(self) -> History:
        """The likeliest history. There is none before the first game."""
        return likeliest_history(self.histories)

    @property
    def is_settled(self) -> bool:
        """Whether the whole board has lain still long enough, with no hand over it."""
        return self.memory.settled(self.settings.settle_ms)

    @property
    def on_roll(self) -> Player:
        """The player on roll in the likeliest history."""
        return self.likeliest.on_roll

    @property
    def is_winner_unknown(self) -> bool:
        """Whether an opening throw lies there and nothing shows yet who won it."""
        if not (self.from_opening and self.phase is RefereePhase.ROLLED):
            return False
        close = leading_histories(self.histories, priors.UNSURE_WITHIN_NATS)
        return len({history.on_roll for history in close}) > 1

    @property
    def shown(self) -> Position:
        """The board now, by the likeliest history; as seen while an offence stands or doublets are chosen."""
        if not self.histories:
            return Position.START
        top = self.likeliest
        if not self.rolls:
            return top.expected_board
        if self.offence or top.turn_state.choosing:
            return self.evidence.likeliest_board(top.place_states, top.position)
        boards = boards_under_way(top, self.rolls, self.evidence)
        return boards.likeliest(self.evidence.rows(top.place_states))

    @property
    def known_board(self) -> Position | None:
        """The board that surely lies in the last view, after a roll and before anybody touches it.

        None while it is in doubt.
        """
        if self.phase is not RefereePhase.ROLLED or not self.untouched or not self.memory.fully_visible:
            return None
        close = leading_histories(self.histories, priors.KNOWN_LEAD_NATS)
        boards = {history.expected_board for history in close}
        board = self.likeliest.expected_board
        fit = self.evidence.log_likelihood(board, self.likeliest.place_states)
        return board if len(boards) == 1 and fit > priors.BOARD_FITS_NATS else None

    @property
    def record(self) -> tuple[HalfTurn, ...]:
        """The half-turns of the likeliest history."""
        return self.likeliest.turns if self.histories else ()

    @property
    def marked_record(self) -> tuple[HalfTurn, ...]:
        """The half-turns of the likeliest history, those that no picture supports marked as unseen."""
        return tuple(
            turn if index in self.supported else replace(turn, unseen=True)
            for index, turn in enumerate(self.record)
        )

    @property
    def unseen_turns(self) -> list[int]:
        """The numbers of the recorded half-turns that no picture supports."""
        return [n for n, turn in enumerate(self.marked_record[: len(self.recorded)]) if turn.unseen]

    @property
    def told(self) -> Declared:
        """What people declared; before it the board, if the game was joined there in progress."""
        if self.joined is None:
            return self.declared
        start = self.likeliest.root.position
        return ((0, EditedBoard(position=start, on_roll=self.joined)), *self.declared)

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the game so far, without a roll that is being played."""
        return actions(self.record, self.told)

    @property
    def game_by_rules(self) -> Game:
        """The game by the rules: the cube, who has to answer, whose turn it is. The roll is left out."""
        if self.outcome and self.match.games:
            return self.match.games[self.game]
        game = self.match.game
        return game if self.outcome or self.other_rules else game_played(game, self.record, self.told)
