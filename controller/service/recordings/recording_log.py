"""Logs a recording that is played back, as the service logs a live match."""

from collections.abc import Sequence

from controller.commands.people_commands import Command
from controller.record.journal import KINDS, effect_payload
from controller.record.keeper import SAID_KIND, STARTED_KIND, NoteRow, started_payload
from controller.referee import Effect, GameStarted, RefereeState
from controller.service.restore import RestartNotes, said_row


class RecordingLog:
    """Gives the rows of the match's log to `note_row`.

    state: before the recording.
    """

    def __init__(self, note_row: NoteRow, state: RefereeState) -> None:
        self._note_row = note_row
        self._state = state
        self._restart_notes = RestartNotes(note_row, state)
        self._t_ms = 0

    def note_state(self, state: RefereeState) -> None:
        """Take the state after an event, before its effects."""
        self._state = state

    def keep(self, effects: Sequence[Effect]) -> None:
        """Log the effects of an event, and what they change in the record."""
        for effect in effects:
            self._t_ms = effect.t_ms
            self._note_row(effect.t_ms, KINDS[type(effect)], effect_payload(effect))
        self._restart_notes.note(self._state, self._t_ms)

    def note_command(self, command: Command, before: RefereeState) -> None:
        """Log what people said. before: the state before it."""
        if isinstance(command.event, GameStarted):
            started = started_payload(command.event.position, command.event.on_roll)
            self._note_row(command.t_ms, STARTED_KIND, started)
        elif row := said_row(command, before, self._state):
            self._note_row(command.t_ms, SAID_KIND, row)
