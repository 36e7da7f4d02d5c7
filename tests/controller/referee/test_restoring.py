"""A game restored from its log goes on as it would have without the interruption."""

import pytest

from controller.referee import GameRestored, InputEnded, RefereeState, RollDropped, step
from controller.referee.state import RefereePhase
from controller.rules import (
    LAWS,
    AcceptedResignation,
    Dice,
    EditedBoard,
    GamePhase,
    Match,
    NullThrow,
    OfferedResignation,
    Player,
    Position,
    Rolled,
    ThrowFault,
    Win,
)
from hardware.dice_events import DiceSettled, SensorFound, SensorLost
from tests.controller.referee.table import Table, board
from tests.controller.referee.test_laws_refereed import BLACK_31, refusals, says
from tests.controller.referee.test_referee import AFTER_31, AFTER_31_64, START, START_SIDE

W, B = Player.WHITE, Player.BLACK
CADY = Match.new(0, LAWS["cady-1895"])
WHITE_BEGINS = (
    CADY.push(Rolled(player=W, dice=Dice(2, 1)))
    .push(OfferedResignation(player=B, win=Win.SINGLE))
    .push(AcceptedResignation(player=W))
)
"""White has won a single game, and by these laws has the first turn of the next."""
VOID = NullThrow(player=W, fault=ThrowFault.TILTED)


def restored(match: Match = CADY, **known) -> Table:
    """A table at which the game in the log goes on; the log says what is `known`."""
    table = Table(laws=match.laws)
    known = {"on_roll": None, "first": None, "turns": (), **known}
    event = GameRestored(t_ms=0, position=Position.START, **known)
    table.state, _ = step(RefereeState(match=match, sensor=True), event)
    return table


def test_an_opening_throw_that_lies_there_may_still_be_void():
    table = restored(first=W, faces=(6, 4))
    says(table, VOID)
    assert refusals(table) == []
    assert table.state.phase is RefereePhase.OPENING
    assert table.state.game_by_rules.phase is GamePhase.OPENING
    table.lift()
    table.show(START)
    table.play(1, 3, board(START_SIDE, BLACK_31))
    assert table.plays == ["black 31 8/5 6/5"]


def test_doublets_that_lie_there_are_no_opening_throw_but_one_made_over():
    table = restored(first=W, faces=(6, 6))
    says(table, VOID)
    assert (table.state.phase, table.state.on_roll) == (RefereePhase.BEFORE_ROLL, W)


def test_a_throw_by_who_begins_without_an_opening_throw_is_his_to_repeat():
    table = restored(WHITE_BEGINS, first=W, faces=(6, 4))
    says(table, VOID)
    assert (table.state.phase, table.state.on_roll) == (RefereePhase.BEFORE_ROLL, W)


def test_a_dropped_throw_is_made_again_by_who_begins_without_an_opening_throw():
    table = restored(WHITE_BEGINS, first=W, faces=(6, 4))
    table.tell(RollDropped(t_ms=0))
    assert (table.state.phase, table.state.on_roll) == (RefereePhase.BEFORE_ROLL, W)


@pytest.mark.parametrize("known", [{}, {"first": W, "faces": (3, 1)}], ids=["nothing", "the roll"])
def test_a_first_half_turn_that_was_played_meanwhile_is_taken_from_the_board(known):
    table = restored(Match.new(0), **known)
    table.show(AFTER_31)
    table.play(6, 4, AFTER_31_64)
    assert table.plays == ["white 31 8/5 6/5", "black 64 24/18 13/9"]


def test_what_was_said_before_the_first_throw_is_known():
    declared = ((0, VOID),)
    table = restored(declared=declared)
    assert table.state.declared == declared
    assert (table.state.phase, len(table.state.histories)) == (RefereePhase.OPENING, 2)


@pytest.mark.parametrize("player", Player)
def test_a_board_set_up_before_the_first_throw_is_the_board(player):
    edit = EditedBoard(position=Position.parse(board(START_SIDE, BLACK_31)), on_roll=player)
    table = restored(declared=((0, edit),))
    assert (table.state.phase, table.state.on_roll) == (RefereePhase.BEFORE_ROLL, player)
    assert table.state.shown == edit.position


def unplugged_for_a_moment(table: Table, faces: tuple[int, int]) -> None:
    """The tray's cable is pulled and plugged in again; then the tray reports the dice that lie there."""
    table.tell(SensorLost(t_ms=table.t_ms, reason="The cable is out."))
    table.t_ms += 500
    table.tell(SensorFound(t_ms=table.t_ms))
    for die, face in enumerate(faces, start=1):
        table.tell(DiceSettled(t_ms=table.t_ms, die=die, face=face))


@pytest.mark.parametrize("made", [START, board(START_SIDE, BLACK_31)], ids=["not begun", "complete"])
def test_dice_that_lie_there_while_the_tray_is_unplugged_are_no_new_roll(made):
    table = Table()
    table.show(START)
    table.roll(1, 3)
    table.show(made)
    unplugged_for_a_moment(table, (1, 3))
    assert (table.plays, table.state.on_roll) == ([], B)
    table.show(board(START_SIDE, BLACK_31))
    table.lift()
    assert table.plays == ["black 31 8/5 6/5"]
    assert table.state.on_roll is W


def test_dice_thrown_while_the_tray_was_unplugged_are_the_next_roll():
    table = Table()
    table.show(START)
    table.roll(1, 3)
    table.show(board(START_SIDE, BLACK_31))
    unplugged_for_a_moment(table, (6, 4))
    assert table.plays == ["black 31 8/5 6/5"]
    assert (table.state.rolls, table.state.on_roll) == ((Dice(6, 4),), W)


def test_a_play_that_lies_complete_after_a_restart_is_that_of_the_dice_that_lie_there():
    before = Table()
    before.show(START)
    before.play(3, 1, board(BLACK_31, START_SIDE))
    table = restored(first=W, turns=before.state.record, faces=(4, 4))
    table.t_ms = before.t_ms + 20_000
    played = board(BLACK_31, {24: 2, 13: 2, 9: 3, 8: 2, 6: 5, 4: 1})
    table.show(played)
    table.show(played)
    assert (len(table.plays), table.state.on_roll) == (1, B)
    table.lift()
    assert table.plays[1:] == ["black 44 13/9(3) 8/4"]
    assert not table.state.record[1].dice_inferred


def test_a_play_of_which_a_part_lies_there_at_the_end_is_not_over():
    table = Table()
    table.show(START)
    table.roll(1, 3)
    table.show(board(START_SIDE, {24: 2, 13: 5, 8: 2, 6: 5, 5: 1}))
    table.tell(SensorLost(t_ms=table.t_ms, reason="The cable is out."))
    table.tell(InputEnded(t_ms=table.t_ms))
    assert table.plays == []
