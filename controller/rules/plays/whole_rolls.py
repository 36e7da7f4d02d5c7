"""Every position that a whole roll can lead to, found by additions to packed positions."""

from __future__ import annotations

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, OFF
from controller.rules.laws.law_terms import Laws
from controller.rules.plays.doubles import after_double, path_of_double
from controller.rules.plays.packed_steps import (
    HIT,
    ON_BAR,
    ON_BOARD,
    OUTSIDE,
    PLAIN,
    REARMOST_FIRST,
    Packed,
    after_each_step,
    both_sides,
    count,
)


def whole_roll_results(packed: Packed, dice: Dice, laws: Laws) -> set[Packed]:
    """Every position the mover may leave after playing `dice`; `packed` itself alone when he cannot move.

    As many of the numbers are played as can be. When either number can be played but not both, `laws` says
    whether it must be the higher. Bearing off the last checker ends the game whatever is left of the roll.
    """
    if dice.is_double:
        return after_double(packed, dice.high)
    both = _after_both(packed, dice.high, dice.low)
    if count(packed, ON_BOARD) == 1:
        both |= _borne_off_at_once(packed, dice)
    return both or _after_one(packed, dice, laws) or {packed}


def _after_one(packed: Packed, dice: Dice, laws: Laws) -> set[Packed]:
    higher = set(after_each_step(packed, dice.high))
    if higher and laws.higher_number_compelled:
        return higher
    return higher | set(after_each_step(packed, dice.low))


def _borne_off_at_once(packed: Packed, dice: Dice) -> set[Packed]:
    """The position after the last checker is borne off with either number, if it can be."""
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

    The two numbers are then nearly independent: any step with one goes with any step with the other, except
    for a lone checker that would have to make both, and for two steps that hit the same blot.
    """
    own, theirs = both_sides(packed)
    origins = [place for place in range(1, BAR) if own[place]]
    by_high = _on_the_way(origins, theirs, high, packed)
    by_low = _on_the_way(origins, theirs, low, 0)
    found = {
        after + step for place, after in by_high for other, step in by_low if place != other or own[place] > 1
    }
    plain, hit = PLAIN[low], HIT[low]
    for place, after in by_high:
        target, end = place - high, place - high - low
        if end > 0 and theirs[end] < 2:
            found.add(after + (hit[target] if theirs[end] else plain[target]))
        if theirs[target] and own[target + low]:
            found.discard(after + hit[target + low])
            found.add(after + plain[target + low])
    for place, step in by_low:
        # One checker making both steps has been seen to above, unless the order of the steps matters.
        target, end = place - low, place - high - low
        if end > 0 and theirs[end] < 2 and (theirs[target] or theirs[place - high]):
            found.add(packed + step + (HIT if theirs[end] else PLAIN)[high][target])
    return found


def _on_the_way(origins: list[int], theirs: bytes, number: int, to: Packed) -> list[tuple[int, Packed]]:
    """(origin, `to` and the step's sum) of each step with `number` that stays on the board."""
    plain, hit = PLAIN[number], HIT[number]
    return [
        (place, to + (hit[place] if theirs[place - number] else plain[place]))
        for place in origins
        if place > number and theirs[place - number] < 2
    ]


def path_of_roll(start: Packed, end: Packed, dice: Dice, laws: Laws) -> list[tuple[int, int, bool]]:
    """Steps (origin, target, hit) from `start` to `end`, one of the results of `dice`.

    Where several ways lead there: both numbers played rather than one, the higher first, and the rearmost
    checker. But where `laws` deem the higher number borne, a man that is moved and then borne is moved by
    the lower. Once the last checker is off nothing more is played.
    """
    if dice.is_double:
        return path_of_double(start, end, dice.high)
    if laws.higher_number_deemed_borne:
        low_first = _path(start, end, dice.numbers[::-1])
        if low_first and [target == OFF for _, target, _ in low_first] == [False, True]:
            return low_first
    high_first = _path(start, end, dice.numbers)
    if high_first is not None and (len(high_first) > 1 or not end & ON_BOARD):
        return high_first
    found = _path(start, end, dice.numbers[::-1]) or high_first
    if found is None:
        raise ValueError("no result of this roll")
    return found


def _path(start: Packed, end: Packed, numbers: tuple[int, ...]) -> list[tuple[int, int, bool]] | None:
    """`path` for numbers played in this order; each step leaves a place that has too many for the end."""
    if start == end:
        return []
    if not numbers:
        return None
    number, *rest = numbers
    own, due = both_sides(start)[0], both_sides(end)[0]
    for origin, _, forbidden, blot, plain, hit in REARMOST_FIRST[number]:
        if own[origin] > due[origin] and not start & forbidden:
            hits = bool(start & blot)
            way = _path(start + (hit if hits else plain), end, tuple(rest))
            if way is not None:
                return [(origin, max(origin - number, OFF), hits), *way]
    return None
