"""The ends of doublets and their complement, found run by run.

A throw of doublets can leave hundreds of thousands of turn states. Stepping from state to state finds each of
them many times over. While it does not change where a second checker may land, the course falls into runs of
places one number apart that do not influence each other, as in `controller.rules.plays.doubles`. Under the
laws of Turkish backgammon it changes when the twelfth point is covered. That happens within one run, and the
others can then be played as if it had been before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
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
    CourseStep,
    PackedTurn,
    marked,
    marks_in,
)
from controller.rules.entering.entering_laws import Placing
from controller.rules.plays.doubles import N_TIMES

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
    men = _men(packed)
    if course.laws.continuation or any(len(stage) != N_TIMES for stage in stages):
        return None
    if sum(men[1 : WAITING + 1]) <= N_TIMES * len(stages):
        return None
    number = stages[0][0]
    played, firsts = _after_stage(course, packed, number) or _stepped(course, [packed], number)
    if played < N_TIMES or len(stages) == 1:
        return dict.fromkeys(firsts, packed), played == N_TIMES
    # Of several ways to one end the one that begins with the rearmost checkers stands: it comes last.
    in_order = sorted(firsts, key=lambda first: first & _OWN_SIDE, reverse=True)
    return _after_second_stage(course, packed, in_order, stages[1][0])


def _after_second_stage(
    course: Course, packed: PackedTurn, firsts: Iterable[PackedTurn], number: int
) -> tuple[dict[PackedTurn, PackedTurn], bool]:
    """Every end of a stage begun in any of `firsts`, each with that one, and whether the stage is complete.

    Where nothing of it can be played the ends are `firsts`, each with `packed`.
    """
    by_runs, others = [], []
    for first in firsts:
        after = _after_stage(course, first, number)
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


def way_by_doublets(
    course: Course, packed: PackedTurn, first: PackedTurn, end: PackedTurn, numbers: tuple[int, ...]
) -> list[tuple[int, CourseStep]]:
    """(stage, step) from `packed` by way of `first`, the rearmost checkers first where they may be."""
    if first == packed:
        return [(0, step) for step in _lawful_path(course, packed, end, numbers[0])]
    return [(0, step) for step in _lawful_path(course, packed, first, numbers[0])] + [
        (1, step) for step in _lawful_path(course, first, end, numbers[1])
    ]


def _men(packed: PackedTurn) -> bytes:
    return packed.to_bytes(2 * N_TURN_SIDE, "little")


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


def _after_stage(
    course: Course, packed: PackedTurn, number: int
) -> tuple[int, Collection[PackedTurn]] | None:
    """How often `number` can be played, four times at most, and every turn state after that.

    None where the laws on single steps change in between in more than one way.
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
        played, found = _after_free_steps(course, packed, number, times)
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
    men = _men(packed)
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
    course: Course, packed: PackedTurn, number: int, times: int
) -> tuple[int, Collection[PackedTurn]]:
    """The same where any point may be made: the rearmost checkers first, so that each is found once."""
    strides = [stride for stride in _strides(course, number) if not packed & stride[1]]
    reached = [[packed]]
    for played in range(times):
        further, movable = [], list[PackedTurn]()
        for n, (source, _, behind, blot, plain, hit) in enumerate(strides):
            # A step follows those from the same place and from behind it.
            movable += reached[n] if n < len(reached) else []
            if behind or packed & blot:
                after = [
                    before + (hit if before & blot else plain)
                    for before in movable
                    if before & source and not before & behind
                ]
            else:
                after = [before + plain for before in movable if before & source]
            further.append(after)
        if not any(further):
            return played, list(chain.from_iterable(reached))
        reached = further
    return times, list(chain.from_iterable(reached))


_Stride = tuple[PackedTurn, PackedTurn, PackedTurn, PackedTurn, PackedTurn, PackedTurn]
"""A step: its source, the opponents and the own men that forbid it, the blot it hits; its sums without and
with a hit. All but the sums are masks."""


@lru_cache
def _strides(course: Course, number: int) -> list[_Stride]:
    """Every step with `number` where any point may be made, those waiting first, then the rearmost."""
    found = []
    for source in (WAITING, *range(FIRST_POINT, OFF, -1)):
        target = max(min(source, BAR) - number, OFF)
        men, plain = _ANY_MAN << 8 * source, ONE_CHECKER[target] - ONE_CHECKER[source]
        if target == OFF:
            first_behind = HOME_COURSE.stop if source == number else source + 1
            behind = sum(_ANY_MAN << 8 * place for place in range(first_behind, WAITING + 1))
            found.append((men, 0, behind, 0, plain, plain))
        else:
            there = N_TURN_SIDE + course.across[target]
            hit = plain + ONE_CHECKER[N_TURN_SIDE + BAR] - ONE_CHECKER[there]
            found.append((men, _TWO_OR_MORE << 8 * there, 0, _ANY_MAN << 8 * there, plain, hit))
    return found


def _after_bound_steps(
    course: Course, packed: PackedTurn, number: int, times: int, terms: _Terms
) -> tuple[int, Collection[PackedTurn]]:
    """The same where not every point may be made, at least until the twelfth is covered."""
    by_run = [_bound_choices(course, number, terms, *run) for run in _runs(course, packed, number, terms[0])]
    most, uncovered = _combined(packed, [choices for choices, _ in by_run], times)
    found = set(uncovered)
    for n_steps, covering in [cover for _, covers in by_run for cover in covers]:
        if n_steps <= times:
            played, ends = _after_free_steps(course, packed + covering, number, times - n_steps)
            if n_steps + played > most:
                most, found = n_steps + played, set()
            if n_steps + played == most:
                found.update(ends)
    return most, found


def _combined(packed: PackedTurn, by_run: Sequence[_Choices], times: int) -> tuple[int, list[PackedTurn]]:
    """Any choice in each run, so that the most steps possible are made in all."""
    room = [len(choices) - 1 for choices in by_run]
    most = min(times, sum(room))
    reached = [[packed]]
    for index, choices in enumerate(by_run):
        least = max(most - sum(room[index + 1 :]), 0)
        largest = min(most, len(reached) + len(choices) - 2)
        reached = [[]] * least + [
            [
                before + step
                for k in range(max(0, n - len(reached) + 1), min(n, len(choices) - 1) + 1)
                for before in reached[n - k]
                for step in choices[k]
            ]
            for n in range(least, largest + 1)
        ]
    return most, reached[most]


def _runs(course: Course, packed: PackedTurn, number: int, entrance: int) -> list[_Run]:
    """The runs from which a step can be made; those waiting stand at `entrance`. A held point ends a run.

    While they stand on the first point, the two men placed there do not move.
    """
    men = _men(packed)
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
    reached = {own: 0}
    for n_steps in range(1, N_TIMES + 1):
        further = {}
        for counts, total in reached.items():
            for n in range(len(theirs)):
                place = first - n * number
                target = place - number
                if not counts[n] or (counts[n + 1] == 1 and target < open_from):
                    continue
                hits = theirs[n] == 1 and sum(own[: n + 1]) == sum(counts[: n + 1])
                step = total + _step_sum(course, place, target, entrance, hits)
                if counts[n + 1] == 1 and target == TWELFTH_POINT:
                    covers.append((n_steps, marked(0, Marks.COVERED_TWELFTH) + step))
                else:
                    further[*counts[:n], counts[n] - 1, counts[n + 1] + 1, *counts[n + 2 :]] = step
        if not further:
            break
        choices.append(list(further.values()))
        reached = further
    return choices, covers


def _step_sum(course: Course, place: int, target: int, entrance: int, hits: bool) -> PackedTurn:
    """What to add to a packed turn state for one step; from `entrance` checkers come that were waiting."""
    total = ONE_CHECKER[target] - ONE_CHECKER[WAITING if place == entrance else place]
    if hits:
        total += ONE_CHECKER[N_TURN_SIDE + BAR] - ONE_CHECKER[N_TURN_SIDE + course.across[target]]
    return total


def _path(course: Course, start: PackedTurn, end: PackedTurn, number: int) -> list[CourseStep]:
    """The steps from `start` to `end`, the rearmost checkers first.

    There is one such path, but where men are borne off: there it is searched for.
    """
    if start & _ANY_MAN != end & _ANY_MAN:
        return _searched_path(course, start, end, number, N_TIMES) or []
    before, after = _men(start), _men(end)
    entrance = BAR - course.shift(marks_in(start))
    found: list[CourseStep] = []
    arrived = [0] * (BAR + 1)
    for source in (BAR, WAITING, *range(FIRST_POINT, OFF, -1)):
        target = (source if source < BAR else entrance) - number
        n_steps = before[source] - after[source] + (arrived[source] if source < BAR else 0)
        for n in range(n_steps):
            hit = n == 0 and not arrived[target] and before[N_TURN_SIDE + course.across[target]] == 1
            found.append((source if source <= BAR else OFF, target, hit))
        if n_steps:
            arrived[target] += n_steps
    return found


def _lawful_path(course: Course, start: PackedTurn, end: PackedTurn, number: int) -> list[CourseStep]:
    """The same in an order in which every step is allowed."""
    steps = _path(course, start, end, number)
    if course.laws.placing is None:
        return steps
    return _in_lawful_order(course, start, end, number, Counter(step[:2] for step in steps)) or steps


def _in_lawful_order(
    course: Course, start: PackedTurn, end: PackedTurn, number: int, left: Counter[tuple[int, int]]
) -> list[CourseStep] | None:
    """The path from `start` to `end` by the steps (source, target) in `left`; None where there is none."""
    if not left:
        return [] if start == end else None
    for step, after in course.steps(start, number):
        if step[:2] in left:
            rest = _in_lawful_order(course, after, end, number, left - Counter([step[:2]]))
            if rest is not None:
                return [step, *rest]
    return None


def _searched_path(
    course: Course, start: PackedTurn, end: PackedTurn, number: int, n_left: int
) -> list[CourseStep] | None:
    """The first path of at most `n_left` steps, None where there is none."""
    if start == end:
        return []
    if n_left:
        for step, after in course.steps(start, number):
            rest = _searched_path(course, after, end, number, n_left - 1)
            if rest is not None:
                return [step, *rest]
    return None
