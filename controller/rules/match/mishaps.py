"""What goes wrong at the table, and how each set of laws corrects it. `Game.push` calls these functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from controller.rules.board.position import BAR, OFF, Player, Position
from controller.rules.laws.law_terms import PlayEnds, ThrowFault, Touched, WrongPlay
from controller.rules.match.actions import (
    AgreedToAlter,
    GamePhase,
    Moved,
    MovedIrregularly,
    NamedThrow,
    NullThrow,
    OpeningThrow,
    PutBackUp,
    QuittedMan,
    RequiredFurnishing,
    RequiredRightNumber,
    Rolled,
    TouchedMan,
    require,
)
from controller.rules.match.game_state import NO_ROLL, GameState

G = TypeVar("G", bound=GameState)

_THROWING = (GamePhase.OPENING, GamePhase.TO_ROLL, GamePhase.TO_MOVE)


def throw_again(game: G, action: NullThrow) -> G:
    """The throw is void. If it is the roll to be played, the player throws again."""
    require(game.phase in _THROWING, "waits_not_for_throw", waits=game.phase)
    stands = action.fault is ThrowFault.PREMATURE and game.stakes.premature_throw_stands
    require(action.fault in game.laws.null_throws and not stands, "throw_stands", fault=action.fault.value)
    if game.phase is not GamePhase.TO_MOVE:
        return game
    assert game.turn is not None
    if not action.voids_roll_of(game.turn, from_opening=game.from_opening):
        return game
    if game.from_opening:
        return replace(game, phase=GamePhase.OPENING, turn=None, **NO_ROLL)
    return replace(game, phase=GamePhase.TO_ROLL, **NO_ROLL)


def name_die(game: G, action: NamedThrow) -> G:
    """One die counts as the number that the player not in fault named."""
    require(game.laws.touched_die_named_by_adversary, "no_die_named")
    require(game.phase is GamePhase.TO_MOVE, "waits_not_for_play", waits=game.phase)
    assert game.dice is not None
    thrown = (Counter((game.dice.high, game.dice.low)), Counter((action.dice.high, action.dice.low)))
    require((thrown[0] & thrown[1]).total() > 0, "one_die_named", dice=game.dice)
    return replace(game, dice=action.dice)


def touch(game: G, action: TouchedMan) -> G:
    """A man is touched; the laws say whether it must be played."""
    _require_own_play(game, action.player)
    binding = {
        Touched.NONE: False,
        Touched.TAKEN_FROM_POINT: action.taken,
        Touched.TOUCHED: True,
    }[game.laws.touched]
    free = action.adjusting and game.laws.may_announce_adjusting
    return replace(game, touched=(*game.touched, action.place)) if binding and not free else game


def quit_man(game: G, action: QuittedMan) -> G:
    """A man is placed on a point and let go of; the laws say whether it must stay there."""
    _require_own_play(game, action.player)
    if game.laws.play_ends is PlayEnds.MAN_QUITTED:
        return replace(game, quitted=(*game.quitted, action.step))
    return game


def require_right_number(game: G, action: RequiredRightNumber) -> G:
    """The wrong play just made is taken back; no throw has followed it."""
    require(game.phase is GamePhase.TO_ROLL, "throw_has_followed")
    either = game.laws.wrong_play is WrongPlay.BOTH_ONCE_THROWN
    require(either or action.player is game.turn, "not_his_to_require", player=action.player.value)
    return _before_wrong_play(game)


def alter_by_agreement(game: G, action: AgreedToAlter) -> G:
    """The wrong play is taken back, and with it a throw that followed."""
    both = game.laws.wrong_play is WrongPlay.BOTH_ONCE_THROWN
    require(both and game.phase in (GamePhase.TO_ROLL, GamePhase.TO_MOVE), "the_play_stands")
    return _before_wrong_play(game)


def _before_wrong_play(game: G) -> G:
    require(game.mistaken is not None, "no_wrong_play")
    assert isinstance(game.mistaken, type(game))
    return game.mistaken


def put_back_up(game: G, action: PutBackUp) -> G:
    """Men that were borne while one was on the bar are put on the bar, to be entered again."""
    require(game.laws.borne_with_man_up_enter_again, "no_men_put_up")
    require(game.phase in (GamePhase.TO_ROLL, GamePhase.TO_MOVE), "game_waits", waits=game.phase)
    who = list(Player).index(action.player)
    borne = list(game.unduly_borne)
    require(
        0 < action.count <= borne[who],
        "borne_otherwise",
        player=action.player.value,
        borne=borne[who],
        count=action.count,
    )
    borne[who] -= action.count
    own = list(game.position.side(action.player))
    own[OFF] -= action.count
    own[BAR] += action.count
    position = Position.of(action.player, own, game.position.side(action.player.opponent))
    return replace(game, position=position, unduly_borne=(borne[0], borne[1]))


def furnish(game: G, action: RequiredFurnishing) -> G:
    """A player who has not thrown yet has the board set up properly, before the first play."""
    laws = game.laws
    require(laws.furnishing_may_be_required, "no_furnishing")
    require(game.phase in _THROWING, "game_waits", waits=game.phase)
    played = any(isinstance(done, Moved | MovedIrregularly) for done in game.actions)
    require(not played, "play_on_board")
    require(not _has_thrown(game, action.player), "has_thrown", player=action.player.value)
    stays_out = laws.omitted_men_stay_out and _has_thrown(game, action.player.opponent)
    side, due = game.position.side(action.player.opponent), laws.start.side(action.player.opponent)
    require(not stays_out or sum(side) >= sum(due), "omitted_stays_out")
    phase = GamePhase.OPENING if game.first is None else GamePhase.TO_ROLL
    return replace(game, position=laws.start, phase=phase, turn=game.first, **NO_ROLL)


def _has_thrown(game: GameState, player: Player) -> bool:
    return any(
        isinstance(action, OpeningThrow) or (isinstance(action, Rolled) and action.player is player)
        for action in game.actions
    )


def _require_own_play(game: GameState, player: Player) -> None:
    require(game.phase is GamePhase.TO_MOVE, "waits_not_for_play", waits=game.phase)
    require(player is game.turn, "not_his_turn", player=player.value)


PUSH: dict[type, Callable[[Any, Any], Any]] = {
    NullThrow: throw_again,
    NamedThrow: name_die,
    TouchedMan: touch,
    QuittedMan: quit_man,
    RequiredRightNumber: require_right_number,
    AgreedToAlter: alter_by_agreement,
    PutBackUp: put_back_up,
    RequiredFurnishing: furnish,
}
