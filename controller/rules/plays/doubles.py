"""Every position that a double can lead to: up to four steps with the same number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from controller.rules.board.position import BAR, OFF
from controller.rules.plays.packed_steps import (
    HIT,
    ON_BAR,
    OUTSIDE,
    PLAIN,
    REARMOST_FIRST,
    Packed,
    after_each_step,
    both_sides,
    count,
)

N_TIMES = 4
"""How many times the number of a double is played."""


def after_double(packed: Packed, number: int) -> list[Packed]:
    """Every position after `number` is played as often as possible, at most four times; each once."""
    times = N_TIMES
    while times and packed & ON_BAR:
        entered = after_each_step(packed, number)
        if not entered:
            return [packed]
        packed, times = entered[0], times - 1
    if not times:
        return [packed]
    if count(packed, OUTSIDE) >= times:
        return _after_steps_on_the_way(packed, number, times)
    return _after_steps(packed, number, times)


def path_of_double(start: Packed, end: Packed, number: int) -> list[tuple[int, int, bool]]:
    """Steps (origin, target, hit) from `start` to `end`, the rearmost checkers first.

    Only one such path exists: the counts before and after determine how many steps start at each place.
    """
    (own_before, theirs), (own_after, _) = both_sides(start), both_sides(end)
    found: list[tuple[int, int, bool]] = []
    made: dict[int, int] = {}
    for origin in range(BAR, OFF, -1):
        n_steps = own_before[origin] - own_after[origin] + made.get(origin + number, 0)
        if n_steps:
            made[origin] = n_steps
            target = max(origin - number, OFF)
            found += [(origin, target, target != OFF and theirs[target] == 1)]
            found += [(origin, target, False)] * (n_steps - 1)
    return found


def _after_steps(packed: Packed, number: int, times: int) -> list[Packed]:
    """Every position after as many of `times` steps as possible.

    Steps are made with the rearmost checkers first: every play has exactly one such order. Each position is
    kept with the origin of its last step: the next step starts there or nearer to home.
    """
    reached = [(packed, BAR)]
    for _ in range(times):
        further = [
            (before + (hit if before & blot else plain), origin)
            for before, last in reached
            for origin, source, forbidden, blot, plain, hit in REARMOST_FIRST[number][BAR - last :]
            if before & source and not before & forbidden
        ]
        if not further:
            break
        reached = further
    return [after for after, _ in reached]


def _after_steps_on_the_way(packed: Packed, number: int, times: int) -> list[Packed]:
    """The same where nothing is on the bar and nothing can be borne off.

    The board then consists of runs: places one step apart. Runs are independent, so any combination of
    choices in them is a play if it makes the most steps possible in all.
    """
    by_run = [_choices_in_run(number, times, *run) for run in runs_of_points(packed, number)]
    return combined(packed, by_run, times)[1]


def combined(packed: Packed, by_run: Sequence[list[list[Packed]]], times: int) -> tuple[int, list[Packed]]:
    """The most steps that can be made in all runs together, at most `times`, and every position after them.

    by_run: for each run, by the number of steps from 0, the sum to add for every way to make so many steps.
    """
    if not by_run:
        return 0, [packed]
    room = sum(map(len, by_run)) - len(by_run)
    most = min(times, room)
    room -= len(by_run[0]) - 1
    reached = [[packed + step for step in steps] for steps in by_run[0]]
    for choices in by_run[1:]:
        room -= len(choices) - 1
        # Fewer steps are too few: the remaining runs have no room for the rest.
        fewest, n_before = max(most - room, 0), len(reached)
        further: list[list[Packed]] = [[]] * fewest
        for n in range(fewest, min(most, n_before + len(choices) - 2) + 1):
            after = [
                before + step
                for k in range(max(1, n - n_before + 1), min(n, len(choices) - 1) + 1)
                for before in reached[n - k]
                for step in choices[k]
            ]
            further.append(reached[n] + after if n < n_before else after)
        reached = further
    return most, reached[most]


Run = tuple[int, bytes, bytes]
"""Its first place, the mover's checkers along it, and the opponent's checkers where each step lands."""

_AT_MOST_FOUR = bytes(min(count, N_TIMES) for count in range(256))
_AT_MOST_HELD = bytes(min(count, 2) for count in range(256))
_HELD, _NOBODY = 2, b"\0"


def runs_of_points(packed: Packed, number: int) -> list[Run]:
    """The runs in which a step can be made. A held point ends a run, and the next begins beyond it."""
    counts, theirs = both_sides(packed)
    counts, theirs = counts.translate(_AT_MOST_FOUR), theirs.translate(_AT_MOST_HELD)
    found = []
    for place in range(BAR - 1, max(BAR - 1 - number, number), -1):
        own_along, theirs_along = counts[place:number:-number], theirs[place - number : 0 : -number]
        while _HELD in theirs_along:
            stop = theirs_along.index(_HELD)
            if own_along[:stop].strip(_NOBODY):
                found.append((place, own_along[:stop], theirs_along[:stop]))
            own_along, theirs_along = own_along[stop + 1 :], theirs_along[stop + 1 :]
            place -= (stop + 1) * number
        if own_along.strip(_NOBODY):
            found.append((place, own_along, theirs_along))
    return found


@lru_cache(maxsize=1 << 10)
def _choices_in_run(number: int, times: int, first: int, own: bytes, theirs: bytes) -> list[list[Packed]]:
    """By the number of steps, at most `times`: the sum to add for every way to make so many in one run.

    The choices are cached, because many boards have the same runs.
    """
    choices = steps_in_run(number, times, first, own, theirs)
    return [[total for total, _ in ways] for ways in choices]


def steps_in_run(
    number: int, times: int, first: int, own: bytes, theirs: bytes
) -> list[list[tuple[Packed, tuple[int, ...]]]]:
    """By the number of steps: every way to make so many, as the sum to add and where each step starts.

    A start is counted in steps from the first place of the run.
    """
    plain, hit = PLAIN[number], HIT[number]
    choices: list[list[tuple[Packed, tuple[int, ...]]]] = [[(0, ())]]
    reached: list[tuple[Packed, tuple[int, ...], list[int]]] = [(0, (), list(own))]
    for _ in range(times):
        further = []
        for total, made, counts in reached:
            last = made[-1] if made else -1
            for n in range(max(last, 0), len(counts)):
                if counts[n]:
                    place = first - n * number
                    # The first checker to land hits a blot; checkers from one place move one after another.
                    hits = theirs[n] == 1 and n != last
                    after = [*counts[:n], counts[n] - 1, *counts[n + 1 :]]
                    if n + 1 < len(after):
                        after[n + 1] += 1
                    further.append((total + (hit if hits else plain)[place], (*made, n), after))
        if not further:
            break
        choices.append([(total, made) for total, made, _ in further])
        reached = further
    return choices
