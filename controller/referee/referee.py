"""The referee's one function: `step(state, event) -> (state, effects)`, by one table of transitions.

The functions that the table names are in `controller.referee.handlers`, by kind of event.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from controller.referee.decisions.announcements import effects
from controller.referee.decisions.judging import judge_offence, lamps_to_light
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
    RollDropped,
    TurnCorrected,
)
from controller.referee.half_turn import HalfTurn
from controller.referee.handlers.board_events import look_at_play, look_before_roll, remember_board
from controller.referee.handlers.game_events import (
    begin_match,
    count_complete_play,
    count_missed_play,
    start_game,
    start_next_game,
)
from controller.referee.handlers.people_events import correct_turn, declare_action
from controller.referee.handlers.restoring import drop_roll, restore_game
from controller.referee.handlers.roll_events import (
    find_sensor,
    lose_sensor,
    take_dice_before_roll,
    take_dice_in_play,
    take_opening_dice,
    track_dice,
)
from controller.referee.handlers.turn_end import end_current_turn
from controller.referee.inference.histories import lead_nats
from controller.referee.priors import RECORD_LEAD_NATS
from controller.referee.state import RefereePhase, RefereeState
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost


class UnexpectedEventError(ValueError):
    """An event that the table does not list for the phase. The state has not changed."""


def step(state: RefereeState, event: Event) -> tuple[RefereeState, tuple[Effect, ...]]:
    """The state after `event`, and what is to be done about it.

    Raises UnexpectedEventError when the table does not list the event for the phase.
    """
    transition = TRANSITIONS[state.phase].get(type(event))
    if transition is None:
        raise UnexpectedEventError(f"{type(event).__name__} cannot happen in the phase {state.phase.value!r}")
    after = transition.take(replace(state, refusal=""), event)
    assert after.phase in (state.phase, *transition.to), f"{event} led from {state.phase} to {after.phase}"
    if isinstance(event, BoardSeen | DiceLifted | DonePressed | ActionDeclared | TurnCorrected):
        after = judge_offence(after, event.t_ms)
    if transition is not IGNORED:
        after = replace(after, supported=supported_turns(after, event))
    after = replace(after, lamps=lamps_to_light(after), recorded=_turns_to_record(after))
    # What a log restores was recorded and shown before.
    return after, () if isinstance(event, GameRestored) else effects(state, after, event.t_ms)


def _turns_to_record(state: RefereeState) -> tuple[HalfTurn, ...]:
    """The half-turns to record. The last one waits until it is sure, or until the game has gone past it."""
    sure = state.phase is not RefereePhase.BEFORE_ROLL or (
        state.memory.fully_visible and lead_nats(state.histories) > RECORD_LEAD_NATS
    )
    return state.record if sure else state.recorded


@dataclass(frozen=True)
class Transition:
    """What an event does in a phase, and the phases it may lead to besides staying."""

    take: Callable[[RefereeState, Any], RefereeState]
    to: tuple[RefereePhase, ...] = ()


def _ignore(state: RefereeState, event: Event) -> RefereeState:
    return state


IGNORED = Transition(_ignore)
"""The event may come in this phase, and changes nothing."""

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
NOTHING_TO_PLAY: Row = {
    DonePressed: IGNORED,
    ActionDeclared: IGNORED,
    TurnCorrected: IGNORED,
    InputEnded: IGNORED,
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
    },
    RefereePhase.OPENING: {
        **ANYWHERE,
        **_dice(take_opening_dice, RefereePhase.ROLLED),
        BoardSeen: Transition(look_before_roll, TURN_ENDS),
        DonePressed: IGNORED,
        ActionDeclared: Transition(declare_action, TURN_ENDS),
        TurnCorrected: IGNORED,
        InputEnded: Transition(count_missed_play, TURN_ENDS),
    },
    RefereePhase.BEFORE_ROLL: {
        **ANYWHERE,
        **_dice(take_dice_before_roll, RefereePhase.ROLLED, *GAME_ENDS),
        BoardSeen: Transition(look_before_roll, GAME_ENDS),
        DonePressed: IGNORED,
        ActionDeclared: Transition(declare_action, (RefereePhase.ROLLED, *GAME_ENDS)),
        TurnCorrected: Transition(correct_turn),
        InputEnded: Transition(count_missed_play, GAME_ENDS),
    },
    RefereePhase.ROLLED: {
        **ANYWHERE,
        **_dice(take_dice_in_play, *TURN_ENDS),
        BoardSeen: Transition(look_at_play),
        DonePressed: Transition(end_current_turn, TURN_ENDS),
        ActionDeclared: Transition(declare_action, (RefereePhase.OPENING, *TURN_ENDS)),
        TurnCorrected: Transition(correct_turn),
        RollDropped: Transition(drop_roll, GAME_STARTS),
        InputEnded: Transition(count_complete_play, TURN_ENDS),
    },
    RefereePhase.BETWEEN: {
        **ANYWHERE,
        **RESTORES,
        **_dice(track_dice),
        BoardSeen: Transition(start_next_game, GAME_STARTS),
        **NOTHING_TO_PLAY,
    },
    RefereePhase.OVER: {
        **ANYWHERE,
        **RESTORES,
        **_dice(track_dice),
        BoardSeen: Transition(remember_board),
        **NOTHING_TO_PLAY,
    },
}
"""What each event does in each phase. An event that is not listed for a phase raises UnexpectedEventError."""
