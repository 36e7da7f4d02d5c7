"""Corrections of games of the match that are over."""

from dataclasses import replace

from controller.referee.events import TurnCorrected
from controller.referee.game_actions import actions, played_by_rules
from controller.referee.inference.corrections import with_correction
from controller.referee.inference.histories import likeliest_history
from controller.referee.state import FinishedGame, RefereeState
from controller.rules import Game
from sentences import say


def finished_games(state: RefereeState) -> tuple[FinishedGame, ...]:
    """The games that are over when the next one begins."""
    if state.outcome is None or not state.histories:
        return state.finished
    last = FinishedGame(
        course=likeliest_history(state.histories), declared=state.declared, joined=state.joined
    )
    return (*state.finished, last)


def correct_finished_game(state: RefereeState, number: int, event: TurnCorrected) -> RefereeState:
    """Correct a half-turn of a game that is over. The game must still end as it did."""
    games = finished_games(state)
    if not 0 <= number < len(games):
        return replace(state, refusal=say("no_finished_game", number=number + 1, n_games=len(games)))
    found = with_correction((games[number].course,), event.index, event.position, event.dice)
    if found is None:
        n_turns = len(games[number].course.turns)
        return replace(state, refusal=say("no_half_turn_to_correct", number=event.index + 1, n_turns=n_turns))
    corrected = replace(games[number], course=found[0])
    if not state.other_rules:
        played = _played(state.match.games[number], corrected)
        if played is None or played.outcome != state.match.games[number].outcome:
            return replace(state, refusal=say("game_would_end_otherwise", game=number + 1))
        done = state.match.games
        state = replace(
            state, match=replace(state.match, games=(*done[:number], played, *done[number + 1 :]))
        )
    if number == len(state.finished):
        return replace(state, histories=(corrected.course,))
    return replace(state, finished=(*state.finished[:number], corrected, *state.finished[number + 1 :]))


def _played(then: Game, corrected: FinishedGame) -> Game | None:
    """The game by the rules; None when the record makes no legal game."""
    course = corrected.course
    done = actions(course.turns, corrected.declared, start=course.root.position, on_roll=corrected.joined)
    return played_by_rules(Game.new(then.laws, then.stakes, then.first), done)
