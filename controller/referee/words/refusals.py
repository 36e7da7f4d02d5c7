"""Why a command is refused: one sentence for each reason, with what may be said instead."""

from controller.referee.events import TurnCorrected
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
from sentences import Key, say

ANSWERS_TO_RESIGNATION = AcceptedResignation | RefusedResignation

NO_GAME = {
    RefereePhase.IDLE: Key("no_game_yet"),
    RefereePhase.BETWEEN: Key("game_is_over"),
    RefereePhase.OVER: Key("match_is_over"),
}
NO_PLAY = {
    **NO_GAME,
    RefereePhase.OPENING: Key("no_opening_roll"),
}
NAMES_OF_COLOURS = {Player.WHITE: Key("white"), Player.BLACK: Key("black")}


def name_of(player: Player) -> str:
    """The colour of the player as his name."""
    return say(NAMES_OF_COLOURS[player])


def _no_play(state: RefereeState) -> str | None:
    return say(NO_PLAY[state.phase]) if state.phase in NO_PLAY else None


def why_nothing_was_played(state: RefereeState) -> str:
    """Why there is no play to end or to take back."""
    return _no_play(state) or say("no_play_to_end", name=name_of(state.on_roll))


def why_not_declared(state: RefereeState, action: Action, reason: str) -> str:
    """Why an action cannot be declared now. reason: the answer of the rules, for cases not explained here."""
    if state.phase in NO_GAME:
        return say(NO_GAME[state.phase])
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
            return say("beavers_not_agreed", name=_asked(state))
        case Took() | Passed() | Beavered():
            return say("nobody_doubled")
        case AcceptedResignation() | RefusedResignation():
            return say("nobody_resigned")
        case OfferedResignation():
            return say("nothing_to_resign")
        case NullThrow() if state.phase is not RefereePhase.ROLLED:
            if state.phase is RefereePhase.OPENING:
                return say("no_throw_yet")
            return say("no_throw_to_be_void", name=name_of(state.on_roll))
    return say("cannot_be", problem=reason)


def why_not_corrected(state: RefereeState) -> str:
    """Why no half-turn can be corrected."""
    return _no_play(state) or say("nothing_to_correct")


def why_no_opening_throw(state: RefereeState, event: TurnCorrected) -> str | None:
    """Why the dice of a correction cannot have been an opening throw; None when they can."""
    is_first = event.index == 0 and state.joined is None and state.match.game.first is None
    if event.dice is None or not event.dice.is_double or not is_first:
        return None
    if state.other_rules or state.may_throw_over:
        return None
    return say("cannot_be", problem=say("no_opening_throw", dice=event.dice))


def why_not_taken_back(state: RefereeState) -> str:
    """Why no play can be taken back."""
    return _no_play(state) or say("nothing_to_take_back")


def why_not_undone(state: RefereeState) -> str:
    """Why there is nothing to undo, or why it is too late."""
    if state.words:
        return say("correct_by_number")
    return say("nothing_to_undo")


def no_half_turn(state: RefereeState, index: int, n_played: int | None = None) -> str:
    """There is no half-turn of this number. n_played: half-turns of the game in question, if not this one."""
    n_turns = len(state.record) if n_played is None else n_played
    return say("no_half_turn_to_correct", number=index + 1, n_turns=n_turns)


def _why_not_doubled(state: RefereeState, player: Player) -> str:
    game = state.game_by_rules
    if not state.match.laws.has_cube:
        return say("no_cube_by_laws", laws=state.match.laws.name)
    if state.match.is_crawford_game:
        return say("no_double_in_crawford")
    if state.phase is RefereePhase.OPENING:
        return say("no_double_before_opening")
    if game.cube.owner is player.opponent:
        return say("cube_is_others", name=name_of(player.opponent))
    if state.phase is RefereePhase.ROLLED:
        name = name_of(state.on_roll)
        known = len(state.rolls) == 1
        return (
            say("has_rolled_dice", name=name, dice=state.rolls[0]) if known else say("has_rolled", name=name)
        )
    if player is not state.on_roll:
        return say("not_yet_his_double", name=name_of(state.on_roll), other=name_of(player))
    return say("may_not_double", name=name_of(player))


def _double_waits(state: RefereeState) -> str:
    asked = state.game_by_rules.asked or state.on_roll
    return say("double_waits", name=name_of(asked.opponent), other=name_of(asked))


def _resignation_waits(state: RefereeState) -> str:
    asked = state.game_by_rules.asked or state.on_roll
    return say("resignation_waits", name=name_of(asked.opponent), other=name_of(asked))


def _asked(state: RefereeState) -> str:
    return name_of(state.game_by_rules.asked or state.on_roll)
