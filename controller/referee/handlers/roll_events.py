"""The effect of the dice sensor's events on the state: rolls begin turns, lifted dice end them."""

from dataclasses import replace

from controller.referee import priors
from controller.referee.dice_tray import DiceTray, DieEvent, DieState, tray_after
from controller.referee.events import GameStarted
from controller.referee.handlers.board_events import weigh_for_good, with_missed_rolls_seen
from controller.referee.handlers.game_events import start_game, with_men_omitted
from controller.referee.handlers.turn_end import end_current_turn, with_half_read_roll
from controller.referee.inference.histories import pruned
from controller.referee.inference.inferred_turns import with_play_closed
from controller.referee.inference.missed_rolls import with_missed_irregular_plays, with_throws_not_made
from controller.referee.inference.roll_evidence import RollEvidence, odds_of
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import Dice, Player
from hardware.dice_events import DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost


def track_dice(state: RefereeState, event: DieEvent) -> RefereeState:
    """Keep what a die did. A throw of both dice shows that a sensor reports; one die alone does not."""
    tray = tray_after(state.tray, event)
    if not tray.lies_whole:
        state = replace(state, half_read_from=None)
    elif not state.tray.lies_whole and tray.roll is None:
        state = replace(state, half_read_from=(state, event.t_ms))
    state = replace(state, tray=tray)
    return state if state.sensor or not state.tray.shows_throw else find_sensor(state, event)


def take_dice_before_roll(state: RefereeState, event: DieEvent) -> RefereeState:
    """Begin the turn with a roll, or the game with the opening throw, of which a tie is thrown again.

    A half-read roll may have been played as well.
    """
    before, is_over = state.tray, _is_half_read_and_over(state, event)
    state = track_dice(state, event)
    if is_over:
        return with_half_read_roll(state, before, event)
    roll = state.tray.roll
    is_tie = state.phase is RefereePhase.OPENING and roll is not None and roll[0] == roll[1]
    n_played, last = state.last_sensor_roll or (None, None)
    if n_played == len(state.record) and _still_lies(before, state, event, last):
        return replace(state, tray=state.tray.spent())
    return state if roll in (None, before.roll) or is_tie else _begun_at_rest(state, event)


def _begun(state: RefereeState, event: DieEvent) -> RefereeState:
    """Begin the turn with the roll in the tray."""
    state = replace(state, half_read_from=None)
    if state.phase is RefereePhase.OPENING:
        return _with_opening_roll(state, event)
    # A play that was made before the next roll is not continued.
    state = with_missed_rolls_seen(state, next_reported=True)
    histories = with_missed_irregular_plays(
        state.histories, state.roll_evidence, state.evidence, event.t_ms, ended_ms=state.ended_ms
    )
    histories = with_throws_not_made(histories, event.t_ms)
    return _with_roll(replace(state, histories=histories), event.t_ms)


def _with_opening_roll(state: RefereeState, event: DieEvent) -> RefereeState:
    """Begin the game: die 1 is White's, die 2 Black's, where that is known. The roll may have been missed."""
    if isinstance(event, DiceSettled) and not event.thrower_known:
        return _with_roll(state, event.t_ms)
    white, black = _roll_of(state)
    leader = Player.WHITE if white > black else Player.BLACK
    if lying := with_men_omitted(state):
        begun = start_game(state, GameStarted(t_ms=event.t_ms, position=lying, on_roll=leader))
        state = replace(begun, phase=RefereePhase.OPENING, declared=state.declared, words=state.words)
    histories = tuple(
        history if history.turn or history.on_roll is leader else history.with_prior(priors.ROLL_MISSED_NATS)
        for history in with_missed_rolls_seen(state).histories
    )
    return _with_roll(replace(state, histories=histories), event.t_ms)


def _is_half_read_and_over(state: RefereeState, event: DieEvent) -> bool:
    """Whether a half-read throw is over: its dice were lifted, or thrown again after its play."""
    if not state.sensor or not state.tray.is_half_read:
        return False
    if isinstance(event, DiceMoving) and not event.odds:
        return state.half_read_is_played
    return isinstance(event, DiceLifted)


def _begun_at_rest(state: RefereeState, event: DieEvent) -> RefereeState:
    """Begin the turn with a roll that has just been read.

    If somebody has played since the dice came to rest, the turn began then, unless people have said something
    since.
    """
    rest = state.half_read_from if state.half_read_is_played else None
    if rest is None or (rest[0].phase, rest[0].words) != (state.phase, state.words):
        return _begun(state, event)
    then, t_ms = rest
    rested, view = replace(event, t_ms=t_ms), state.full_view
    then = replace(then if then.sensor else find_sensor(then, rested), tray=state.tray)
    begun = _begun(then, rested)
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
        choosing = state.likeliest.turn_state.choosing
        is_over = choosing or before.dice[event.die - 1] is DieState.SPENT
        return state if is_over else _end_turn_by_dice(state, event)
    if state.tray.roll in (None, before.roll) or _still_lies(before, state, event, *state.rolls[:1]):
        return state
    ended = _end_turn_by_dice(state, event)
    return _with_roll(ended, event.t_ms) if ended.phase is RefereePhase.BEFORE_ROLL else ended


def _still_lies(before: DiceTray, state: RefereeState, event: DieEvent, dice: Dice | None = None) -> bool:
    """Whether the sensor, lost and found again, reports the throw of `dice` that lay there before."""
    roll = state.tray.roll
    return before.dice[event.die - 1] is DieState.LEFT and roll is not None and Dice(*roll) == dice


def lose_sensor(state: RefereeState, event: SensorLost) -> RefereeState:
    """From now on turns are inferred from the board."""
    return replace(state, sensor=False, tray=state.tray.left())


def find_sensor(state: RefereeState, event: SensorFound | DieEvent) -> RefereeState:
    """From now on the dice end turns. A play inferred without them is over if complete, else not begun."""
    histories = pruned(with_play_closed(history, event.t_ms) for history in state.histories)
    tray = state.tray.left() if isinstance(event, SensorFound) else state.tray
    return replace(state, sensor=True, histories=histories, tray=tray)


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


def _roll_of(state: RefereeState) -> tuple[int, int]:
    roll = state.tray.roll
    assert roll is not None, "both dice were read"
    return roll


def _with_roll(state: RefereeState, t_ms: int) -> RefereeState:
    """Put the roll in the tray in play. The next play begins from the board in the last full view."""
    roll = _roll_of(state)
    view = state.memory if state.memory.fully_visible else state.full_view
    top = state.likeliest
    top.rules.find_ahead(top.turn_state, (Dice(*roll),))
    return replace(
        weigh_for_good(state, view) if view else state,
        phase=RefereePhase.ROLLED,
        rolls=(Dice(*roll),),
        rolled_ms=t_ms,
        untouched=state.untouched and state.memory.t_ms is not None and not state.memory.hand,
        from_opening=state.phase is RefereePhase.OPENING,
        thrown=None,
        roll_evidence=RollEvidence(reported=(roll, odds_of(state.tray))),
        full_view=None,
    )
