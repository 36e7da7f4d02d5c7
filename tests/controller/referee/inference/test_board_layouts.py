"""Boards laid out in arrays."""

import numpy as np
import pytest

from controller.referee.inference.board_layouts import BoardLayout, boards_on_the_way, play_results
from controller.referee.inference.board_memory import columns
from controller.rules import Dice, Player, Position, TurnState
from tests.controller.referee.inference.boards import AFTER_31, AFTER_32, HALF_31, ORDINARY, ROLL, memory
from tests.controller.referee.table import board

START = TurnState(Position.START, Player.WHITE)


def test_a_layout_has_the_columns_of_each_board():
    layout = BoardLayout.of([Position.START, AFTER_31])
    assert [tuple(row) for row in layout.columns] == [columns(Position.START), columns(AFTER_31)]
    assert layout.index(AFTER_31) == 1
    assert list(layout) == [Position.START, AFTER_31]


def test_the_likeliest_board_is_the_one_that_was_seen():
    layout = BoardLayout.of([Position.START, AFTER_32, AFTER_31])
    assert layout.likeliest(memory(AFTER_31).table) == AFTER_31


def test_there_is_no_board_past_the_last():
    with pytest.raises(IndexError, match="2"):
        BoardLayout.of([Position.START, AFTER_31])[2]


def test_on_the_way_are_the_board_before_half_a_play_and_the_whole_play():
    boards = set(boards_on_the_way(ORDINARY, START, (ROLL,)))
    assert {Position.START, HALF_31, AFTER_31} <= boards
    assert AFTER_32 not in boards


def test_the_results_of_a_roll_are_the_boards_of_its_plays():
    found = play_results(ORDINARY, START, ROLL)
    assert AFTER_31 in list(found)
    assert HALF_31 not in list(found)
    assert len(found) == len(found.plays)


@pytest.mark.parametrize("p_bears_all", [0.0, 0.3, 0.9])
def test_the_priors_of_all_plays_of_a_roll_add_up_to_one(p_bears_all):
    assert np.exp(play_results(ORDINARY, START, ROLL).play_log_priors(p_bears_all)).sum() == pytest.approx(1)


def test_a_player_who_bears_off_all_he_can_mostly_does():
    """Of 6-1 from 6 and 5, White may bear off one man, or first move and bear off then; never two."""
    position = Position.parse(board({0: 11, 6: 2, 5: 2}, {0: 10, 6: 5}))
    found = play_results(ORDINARY, TurnState(position, Player.WHITE), Dice(6, 5))
    most = found.off == found.off.max()
    shares = np.exp(found.play_log_priors(0.9))
    assert 0 < most.sum() < len(most) or shares[most].sum() == pytest.approx(1)
    assert shares[most].sum() >= 0.9
