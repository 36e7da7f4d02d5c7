"""The game in the terminal: the board with its lit points, cube, score, devices, sentences, score sheet.

Everything is fitted to the size that the terminal has at the moment of each drawing.
"""

import os
import shutil
import textwrap
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

from controller.perception.board_drawing import drawn_board
from controller.perception.orientation import Orientation
from controller.record.mat_writer import in_two_columns
from controller.referee import (
    CommandRefused,
    Effect,
    GameWon,
    Lamp,
    LampsChanged,
    OffenceShown,
    Question,
    RefereeState,
    RollCalled,
    TurnRecorded,
)
from controller.referee.words.refusals import name_of
from controller.referee.words.sentences import Speech, cube_text, effect_sentence
from controller.rules import Player
from controller.service.display import (
    Asked,
    DeviceState,
    clock_text,
    device_text,
    is_crawford_game,
    score_text,
    turn_text,
)
from controller.service.lamp_colours import to_lights
from controller.service.score_sheet import half_turn_text
from hardware.terminal_lights import DRAWING_SIZES, DrawingSize, fitting_size, render_board
from sentences import say

Size = tuple[int, int]
"""Columns and rows of a terminal."""
USUAL_SIZE: Size = (80, 24)
KEPT_SENTENCES = 12
"""Sentences that are kept for tall terminals. Guess."""
TEXT_ROWS = 6
"""Rows that are left for sentences and score sheet, if the board can be drawn small enough. Guess."""
GAP = "   "
"""What stands between two parts of a line."""
PRINTED_EFFECTS = (TurnRecorded, RollCalled, OffenceShown, Question, CommandRefused, GameWon)
"""Effects that are printed where there is no screen to redraw."""


class Screen:
    """A Display in the terminal.

    live: redraw in place; otherwise print only the sentences. names: the players' names.
    typing: people may type, so the top line is left to them. speech: how throws and plays are worded.
    printing: print sentences where nothing is redrawn.
    """

    def __init__(
        self,
        out: TextIO,
        orientation: Orientation,
        names: Mapping[Player, str],
        *,
        live: bool,
        typing: bool = False,
        speech: Speech = Speech.PLAIN,
        printing: bool = True,
    ) -> None:
        self._is_printing = printing and not live
        self._out = out
        self.orientation = orientation
        """How the board is drawn. It may change once the place of the home boards is known."""
        self.names = names
        """The players' names. They change when another match is named."""
        self._live = live
        self._typing = typing
        self._speech = speech
        self._colour = _may_colour(out, os.environ)
        self._size: Size | None = None
        self._sentences: deque[str] = deque(maxlen=KEPT_SENTENCES)
        self._drawn: list[str] = []
        """The lines on the screen; none when everything is to be drawn anew."""
        self.ask()
        self._page_lines: list[str] = []
        """The text that is shown instead of the game, from its present page on."""
        self._n_on_page = 0
        self.lamps: tuple[Lamp, ...] = ()

    def note(self, effect: Effect) -> None:
        """Show one effect of the referee."""
        if isinstance(effect, LampsChanged):
            self.lamps = effect.lamps
        text = effect_sentence(effect, self.names, self._speech)
        if text is None:
            return
        line = f"{clock_text(effect.t_ms)}  {text}"
        self._sentences.append(line)
        if self._is_printing and isinstance(effect, PRINTED_EFFECTS):
            print(line, file=self._out, flush=True)

    def say(self, t_ms: int, sentence: str) -> None:
        """Show a sentence that is no effect of the referee."""
        line = f"{clock_text(t_ms)}  {sentence}"
        self._sentences.append(line)
        if self._is_printing:
            print(line, file=self._out, flush=True)

    def show_pages(self, lines: Sequence[str]) -> None:
        """Show a text page by page; where nothing is redrawn, all of it at once."""
        if self._live:
            self._page_lines = list(lines)
        else:
            print("\n".join(lines), file=self._out, flush=True)

    def turn_page(self) -> None:
        """Show the next page, or the game again."""
        self._page_lines = self._page_lines[self._n_on_page :]

    def draw(self, state: RefereeState, t_ms: int, devices: Sequence[DeviceState], asked: Asked) -> None:
        """Redraw the screen, if it is live and has changed. Questions already stand among its sentences."""
        if not self._live:
            return
        size = self._fitted_size()
        lines = self.lines(state, t_ms, devices, size=size, colour=self._colour, is_paused=asked.is_paused)
        if lines == self._drawn and size == self._size:
            return
        if size != self._size:
            self._drawn = []
            self._write("\x1b[2J")
            self.ask()
        for row, line in enumerate(lines):
            if row >= len(self._drawn) or self._drawn[row] != line:
                self._write(self._at(row, line))
        if not self._drawn or len(lines) < len(self._drawn):
            self._clear_below(len(lines), size)
        self._drawn, self._size = lines, size

    def _write(self, text: str) -> None:
        """Write at once, so that the echo of what people type comes before or after it, not within."""
        self._out.write(text)
        self._out.flush()

    def _at(self, row: int, line: str) -> str:
        """The control sequences that put a line in its row (ECMA-48: CUP, EL)."""
        placed = f"\x1b[{row + 1 + self._typing};1H\x1b[K{line}"
        return f"\x1b7{placed}\x1b8" if self._typing else placed

    def _clear_below(self, row: int, size: Size) -> None:
        if row + self._typing < size[1]:
            self._write(self._at(row, "\x1b[J"))

    def close(self) -> None:
        """Leave the cursor below what was drawn."""
        if self._live:
            _, rows = self._fitted_size()
            below = min(rows, len(self._drawn) + 1 + self._typing)
            self._write(f"\x1b[{below};1H\n")

    def ask(self) -> None:
        """Clear the line in which people type, and redraw all: a typed line break may have moved lines."""
        if self._live and self._typing:
            self._drawn = []
            self._write("\x1b[1;1H\x1b[2K> ")

    def lines(
        self,
        state: RefereeState,
        t_ms: int,
        devices: Sequence[DeviceState] = (),
        *,
        size: Size = USUAL_SIZE,
        colour: bool,
        is_paused: bool = False,
    ) -> list[str]:
        """The whole screen, a string for each line. size: of the terminal, including the line for typing."""
        columns, rows = size[0], size[1] - self._typing
        found = [
            *_flow(self._title(state, colour), columns),
            *_flow([f"{clock_text(t_ms)}  {turn_text(state, self.names, is_paused=is_paused)}"], columns),
        ]
        if self._page_lines:
            found += _wrapped(list(self._sentences)[-1:], columns)
            found += self._help_page(columns, rows - len(found))
            return found[:rows]
        found += _flow(self._status(state, devices), columns)
        board = drawn_board(state.shown, self.orientation)
        drawing = _drawing_size(columns, rows - len(found))
        if drawing is not None:
            drawn = render_board(
                board, to_lights(self.lamps, self.orientation), colour=colour, size=drawing
            ).split("\n")
            found += [*drawn[: drawing.height], *_flow(drawn[drawing.height :], columns)]
        found += self._sentences_and_sheet(state, columns, rows - len(found))
        return found[:rows]

    def _fitted_size(self) -> Size:
        try:
            found = os.get_terminal_size(self._out.fileno())
        except (OSError, ValueError, AttributeError):
            found = shutil.get_terminal_size(USUAL_SIZE)
        return found.columns or USUAL_SIZE[0], found.lines or USUAL_SIZE[1]

    def _title(self, state: RefereeState, colour: bool) -> list[str]:
        """The players with their colour or letter, and in a match the score."""
        letters = {self.orientation.light: ", O", self.orientation.light.opponent: ", X"}
        white_name, black_name = (
            f"{self.names[player]} ({name_of(player)}{'' if colour else letters[player]})"
            for player in Player
        )
        crawford = [say("crawford")] * is_crawford_game(state)
        return [say("players_of_match", white=white_name, black=black_name), score_text(state), *crawford]

    def _status(self, state: RefereeState, devices: Sequence[DeviceState]) -> list[str]:
        """Cube, pip counts and devices."""
        position = state.shown
        pips = ", ".join(
            say("player_and_number", name=self.names[player], number=position.pip_count(player))
            for player in Player
        )
        found = [say("pips", pips=pips)]
        if not state.other_rules:
            crawford = is_crawford_game(state)
            found.insert(0, cube_text(state.game_by_rules, self.names, crawford=crawford))
        return found + [device_text(device) for device in devices]

    def _sentences_and_sheet(self, state: RefereeState, columns: int, rows: int) -> list[str]:
        """The newest sentences, and below them the newest rows of the score sheet."""
        said = _wrapped(self._sentences, columns)
        sheet = self._sheet(state, columns)
        n_said = min(len(said), max(rows - len(sheet), (rows + 1) // 2))
        n_sheet = max(0, rows - n_said)
        space = [""] * (0 < len(sheet) < n_sheet)
        return [*said[len(said) - n_said :], *space, *sheet[max(0, len(sheet) - n_sheet) :]]

    def _sheet(self, state: RefereeState, columns: int) -> list[str]:
        """The score sheet, each half-turn with its number: White's on the left, Black's on the right."""
        texts = [
            (turn.player, f"{number:3} {half_turn_text(turn, self._speech)}")
            for number, turn in enumerate(state.record, start=1)
        ]
        if self._speech is Speech.OLD:
            return _wrapped([text for _, text in texts], columns)
        half = columns // 2
        return [f"{left:<{half - 1}} {right}".rstrip()[:columns] for left, right in in_two_columns(texts)]

    def _help_page(self, columns: int, rows: int) -> list[str]:
        shown = _page(self._page_lines, columns, rows - 1)
        self._n_on_page = len(shown)
        more = len(self._page_lines) > len(shown)
        lines = [line for entry in shown for line in _help_lines(entry, columns)]
        return [*lines, say("more_next_page") if more else say("more_back_to_game")]


def _page(entries: Sequence[str], columns: int, rows: int) -> list[str]:
    """The entries that fill one page; at least one."""
    shown: list[str] = []
    used = 0
    for entry in entries:
        used += len(_help_lines(entry, columns))
        if shown and used > rows:
            break
        shown.append(entry)
    return shown


def _help_lines(entry: str, columns: int) -> list[str]:
    """A command and what it means, on as many lines as they need."""
    if len(entry) <= columns:
        return [entry]
    command, _, meaning = entry.partition("  ")
    if len(short := f"{command}  {meaning.strip()}") <= columns:
        return [short]
    return [
        *textwrap.wrap(command, columns),
        *textwrap.wrap(meaning.strip(), columns, initial_indent="    ", subsequent_indent="    "),
    ]


def _drawing_size(columns: int, rows: int) -> DrawingSize | None:
    """The largest drawing that leaves TEXT_ROWS rows, or else the smallest. None where it does not fit."""
    return fitting_size(columns, max(rows - TEXT_ROWS, min(size.height for size in DRAWING_SIZES)))


def _flow(parts: Iterable[str], columns: int) -> list[str]:
    """Parts side by side, as many as a line holds."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(GAP) + len(part) <= columns:
            lines[-1] += GAP + part
        else:
            lines += textwrap.wrap(part, columns) or [""]
    return lines


def _wrapped(sentences: Iterable[str], columns: int) -> list[str]:
    return [
        line for text in sentences for line in textwrap.wrap(text, columns, subsequent_indent=" " * 7) or [""]
    ]


def _may_colour(out: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether the board may be drawn in colour: not with NO_COLOR (no-color.org), nor on a dumb terminal."""
    if environment.get("NO_COLOR") or environment.get("TERM") == "dumb":
        return False
    return "utf" in (getattr(out, "encoding", None) or "utf-8").lower()
