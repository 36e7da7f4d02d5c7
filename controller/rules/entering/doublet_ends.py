"""The ends of doublets and their complement, found run by run.

A throw of doublets can leave hundreds of thousands of turn states. Stepping from state to state finds each of
them many times over. While it does not change where a second checker may land, the course falls into runs of
places one number apart that do not influence each other, as in `controller.rules.plays.doubles`. Under the
laws of Turkish backgammon it changes when the twelfth point is covered. That happens within one run, and the
others can then be played as if it had been before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import chain, repeat

from controller.rules.board.position import BAR, OFF
from controller.rules.board.turn_state import Marks
from controller.rules.entering.course import (
    FIRST_POINT,
    HOME_COURSE,
    N_TURN_SIDE,
    ONE_CHECKER,
    TWELFTH_POINT,
    WAITING,
    Course,
    PackedTurn,
    marked,
    marks_in,
    turn_bytes,
)
from controller.rules.entering.entering_laws import Placing
from controller.rules.plays.doubles import N_TIMES, combined

_FREE_TO_COVER = Marks.ALL_ENTERED | Marks.COVERED_TWELFTH
_NOWHERE = WAITING
"""Every place is below it."""
_ANY_MAN, _TWO_OR_MORE = 0xFF, 0xFE
"""Masks over one byte."""
_OWN_SIDE = (1 << 8 * N_TURN_SIDE) - 1
"""The mover's half of a turn state. Of two after one stage, the smaller has moved men from further back."""
_Run = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Its first place; the mover's checkers along it, to where the last step lands; the opponent's there."""
_Choices = list[list[PackedTurn]]
"""For each number of steps what to add for every way to make so many."""
_Terms = tuple[int, int]
"""The place where those waiting stand, 25 or 24, and the lowest place where a second checker may land."""
_FREE = (BAR, OFF)
"""A second checker may land everywhere."""


def doublet_ends(
    course: Course, packed: PackedTurn, stages: tuple[tuple[int, ...], ...]
) -> tuple[dict[PackedTurn, PackedTurn], bool] | None:
    """Every end of these stages with the turn state after the first one, and whether all numbers are played.

    None where the stages are no doublets, or the adversary may play on, or the game may end in them.
    """
    men = turn_bytes(packed)
    if course.laws.continuation or any(len(stage) != N_TIMES for stage in stages):
        return None
    if sum(men[1 : WAITING + 1]) <= N_TIMES * len(stages):
        return None
    number = stages[0][0]
    played, firsts = _after_stage(course, packed, number) or _stepped(course, [packed], number)
    if played < N_TIMES or len(stages) == 1:
        return dict.fromkeys(firsts, packed), played == N_TIMES
    # Of several ways to one end the one that begins with the rearmost checkers stands: it comes last.
    in_order = sorted(set(firsts), key=lambda first: first & _OWN_SIDE, reverse=True)
    return _after_second_stage(course, packed, in_order, stages[1][0])


def _after_second_stage(
    course: Course, packed: PackedTurn, firsts: Iterable[PackedTurn], number: int
) -> tuple[dict[PackedTurn, PackedTurn], bool]:
    """Every end of a stage begun in any of `firsts`, each with that one, and whether the stage is complete.

    Where nothing of it can be played the ends are `firsts`, each with `packed`.
    """
    by_runs, others = [], []
    for first in firsts:
        after = _after_stage(course, first, number, _idle_places(course, packed, first, number))
        if after is None:
            others.append(first)
        else:
            by_runs.append((first, after))
    most, found = _stepped(course, others, number) if others else (0, {})
    for first, (played, ends) in by_runs:
        if played > most:
            most, found = played, {}
        if played == most:
            found.update(zip(ends, repeat(first), strict=False))
    return (found, most == N_TIMES) if most else (dict.fromkeys(found, packed), False)


def _stepped(
    course: Course, starts: Iterable[PackedTurn], number: int
) -> tuple[int, dict[PackedTurn, PackedTurn]]:
    """How often `number` can be played, and every turn state after that, each with its start."""
    reached = {start: start for start in starts}
    for played in range(N_TIMES):
        further = {
            after: start for before, start in reached.items() for _, after in course.steps(before, number)
        }
        if not further:
            return played, reached
        reached = further
    return N_TIMES, reached


def _idle_places(course: Course, packed: PackedTurn, first: PackedTurn, number: int) -> list[int]:
    """Places from which no step with `number` need begin after `first`, the stage before it.

    From p it need not where a man went from p - number to p - 7 before: a man from p can go to p - 7 at once
    with both numbers, which leaves the same and begins further back. Nothing else may depend on that man, and
    nothing may be hit on the other way.
    """
    if course.laws.placing is not None:
        return []
    before, after = turn_bytes(packed), turn_bytes(first)
    thrown, found = 7 - number, []
    made = [0] * (BAR + 7)
    made[BAR] = before[BAR] + before[WAITING] - after[BAR] - after[WAITING]
    for place in range(FIRST_POINT, OFF, -1):
        made[place] = before[place] - after[place] + made[place + thrown]
    for place in (WAITING, *range(FIRST_POINT, 7, -1)):
        point = min(place, BAR)
        is_free = not after[N_TURN_SIDE + course.across[point - thrown]]
        if after[place] and made[point - number] and after[point - 7] and is_free:
            found.append(place)
    return found


def _after_stage(
    course: Course, packed: PackedTurn, number: int, idle: Collection[int] = ()
) -> tuple[int, Collection[PackedTurn]] | None:
    """How often `number` can be played, four times at most, and every turn state after that.

    None where the laws on single steps change in between in more than one way. No step need start from the
    places that are `idle`.
    """
    entered = 0
    while entered < N_TIMES and packed >> 8 * BAR & _ANY_MAN:
        step = next(course.steps(packed, number), None)
        if step is None:
            return entered, [packed]
        packed, entered = step[1], entered + 1
    times = N_TIMES - entered
    terms = _terms(course, packed, times)
    if terms is None:
        return None
    if terms == _FREE:
        played, found = _after_free_steps(course, packed, number, times, idle)
    else:
        played, found = _after_bound_steps(course, packed, number, times, terms)
    return entered + played, _moved_out(found, packed) if played else found


def _terms(course: Course, packed: PackedTurn, times: int) -> _Terms | None:
    """What holds for `times` steps from here with nothing on the bar, but that the twelfth may be covered.

    None where it may change otherwise, or players have agreed on something else than the text says.
    """
    placing, marks = course.laws.placing, marks_in(packed)
    if placing is None:
        return _FREE
    if marks & _FREE_TO_COVER == _FREE_TO_COVER and not placing.twelfth_must_be_held:
        return _FREE
    men = turn_bytes(packed)
    if replace(placing, leader_only=False) != Placing() or men[TWELFTH_POINT] > 1:
        return None
    if marks & Marks.ALL_ENTERED:
        return (BAR, TWELFTH_POINT) if sum(men[TWELFTH_POINT:BAR]) > times + 1 else None
    if men[WAITING] > times and not marks & Marks.COVERED_TWELFTH:
        return BAR - course.shift(marks), _NOWHERE
    return None


def _moved_out(ends: Collection[PackedTurn], before: PackedTurn) -> Collection[PackedTurn]:
    """The ends with the mark of a player who has moved out the two men placed, where it is earned."""
    if marks_in(before) & (Marks.ALL_ENTERED | Marks.MOVED_OUT) != Marks.ALL_ENTERED:
        return ends
    placed = _ANY_MAN << 8 * FIRST_POINT
    return [end if end & placed else marked(end, Marks.MOVED_OUT) for end in ends]


def _after_free_steps(
    course: Course, packed: PackedTurn, number: int, times: int, idle: Collection[int] = ()
) -> tuple[int, Collection[PackedTurn]]:
    """The same where any point may be made: the rearmost checkers first, so that each is found once.

    No step starts from the places that are `idle`.
    """
    strides = _possible_strides(course, packed, number, times, idle)
    if not times:
        return 0, [packed]
    # The first step is made by a checker that stands there already.
    reached = [
        [packed + first] if is_held and not packed & behind else []
        for is_held, _, behind, _, first in strides
    ]
    if not any(reached):
        return 0, [packed]
    for played in range(1, times):
        further: list[list[PackedTurn]] = []
        movable: list[PackedTurn] = []
        for (is_held, source, behind, plain, first), again in zip(strides, reached, strict=True):
            # Those that came from further back find the place as it was. From it one has left in the others,
            # and has hit what there was to be hit.
            if behind:
                after = [
                    before + plain for before in movable + again if before & source and not before & behind
                ]
            else:
                after = (
                    [before + first for before in movable]
                    if is_held
                    else [before + first for before in movable if before & source]
                )
                after += [before + plain for before in again if before & source]
            movable += again
            further.append(after)
        if not any(further):
            return played, list(chain.from_iterable(reached))
        reached = further
    return times, list(chain.from_iterable(reached))


def _possible_strides(
    course: Course, packed: PackedTurn, number: int, times: int, idle: Collection[int]
) -> list[tuple[bool, PackedTurn, PackedTurn, PackedTurn, PackedTurn]]:
    """The strides that can be made, the rearmost first, of at most so many.

    Of each: whether a checker stands at its source already, source, own men that forbid it, its sum, and the
    sum of the first such step.
    """
    men = turn_bytes(packed)
    may_bear_off = sum(men[HOME_COURSE.stop : WAITING + 1]) < times
    found, landed = [], set()
    for place, target, source, held, behind, blot, plain, hit in _strides(course, number):
        if not (men[place] or place in landed) or packed & held or place in idle:
            continue
        if target != OFF or may_bear_off:
            found.append((men[place] > 0, source, behind, plain, hit if packed & blot else plain))
            landed.add(target)
    return found


_Stride = tuple[int, int, PackedTurn, PackedTurn, PackedTurn, PackedTurn, PackedTurn, PackedTurn]
"""A step: from where to where; its source, the opponents and the own men that forbid it, the blot it hits;
its sums without and with a hit. All but the places and the sums are masks."""


@lru_cache
def _strides(course: Course, number: int) -> list[_Stride]:
    """Every step with `number` where any point may be made, those waiting first, then the rearmost."""
    found = []
    for place in (WAITING, *range(FIRST_POINT, OFF, -1)):
        target = max(min(place, BAR) - number, OFF)
        source, plain = _ANY_MAN << 8 * place, ONE_CHECKER[target] - ONE_CHECKER[place]
        if target == OFF:
            first_behind = HOME_COURSE.stop if place == number else place + 1
            behind = sum(_ANY_MAN << 8 * place for place in range(first_behind, WAITING + 1))
            found.append((place, target, source, 0, behind, 0, plain, plain))
        else:
            there = N_TURN_SIDE + course.across[target]
            held, blot = _TWO_OR_MORE << 8 * there, _ANY_MAN << 8 * there
            hit = plain + ONE_CHECKER[N_TURN_SIDE + BAR] - ONE_CHECKER[there]
            found.append((place, target, source, held, 0, blot, plain, hit))
    return found


def _after_bound_steps(
    course: Course, packed: PackedTurn, number: int, times: int, terms: _Terms
) -> tuple[int, Collection[PackedTurn]]:
    """The same where not every point may be made, at least until the twelfth is covered."""
    by_run = [_bound_choices(course, number, terms, *run) for run in _runs(course, packed, number, terms[0])]
    most, uncovered = combined(packed, [choices for choices, _ in by_run], times)
    found = list(uncovered)
    for n_steps, covering in [cover for _, covers in by_run for cover in covers]:
        if n_steps <= times:
            left = times - n_steps
            after = packed + covering
            played, ends = _after_free_steps(course, after, number, left) if left else (0, (after,))
            if n_steps + played > most:
                most, found = n_steps + played, []
            if n_steps + played == most:
                found += ends
    return most, found


def _runs(course: Course, packed: PackedTurn, number: int, entrance: int) -> list[_Run]:
    """The runs from which a step can be made; those waiting stand at `entrance`. A held point ends a run.

    While they stand on the first point, the two men placed there do not move.
    """
    men = turn_bytes(packed)
    counts = [0, *(min(n, N_TIMES) for n in men[1:BAR]), 0]
    if men[WAITING]:
        counts[entrance] = min(men[WAITING], N_TIMES)
    theirs = [men[N_TURN_SIDE + place] for place in course.across]
    found = []
    for top in range(BAR, BAR - number, -1):
        places = range(top, number, -number)
        own_along = tuple(counts[place] for place in range(top, 0, -number))
        theirs_along = tuple(theirs[place - number] for place in places)
        start = 0
        for stop in [*(n for n, held in enumerate(theirs_along) if held > 1), len(places)]:
            if any(own_along[start:stop]):
                found.append((places[start], own_along[start : stop + 1], theirs_along[start:stop]))
            start = stop + 1
    return found


@lru_cache(maxsize=1 << 14)
def _bound_choices(
    course: Course, number: int, terms: _Terms, first: int, own: tuple[int, ...], theirs: tuple[int, ...]
) -> tuple[_Choices, list[tuple[int, PackedTurn]]]:
    """The choices in one run that cover no point which may not be; and all ways to cover the twelfth.

    Each of these is a number of steps, the last of which covers it, and what to add for them.
    """
    entrance, open_from = terms
    choices, covers = [[0]], []
    strides = []
    for n, there in enumerate(theirs):
        place, target = first - n * number, first - (n + 1) * number
        sums = [_step_sum(course, place, target, entrance, hits) for hits in (False, True)]
        strides.append((1 << 8 * n, target, there == 1, sum(own[: n + 1]), *sums))
    reached = {_packed(own): 0}
    for n_steps in range(1, N_TIMES + 1):
        further: dict[int, PackedTurn] = {}
        for left, target, is_blot, n_behind, plain, hit in strides:
            source, one = _ANY_MAN * left, left << 8
            landing, behind = _ANY_MAN * one, one - 1
            for counts, total in reached.items():
                if not counts & source:
                    continue
                # Nobody has come by yet if as many stand behind as at first.
                step = total + (hit if is_blot and (counts & behind) % 0xFF == n_behind else plain)
                is_second = counts & landing == one
                if is_second and target == TWELFTH_POINT >= open_from:
                    covers.append((n_steps, marked(0, Marks.COVERED_TWELFTH) + step))
                elif not is_second or target >= open_from:
                    further[counts - left + one] = step
        if not further:
            break
        choices.append(list(further.values()))
        reached = further
    return choices, covers


def _packed(counts: tuple[int, ...]) -> int:
    """Counts of checkers, a byte each; modulo 255 it is their sum."""
    return int.from_bytes(bytes(counts), "little")


def _step_sum(course: Course, place: int, target: int, entrance: int, hits: bool) -> PackedTurn:
    """What to add to a packed turn state for one step; from `entrance` checkers come that were waiting."""
    total = ONE_CHECKER[target] - ONE_CHECKER[WAITING if place == entrance else place]
    if hits:
        total += ONE_CHECKER[N_TURN_SIDE + BAR] - ONE_CHECKER[N_TURN_SIDE + course.across[target]]
    return total
