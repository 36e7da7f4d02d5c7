"""Plays as players write them, read back: `8/5 6/5`, `bar/21 24/20*`, `24/18*/14`, `6/off(2)`, `no move`."""

from __future__ import annotations

import re

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, OFF, Player, Position
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import Laws
from controller.rules.plays.legal_plays import Play, PlayError, Step, after_steps, legal_plays

_PLACE = r"(?:bar|off|\d{1,2})"
_WORD = re.compile(rf"({_PLACE}\*?(?:/{_PLACE}\*?)+)(?:\(([1-4])\))?", re.IGNORECASE)
NO_MOVE = ("no move", "cannot move", "")


def parse_steps(text: str) -> tuple[Step, ...]:
    """The steps as written, one a stroke: 25 or bar, 0 or off; a `24/15` may stand for several numbers.

    PlayError names the word that is no step.
    """
    if text.strip().lower() in NO_MOVE:
        return ()
    return tuple(step for word in text.split() for step in _steps_of(word))


def _steps_of(word: str) -> list[Step]:
    match = _WORD.fullmatch(word)
    if match is None:
        raise PlayError(f"{word!r} is no step; write it like 8/5, bar/21*, 6/off or 13/7(2)")
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
        raise PlayError(f"{word!r}: there is no place {place}; points are 1 to 24, the bar 25, off 0")
    return place


def parse_play(
    text: str, position: Position, player: Player, dice: Dice, laws: Laws = MODERN
) -> tuple[Play, bool]:
    """The play that `text` means, and whether it is legal.

    A stroke that stands for several numbers hits on its way only where the text says so, if it can be played
    that way. PlayError when the text is no play, or starts from where the player has no checker.
    """
    return play_of_strokes(parse_steps(text), position, player, dice, laws)


def play_of_strokes(
    strokes: tuple[Step, ...], position: Position, player: Player, dice: Dice, laws: Laws = MODERN
) -> tuple[Play, bool]:
    """`parse_play` for strokes already parsed."""
    strokes, result = _made(strokes, position, player)
    plays = legal_plays(position, player, dice, laws)
    if result in plays:
        play = plays.leading_to(result)[0]
        each_is_one_number = len(strokes) == len(play.steps)
        return (Play.of(strokes, result) if each_is_one_number else play), True
    for play in plays:
        if play.result.side(player) == result.side(player):
            return play, True
    return Play.of(strokes, result), False


def _made(strokes: tuple[Step, ...], position: Position, player: Player) -> tuple[tuple[Step, ...], Position]:
    """The strokes with their hits as they happen, and the position after them.

    In the order written, or where that starts from an empty point the rearmost first.
    """
    try:
        result = after_steps(position, player, strokes)
    except PlayError:
        strokes = tuple(sorted(strokes, key=lambda step: -step.source))
        result = after_steps(position, player, strokes)
    blots = {BAR - place for place, n in enumerate(position.side(player.opponent)) if n == 1 and place != BAR}
    marked = []
    for step in strokes:
        hit = step.target in blots - {OFF}
        blots.discard(step.target)
        marked.append(Step(step.source, step.target, hit))
    return tuple(marked), result
