"""The plays left to a player who has touched men, or let go of them, and is bound by that."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from controller.rules.board.position import OFF
from controller.rules.plays.legal_plays import LegalPlays, Play
from controller.rules.plays.packed_steps import Packed, pack, single_steps
from controller.rules.plays.steps import Step

_Way = tuple[tuple[int, int], ...]
"""Source and target of each step, in the order of the steps."""


def bound_plays(plays: LegalPlays, touched: Sequence[int], quitted: Sequence[Step]) -> tuple[Play, ...]:
    """Those of `plays` that begin with the steps `quitted` and play the men `touched`.

    touched: the places of the men touched, one for each man. As many of these men must be played as possible;
        one that cannot be played does not bind.
    quitted: the steps of men already let go of. When no way to play the roll begins with them, they do not
        bind: that play is wrong, and another law says what becomes of it.
    """
    ways = list(_ways_to_play(pack(plays.position, plays.player), plays.dice.numbers))
    made = tuple((step.source, step.target) for step in quitted)
    begun = [(way, end) for way, end in ways if way[: len(made)] == made] or ways
    results = {(end, _n_played(way, touched)) for way, end in begun}
    possible = [(play, pack(play.result, plays.player)) for play in plays]
    most = {end: max((n for other, n in results if other == end), default=-1) for _, end in possible}
    due = max(most.values())
    return tuple(play for play, end in possible if most[end] == due)


def _n_played(way: _Way, touched: Sequence[int]) -> int:
    """How many of the touched men `way` plays."""
    return (Counter(touched) & Counter(source for source, _ in way)).total()


def _ways_to_play(packed: Packed, numbers: Sequence[int], made: _Way = ()) -> Iterator[tuple[_Way, Packed]]:
    """Every way to play `numbers` one after another as far as possible, and the position it leaves."""
    stuck = True
    for number in set(numbers):
        rest = list(numbers)
        rest.remove(number)
        for origin, after in single_steps(packed, number):
            stuck = False
            yield from _ways_to_play(after, rest, (*made, (origin, max(origin - number, OFF))))
    if stuck:
        yield made, packed
