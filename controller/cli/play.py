"""The command `blotlight play`: run the service on a real board or on a simulated one."""

import argparse
import os
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime
from datetime import date as Date
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.cli.club.club_option import add_club_option, open_club
from controller.cli.page_option import add_page_option, open_page
from controller.cli.screen import Screen
from controller.errors import InputError
from controller.page.page_display import DisplayGroup
from controller.perception.orientation import Orientation
from controller.perception.saved_calibration import SavedCalibration
from controller.record.keeper import MatchKeeper
from controller.record.match_settings import MatchSettings
from controller.referee import RefereeSettings
from controller.referee.inference.histories import likeliest_history
from controller.rules import ChouetteError
from controller.rules.openings.opening_book import book_for
from controller.service.book_hints import BookHints
from controller.service.clock import Clock, real_ms
from controller.service.devices import real_devices
from controller.service.live import MatchStart, Service
from controller.service.matches.match_folder import LogLock, log_in
from controller.service.matches.seats import Seats
from controller.service.recordings.recorder import Recorder, folder_named_by_time
from controller.service.restore import restore_match
from controller.service.score_sheet import score_sheet
from controller.service.settings import SETTINGS_NAME, ServiceSettings, find_settings
from controller.service.shutdown import stop_asked
from controller.service.systemd import Systemd, service_environment
from controller.simulation.game_files import Screenplay, load_screenplay
from controller.simulation.screenplay import drawn_board_settings
from controller.simulation.simulated_devices import SimulatedTable, simulated_devices
from hardware.simulated.drawn_table import BOARD_LOOKS, BoardLook
from sentences import say

CALIBRATION = "board.npz"
"""The saved calibration of the board, beside the log of the matches."""


def add_play(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to the command line."""
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
    play.add_argument("--game", type=int, default=1, metavar="N", help="the game of the match file to play")
    play.add_argument(
        "--look",
        choices=[look.name for look in BOARD_LOOKS],
        default=BOARD_LOOKS[0].name,
        help="the look of the simulated board",
    )
    play.add_argument(
        "--speed", type=float, default=1.0, help="speed of the simulated table, times real speed"
    )
    add_page_option(play)
    add_club_option(play)
    play.set_defaults(run=_run_play)


def _run_play(options: argparse.Namespace) -> int:
    """Run until a signal stops the service or the script of the simulated table ends. Returns 0."""
    if not 0 < options.speed <= 20:
        raise InputError(say("speed_out_of_range"))
    with stop_asked() as stop, ExitStack() as cleaning:
        settings = _settings(options)
        clock = Clock(options.speed if options.simulated is not None else 1.0)
        seats = Seats(settings.match)
        screen = Screen(
            sys.stdout,
            settings.board.orientation,
            seats.names,
            live=sys.stdout.isatty(),
            typing=sys.stdin.isatty(),
            speech=settings.words,
        )
        _run_service(options, settings, clock, screen, seats, stop, cleaning)
    return 0


def _run_service(
    options: argparse.Namespace,
    settings: ServiceSettings,
    clock: Clock,
    screen: Screen,
    seats: Seats,
    stop: threading.Event,
    cleaning: ExitStack,
) -> None:
    """Assemble the service and run its loop until it is stopped or the table's script is over."""
    display = DisplayGroup(screen)

    def tell(sentence: str) -> None:
        display.say(clock(), sentence)

    match = settings.match
    fresh = match.state(RefereeSettings(mode=settings.mode, settle_ms=settings.settle_ms))
    is_simulated = options.simulated is not None
    log = log_in(settings.folder, simulated=is_simulated)
    cleaning.enter_context(
        closing(LogLock(log, say("players_of_match", white=match.white, black=match.black)))
    )
    tell(say("kept_in", log=log))
    keeper = cleaning.enter_context(
        closing(MatchKeeper(log, match, tell, new=options.new or is_simulated, today=Date.today))
    )
    interrupted = restore_match(keeper.earlier, fresh)
    if interrupted is not None:
        clock.begin_at(interrupted.t_ms)
    elif keeper.earlier:
        keeper.begin_anew(clock())
    joined = match.start if match.on_roll is None else match.position
    known = likeliest_history(interrupted.state.histories).position if interrupted else joined
    # A drawn table may have another look each time: what was learnt of it is not kept.
    learnt = (
        Path(cleaning.enter_context(TemporaryDirectory(prefix="blotlight-"))) if is_simulated else log.parent
    )
    watcher = SavedCalibration(
        settings.board,
        learnt / CALIBRATION,
        match.furnished,
        known,
        tell,
        entering=match.is_entering,
    )
    page = None
    if options.page is not None:
        page = open_page(
            options.page,
            names=match.names,
            speech=settings.words,
            log=log,
            may_command=True,
            orientation=settings.board.orientation,
            watcher=watcher,
            display=display,
            screen=screen,
            tell=tell,
            cleaning=cleaning,
        )
    without_calls = open_club(
        options.club,
        log=log,
        names=match.names,
        orientation=settings.board.orientation,
        watcher=watcher,
        display=display,
        tell=tell,
        cleaning=cleaning,
    )
    recorder = _recorder(options, settings, clock, tell, cleaning)
    dice_log = recorder.dice_log if recorder else None
    if options.simulated is None:
        devices = real_devices(settings, clock, display, dice_log, cleaning)
    else:
        table = SimulatedTable(look=_look(options), speed=options.speed, game=_screenplay(options))
        devices = simulated_devices(table, settings.board.orientation, clock, display, dice_log, cleaning)
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
        every_ms=settings.camera.every_ms,
        names=seats.names,
        seats=seats if match.chouette else None,
    )
    systemd = Systemd(service_environment(), real_ms)
    systemd.ready()
    while not (stop.is_set() or devices.ended() or service.conversation.has_quit):
        service.run_once(without_calls([*devices.lines(), *(page.lines() if page else ())]))
        systemd.alive()
    systemd.stopping()
    if not stop.is_set():
        service.finish()
    screen.close()
    print("\n".join(["", *score_sheet(service.state.record, settings.words)]))


def _settings(options: argparse.Namespace) -> ServiceSettings:
    """The settings, for the people of a chouette if they are named."""
    settings = _settings_of_table(options)
    if options.chouette is None:
        return settings
    try:
        return replace(settings, match=settings.match.as_chouette(options.chouette))
    except ChouetteError as error:
        raise InputError(say("chouette_wrong", problem=error)) from None


def _settings_of_table(options: argparse.Namespace) -> ServiceSettings:
    """The settings. A simulated table has a board of its own and needs no file."""
    is_simulated = options.simulated is not None
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
    return load_screenplay(Path(options.simulated), options.game) if options.simulated else None


def _recorder(
    options: argparse.Namespace,
    settings: ServiceSettings,
    clock: Clock,
    tell: Callable[[str], None],
    cleaning: ExitStack,
) -> Recorder | None:
    if options.record_folder is None:
        return None
    folder = folder_named_by_time(options.record_folder, datetime.now(UTC))
    try:
        recorder = Recorder(folder, settings.board, settings.match, clock(), tell)
    except OSError as error:
        tell(say("no_recording_kept", folder=folder, reason=error.strerror))
        return None
    return cleaning.enter_context(closing(recorder))
