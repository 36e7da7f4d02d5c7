"""The advice of the old books for the first play, as a sentence and as lamps. Off by default."""

from dataclasses import dataclass

from controller.referee import Lamp, Meaning, RefereePhase, RefereeState
from controller.referee.effects import Mode
from controller.referee.inference.histories import likeliest_history
from controller.referee.words.sentences import Speech, book_hint
from controller.rules import Position
from controller.rules.openings.opening_book import Aim, Book, places
from controller.service.score_sheet import book_line


@dataclass(frozen=True, kw_only=True)
class BookHints:
    """The advice of one book for one aim. speech: in the words of the books or of today."""

    book: Book
    aim: Aim = Aim.HIT
    speech: Speech = Speech.PLAIN

    def at_first_roll(self, state: RefereeState) -> str | None:
        """The play of the book while the first roll of a game has not been played; else None."""
        if not _first_roll_waits(state):
            return None
        return book_hint(Position.START, state.rolls[0], self.book, self.speech)

    def lamps(self, state: RefereeState) -> tuple[Lamp, ...]:
        """Lamps on the points of that play, in coach mode and until a checker moves."""
        if state.settings.mode is not Mode.COACH or not _first_roll_waits(state):
            return ()
        if state.shown != Position.START:
            return ()
        lit = places(Position.START, state.on_roll, state.rolls[0], self.aim, self.book)
        return tuple(Lamp(place=place, meaning=Meaning.BOOK) for place in lit)

    def afterwards(self, state: RefereeState) -> str | None:
        """The play of the book for the first roll, once the game is over."""
        return book_line(state.record, Position.START, self.book, self.speech)


def _first_roll_waits(state: RefereeState) -> bool:
    return (
        state.phase is RefereePhase.ROLLED
        and not state.record
        and len(state.rolls) == 1
        and likeliest_history(state.histories).position == Position.START
    )
