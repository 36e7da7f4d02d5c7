"""The command `blotlight play`: run the service on a real board or on a simulated one."""

import argparse
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.cli.club.club_option import add_club_option, open_club
from controller.cli.page_option import add_page_option, open_page
from controller.cli.screen import Screen
from controller.cli.simulate import open_screenplay
from controller.errors import BlotlightError, InputError
from controller.freed_memory import give_freed_memory_back
from controller.page.page_display import DisplayGroup, PageDisplay
from controller.page.page_server import PageServer
from controller.perception.orientation import Orientation
from controller.perception.saved_calibration import SavedCalibration
from controller.record.keeper import MatchKeeper
from controller.record.match_settings import MatchSettings
from controller.record.store import LogEntry
from controller.referee.inference.histories import likeliest_history
from controller.rules import ChouetteError
from controller.rules.openings.opening_book import book_for
from controller.service.book_hints import BookHints
from controller.service.clock import Clock, known_day, real_ms
from controller.service.devices import Devices, real_devices
from controller.service.health.counters import Counters, processor_celsius
from controller.service.health.systemd_log import SystemdLog, open_systemd_log
from controller.service.keyboard import Keyboard
from controller.service.live import MatchStart, Service
from controller.service.matches.match_folder import LogLock, log_in, own_folder
from controller.service.matches.seats import Seats
from controller.service.recordings.recorder import RECORDINGS, Recorder, folder_named_by_time
from controller.service.recordings.stills import StillKeeper, stills_folder
from controller.service.restore import restore_match
from controller.service.score_sheet import score_sheet
from controller.service.settings import SETTINGS_NAME, ServiceSettings, find_settings, settings_file
from controller.service.setup.settings_writer import write_settings
from controller.service.setup.setup_desk import SetupDesk, match_changes
from controller.service.setup.setup_words import MatchNamed, SetupBegun
from controller.service.shutdown import stop_asked
from controller.service.systemd import Systemd
from controller.simulation.game_files import Screenplay
from controller.simulation.screenplay import drawn_board_settings
from controller.simulation.simulated_devices import SimulatedBoard, SimulatedTable
from hardware.device_errors import disk_remedy
from hardware.dice_log import DiceLogWriter
from hardware.simulated.drawn_table import BOARD_LOOKS, BoardLook
from sentences import say

CALIBRATION = "board.npz"
"""The saved calibration of the board, beside the log of the matches."""
OF_SIMULATED_TABLE = {"game": 1, "look": BOARD_LOOKS[0].name, "speed": 1.0}
"""What the options of a simulated table are if absent."""


def add_play(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    play = commands.add_parser("play", help="run the service: watch a real board, or a simulated one")
    play.add_argument(
        "--settings", type=Path, metavar="FILE", help=f"the file of settings; default: {SETTINGS_NAME}"
    )
    play.add_argument(
        "--new", action="store_true", help="begin a new match instead of resuming an interrupted one"
    )
    play.add_argument(
        "--matches", type=Path, metavar="FOLDER", help="where matches are kept; default: the user's data"
    )
    play.add_argument(
        "--record-folder",
        type=Path,
        metavar="FOLDER",
        help="also keep frames, dice and commands, as a recording in a new folder there",
    )
    play.add_argument(
        "--simulated",
        nargs="?",
        const="",
        metavar="FILE",
        help="simulate the table; FILE is a match to be played on it, without it you type what happens",
    )
    play.add_argument(
        "--chouette",
        nargs="+",
        metavar="NAME",
        help="three or more play: the first named is in the box, the second is captain of the others",
    )
    drawn = play.add_argument_group("only with --simulated")
    drawn.add_argument("--game", type=int, metavar="N", help="the game of the match file to play")
    drawn.add_argument(
        "--look", choices=[look.name for look in BOARD_LOOKS], help="the look of the simulated board"
    )
    drawn.add_argument("--speed", type=float, help="speed of the simulated table, times real speed")
    add_page_option(play)
    add_club_option(play)
    play.set_defaults(run=_run_play)


def _run_play(options: argparse.Namespace) -> None:
    """Run until a signal stops the service or the script of the simulated table ends."""
    for name, usual in OF_SIMULATED_TABLE.items():
        if getattr(options, name) is None:
            setattr(options, name, usual)
        elif options.simulated is None:
            raise InputError(say("only_simulated", option=f"--{name}"))
    if not 0 < options.speed <= 20:
        raise InputError(say("speed_out_of_range"))
    give_freed_memory_back()
    with stop_asked() as stop, ExitStack() as cleaning:
        settings = _settings(options, options.chouette)
        table = _Table(options, settings, stop, cleaning)
        while (said := table.watch(settings)) is not None:
            if isinstance(said, MatchNamed):
                table.begin_match(said)
            else:
                table.set_up(settings)
            settings = _settings(options, table.chouette, table.file)


class _Table:
    """What lasts through all matches: clock, screen, page, and the simulated board."""

    def __init__(
        self,
        options: argparse.Namespace,
        settings: ServiceSettings,
        stop: threading.Event,
        cleaning: ExitStack,
    ) -> None:
        self._options, self._stop = options, stop
        self._clock = Clock(options.speed)
        journal = open_systemd_log(os.environ, settings.words)
        self._screen = Screen(
            sys.stdout,
            settings.board.orientation,
            settings.match.names,
            live=sys.stdout.isatty(),
            typing=sys.stdin.isatty(),
            speech=settings.words,
            printing=journal is None,
        )
        self._display = DisplayGroup(self._screen)
        self._named: list[Screen | SystemdLog] = [self._screen]
        if journal is not None:
            self._named.append(cleaning.enter_context(closing(journal)))
            self._display.add(journal)
        self._counters = Counters()
        self._systemd = Systemd(os.environ, real_ms)
        self._folder = options.matches or own_folder(settings.folder, os.environ)
        self._log = log_in(self._folder, simulated=options.simulated is not None)
        players = say("players_of_match", white=settings.match.white, black=settings.match.black)
        cleaning.enter_context(closing(LogLock(self._log, players)))
        self._learnt = self._log.parent
        self._is_new = options.new
        self.file = settings_file(options.settings, os.environ)
        """The file of settings that the set-up writes."""
        self.chouette: list[str] | None = options.chouette
        """The players whom the command line names, until people name another match."""
        if self._folder == settings.folder:
            self._tell(say("kept_in", log=self._log))
        else:
            self._tell(say("kept_apart", log=self._log, folder=settings.folder))
        self._without_calls: Callable[[list[str]], list[str]] = list
        """Handles the lines that ask for a club's director, and returns the others."""
        self._page: PageServer | None = None
        self._shown: PageDisplay | None = None
        if options.page is not None:
            self._page, self._shown = open_page(
                options.page,
                speech=settings.words,
                log=self._log,
                may_command=True,
                delay_s=settings.delay_s,
                metrics=partial(self._counters.text, processor_celsius) if settings.metrics else None,
                display=self._display,
                screen=self._screen,
                tell=self._tell,
                cleaning=cleaning,
            )
        self._board: SimulatedBoard | None = None
        self._keyboard: Keyboard | None = None
        if options.simulated is not None:
            self._is_new = True
            # A drawn table may have another look each time: what was learnt of it is not kept.
            self._learnt = Path(cleaning.enter_context(TemporaryDirectory(prefix="blotlight-")))
            self.file = options.settings or self._learnt / SETTINGS_NAME
            simulated = SimulatedTable(
                look=_look(options),
                speed=options.speed,
                game=_screenplay(options),
                start=settings.match.furnished,
            )
            orientation = settings.board.orientation
            self._board = SimulatedBoard(
                simulated, orientation, self._clock, self._screen.ask, self._tell, cleaning
            )
        elif sys.stdin.isatty():
            self._keyboard = Keyboard(sys.stdin, self._screen.ask)

    def watch(self, settings: ServiceSettings) -> SetupBegun | MatchNamed | None:
        """Watch the game until it is stopped, the board is to be set up, or another match is named.

        Returns what people said to that end; None when it was stopped or has ended.
        """
        with ExitStack() as cleaning:
            service, devices = self._service(settings, cleaning)
            while not (self._stop.is_set() or devices.ended() or service.conversation.has_quit):
                page = self._page
                service.run_once(self._without_calls([*devices.lines(), *(page.lines() if page else ())]))
                if service.is_under_way and (page is None or page.is_under_way):
                    self._systemd.ready()
                self._systemd.alive()
                for word in page.setup_words() if page else ():
                    if isinstance(word, SetupBegun | MatchNamed):
                        return word
            self._systemd.stopping()
            if not self._stop.is_set():
                service.finish()
            self._screen.close()
            print("\n".join(["", *score_sheet(service.state.record, settings.words)]))
        return None

    def begin_match(self, named: MatchNamed) -> None:
        """Make this the next match. People are told when that is not possible."""
        try:
            write_settings(self.file, match_changes(named.match, named.mode))
        except BlotlightError as problem:
            self._tell(str(problem))
        else:
            self._is_new, self.chouette = True, None

    def set_up(self, settings: ServiceSettings) -> None:
        """Let people set the board up on the page, until they keep or leave the set-up."""
        page = self._page
        assert page is not None
        self._tell(say("setup_on_page"))
        with ExitStack() as cleaning:
            devices = self._devices(settings.unfocused, None, cleaning)
            desk = SetupDesk(settings, self.file, devices, self._clock)
            cleaning.callback(desk.close)
            while not (self._stop.is_set() or desk.is_over):
                devices.lines()
                for word in page.setup_words():
                    desk.handle(word)
                desk.run_once()
                page.show_setup(desk.state, desk.frame)
                self._systemd.ready()
                self._systemd.alive()
        if desk.is_kept and desk.state.draft.is_named:
            self.chouette = None
        self._tell(say("setup_kept") if desk.is_kept else say("setup_left"))

    def _tell(self, sentence: str) -> None:
        self._display.say(self._clock(), sentence)

    def _devices(
        self, settings: ServiceSettings, dice_log: DiceLogWriter | None, cleaning: ExitStack
    ) -> Devices:
        if self._board is not None:
            return self._board.devices(settings.match.furnished, dice_log, cleaning)
        return real_devices(settings, self._clock, self._display, dice_log, self._keyboard, cleaning)

    def _service(self, settings: ServiceSettings, cleaning: ExitStack) -> tuple[Service, Devices]:
        """The service for a match that begins or goes on, and its devices."""
        options, clock, display = self._options, self._clock, self._display
        match, seats = settings.match, Seats(settings.match)
        for display_of_names in self._named:
            display_of_names.names = seats.names
        self._screen.orientation = settings.board.orientation
        fresh = match.state(settings.referee)
        keeper = cleaning.enter_context(
            closing(MatchKeeper(self._log, match, self._tell, new=self._is_new, today=known_day))
        )
        self._is_new = False
        interrupted = restore_match(keeper.earlier, fresh)
        if interrupted is not None:
            clock.begin_at(max(clock(), interrupted.t_ms))
        elif keeper.earlier:
            keeper.begin_anew(clock())
        joined = match.start if match.on_roll is None else match.position
        known = likeliest_history(interrupted.state.histories).position if interrupted else joined
        watcher = SavedCalibration(
            settings.board,
            self._learnt / CALIBRATION,
            match.furnished,
            known,
            self._tell,
            entering=match.is_entering,
        )
        if self._shown is not None:
            self._shown.watch(watcher, settings.board.orientation, seats.names, match, lambda: keeper.number)
        self._without_calls = open_club(
            options.club or settings.club_link,
            log=self._log,
            names=seats.names,
            orientation=settings.board.orientation,
            watcher=watcher,
            display=self._display,
            tell=self._tell,
            cleaning=cleaning,
        )
        recorder = self._recorder(settings, keeper, keeper.earlier if interrupted else (), cleaning)
        devices = self._devices(settings, recorder.dice_log if recorder else None, cleaning)
        hints = None
        if settings.book and not match.is_entering:
            hints = BookHints(book=book_for(fresh.match.laws), speech=settings.words)
        service = Service(
            start=MatchStart(fresh=fresh, resumed=interrupted, on_roll=match.on_roll),
            devices=devices,
            watcher=watcher,
            keeper=keeper,
            display=display,
            clock_ms=clock,
            recorder=recorder,
            hints=hints,
            names=seats.names,
            counters=self._counters,
            every_ms=0 if self._board else settings.camera.every_ms,
            seats=seats if match.chouette else None,
            stills=StillKeeper(stills_folder(self._log), lambda: keeper.number, self._tell),
        )
        return service, devices

    def _recorder(
        self, settings: ServiceSettings, keeper: MatchKeeper, earlier: Sequence[LogEntry], cleaning: ExitStack
    ) -> Recorder | None:
        """What keeps frames, dice and commands, if wanted. earlier: what the log holds of the match."""
        kept, limits = self._options.record_folder, None
        if kept is None and settings.pictures and self._options.simulated is None:
            kept, limits = self._folder / RECORDINGS, settings.picture_limits
        if kept is None:
            return None
        folder = folder_named_by_time(kept, datetime.now(UTC))
        try:
            recorder = Recorder(
                folder,
                settings.board,
                settings.match,
                self._clock(),
                self._tell,
                settings=settings.referee,
                number=keeper.number,
                earlier=earlier,
                limits=limits,
            )
        except OSError as error:
            reason, remedy = error.strerror, disk_remedy(error)
            self._tell(say("no_recording_kept", folder=folder, reason=reason, remedy=remedy))
            return None
        return cleaning.enter_context(closing(recorder))


def _settings(
    options: argparse.Namespace, chouette: list[str] | None, written: Path | None = None
) -> ServiceSettings:
    """The settings, for a chouette if its players are given. written: the file that a set-up wrote."""
    settings = _settings_of_table(options, written)
    if chouette is None:
        return settings
    try:
        return replace(settings, match=settings.match.as_chouette(chouette))
    except ChouetteError as error:
        raise InputError(say("chouette_wrong", problem=error)) from None


def _settings_of_table(options: argparse.Namespace, written: Path | None) -> ServiceSettings:
    """The settings. A simulated table has its own board, and needs no file until a set-up wrote one."""
    is_simulated = options.simulated is not None
    if written is not None and written.exists():
        found = find_settings(written, options.matches, os.environ)
        if is_simulated and found.board.corners_px is None:
            return replace(found, board=drawn_board_settings(_look(options), Orientation()))
        return found
    settings = find_settings(options.settings, options.matches, os.environ)
    if not is_simulated:
        return settings
    if options.settings is not None:
        return replace(settings, board=drawn_board_settings(_look(options), settings.board.orientation))
    board = drawn_board_settings(_look(options), Orientation())
    play = _screenplay(options)
    match = play.match if play else MatchSettings()
    return ServiceSettings(board=board, match=match, folder=settings.folder)


def _look(options: argparse.Namespace) -> BoardLook:
    (look,) = [look for look in BOARD_LOOKS if look.name == options.look]
    return look


def _screenplay(options: argparse.Namespace) -> Screenplay | None:
    """The game to play on the simulated table; None when a person types."""
    return open_screenplay(Path(options.simulated), options.game) if options.simulated else None
