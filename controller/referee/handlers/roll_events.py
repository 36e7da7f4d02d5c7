"""The effect of the dice sensor's events on the state: rolls begin turns, lifted dice end them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from controller.referee import priors
from controller.referee.dice_tray import DiceTray, DieState, tray_after
from controller.referee.events import GameStarted
from controller.referee.handlers.board_events import weigh_for_good, with_missed_rolls_seen
from controller.referee.handlers.furnishing import with_men_omitted
from controller.referee.handlers.game_events import start_game
from controller.referee.handlers.turn_end import end_current_turn, with_half_read_roll
from controller.referee.inference.histories import likeliest_history, pruned
from controller.referee.inference.inferred_turns import with_play_closed
from controller.referee.inference.missed_rolls import with_missed_irregular_plays, with_throws_not_made
from controller.referee.inference.roll_evidence import RollEvidence, odds_of
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import Dice, Player
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost

DieEvent = DiceMoving | DiceSettled | DiceLifted


def track_dice(state: RefereeState, event: DieEvent) -> RefereeState:
    """Keep what a die did. A throw of both dice shows that a sensor reports; one die alone does not."""
    tray = tray_after(state.tray, event)
    if not tray.lies_whole:
        state = replace(state, half_read_from=None)
    elif not state.tray.lies_whole and tray.roll is None:
        state = replace(state, half_read_from=(state, event.t_ms))
    state = replace(state, tray=tray)
    return state if state.sensor or not state.tray.shows_throw else _with_dice_reported(state, event.t_ms)


def take_opening_dice(state: RefereeState, event: DieEvent) -> RefereeState:
    """Begin the game with the opening throw: die 1 is White's, die 2 Black's, where that is known.

    A tie is thrown again. The opening roll itself may have been missed.
    """
    before, is_over = state.tray, _is_half_read_and_over(state, event)
    state = track_dice(state, event)
    if is_over:
        return with_half_read_roll(state, before, event)
    roll = state.tray.roll
    if roll is None or before.roll == roll or roll[0] == roll[1]:
        return state
    return _begun_at_rest(state, partial(_with_opening_roll, roll), event)


def _with_opening_roll(roll: tuple[int, int], state: RefereeState, event: DieEvent) -> RefereeState:
    if isinstance(event, DiceSettled) and not event.thrower_known:
        return replace(_with_roll(state, roll, event.t_ms), from_opening=True)
    leader = Player.WHITE if roll[0] > roll[1] else Player.BLACK
    if lying := with_men_omitted(state):
        begun = start_game(state, GameStarted(t_ms=event.t_ms, position=lying, on_roll=leader))
        state = replace(begun, declared=state.declared, words=state.words)
    histories = tuple(
        history if history.turn or history.on_roll is leader else history.with_prior(priors.ROLL_MISSED_NATS)
        for history in with_missed_rolls_seen(state, state.roll_evidence)
    )
    rolled = _with_roll(replace(state, histories=histories), roll, event.t_ms)
    return replace(rolled, from_opening=True)


def take_dice_before_roll(state: RefereeState, event: DieEvent) -> RefereeState:
    """Begin the turn with a roll. A half-read roll may have been played as well."""
    before, is_over = state.tray, _is_half_read_and_over(state, event)
    state = track_dice(state, event)
    if is_over:
        return with_half_read_roll(state, before, event)
    roll = state.tray.roll
    if roll and roll != before.roll:
        return _begun_at_rest(state, partial(_with_next_roll, roll), event)
    return state


def _is_half_read_and_over(state: RefereeState, event: DieEvent) -> bool:
    """Whether a half-read throw is over: its dice were lifted, or thrown again after its play."""
    if not state.sensor or not state.tray.is_half_read:
        return False
    if isinstance(event, DiceMoving) and not event.odds:
        return state.half_read_is_played
    return isinstance(event, DiceLifted)


def _with_next_roll(roll: tuple[int, int], state: RefereeState, event: DieEvent) -> RefereeState:
    # A play that was made before the next roll is not continued.
    histories = with_missed_rolls_seen(state, state.roll_evidence, next_reported=True)
    histories = with_missed_irregular_plays(
        histories,
        state.roll_evidence,
        state.evidence,
        event.t_ms,
        ended_ms=state.ended_ms,
    )
    histories = with_throws_not_made(histories, event.t_ms)
    return _with_roll(replace(state, histories=histories), roll, event.t_ms)


def _begun_at_rest(
    state: RefereeState, begin: Callable[[RefereeState, DieEvent], RefereeState], event: DieEvent
) -> RefereeState:
    """Begin the turn with a roll that has just been read.

    If somebody has played since the dice came to rest, the turn began then, unless people have said something
    since.
    """
    if state.half_read_from is None or not state.half_read_is_played:
        return begin(replace(state, half_read_from=None), event)
    then, t_ms = state.half_read_from
    if then.phase is not state.phase or then.words != state.words:
        return begin(replace(state, half_read_from=None), event)
    then = replace(then if then.sensor else _with_dice_reported(then, t_ms), tray=state.tray)
    view = state.full_view
    begun = begin(then, replace(event, t_ms=t_ms))
    return replace(
        begun,
        memory=state.memory,
        full_view=view if view and (view.t_ms or 0) > t_ms else None,
        untouched=False,
        roll_evidence=replace(begun.roll_evidence, seen=state.roll_evidence.seen),
    )


def take_dice_in_play(state: RefereeState, event: DieEvent) -> RefereeState:
    """End the turn when a die is lifted or the next roll is reported."""
    before = state.tray
    state = track_dice(state, event)
    are_thrown = state.tray.dice == (DieState.MOVING, DieState.MOVING) != before.dice
    if before.is_half_read and state.thrown and (are_thrown or isinstance(event, DiceLifted)):
        return _with_half_read_roll_in_play(state, before, event)
    if are_thrown:
        return replace(state, thrown=(replace(state, thrown=None), event.t_ms))
    if isinstance(event, DiceLifted):
        # Dice may lie there after their throw is over: a void one, or a deuce-ace after which doublets are
        # chosen. Lifting such dice ends no turn.
        choosing = likeliest_history(state.histories).turn_state.choosing
        is_over = choosing or before.dice[event.die - 1] is DieState.SPENT
        return state if is_over else _end_turn_by_dice(state, event)
    if state.tray.roll is None or state.tray.roll == before.roll:
        return state
    ended = _end_turn_by_dice(state, event)
    return (
        _with_roll(ended, state.tray.roll, event.t_ms) if ended.phase is RefereePhase.BEFORE_ROLL else ended
    )


def lose_sensor(state: RefereeState, event: SensorLost) -> RefereeState:
    """From now on turns are inferred from the board."""
    return replace(state, sensor=False, tray=DiceTray())


def find_sensor(state: RefereeState, event: SensorFound) -> RefereeState:
    """From now on the dice end turns."""
    return _with_dice_reported(state, event.t_ms)


def _with_dice_reported(state: RefereeState, t_ms: int) -> RefereeState:
    """Let the dice end turns. A play inferred without them is over if it is complete, else not begun."""
    histories = pruned(with_play_closed(history, t_ms) for history in state.histories)
    return replace(state, sensor=True, histories=histories)


def _with_half_read_roll_in_play(state: RefereeState, tray: DiceTray, event: DieEvent) -> RefereeState:
    """A half-read throw during a play was the next roll, made before the dice were lifted, or none."""
    assert state.thrown is not None, "the dice were thrown again"
    jostled = _end_turn_by_dice(state, event)
    then, t_ms = state.thrown
    over = end_current_turn(then, replace(event, t_ms=t_ms))
    if over.phase is not RefereePhase.BEFORE_ROLL:
        return jostled
    rolled = replace(state, histories=over.histories)
    played = with_half_read_roll(rolled, tray, event)
    none = [history.with_prior(priors.ROLL_REPLACED_NATS) for history in jostled.histories]
    return replace(played, histories=pruned([*played.histories, *none]))


def _end_turn_by_dice(state: RefereeState, event: DieEvent) -> RefereeState:
    """End the turn; or the roll was void and is thrown over, and nothing was played."""
    ended = end_current_turn(state, event)
    if ended.phase is not RefereePhase.BEFORE_ROLL or (state.from_opening and not state.may_throw_over):
        return ended
    prior = priors.OPENING_THROWN_OVER_NATS if state.from_opening else priors.ROLL_REPLACED_NATS
    shown = state.roll_evidence.log_likelihood_of_any(state.rolls)
    thrown_over = [
        history.with_view_kept(state.memory.t_ms).with_prior(prior + shown).weighed(state.evidence)
        for history in state.histories
        if not history.turn_state.choosing
    ]
    return replace(ended, histories=pruned([*ended.histories, *thrown_over]))


def _with_roll(state: RefereeState, roll: tuple[int, int], t_ms: int) -> RefereeState:
    """Put a reported roll in play. The next play begins from the board in the last full view."""
    view = state.memory if state.memory.fully_visible else state.full_view
    top = likeliest_history(state.histories)
    top.rules.find_ahead(top.turn_state, (Dice(*roll),))
    return replace(
        weigh_for_good(state, view) if view else state,
        phase=RefereePhase.ROLLED,
        rolls=(Dice(*roll),),
        rolled_ms=t_ms,
        untouched=state.untouched and state.memory.t_ms is not None and not state.memory.hand,
        from_opening=False,
        thrown=None,
        roll_evidence=RollEvidence(reported=(roll, odds_of(state.tray))),
        full_view=None,
    )
