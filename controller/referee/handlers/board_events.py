"""What a picture of the board does to the state: it weighs the histories and finds missed rolls."""

from dataclasses import replace

from controller.referee.events import BoardSeen
from controller.referee.handlers.turn_end import end_game_if_won, is_surely_won
from controller.referee.inference.belief import reweigh, with_lingering_penalty
from controller.referee.inference.board_memory import BoardMemory, updated_memory
from controller.referee.inference.histories import BoardEvidence, likeliest_history
from controller.referee.inference.inferred_turns import infer_turns
from controller.referee.inference.missed_rolls import with_missed_rolls
from controller.referee.inference.roll_evidence import any_opening_roll, any_roll
from controller.referee.priors import OFFENCE_MISFIT_NATS
from controller.referee.state import RefereePhase, RefereeState


def look_before_roll(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Weigh the last half-turn again. A settled board that does not fit it may show a missed roll."""
    had_hand = state.memory.hand
    state = remember_board(state, event)
    if not state.sensor:
        return _infer_turns(state, event)
    state = _reweigh(
        replace(state, disturbed=state.disturbed or _is_touched(state, event, had_hand=had_hand))
    )
    if not state.memory.settled(state.settings.settle_ms) or not _may_have_played(state):
        return state
    opening = state.phase is RefereePhase.OPENING
    no_tie = opening and not state.may_throw_over
    throws = any_opening_roll(state.picture_rolls) if no_tie else any_roll(state.picture_rolls)
    histories = with_missed_rolls(
        state.histories,
        throws,
        state.memory,
        event.t_ms,
        thrown=_pictures_show_new_roll(state),
        n_sensor_turns=state.n_sensor_turns,
    )
    if state.memory.changed_ms > state.inferred_ms:
        histories = with_lingering_penalty(histories)
    state = replace(state, inferred_ms=state.memory.changed_ms)
    phase = RefereePhase.BEFORE_ROLL if likeliest_history(histories).turn else state.phase
    state = replace(state, histories=histories, phase=phase)
    if _fit(state) > -OFFENCE_MISFIT_NATS:
        state = replace(state, before=state.memory)
    return end_game_if_won(state) if is_surely_won(state) else state


def look_at_play(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Weigh the last half-turn again until the player on roll touches the board."""
    had_hand = state.memory.hand
    state = remember_board(state, event)
    if _is_touched(state, event, had_hand=had_hand):
        return replace(state, untouched=False)
    if state.untouched and state.memory.fully_visible:
        fits = _fit(state) > -OFFENCE_MISFIT_NATS
        state = replace(state, before=state.memory if fits else state.before)
    return _reweigh(state)


def remember_board(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Keep what one picture shows of the board and the dice."""
    memory = updated_memory(state.memory, event)
    return replace(
        state,
        memory=memory,
        full_view=memory if memory.fully_visible else state.full_view,
        picture_rolls=state.picture_rolls if memory.hand else state.picture_rolls.with_picture(event.dice),
    )


def _infer_turns(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Without a dice sensor, every settled board may show more of a play, or the next play."""
    memory = state.memory
    if not memory.settled(state.settings.settle_ms) or memory.changed_ms <= state.inferred_ms:
        return state
    if not _may_have_played(state):
        return replace(
            state,
            histories=reweigh(
                state.histories, state.evidence, BoardMemory(), doubt=state.doubt, disturbed=False
            ),
        )
    histories = infer_turns(state.histories, memory, state.before, max(state.inferred_ms, 0))
    has_begun = likeliest_history(histories).turn or likeliest_history(histories).unfinished_board
    phase = RefereePhase.BEFORE_ROLL if has_begun else state.phase
    inferred = replace(state, histories=histories, before=memory, inferred_ms=memory.changed_ms, phase=phase)
    return end_game_if_won(inferred) if likeliest_history(histories).is_over else inferred


def _reweigh(state: RefereeState) -> RefereeState:
    """Weigh the last half-turn's result again. The board is evidence for it until somebody plays."""
    memory = state.memory
    if not state.untouched or len(memory.visible) < state.n_visible:
        return state
    evidence = BoardEvidence(now=memory, full_view=memory, before=state.earlier)
    histories = reweigh(state.histories, evidence, state.before, doubt=state.doubt, disturbed=state.disturbed)
    return replace(state, histories=histories, n_visible=len(memory.visible))


def _may_have_played(state: RefereeState) -> bool:
    """Whether a play may have been made without a reported roll: not before the board was set up."""
    top = likeliest_history(state.histories)
    if top.turn is None and top.best_log_likelihood < -OFFENCE_MISFIT_NATS:
        return False
    return not state.tray.half_read_face


def _pictures_show_new_roll(state: RefereeState) -> bool:
    """Whether pictures show other dice than those of the last half-turn: a missed roll."""
    last, roll = likeliest_history(state.histories).turn, state.picture_rolls.trusted_roll
    return roll is not None and (last is None or roll != last.dice)


def _is_touched(state: RefereeState, event: BoardSeen, *, had_hand: bool) -> bool:
    """Whether a place has just changed in full sight, or a hand has come."""
    return state.memory.played_ms == event.t_ms or (state.memory.hand and not had_hand)


def _fit(state: RefereeState) -> float:
    """How well the board fits the result of the last half-turn."""
    top = likeliest_history(state.histories)
    return state.memory.log_likelihood(top.position, top.before)
