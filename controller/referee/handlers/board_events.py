"""The effect of a picture of the board on the state: it weighs the histories and finds missed rolls."""

from dataclasses import replace
from itertools import chain

from controller.referee import priors
from controller.referee.events import BoardSeen
from controller.referee.handlers.turn_end import count_complete_play, end_game_if_won, is_surely_won
from controller.referee.inference.belief import reweigh, with_upset_paid
from controller.referee.inference.board_evidence import BoardEvidence
from controller.referee.inference.board_memory import BoardMemory, looks_otherwise, updated_memory
from controller.referee.inference.continuing import boards_under_way
from controller.referee.inference.histories import History, likeliest_history, pruned
from controller.referee.inference.inferred_turns import infer_turns
from controller.referee.inference.missed_rolls import with_missed_rolls
from controller.referee.inference.roll_evidence import RollEvidence, any_roll
from controller.referee.state import RefereePhase, RefereeState


def look_before_roll(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Weigh the last half-turn again. A settled board that does not fit it may show a missed roll.

    If a half-read roll lies there and has been played, the board shows its play, and nothing is weighed.
    """
    rested, had_hand = state.memory, state.memory.hand
    state = remember_board(state, event)
    if not state.sensor:
        return _infer_turns(state, event)
    if state.half_read_is_played:
        return state
    if not state.disturbed and _is_touched(state, event, had_hand=had_hand):
        state = weigh_for_good(state, rested)
        state = replace(state, histories=with_upset_paid(state.histories), disturbed=True)
    state = _reweigh(state)
    if _is_first_look(state):
        state = replace(weigh_for_good(state, state.memory), disturbed=False)
    if not state.memory.settled(state.settings.settle_ms) or not _may_have_played(state):
        return state
    otherwise = state.memory.played_ms > state.inferred_ms
    at_rest = tuple(history.at_rest(otherwise=otherwise) for history in state.histories)
    histories = with_missed_rolls_seen(replace(state, histories=at_rest), state.roll_evidence)
    state = replace(state, inferred_ms=state.memory.changed_ms)
    phase = RefereePhase.BEFORE_ROLL if likeliest_history(histories).turn else state.phase
    state = replace(state, histories=histories, phase=phase)
    return end_game_if_won(state) if is_surely_won(state) else state


def with_missed_rolls_seen(
    state: RefereeState, seen: RollEvidence, *, next_reported: bool = False
) -> tuple[History, ...]:
    """The histories, and those in which a roll was missed after the last half-turn and played as the last
    view shows. seen: what pictures show of that roll. next_reported: the next roll has been reported.
    """
    memory = state.memory
    if not memory.fully_visible or memory.t_ms is None or not _may_have_played(state):
        return state.histories
    if memory.t_ms <= state.ended_ms:
        return state.histories
    throws = any_roll(seen, ties=not state.ties_are_void)
    return with_missed_rolls(
        state.histories,
        throws,
        state.evidence,
        memory.t_ms,
        thrown=_show_new_roll(state, seen),
        ended_ms=state.ended_ms,
        next_reported=next_reported,
    )


def _is_first_look(state: RefereeState) -> bool:
    """Whether the board is settled before any half-turn and has never been weighed for good."""
    top = likeliest_history(state.histories)
    return (
        top.turn is None
        and top.place_states.look.t_ms is None
        and state.memory.settled(state.settings.settle_ms)
    )


def look_at_play(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Weigh the last half-turn again until the player on roll touches the board.

    Without a sensor, a complete play that lies still is over.
    """
    before = state.memory
    state = remember_board(state, event)
    top = likeliest_history(state.histories)
    if top.turn_state.choosing:
        top.rules.find_ahead(top.turn_state, state.rolls)
    elif not state.sensor and state.memory.settled(state.settings.settle_ms):
        state = _with_play_over(state, event)
        if state.phase is not RefereePhase.ROLLED:
            return state
    if not state.untouched:
        return state
    if _is_touched(state, event, had_hand=before.hand) or looks_otherwise(before, state.memory):
        return replace(state, untouched=False)
    state = _reweigh(state)
    if state.memory.settled(state.settings.settle_ms):
        # A roll may have been missed before this one. Pictures show only this one.
        state = replace(state, histories=with_missed_rolls_seen(state, RollEvidence()))
    return weigh_for_good(state, state.memory)


def _with_play_over(state: RefereeState, event: BoardSeen) -> RefereeState:
    """End the turn if its play lies complete: the sensor was lost, so no die will end it."""
    top = likeliest_history(state.histories)
    ended = count_complete_play(state, event)
    turn = likeliest_history(ended.histories).turn
    under_way = boards_under_way(top, state.rolls, state.evidence)
    is_half_made = turn and not turn.legal and under_way.index(turn.position) is not None
    return state if is_half_made else ended


def weigh_for_good(state: RefereeState, view: BoardMemory) -> RefereeState:
    """Weigh `view` for good. From now on the board is evidence of what is played next.

    No view counts before the board is set up, or for a half-turn that ended after the view.
    """
    if not view.fully_visible:
        return state
    evidence = BoardEvidence(now=view)
    shown = [_is_shown(history, view) for history in state.histories]
    weighed = [
        history.weighed(evidence, may_be_upset=state.disturbed) if is_shown else history
        for history, is_shown in zip(state.histories, shown, strict=True)
    ]
    top = likeliest_history(weighed)
    if top.turn is None and top.log_likelihood <= priors.BOARD_UPSET_NATS:
        return state
    counted = (
        one.weighed_for_good(evidence)
        if is_shown and one.log_likelihood > priors.BOARD_UPSET_NATS
        else (one,)
        for one, is_shown in zip(weighed, shown, strict=True)
    )
    return replace(state, histories=pruned(chain.from_iterable(counted)))


def _is_shown(history: History, view: BoardMemory) -> bool:
    """Whether a view not yet weighed for good shows what the last half-turn left."""
    if history.place_states.look.t_ms == view.t_ms:
        return False
    ended_ms = history.turn.t_ms if history.turn else -1
    return (view.t_ms or 0) >= ended_ms


def remember_board(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Keep what one picture shows of the board and the dice."""
    memory = updated_memory(state.memory, event)
    return replace(
        state,
        memory=memory,
        full_view=memory if memory.fully_visible else state.full_view,
        roll_evidence=state.roll_evidence if memory.hand else state.roll_evidence.with_picture(event.dice),
    )


def _infer_turns(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Without a dice sensor, every settled board may show more of a play, or the next play."""
    memory = state.memory
    if not memory.settled(state.settings.settle_ms) or memory.changed_ms <= state.inferred_ms:
        return state
    if not _may_have_played(state):
        state = replace(state, histories=tuple(one.weighed(state.evidence) for one in state.histories))
        return weigh_for_good(state, memory)
    histories = infer_turns(state.histories, memory, max(state.inferred_ms, 0))
    has_begun = likeliest_history(histories).turn or likeliest_history(histories).lying_board
    phase = RefereePhase.BEFORE_ROLL if has_begun else state.phase
    inferred = replace(state, histories=histories, inferred_ms=memory.changed_ms, phase=phase)
    return end_game_if_won(inferred) if likeliest_history(histories).is_over else inferred


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
    top = likeliest_history(state.histories)
    if top.turn is None and top.place_states.look.t_ms is None:
        return False
    return not (state.sensor and state.tray.is_half_read)


def _show_new_roll(state: RefereeState, seen: RollEvidence) -> bool:
    """Whether pictures show other dice than those of the last half-turn, and so a missed roll."""
    last, roll = likeliest_history(state.histories).turn, seen.trusted_roll
    return roll is not None and (last is None or roll != last.dice)


def _is_touched(state: RefereeState, event: BoardSeen, *, had_hand: bool) -> bool:
    """Whether a place has just changed in view, or a hand has just come."""
    return state.memory.played_ms == event.t_ms or (state.memory.hand and not had_hand)
