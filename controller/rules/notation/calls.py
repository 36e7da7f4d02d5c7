"""The old words for throws and points: "cinque-trois", "treys", "the adversary's bar point".

Names and their order: Hoyle's Games Modernized, 1909, Encyclopaedia Britannica, 9th ed., and Cady, 1895.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby

from controller.rules.board.dice import Dice, DiceError
from controller.rules.board.position import BAR, OFF
from controller.rules.plays.steps import Step
from sentences import say

NUMBERS = ("ace", "deuce", "trois", "quatre", "cinque", "six")
DOUBLETS = ("aces", "deuces", "treys", "quatres", "cinques", "sixes")
_SINGLY = ("one ace", "two deuce", "three trois trey", "four quatre", "five cinque", "six size")
_DOUBLY = ("ones aces", "twos deuces", "threes treys", "fours quatres", "fives cinques", "sixes sizes")
_COUNTS = {2: "two", 3: "three", 4: "four"}
"""How many men a legal play can move alike. A larger number is written in digits."""
_BAR_POINT = 7
_FARTHEST_OWN_POINT = 12


def call_of_dice(dice: Dice) -> str:
    """The throw as its thrower calls it, the higher number first: "six-five", "aces"."""
    if dice.is_double:
        return DOUBLETS[dice.high - 1]
    return f"{NUMBERS[dice.high - 1]}-{NUMBERS[dice.low - 1]}"


def parse_call(text: str) -> Dice:
    """The throw of a call: "six-five", "ace trois", "treys", "double fours", or in digits "65".

    DiceError, which says how to write a throw, for any other text.
    """
    if text.strip().isdecimal():
        return Dice.parse(text.strip())
    match re.findall(r"[a-z]+", text.lower()):
        case [number] if number in _DOUBLES:
            return Dice(_DOUBLES[number], _DOUBLES[number])
        case ["double", number] if number in _ALL:
            return Dice(_ALL[number], _ALL[number])
        case [one, other] if one in _SINGLES and other in _SINGLES:
            return Dice(_SINGLES[one], _SINGLES[other])
    raise DiceError(say("no_throw_called", text=text))


def point_name(number: int) -> str:
    """The old name of a place in the mover's numbering: 5 "cinque point", 18 "adversary's bar point".

    The outer table's ace point is the bar point; 25 is "bar" and 0 "off".
    """
    if number in (OFF, BAR):
        return "off" if number == OFF else "bar"
    if number > _FARTHEST_OWN_POINT:
        return say("adversarys_point", point=point_name(BAR - number))
    if number == _BAR_POINT:
        return say("bar_point")
    name = NUMBERS[(number - 1) % 6]
    return say("named_outer_point", name=name) if number > _BAR_POINT else say("named_point", name=name)


def play_in_words(steps: Iterable[Step]) -> str:
    """A play in words: "one man from the six point to the cinque point, two men from ..."; "no move"."""
    words = []
    for _, group in groupby(steps, key=lambda step: (step.source, step.target)):
        alike = list(group)
        words.append(_words_of(alike[0], len(alike), any(step.hit for step in alike)))
    return ", ".join(words) or "no move"


def _words_of(step: Step, count: int, hit: bool) -> str:
    men = say("one_man") if count == 1 else say("men", number=_COUNTS.get(count, count))
    source, target = point_name(step.source), point_name(step.target)
    if step.target == OFF:
        return say("man_borne", men=men, source=source)
    if step.source == BAR:
        move = say("man_entered", men=men, target=target)
    else:
        move = say("man_moved", men=men, source=source, target=target)
    return say("man_hitting", move=move) if hit else move


def _numbered(rows: tuple[str, ...]) -> dict[str, int]:
    return {word: number for number, row in enumerate(rows, start=1) for word in row.split()}


_SINGLES = _numbered(_SINGLY)
_DOUBLES = _numbered(_DOUBLY)
_ALL = _SINGLES | _DOUBLES
