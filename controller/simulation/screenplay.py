"""Turns a game into the script of a simulated table: scenes, hands, dice."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.perception.board_drawing import drawn_board
from controller.perception.board_settings import BoardSettings
from controller.perception.orientation import Orientation
from controller.record.match_record import GameRecord
from controller.record.thrown_games import ThrownGame
from controller.rules import (
    EditedBoard,
    Moved,
    MovedIrregularly,
    OpeningThrow,
    Player,
    Position,
    Rolled,
    Step,
    after_steps,
    rules_of,
)
from hardware.simulated.drawn_table import BoardLook, Scene, bar_fractions, corners_px
from hardware.simulated.simulated_table import Arranged, Script
from hardware.simulated.simulated_tray import LIFTED, MOVING, Happening

FURNISHED_MS = 3000
"""How long the board lies set up and untouched before the first throw. Guess."""
TUMBLE_MS, LAG_MS = 900, 150
"""How long a die tumbles, and how much later the second one starts. Guesses."""
REACH_MS, CARRY_MS, REST_MS = 500, 500, 1500
"""How long a hand is over the point before it takes a checker, how long it carries the checker, and how long
the board then lies still before the dice are lifted. Guesses."""


def drawn_board_settings(look: BoardLook, orientation: Orientation) -> BoardSettings:
    """The settings of a drawn board."""
    one, two, three, four = corners_px(look)
    return BoardSettings(
        corners_px=(one, two, three, four),
        bar=bar_fractions(look),
        orientation=orientation,
        checker_mm=look.checker_mm,
        field_mm=look.field_mm,
    )


@dataclass(frozen=True, kw_only=True)
class StagedTurn:
    """What one player does at the table in his turn.

    dice: those in the tray's first and second well; None for doublets of his choice, which are neither
        thrown nor lifted.
    first: steps that he first makes and takes back.
    result: the board he leaves, where the steps alone do not lead there.
    """

    player: Player
    dice: tuple[int, int] | None
    steps: tuple[Step, ...]
    first: tuple[Step, ...] = ()
    result: Position | None = None


def staged_turns(game: GameRecord) -> list[StagedTurn]:
    """The half-turns of a recorded game, up to the first position that was set up by hand.

    Doubles and resignations are left out: they cannot be seen on a table.
    """
    turns: list[StagedTurn] = []
    dice: tuple[int, int] | None = None
    for action in game.actions:
        match action:
            case EditedBoard():
                break
            case OpeningThrow(white=white, black=black):
                dice = (white, black)
            case Rolled(dice=rolled):
                dice = (rolled.high, rolled.low)
            case Moved(player=player, steps=steps) if dice is not None:
                turns.append(StagedTurn(player=player, dice=dice, steps=steps))
            case MovedIrregularly(player=player, steps=steps, result=result) if dice is not None:
                turns.append(StagedTurn(player=player, dice=dice, steps=steps, result=result))
    return turns


def staged_throws(game: ThrownGame) -> list[StagedTurn]:
    """The half-turns of a game whose checkers are entered by throws, up to the first with unknown dice."""
    turns: list[StagedTurn] = []
    stand = rules_of(game.laws).start(game.leader)
    for thrown in game.throws:
        if thrown.dice is None:
            break
        dice = None if thrown.chosen else (thrown.dice.high, thrown.dice.low)
        plays = rules_of(game.laws).plays(stand, thrown.dice)
        steps = plays.parse(thrown.play).steps if thrown.play is not None else ()
        result = thrown.stand.position if thrown.play is None else None
        turns.append(StagedTurn(player=thrown.player, dice=dice, steps=steps, result=result))
        stand = thrown.stand
    return turns


def film(
    turns: Iterable[StagedTurn],
    orientation: Orientation,
    start: Position = Position.START,
    furnished: Position | None = None,
) -> Script:
    """The script of a game: throws, hands, checkers carried one by one, dice lifted at the end of each turn.

    furnished: a position shown before `start`, from which the checkers are learnt.
    """
    director = Director(orientation, furnished or start)
    director.wait(FURNISHED_MS)
    if director.position != start:
        director.rearrange(start)
        director.wait(FURNISHED_MS)
    for turn in turns:
        if turn.dice is not None:
            director.throw_dice(turn.dice)
        before = director.position
        if turn.first:
            director.carry_checkers(turn.player, turn.first)
            director.wait(REST_MS)
            director.arrange(before, hand=None)
            director.wait(CARRY_MS)
        director.carry_checkers(turn.player, turn.steps)
        if turn.result is not None:
            director.arrange(turn.result, hand=None)
        director.wait(REST_MS)
        if turn.dice is not None:
            director.lift_dice()
    director.wait(REST_MS)
    return director.script()


def scene_of(position: Position, orientation: Orientation, hand: int | None = None) -> Scene:
    """The table with a position on it. hand: the place that a hand is over."""
    board = drawn_board(position, orientation)
    return Scene(
        points=tuple(board.points), guests=tuple(board.guests), bar=board.bar, off=board.off, hand=hand
    )


class Director:
    """Writes a script step by step. It begins at `t_ms` with the position `start`."""

    def __init__(self, orientation: Orientation, start: Position, t_ms: int = 0) -> None:
        self._orientation = orientation
        self._scenes: list[Arranged] = []
        self._dice: list[Happening] = []
        self._now_ms = t_ms
        self.arrange(start, hand=None)

    def script(self) -> Script:
        return Script(scenes=tuple(self._scenes), dice=tuple(self._dice), end_ms=self._now_ms)

    def wait(self, ms: int) -> None:
        self._now_ms += ms

    def arrange(self, position: Position, hand: int | None) -> None:
        """From now on the board shows `position`. hand: the place that a hand is over."""
        self.position = position
        scene = scene_of(position, self._orientation, hand)
        self._scenes.append(Arranged(t_ms=self._now_ms, scene=scene))

    def rearrange(self, position: Position) -> None:
        """A hand comes over the board, which then shows `position`."""
        self.arrange(self.position, hand=self._orientation.place(1))
        self.wait(REACH_MS)
        self.arrange(position, hand=self._orientation.place(1))
        self.wait(CARRY_MS)
        self.arrange(position, hand=None)

    def throw_dice(self, dice: Sequence[int]) -> None:
        """Both dice tumble into their wells."""
        for die in (1, 2):
            self._happen((die - 1) * LAG_MS, die, MOVING)
        for die, face in enumerate(dice, start=1):
            self._happen(TUMBLE_MS + (die - 1) * LAG_MS, die, str(face))
        self.wait(TUMBLE_MS + LAG_MS + REACH_MS)

    def lift_dice(self) -> None:
        """Both dice are lifted."""
        for die in (1, 2):
            self._happen((die - 1) * LAG_MS, die, LIFTED)
        self.wait(LAG_MS + REACH_MS)

    def carry_checkers(self, player: Player, steps: Sequence[Step]) -> None:
        """Checkers are carried one by one, with a hand over the place that each leaves and then reaches."""
        for step in steps:
            self.arrange(self.position, hand=self._hand(player, step.source or step.target))
            self.wait(REACH_MS)
            self.arrange(after_steps(self.position, player, [step]), hand=self._hand(player, step.target))
            self.wait(CARRY_MS)
        self.arrange(self.position, hand=None)

    def _happen(self, later_ms: int, die: int, state: str) -> None:
        self._dice.append(Happening(t_ms=self._now_ms + later_ms, die=die, state=state))

    def _hand(self, player: Player, number: int) -> int:
        """The place that a hand is over. For bar and tray it is the point numbered next to them."""
        within = min(max(number, 1), 24)
        return self._orientation.place(within if player is Player.WHITE else 25 - within)
