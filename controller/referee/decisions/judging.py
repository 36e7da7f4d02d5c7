"""What the players are shown of a settled board: offences, lamps, questions."""

import math
from dataclasses import replace

import numpy as np

from controller.referee.decisions.lamps import lamps, unfurnished_lamps
from controller.referee.effects import Lamp, OffenceShown
from controller.referee.events import MAX_COUNT
from controller.referee.inference.belief import is_explained
from controller.referee.inference.board_layouts import ROW_INDICES, boards_on_the_way
from controller.referee.inference.board_memory import BoardMemory, columns
from controller.referee.inference.histories import (
    History,
    first_differing_turn,
    likeliest_history,
    rival_histories,
)
from controller.referee.inference.roll_evidence import is_one_die_apart
from controller.referee.priors import (
    DOUBTFUL_COUNT_NATS,
    MOST_OFFENCES_SHOWN,
    OFFENCE_LEAD_NATS,
    OFFENCE_MISFIT_NATS,
    SURELY_COUNTED_TO,
    TALL_STACK_FROM,
    UNSURE_WITHIN_NATS,
)
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import BAR, OFF, Dice, Offence, OffenceKind, Position

MISCOUNTS = frozenset({OffenceKind.CHECKER_MISSING, OffenceKind.CHECKER_EXTRA})


def judge_offence(state: RefereeState, t_ms: int) -> RefereeState:
    """Note what is illegal on a settled board; drop it when it is gone."""
    if state.offence and state.offence.index < len(state.record) - (state.phase is RefereePhase.BEFORE_ROLL):
        state = replace(state, offence=None)
    if state.phase not in (RefereePhase.BEFORE_ROLL, RefereePhase.ROLLED) or not state.sensor:
        return replace(state, offence=None)
    if state.phase is RefereePhase.ROLLED and state.untouched and state.memory.fully_visible:
        state = _with_standing(state, t_ms)
    if not state.memory.settled(state.settings.settle_ms):
        return state
    state = _with_question(state)
    found = (
        _offence_of_last(state, t_ms)
        if state.phase is RefereePhase.BEFORE_ROLL
        else _offence_now(state, t_ms)
    )
    same = found and state.offence and found.offences == state.offence.offences
    shown = state.offences_shown | {found.index} if found else state.offences_shown
    return state if same else replace(state, offence=found, offences_shown=shown)


def _with_standing(state: RefereeState, t_ms: int) -> RefereeState:
    """Show an irregular play that the opponent's throw let stand before it could be shown."""
    index = len(state.record) - 1
    found = None if index in state.offences_shown else _offence_of_last(state, t_ms)
    return (
        replace(state, late_offence=found, offences_shown=state.offences_shown | {index}) if found else state
    )


def _with_question(state: RefereeState) -> RefereeState:
    """Ask, once, about the half-turn where the likeliest boards part, when the board was fully seen since."""
    record = state.record
    index = first_differing_turn(rival_histories(state.histories, UNSURE_WITHIN_NATS))
    if index is None or not state.untouched:
        return state
    if (state.memory.t_ms or 0) - record[-1].t_ms < state.settings.settle_ms:
        return state
    return replace(state, questioned=state.questioned | {index})


def lamps_to_light(state: RefereeState) -> tuple[Lamp, ...]:
    """Nothing new is lit while the board is unsettled; a hand over it puts everything out."""
    if state.phase in (RefereePhase.IDLE, RefereePhase.BETWEEN, RefereePhase.OVER) or state.memory.hand:
        return ()
    if not state.memory.settled(state.settings.settle_ms):
        return state.lamps
    if state.phase is RefereePhase.OPENING:
        return unfurnished_lamps(
            state.settings.mode, likeliest_history(state.histories).position, state.memory
        )
    return lamps(state.settings.mode, state.offence, state.histories, state.rolls, state.memory)


def _offence_of_last(state: RefereeState, t_ms: int) -> OffenceShown | None:
    """What was illegal about the last half-turn."""
    top = likeliest_history(state.histories)
    if top.turn is None or top.turn.legal or top.parent is None or _is_of_missed_roll(state, top):
        return None
    if not state.offence and not _surely_illegal(state.histories):
        return None
    return _shown(t_ms, len(top.turns) - 1, top.parent, top.turn.dice, top.position)


def _is_of_missed_roll(state: RefereeState, history: History) -> bool:
    """Whether the last half-turn was inferred and nobody has thrown since: it may not be over."""
    return state.phase is RefereePhase.BEFORE_ROLL and len(history.turns) > state.n_sensor_turns


def _offence_now(state: RefereeState, t_ms: int) -> OffenceShown | None:
    """What is illegal about the play being made, if the board cannot become a legal one any more."""
    top = likeliest_history(state.histories)
    if top.turn_state.choosing or state.thrown:
        return None
    nats = OFFENCE_MISFIT_NATS - _misfit(state.before, top.position)
    if is_explained(state.histories, _possible_rolls(state), state.memory, nats):
        return None
    seen = state.memory.likeliest_position(top.position, state.before)
    found = _shown(t_ms, len(top.turns), top, state.rolls[0], seen)
    if found is None or _is_miscounted_stack(state) or _is_misread(state, found.offences):
        return None
    return None if _is_unseen(state, found.offences) else found


def _shown(t_ms: int, index: int, before: History, dice: Dice | None, seen: Position) -> OffenceShown | None:
    if dice is None:
        return None
    offences = before.rules.explain(before.turn_state, dice, _not_borne(before, seen))
    if not 0 < len(offences) <= MOST_OFFENCES_SHOWN or (
        len(offences) > 1 and any(map(_is_miscounted, offences))
    ):
        return None
    return OffenceShown(t_ms=t_ms, index=index, player=before.on_roll, offences=offences)


def _misfit(before: BoardMemory, position: Position) -> float:
    """Log-likelihood of places that did not fit `position` before the roll: they may still be misread."""
    row_nats = before.row_log_likelihoods(position)[ROW_INDICES, columns(position)]
    return float(row_nats[row_nats < -DOUBTFUL_COUNT_NATS].sum())


def _is_misread(state: RefereeState, offences: tuple[Offence, ...]) -> bool:
    """Whether a legal play is there but for too many or too few checkers on one place that it touched.

    A place that has just changed is misread sooner than a checker falls from it, or comes from a stack that
    is too tall to count.
    """
    top = likeliest_history(state.histories)
    as_read, likeliest = (
        state.memory.likeliest_position(top.position, state.before, restore=restore)
        for restore in (False, True)
    )
    if as_read == likeliest and not all(_is_miscount(offence) for offence in offences):
        return False
    boards = boards_on_the_way(top.rules, top.turn_state, state.rolls)
    row_nats = state.memory.row_log_likelihoods(top.position)[ROW_INDICES, boards.columns]
    moved = boards.columns != np.array(columns(top.position))
    wrong = row_nats < -DOUBTFUL_COUNT_NATS
    alone = (wrong.sum(axis=1) == 1) & (wrong & moved).any(axis=1)
    return bool(alone.any())


def _is_miscounted_stack(state: RefereeState) -> bool:
    """Whether a legal play is there but for how many checkers lie on stacks too tall to count surely."""
    top = likeliest_history(state.histories)
    boards = boards_on_the_way(top.rules, top.turn_state, state.rolls)
    table = state.memory.row_log_likelihoods(top.position)
    due, seen = boards.columns - MAX_COUNT, table.argmax(axis=1) - MAX_COUNT
    is_stack = (np.minimum(np.abs(due), np.abs(seen)) >= TALL_STACK_FROM) & (due * seen > 0)
    is_tall = is_stack & (np.maximum(np.abs(due), np.abs(seen)) > SURELY_COUNTED_TO)
    is_tall[:, BAR - 1 :] = False
    return bool((is_tall | (table[ROW_INDICES, boards.columns] > -DOUBTFUL_COUNT_NATS)).all(axis=1).any())


def _is_unseen(state: RefereeState, offences: tuple[Offence, ...]) -> bool:
    """Whether the opponent's checkers lie not where the record has them, how he left them not being seen."""
    return state.before.t_ms is None and any(map(_is_others, offences))


def _is_others(offence: Offence) -> bool:
    return offence.kind is OffenceKind.MOVED_OPPONENTS_CHECKER


def _is_miscount(offence: Offence) -> bool:
    """Whether checkers only seem to have come or gone: missing, too many, or borne off."""
    return _is_miscounted(offence) or offence.places[-1].number == OFF


def _is_miscounted(offence: Offence) -> bool:
    return offence.kind in MISCOUNTS


def _surely_illegal(histories: tuple[History, ...]) -> bool:
    """Whether every history in which the last play was legal is behind."""
    lawful = [history.weight for history in histories if history.turn is None or history.turn.legal]
    return likeliest_history(histories).weight - max(lawful, default=-math.inf) > OFFENCE_LEAD_NATS


def _possible_rolls(state: RefereeState) -> tuple[Dice, ...]:
    """The reported roll, and the roll in the pictures if a die may have been misreported."""
    seen = state.picture_rolls.roll
    if seen and any(is_one_die_apart(seen, dice) for dice in state.rolls):
        return (*state.rolls, seen)
    return state.rolls


def _not_borne(before: History, seen: Position) -> Position:
    """`seen` with no more checkers borne off than before, where the player could not bear off."""
    player = before.on_roll
    own, n_off = seen.side(player), before.position.side(player)[OFF]
    if own[OFF] <= n_off or before.rules.most_borne(before.turn_state, seen, 1):
        return seen
    return Position.of(player, (n_off, *own[1:]), seen.side(player.opponent))
