"""Find the steps of doublets and their complement from the turn states before and after each stage."""

from __future__ import annotations

from collections import Counter

from controller.rules.board.position import BAR, OFF
from controller.rules.entering.course import (
    FIRST_POINT,
    N_TURN_SIDE,
    WAITING,
    Course,
    CourseStep,
    PackedTurn,
    borne,
    marks_in,
    turn_bytes,
)
from controller.rules.plays.doubles import N_TIMES


def way_by_doublets(
    course: Course, packed: PackedTurn, first: PackedTurn, end: PackedTurn, numbers: tuple[int, ...]
) -> list[tuple[int, CourseStep]]:
    """(stage, step) from `packed` by way of `first` to `end`, the rearmost checkers first where allowed.

    first: the turn state after the first stage; `packed` itself when there is one stage only.
    """
    if first == packed:
        return [(0, step) for step in _lawful_path(course, packed, end, numbers[0])]
    return [(0, step) for step in _lawful_path(course, packed, first, numbers[0])] + [
        (1, step) for step in _lawful_path(course, first, end, numbers[1])
    ]


def _path(course: Course, start: PackedTurn, end: PackedTurn, number: int) -> list[CourseStep]:
    """The steps from `start` to `end`, the rearmost checkers first.

    Only one such path exists, except where men are borne off: then one is searched for.
    """
    if borne(start) != borne(end):
        return _searched_path(course, start, end, number, N_TIMES) or []
    before, after = turn_bytes(start), turn_bytes(end)
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
    """The same steps in an order in which each is allowed."""
    steps = _path(course, start, end, number)
    if course.laws.placing is None:
        return steps
    return _in_lawful_order(course, start, end, number, Counter(step[:2] for step in steps)) or steps


def _in_lawful_order(
    course: Course, start: PackedTurn, end: PackedTurn, number: int, left: Counter[tuple[int, int]]
) -> list[CourseStep] | None:
    """A path from `start` to `end` by the steps (source, target) in `left`; None where there is none."""
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
    """The first path of at most `n_left` steps; None where there is none."""
    if start == end:
        return []
    if n_left:
        for step, after in course.steps(start, number):
            rest = _searched_path(course, after, end, number, n_left - 1)
            if rest is not None:
                return [step, *rest]
    return None
