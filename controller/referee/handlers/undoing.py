"""Undoing what people said last."""

from dataclasses import replace

from controller.referee import priors
from controller.referee.events import UndoPressed
from controller.referee.inference.corrections import with_later_turns
from controller.referee.inference.histories import likeliest_history
from controller.referee.state import RefereeState, Word
from sentences import say


def with_word(after: RefereeState, before: RefereeState) -> RefereeState:
    """`after`, the state after people said something, with `before` kept for `undo` to go back to."""
    word = Word(replace(before, words=(), refusal=""), len(after.record), after.rolls)
    return replace(after, words=(*before.words, word)[-priors.MOST_WORDS :])


def undo(state: RefereeState, event: UndoPressed) -> RefereeState:
    """The state before people's last word. Half-turns played after a correction keep their boards."""
    if not state.words:
        return replace(state, refusal=say("nothing_to_undo"))
    word, words = state.words[-1], state.words[:-1]
    if _nothing_followed(state, word):
        back = replace(
            word.before,
            memory=state.memory,
            full_view=state.full_view,
            tray=state.tray if word.before.tray == state.tray else word.before.tray,
            sensor=state.sensor,
        )
        return replace(back, words=words, lamps=state.lamps, recorded=state.recorded)
    if _is_correction(state, word):
        later = state.record[word.n_turns :]
        course = with_later_turns(likeliest_history(word.before.histories), later)
        return replace(state, histories=(course,), finished=word.before.finished, words=words)
    return replace(state, refusal=say("correct_by_number"))


def _nothing_followed(state: RefereeState, word: Word) -> bool:
    """Whether nothing has been played or thrown since the word."""
    same_game = state.game == word.before.game
    return same_game and len(state.record) == word.n_turns and state.rolls == word.rolls


def _is_correction(state: RefereeState, word: Word) -> bool:
    """Whether the word changed only what was played, and nothing that later declarations rest on."""
    before = word.before
    return (
        len(before.record) == word.n_turns
        and before.phase not in (before.phase.BETWEEN, before.phase.OVER)
        and before.declared == state.declared[: len(before.declared)]
        and all(n > word.n_turns for n, _ in state.declared[len(before.declared) :])
    )
