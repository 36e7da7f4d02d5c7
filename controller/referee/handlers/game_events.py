"""How a match and its games begin, and how they are restored from the log after an interruption."""

from dataclasses import replace

import numpy as np

from controller.referee import priors
from controller.referee.dice_tray import DiceTray, DieState
from controller.referee.events import BoardSeen, GameRestored, GameStarted, MatchBegan, RollDropped
from controller.referee.half_turn import HalfTurn, in_order, played_by_rules
from controller.referee.handlers.board_events import remember_board
from controller.referee.handlers.turn_end import with_doublets_to_choose, with_game_over
from controller.referee.inference.board_evidence import PlaceStates
from controller.referee.inference.histories import History, pruned
from controller.referee.inference.roll_evidence import RollEvidence
from controller.referee.state import FinishedGame, RefereePhase, RefereeState
from controller.rules import OFF, Dice, EditedBoard, GamePhase, Match, Outcome, Player, Position


def begin_match(state: RefereeState, event: MatchBegan) -> RefereeState:
    """The state before the first game of a match. What the dice sensor reported is kept."""
    return _without_game(state, event.match)


def _without_game(state: RefereeState, match: Match) -> RefereeState:
    return RefereeState(
        settings=state.settings,
        match=match,
        other_rules=state.other_rules,
        tray=state.tray,
        sensor=state.sensor,
    )


def start_game(state: RefereeState, event: GameStarted) -> RefereeState:
    """The state at the start of a game. By some laws the winner of the last game has the first turn."""
    first = event.on_roll or state.match.game.first
    return replace(
        _without_game(state, state.match),
        game=len(state.match.games),
        finished=finished_games(state),
        phase=RefereePhase.OPENING if first is None else RefereePhase.BEFORE_ROLL,
        histories=histories_at_start(state, event.position, first),
        joined=event.on_roll,
        memory=state.memory,
    )


def finished_games(state: RefereeState) -> tuple[FinishedGame, ...]:
    """The games that are over when the next one begins."""
    if state.outcome is None or not state.histories:
        return state.finished
    return (*state.finished, FinishedGame(course=state.likeliest, told=state.told))


def histories_at_start(state: RefereeState, position: Position, first: Player | None) -> tuple[History, ...]:
    """The courses of a game before its first play. Where `first` is None, either player may play first.

    What the last game showed about the reader is kept.
    """
    reader = state.likeliest.place_states if state.histories else None
    return tuple(
        History.starting_from(state.rules.start(player).on_board(position), state.rules, reader)
        for player in (tuple(Player) if first is None else (first,))
    )


def with_board_set_up(history: History, board: EditedBoard) -> History:
    """The history after people set up `board`."""
    turn_state = replace(history.turn_state.on_board(board.position), on_roll=board.on_roll, choosing=False)
    return replace(History.starting_from(turn_state, history.rules), parent=history)


def start_next_game(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Begin the next game of the match once the board is set up for it."""
    state = remember_board(state, event)
    if not state.is_settled:
        return state
    start = state.rules.start(Player.WHITE).position
    begun = start_game(state, GameStarted(t_ms=event.t_ms, position=start))
    fit = state.evidence.log_likelihood(start, begun.likeliest.place_states)
    return begun if fit > priors.BOARD_FITS_NATS else state


def with_men_omitted(state: RefereeState) -> Position | None:
    """The board of a game that begins without all its men; None when none is missing or all must be set up.

    By some laws a player who has thrown without all his men plays on with those he has.
    """
    if state.other_rules or not state.match.laws.omitted_men_stay_out:
        return None
    start = state.likeliest.position
    shown, states = state.evidence, PlaceStates.unknown(start)
    is_furnished = shown.log_likelihood(start, states) > priors.BOARD_FITS_NATS
    if is_furnished or not state.is_settled:
        return None
    seen = shown.likeliest_board(states, start)
    white, black = (start.white[OFF], *seen.white[OFF + 1 :]), (start.black[OFF], *seen.black[OFF + 1 :])
    missing = np.subtract((start.white, start.black), (white, black))
    only_missing = missing.min() >= 0 and 0 < missing.sum() <= priors.MOST_MEN_OMITTED
    return Position(white, black) if only_missing else None


def restore_game(state: RefereeState, event: GameRestored) -> RefereeState:
    """The state after the last entry of a game's log: before a roll, during a play, or after the game."""
    started = start_game(state, GameStarted(t_ms=event.t_ms, position=event.position, on_roll=event.first))
    histories = pruned(_restored_course(begun, event) for begun in started.histories)
    restored = _before_roll(
        replace(started, joined=event.on_roll, histories=histories, declared=event.declared)
    )
    if event.outcome is not None:
        return _after_game(restored, event.outcome)
    if event.faces_left:
        left = DiceTray(dice=(DieState.LEFT, DieState.LEFT))
        last = len(restored.record), Dice(*event.faces_left)
        return replace(restored, tray=left, last_sensor_roll=last)
    return _with_roll_in_play(restored, event.faces) if event.faces else restored


def drop_roll(state: RefereeState, event: RollDropped) -> RefereeState:
    """The state before the roll in play was made."""
    return _before_roll(
        replace(state, tray=DiceTray(), from_opening=False, thrown=None, roll_evidence=RollEvidence())
    )


def _before_roll(state: RefereeState) -> RefereeState:
    """The state before the next roll, or before the choice of doublets that takes its place."""
    has_begun = state.likeliest.parent or state.joined or state.match.game.first
    phase = RefereePhase.BEFORE_ROLL if has_begun else RefereePhase.OPENING
    return with_doublets_to_choose(replace(state, phase=phase, rolls=(), recorded=state.record))


def _restored_course(history: History, event: GameRestored) -> History:
    """The course of the game in the log. The log leaves no doubt, so nothing is weighed."""
    for part in in_order(event.turns, event.declared):
        if isinstance(part, HalfTurn):
            history = history.after_told_turn(part)
        elif isinstance(part, EditedBoard):
            history = with_board_set_up(history, part)
    return history


def _with_roll_in_play(state: RefereeState, faces: tuple[int, int]) -> RefereeState:
    dice = Dice(*faces)
    return replace(
        state,
        phase=RefereePhase.ROLLED,
        rolls=(dice,),
        tray=DiceTray(dice=(DieState.LYING, DieState.LYING), faces=faces),
        from_opening=state.phase is RefereePhase.OPENING and not dice.is_double,
        untouched=False,
    )


def _after_game(state: RefereeState, outcome: Outcome) -> RefereeState:
    """The state after the game. If the rules do not end it, it ends as the log says."""
    if state.other_rules:
        return replace(state, phase=RefereePhase.OVER)
    game = played_by_rules(state.match.game, state.actions) or state.match.game
    ended = game if game.outcome else replace(game, phase=GamePhase.OVER, outcome=outcome)
    return with_game_over(state, ended)
