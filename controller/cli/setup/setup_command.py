"""The command `blotlight setup`: set a board up in the terminal, step by step, as the page does."""

import argparse
import os
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from controller.cli.read import parse_corners, parse_pair
from controller.cli.screen import Screen
from controller.errors import InputError
from controller.perception.orientation import HOME_CORNERS
from controller.rules import ALL_LAWS, Player
from controller.service.clock import Clock
from controller.service.devices import Devices, real_devices
from controller.service.keyboard import Keyboard
from controller.service.settings import (
    SETTINGS_NAME,
    ServiceSettings,
    load_settings,
    parse_settings,
    settings_file,
)
from controller.service.setup.setup_desk import SetupDesk, SetupState
from controller.service.setup.setup_texts import dice_text, start_text, walk_text, wrong_place_text
from controller.service.setup.setup_words import (
    BoardPlaced,
    BoardSought,
    LampSeen,
    MatchNamed,
    SetupEnded,
    SetupStep,
    SetupWord,
    SidesChosen,
    StepShown,
    WalkBegun,
    WalkLeft,
    parse_setup_word,
)
from controller.service.shutdown import interrupted
from controller.simulation.simulated_devices import SimulatedBoard, SimulatedTable
from hardware.simulated.drawn_table import BOARD_LOOKS
from sentences import said_again, say


def add_setup(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    setup = commands.add_parser("setup", help="set a board up: where it lies, who sits where, dice, lights")
    setup.add_argument(
        "--settings", type=Path, metavar="FILE", help=f"the file to write; default: {SETTINGS_NAME}"
    )
    setup.add_argument("--simulated", action="store_true", help="try it on a simulated table")
    setup.set_defaults(run=_run_setup)


def _run_setup(options: argparse.Namespace) -> int:
    """Returns 0 when the settings were written, 1 otherwise."""
    file = settings_file(options.settings, os.environ)
    folder = file.parent
    settings = load_settings(file, folder) if file.exists() else parse_settings({}, file, folder)
    with interrupted(), ExitStack() as cleaning:
        clock = Clock()
        devices, has_ended = _devices(options, settings, clock, cleaning)
        desk = SetupDesk(settings, file, devices, clock)
        cleaning.callback(desk.close)
        _Guide(desk, devices.lines, has_ended).lead()
        print(say("setup_written", file=file) if desk.is_kept else say("setup_left"))
    return 0 if desk.is_kept else 1


def _devices(
    options: argparse.Namespace, settings: ServiceSettings, clock: Clock, cleaning: ExitStack
) -> tuple[Devices, Callable[[], bool]]:
    """The devices, and a function that tells whether the input has ended."""
    if options.simulated:
        start = settings.match.furnished
        table = SimulatedTable(look=BOARD_LOOKS[0], speed=1.0, game=None, start=start)
        board = SimulatedBoard(table, settings.board.orientation, clock, lambda: None, print, cleaning)
        devices = board.devices(start, None, cleaning)
        return devices, devices.ended
    screen = Screen(sys.stdout, settings.board.orientation, settings.match.names, live=False)
    keyboard = Keyboard(sys.stdin, lambda: None)
    devices = real_devices(settings.unfocused, clock, screen, None, keyboard, cleaning)
    return devices, lambda: keyboard.ended


class _Guide:
    """Leads through the steps. Findings are printed when they change. Enter leads to the next step."""

    def __init__(self, desk: SetupDesk, lines: Callable[[], list[str]], ended: Callable[[], bool]) -> None:
        self._desk, self._lines, self._ended = desk, lines, ended
        self._typed: deque[str] = deque()
        self._printed: list[str] = []

    def lead(self) -> None:
        """Go through all steps, and write the settings at the end."""
        self._place_board()
        self._choose_sides()
        self._show(SetupStep.START, _start_lines)
        self._show(SetupStep.DICE, lambda state: [dice_text(state.dice)])
        self._walk()
        self._name_match()
        self._say(SetupEnded(is_kept=True))

    def _say(self, said: SetupWord) -> bool:
        """Say a word to the desk. Returns whether it was taken; if not, the reason is printed."""
        self._desk.handle(said)
        refusal = self._desk.state.refusal
        if refusal:
            print(said_again(refusal))
        return not refusal

    def _answers(
        self, lines_of: Callable[[SetupState], list[str]] = lambda state: [], *, waits: bool = False
    ) -> Iterator[str]:
        """The typed lines. Meanwhile the desk works, and what `lines_of` gives is printed when it changes.

        waits: take no line while there is nothing to print. Raises InputError when the input has ended.
        """
        while True:
            self._desk.run_once()
            now = lines_of(self._desk.state)
            if now and now != self._printed:
                self._printed = now
                print("\n".join(now), flush=True)
            ended = self._ended()
            self._typed.extend(self._lines())
            if self._typed and (now or not waits):
                yield self._typed.popleft().strip()
            elif ended and not self._typed:
                raise InputError(say("setup_input_ended"))

    def _ask(self, question: str) -> str:
        print(question, flush=True)
        return next(self._answers())

    def _show(self, step: SetupStep, lines_of: Callable[[SetupState], list[str]]) -> None:
        self._say(StepShown(step=step))
        print(say("setup_enter_goes_on"), flush=True)
        next(self._answers(lines_of, waits=True))

    def _place_board(self) -> None:
        print(say("setup_type_corners"), flush=True)
        for line in self._answers(_picture_lines, waits=True):
            if line == "":
                if self._desk.state.is_ready:
                    return
                print(say("setup_no_board"), flush=True)
            elif line == "again":
                self._say(BoardSought())
            else:
                self._type_corners(line)

    def _type_corners(self, line: str) -> None:
        corners, _, bar = line.partition(" bar ")
        try:
            placed = BoardPlaced(
                corners_px=parse_corners(corners),
                bar=parse_pair(bar) if bar else self._desk.state.draft.board.bar,
            )
        except argparse.ArgumentTypeError as problem:
            print(problem)
            return
        self._say(placed)

    def _choose_sides(self) -> None:
        board = self._desk.state.draft.board
        light = self._choose(
            say("setup_asks_light"), [player.value for player in Player], board.orientation.light.value
        )
        homes = ["start", *HOME_CORNERS]
        home = self._choose(
            say("setup_asks_home"), homes, board.orientation.white_home if board.home_known else "start"
        )
        self._say(SidesChosen(light=Player(light), white_home=None if home == "start" else home))

    def _choose(self, question: str, known: list[str], otherwise: str) -> str:
        """One of several words; Enter takes `otherwise`."""
        while True:
            answer = self._ask(
                say("setup_choice", question=question, known=", ".join(known), otherwise=otherwise)
            )
            if answer in ("", *known):
                return answer or otherwise

    def _walk(self) -> None:
        if not self._desk.state.has_lights:
            print(say("setup_without_strip"))
            return
        if self._ask(say("setup_asks_walk")) != "walk" or not self._say(WalkBegun()):
            return
        print(say("places_of_the_strip"))
        while (walk := self._desk.state.walk) is not None and walk.place is not None:
            answer = self._ask(say("which_place_is_lit", place=walk.place))
            if answer == "stop":
                self._say(WalkLeft())
            elif answer == "back":
                self._say(LampSeen(place=None))
            elif answer == "" or answer.isdecimal():
                self._say(LampSeen(place=int(answer) if answer else walk.place))
        if walk is not None:
            print(walk_text(walk))

    def _name_match(self) -> None:
        match, mode = self._desk.state.draft.match, self._desk.state.draft.mode
        while True:
            data: dict[str, object] = {"word": "match", "laws": match.laws, "mode": mode.value}
            data["white"] = self._ask(say("setup_asks_white", name=match.white)) or match.white
            data["black"] = self._ask(say("setup_asks_black", name=match.black)) or match.black
            length = self._ask(say("setup_asks_length", length=match.length))
            data["length"] = int(length) if length.isdecimal() else match.length
            data["laws"] = self._choose(say("setup_asks_laws"), list(ALL_LAWS), match.laws)
            unchanged = {"white": match.white, "black": match.black, "length": match.length}
            if match.chouette and unchanged.items() <= data.items():
                return
            try:
                named = parse_setup_word(data)
            except InputError as problem:
                print(problem)
                continue
            assert isinstance(named, MatchNamed)
            if self._say(named):
                return


def _picture_lines(state: SetupState) -> list[str]:
    findings = [one for one in (state.board, state.light, state.focus) if one]
    refusal = [said_again(state.refusal)] if state.refusal else []
    return [f"{one.part}: {said_again(one.words)}" for one in findings] + refusal


def _start_lines(state: SetupState) -> list[str]:
    if state.start is None:
        return [said_again(state.refusal)] if state.refusal else []
    return [start_text(state.start), *map(wrong_place_text, state.start.wrong)]
