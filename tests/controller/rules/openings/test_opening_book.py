"""What the books advise for the first throw."""

import tomllib
from pathlib import Path

import pytest

import controller.rules
from controller.rules import LAWS, Dice, Place, Player, Position, parse_play
from controller.rules.openings.opening_book import (
    ENTRIES,
    Aim,
    Book,
    advice,
    advised,
    book_for,
    differences,
    mentioned,
    places,
    replies,
    slips,
)

ROLLS = list(Dice.rolls())
TABLE = tomllib.loads(
    (Path(controller.rules.__file__).parent / "openings" / "opening_book.toml").read_text(encoding="utf-8")
)


def result(play, dice, player=Player.WHITE):
    return parse_play(play, Position.START, player, dice)[0].result


@pytest.mark.parametrize("player", Player)
def test_every_play_meant_or_mentioned_is_legal_from_the_start(player):
    illegal = [
        (entry.citation, str(entry.dice), play)
        for entry in ENTRIES
        for play in entry.plays
        if not parse_play(play, Position.START, player, entry.dice)[1]
    ]
    assert illegal == []


@pytest.mark.parametrize("book", [Book.HOYLE, Book.BRITANNICA, Book.CADY])
def test_the_three_old_books_advise_a_play_for_every_throw(book):
    assert [str(dice) for dice in ROLLS if not advised(dice, book)] == []


def test_cady_table_one_has_27_rows():
    assert sorted(entry.row for entry in ENTRIES if entry.book is Book.CADY) == list(range(1, 28))


def test_the_modern_page_names_two_openings_the_bar_point_and_the_five_point():
    assert [(entry.dice, entry.hit) for entry in ENTRIES if entry.book is Book.MODERN] == [
        (Dice(6, 1), "13/7 8/7"),
        (Dice(3, 1), "8/5 6/5"),
    ]


def test_the_table_has_no_column_that_nothing_reads():
    known = {"roll", "play", "hit", "gammon", "mentioned", "printed", "slip", "row"}
    assert set(TABLE) == {book.value for book in Book}
    assert {column for rows in TABLE.values() for row in rows for column in row} == known


def test_every_entry_keeps_the_words_it_was_read_from():
    assert [entry for entry in ENTRIES if len(entry.printed) < 20] == []


def test_two_ways_to_write_a_play_never_pass_for_two_plays():
    written = {(entry.dice, play) for entry in ENTRIES for play in entry.plays}
    assert len(written) == len({(dice, result(play, dice)) for dice, play in written})


@pytest.mark.parametrize(
    ("citation", "dice", "wrong", "meant"),
    [
        ("H09", Dice(2, 1), "to the ace point", "13/11 6/5"),
        ("H09", Dice(5, 4), "trois point", "24/15"),
        ("EB9", Dice(3, 3), "three on the quatre point", "8/5(2) 24/21(2)"),
        ("Cady, Table I, 22", Dice(3, 3), "Deuce trois", "8/5(2) 24/21(2)"),
        ("Cady, Table I, 26", Dice(4, 1), "in the adversary’s ace point", "13/9 24/23"),
        ("Cady, Table I, 21", Dice(2, 1), "Deuce ace", "13/11 6/5"),
    ],
)
def test_a_slip_is_kept_as_printed_and_marked_with_the_play_meant(citation, dice, wrong, meant):
    (slip,) = [entry for entry in slips() if (entry.citation, entry.dice) == (citation, dice)]
    assert wrong in slip.printed
    assert meant in slip.plays


def test_nothing_else_is_marked_as_a_slip():
    assert len(slips()) == 6


def test_h09_six_to_ace_as_printed_would_be_no_play_of_deuce_ace():
    assert not parse_play("13/11 6/1", Position.START, Player.WHITE, Dice(2, 1))[1]


def test_the_books_differ_on_trois_deuce_double_trois_and_quatre_ace():
    assert differences() == (Dice(3, 2), Dice(3, 3), Dice(4, 1))


def test_quatre_ace_hoyle_1909_alone_has_no_play_of_its_own_for_a_gammon():
    assert advised(Dice(4, 1), Book.HOYLE) == {Aim.HIT: "13/9 24/23", Aim.GAMMON: "13/9 24/23"}
    for book in (Book.BRITANNICA, Book.CADY):
        assert advised(Dice(4, 1), book) == {Aim.HIT: "13/9 24/23", Aim.GAMMON: "13/9 6/5"}


def test_trois_deuce_cady_plays_for_a_gammon_only_and_hoyle_tells_of_a_timid_play():
    assert advised(Dice(3, 2), Book.CADY) == {Aim.GAMMON: "13/10 13/11"}
    assert mentioned(Dice(3, 2), Book.HOYLE) == ("13/8",)


def test_replies_are_ordered_by_book_and_silent_books_are_left_out():
    assert list(replies(Dice(6, 1))) == list(Book)
    assert Book.MODERN in replies(Dice(3, 1))
    assert Book.MODERN not in replies(Dice(4, 1))


@pytest.mark.parametrize("player", Player)
def test_a_first_play_is_held_against_hoyle(player):
    dice = Dice(2, 1)
    for_a_hit = advice(Position.START, player, dice, result("13/11 24/23", dice, player))
    assert for_a_hit is not None
    assert (for_a_hit.same_for, for_a_hit.mentioned) == ((Aim.HIT,), False)
    otherwise = advice(Position.START, player, dice, result("8/7 6/4", dice, player))
    assert otherwise is not None
    assert (otherwise.same_for, otherwise.mentioned) == ((), False)


def test_a_play_that_hoyle_only_mentions_is_known_to_him():
    said = advice(Position.START, Player.WHITE, Dice(4, 1), result("13/8", Dice(4, 1)))
    assert said is not None
    assert (said.same_for, said.mentioned) == ((), True)


def test_the_books_say_nothing_once_a_man_has_moved():
    moved = result("24/20 13/10", Dice(4, 3))
    assert advice(moved, Player.BLACK, Dice(3, 1), moved) is None
    assert places(moved, Player.BLACK, Dice(3, 1)) == ()


def test_the_points_of_hoyles_play_are_those_of_the_thrower():
    white = places(Position.START, Player.WHITE, Dice(3, 1))
    assert white == (Place(8), Place(5), Place(6))
    assert places(Position.START, Player.BLACK, Dice(3, 1)) == (Place(17), Place(20), Place(19))


def test_for_a_gammon_other_points_are_lit():
    assert places(Position.START, Player.WHITE, Dice(4, 4), Aim.GAMMON) == (Place(13), Place(5))
    assert places(Position.START, Player.WHITE, Dice(4, 4)) == (Place(24), Place(20), Place(13), Place(9))


def test_a_book_that_plays_for_a_gammon_only_is_followed_in_that():
    lit = places(Position.START, Player.WHITE, Dice(3, 2), Aim.HIT, Book.CADY)
    assert lit == (Place(13), Place(10), Place(11))


@pytest.mark.parametrize(
    ("laws", "book"),
    [
        ("hoyle-1909", Book.HOYLE),
        ("britannica-1878", Book.BRITANNICA),
        ("cady-1895", Book.CADY),
        ("modern-match", Book.HOYLE),
        ("modern-money", Book.HOYLE),
    ],
)
def test_who_plays_by_an_old_book_hears_that_book_and_all_others_hoyle(laws, book):
    assert book_for(LAWS[laws]) is book
