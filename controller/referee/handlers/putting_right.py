"""Mistakes at the table that people put right as far as the laws allow."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.referee.events import ActionDeclared
from controller.referee.handlers.game_events import histories_at_start, with_board_set_up
from controller.referee.inference.histories import likeliest_history, pruned
from controller.referee.inference.roll_evidence import RollEvidence
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import (
    AgreedToAlter,
    Game,
    NullThrow,
    PutBackUp,
    RequiredRightNumber,
    Rolled,
)


def put_right(state: RefereeState, event: ActionDeclared) -> RefereeState:
    """The state after one of `PUT_RIGHT` was declared. Raises IllegalAction where the laws forbid it."""
    if isinstance(event.action, RequiredRightNumber | AgreedToAlter):
        if _is_being_played_wrongly(state):
            return state
        state = _with_reported_dice(state)
    game = state.match.game
    for done in (*state.actions, *_roll_in_play(state), event.action):
        game = game.push(done)
    return PUT_RIGHT[type(event.action)](state, event.action, game)


def _is_being_played_wrongly(state: RefereeState) -> bool:
    """Whether the wrong play is not over yet. Then the player can simply change it."""
    shown = state.offence
    return state.phase is RefereePhase.ROLLED and shown is not None and shown.index == len(state.record)


def _with_reported_dice(state: RefereeState) -> RefereeState:
    """The last play with the reported dice: people call it wrong, so no misreported die explains it."""
    top = likeliest_history(state.histories)
    turn, parent = top.turn, top.parent
    if turn is None or parent is None or not turn.dice_inferred or state.last_sensor_roll is None:
        return state
    n_turns, dice = state.last_sensor_roll
    if n_turns != len(state.record):
        return state
    wrong = replace(turn, dice=dice, dice_inferred=False, legal=False, words="", turn_state=None)
    return replace(state, histories=(parent.after_turn(wrong, top.past_weight, top.log_likelihood),))


def _roll_in_play(state: RefereeState) -> tuple[Rolled, ...]:
    if state.phase is not RefereePhase.ROLLED or not state.rolls:
        return ()
    return (Rolled(player=state.on_roll, dice=state.rolls[0]),)


def _alter_play(state: RefereeState, action: RequiredRightNumber | AgreedToAlter, game: Game) -> RefereeState:
    """Take the wrong play back."""
    return play_again(state)


def play_again(state: RefereeState) -> RefereeState:
    """Take the last half-turn back. Its player plays the same roll again, and a throw since is void."""
    wrong = likeliest_history(state.histories).turn
    assert wrong is not None, "the game has taken a play back"
    assert wrong.dice is not None, "it was a play of a throw"
    before = [
        history.parent
        for history in state.histories
        if history.parent and history.turn and history.turn.player is wrong.player
    ]
    return replace(
        state,
        phase=RefereePhase.ROLLED,
        histories=pruned(before),
        rolls=(wrong.dice,),
        from_opening=False,
        tray=state.tray.spent(),
        roll_evidence=RollEvidence(),
        full_view=state.memory if state.memory.fully_visible else None,
        untouched=False,
        offences_shown=state.offences_shown - {len(state.record) - 1},
    )


def _throw_again(state: RefereeState, action: NullThrow, game: Game) -> RefereeState:
    """Declare the dice that lie there void. If they are an opening throw, both players throw again."""
    declared = replace(
        state,
        declared=(*state.declared, (len(state.record), action)),
        tray=state.tray.spent(),
        roll_evidence=RollEvidence(),
    )
    if state.phase is not RefereePhase.ROLLED or action.player is not state.on_roll:
        return declared
    back = replace(declared, rolls=(), untouched=True, disturbed=True)
    if not state.from_opening:
        return replace(back, phase=RefereePhase.BEFORE_ROLL)
    # A game that began without all its men has not begun after all.
    lying = likeliest_history(state.histories).root.position
    start = state.match.laws.start if state.joined else lying
    return replace(
        back,
        phase=RefereePhase.OPENING,
        from_opening=False,
        joined=None,
        histories=histories_at_start(state, start, None),
    )


def _put_back_up(state: RefereeState, action: PutBackUp, game: Game) -> RefereeState:
    """Put men on the bar that were borne off while another was there. The game goes on."""
    top = likeliest_history(state.histories)
    return replace(
        state,
        histories=(with_board_set_up(top, game.position, top.on_roll),),
        declared=(*state.declared, (len(state.record), action)),
    )


PUT_RIGHT: dict[type, Callable[[RefereeState, Any, Game], RefereeState]] = {
    RequiredRightNumber: _alter_play,
    AgreedToAlter: _alter_play,
    NullThrow: _throw_again,
    PutBackUp: _put_back_up,
}
"""What each declaration does once the laws allow it."""
