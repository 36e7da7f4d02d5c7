"""A game restored from its log goes on as it would have without the interruption."""

import pytest

from controller.referee import GameRestored, RefereeState, RollDropped, step
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
from tests.controller.referee.table import Table, board
from tests.controller.referee.test_laws_refereed import BLACK_31, refusals, says
from tests.controller.referee.test_referee import START, START_SIDE

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
