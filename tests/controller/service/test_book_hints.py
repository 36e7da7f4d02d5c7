"""What a book says of the first play, while the roll waits to be played."""

import pytest

from controller.referee.effects import Mode
from controller.rules import Place, Player, Position
from controller.rules.openings.opening_book import Book
from controller.service.book_hints import BookHints
from tests.controller.referee.table import Table

HINTS = BookHints(book=Book.HOYLE)
AFTER_31 = "00000240200005000000000020:00000050300005000000000020"


def rolled(mode: Mode = Mode.COACH, dice: tuple[int, int] = (3, 1)) -> Table:
    """White has won the opening throw, and nobody has touched the board."""
    table = Table(mode=mode)
    table.show(str(Position.START))
    table.roll(*dice)
    table.show(str(Position.START))
    return table


def test_the_book_speaks_at_the_first_roll():
    assert HINTS.at_first_roll(rolled().state) == "Hoyle plays 8/5 6/5."


@pytest.mark.parametrize(
    ("dice", "book", "said"),
    [
        ((5, 4), Book.HOYLE, "Hoyle plays 24/15."),
        ((4, 1), Book.MODERN, None),
        ((4, 1), Book.CADY, "Cady plays 13/9 24/23 for a hit, 13/9 6/5 for a gammon."),
    ],
)
def test_each_book_says_what_it_plays_at_a_first_roll(dice, book, said):
    assert BookHints(book=book).at_first_roll(rolled(dice=dice).state) == said


def test_the_book_is_silent_where_the_game_began_from_another_board():
    table = Table(Position.parse(AFTER_31), Player.BLACK)
    table.show(AFTER_31)
    table.roll(5, 4)
    assert len(table.state.rolls) == 1
    assert HINTS.at_first_roll(table.state) is None


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
