"""Every position that a whole roll can lead to, found by sums over packed positions."""

from __future__ import annotations

from controller.rules.dice import Dice
from controller.rules.laws import Laws
from controller.rules.position import BAR, N_PLACES, OFF
from controller.rules.steps import (
    ON_BAR,
    ON_BOARD,
    OUTSIDE,
    REARMOST_FIRST,
    STRIDES,
    Packed,
    after_each_step,
    count,
)


def results(packed: Packed, dice: Dice, laws: Laws) -> set[Packed]:
    """Every position the mover may leave after playing `dice`; `packed` itself alone when he cannot move.

    As many of the numbers are played as can be. When either number can be played but not both, `laws` says
    whether it must be the higher. Bearing off the last checker ends the game whatever is left of the roll.
    """
    if dice.is_double:
        return _after_double(packed, dice.high)
    both = _after_both(packed, dice.high, dice.low)
    if both:
        return both | _borne_off_at_once(packed, dice)
    return _after_one(packed, dice, laws) or {packed}


def _after_one(packed: Packed, dice: Dice, laws: Laws) -> set[Packed]:
    higher = set(after_each_step(packed, dice.high))
    if higher and laws.higher_number_compelled:
        return higher
    return higher | set(after_each_step(packed, dice.low))


def _borne_off_at_once(packed: Packed, dice: Dice) -> set[Packed]:
    if count(packed, ON_BOARD) != 1:
        return set()
    return {
        after
        for number in (dice.high, dice.low)
        for after in after_each_step(packed, number)
        if not after & ON_BOARD
    }


def _after_both(packed: Packed, high: int, low: int) -> set[Packed]:
    if not packed & ON_BAR and count(packed, OUTSIDE) > 1:
        return _after_both_on_the_way(packed, high, low)
    found = {after for first in after_each_step(packed, high) for after in after_each_step(first, low)}
    found.update(after for first in after_each_step(packed, low) for after in after_each_step(first, high))
    return found


def _after_both_on_the_way(packed: Packed, high: int, low: int) -> set[Packed]:
    """The same where nothing is on the bar and nothing can be borne off.

    There the two numbers hardly meddle with each other: any step with the one goes with any step with the
    other, save for a lone checker that would have to make both, and two that would hit the same blot.
    """
    counts = packed.to_bytes(2 * N_PLACES, "little")
    origins = [place for place in range(1, BAR) if counts[place]]
    by_high = _steps_on_the_way(packed, origins, high)
    by_low = _steps_on_the_way(packed, origins, low)
    found = {
        packed + step + other
        for origin, step in by_high
        for other_origin, other in by_low
        if origin != other_origin or counts[origin] > 1
    }
    for origin, step in by_high:
        target = origin - high
        if packed & STRIDES[high - 1][origin].blot and target + low < BAR and counts[target + low]:
            second = STRIDES[low - 1][target + low]
            found.discard(packed + step + second.hit)
            found.add(packed + step + second.plain)
    found.update(_after_runs(packed, by_high, high, low))
    found.update(_after_runs(packed, by_low, low, high))
    return found


def _steps_on_the_way(packed: Packed, origins: list[int], number: int) -> list[tuple[int, Packed]]:
    """(origin, sum to add) of each step with `number` that stays on the board."""
    strides = STRIDES[number - 1]
    return [
        (origin, hit if packed & blot else plain)
        for origin, _, forbidden, blot, plain, hit in [strides[place] for place in origins if place > number]
        if not packed & forbidden
    ]


def _after_runs(packed: Packed, steps: list[tuple[int, Packed]], first: int, second: int) -> list[Packed]:
    """The positions after one checker has gone on by `second` from where `first` brought it."""
    strides = STRIDES[second - 1]
    return [
        packed + step + (hit if packed & blot else plain)
        for step, (_, _, forbidden, blot, plain, hit) in [
            (step, strides[origin - first]) for origin, step in steps if origin - first > second
        ]
        if not packed & forbidden
    ]


def _after_double(packed: Packed, number: int) -> set[Packed]:
    """The rearmost checkers step first: every play of a double can be put in that order, and in one way.

    So a position reached is kept with the place that the last step started from; the next starts there too,
    and then hits nothing new, or further on.
    """
    reached = [(packed, BAR + 1)]
    for _ in range(4):
        further = [
            (after, origin)
            for before, last in reached
            for after, origin in _next_of_double(before, last, number)
        ]
        if not further:
            break
        reached = further
    return {after for after, _ in reached}


def _next_of_double(packed: Packed, last: int, number: int) -> list[tuple[Packed, int]]:
    return [
        (packed + (hit if packed & blot else plain), origin)
        for origin, source, forbidden, blot, plain, hit in REARMOST_FIRST[number - 1][max(BAR - last, 0) :]
        if packed & source and not packed & forbidden
    ]


def path(start: Packed, end: Packed, dice: Dice) -> list[tuple[int, int, bool]]:
    """Steps (origin, target, hit) from `start` to `end`, one of the results of `dice`.

    Where several ways lead there: the higher number first, and the rearmost checker.
    """
    found = _path(start, end, dice.numbers)
    if found is None:
        found = _path(start, end, dice.numbers[::-1])
    assert found is not None, "a result of the roll is reached by its numbers in one order or the other"
    return found


def _path(
    start: Packed, end: Packed, numbers: tuple[int, ...], rearmost: int = BAR
) -> list[tuple[int, int, bool]] | None:
    if start == end:
        return []
    if not numbers:
        return None
    number, *rest = numbers
    for origin, source, forbidden, blot, plain, hit in REARMOST_FIRST[number - 1][BAR - rearmost :]:
        if start & source and not start & forbidden:
            after = start + (hit if start & blot else plain)
            same_number = number in rest
            way = _path(after, end, tuple(rest), origin if same_number else BAR)
            if way is not None:
                return [(origin, max(origin - number, OFF), bool(start & blot)), *way]
    return None
