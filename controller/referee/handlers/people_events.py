"""What people declare at the table or correct in the record."""

from dataclasses import replace

from controller.referee.events import ActionDeclared, TurnCorrected
from controller.referee.handlers.putting_right import PUT_RIGHT, put_right
from controller.referee.handlers.turn_end import end_current_turn, end_game_if_won
from controller.referee.inference.corrections import with_correction
from controller.referee.inference.histories import History, likeliest_history
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import Doubled, EditedBoard, IllegalAction


def declare_action(state: RefereeState, event: ActionDeclared) -> RefereeState:
    """A double by the player not on roll also says that the turn is over."""
    action = event.action
    if (
        state.phase is RefereePhase.ROLLED
        and isinstance(action, Doubled)
        and action.player is not state.on_roll
    ):
        state = end_current_turn(state, event)
    declared = replace(state, declared=(*state.declared, (len(state.record), action)))
    if isinstance(action, EditedBoard):
        return _set_up_board(declared, action)
    if state.other_rules:
        return replace(state, refusal=f"By {state.rules.laws.name} nobody doubles or resigns here.")
    try:
        if type(action) in PUT_RIGHT:
            return put_right(state, event)
        game = state.match.game
        for played in declared.actions:
            game = game.push(played)
    except IllegalAction as error:
        return replace(state, refusal=f"That cannot be: {error}.")
    return end_game_if_won(declared)


def correct_turn(state: RefereeState, event: TurnCorrected) -> RefereeState:
    """People's word about a half-turn is final."""
    histories = with_correction(state.histories, event.index, event.position)
    if histories is None:
        n_turns = len(state.record)
        why = f"There is no half-turn {event.index + 1} to correct: {n_turns} have been played."
        return replace(state, refusal=why)
    return replace(state, histories=histories)


def _set_up_board(state: RefereeState, action: EditedBoard) -> RefereeState:
    """People say how the board lies now and who throws."""
    top = likeliest_history(state.histories)
    turn_state = replace(top.turn_state.on_board(action.position), on_roll=action.on_roll, choosing=False)
    history = replace(History.starting_from(turn_state, state.rules), parent=top)
    return replace(state, phase=RefereePhase.BEFORE_ROLL, histories=(history,), rolls=(), untouched=True)
