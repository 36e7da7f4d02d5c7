"""The effect of a picture of the board on the state: it weighs the histories and finds missed rolls."""

from dataclasses import replace
from itertools import chain

from controller.referee import priors
from controller.referee.events import BoardSeen
from controller.referee.handlers.turn_end import count_complete_play, end_game_if_surely_won, end_game_if_won
from controller.referee.inference.belief import reweigh, with_upset_paid
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import (
    BoardMemory,
    looks_otherwise,
    rests_otherwise,
    updated_memory,
)
from controller.referee.inference.histories import History, likeliest_history, pruned
from controller.referee.inference.inferred_turns import infer_turns
from controller.referee.inference.missed_rolls import with_missed_rolls
from controller.referee.inference.roll_evidence import RollEvidence, any_roll
from controller.referee.state import RefereePhase, RefereeState


def look_before_roll(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Weigh the last half-turn again. A settled board that does not fit it may show a missed roll.

    If a half-read roll lies there and has been played, the board shows its play, and nothing is weighed.
    """
    before = state.memory
    state = remember_board(state, event)
    if not state.sensor:
        return _infer_turns(state)
    if state.half_read_is_played:
        return state
    if not state.disturbed and before.lay_still and _is_touched(before, state.memory):
        state = weigh_for_good(state, before)
        state = replace(state, histories=with_upset_paid(state.histories), disturbed=True)
    state = _reweigh(state)
    if state.is_settled and _is_not_set_up(state):
        state = replace(weigh_for_good(state, state.memory), disturbed=False)
    if not state.is_settled or not _may_have_played(state):
        return state
    otherwise = state.memory.played_ms > state.inferred_ms
    at_rest = tuple(history.at_rest(otherwise=otherwise) for history in state.histories)
    state = with_missed_rolls_seen(replace(state, histories=at_rest, inferred_ms=state.memory.changed_ms))
    if state.likeliest.turn:
        state = replace(state, phase=RefereePhase.BEFORE_ROLL)
    return end_game_if_surely_won(state)


def with_missed_rolls_seen(state: RefereeState, *, next_reported: bool = False) -> RefereeState:
    """Consider that a roll was missed after the last half-turn and played as the last view shows.

    next_reported: the next roll has been reported.
    """
    memory = state.memory
    if memory.t_ms is None or memory.t_ms <= state.ended_ms:
        return state
    if not memory.fully_visible or not _may_have_played(state):
        return state
    # While a roll is in play, pictures show only this one.
    seen = RollEvidence() if state.rolls else state.roll_evidence
    throws = any_roll(seen, ties=not state.ties_are_void)
    last, roll = state.likeliest.turn, seen.trusted_roll
    histories = with_missed_rolls(
        state.histories,
        throws,
        state.evidence,
        memory.t_ms,
        thrown=roll is not None and (last is None or roll != last.dice),
        ended_ms=state.ended_ms,
        next_reported=next_reported,
    )
    return replace(state, histories=histories)


def look_at_play(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Weigh the last half-turn again until the player on roll touches the board.

    Without a sensor, a complete play that lies still is over.
    """
    before = state.memory
    state = remember_board(state, event)
    turn_state = state.likeliest.turn_state
    if turn_state.choosing:
        state.rules.find_ahead(turn_state, state.rolls)
    elif not state.sensor and state.is_settled:
        # The sensor was lost, so no die will end the turn.
        state = count_complete_play(state, event)
        if state.phase is not RefereePhase.ROLLED:
            return state
    if not state.untouched:
        return state
    if _is_touched(before, state.memory) or looks_otherwise(before, state.memory):
        return replace(state, untouched=False)
    state = _reweigh(state)
    if state.is_settled:
        state = with_missed_rolls_seen(state)
    return weigh_for_good(state, state.memory)


def weigh_for_good(state: RefereeState, view: BoardMemory) -> RefereeState:
    """Weigh `view` for good. From now on the board is evidence of what is played next.

    No view counts before the board is set up, or for a half-turn that ended after the view.
    """
    if not view.fully_visible:
        return state
    evidence = BoardEvidence(now=view)
    weighed = [
        one.weighed(evidence, may_be_upset=state.disturbed) if _is_shown(one, view) else one
        for one in state.histories
    ]
    top = likeliest_history(weighed)
    if top.turn is None and top.log_likelihood <= priors.BOARD_UPSET_NATS:
        return state
    counted = (
        one.weighed_for_good(evidence)
        if _is_shown(one, view) and one.log_likelihood > priors.BOARD_UPSET_NATS
        else (one,)
        for one in weighed
    )
    return replace(state, histories=pruned(chain.from_iterable(counted)))


def _is_shown(history: History, view: BoardMemory) -> bool:
    """Whether a view not yet weighed for good shows what the last half-turn left."""
    ended_ms = history.turn.t_ms if history.turn else -1
    return history.place_states.look.t_ms != view.t_ms and (view.t_ms or 0) >= ended_ms


def remember_board(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Keep what one picture shows of the board and the dice."""
    memory = updated_memory(state.memory, event)
    return replace(
        state,
        memory=memory,
        full_view=memory if memory.fully_visible else state.full_view,
        roll_evidence=state.roll_evidence if memory.hand else state.roll_evidence.with_picture(event.dice),
    )


def _infer_turns(state: RefereeState) -> RefereeState:
    """Without a dice sensor, every settled board may show more of a play, or the next play."""
    memory = state.memory
    came_ms = _came_ms(state) if state.is_settled else None
    if came_ms is None:
        return state
    if not _may_have_played(state):
        state = replace(state, histories=tuple(one.weighed(state.evidence) for one in state.histories))
        return weigh_for_good(state, memory)
    histories = infer_turns(state.histories, memory, max(state.inferred_ms, 0), came_ms)
    state = replace(state, histories=histories, inferred_ms=came_ms)
    if state.likeliest.turn or state.likeliest.lying_board:
        state = replace(state, phase=RefereePhase.BEFORE_ROLL)
    return end_game_if_won(state) if state.likeliest.is_over else state


def _came_ms(state: RefereeState) -> int | None:
    """When the board last came to look as it does now; None if that was weighed already.

    A doubtful place may look different without contradicting what it was read as before. It counts once two
    pictures agree.
    """
    memory, weighed = state.memory, state.likeliest.place_states.look
    if memory.changed_ms > state.inferred_ms:
        return memory.changed_ms
    return memory.t_ms if rests_otherwise(weighed, memory) else None


def _reweigh(state: RefereeState) -> RefereeState:
    """Weigh the last half-turn again. The board is evidence of its result until somebody plays."""
    memory = state.memory
    if not state.untouched or memory.n_visible < state.n_visible:
        return state
    evidence = BoardEvidence(now=memory, full_view=memory)
    histories = reweigh(
        state.histories,
        evidence,
        state.last_roll_evidence,
        rolled_ms=state.rolled_ms,
        disturbed=state.disturbed,
        changed=memory.changed_ms != state.reconsidered_ms,
    )
    looked_ms = memory.changed_ms if memory.fully_visible else state.reconsidered_ms
    return replace(state, histories=histories, n_visible=memory.n_visible, reconsidered_ms=looked_ms)


def _may_have_played(state: RefereeState) -> bool:
    """Whether a play may have been made without a reported roll.

    Not before the board is set up, nor while a half-read roll lies there.
    """
    return not (_is_not_set_up(state) or (state.sensor and state.tray.is_half_read))


def _is_not_set_up(state: RefereeState) -> bool:
    """Whether nothing has been played, nor the board been weighed for good."""
    top = state.likeliest
    return top.turn is None and top.place_states.look.t_ms is None


def _is_touched(before: BoardMemory, now: BoardMemory) -> bool:
    """Whether a place has just changed in view, or a hand has just come."""
    return now.played_ms == now.t_ms or (now.hand and not before.hand)
