"""The referee's one function: `step(state, event) -> (state, effects)`, by one table of transitions.

The functions that the table names are in `controller.referee.handlers`, by kind of event.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from controller.referee import priors
from controller.referee.decisions.announcements import effects
from controller.referee.decisions.judging import judge_offence
from controller.referee.decisions.lamps import lamps_to_light
from controller.referee.decisions.support import supported_turns
from controller.referee.effects import Effect
from controller.referee.events import (
    ActionDeclared,
    BoardSeen,
    DonePressed,
    Event,
    GameRestored,
    GameStarted,
    InputEnded,
    MatchBegan,
    PlayTakenBack,
    RollDropped,
    TurnCorrected,
    UndoPressed,
)
from controller.referee.half_turn import HalfTurn
from controller.referee.handlers.board_events import look_at_play, look_before_roll, remember_board
from controller.referee.handlers.game_events import (
    begin_match,
    count_missed_play,
    start_game,
    start_next_game,
)
from controller.referee.handlers.people_events import (
    correct_before_play,
    correct_turn,
    declare_action,
    refuse,
    take_play_back,
)
from controller.referee.handlers.restoring import drop_roll, restore_game
from controller.referee.handlers.roll_events import (
    find_sensor,
    lose_sensor,
    take_dice_before_roll,
    take_dice_in_play,
    take_opening_dice,
    track_dice,
)
from controller.referee.handlers.turn_end import count_complete_play, end_current_turn
from controller.referee.handlers.undoing import undo
from controller.referee.inference.histories import lead_nats
from controller.referee.state import RefereePhase, RefereeState
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from sentences import say


class UnexpectedEventError(ValueError):
    """An event that the table does not list for the phase. The state has not changed."""


JUDGED = BoardSeen | DiceLifted | DonePressed | ActionDeclared | TurnCorrected | PlayTakenBack | UndoPressed
"""Events after which the board is judged anew."""


def step(state: RefereeState, event: Event) -> tuple[RefereeState, tuple[Effect, ...]]:
    """The state after `event`, and the effects to carry out.

    Raises UnexpectedEventError when the table does not list the event for the phase.
    """
    transition = TRANSITIONS[state.phase].get(type(event))
    if transition is None:
        raise UnexpectedEventError(
            say("unexpected_event", event=type(event).__name__, phase=state.phase.value)
        )
    after = transition.take(replace(state, refusal=""), event)
    assert after.phase in (state.phase, *transition.to), f"{event} led from {state.phase} to {after.phase}"
    if isinstance(event, JUDGED):
        after = judge_offence(after, event.t_ms)
    if transition is not IGNORED:
        after = replace(after, supported=supported_turns(after, event))
    after = replace(after, lamps=lamps_to_light(after), recorded=_turns_to_record(after))
    # The effects of a restored game were recorded and shown before.
    return after, () if isinstance(event, GameRestored) else effects(state, after, event.t_ms)


def _turns_to_record(state: RefereeState) -> tuple[HalfTurn, ...]:
    """The half-turns to record. The last one waits until it is sure, or until the game has gone on."""
    sure = state.phase is not RefereePhase.BEFORE_ROLL or (
        state.memory.fully_visible and lead_nats(state.histories) > priors.RECORD_LEAD_NATS
    )
    return state.record if sure else state.recorded


@dataclass(frozen=True)
class Transition:
    """What an event does in a phase, and the other phases that it may lead to."""

    take: Callable[[RefereeState, Any], RefereeState]
    to: tuple[RefereePhase, ...] = ()


def _ignore(state: RefereeState, event: Event) -> RefereeState:
    return state


IGNORED = Transition(_ignore)
"""The event is allowed in this phase and changes nothing."""

Row = dict[type, Transition]

GAME_ENDS = (RefereePhase.BETWEEN, RefereePhase.OVER)
TURN_ENDS = (RefereePhase.BEFORE_ROLL, *GAME_ENDS)
GAME_STARTS = (RefereePhase.OPENING, RefereePhase.BEFORE_ROLL)

ANYWHERE: Row = {
    MatchBegan: Transition(begin_match, (RefereePhase.IDLE,)),
    GameStarted: Transition(start_game, GAME_STARTS),
    SensorLost: Transition(lose_sensor),
    SensorFound: Transition(find_sensor),
}
RESTORES: Row = {GameRestored: Transition(restore_game, (*GAME_STARTS, RefereePhase.ROLLED, *GAME_ENDS))}
IN_PLAY = (RefereePhase.OPENING, RefereePhase.BEFORE_ROLL, RefereePhase.ROLLED)
NOTHING_TO_PLAY: Row = {
    DonePressed: Transition(refuse),
    ActionDeclared: Transition(refuse),
    PlayTakenBack: Transition(refuse),
    InputEnded: IGNORED,
}
AFTER_GAME: Row = {
    **NOTHING_TO_PLAY,
    TurnCorrected: Transition(correct_turn),
    UndoPressed: Transition(undo, IN_PLAY),
}


def _dice(take: Callable[[RefereeState, Any], RefereeState], *to: RefereePhase) -> Row:
    return dict.fromkeys((DiceMoving, DiceSettled, DiceLifted), Transition(take, to))


TRANSITIONS: dict[RefereePhase, Row] = {
    RefereePhase.IDLE: {
        **ANYWHERE,
        **RESTORES,
        **_dice(track_dice),
        BoardSeen: Transition(remember_board),
        **NOTHING_TO_PLAY,
        TurnCorrected: Transition(correct_before_play),
        UndoPressed: Transition(undo),
    },
    RefereePhase.OPENING: {
        **ANYWHERE,
        **_dice(take_opening_dice, RefereePhase.ROLLED, RefereePhase.BEFORE_ROLL),
        BoardSeen: Transition(look_before_roll, TURN_ENDS),
        DonePressed: Transition(refuse),
        ActionDeclared: Transition(declare_action, TURN_ENDS),
        TurnCorrected: Transition(correct_before_play),
        PlayTakenBack: Transition(refuse),
        UndoPressed: Transition(undo, (RefereePhase.BEFORE_ROLL, RefereePhase.ROLLED)),
        InputEnded: Transition(count_missed_play, TURN_ENDS),
    },
    RefereePhase.BEFORE_ROLL: {
        **ANYWHERE,
        **_dice(take_dice_before_roll, RefereePhase.ROLLED, *GAME_ENDS),
        BoardSeen: Transition(look_before_roll, GAME_ENDS),
        DonePressed: Transition(refuse),
        ActionDeclared: Transition(declare_action, (RefereePhase.ROLLED, *GAME_ENDS)),
        TurnCorrected: Transition(correct_turn),
        PlayTakenBack: Transition(take_play_back, (RefereePhase.ROLLED,)),
        UndoPressed: Transition(undo, (RefereePhase.OPENING, RefereePhase.ROLLED)),
        InputEnded: Transition(count_missed_play, GAME_ENDS),
    },
    RefereePhase.ROLLED: {
        **ANYWHERE,
        **_dice(take_dice_in_play, *TURN_ENDS),
        BoardSeen: Transition(look_at_play, TURN_ENDS),
        DonePressed: Transition(end_current_turn, TURN_ENDS),
        ActionDeclared: Transition(declare_action, (RefereePhase.OPENING, *TURN_ENDS)),
        TurnCorrected: Transition(correct_turn),
        PlayTakenBack: Transition(take_play_back),
        UndoPressed: Transition(undo, (RefereePhase.OPENING, RefereePhase.BEFORE_ROLL)),
        RollDropped: Transition(drop_roll, GAME_STARTS),
        InputEnded: Transition(count_complete_play, TURN_ENDS),
    },
    RefereePhase.BETWEEN: {
        **ANYWHERE,
        **RESTORES,
        **_dice(track_dice),
        BoardSeen: Transition(start_next_game, GAME_STARTS),
        **AFTER_GAME,
    },
    RefereePhase.OVER: {
        **ANYWHERE,
        **RESTORES,
        **_dice(track_dice),
        BoardSeen: Transition(remember_board),
        **AFTER_GAME,
    },
}
"""What each event does in each phase. An event that is not listed for a phase raises UnexpectedEventError."""
