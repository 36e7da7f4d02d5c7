"""The record of a game as text for people."""

from collections.abc import Sequence

from controller.record.match_settings import MatchSettings
from controller.referee import HalfTurn
from controller.referee.words.sentences import Speech, book_sentence, call, effect_sentence, play_text
from controller.rules import Player, Position
from controller.rules.openings.opening_book import Book, advice
from controller.service.recordings.transcript import Transcript

COLUMN_WIDTH = 36
"""Characters of White's column. Chosen by eye."""


def transcript_text(
    transcript: Transcript, match: MatchSettings, speech: Speech = Speech.PLAIN, *, book: Book | None = None
) -> str:
    """The score sheet, below it the offences that were shown, and the first play that `book` advises."""
    lines = [f"{match.white} (White) v. {match.black} (Black), {_length_text(match.length)}", ""]
    lines += score_sheet(transcript.turns, speech)
    shown = [
        f"{index + 1:3}. {effect_sentence(shown, match.names, speech)}"
        for index, all_shown in sorted(transcript.shown.items())
        for shown in all_shown
    ]
    if shown:
        lines += ["", "Shown during half-turn:", *shown]
    advised = book_line(transcript.turns, match.position, book, speech) if book else None
    if advised:
        lines += ["", advised]
    return "\n".join(lines)


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


def score_sheet(turns: Sequence[HalfTurn], speech: Speech = Speech.PLAIN) -> list[str]:
    """The lines of the score sheet. `!` marks an illegal play that stood, `?` inferred dice.

    In plain words a line holds two half-turns, White's on the left; in old words it holds one.
    """
    if speech is Speech.OLD:
        return [
            f"{n:3}. {turn.player.value.capitalize()}, {half_turn_text(turn, speech)}"
            for n, turn in enumerate(turns, start=1)
        ]
    rows: list[list[str]] = []
    for turn in turns:
        if not rows or turn.player is Player.WHITE or rows[-1][1]:
            rows.append(["", ""])
        rows[-1][0 if turn.player is Player.WHITE else 1] = half_turn_text(turn)
    return [
        f"{n:3}) {left:<{COLUMN_WIDTH - 1}} {right}".rstrip() for n, (left, right) in enumerate(rows, start=1)
    ]


def half_turn_text(turn: HalfTurn, speech: Speech = Speech.PLAIN) -> str:
    """One half-turn: `31: 8/5 6/5`; in old words `trois-ace: one man from ...`."""
    play = turn.words or play_text(turn.steps, speech)
    return f"{_roll_text(turn, speech)}: {play}{'' if turn.legal else ' !'}"


def _roll_text(turn: HalfTurn, speech: Speech) -> str:
    if turn.dice is None:
        return "??"
    roll = call(turn.dice, speech) if speech is Speech.OLD else str(turn.dice)
    return roll + "?" * turn.dice_inferred


def _length_text(length: int) -> str:
    return f"{length} point match" if length else "money session"
