"""Restoring the state of an interrupted match from the games in its log."""

from dataclasses import replace

from controller.referee.dice_tray import DiceTray, DieState
from controller.referee.events import GameRestored, GameStarted, RollDropped
from controller.referee.game_actions import actions, played_by_rules
from controller.referee.handlers.game_events import start_game, with_board_set_up
from controller.referee.inference.histories import History, likeliest_history, pruned
from controller.referee.inference.roll_evidence import RollEvidence
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import Dice, EditedBoard, Game, GamePhase, Match, Outcome


def restore_game(state: RefereeState, event: GameRestored) -> RefereeState:
    """The state after the last entry of a game's log: before a roll, during a play, or after the game."""
    restored = _before_next_roll(state, event)
    if event.outcome is not None:
        return _after_game(restored, event, event.outcome)
    return _with_roll_in_play(restored, event.faces) if event.faces else restored


def drop_roll(state: RefereeState, event: RollDropped) -> RefereeState:
    """The state before the roll in play was made."""
    return _waiting_for_roll(
        replace(state, tray=DiceTray(), from_opening=False, thrown=None, roll_evidence=RollEvidence())
    )


def _before_next_roll(state: RefereeState, event: GameRestored) -> RefereeState:
    """The state before the next roll, or before the choice of doublets that takes its place."""
    started = start_game(state, GameStarted(t_ms=event.t_ms, position=event.position, on_roll=event.first))
    histories = pruned(_history(begun, event) for begun in started.histories)
    return _waiting_for_roll(
        replace(started, joined=event.on_roll, histories=histories, declared=event.declared)
    )


def _waiting_for_roll(state: RefereeState) -> RefereeState:
    """The state with no roll in play. A player who chooses doublets does not wait for one."""
    top = likeliest_history(state.histories)
    begun = top.parent or state.joined or state.match.game.first
    waiting = RefereePhase.BEFORE_ROLL if begun else RefereePhase.OPENING
    choosing = top.turn_state.choosing
    return replace(
        state,
        phase=RefereePhase.ROLLED if choosing else waiting,
        rolls=top.rules.throws(top.turn_state) if choosing else (),
        recorded=state.record,
    )


def _history(begun: History, event: GameRestored) -> History:
    """The course of the game in the log. The log leaves no doubt, so nothing is weighed."""
    history = begun
    edits = {n: action for n, action in event.declared if isinstance(action, EditedBoard)}
    for number in range(len(event.turns) + 1):
        if number in edits:
            history = with_board_set_up(history, edits[number].position, edits[number].on_roll)
        if number < len(event.turns):
            history = history.after_told_turn(event.turns[number])
    return history


def _with_roll_in_play(state: RefereeState, faces: tuple[int, int]) -> RefereeState:
    dice = Dice(*faces)
    return replace(
        state,
        phase=RefereePhase.ROLLED,
        rolls=(dice,),
        tray=DiceTray(dice=(DieState.LYING, DieState.LYING), faces=faces),
        from_opening=state.phase is RefereePhase.OPENING and not dice.is_double,
    )


def _after_game(state: RefereeState, event: GameRestored, outcome: Outcome) -> RefereeState:
    if state.other_rules:
        return replace(state, phase=RefereePhase.OVER)
    finished = _finished(state.match, event, outcome)
    match = state.match.after_game(finished)
    phase = RefereePhase.OVER if match.winner else RefereePhase.BETWEEN
    return replace(state, match=match, phase=phase, outcome=finished.outcome)


def _finished(match: Match, event: GameRestored, outcome: Outcome) -> Game:
    """The game by the rules. If they do not end it, it ends as the log says."""
    done = actions(event.turns, event.declared, start=event.position, on_roll=event.on_roll)
    played = played_by_rules(match.game, done) or match.game
    return played if played.outcome else replace(played, phase=GamePhase.OVER, outcome=outcome)
