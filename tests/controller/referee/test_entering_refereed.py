"""Russian and Turkish backgammon before the referee."""

from dataclasses import replace

import pytest

from controller.referee import ActionDeclared, GameWon, RollCalled
from controller.referee.effects import CommandRefused
from controller.referee.inference.histories import History
from controller.referee.state import RefereePhase
from controller.rules import (
    ENTERING_LAWS,
    Dice,
    Doubled,
    EditedBoard,
    NullThrow,
    OffenceKind,
    Player,
    Position,
    ThrowFault,
    Win,
    rules_of,
)
from controller.rules.entering.entering_laws import RUSSIAN_BRITANNICA, RUSSIAN_CADY
from tests.controller.referee.table import EnteringTable, board
from tests.controller.rules.entering.entering_games import a_game

W, B = Player.WHITE, Player.BLACK


@pytest.mark.parametrize("laws", ENTERING_LAWS.values(), ids=lambda laws: laws.name)
def test_a_game_is_recorded_without_fault(laws):
    stands, throws, _ = a_game(laws, seed=2, most=20)
    table = EnteringTable(laws, on_roll=stands[0].on_roll)
    table.watch(stands, throws)
    record = table.state.record
    n = len(record)
    assert n >= 19
    assert [turn.position for turn in record] == [turn_state.position for turn_state in stands[1 : n + 1]]
    assert [turn.player for turn in record] == [turn_state.on_roll for turn_state in stands[:n]]
    assert all(turn.legal for turn in record)
    assert table.offences == []


@pytest.mark.parametrize("laws", ENTERING_LAWS.values(), ids=lambda laws: laws.name)
def test_who_has_the_first_turn_may_throw_both_dice_instead(laws):
    table = EnteringTable(laws)
    start = rules_of(laws).start(W)
    played = rules_of(laws).plays(start, Dice(5, 4))[0]
    table.roll(3, 1)
    table.lift()
    table.show(str(start.position))
    table.play(5, 4, str(played.result))
    table.show(str(played.result))
    assert table.plays == [f"white 54 {played}"]
    assert table.offences == []


def test_doublets_chosen_after_a_deuce_ace_are_seen_from_the_play():
    """Whether sixes and then aces, or aces and then sixes, cannot be told when all are entered."""
    table = EnteringTable(RUSSIAN_CADY, on_roll=W)
    begun = board({0: 13, 23: 1, 24: 1}, {0: 15})
    table.play(2, 1, begun)
    assert table.state.on_roll is W
    chosen = board({0: 5, 23: 1, 24: 5, 19: 4}, {0: 15})
    table.show(chosen)
    table.show(chosen)
    table.play(6, 5, board({0: 3, 23: 1, 24: 5, 19: 5, 20: 1}, {0: 15}))
    begun_with, then, last = table.plays
    assert (begun_with, last) == ("white 21 off/23 off/24", "white 65 off/19 off/20")
    assert then in ("white 66 off/19(4); off/24(4)", "white 11 off/24(4); off/19(4)")
    assert table.offences == []


def test_where_the_board_is_set_up_no_doublets_are_to_be_chosen():
    table = EnteringTable(RUSSIAN_CADY, on_roll=W)
    begun = board({0: 13, 23: 1, 24: 1}, {0: 15})
    table.play(2, 1, begun)
    set_up = EditedBoard(position=Position.parse(begun), on_roll=W)
    table.tell(ActionDeclared(t_ms=table.t_ms, action=set_up))
    assert not table.state.likeliest.turn_state.choosing


def test_who_may_throw_again_is_called_again():
    table = EnteringTable(RUSSIAN_BRITANNICA, on_roll=B)
    table.play(6, 6, board({0: 15}, {0: 7, 6: 4, 1: 4}))
    table.roll(5, 4)
    called = [effect.player for effect in table.effects if isinstance(effect, RollCalled)]
    assert called == [B, B]


def test_a_checker_entered_on_a_point_that_was_not_thrown_is_an_offence():
    table = EnteringTable(RUSSIAN_BRITANNICA, on_roll=W)
    table.roll(6, 3)
    table.show(board({0: 13, 19: 1, 23: 1}, {0: 15}), for_ms=1500)
    (shown,) = table.offences
    (offence,) = shown.offences
    assert offence.kind is OffenceKind.WRONG_DISTANCE
    assert [str(place) for place in offence.places] == ["white tray", "point 23"]


def test_a_game_that_is_won_is_a_match():
    stands, throws, _ = a_game(RUSSIAN_BRITANNICA, seed=3)
    table = EnteringTable(RUSSIAN_BRITANNICA, on_roll=W)
    at_its_end = History.starting_from(stands[-4], table.state.rules)
    table.state = replace(table.state, histories=(at_its_end,))
    table.show(str(stands[-4].position))
    table.watch(stands[-4:], throws[-3:])
    assert table.state.phase is RefereePhase.OVER
    (won,) = [effect for effect in table.effects if isinstance(effect, GameWon)]
    assert (won.winner, won.win, won.points) == (stands[-1].winner, Win.BACKGAMMON, 3)


@pytest.mark.parametrize("action", [Doubled(player=W), NullThrow(player=W, fault=ThrowFault.TILTED)])
def test_people_can_only_correct_a_play_or_take_it_back(action):
    table = EnteringTable(RUSSIAN_BRITANNICA, on_roll=W)
    table.tell(ActionDeclared(t_ms=table.t_ms, action=action))
    (refused,) = [effect for effect in table.effects if isinstance(effect, CommandRefused)]
    assert refused.why == "By russian-britannica a play can only be corrected or taken back here."
