"""Which half-turns the pictures support, and which follow only from the dice and the rules."""

from controller.referee.events import Event, GameRestored, TurnCorrected
from controller.referee.state import RefereeState


def supported_turns(state: RefereeState, event: Event) -> frozenset[int]:
    """The half-turns (from 0) that a picture supports, after `event` led to `state`.

    A picture supports the last half-turn if it was taken after the one before had ended and shows the board
    after the play rather than before it, or if nothing moved. A correction supports its half-turn as well.
    """
    if isinstance(event, GameRestored):
        return frozenset(index for index, turn in enumerate(event.turns) if not turn.unseen)
    supported = state.supported
    if isinstance(event, TurnCorrected) and event.game in (None, state.game) and not state.refusal:
        supported |= {event.index}
    if not state.histories:
        return supported
    top = state.likeliest
    last, seen_ms = len(top.turns) - 1, state.memory.t_ms
    if top.turn is None or top.parent is None or last in supported or seen_ms is None:
        return supported
    if top.parent.turn is not None and seen_ms <= top.parent.turn.t_ms:
        return supported
    shown, states = state.evidence, top.place_states
    shows_play = shown.log_likelihood(top.position, states) > shown.log_likelihood(top.before, states)
    return supported | {last} if shows_play or top.position == top.before else supported
