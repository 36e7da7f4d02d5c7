"""What people declare at the table, correct in the record, or take back."""

from dataclasses import replace

from controller.referee.events import ActionDeclared, Event, PlayTakenBack, TurnCorrected
from controller.referee.handlers.finished_games import correct_finished_game
from controller.referee.handlers.game_events import with_board_set_up
from controller.referee.handlers.putting_right import PUT_RIGHT, play_again, put_right
from controller.referee.handlers.turn_end import end_current_turn, end_game_if_won
from controller.referee.handlers.undoing import with_word
from controller.referee.inference.corrections import with_correction
from controller.referee.inference.histories import likeliest_history
from controller.referee.state import RefereePhase, RefereeState
from controller.referee.words.refusals import (
    why_no_opening_throw,
    why_not_declared,
    why_nothing_was_played,
)
from controller.rules import Doubled, EditedBoard, IllegalAction
from sentences import say


def declare_action(state: RefereeState, event: ActionDeclared) -> RefereeState:
    """Take a declaration or refuse it. A double by the player not on roll also ends the turn."""
    declared = _declared(state, event)
    return replace(state, refusal=declared.refusal) if declared.refusal else with_word(declared, state)


def refuse(state: RefereeState, event: Event) -> RefereeState:
    """Refuse what cannot be said now: there is no game, or no play that could be over or corrected."""
    return replace(state, refusal=why_nothing_was_played(state))


def correct_turn(state: RefereeState, event: TurnCorrected) -> RefereeState:
    """Correct a half-turn as people say. Their word is final."""
    game = state.game if event.game is None else event.game
    if game != state.game or state.phase in (RefereePhase.BETWEEN, RefereePhase.OVER):
        corrected = correct_finished_game(state, game, event)
        return corrected if corrected.refusal else with_word(corrected, state)
    histories = with_correction(state.histories, event.index, event.position, event.dice)
    if histories is None:
        n_turns = len(state.record)
        return replace(state, refusal=say("no_half_turn_to_correct", number=event.index + 1, n_turns=n_turns))
    if why := why_no_opening_throw(state, event):
        return replace(state, refusal=why)
    return with_word(replace(state, histories=histories), state)


def correct_before_play(state: RefereeState, event: TurnCorrected) -> RefereeState:
    """Nothing was played in this game: correct a half-turn of an earlier one, or refuse."""
    if event.game is not None and event.game != state.game:
        return correct_turn(state, event)
    return refuse(state, event)


def take_play_back(state: RefereeState, event: PlayTakenBack) -> RefereeState:
    """Take back the last play, and with it a throw that followed. Both players have agreed to it."""
    last = likeliest_history(state.histories)
    if last.turn is None or last.turn.dice is None or last.parent is None:
        return replace(state, refusal=say("nothing_to_take_back"))
    return with_word(play_again(state), state)


def _declared(state: RefereeState, event: ActionDeclared) -> RefereeState:
    """The state after a declaration, with a refusal if it is not allowed."""
    action = event.action
    if state.phase is RefereePhase.ROLLED and isinstance(action, Doubled):
        if action.player is state.on_roll:
            return replace(state, refusal=why_not_declared(state, action, say("dice_are_thrown")))
        state = end_current_turn(state, event)
    declared = replace(state, declared=(*state.declared, (len(state.record), action)))
    if isinstance(action, EditedBoard):
        defects = action.position.problems()
        return (
            replace(state, refusal=say("board_impossible", defect=defects[0]))
            if defects and not state.other_rules
            else _set_up_board(declared, action)
        )
    if state.other_rules:
        return replace(state, refusal=say("nobody_doubles", laws=state.rules.laws.name))
    try:
        if type(action) in PUT_RIGHT:
            return put_right(state, event)
        game = state.match.game
        for played in declared.actions:
            game = game.push(played)
    except IllegalAction as error:
        return replace(state, refusal=why_not_declared(state, action, str(error)))
    return end_game_if_won(declared)


def _set_up_board(state: RefereeState, action: EditedBoard) -> RefereeState:
    """Set up the board that people describe, with the player whom they name on roll."""
    history = with_board_set_up(likeliest_history(state.histories), action.position, action.on_roll)
    set_up = replace(state, phase=RefereePhase.BEFORE_ROLL, histories=(history,), rolls=(), untouched=True)
    return end_game_if_won(set_up)
