"""The command `blotlight book`: the opening plays that the old books advise."""

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence

from controller.cli.terminal.words_option import add_words_option
from controller.errors import InputError
from controller.referee.words.sentences import Speech, call, play_text
from controller.rules import Dice, DiceError, parse_steps
from controller.rules.notation.calls import parse_call
from controller.rules.openings.opening_book import (
    ENTRIES,
    LAWS_OF,
    Aim,
    Book,
    BookEntry,
    advised,
    differences,
    mentioned,
    replies,
)
from sentences import say


def add_book(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    book = commands.add_parser("book", help="show the opening plays that the old books advise")
    book.add_argument(
        "throw",
        nargs="*",
        metavar="THROW",
        help="a throw such as 31 or trois-ace; for a single throw the books are quoted",
    )
    book.add_argument("--differences", action="store_true", help="show only throws on which the books differ")
    book.add_argument("--json", action="store_true", help="print one JSON object an entry")
    add_words_option(book)
    book.set_defaults(run=_run_book)


def _run_book(options: argparse.Namespace) -> None:
    rolls = _rolls(options.throw, only_differing=options.differences)
    if options.json:
        print("\n".join(_as_json(entry) for entry in ENTRIES if entry.dice in rolls))
        return
    print("\n".join(_text_lines(rolls, options.words)))


def _rolls(throws: Sequence[str], *, only_differing: bool) -> tuple[Dice, ...]:
    """The throws to show: those that are named, or else all."""
    try:
        named = tuple(parse_call(throw) for throw in throws)
    except DiceError as error:
        raise InputError(say("no_throw_for_book", problem=error)) from None
    chosen = named or tuple(Dice.rolls())
    return tuple(dice for dice in chosen if not only_differing or dice in differences())


def _as_json(entry: BookEntry) -> str:
    return json.dumps(
        {
            "book": entry.book.value,
            "row": entry.row,
            "dice": [entry.dice.high, entry.dice.low],
            "hit": entry.hit,
            "gammon": entry.gammon,
            "mentioned": entry.mentioned,
            "printed": entry.printed,
            "slip": entry.slip,
        }
    )


def _text_lines(rolls: Sequence[Dice], speech: Speech) -> Iterator[str]:
    """The plays of each throw, then the misprints. A single throw also gets the words of the books."""
    if not rolls:
        yield say("books_agree")
    for dice in rolls:
        yield from _play_lines(dice, speech)
    entries = [entry for entry in ENTRIES if entry.dice in rolls]
    if len(rolls) == 1:
        yield from ("", say("in_their_words"), *map(_quoted, entries))
    slips = [entry for entry in entries if entry.slip]
    if slips:
        yield from ("", say("misprints_corrected"))
        yield from (f"  {call(entry.dice, speech)}, {entry.citation}: {entry.slip}." for entry in slips)
    yield from ("", *_legend(entries))


def _play_lines(dice: Dice, speech: Speech) -> Iterator[str]:
    """A line for each play: the throw, the books, the purpose, the play."""
    called = call(dice, speech)
    for purpose, play, books in _rows(dice):
        cited = " ".join(book.value for book in books)
        yield f"{called:<14} {cited:<21} {purpose:<21} {play_text(parse_steps(play), speech)}"
        called = ""


def _rows(dice: Dice) -> Iterator[tuple[str, str, tuple[Book, ...]]]:
    """Each play of a throw: its purpose, the play, and the books that give it."""
    books = tuple(replies(dice))
    hits, gammons = (_by_play((advised(dice, book).get(aim), book) for book in books) for aim in Aim)
    for play in hits | gammons:
        hit, gammon = hits.get(play, ()), gammons.get(play, ())
        if hit == gammon:
            yield say("aim_both"), play, hit
        else:
            yield from ((str(aim), play, by) for aim, by in zip(Aim, (hit, gammon), strict=True) if by)
    others = _by_play((play, book) for book in books for play in mentioned(dice, book))
    yield from ((say("only_mentioned"), play, by) for play, by in others.items())


def _by_play(given: Iterable[tuple[str | None, Book]]) -> dict[str, tuple[Book, ...]]:
    found: dict[str, tuple[Book, ...]] = {}
    for play, book in given:
        if play:
            found[play] = (*found.get(play, ()), book)
    return found


def _quoted(entry: BookEntry) -> str:
    return f"  {entry.citation}: {entry.printed}"


def _legend(entries: Iterable[BookEntry]) -> Iterator[str]:
    books = dict.fromkeys(entry.book for entry in entries)
    return (f"{book.value:<7} {LAWS_OF[book].source}" for book in books)
