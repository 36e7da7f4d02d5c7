"""Write all plays of a roll in standard notation at once, several times faster than one by one."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR
from controller.rules.laws.law_terms import Laws
from controller.rules.plays.doubles import N_TIMES, runs_of_points, steps_in_run
from controller.rules.plays.packed_steps import (
    HIT,
    ON_BAR,
    OUTSIDE,
    PLAIN,
    Packed,
    count,
    places_in,
    points_of,
)
from controller.rules.plays.steps import word_of, written
from controller.rules.plays.whole_rolls import path_of_roll

_PLAIN_WORDS = {n: [word_of(p, p - n, False) if p > n else "" for p in range(BAR)] for n in range(1, 7)}
_HIT_WORDS = {n: [word_of(p, p - n, True) if p > n else "" for p in range(BAR)] for n in range(1, 7)}


def written_plays(start: Packed, ends: Collection[Packed], dice: Dice, laws: Laws) -> dict[Packed, str]:
    """The notation of the play from `start` to each of `ends`, which are all results of `dice`."""
    found: dict[Packed, str] = {}
    if not start & ON_BAR:
        if dice.is_double:
            if count(start, OUTSIDE) >= N_TIMES:
                found = _doubles_on_the_way(start, dice.high)
        elif count(start, OUTSIDE) > 1:
            found = _both_on_the_way(start, dice.high, dice.low)
    if len(found) == len(ends):
        return found
    return {end: written(path_of_roll(start, end, dice, laws)) for end in ends}


def _both_on_the_way(packed: Packed, high: int, low: int) -> dict[Packed, str]:
    """The plays of both numbers when no checker is on the bar and none can be borne off.

    The steps are those of `path_of_roll`. Of several ways to one position, the last one written into `found`
    stays: the higher number first, if possible.
    """
    own, theirs, men, free, blots = points_of(packed)
    by_high, by_low = men & free >> high, men & free >> low
    highs = [
        (place, packed + step, word) for place, step, word in _half_moves(places_in(by_high), theirs, high)
    ]
    lows = _half_moves(places_in(by_low), theirs, low)
    found = {after + step: f"{first} {second}" for _, after, first in highs for _, step, second in lows}
    after_high = {place: (after, word) for place, after, word in highs}
    with_low = {place: (step, word) for place, step, word in lows}
    for place in places_in(by_high & by_low):
        if own[place] == 1:
            del found[after_high[place][0] + with_low[place][0]]
    for target in places_in(blots & by_high << high & by_low << low):
        after, word = after_high[target + high]
        source = target + low
        del found[after + with_low[source][0]]
        found[after + PLAIN[low][source]] = f"{word} {_PLAIN_WORDS[low][source]}"
    onward = free >> high + low
    for place in places_in(by_low & onward):
        end = place - high - low
        step, word = with_low[place]
        hits = theirs[end]
        after = packed + step + (HIT if hits else PLAIN)[high][place - low]
        found[after] = f"{word} {(_HIT_WORDS if hits else _PLAIN_WORDS)[high][place - low]}"
    for place in places_in(by_high & onward):
        end = place - high - low
        after, word = after_high[place]
        hits = theirs[end]
        after += (HIT if hits else PLAIN)[low][place - high]
        found[after] = f"{word} {(_HIT_WORDS if hits else _PLAIN_WORDS)[low][place - high]}"
    return found


def _half_moves(origins: tuple[int, ...], theirs: bytes, number: int) -> list[tuple[int, Packed, str]]:
    """(origin, what to add, word) of the step with `number` from each of `origins`."""
    plain, hit, plain_words, hit_words = PLAIN[number], HIT[number], _PLAIN_WORDS[number], _HIT_WORDS[number]
    return [
        (place, hit[place], hit_words[place])
        if theirs[place - number]
        else (place, plain[place], plain_words[place])
        for place in origins
    ]


_Words = tuple[str, ...]
"""Words, each after a sign by which the rearmost checkers sort first."""


def _doubles_on_the_way(packed: Packed, number: int) -> dict[Packed, str]:
    """The same for a double. At least four checkers are outside the home board, so none is borne off."""
    by_run = [_words_in_run(number, *run) for run in runs_of_points(packed, number)]
    room = [len(choices) - 1 for choices in by_run]
    most = min(N_TIMES, sum(room))
    reached: list[list[tuple[Packed, _Words]]] = [[(packed, ())]]
    for index, choices in enumerate(by_run):
        least = max(most - sum(room[index + 1 :]), 0)
        largest = min(most, len(reached) + len(choices) - 2)
        reached = [[]] * least + [
            [
                (before + step, words + more)
                for k in range(max(0, n - len(reached) + 1), min(n, len(choices) - 1) + 1)
                for before, words in reached[n - k]
                for step, more in choices[k]
            ]
            for n in range(least, largest + 1)
        ]
    return {
        after: " ".join([word[1:] for word in (sorted(words) if len(words) > 1 else words)]) or "no move"
        for after, words in reached[most]
    }


@lru_cache(maxsize=1 << 10)
def _words_in_run(number: int, first: int, own: bytes, theirs: bytes) -> list[list[tuple[Packed, _Words]]]:
    return [
        [(total, _words(number, first, steps, theirs)) for total, steps in choices]
        for choices in steps_in_run(number, N_TIMES, first, own, theirs)
    ]


def _words(number: int, first: int, steps: tuple[int, ...], theirs: bytes) -> _Words:
    """The words of `steps`, each given by how many steps along the run it starts, in order."""
    return tuple(
        chr(ord("z") - source) + word_of(source, source - number, theirs[n] == 1, steps.count(n))
        for n in dict.fromkeys(steps)
        for source in [first - n * number]
    )
