"""The command `blotlight play`: the live service, on a real board or on a simulated one."""

import argparse
import os
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from controller.cli.screen import Screen
from controller.cli.simulate import screenplay
from controller.errors import InputError
from controller.perception.orientation import Seating
from controller.perception.saved_calibration import KeptEyes
from controller.record.keeper import Keeper
from controller.referee import Settings
from controller.referee.inference.histories import best
from controller.rules.openings.opening_book import book_for
from controller.service.book_hints import BookHints
from controller.service.live import Service
from controller.service.recordings.recorder import Recorder, named_by_time
from controller.service.recordings.recording import MatchSettings
from controller.service.restore import resumed
from controller.service.score_sheet import score_sheet
from controller.service.settings import ServiceSettings, StripSettings, read_settings, settings_of
from controller.service.shutdown import stop_asked
from controller.service.systemd import Systemd, service_environment
from controller.simulation.screenplay import drawn_board_settings
from controller.simulation.typed_table import HELP as TABLE_HELP
from controller.simulation.typed_table import Hands, furnished_table
from hardware.apa102 import StripLights, load_gpio
from hardware.camera import Camera
from hardware.device_errors import LightsUnavailable
from hardware.dice_log import DiceLogWriter
from hardware.dice_port import SerialDice, find_dice_port
from hardware.dice_sensor import DiceSensor
from hardware.light_port import Lights
from hardware.live_camera import LiveCamera, PicameraSource, PictureSource, V4l2Source
from hardware.simulated.drawn_table import LOOKS, Look
from hardware.simulated.simulated_port import TrayOnAPty
from hardware.simulated.simulated_table import SimulatedSource

SETTINGS = "blotlight.toml"
RECORD, LEARNT = "blotlight.db", "board.npz"
"""Files in the folder of records: the log of all matches, and what was learnt of the board."""
SIMULATED_FRAME_MS = 250


def add_play(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line."""
    play = commands.add_parser("play", help="watch a real board: the service itself")
    play.add_argument("--settings", type=Path, metavar="FILE", help=f"default: {SETTINGS}")
    play.add_argument("--new", action="store_true", help="begin a new match even if one was interrupted")
    play.add_argument(
        "--record-folder",
        type=Path,
        metavar="FOLDER",
        help="also keep what is seen and heard",
    )
    play.add_argument(
        "--simulated",
        nargs="?",
        const="",
        metavar="FILE",
        help="a table that exists only in the program: played by a match file, or by what you type",
    )
    play.add_argument("--game", type=int, default=1, metavar="N", help="of the match file")
    play.add_argument("--look", choices=[look.name for look in LOOKS], default=LOOKS[0].name)
    play.add_argument("--speed", type=float, default=1.0, help="of the simulated table, times real speed")
    play.set_defaults(run=_play)


def _play(options: argparse.Namespace) -> int:
    """0 when the simulated table's script, or somebody's patience, came to an end."""
    if not 0 < options.speed <= 20:
        raise InputError("--speed must be above 0 and at most 20.")
    with stop_asked() as stop, ExitStack() as cleaning:
        settings = _settings(options, cleaning)
        clock = Clock(options.speed if options.simulated is not None else 1.0)
        screen = Screen(
            sys.stdout,
            settings.board.seating,
            settings.match.names,
            live=sys.stdout.isatty(),
            typing=sys.stdin.isatty(),
            speech=settings.words,
        )
        _watch_over(options, settings, clock, screen, stop, cleaning)
    return 0


def _watch_over(
    options: argparse.Namespace,
    settings: ServiceSettings,
    clock: "Clock",
    screen: Screen,
    stop: threading.Event,
    cleaning: ExitStack,
) -> None:
    """Put the service together and let it go round until it is stopped or the table's script is over."""

    def say(sentence: str) -> None:
        screen.say(clock(), sentence)

    match = settings.match
    fresh = match.state(Settings(mode=settings.mode, settle_ms=settings.settle_ms))
    new = options.new or options.simulated is not None
    keeper = cleaning.enter_context(closing(Keeper(settings.folder / RECORD, match, say, new=new)))
    going_on = resumed(keeper.earlier, fresh)
    if going_on is not None:
        clock.begin_at(going_on.t_ms)
    elif keeper.earlier:
        keeper.begin_anew(clock())
    joined = match.start if match.on_roll is None else match.position
    known = best(going_on.state.histories).position if going_on else joined
    eyes = KeptEyes(
        settings.board,
        settings.folder / LEARNT,
        match.furnished,
        known,
        say,
        entering=match.is_entering,
    )
    recorder = _recorder(options, settings, clock, say, cleaning)
    log = recorder.dice_log if recorder else None
    if options.simulated is None:
        stand = real_stand(settings, clock, screen, log, cleaning)
    else:
        stand = simulated_stand(options, settings.board.seating, clock, screen, log, cleaning)
    hints = None
    if settings.book and not match.is_entering:
        hints = BookHints(book=book_for(fresh.match.laws), speech=settings.words)
    service = Service(
        camera=stand.camera,
        dice=stand.dice,
        lights=stand.lights,
        eyes=eyes,
        keeper=keeper,
        screen=screen,
        clock_ms=clock,
        fresh=fresh,
        resumed=going_on,
        on_roll=match.on_roll,
        recorder=recorder,
        heard_problems=stand.problems,
        every_ms=settings.camera.every_ms,
        hints=hints,
    )
    systemd = Systemd(service_environment(), real_ms)
    systemd.ready()
    while not stop.is_set() and not stand.ended():
        service.turn(stand.lines())
        systemd.alive()
    systemd.stopping()
    if not stop.is_set():
        service.finish()
    screen.close()
    print("\n".join(["", *score_sheet(service.state.record, settings.words)]))


def _settings(options: argparse.Namespace, cleaning: ExitStack) -> ServiceSettings:
    """The settings; a simulated table has its own board, and needs no file."""
    if options.simulated is None or options.settings is not None:
        folder = Path(os.environ.get("CONFIGURATION_DIRECTORY", "."))
        file = options.settings or folder / SETTINGS
        records = Path(os.environ.get("STATE_DIRECTORY", file.parent))
        told = options.settings is not None or file.exists()
        settings = read_settings(file, records) if told else settings_of({}, file, records)
        if options.simulated is None:
            return settings
        board = drawn_board_settings(_look(options), settings.board.seating)
        return replace(settings, board=board)
    folder = Path(cleaning.enter_context(tempfile.TemporaryDirectory(prefix="blotlight-")))
    board = drawn_board_settings(_look(options), Seating())
    return ServiceSettings(board=board, match=_match_of(options), folder=folder)


def _look(options: argparse.Namespace) -> Look:
    (look,) = [look for look in LOOKS if look.name == options.look]
    return look


def _match_of(options: argparse.Namespace) -> MatchSettings:
    """Who plays what, by a match file if there is one."""
    if not options.simulated:
        return MatchSettings()
    return screenplay(Path(options.simulated), options.game).match


def _recorder(
    options: argparse.Namespace,
    settings: ServiceSettings,
    clock: "Clock",
    say: Callable[[str], None],
    cleaning: ExitStack,
) -> Recorder | None:
    if options.record_folder is None:
        return None
    folder = named_by_time(options.record_folder, datetime.now(UTC))
    try:
        recorder = Recorder(folder, settings.board, settings.match, clock(), say)
    except OSError as error:
        say(f"No recording is kept: {folder} cannot be made ({error.strerror}).")
        return None
    return cleaning.enter_context(closing(recorder))


class Clock:
    """Monotonic milliseconds from a beginning that may be set; `speed` times as fast as real ones."""

    def __init__(self, speed: float = 1.0) -> None:
        self._speed = speed
        self._began_ms = -real_ms() * speed

    def begin_at(self, t_ms: int) -> None:
        """It is now `t_ms`."""
        self._began_ms = t_ms - real_ms() * self._speed

    def __call__(self) -> int:
        return round(self._began_ms + real_ms() * self._speed)


def real_ms() -> int:
    """Monotonic milliseconds of this machine."""
    return time.monotonic_ns() // 1_000_000


@dataclass(frozen=True, kw_only=True)
class Stand:
    """The devices round a board, and who types.

    problems: all that the devices complained of since the start, besides the camera's problems.
    lines: what was typed since the last time. ended: whether nothing more will happen.
    """

    camera: Camera
    dice: DiceSensor
    lights: tuple[Lights, ...]
    lines: Callable[[], list[str]]
    problems: Callable[[], list[str]] = list
    ended: Callable[[], bool] = lambda: False


def real_stand(
    settings: ServiceSettings,
    clock: Clock,
    screen: Screen,
    log: DiceLogWriter | None,
    cleaning: ExitStack,
) -> Stand:
    """A real board: the camera and the tray as they come, the strip if it can be driven."""
    wanted = settings.camera

    def open_camera() -> PictureSource:
        if wanted.device == "picamera":
            return PicameraSource(wanted.size_wh)
        return V4l2Source(wanted.device, wanted.size_wh)

    camera = cleaning.enter_context(closing(LiveCamera(open_camera, clock)))
    dice = cleaning.enter_context(
        closing(SerialDice(lambda: find_dice_port(settings.dice_port), clock, log=log))
    )
    strip = open_strip(settings.lights, clock, lambda sentence: screen.say(clock(), sentence))
    if strip is not None:
        cleaning.enter_context(closing(strip))
    keyboard = Keyboard(sys.stdin, screen.ask) if sys.stdin.isatty() else None

    def problems() -> list[str]:
        found = [dice.last_error and f"The dice tray reports {dice.last_error}: see firmware/PROTOCOL.md."]
        found += [dice.log_problem, strip.problem if strip else None]
        return [problem for problem in found if problem]

    return Stand(
        camera=camera,
        dice=dice,
        lights=(strip,) if strip else (),
        lines=keyboard.lines if keyboard else list,
        problems=problems,
    )


def open_strip(settings: StripSettings, clock: Clock, say: Callable[[str], None]) -> StripLights | None:
    """The LED strip; None, and one sentence, when it cannot be driven."""
    if not settings.strip:
        return None
    try:
        return StripLights(
            load_gpio(),
            clock,
            data_bcm=settings.data_bcm,
            clock_bcm=settings.clock_bcm,
            order=settings.order,
            max_brightness=settings.max_brightness,
            max_ma=settings.max_ma,
        )
    except LightsUnavailable as problem:
        say(str(problem))
        return None


def simulated_stand(
    options: argparse.Namespace,
    seating: Seating,
    clock: Clock,
    screen: Screen,
    log: DiceLogWriter | None,
    cleaning: ExitStack,
) -> Stand:
    """A table that exists only in the program, played by a match file or by what is typed."""

    def say(sentence: str) -> None:
        screen.say(clock(), sentence)

    folder = Path(cleaning.enter_context(tempfile.TemporaryDirectory(prefix="blotlight-tray-")))
    table = furnished_table(seating)
    tray = TrayOnAPty(folder / "dice", clock)
    hands = Hands(table, tray, seating, clock, say)
    cleaning.callback(hands.leave)
    gone = threading.Event()

    def wait() -> bool:
        return not gone.wait(SIMULATED_FRAME_MS / 1000 / options.speed) and hands.camera_on

    camera = cleaning.enter_context(
        closing(LiveCamera(lambda: SimulatedSource(table, clock, wait, _look(options)), clock))
    )
    cleaning.callback(gone.set)
    dice = cleaning.enter_context(closing(SerialDice(lambda: str(tray.link), clock, log=log)))
    if options.simulated:
        script = screenplay(Path(options.simulated), options.game).script(seating)
        table.add(script)
        tray.plan(script.dice)
        keyboard = Keyboard(sys.stdin, screen.ask) if sys.stdin.isatty() else None
    else:
        keyboard = Keyboard(sys.stdin, screen.ask)
        say("Type what happens at the table, such as 31: 8/5 6/5; help tells the rest.")

    def lines() -> list[str]:
        typed = keyboard.lines() if keyboard else []
        if any(line.strip() == "help" for line in typed):
            say(f"What may happen at the table:\n{TABLE_HELP}")
        return [line for line in typed if not hands.obey(line)]

    def ended() -> bool:
        nobody_types = bool(options.simulated) or (keyboard is not None and keyboard.ended)
        return nobody_types and clock() > table.end_ms + SIMULATED_FRAME_MS

    return Stand(camera=camera, dice=dice, lights=(), lines=lines, ended=ended)


class Keyboard:
    """Lines as they are typed; a thread waits for them. ended: no more will come.

    taken: is told whenever lines are given away.
    """

    def __init__(self, source: TextIO, taken: Callable[[], None]) -> None:
        self._source = source
        self._taken = taken
        self._typed: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._closed = False
        threading.Thread(target=self._run, name="keyboard", daemon=True).start()

    @property
    def ended(self) -> bool:
        return self._closed and self._typed.empty()

    def lines(self) -> list[str]:
        """The lines that were not given yet."""
        found = []
        while not self._typed.empty():
            found.append(self._typed.get())
        if found:
            self._taken()
        return found

    def _run(self) -> None:
        for line in self._source:
            self._typed.put(line)
        self._closed = True
