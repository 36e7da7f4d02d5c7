"""How a game begins, and how the last turn counts when the input ends."""

from dataclasses import replace

from controller.referee import priors
from controller.referee.events import BoardSeen, GameStarted, InputEnded, MatchBegan
from controller.referee.handlers.board_events import remember_board
from controller.referee.handlers.finished_games import finished_games
from controller.referee.handlers.turn_end import end_game_if_won, with_half_read_roll
from controller.referee.inference.board_evidence import PlaceStates
from controller.referee.inference.histories import History, likeliest_history, pruned
from controller.referee.inference.inferred_turns import with_play_ended
from controller.referee.state import RefereePhase, RefereeState
from controller.rules import Player, Position


def begin_match(state: RefereeState, event: MatchBegan) -> RefereeState:
    """The state before the first game of a match. What the dice sensor reported is kept."""
    return RefereeState(
        settings=state.settings,
        match=event.match,
        other_rules=state.other_rules,
        tray=state.tray,
        sensor=state.sensor,
    )


def start_game(state: RefereeState, event: GameStarted) -> RefereeState:
    """The state at the start of a game. By some laws the winner of the last game has the first turn."""
    first = event.on_roll or state.match.game.first
    return RefereeState(
        settings=state.settings,
        match=state.match,
        game=len(state.match.games),
        finished=finished_games(state),
        phase=RefereePhase.OPENING if first is None else RefereePhase.BEFORE_ROLL,
        other_rules=state.other_rules,
        histories=histories_at_start(state, event.position, first),
        joined=event.on_roll,
        tray=state.tray,
        sensor=state.sensor,
        memory=state.memory,
    )


def histories_at_start(state: RefereeState, position: Position, first: Player | None) -> tuple[History, ...]:
    """The courses of a game before its first play. Where `first` is None, either player may play first."""
    return tuple(
        History.starting_from(state.rules.start(player).on_board(position), state.rules, _reader(state))
        for player in (tuple(Player) if first is None else (first,))
    )


def with_board_set_up(history: History, position: Position, on_roll: Player) -> History:
    """The history after people set up `position`, with `on_roll` on roll."""
    turn_state = replace(history.turn_state.on_board(position), on_roll=on_roll, choosing=False)
    return replace(History.starting_from(turn_state, history.rules), parent=history)


def _reader(state: RefereeState) -> PlaceStates | None:
    """What the last game showed about the reader; None before the first game."""
    return likeliest_history(state.histories).place_states if state.histories else None


def start_next_game(state: RefereeState, event: BoardSeen) -> RefereeState:
    """Begin the next game of the match once the board is set up for it."""
    state = remember_board(state, event)
    start = state.rules.start(Player.WHITE)
    begun = History.starting_from(start, state.rules, _reader(state))
    furnished = (
        state.memory.settled(state.settings.settle_ms)
        and begun.weighed(state.evidence).log_likelihood > priors.BOARD_FITS_NATS
    )
    return start_game(state, GameStarted(t_ms=event.t_ms, position=start.position)) if furnished else state


def count_missed_play(state: RefereeState, event: InputEnded) -> RefereeState:
    """Count the play of a half-read roll; without a sensor, a complete play that lies on the last board seen.

    A game that the last play won is over, even if its end was not seen.
    """
    if state.sensor:
        may_be_played = state.tray.is_half_read and state.memory.t_ms is not None
        played = with_half_read_roll(state, state.tray, event) if may_be_played else state
        return end_game_if_won(played) if likeliest_history(played.histories).is_over else played
    histories = pruned(
        history if history.is_over else with_play_ended(history, event.t_ms)
        for history in state.histories
        if history.lying_board or history.is_over
    )
    if not histories:
        return state
    counted = replace(state, phase=RefereePhase.BEFORE_ROLL, histories=histories)
    return end_game_if_won(counted) if likeliest_history(histories).is_over else counted
