"""A table for tests: what the referee is told of a game, written as it happens."""

from collections.abc import Sequence
from dataclasses import replace

from controller.referee import BoardSeen, Effect, Event, GameStarted, OffenceShown, RefereeState, step
from controller.referee.effects import Mode
from controller.referee.events import N_ROWS
from controller.referee.inference.board_memory import columns
from controller.referee.state import RefereeSettings
from controller.rules import (
    MODERN,
    Dice,
    EnteringLaws,
    Laws,
    Match,
    Player,
    Position,
    TurnState,
    rules_of,
)
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound

SURE = -9.0


class Table:
    """Tells the referee of a game and keeps what he said. Time passes by `self.t_ms`."""

    def __init__(
        self,
        position: Position = Position.START,
        on_roll: Player | None = None,
        mode: Mode = Mode.COACH,
        laws: Laws = MODERN,
    ) -> None:
        self.state = RefereeState(settings=RefereeSettings(mode=mode), match=Match.new(0, laws))
        self.effects: list[Effect] = []
        self.events: list[Event] = []
        self.t_ms = 0
        self.tell(GameStarted(t_ms=0, position=position, on_roll=on_roll))
        self.tell(SensorFound(t_ms=0))

    def tell(self, event: Event) -> None:
        self.events.append(event)
        self.state, effects = step(self.state, event)
        self.effects += effects

    def roll(self, first: int | None, second: int | None) -> None:
        """Dice 1 and 2 are thrown and come to rest; None is a cocked die."""
        self.t_ms += 500
        for die in (1, 2):
            self.tell(DiceMoving(t_ms=self.t_ms, die=die))
        self.t_ms += 800
        for die, face in ((1, first), (2, second)):
            self.tell(DiceSettled(t_ms=self.t_ms, die=die, face=face))

    def lift(self) -> None:
        self.t_ms += 300
        for die in (1, 2):
            self.tell(DiceLifted(t_ms=self.t_ms, die=die))

    def show(
        self,
        board: str,
        *,
        for_ms: int = 1000,
        hand: bool = False,
        hidden: frozenset[int] = frozenset(),
        blurred: frozenset[int] = frozenset(),
        dice: tuple[int, ...] = (),
    ) -> None:
        """The camera sees `board` (WHITE:BLACK), at the beginning and the end of a while."""
        for wait_ms in (250, for_ms):
            self.t_ms += wait_ms
            sight = seen(Position.parse(board), self.t_ms, hand=hand, hidden=hidden, blurred=blurred)
            self.tell(replace(sight, dice=dice))

    def play(self, first: int, second: int, board: str) -> None:
        """A whole turn: the roll, the board as it then stands, the dice lifted."""
        self.roll(first, second)
        self.show(board)
        self.lift()

    @property
    def plays(self) -> list[str]:
        """The record, a half-turn an entry: "white 31 8/5 6/5"."""
        return [f"{turn.player.value} {turn.dice} {turn.play}" for turn in self.state.record]

    @property
    def offences(self) -> list[OffenceShown]:
        return [effect for effect in self.effects if isinstance(effect, OffenceShown)]


class EnteringTable(Table):
    """A table at which the checkers are entered by throws."""

    def __init__(self, laws: EnteringLaws, on_roll: Player | None = None) -> None:
        rules = rules_of(laws)
        self.state = RefereeState(settings=RefereeSettings(mode=Mode.COACH), other_rules=rules)
        self.effects, self.events, self.t_ms = [], [], 0
        start = rules.start(on_roll or Player.WHITE).position
        self.tell(GameStarted(t_ms=0, position=start, on_roll=on_roll))
        self.tell(SensorFound(t_ms=0))
        self.show(str(start))

    def watch(self, stands: Sequence[TurnState], throws: Sequence[Dice]) -> None:
        """The whole of a game; the board is seen once more when the dice have been lifted."""
        for turn_state, dice, after in zip(stands, throws, stands[1:], strict=False):
            if turn_state.choosing:
                self.show(str(after.position))
            else:
                self.play(dice.high, dice.low, str(after.position))
            self.show(str(after.position), for_ms=500)


def board(white: dict[int, int], black: dict[int, int]) -> str:
    """A position written as {place: checkers} for each player, in his own numbering (25 bar, 0 off)."""
    sides = [tuple(side.get(place, 0) for place in range(26)) for side in (white, black)]
    return str(Position(*sides))


def seen(
    position: Position,
    t_ms: int,
    *,
    hand: bool = False,
    hidden: frozenset[int] = frozenset(),
    blurred: frozenset[int] = frozenset(),
) -> BoardSeen:
    """A reading of `position`; in `blurred` rows one checker more or less is as likely."""
    rows = [[SURE] * 31 for _ in range(N_ROWS)]
    for i, (row, column) in enumerate(zip(rows, columns(position), strict=True)):
        row[column] = 0.0
        if i in blurred:
            row[column - 1] = row[column + 1] = 0.0
    return BoardSeen(t_ms=t_ms, rows=tuple(map(tuple, rows)), hand=hand, unseen=hidden)
