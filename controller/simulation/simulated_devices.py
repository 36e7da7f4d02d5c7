"""The devices of a simulated table, behind the same drivers as those of a real one."""

import sys
import tempfile
import threading
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from controller.perception.orientation import Orientation
from controller.service.clock import Clock
from controller.service.devices import Devices
from controller.service.display import Display
from controller.service.keyboard import Keyboard
from controller.simulation.game_files import Screenplay
from controller.simulation.typed_table import TABLE_HELP, TypedTable, furnished_table
from hardware.dice_log import DiceLogWriter
from hardware.dice_port import SerialDice
from hardware.live_camera import LiveCamera
from hardware.simulated.drawn_table import BoardLook
from hardware.simulated.simulated_port import TrayOnAPty
from hardware.simulated.simulated_table import FRAME_MS, SimulatedSource
from sentences import say


@dataclass(frozen=True, kw_only=True)
class SimulatedTable:
    """The table to simulate.

    game: the game played on it; None when a person types. speed: times real speed.
    """

    look: BoardLook
    speed: float
    game: Screenplay | None


def simulated_devices(
    setup: SimulatedTable,
    orientation: Orientation,
    clock: Clock,
    display: Display,
    log: DiceLogWriter | None,
    cleaning: ExitStack,
) -> Devices:
    """The devices of a simulated table, on which a match file or a person plays."""

    def tell(sentence: str) -> None:
        display.say(clock(), sentence)

    folder = Path(cleaning.enter_context(tempfile.TemporaryDirectory(prefix="blotlight-tray-")))
    table = furnished_table(orientation)
    tray = TrayOnAPty(folder / "dice", clock)
    hands = TypedTable(table, tray, orientation, clock, tell)
    cleaning.callback(hands.leave)
    gone = threading.Event()

    def wait() -> bool:
        return not gone.wait(FRAME_MS / 1000 / setup.speed) and hands.camera_on

    camera = cleaning.enter_context(
        closing(LiveCamera(lambda: SimulatedSource(table, clock, wait, setup.look), clock))
    )
    cleaning.callback(gone.set)
    dice = cleaning.enter_context(closing(SerialDice(lambda: str(tray.link), clock, log=log)))
    if setup.game:
        script = setup.game.script(orientation)
        table.add(script)
        tray.plan(script.dice)
        keyboard = Keyboard(sys.stdin, display.ask) if sys.stdin.isatty() else None
    else:
        keyboard = Keyboard(sys.stdin, display.ask)
        tell(say("type_what_happens"))

    is_piped = not sys.stdin.isatty()
    waiting: list[tuple[int, str]] = []
    """Commands, each with its time. Those that are piped in wait until all before them has happened."""

    def lines() -> list[str]:
        typed = keyboard.lines() if keyboard else []
        waiting.extend((table.end_ms if is_piped else 0, line) for line in typed if not hands.do_line(line))
        due = [line for due_ms, line in waiting if due_ms <= clock()]
        del waiting[: len(due)]
        return due

    def ended() -> bool:
        nobody_types = setup.game is not None or (keyboard is not None and keyboard.ended)
        return nobody_types and not waiting and clock() > table.end_ms + FRAME_MS

    return Devices(camera=camera, dice=dice, lights=(), lines=lines, ended=ended, help=TABLE_HELP)
