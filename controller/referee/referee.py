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
from controller.referee.handlers import people_events
from controller.referee.handlers.board_events import look_at_play, look_before_roll, remember_board
from controller.referee.handlers.game_events import (
    begin_match,
    drop_roll,
    restore_game,
    start_game,
    start_next_game,
)
from controller.referee.handlers.roll_events import (
    find_sensor,
    lose_sensor,
    take_dice_before_roll,
    take_dice_in_play,
    track_dice,
)
from controller.referee.handlers.turn_end import count_complete_play, count_missed_play, end_current_turn
from controller.referee.inference.histories import lead_nats
from controller.referee.state import RefereePhase, RefereeState
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from sentences import say


class UnexpectedEventError(ValueError):
    """An event that the table does not list for the phase. The state has not changed."""


SAID = ActionDeclared | TurnCorrected | PlayTakenBack
"""What people say and can undo."""

JUDGED = SAID | BoardSeen | DiceLifted | DonePressed | UndoPressed
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
    state = replace(state, refusal="")
    after = transition.take(state, event)
    if isinstance(event, SAID):
        after = people_events.with_word(after, state)
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


IGNORED = Transition(lambda state, event: state)
"""The event is allowed in this phase and changes nothing."""

REFUSED = Transition(people_events.refuse)
"""People are told that there is nothing that they could mean."""

Row = dict[type, Transition]

GAME_ENDS = (RefereePhase.BETWEEN, RefereePhase.OVER)
TURN_ENDS = (RefereePhase.BEFORE_ROLL, *GAME_ENDS)
GAME_STARTS = (RefereePhase.OPENING, RefereePhase.BEFORE_ROLL)
IN_PLAY = (*GAME_STARTS, RefereePhase.ROLLED)


def _dice(take: Callable[[RefereeState, Any], RefereeState], *to: RefereePhase) -> Row:
    return dict.fromkeys((DiceMoving, DiceSettled, DiceLifted), Transition(take, to))


ANYWHERE: Row = {
    MatchBegan: Transition(begin_match, (RefereePhase.IDLE,)),
    GameStarted: Transition(start_game, GAME_STARTS),
    SensorLost: Transition(lose_sensor),
    SensorFound: Transition(find_sensor),
    **_dice(track_dice),
    BoardSeen: Transition(remember_board),
    DonePressed: REFUSED,
    ActionDeclared: REFUSED,
    TurnCorrected: Transition(people_events.correct_turn),
    PlayTakenBack: REFUSED,
    UndoPressed: Transition(people_events.undo, IN_PLAY),
    InputEnded: IGNORED,
}
"""What an event does in every phase that does not say otherwise."""

OUT_OF_PLAY: Row = {**ANYWHERE, GameRestored: Transition(restore_game, (*IN_PLAY, *GAME_ENDS))}

TRANSITIONS: dict[RefereePhase, Row] = {
    RefereePhase.IDLE: {
        **OUT_OF_PLAY,
        UndoPressed: Transition(people_events.undo),
    },
    RefereePhase.OPENING: {
        **ANYWHERE,
        **_dice(take_dice_before_roll, RefereePhase.ROLLED, RefereePhase.BEFORE_ROLL),
        BoardSeen: Transition(look_before_roll, TURN_ENDS),
        ActionDeclared: Transition(people_events.declare_action, TURN_ENDS),
        UndoPressed: Transition(people_events.undo, (RefereePhase.BEFORE_ROLL, RefereePhase.ROLLED)),
        InputEnded: Transition(count_missed_play, TURN_ENDS),
    },
    RefereePhase.BEFORE_ROLL: {
        **ANYWHERE,
        **_dice(take_dice_before_roll, RefereePhase.ROLLED, *GAME_ENDS),
        BoardSeen: Transition(look_before_roll, GAME_ENDS),
        ActionDeclared: Transition(people_events.declare_action, (RefereePhase.ROLLED, *GAME_ENDS)),
        PlayTakenBack: Transition(people_events.take_play_back, (RefereePhase.ROLLED,)),
        UndoPressed: Transition(people_events.undo, (RefereePhase.OPENING, RefereePhase.ROLLED)),
        InputEnded: Transition(count_missed_play, GAME_ENDS),
    },
    RefereePhase.ROLLED: {
        **ANYWHERE,
        **_dice(take_dice_in_play, *TURN_ENDS),
        BoardSeen: Transition(look_at_play, TURN_ENDS),
        DonePressed: Transition(end_current_turn, TURN_ENDS),
        ActionDeclared: Transition(people_events.declare_action, (RefereePhase.OPENING, *TURN_ENDS)),
        PlayTakenBack: Transition(people_events.take_play_back),
        UndoPressed: Transition(people_events.undo, GAME_STARTS),
        RollDropped: Transition(drop_roll, GAME_STARTS),
        InputEnded: Transition(count_complete_play, TURN_ENDS),
    },
    RefereePhase.BETWEEN: {
        **OUT_OF_PLAY,
        BoardSeen: Transition(start_next_game, GAME_STARTS),
    },
    RefereePhase.OVER: OUT_OF_PLAY,
}
"""What each event does in each phase. An event that is not listed for a phase raises UnexpectedEventError."""
