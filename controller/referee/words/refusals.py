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

NO_PLAY = {
    RefereePhase.IDLE: Key("no_game_yet"),
    RefereePhase.OPENING: Key("no_opening_roll"),
    RefereePhase.BETWEEN: Key("game_is_over"),
    RefereePhase.OVER: Key("match_is_over"),
}
NAMES_OF_COLOURS = {Player.WHITE: Key("white"), Player.BLACK: Key("black")}


def name_of(player: Player) -> str:
    """The colour of the player as his name."""
    return say(NAMES_OF_COLOURS[player])


def why_nothing_was_played(state: RefereeState) -> str:
    """Why there is no play to end, to take back or to correct, or no game in which to declare anything."""
    if state.phase in NO_PLAY:
        return say(NO_PLAY[state.phase])
    return say("no_play_to_end", name=name_of(state.on_roll))


def why_not_declared(state: RefereeState, action: Action, reason: str) -> str:
    """Why an action cannot be declared now. reason: the answer of the rules, for cases not explained here."""
    game = state.game_by_rules
    if game.asked is not None:
        asked, other = name_of(game.asked), name_of(game.asked.opponent)
        if game.phase is GamePhase.RESIGNING:
            return say("resignation_waits", name=other, other=asked)
        if isinstance(action, Beavered) and not game.stakes.beavers:
            return say("beavers_not_agreed", name=asked)
        return say("double_waits", name=other, other=asked)
    match action:
        case Doubled():
            return _why_not_doubled(state, action.player)
        case Took() | Passed() | Beavered():
            return say("nobody_doubled")
        case AcceptedResignation() | RefusedResignation():
            return say("nobody_resigned")
        case OfferedResignation():
            return say("nothing_to_resign")
        case NullThrow() if state.phase is RefereePhase.OPENING:
            return say("no_throw_yet")
        case NullThrow() if state.phase is RefereePhase.BEFORE_ROLL:
            return say("no_throw_to_be_void", name=name_of(state.on_roll))
    return say("cannot_be", problem=reason)


def why_no_opening_throw(state: RefereeState, event: TurnCorrected) -> str | None:
    """Why the dice of a correction cannot have been an opening throw; None when they can."""
    is_first = event.index == 0 and state.joined is None and state.match.game.first is None
    is_tie = event.dice is not None and event.dice.is_double
    if not is_first or not is_tie or state.may_throw_over:
        return None
    return say("cannot_be", problem=say("no_opening_throw", dice=event.dice))


def no_half_turn(index: int, n_turns: int) -> str:
    """There is no half-turn of this number in a game of `n_turns`."""
    return say("no_half_turn_to_correct", number=index + 1, n_turns=n_turns)


def _why_not_doubled(state: RefereeState, player: Player) -> str:
    if not state.match.laws.has_cube:
        return say("no_cube_by_laws", laws=state.match.laws.name)
    if state.match.is_crawford_game:
        return say("no_double_in_crawford")
    if state.phase is RefereePhase.OPENING:
        return say("no_double_before_opening")
    if state.game_by_rules.cube.owner is player.opponent:
        return say("cube_is_others", name=name_of(player.opponent))
    if state.phase is RefereePhase.ROLLED:
        if len(state.rolls) == 1:
            return say("has_rolled_dice", name=name_of(state.on_roll), dice=state.rolls[0])
        return say("has_rolled", name=name_of(state.on_roll))
    if player is not state.on_roll:
        return say("not_yet_his_double", name=name_of(state.on_roll), other=name_of(player))
    return say("may_not_double", name=name_of(player))
