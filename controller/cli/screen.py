"""The game in the terminal: the board with its lit points, the last sentences, and the score sheet."""

from collections import deque
from collections.abc import Mapping
from typing import TextIO

from controller.perception.board_drawing import drawn_board
from controller.perception.orientation import Orientation
from controller.referee import (
    CommandRefused,
    Effect,
    GameWon,
    Lamp,
    LampsChanged,
    OffenceShown,
    Question,
    RefereePhase,
    RefereeState,
    RollCalled,
    TurnRecorded,
)
from controller.referee.words.sentences import Speech, effect_sentence
from controller.rules import Player
from controller.service.lamp_colours import to_lights
from controller.service.score_sheet import score_sheet
from hardware.terminal_lights import render_board

CLEAR_SCREEN = "\x1b[H\x1b[J"
"""Cursor to the top left, then clear below it (ECMA-48: CUP, ED)."""
SHOWN_SENTENCES = 4
"""Sentences that stay on the screen. Guess."""
SHOWN_SCORE_LINES = 8
"""Last lines of the score sheet that are shown. Guess."""
PRINTED_EFFECTS = (TurnRecorded, RollCalled, OffenceShown, Question, CommandRefused, GameWon)
"""Effects that are printed where there is no screen to redraw."""


class Screen:
    """A Display in the terminal.

    live: redraw in place; otherwise print only the sentences. names: the players' names.
    typing: people may type, so the top line is left to them. speech: how throws and plays are worded.
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
    ) -> None:
        self._out = out
        self.orientation = orientation
        """How the board is drawn. It may change once the place of the home boards is known."""
        self._names = names
        self._live = live
        self._typing = typing
        self._speech = speech
        if live and typing:
            self.ask()
        self._sentences: deque[str] = deque(maxlen=SHOWN_SENTENCES)
        self._drawn = ""
        self.lamps: tuple[Lamp, ...] = ()

    def note(self, effect: Effect) -> None:
        """Show one effect of the referee."""
        if isinstance(effect, LampsChanged):
            self.lamps = effect.lamps
        text = effect_sentence(effect, self._names, self._speech)
        if text is None:
            return
        line = f"{clock_text(effect.t_ms)}  {text}"
        self._sentences.append(line)
        if not self._live and isinstance(effect, PRINTED_EFFECTS):
            print(line, file=self._out, flush=True)

    def say(self, t_ms: int, sentence: str) -> None:
        """Show a sentence that is no effect of the referee."""
        line = f"{clock_text(t_ms)}  {sentence}"
        self._sentences.append(line)
        if not self._live:
            print(line, file=self._out, flush=True)

    def draw(self, state: RefereeState, t_ms: int) -> None:
        """Redraw the screen, if it is one and has changed."""
        if not self._live:
            return
        drawing = self.text(state, t_ms, colour=True)
        if drawing != self._drawn:
            self._drawn = drawing
            self._out.write(_below_typing(drawing) if self._typing else CLEAR_SCREEN + drawing + "\n")
            self._out.flush()

    def close(self) -> None:
        """Leave the cursor below what was drawn."""
        if self._live and self._typing:
            print(f"\x1b[{len(self._drawn.splitlines()) + 2};1H", file=self._out, flush=True)

    def ask(self) -> None:
        """Clear the line in which people type."""
        if self._live and self._typing:
            self._out.write("\x1b[1;1H\x1b[2K> ")
            self._out.flush()

    def text(self, state: RefereeState, t_ms: int, *, colour: bool) -> str:
        """The whole screen as text."""
        board = drawn_board(state.shown, self.orientation)
        return "\n".join(
            [
                f"{self._title(state)}   {clock_text(t_ms)}   {self._turn(state)}",
                render_board(board, to_lights(self.lamps, self.orientation), colour=colour),
                "",
                *self._sentences,
                "",
                *score_sheet(state.record, self._speech)[-SHOWN_SCORE_LINES:],
            ]
        )

    def _title(self, state: RefereeState) -> str:
        """The players, and in a match the score."""
        title = f"{self._names[Player.WHITE]} (White) v. {self._names[Player.BLACK]} (Black)"
        white, black = state.match.score
        return f"{title}   {white}-{black} of {state.match.length}" if state.match.length else title

    def _turn(self, state: RefereeState) -> str:
        """What the game waits for."""
        if state.phase is RefereePhase.BEFORE_ROLL:
            return f"{self._names[state.on_roll]} is to roll"
        if state.phase is RefereePhase.ROLLED:
            dice = f" {state.rolls[0]}" if len(state.rolls) == 1 else ""
            return f"{self._names[state.on_roll]} plays{dice}"
        return str(state.phase.value)


def _below_typing(drawing: str) -> str:
    """The drawing, written from the second line down; the first line and the cursor stay as they are."""
    lines = "".join(f"\x1b[{n};1H{line}\x1b[K" for n, line in enumerate(drawing.split("\n"), start=2))
    return f"\x1b7{lines}\x1b[J\x1b8"


def clock_text(t_ms: int) -> str:
    """Minutes and seconds: 01:23."""
    return f"{t_ms // 60_000:02}:{t_ms // 1000 % 60:02}"
