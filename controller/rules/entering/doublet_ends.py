"""The ends of doublets and their complement, found run by run.

A throw of doublets can leave hundreds of thousands of turn states. Stepping from state to state finds each of
them many times over. Where no law restricts single steps and nothing can be borne off, the course falls into
runs of places one number apart that do not influence each other, as in `controller.rules.plays.doubles`.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from controller.rules.board.position import BAR
from controller.rules.board.turn_state import Marks
from controller.rules.entering.course import (
    HOME_COURSE,
    N_TURN_SIDE,
    ONE_CHECKER,
    WAITING,
    Course,
    CourseStep,
    PackedTurn,
    marks_in,
)
from controller.rules.plays.doubles import N_TIMES

_FREE_TO_PLACE = Marks.ALL_ENTERED | Marks.MOVED_OUT | Marks.COVERED_TWELFTH
_Run = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Its first place (25: checkers waiting), the mover's checkers along it, the opponent's where steps land."""


def doublet_ends(
    course: Course, packed: PackedTurn, stages: tuple[tuple[int, ...], ...]
) -> tuple[dict[PackedTurn, PackedTurn], bool] | None:
    """Every end of these stages with the turn state after the first one, and whether all numbers are played.

    None where the stages are no doublets, or single steps are restricted, or a checker may be borne off.
    """
    if not _is_free(course, packed, stages):
        return None
    number = stages[0][0]
    played, firsts = _after_stage(course, packed, number)
    if played < N_TIMES or len(stages) == 1:
        return dict.fromkeys(firsts, packed), played == N_TIMES
    most, found = 0, dict.fromkeys(firsts, packed)
    complement = stages[1][0]
    # Of several ways to one end the one that begins with the rearmost checkers stands: it comes last.
    for first in sorted(firsts, key=lambda first: _sources(course, packed, first, number)):
        played, ends = _after_stage(course, first, complement)
        if played > most:
            most, found = played, {}
        if played == most and played:
            found.update(dict.fromkeys(ends, first))
    return found, most == N_TIMES


def way_by_doublets(
    course: Course, packed: PackedTurn, first: PackedTurn, end: PackedTurn, numbers: tuple[int, ...]
) -> list[tuple[int, CourseStep]]:
    """(stage, step) from `packed` by way of `first`, the rearmost checkers first in each stage."""
    if first == packed:
        return [(0, step) for step in _path(course, packed, end, numbers[0])]
    return [(0, step) for step in _path(course, packed, first, numbers[0])] + [
        (1, step) for step in _path(course, first, end, numbers[1])
    ]


def _is_free(course: Course, packed: PackedTurn, stages: tuple[tuple[int, ...], ...]) -> bool:
    laws, placing = course.laws, course.laws.placing
    if laws.continuation or any(len(stage) != N_TIMES for stage in stages):
        return False
    if placing is not None and (
        placing.twelfth_must_be_held or marks_in(packed) & _FREE_TO_PLACE != _FREE_TO_PLACE
    ):
        return False
    # The game must not end within the throw, and nothing be borne off in its first stage.
    men = packed.to_bytes(2 * N_TURN_SIDE, "little")
    return sum(men[1 : WAITING + 1]) > N_TIMES * len(stages) and _n_abroad(packed) >= N_TIMES


def _n_abroad(packed: PackedTurn) -> int:
    """The mover's checkers that are not yet home, those waiting too."""
    return sum(packed.to_bytes(2 * N_TURN_SIDE, "little")[HOME_COURSE.stop : WAITING + 1])


def _after_stage_with_bearing(
    course: Course, packed: PackedTurn, number: int
) -> tuple[int, Collection[PackedTurn]]:
    """`_after_stage` step by step, for men that may be borne off."""
    reached = {packed}
    for played in range(N_TIMES):
        further = {after for each in reached for _, after in course.steps(each, number)}
        if not further:
            return played, reached
        reached = further
    return N_TIMES, reached


def _after_stage(course: Course, packed: PackedTurn, number: int) -> tuple[int, Collection[PackedTurn]]:
    """How often `number` can be played, four times at most, and every turn state after that, each once."""
    if _n_abroad(packed) < N_TIMES:
        return _after_stage_with_bearing(course, packed, number)
    entered = 0
    while entered < N_TIMES and packed >> 8 * BAR & 0xFF:
        step = next(course.steps(packed, number), None)
        if step is None:
            return entered, [packed]
        packed, entered = step[1], entered + 1
    times = N_TIMES - entered
    by_run = [_choices(course, number, *run) for run in _runs(course, packed, number)]
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
    return entered + most, reached[most]


def _runs(course: Course, packed: PackedTurn, number: int) -> list[_Run]:
    """The runs from which a step can be made; those waiting stand at 25. A held point ends a run."""
    men = packed.to_bytes(2 * N_TURN_SIDE, "little")
    counts = [0, *(min(n, N_TIMES) for n in men[1:BAR]), min(men[WAITING], N_TIMES)]
    theirs = [men[N_TURN_SIDE + place] for place in course.across]
    found = []
    for top in range(BAR, BAR - number, -1):
        places = range(top, number, -number)
        own_along = tuple(counts[place] for place in places)
        theirs_along = tuple(theirs[place - number] for place in places)
        start = 0
        for stop in [*(n for n, held in enumerate(theirs_along) if held > 1), len(places)]:
            if any(own_along[start:stop]):
                found.append((places[start], own_along[start:stop], theirs_along[start:stop]))
            start = stop + 1
    return found


@lru_cache(maxsize=1 << 16)
def _choices(
    course: Course, number: int, first: int, own: tuple[int, ...], theirs: tuple[int, ...]
) -> list[list[PackedTurn]]:
    """For each number of steps what to add for every way to make so many in one run."""
    choices = [[0]]
    reached = [(0, -1, list(own))]
    for _ in range(N_TIMES):
        further = []
        for total, last, counts in reached:
            for n in range(max(last, 0), len(counts)):
                if counts[n]:
                    hits = theirs[n] == 1 and n != last
                    after = [*counts[:n], counts[n] - 1, *counts[n + 1 :]]
                    if n + 1 < len(after):
                        after[n + 1] += 1
                    further.append((total + _step_sum(course, first - n * number, number, hits), n, after))
        if not further:
            break
        choices.append([total for total, _, _ in further])
        reached = further
    return choices


def _step_sum(course: Course, place: int, number: int, hits: bool) -> PackedTurn:
    """What to add to a packed turn state for one step; place 25: a checker that was waiting."""
    target = place - number
    total = ONE_CHECKER[target] - ONE_CHECKER[WAITING if place == BAR else place]
    if hits:
        total += ONE_CHECKER[N_TURN_SIDE + BAR] - ONE_CHECKER[N_TURN_SIDE + course.across[target]]
    return total


def _sources(course: Course, packed: PackedTurn, first: PackedTurn, number: int) -> list[int]:
    """The places from which the steps start, those waiting at 26, the rearmost first."""
    return [source or WAITING for source, _, _ in _path(course, packed, first, number)]


def _path(course: Course, start: PackedTurn, end: PackedTurn, number: int) -> list[CourseStep]:
    """The steps from `start` to `end`, the rearmost checkers first; there is one such path.

    Where men are borne off it is searched for.
    """
    if start & 0xFF != end & 0xFF:
        return _searched_path(course, start, end, number, N_TIMES) or []
    before, after = (each.to_bytes(2 * N_TURN_SIDE, "little") for each in (start, end))
    found: list[CourseStep] = []
    arrived = [0] * (BAR + 1)
    for source in (BAR, WAITING, *range(BAR - 1, 0, -1)):
        place = min(source, BAR)
        n_steps = before[source] - after[source] + (arrived[place] if source < BAR else 0)
        target = place - number
        for n in range(n_steps):
            hit = n == 0 and not arrived[target] and before[N_TURN_SIDE + course.across[target]] == 1
            found.append((source if source <= BAR else 0, target, hit))
        if n_steps:
            arrived[target] += n_steps
    return found


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
