"""A person at the simulated table: typed lines throw and lift dice and carry checkers there."""

import re
from collections.abc import Callable, Sequence

from controller.perception.orientation import Orientation
from controller.referee.words.refusals import NAMES_OF_COLOURS
from controller.rules import Player, PlayError, Position, Step, parse_steps
from controller.simulation.screenplay import REST_MS, Director, scene_of
from hardware.simulated.simulated_port import TrayOnAPty
from hardware.simulated.simulated_table import OpenScript
from sentences import Key, say

TABLE_HELP = (
    ("31: 8/5 6/5", Key("table_help_31_8_5_6_5")),
    ("31", Key("table_help_31")),
    ("8/5 6/5", Key("table_help_8_5_6_5")),
    ("lift", Key("table_help_lift")),
    ("furnish", Key("table_help_furnish")),
    ("tray off · tray on", Key("table_help_tray_off_tray_on")),
    ("camera off · camera on", Key("table_help_camera_off_camera_on")),
)

_THROW = re.compile(r"([1-6])\s*-?\s*([1-6])\s*(:.*)?")


class TypedTable:
    """Turns typed lines into scripts of the table.

    tell: gets one sentence for each line that cannot be carried out. start: the board before a game.
    """

    def __init__(
        self,
        table: OpenScript,
        tray: TrayOnAPty,
        orientation: Orientation,
        clock_ms: Callable[[], int],
        tell: Callable[[str], None],
        start: Position = Position.START,
    ) -> None:
        self.start = self.position = start
        self.player: Player | None = None
        self.camera_on = True
        self._table = table
        self._tray = tray
        self._plugged = True
        self._dice_lie = self._has_carried = False
        """Whether dice lie there, and whether checkers were carried since they were thrown."""
        self._orientation = orientation
        self._clock_ms = clock_ms
        self._tell = tell

    def do_line(self, line: str) -> bool:
        """Carry out a line. Returns False when it is not meant for the table."""
        words = line.strip().lower()
        acts: dict[str, Callable[[], None]] = {
            "lift": self._lift,
            "furnish": self._furnish,
            "tray off": lambda: self._switch_tray(False),
            "tray on": lambda: self._switch_tray(True),
            "camera off": lambda: self._switch_camera(False),
            "camera on": lambda: self._switch_camera(True),
        }
        try:
            if words in acts:
                acts[words]()
            elif throw := _THROW.fullmatch(words):
                self._throw_line((int(throw[1]), int(throw[2])), throw[3])
            elif words and all("/" in word for word in words.split()):
                self._carry(parse_steps(words))
            else:
                return False
        except PlayError as error:
            self._tell(say("cannot_be_carried", problem=error))
        return True

    def _director(self) -> Director:
        """A director whose script begins now, or after everything that is planned."""
        return Director(self._orientation, self.position, max(self._clock_ms(), self._table.end_ms))

    def _add_script(self, director: Director) -> None:
        script = director.script()
        self.position = director.position
        self._table.add(script)
        self._tray.plan(script.dice)

    def _throw_line(self, dice: tuple[int, int], play: str | None) -> None:
        """Throw the dice; with a play, also make it and lift the dice."""
        steps = parse_steps(play[1:]) if play is not None else ()
        director = self._director()
        director.throw_dice(dice)
        mover = self.player
        if mover is None and dice[0] != dice[1]:
            mover = Player.WHITE if dice[0] > dice[1] else Player.BLACK
        if play is not None:
            director.carry_checkers(_on_roll(mover), steps)
            director.wait(REST_MS)
            director.lift_dice()
            mover = _on_roll(mover).opponent
        self.player = mover
        self._dice_lie, self._has_carried = play is None, False
        self._add_script(director)

    def _carry(self, steps: Sequence[Step]) -> None:
        director = self._director()
        director.carry_checkers(_on_roll(self.player), steps)
        director.wait(REST_MS)
        self._has_carried = True
        self._add_script(director)

    def _lift(self) -> None:
        if not self._dice_lie:
            self._tell(say("no_dice_to_lift"))
            return
        director = self._director()
        director.lift_dice()
        self.player = self.player.opponent if self.player else None
        if self.player and not self._has_carried:
            self._tell(say("lifted_unplayed", player=say(NAMES_OF_COLOURS[self.player])))
        self._dice_lie = False
        self._add_script(director)

    def _furnish(self) -> None:
        self.position, self.player = self.start, None
        self._add_script(self._director())

    def leave(self) -> None:
        """Pull the tray's cable at the end."""
        self._switch_tray(False)

    def _switch_tray(self, on: bool) -> None:
        if on and not self._plugged:
            self._tray.plug_in()
        if self._plugged and not on:
            self._tray.pull_out()
        self._plugged = on

    def _switch_camera(self, on: bool) -> None:
        self.camera_on = on


def _on_roll(player: Player | None) -> Player:
    """The player whose turn it is."""
    if player is None:
        raise PlayError(say("nobody_won_opening"))
    return player


def furnished_table(orientation: Orientation, start: Position = Position.START) -> OpenScript:
    """A table with the board set up."""
    return OpenScript(scene_of(start, orientation))
