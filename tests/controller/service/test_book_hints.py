"""What a book says of the first play, while the roll waits to be played."""

import pytest

from controller.referee.effects import Mode
from controller.rules import Place, Player, Position
from controller.rules.openings.opening_book import Book
from controller.service.book_hints import BookHints
from tests.controller.referee.table import Table

HINTS = BookHints(book=Book.HOYLE)
AFTER_31 = "00000240200005000000000020:00000050300005000000000020"


def rolled(mode: Mode = Mode.COACH) -> Table:
    """White has won the opening throw with 3-1, and nobody has touched the board."""
    table = Table(mode=mode)
    table.show(str(Position.START))
    table.roll(3, 1)
    table.show(str(Position.START))
    return table


def test_the_book_speaks_at_the_first_roll():
    assert HINTS.at_first_roll(rolled().state) == "Hoyle plays 8/5 6/5."


def test_the_points_of_its_play_are_lit():
    lit = {lamp.place for lamp in HINTS.lamps(rolled().state)}
    assert lit == {Place.of(Player.WHITE, number) for number in (8, 6, 5)}


@pytest.mark.parametrize("mode", [Mode.CLUB, Mode.TOURNAMENT])
def test_only_a_coach_lights_them(mode):
    assert HINTS.lamps(rolled(mode).state) == ()


def test_nothing_is_said_before_a_roll():
    table = Table()
    table.show(str(Position.START))
    assert HINTS.at_first_roll(table.state) is None
    assert HINTS.lamps(table.state) == ()


def test_the_lamps_go_out_when_checkers_are_moved():
    table = rolled()
    table.show(AFTER_31)
    assert HINTS.lamps(table.state) == ()


def test_after_the_game_the_book_judges_the_first_play():
    table = rolled()
    table.show(AFTER_31)
    table.lift()
    assert table.plays == ["white 31 8/5 6/5"]
    assert HINTS.afterwards(table.state) == "Hoyle would have played so too: 8/5 6/5."
