"""The ends of doublets and their complement, without finding each one many times.

A throw of doublets can leave hundreds of thousands of turn states. Stepping from state to state finds each of
them many times over. Where a second checker may land on any point, steps are made in one order, the rearmost
checkers first. Where it may not, the circuit falls into independent runs of places one number apart, as in
`controller.rules.plays.doubles`, as long as these places do not change. Under the laws of Turkish backgammon
they change when the twelfth point is covered. That happens within one run; the steps that cover it can
therefore be made first, and the other steps after them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import chain, repeat

from controller.rules.board.position import BAR, OFF
from controller.rules.board.turn_state import Marks
from controller.rules.entering.circuit import (
    FIRST_POINT,
    HOME_CIRCUIT,
    N_TURN_SIDE,
    ONE_CHECKER,
    TWELFTH_POINT,
    WAITING,
    Circuit,
    PackedTurn,
    marked,
    marks_in,
    turn_bytes,
)
from controller.rules.entering.entering_laws import Placing
from controller.rules.plays.doubles import N_TIMES, combined

_FREE_TO_COVER = Marks.ALL_ENTERED | Marks.COVERED_TWELFTH
_NOWHERE = WAITING
"""As the lowest place where a second checker may land: it may land nowhere."""
_ANY_MAN, _TWO_OR_MORE = 0xFF, 0xFE
"""Masks over one byte."""
_OWN_SIDE = (1 << 8 * N_TURN_SIDE) - 1
"""The mover's half of a turn state. Of two ends of a stage, the smaller has moved men from further back."""
_Run = tuple[int, tuple[int, ...], tuple[int, ...]]
"""First place; the mover's checkers along the run and where its last step lands; the opponent's where
each step lands."""
_Choices = list[list[PackedTurn]]
"""By the number of steps: the sum to add for every way to make so many."""
_Terms = tuple[int, int]
"""The place from which waiting checkers enter, 25 or 24; the lowest place a second checker may land on."""
_FREE = (BAR, OFF)
"""The terms when a second checker may land on any point."""


def doublet_ends(
    circuit: Circuit, packed: PackedTurn, stages: tuple[tuple[int, ...], ...]
) -> tuple[dict[PackedTurn, PackedTurn], bool] | None:
    """Every end of `stages` with the turn state after the first stage, and whether all numbers are played.

    With one stage only, or when nothing of the second can be played, each end has `packed` instead. None
    where the stages are not doublets, the adversary may play on, or the game may end.
    """
    men = turn_bytes(packed)
    if circuit.laws.continuation or any(len(stage) != N_TIMES for stage in stages):
        return None
    if sum(men[1 : WAITING + 1]) <= N_TIMES * len(stages):
        return None
    number = stages[0][0]
    played, firsts = _after_stage(circuit, packed, number) or _stepped(circuit, [packed], number)
    if played < N_TIMES or len(stages) == 1:
        return dict.fromkeys(firsts, packed), played == N_TIMES
    # Of several ways to one end, keep the one that begins with the rearmost checkers: it comes last.
    in_order = sorted(set(firsts), key=lambda first: first & _OWN_SIDE, reverse=True)
    return _after_second_stage(circuit, packed, in_order, stages[1][0])


def _after_second_stage(
    circuit: Circuit, packed: PackedTurn, firsts: Iterable[PackedTurn], number: int
) -> tuple[dict[PackedTurn, PackedTurn], bool]:
    """Every end of a stage that starts from one of `firsts`, with that start; and whether it is complete.

    Where nothing of the stage can be played, the ends are `firsts`, each with `packed`.
    """
    by_runs, others = [], []
    for first in firsts:
        after = _after_stage(circuit, first, number, _idle_places(circuit, packed, first, number))
        if after is None:
            others.append(first)
        else:
            by_runs.append((first, after))
    most, found = _stepped(circuit, others, number) if others else (0, {})
    for first, (played, ends) in by_runs:
        if played > most:
            most, found = played, {}
        if played == most:
            found.update(zip(ends, repeat(first), strict=False))
    return (found, most == N_TIMES) if most else (dict.fromkeys(found, packed), False)


def _stepped(
    circuit: Circuit, starts: Iterable[PackedTurn], number: int
) -> tuple[int, dict[PackedTurn, PackedTurn]]:
    """How many times `number` can be played, and every turn state after that, with its start."""
    reached = {start: start for start in starts}
    for played in range(N_TIMES):
        further = {
            after: start for before, start in reached.items() for _, after in circuit.steps(before, number)
        }
        if not further:
            return played, reached
        reached = further
    return N_TIMES, reached


def _idle_places(circuit: Circuit, packed: PackedTurn, first: PackedTurn, number: int) -> list[int]:
    """Places from which no step with `number` need start after the first stage, which led to `first`.

    It need not start from p when a man went from p - number to p - 7 in the first stage. Instead a man from p
    can go to p - 7 with both numbers, which leaves the same position and starts further back. This needs a
    man left on p - 7 after the stage, and no opponent on the point between.
    """
    if circuit.laws.placing is not None:
        return []
    before, after = turn_bytes(packed), turn_bytes(first)
    thrown, found = 7 - number, []
    made = [0] * (BAR + 7)
    made[BAR] = before[BAR] + before[WAITING] - after[BAR] - after[WAITING]
    for place in range(FIRST_POINT, OFF, -1):
        made[place] = before[place] - after[place] + made[place + thrown]
    for place in (WAITING, *range(FIRST_POINT, 7, -1)):
        point = min(place, BAR)
        is_free = not after[N_TURN_SIDE + circuit.across[point - thrown]]
        if after[place] and made[point - number] and after[point - 7] and is_free:
            found.append(place)
    return found


def _after_stage(
    circuit: Circuit, packed: PackedTurn, number: int, idle: Collection[int] = ()
) -> tuple[int, Collection[PackedTurn]] | None:
    """How many times `number` can be played, at most four, and every turn state after that.

    None where the laws on single steps may change in more than one way meanwhile. No step need start from the
    places in `idle`.
    """
    entered = 0
    while entered < N_TIMES and packed >> 8 * BAR & _ANY_MAN:
        step = next(circuit.steps(packed, number), None)
        if step is None:
            return entered, [packed]
        packed, entered = step[1], entered + 1
    times = N_TIMES - entered
    terms = _terms(circuit, packed, times)
    if terms is None:
        return None
    if terms == _FREE:
        played, found = _after_free_steps(circuit, packed, number, times, idle)
    else:
        played, found = _after_bound_steps(circuit, packed, number, times, terms)
    return entered + played, _moved_out(found, packed) if played else found


def _terms(circuit: Circuit, packed: PackedTurn, times: int) -> _Terms | None:
    """The terms for `times` steps from here with no checker on the bar, until the twelfth may be covered.

    None where they may change otherwise, or the players have agreed on other laws than the text gives.
    """
    placing, marks = circuit.laws.placing, marks_in(packed)
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
        return BAR - circuit.shift(marks), _NOWHERE
    return None


def _moved_out(ends: Collection[PackedTurn], before: PackedTurn) -> Collection[PackedTurn]:
    """The ends, with the mark MOVED_OUT where the player has moved out the two men placed."""
    if marks_in(before) & (Marks.ALL_ENTERED | Marks.MOVED_OUT) != Marks.ALL_ENTERED:
        return ends
    placed = _ANY_MAN << 8 * FIRST_POINT
    return [end if end & placed else marked(end, Marks.MOVED_OUT) for end in ends]


def _after_free_steps(
    circuit: Circuit, packed: PackedTurn, number: int, times: int, idle: Collection[int] = ()
) -> tuple[int, Collection[PackedTurn]]:
    """The same where any point may be made. The rearmost checkers go first, so that each end is found once.

    No step starts from the places in `idle`.
    """
    strides = _possible_strides(circuit, packed, number, times, idle)
    if not times:
        return 0, [packed]
    # The first step is made by a checker that stands at the source before the stage.
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
            # In `movable` no step with this stride has been made yet. In `again` one has, and any blot on its
            # target has been hit.
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
    circuit: Circuit, packed: PackedTurn, number: int, times: int, idle: Collection[int]
) -> list[tuple[bool, PackedTurn, PackedTurn, PackedTurn, PackedTurn]]:
    """The strides that can occur within `times` steps, the rearmost first.

    Each: whether a checker stands at its source already, masks of the source and of the own men that forbid
    it, its sum, and the sum of the first such step, which may hit.
    """
    men = turn_bytes(packed)
    may_bear_off = sum(men[HOME_CIRCUIT.stop : WAITING + 1]) < times
    found, landed = [], set()
    for place, target, source, held, behind, blot, plain, hit in _strides(circuit, number):
        if not (men[place] or place in landed) or packed & held or place in idle:
            continue
        if target != OFF or may_bear_off:
            found.append((men[place] > 0, source, behind, plain, hit if packed & blot else plain))
            landed.add(target)
    return found


_Stride = tuple[int, int, PackedTurn, PackedTurn, PackedTurn, PackedTurn, PackedTurn, PackedTurn]
"""A step: its place and target; masks of its source, of the opponents and of the own men that forbid it, and
of the blot it hits; its sums without and with a hit."""


@lru_cache
def _strides(circuit: Circuit, number: int) -> list[_Stride]:
    """Every step with `number` where any point may be made: waiting checkers first, then the rearmost."""
    found = []
    for place in (WAITING, *range(FIRST_POINT, OFF, -1)):
        target = max(min(place, BAR) - number, OFF)
        source, plain = _ANY_MAN << 8 * place, ONE_CHECKER[target] - ONE_CHECKER[place]
        if target == OFF:
            first_behind = HOME_CIRCUIT.stop if place == number else place + 1
            behind = sum(_ANY_MAN << 8 * place for place in range(first_behind, WAITING + 1))
            found.append((place, target, source, 0, behind, 0, plain, plain))
        else:
            there = N_TURN_SIDE + circuit.across[target]
            held, blot = _TWO_OR_MORE << 8 * there, _ANY_MAN << 8 * there
            hit = plain + ONE_CHECKER[N_TURN_SIDE + BAR] - ONE_CHECKER[there]
            found.append((place, target, source, held, 0, blot, plain, hit))
    return found


def _after_bound_steps(
    circuit: Circuit, packed: PackedTurn, number: int, times: int, terms: _Terms
) -> tuple[int, Collection[PackedTurn]]:
    """The same where some points may not be made, at least until the twelfth is covered."""
    by_run = [
        _bound_choices(circuit, number, terms, *run) for run in _runs(circuit, packed, number, terms[0])
    ]
    most, uncovered = combined(packed, [choices for choices, _ in by_run], times)
    found = list(uncovered)
    for n_steps, covering in [cover for _, covers in by_run for cover in covers]:
        if n_steps <= times:
            left = times - n_steps
            after = packed + covering
            played, ends = _after_free_steps(circuit, after, number, left) if left else (0, (after,))
            if n_steps + played > most:
                most, found = n_steps + played, []
            if n_steps + played == most:
                found += ends
    return most, found


def _runs(circuit: Circuit, packed: PackedTurn, number: int, entrance: int) -> list[_Run]:
    """The runs in which a step can be made; waiting checkers count at `entrance`. A held point ends a run.

    Where waiting checkers enter from 24, the two men placed there do not move and are left out.
    """
    men = turn_bytes(packed)
    counts = [0, *(min(n, N_TIMES) for n in men[1:BAR]), 0]
    if men[WAITING]:
        counts[entrance] = min(men[WAITING], N_TIMES)
    theirs = [men[N_TURN_SIDE + place] for place in circuit.across]
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
    circuit: Circuit, number: int, terms: _Terms, first: int, own: tuple[int, ...], theirs: tuple[int, ...]
) -> tuple[_Choices, list[tuple[int, PackedTurn]]]:
    """The choices in one run that make no forbidden point; and all ways to cover the twelfth.

    Each way is a number of steps, of which the last covers the twelfth, and the sum to add for them.
    """
    entrance, open_from = terms
    choices, covers = [[0]], []
    strides = []
    for n, there in enumerate(theirs):
        place, target = first - n * number, first - (n + 1) * number
        sums = [_step_sum(circuit, place, target, entrance, hits) for hits in (False, True)]
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
                # No checker has landed on the target yet if as many are still behind it as at first.
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
    """Counts of checkers, a byte each, in one integer. The remainder modulo 255 is their sum."""
    return int.from_bytes(bytes(counts), "little")


def _step_sum(circuit: Circuit, place: int, target: int, entrance: int, hits: bool) -> PackedTurn:
    """The sum to add for one step; a step from `entrance` is that of a waiting checker."""
    total = ONE_CHECKER[target] - ONE_CHECKER[WAITING if place == entrance else place]
    if hits:
        total += ONE_CHECKER[N_TURN_SIDE + BAR] - ONE_CHECKER[N_TURN_SIDE + circuit.across[target]]
    return total
