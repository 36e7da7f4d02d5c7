"""Steps, each one checker moved by one number, written and parsed in standard notation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from controller.rules.board.position import BAR, OFF
from sentences import say

_PLACE = r"(?:bar|off|\d{1,2})"
_WORD = re.compile(rf"({_PLACE}\*?(?:/{_PLACE}\*?)+)(?:\(([1-9]|1[0-5])\))?", re.IGNORECASE | re.ASCII)
_MOST_CHARACTERS = 1000
"""The length of the longest text parsed as a play. guess: the longest plays have about 100 characters."""
NO_MOVE = ("no move", "cannot move", "")
_PLACE_NAMES = tuple({BAR: "bar", OFF: "off"}.get(place, str(place)) for place in range(BAR + 1))


class PlayError(ValueError):
    """A play that cannot be accepted; mostly one of the three below, which says why."""


class InvalidPlay(PlayError):
    """A text that is no play."""


class IllegalPlay(PlayError):
    """A play that the dice, the position or the laws do not allow."""


class AmbiguousPlay(PlayError):
    """A text that fits several legal plays."""


@dataclass(frozen=True, order=True, slots=True)
class Step:
    """One checker moved by one number, in the mover's own numbering: 25 is the bar, 0 off the board."""

    source: int
    target: int
    hit: bool = False

    def __str__(self) -> str:
        return f"{_PLACE_NAMES[self.source]}/{_PLACE_NAMES[self.target]}{'*' * self.hit}"


def notation(steps: Iterable[Step]) -> str:
    """The steps in standard notation. Equal steps in a row are written once, with their count."""
    return written([(step.source, step.target, step.hit) for step in steps])


def written(steps: list[tuple[int, int, bool]]) -> str:
    """`notation` of (source, target, hit)."""
    if len(steps) == 2 and steps[0][:2] != steps[1][:2]:
        return f"{word_of(*steps[0])} {word_of(*steps[1])}"
    words = []
    for (source, target), group in groupby(steps, key=lambda step: step[:2]):
        alike = list(group)
        words.append(word_of(source, target, any(hit for _, _, hit in alike), len(alike)))
    return " ".join(words) or "no move"


def word_of(source: int, target: int, hit: bool, count: int = 1) -> str:
    """`count` equal steps as one word: `13/7*(2)`."""
    once = f"{_PLACE_NAMES[source]}/{_PLACE_NAMES[target]}{'*' if hit else ''}"
    return once if count == 1 else f"{once}({count})"


def parse_steps(text: str) -> tuple[Step, ...]:
    """The strokes of a text, one Step each. A stroke such as `24/15` may stand for several numbers.

    The bar is written `bar` or 25, off the board `off` or 0. InvalidPlay names the word that is no step.
    """
    if len(text) > _MOST_CHARACTERS:
        raise InvalidPlay(say("play_too_long", number=len(text), begins=text[:20]))
    if text.strip().lower() in NO_MOVE:
        return ()
    return tuple(step for word in text.split() for step in _steps_of(word))


def _steps_of(word: str) -> list[Step]:
    match = _WORD.fullmatch(word)
    if match is None:
        raise InvalidPlay(say("no_step", word=word))
    stops = match[1].lower().split("/")
    places = [_parse_place(stop.rstrip("*"), word) for stop in stops]
    hits = [stop.endswith("*") for stop in stops]
    once = [Step(places[n - 1], places[n], hits[n]) for n in range(1, len(stops))]
    return once * int(match[2] or 1)


def _parse_place(text: str, word: str) -> int:
    place = {"bar": BAR, "off": OFF}.get(text)
    if place is None:
        place = int(text)
    if place > BAR:
        raise InvalidPlay(say("no_place_of_play", word=word, place=place))
    return place
