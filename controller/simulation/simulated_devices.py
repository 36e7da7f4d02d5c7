"""The devices of a simulated table, behind the same drivers as those of a real one."""

import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from controller.perception.orientation import Orientation
from controller.rules import Position
from controller.service.clock import Clock
from controller.service.devices import Devices
from controller.service.keyboard import Keyboard
from controller.simulation.game_files import Screenplay
from controller.simulation.typed_table import TABLE_HELP, TypedTable, furnished_table
from hardware.dice_log import DiceLogWriter
from hardware.dice_port import SerialDice
from hardware.live_camera import CameraTiming, LiveCamera
from hardware.simulated.drawn_table import BoardLook
from hardware.simulated.simulated_port import TrayOnAPty
from hardware.simulated.simulated_table import FRAME_MS, SimulatedSource
from sentences import say


@dataclass(frozen=True, kw_only=True)
class SimulatedTable:
    """The table to simulate.

    game: the game played on it; None when a person types. speed: relative to real time. start: the board
    before the first game.
    """

    look: BoardLook
    speed: float
    game: Screenplay | None
    start: Position


class SimulatedBoard:
    """The table itself, with the person who types at it. Its devices may be opened repeatedly.

    ask: called whenever typed lines have been taken. tell: gets each sentence for the person.
    """

    def __init__(
        self,
        setup: SimulatedTable,
        orientation: Orientation,
        clock: Clock,
        ask: Callable[[], None],
        tell: Callable[[str], None],
        cleaning: ExitStack,
    ) -> None:
        folder = Path(cleaning.enter_context(tempfile.TemporaryDirectory(prefix="blotlight-tray-")))
        self._setup, self._clock = setup, clock
        self._table = furnished_table(orientation, setup.start)
        self._tray = TrayOnAPty(folder / "dice", clock)
        self._hands = TypedTable(self._table, self._tray, orientation, clock, tell, setup.start)
        cleaning.callback(self._hands.leave)
        self._is_piped = not sys.stdin.isatty()
        self._camera: LiveCamera | None = None
        self._keyboard: Keyboard | None = None
        self._waiting: list[tuple[int, str]] = []
        """(due time, command). Commands that are piped in wait until all that was planned has happened."""
        if setup.game:
            script = setup.game.script(orientation)
            self._table.add(script)
            self._tray.plan(script.dice)
            self._keyboard = None if self._is_piped else Keyboard(sys.stdin, ask)
        else:
            self._keyboard = Keyboard(sys.stdin, ask)
            tell(say("type_what_happens"))

    def devices(self, start: Position, log: DiceLogWriter | None, cleaning: ExitStack) -> Devices:
        """Camera and dice tray, open until `cleaning` ends, and the typed lines.

        start: how the board is set up from now on.
        """
        self._hands.start = start
        gone = threading.Event()

        def wait() -> bool:
            return not gone.wait(FRAME_MS / 1000 / self._setup.speed) and self._hands.camera_on

        source = partial(SimulatedSource, self._table, self._clock, wait, self._setup.look)
        # The clock runs at the table's speed, the computer does not.
        patience_ms = round(CameraTiming.stalled_after_ms * max(1, self._setup.speed))
        timing = CameraTiming(stalled_after_ms=patience_ms)
        camera = LiveCamera(source, self._clock, timing=timing)
        self._camera = cleaning.enter_context(closing(camera))
        cleaning.callback(gone.set)
        dice = cleaning.enter_context(closing(SerialDice(lambda: str(self._tray.link), self._clock, log=log)))
        return Devices(
            camera=camera, dice=dice, lights=(), lines=self._lines, ended=self._has_ended, help=TABLE_HELP
        )

    def _lines(self) -> list[str]:
        typed = self._keyboard.lines() if self._keyboard else []
        self._waiting.extend(
            (self._table.end_ms if self._is_piped else 0, line)
            for line in typed
            if not self._hands.do_line(line)
        )
        due = [line for due_ms, line in self._waiting if due_ms <= self._clock()]
        del self._waiting[: len(due)]
        return due

    def _has_ended(self) -> bool:
        nobody_types = self._setup.game is not None or (self._keyboard is not None and self._keyboard.ended)
        return nobody_types and not self._waiting and self._seen_ms() > self._table.end_ms + FRAME_MS

    def _seen_ms(self) -> int:
        """Until when the table was seen; now, while the camera is off. A slow computer sees it late."""
        if self._camera is None or not self._hands.camera_on:
            return self._clock()
        return self._camera.given_ms or 0
