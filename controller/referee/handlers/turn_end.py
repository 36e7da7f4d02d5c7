"""The end of a turn, and of the game if the last play won it."""

import math
from dataclasses import replace

import numpy as np

from controller.referee import priors
from controller.referee.dice_tray import DiceTray
from controller.referee.events import Event, InputEnded
from controller.referee.half_turn import played_by_rules
from controller.referee.inference.belief import end_turn, with_upset_paid
from controller.referee.inference.continuing import boards_under_way
from controller.referee.inference.histories import pruned
from controller.referee.inference.inferred_turns import with_play_ended
from controller.referee.inference.roll_evidence import TIES, RollEvidence, half_read_rolls, odds_of
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import Ending, Game, Outcome
from hardware.dice_events import LEANS


def end_current_turn(state: RefereeState, event: Event) -> RefereeState:
    """Continue every history by the plays of the roll. The game may then be over, or doublets be chosen."""
    # A won game is not played on.
    histories = tuple(history for history in state.histories if not history.is_over) or state.histories
    if state.phase is RefereePhase.ROLLED:
        # What lay there untouched since the roll was no play of this roll.
        histories = with_upset_paid(histories)
    seen, seen_before = state.roll_evidence, state.last_roll_evidence
    ended = replace(
        state,
        phase=RefereePhase.BEFORE_ROLL,
        histories=end_turn(
            histories, state.rolls, seen, seen_before, state.evidence, event.t_ms, state.rolled_ms
        ),
        rolls=(),
        thrown=None,
        roll_evidence=RollEvidence(),
        last_roll_evidence=seen,
        ended_ms=event.t_ms,
        untouched=True,
        disturbed=False,
        reconsidered_ms=-1,
        n_visible=state.memory.n_visible,
    )
    if len(state.rolls) == 1:
        ended = replace(ended, last_sensor_roll=(len(ended.record), state.rolls[0]))
    if ended.likeliest.is_over:
        return end_game_if_surely_won(ended)
    return with_doublets_to_choose(ended)


def count_complete_play(state: RefereeState, event: Event) -> RefereeState:
    """Count the last turn when its play lies complete on the board, or when no play is possible.

    A play of which a part lies there may go on.
    """
    if state.memory.t_ms is None:
        return state
    top, played = state.likeliest, end_current_turn(state, event)
    shown, states = state.evidence, top.place_states
    fit = shown.log_likelihood(played.likeliest.position, states)
    lies_complete = fit > shown.log_likelihood(top.position, states) and not _is_half_made(state, played)
    dances = all(top.position in top.plays(dice) for dice in state.rolls)
    return played if lies_complete or dances else state


def _is_half_made(state: RefereeState, played: RefereeState) -> bool:
    """Whether the last half-turn of `played` is a part of a lawful play of the roll in play in `state`."""
    turn = played.likeliest.turn
    if turn is None or turn.legal:
        return False
    under_way = boards_under_way(state.likeliest, state.rolls, state.evidence)
    return under_way.index(turn.position) is not None


def count_missed_play(state: RefereeState, event: InputEnded) -> RefereeState:
    """Count the play of a half-read roll; without a sensor, a complete play that lies on the last board seen.

    A game that the last play won is over, even if its end was not seen.
    """
    if state.sensor:
        may_be_played = state.tray.is_half_read and state.memory.t_ms is not None
        return end_game_if_won(with_half_read_roll(state, state.tray, event) if may_be_played else state)
    histories = pruned(
        history if history.is_over else with_play_ended(history, event.t_ms)
        for history in state.histories
        if history.lying_board or history.is_over
    )
    if not histories:
        return state
    return end_game_if_won(replace(state, phase=RefereePhase.BEFORE_ROLL, histories=histories))


def with_half_read_roll(state: RefereeState, tray: DiceTray, event: Event) -> RefereeState:
    """Continue every history after a half-read roll was lifted: it was played, or it did not count.

    tray: the dice as they lay.
    """
    odds = odds_of(tray)
    rolls = half_read_rolls(odds, ties=not state.ties_are_void)
    if not rolls:
        return state
    seen = replace(state.roll_evidence, half_read=odds)
    over = priors.ROLL_REPLACED_NATS if tray.lies_whole else priors.ROLL_NOT_COUNTED_NATS
    leaning = 1 - math.prod(1 - of_die[LEANS] for of_die in odds)
    prior = float(np.logaddexp(over, math.log(leaning) if leaning else -math.inf))
    prior += seen.log_likelihood_of_any(rolls)
    if state.ties_are_void:
        prior = float(np.logaddexp(prior, priors.OPENING_TIE_NATS + seen.log_likelihood_of_any(TIES)))
    not_played = [
        history.with_prior(prior).weighed(state.evidence, may_be_upset=True) for history in state.histories
    ]
    played = end_current_turn(replace(state, rolls=rolls, roll_evidence=seen), event)
    return replace(played, histories=pruned([*played.histories, *not_played]))


def with_doublets_to_choose(state: RefereeState) -> RefereeState:
    """The state before a roll; or, if the player chooses doublets instead, while his play shows which."""
    turn_state = state.likeliest.turn_state
    if not turn_state.choosing:
        return state
    return replace(state, phase=RefereePhase.ROLLED, rolls=state.rules.throws(turn_state), full_view=None)


def end_game_if_won(state: RefereeState) -> RefereeState:
    """The state with the game ended if it has been won."""
    if state.other_rules:
        return _end_game_outside_match(state)
    game = played_by_rules(state.match.game, state.actions)
    return with_game_over(state, game) if game and game.outcome else state


def end_game_if_surely_won(state: RefereeState) -> RefereeState:
    """The same if the last play has surely won it, and the view shows it plainly.

    The worse the board fits, the surer it must be.
    """
    top, shown = state.likeliest, state.evidence
    going_on = [history.weight for history in state.histories if not history.is_over]
    fit = shown.log_likelihood(top.position, top.place_states)
    if not top.is_over or top.weight + fit < max(going_on, default=-math.inf) + priors.RECORD_LEAD_NATS:
        return state
    shows_play = fit > shown.log_likelihood(top.before, top.place_states) + priors.RECORD_LEAD_NATS
    return end_game_if_won(state) if shows_play else state


def with_game_over(state: RefereeState, game: Game) -> RefereeState:
    """The state after `game` of the match has ended."""
    match = state.match.after_game(game)
    phase = RefereePhase.OVER if match.winner else RefereePhase.BETWEEN
    return replace(state, phase=phase, match=match, outcome=game.outcome, rolls=())


def _end_game_outside_match(state: RefereeState) -> RefereeState:
    """The same for a game that is not played by the laws of the match. It is a match by itself."""
    top = state.likeliest
    win, winner = top.rules.win(top.turn_state), top.turn_state.winner
    if win is None or winner is None:
        return state
    points = top.rules.laws.points[win.value - 1]
    outcome = Outcome(winner=winner, win=win, points=points, ending=Ending.BORNE_OFF)
    return replace(state, phase=RefereePhase.OVER, outcome=outcome, rolls=())
