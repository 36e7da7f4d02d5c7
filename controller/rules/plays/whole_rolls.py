"""Every position that a whole roll can lead to, found by additions to packed positions."""

from __future__ import annotations

from collections.abc import Collection

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, OFF
from controller.rules.laws.law_terms import Laws
from controller.rules.plays.doubles import after_double, path_of_double
from controller.rules.plays.packed_steps import (
    ANY,
    HIT,
    ON_BOARD,
    OUTSIDE,
    PLAIN,
    STRIDES,
    Packed,
    after_each_step,
    both_sides,
    count,
    places_in,
    points_of,
    step_between,
)
from sentences import say


def whole_roll_results(packed: Packed, dice: Dice, laws: Laws) -> Collection[Packed]:
    """Every position that the mover may leave with `dice`, each once; `packed` alone when he cannot move.

    As many numbers as possible are played. When either number can be played but not both, `laws` says whether
    it must be the higher. Bearing off the last checker ends the game, whatever is left of the roll.
    """
    high, low = dice.high, dice.low
    if high == low:
        return after_double(packed, high)
    on_bar = packed >> 8 * BAR & ANY
    if not on_bar and count(packed, OUTSIDE) > 1:
        return _after_both_on_the_way(packed, high, low) or _after_one(packed, dice, laws) or [packed]
    both = (_after_entering_one if on_bar == 1 else _after_both)(packed, high, low)
    if not on_bar and count(packed, ON_BOARD) == 1:
        both |= _borne_off_at_once(packed, dice)
    return both or _after_one(packed, dice, laws) or {packed}


def _after_one(packed: Packed, dice: Dice, laws: Laws) -> set[Packed]:
    higher = set(after_each_step(packed, dice.high))
    if higher and laws.higher_number_compelled:
        return higher
    return higher | set(after_each_step(packed, dice.low))


def _borne_off_at_once(packed: Packed, dice: Dice) -> set[Packed]:
    """The position after the last checker is borne off with one number, if that is possible."""
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


def _after_entering_one(packed: Packed, high: int, low: int) -> set[Packed]:
    """The same with one checker on the bar: it enters with one number, and any checker plays the other."""
    _, theirs, men, free, blots = points_of(packed)
    found: set[Packed] = set()
    for number, other in ((high, low), (low, high)):
        point = BAR - number
        if theirs[point] < 2:
            entered = packed + (HIT if theirs[point] else PLAIN)[number][BAR]
            movable = (men | 1 << number) & free >> other
            # A blot hit by the entering checker is not hit again.
            hitting = (blots & ~(1 << number)) >> other & movable
            plain, hit = PLAIN[other], HIT[other]
            found.update([entered + plain[place] for place in places_in(movable & ~hitting)])
            found.update([entered + hit[place] for place in places_in(hitting)])
    return found


def _after_both_on_the_way(packed: Packed, high: int, low: int) -> list[Packed]:
    """The same when no checker is on the bar and none can be borne off; each position once.

    The two numbers are then nearly independent: any step with one goes with any step with the other. The
    exceptions are a lone checker that would have to make both steps, and two steps that hit the same blot.
    """
    own, theirs, men, free, blots = points_of(packed)
    plain_high, hit_high, plain_low, hit_low = PLAIN[high], HIT[high], PLAIN[low], HIT[low]
    by_high, by_low = men & free >> high, men & free >> low
    high_origins, low_origins = places_in(by_high), places_in(by_low)
    after_high = [packed + plain_high[place] for place in high_origins]
    with_low = [plain_low[place] for place in low_origins]
    if hitting := blots >> high & by_high:
        for place in places_in(hitting):
            after_high[high_origins.index(place)] = packed + hit_high[place]
    if hitting := blots >> low & by_low:
        for place in places_in(hitting):
            with_low[low_origins.index(place)] = hit_low[place]
    found = [after + step for after in after_high for step in with_low]
    n_low = len(with_low)
    by_both, then_low, then_high = by_high & by_low, by_low >> high, by_high >> low
    if twice_hit := blots & by_high << high & by_low << low:
        # Of two checkers that land on one blot, the second hits nothing.
        for target in places_in(twice_hit):
            first, second = high_origins.index(target + high), low_origins.index(target + low)
            found[first * n_low + second] = after_high[first] + plain_low[target + low]
    for place in reversed(places_in(by_both)):
        if own[place] == 1:
            # A lone checker cannot make both steps from its place.
            del found[high_origins.index(place) * n_low + low_origins.index(place)]
    if twice := by_both & then_low & then_high:
        # Where a checker can go on from either landing point, two pairs of steps leave the same position.
        for place in places_in(twice):
            found.remove(after_high[high_origins.index(place)] + with_low[low_origins.index(place - high)])
    # One checker makes both steps. Where it lands beside another that can go on, the result was found above.
    onward = free >> high + low
    found_by_low_first = by_low & then_high & ~(blots >> high)
    if by_one := by_high & onward & ~(then_low | found_by_low_first):
        found += [
            after_high[high_origins.index(place)]
            + (hit_low if theirs[place - high - low] else plain_low)[place - high]
            for place in places_in(by_one)
        ]
    # The order of its two steps matters only where it can hit on its way or one landing point is held.
    if by_one := by_low & onward & ~then_high & (blots >> low | blots >> high | ~(free >> high)):
        for place in places_in(by_one):
            start = packed + with_low[low_origins.index(place)]
            found.append(start + (hit_high if theirs[place - high - low] else plain_high)[place - low])
    return found


def path_of_roll(start: Packed, end: Packed, dice: Dice, laws: Laws) -> list[tuple[int, int, bool]]:
    """Steps (origin, target, hit) from `start` to `end`, one of the results of `dice`.

    Of several ways, prefer both numbers to one, the higher number first, and the rearmost checker. But where
    `laws` deem the higher number borne, first look for a way that moves a man by the lower number and then
    bears one off by the higher. Once the last checker is off, nothing more is played.
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
    """`path_of_roll` with two numbers in this order, or the first alone; None when there is no path."""
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
