"""What the referee makes of a place that is told wrongly from the beginning to the end."""

from dataclasses import replace

from controller.referee.inference.board_memory import N_COLUMNS
from controller.rules import Position
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
