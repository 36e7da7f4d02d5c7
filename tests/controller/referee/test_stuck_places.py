"""What the referee makes of places that are told wrongly, and of a hand that is overlooked."""

from dataclasses import replace

from controller.referee.inference.board_memory import N_COLUMNS
from controller.rules import Player, Position
from tests.controller.referee.table import SURE, Table, board, seen

START_SIDE = {6: 5, 8: 3, 13: 5, 24: 2}
BLACKS_FIVE_POINT = 19
"""The row on which two black men are told, whatever lies there."""


def show_stuck(table: Table, shown: str) -> None:
    """The camera sees `shown`, but for that place."""
    for wait_ms in (250, 1000):
        table.t_ms += wait_ms
        sight = seen(Position.parse(shown), table.t_ms)
        row = tuple(0.0 if column == N_COLUMNS // 2 - 2 else SURE for column in range(N_COLUMNS))
        rows = (*sight.rows[:BLACKS_FIVE_POINT], row, *sight.rows[BLACKS_FIVE_POINT + 1 :])
        table.tell(replace(sight, rows=rows))


def test_an_illegal_play_to_a_place_that_is_told_wrongly_is_found_once_nothing_else_explains_the_board():
    """Black plays 13/7 7/5 with 6-1. Of his six-point five men are told, then and later."""
    table, white = Table(), {3: 1, 6: 4, 8: 4, 13: 4, 24: 2}
    show_stuck(table, str(Position.START))
    later = ({2: 1, 3: 2, 6: 4, 8: 2, 13: 4, 24: 2}, {5: 1, 6: 5, 8: 3, 13: 4, 24: 2})
    for first, second, shown in (
        (5, 3, (white, START_SIDE)),
        (6, 1, (white, later[1])),
        (6, 5, later),
        (2, 1, (later[0], {5: 1, 6: 6, 7: 1, 8: 1, 13: 4, 24: 2})),
    ):
        table.roll(first, second)
        show_stuck(table, board(*shown))
        table.lift()
        show_stuck(table, board(*shown))
    assert [turn.legal for turn in table.state.record] == [True, False, True, True]
    assert [turn.play for turn in table.state.record][1:] == ["13/5", "8/2 8/3", "8/6 8/7"]


def test_a_hand_that_is_overlooked_in_one_picture_is_no_play():
    """Black plays 2/1(2) 1/off(2) with 1-1. Of the two left on his 2-point one is told, from then on.

    When he lifts the dice, one picture shows his hand as two white checkers. An illegal 2/off(3) does not
    explain that any better.
    """
    white, black, told = {0: 10, 1: 5}, {0: 6, 1: 3, 2: 2, 3: 2, 4: 2}, {0: 7, 1: 3, 2: 1, 3: 2, 4: 2}
    before = board(white, {0: 4, 1: 3, 2: 4, 3: 2, 4: 2})
    table = Table(Position.parse(before), on_roll=Player.BLACK)
    table.show(before)
    table.roll(1, 1)
    table.show(board(white, told))
    table.t_ms += 250
    table.tell(seen(Position.parse(board({0: 8, 1: 5, 2: 1, 25: 1}, told)), table.t_ms))
    table.lift()
    table.show(board(white, told))
    table.play(5, 4, board({0: 12, 1: 3}, black))
    table.show(board({0: 12, 1: 3}, black))
    assert [turn.play for turn in table.state.record] == ["2/1(2) 1/off(2)", "1/off(2)"]
