"""Why a command of people changes nothing: one sentence for each, with what may be said instead."""

from controller.referee.state import RefereePhase, RefereeState
from controller.rules import (
    AcceptedResignation,
    Action,
    Beavered,
    Doubled,
    GamePhase,
    NullThrow,
    OfferedResignation,
    Passed,
    Player,
    RefusedResignation,
    Took,
)

ANSWERS_TO_DOUBLE = Took | Passed | Beavered
ANSWERS_TO_RESIGNATION = AcceptedResignation | RefusedResignation

NO_GAME = {
    RefereePhase.IDLE: "No game has begun: type start, or set the board up.",
    RefereePhase.BETWEEN: "The game is over: set the board up for the next one.",
    RefereePhase.OVER: "The match is over: set the board up for the next match.",
}
NO_PLAY = {
    **NO_GAME,
    RefereePhase.OPENING: "The opening roll has not been made: throw the dice first.",
}


def name_of(player: Player) -> str:
    """The player's colour as a name."""
    return player.value.capitalize()


def why_nothing_was_played(state: RefereeState) -> str:
    """Why there is no play to end or to take back."""
    return NO_PLAY.get(state.phase) or f"{name_of(state.on_roll)} is to roll: there is no play to end."


def why_not_declared(state: RefereeState, action: Action, reason: str) -> str:
    """Why an action cannot be declared now. reason: what the rules said, for what is not explained here."""
    if state.phase in NO_GAME:
        return NO_GAME[state.phase]
    game = state.game_by_rules
    if game.phase is GamePhase.RESIGNING and not isinstance(action, ANSWERS_TO_RESIGNATION):
        return _resignation_waits(state)
    if game.phase is GamePhase.RESIGNING and game.asked:
        return _resignation_waits(state)
    if game.phase is GamePhase.DOUBLED and not (isinstance(action, Beavered) and not game.stakes.beavers):
        return _double_waits(state)
    match action:
        case Doubled():
            return _why_not_doubled(state, action.player)
        case Beavered() if game.phase is GamePhase.DOUBLED:
            return f"Beavers are not agreed on: {_asked(state)} takes or passes."
        case Took() | Passed() | Beavered():
            return "Nobody has doubled: there is nothing to take or to pass."
        case AcceptedResignation() | RefusedResignation():
            return "Nobody has offered to resign: there is nothing to accept or to refuse."
        case OfferedResignation():
            return "The game has not begun: there is nothing to resign."
        case NullThrow() if state.phase is not RefereePhase.ROLLED:
            return f"{_who_rolls(state)} to roll: there is no throw that could be void."
    return f"That cannot be: {reason}."


def why_not_corrected(state: RefereeState) -> str:
    """Why no half-turn can be corrected."""
    return NO_PLAY.get(state.phase) or "Nothing was played in this game: there is nothing to correct."


def why_not_taken_back(state: RefereeState) -> str:
    """Why no play can be taken back."""
    return NO_PLAY.get(state.phase) or "No play of a known roll was made last: there is nothing to take back."


def why_not_undone(state: RefereeState) -> str:
    """Why there is nothing to undo, or why it is too late."""
    if state.words:
        return "A half-turn has been played since: correct it by its number instead."
    return "Nothing was declared or corrected in this game: there is nothing to undo."


def no_half_turn(state: RefereeState, index: int, n_played: int | None = None) -> str:
    """There is no half-turn of this number. n_played: in the game that is meant, if it is another one."""
    n_turns = len(state.record) if n_played is None else n_played
    return f"There is no half-turn {index + 1} to correct: {n_turns} have been played."


def _why_not_doubled(state: RefereeState, player: Player) -> str:
    game = state.game_by_rules
    if not state.match.laws.has_cube:
        return f"By {state.match.laws.name} there is no doubling cube."
    if state.match.is_crawford_game:
        return "This is the Crawford game: nobody may double in it."
    if state.phase is RefereePhase.OPENING:
        return "Nobody may double before the opening roll."
    if game.cube.owner is player.opponent:
        return f"The cube is {name_of(player.opponent)}'s: only {name_of(player.opponent)} may redouble."
    if state.phase is RefereePhase.ROLLED:
        roll = f" {state.rolls[0]}" if len(state.rolls) == 1 else ""
        return f"{name_of(state.on_roll)} has rolled{roll}: a double comes before the roll."
    if player is not state.on_roll:
        return f"{name_of(state.on_roll)} is to roll: {name_of(player)} may double before his own roll."
    return f"{name_of(player)} may not double now."


def _double_waits(state: RefereeState) -> str:
    asked = state.game_by_rules.asked or state.on_roll
    return f"{name_of(asked.opponent)} has just doubled: {name_of(asked)} takes or passes."


def _resignation_waits(state: RefereeState) -> str:
    asked = state.game_by_rules.asked or state.on_roll
    return f"{name_of(asked.opponent)} has offered to resign: {name_of(asked)} accepts or refuses."


def _asked(state: RefereeState) -> str:
    return name_of(state.game_by_rules.asked or state.on_roll)


def _who_rolls(state: RefereeState) -> str:
    return "Both are" if state.phase is RefereePhase.OPENING else f"{name_of(state.on_roll)} is"
