"""The advice of the old books for the first play, as sentences and as lamps. Off by default."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.referee import HalfTurn, Lamp, Meaning, RefereePhase, RefereeState
from controller.referee.effects import Mode
from controller.referee.words.sentences import Speech, play_text
from controller.rules import Position, parse_steps
from controller.rules.openings.opening_book import Advice, Aim, Book, advice, advised, places
from sentences import Key, say

WHO_SAYS = {
    Book.HOYLE: Key("hoyle"),
    Book.BRITANNICA: Key("the_britannica"),
    Book.CADY: Key("cady"),
    Book.MODERN: Key("modern_page"),
}


@dataclass(frozen=True, kw_only=True)
class BookHints:
    """The advice of one book. speech: in the words of the books or of today."""

    book: Book
    speech: Speech = Speech.PLAIN

    def at_first_roll(self, state: RefereeState) -> str | None:
        """The play of the book while the first roll of a game has not been played; else None."""
        plays = advised(state.rolls[0], self.book) if _first_roll_waits(state) else {}
        if not plays:
            return None
        return say("book_plays", book=say(WHO_SAYS[self.book]), plays=_advised_text(plays, self.speech))

    def lamps(self, state: RefereeState) -> tuple[Lamp, ...]:
        """Lamps on the points of that play for a hit, in coach mode and until a checker moves."""
        if state.settings.mode is not Mode.COACH or not _first_roll_waits(state):
            return ()
        if state.shown != Position.START:
            return ()
        lit = places(Position.START, state.on_roll, state.rolls[0], Aim.HIT, self.book)
        return tuple(Lamp(place=place, meaning=Meaning.BOOK) for place in lit)

    def afterwards(self, state: RefereeState) -> str | None:
        """The play of the book for the first roll, once the game is over."""
        return book_line(state.record, Position.START, self.book, self.speech)


def _first_roll_waits(state: RefereeState) -> bool:
    return (
        state.phase is RefereePhase.ROLLED
        and not state.record
        and len(state.rolls) == 1
        and state.likeliest.position == Position.START
    )


def book_line(
    turns: Sequence[HalfTurn],
    start: Position = Position.START,
    book: Book = Book.HOYLE,
    speech: Speech = Speech.PLAIN,
) -> str | None:
    """The advice of `book` for the first play of a game that began at `start`; None without advice."""
    first = turns[0] if turns else None
    if first is None or first.dice is None:
        return None
    found = advice(start, first.player, first.dice, first.position, book)
    return book_sentence(found, speech) if found else None


def book_sentence(given: Advice, speech: Speech = Speech.PLAIN) -> str:
    """What a book says about a first play: "Hoyle would have played 13/11 24/23 for a hit, ..."."""
    who = say(WHO_SAYS[given.book])
    if len(given.same_for) == len(given.plays):
        return say("book_played_so", book=who, plays=_advised_text(given.plays, speech))
    if given.same_for:
        (aim,) = given.same_for
        others = {other: play for other, play in given.plays.items() if other is not aim}
        return say("book_played_so_for", book=who, aim=aim, others=_advised_text(others, speech))
    plays = _advised_text(given.plays, speech)
    if given.mentioned:
        return say("book_tells_but_played", book=who, plays=plays)
    return say("book_played", book=who, plays=plays)


def _advised_text(plays: Mapping[Aim, str], speech: Speech) -> str:
    """The plays a book advises, the aim named unless one play serves both: "8/5 6/5"."""
    told = {aim: play_text(parse_steps(play), speech) for aim, play in plays.items()}
    if len(told) == len(Aim) and len(set(told.values())) == 1:
        return told[Aim.HIT]
    return ", ".join(f"{play} {aim}" for aim, play in told.items())
