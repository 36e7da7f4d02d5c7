"""What the referee says when checkers of both players lie on one point."""

from dataclasses import replace

import pytest

from controller.referee.events import MAX_COUNT
from controller.rules import OffenceKind, Place, Player, Position
from tests.controller.referee.table import Table, board, seen

START_SIDE = {6: 5, 8: 3, 13: 5, 24: 2}


def show_mixed(table: Table, shown: str, point: int) -> None:
    """The camera sees `shown`, and that both colours lie on White's `point`."""
    for wait_ms in (250, 1000):
        table.t_ms += wait_ms
        sight = seen(Position.parse(shown), table.t_ms)
        table.tell(replace(sight, mixed=frozenset({point - 1})))


def offences(table: Table) -> list[tuple[OffenceKind, tuple[Place, ...]]]:
    return [(offence.kind, offence.places) for shown in table.offences for offence in shown.offences]


def test_a_play_onto_a_held_point_is_told_though_the_checker_is_hard_to_see():
    table = Table()
    table.roll(6, 5)
    show_mixed(table, board({6: 5, 8: 3, 13: 5, 24: 1}, START_SIDE), 19)
    assert offences(table) == [(OffenceKind.ONTO_HELD_POINT, (Place(24), Place(19)))]


def test_a_hit_checker_left_on_the_point_is_told():
    blot = {6: 5, 8: 3, 13: 4, 20: 1, 24: 2}
    table = Table(Position.parse(board(START_SIDE, blot)), on_roll=Player.WHITE)
    table.roll(3, 1)
    show_mixed(table, board({5: 2, 6: 4, 8: 2, 13: 5, 24: 2}, {**blot, 20: 0}), 5)
    assert offences(table) == [(OffenceKind.HIT_CHECKER_NOT_ON_BAR, (Place(5), Place(25, Player.BLACK)))]


def test_a_mixed_point_put_right_is_no_offence_any_more():
    table = Table()
    table.roll(6, 5)
    show_mixed(table, board({6: 5, 8: 3, 13: 5, 24: 1}, START_SIDE), 19)
    table.show(str(Position.START))
    assert table.state.offence is None


def test_a_checker_that_is_gone_may_lie_unseen_on_a_held_point():
    table = Table(on_roll=Player.WHITE)
    table.show(str(Position.START))
    table.roll(4, 1)
    table.show(board({6: 5, 8: 3, 9: 1, 13: 3, 24: 2}, START_SIDE))
    assert offences(table) == [(OffenceKind.ONTO_HELD_POINT, (Place(13), Place(12)))]


def test_a_checker_that_is_gone_from_nowhere_near_a_held_point_may_be_misread():
    table = Table(on_roll=Player.WHITE)
    table.show(str(Position.START))
    table.roll(4, 1)
    table.show(board({6: 5, 8: 2, 9: 1, 13: 4, 24: 2}, START_SIDE))
    assert offences(table) == []


@pytest.mark.parametrize("roll", [(4, 1), (4, 3)])
def test_a_checker_on_a_held_point_may_be_taken_for_one_more_of_the_opponents(roll):
    """White's 13/12, by a one or by none of the numbers, is seen as six men of Black's."""
    table = Table(on_roll=Player.WHITE)
    table.show(str(Position.START))
    table.roll(*roll)
    for _ in range(2):
        table.show(board({6: 5, 8: 3, 9: 1, 13: 3, 24: 2}, {**START_SIDE, 13: 6}))
    assert offences(table) == [(OffenceKind.ONTO_HELD_POINT, (Place(13), Place(12)))]


def test_a_checker_on_a_mixed_point_is_told_though_one_of_the_opponents_places_is_misread():
    """White's 13/12 is seen to stand beside Black's men. Of three others of Black's two are hardly seen."""
    table = Table(on_roll=Player.WHITE)
    table.show(str(Position.START))
    table.roll(6, 1)
    misread = Position.parse(board({6: 5, 7: 1, 8: 3, 13: 3, 24: 2}, {**START_SIDE, 8: 1, 13: 6}))
    for wait_ms in (250, 1000):
        table.t_ms += wait_ms
        sight = seen(misread, table.t_ms)
        rows = [list(row) for row in sight.rows]
        rows[17 - 1][MAX_COUNT - 3] = -5.0
        table.tell(replace(sight, rows=tuple(map(tuple, rows)), mixed=frozenset({12 - 1})))
    assert offences(table) == [(OffenceKind.ONTO_HELD_POINT, (Place(13), Place(12)))]
