"""Carries out the lines that people type, or says in one sentence why it cannot.

A correction that is not harmless waits: people are first shown what it would change. It counts once they
have chosen their word over the board.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from controller.commands.people_commands import CommandError, parse_command
from controller.commands.typed_commands import GAME_HELP, Names, course_of, help_lines, parse_typed_command
from controller.referee import (
    ActionDeclared,
    DonePressed,
    Event,
    GameStarted,
    PlayTakenBack,
    Question,
    RefereePhase,
    RefereeState,
    TurnCorrected,
    UndoPressed,
    step,
)
from controller.referee.inference.corrections import CorrectionPreview, preview_correction
from controller.referee.words.sentences import correction_question, declared_sentence
from controller.service.display import Asked, Display
from sentences import Key, say

Data = Mapping[str, Any]
BOARD_WORDS, OWN_WORDS = ("1", "board", "keep board"), ("2", "word", "keep word")
"""How people choose between the board and their correction."""
CHOICE_WORDS = {*BOARD_WORDS, *OWN_WORDS} - {"1", "2"}
"""Those that answer no other question."""
PAUSE_WORDS = {"pause": True, "go on": False}
"""How people pause the game, and how they go on with it."""


class Table(Protocol):
    """Where commands are carried out."""

    @property
    def state(self) -> RefereeState:
        """The referee's state."""

    @property
    def is_paused(self) -> bool:
        """Whether the game is paused until people say to go on."""

    def handle_command(self, data: Data) -> None:
        """Carry out a command in the form of events.jsonl."""

    def set_paused(self, is_paused: bool) -> None:
        """Pause the game, or go on with it."""


class Conversation:
    """The lines that people type during one match.

    names: of the players. more: what else may be typed, and what it means.
    """

    def __init__(
        self, table: Table, display: Display, names: Names, more: Sequence[tuple[str, Key]] = ()
    ) -> None:
        self._table = table
        self._display = display
        self._names = names
        self._more = more
        self._question: Question | None = None
        self._waiting: tuple[Data, int, CorrectionPreview] | None = None
        """The correction that waits for a choice between board and word."""
        self.has_quit = False

    @property
    def asked(self) -> Asked:
        """What people are asked now."""
        correction = self._waiting[1:] if self._waiting else None
        return Asked(question=self._question, correction=correction, is_paused=self._table.is_paused)

    def note_question(self, question: Question) -> None:
        """From now on a typed number answers this question."""
        self._question = question

    def handle_line(self, line: str, t_ms: int) -> None:
        """Carry out a line, or say why it cannot be."""
        words = " ".join(line.lower().split())
        if words == "" or words in ("more", "next"):
            self._display.turn_page()
        elif words in ("help", "?"):
            self._display.show_pages(help_lines((*GAME_HELP, *self._more)))
        elif words in ("quit", "exit"):
            self._display.say(t_ms, say("stopping"))
            self.has_quit = True
        elif words in PAUSE_WORDS:
            self._pause(PAUSE_WORDS[words], t_ms)
        elif self._waiting is not None and words in (*BOARD_WORDS, *OWN_WORDS):
            (data, *_), self._waiting = self._waiting, None
            if words in OWN_WORDS:
                self._carry_out({**data, "t_ms": t_ms})
            else:
                self._display.say(t_ms, say("board_kept"))
        elif self._waiting is None and words in CHOICE_WORDS:
            self._display.say(t_ms, say("cannot_be_done", problem=say("choice_is_gone")))
        else:
            self._waiting = None
            self._handle_command_line(line, t_ms)

    def _pause(self, is_paused: bool, t_ms: int) -> None:
        if is_paused is not self._table.is_paused:
            self._table.set_paused(is_paused)
            self._display.say(t_ms, say("game_paused") if is_paused else say("game_goes_on"))
            return
        problem = say("is_paused_already") if is_paused else say("is_not_paused")
        self._display.say(t_ms, say("cannot_be_done", problem=problem))

    def _handle_command_line(self, line: str, t_ms: int) -> None:
        state = self._table.state
        more = [typed for typed, _ in self._more]
        try:
            data = {**parse_typed_command(line, state, self._question, self._names, more), "t_ms": t_ms}
            event = parse_command(data)
        except CommandError as problem:
            self._display.say(t_ms, say("cannot_be_done", problem=problem))
            return
        if self._table.is_paused and not isinstance(event, TurnCorrected | UndoPressed):
            self._display.say(t_ms, say("cannot_be_done", problem=say("is_paused")))
            return
        if isinstance(event, TurnCorrected):
            preview = previewed(state, event)
            if preview and not preview.is_harmless:
                self._waiting = data, event.index, preview
                self._display.say(t_ms, correction_question(preview, event.index))
                return
        self._carry_out(data)

    def _carry_out(self, data: Data) -> None:
        """Carry out a command, and answer where the effects of the referee say nothing.

        A declaration is told before its effects: the game is won after a resignation was accepted.
        """
        before, event = self._table.state, parse_command(data)
        if isinstance(event, ActionDeclared):
            self._tell_answer(event, before, step(before, event)[0])
        self._table.handle_command(data)
        if isinstance(event, TurnCorrected):
            self._question = None
        if not isinstance(event, ActionDeclared):
            self._tell_answer(event, before, self._table.state)

    def _tell_answer(self, event: Event, before: RefereeState, after: RefereeState) -> None:
        answer = None if after.refusal else _answer(event, before, after, self._names)
        if answer is not None:
            self._display.say(event.t_ms, answer)


def previewed(state: RefereeState, event: TurnCorrected) -> CorrectionPreview | None:
    """What a correction would change; None when there is nothing to correct."""
    course = course_of(state, event.game)
    if course is None:
        return None
    on_board = event.game in (None, state.game)
    histories = state.histories if on_board else (course,)
    is_seen = on_board and state.untouched and state.phase is RefereePhase.BEFORE_ROLL
    memory = state.memory if is_seen else None
    return preview_correction(histories, event.index, event.position, memory, event.dice)


def _answer(event: Event, before: RefereeState, after: RefereeState, names: Names) -> str | None:
    """What to say of a command that was carried out; None when its effects say enough."""
    match event:
        case GameStarted():
            return say("game_begins")
        case UndoPressed():
            return say("word_undone")
        case PlayTakenBack():
            return say("play_taken_back", name=names[after.on_roll], roll=after.rolls[0])
        case DonePressed() if after.histories and not after.outcome:
            return say("turn_is_over", name=names[after.on_roll])
        case ActionDeclared(action=action):
            game = after.match.games[-1] if after.outcome and after.match.games else after.game_by_rules
            return declared_sentence(action, game, names)
        case TurnCorrected(index=index, game=game):
            then, now = course_of(before, game), course_of(after, game)
            if then and now and now.turns[index] == then.turns[index]:
                return say("stays_so", number=index + 1, play=now.turns[index].play)
    return None
