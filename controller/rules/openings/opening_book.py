"""The books' advice for the first throw of a game, where they differ, and the points to light.

Hoyle (H09): "At the opening of a game the men on both sides are in a uniform position, and it is,
consequently, possible to lay down specific rules". So the books cover only the first play of a game.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from importlib import resources
from typing import Any

from controller.rules.board.dice import Dice
from controller.rules.board.position import Player, Position
from controller.rules.laws.law_sets import BRITANNICA_1878, CADY_1895, HOYLE_1909, MODERN
from controller.rules.laws.law_terms import Laws
from controller.rules.plays.legal_plays import parse_play
from controller.rules.plays.offences import Place
from controller.rules.plays.steps import parse_steps
from sentences import Key, say


class Book(Enum):
    """A book; the value is the abbreviation by which it is cited."""

    HOYLE = "H09"
    BRITANNICA = "EB9"
    CADY = "Cady"
    MODERN = "Modern"


LAWS_OF = {
    Book.HOYLE: HOYLE_1909,
    Book.BRITANNICA: BRITANNICA_1878,
    Book.CADY: CADY_1895,
    Book.MODERN: MODERN,
}
"""The laws in the same book."""


def book_for(laws: Laws) -> Book:
    """The book whose openings go with `laws`: their own, or Hoyle, because the modern page has only two."""
    old = [book for book, its_laws in LAWS_OF.items() if its_laws == laws and book is not Book.MODERN]
    return old[0] if old else Book.HOYLE


class Aim(Enum):
    """What the thrower aims at: to win at all, or to win double. The value is the key of its words."""

    HIT = Key("aim_hit")
    GAMMON = Key("aim_gammon")

    def __str__(self) -> str:
        return say(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class BookEntry:
    """What a book prints on one first throw, in one place.

    hit, gammon: the play meant for each aim; None where the entry names none.
    mentioned: a play that the entry names but does not advise.
    printed: the words of the entry.
    slip: the error in the words, where they do not say what is meant.
    row: the number of the entry, where the book numbers them.
    """

    book: Book
    dice: Dice
    hit: str | None = None
    gammon: str | None = None
    mentioned: str | None = None
    printed: str
    slip: str | None = None
    row: int | None = None

    def play(self, aim: Aim) -> str | None:
        """The play meant for `aim`."""
        return self.hit if aim is Aim.HIT else self.gammon

    @property
    def citation(self) -> str:
        """Where the entry stands: "H09", "Cady, Table I, 22"."""
        return f"{self.book.value}, Table I, {self.row}" if self.row else self.book.value

    @property
    def plays(self) -> tuple[str, ...]:
        """Every play meant or mentioned, each once."""
        return tuple(dict.fromkeys(play for play in (self.hit, self.gammon, self.mentioned) if play))


def _entry(book: Book, row: Mapping[str, Any]) -> BookEntry:
    both = row.get("play")
    return BookEntry(
        book=book,
        dice=Dice.parse(row["roll"]),
        hit=row.get("hit", both),
        gammon=row.get("gammon", both),
        mentioned=row.get("mentioned"),
        printed=row["printed"],
        slip=row.get("slip"),
        row=row.get("row"),
    )


def _parse_entries() -> Iterator[BookEntry]:
    table = tomllib.loads((resources.files(__package__) / "opening_book.toml").read_text(encoding="utf-8"))
    for book in Book:
        yield from (_entry(book, row) for row in table[book.value])


ENTRIES = tuple(_parse_entries())
"""Everything that the books print on first throws."""


def replies(dice: Dice) -> dict[Book, tuple[BookEntry, ...]]:
    """The entries on this first throw, by book."""
    spoken = [entry for entry in ENTRIES if entry.dice == dice]
    books = dict.fromkeys(entry.book for entry in spoken)
    return {book: tuple(entry for entry in spoken if entry.book is book) for book in books}


def advised(dice: Dice, book: Book) -> dict[Aim, str]:
    """The play that `book` advises, by aim, for the aims that it names."""
    entries = replies(dice).get(book, ())
    return {aim: play for aim in Aim for entry in entries if (play := entry.play(aim))}


def mentioned(dice: Dice, book: Book) -> tuple[str, ...]:
    """The plays that `book` names without advising them."""
    return tuple(entry.mentioned for entry in replies(dice).get(book, ()) if entry.mentioned)


def slips() -> tuple[BookEntry, ...]:
    """The entries whose printed words do not say what is meant."""
    return tuple(entry for entry in ENTRIES if entry.slip)


def differences() -> tuple[Dice, ...]:
    """The first throws on which two books differ. The plays meant are compared, so slips do not count."""
    return tuple(dice for dice in Dice.rolls() if len({_said(dice, book) for book in replies(dice)}) > 1)


def _said(dice: Dice, book: Book) -> tuple[object, ...]:
    return tuple(advised(dice, book).items()), mentioned(dice, book)


@dataclass(frozen=True, slots=True)
class Advice:
    """What a book says about a first play.

    plays: the play it advises, by aim, for the aims that it names.
    same_for: the aims for which the play made is the one advised.
    mentioned: the book names the play made without advising it.
    """

    book: Book
    plays: Mapping[Aim, str]
    same_for: tuple[Aim, ...]
    mentioned: bool


def advice(
    before: Position, player: Player, dice: Dice, after: Position, book: Book = Book.HOYLE
) -> Advice | None:
    """What `book` says when `player` has played `dice` from `before` to `after`.

    None when `before` is not the start position, or the book advises nothing for the throw.
    """
    plays = advised(dice, book)
    if before != Position.START or not plays:
        return None
    return Advice(
        book=book,
        plays=plays,
        same_for=tuple(aim for aim, play in plays.items() if _leads_to(play, player, dice, after)),
        mentioned=any(_leads_to(play, player, dice, after) for play in mentioned(dice, book)),
    )


def _leads_to(play: str, player: Player, dice: Dice, after: Position) -> bool:
    return parse_play(play, Position.START, player, dice)[0].result == after


def places(
    before: Position, player: Player, dice: Dice, aim: Aim = Aim.HIT, book: Book = Book.HOYLE
) -> tuple[Place, ...]:
    """The points to light for the play that `book` advises: where each man starts and where he lands.

    () when `before` is not the start position, or the book advises nothing for the throw. Where the book
    names only the other aim, its play for that aim is taken.
    """
    plays = advised(dice, book)
    if before != Position.START or not plays:
        return ()
    steps = parse_steps(plays.get(aim) or next(iter(plays.values())))
    numbers = dict.fromkeys(number for step in steps for number in (step.source, step.target))
    return tuple(Place.of(player, number) for number in numbers)
