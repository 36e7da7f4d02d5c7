"""Every position that a whole roll can lead to, found by additions to packed positions."""

from __future__ import annotations

from collections.abc import Collection

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
    STRIDES,
    Packed,
    Places,
    after_each_step,
    both_sides,
    count,
    mask_of_blots,
    mask_of_free_points,
    mask_of_men,
    places_in,
    step_between,
)
from sentences import say


def whole_roll_results(packed: Packed, dice: Dice, laws: Laws) -> Collection[Packed]:
    """Every position the mover may leave after playing `dice`, each once; `packed` alone when he cannot move.

    As many of the numbers are played as can be. When either number can be played but not both, `laws` says
    whether it must be the higher. Bearing off the last checker ends the game whatever is left of the roll.
    """
    high, low = dice.high, dice.low
    if high == low:
        return after_double(packed, high)
    if not packed & ON_BAR and count(packed, OUTSIDE) > 1:
        return _after_both_on_the_way(packed, high, low) or _after_one(packed, dice, laws) or [packed]
    both = _after_both(packed, high, low)
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
    """The positions after both numbers, in either order."""
    found = {after for first in after_each_step(packed, high) for after in after_each_step(first, low)}
    found.update(after for first in after_each_step(packed, low) for after in after_each_step(first, high))
    return found


def _after_both_on_the_way(packed: Packed, high: int, low: int) -> list[Packed]:
    """The same where nothing is on the bar and nothing can be borne off.

    The two numbers are then nearly independent: any step with one goes with any step with the other, except
    for a lone checker that would have to make both, and for two steps that hit the same blot.
    """
    own, theirs = both_sides(packed)
    men, free, blots = mask_of_men(own), mask_of_free_points(theirs), mask_of_blots(theirs)
    by_high, by_low = men & free >> high, men & free >> low
    high_origins, low_origins = places_in(by_high), places_in(by_low)
    after_high = [packed + step for step in _deltas(high_origins, theirs, high, blots)]
    with_low = _deltas(low_origins, theirs, low, blots)
    found = [after + step for after in after_high for step in with_low]
    n_low = len(with_low)
    if blots:
        # The second of two checkers that land on one blot hits nothing.
        for target in places_in(blots & by_high << high & by_low << low):
            first, second = high_origins.index(target + high), low_origins.index(target + low)
            found[first * n_low + second] = after_high[first] + PLAIN[low][target + low]
    by_both = by_high & by_low
    for place in reversed(places_in(by_both & mask_of_blots(own))):
        # A lone checker cannot make both.
        del found[high_origins.index(place) * n_low + low_origins.index(place)]
    if twice := by_both & by_low >> high & by_high >> low:
        # Two checkers can each go on from where the other would land: two pairs of steps leave the same.
        for place in places_in(twice):
            found.remove(after_high[high_origins.index(place)] + with_low[low_origins.index(place - high)])
    # One checker makes both steps. If it could land beside another that goes on, that was found above.
    onward = free >> high + low
    found_by_low_first = by_low & by_high >> low & ~(blots >> high)
    for place in places_in(by_high & onward & ~(by_low >> high) & ~found_by_low_first):
        end = place - high - low
        found.append(
            after_high[high_origins.index(place)] + (HIT if theirs[end] else PLAIN)[low][place - high]
        )
    # The order of its steps matters only where it can hit on its way, or is blocked.
    ordered = blots >> low | blots >> high | ~(free >> high)
    for place in places_in(by_low & onward & ~(by_high >> low) & ordered):
        end = place - high - low
        start = packed + (HIT if theirs[place - low] else PLAIN)[low][place]
        found.append(start + (HIT if theirs[end] else PLAIN)[high][place - low])
    return found


def _deltas(origins: tuple[int, ...], theirs: bytes, number: int, blots: Places) -> list[Packed]:
    """What to add for the step with `number` from each of `origins`."""
    plain = PLAIN[number]
    if not blots:
        return [plain[place] for place in origins]
    hit = HIT[number]
    return [hit[place] if theirs[place - number] else plain[place] for place in origins]


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
        raise ValueError(say("no_result_of_roll"))
    return found


def _path(start: Packed, end: Packed, numbers: tuple[int, ...]) -> list[tuple[int, int, bool]] | None:
    """`path_of_roll` for two numbers played in this order, or the first alone; None where there is none."""
    if start == end:
        return []
    first, second = numbers
    own, due = both_sides(start)[0], both_sides(end)[0]
    for origin in range(BAR, OFF, -1):
        if own[origin] > due[origin]:
            _, _, forbidden, blot, plain, hit = STRIDES[first][origin]
            if not start & forbidden:
                hits = bool(start & blot)
                step, after = (origin, max(origin - first, OFF), hits), start + (hit if hits else plain)
                if after == end:
                    return [step]
                if last := step_between(after, end, second):
                    return [step, last]
    return None
