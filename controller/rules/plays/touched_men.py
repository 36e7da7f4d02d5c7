"""The plays left to a player who has touched or let go of men that he is bound to play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from controller.rules.board.position import OFF
from controller.rules.plays.legal_plays import LegalPlays, Play
from controller.rules.plays.packed_steps import Packed, pack, single_steps
from controller.rules.plays.steps import Step

_Way = tuple[tuple[int, int], ...]
"""Source and target of each step in the order they are made."""


def bound_plays(plays: LegalPlays, touched: Sequence[int], quitted: Sequence[Step]) -> tuple[Play, ...]:
    """Those of `plays` in which every man let go of stays and the men touched are played.

    touched: the places they stood on, one for each man. A man that cannot be played binds to nothing; when
        not all can be, as many must be as can.
    quitted: steps already made. Where no legal play begins with them they bind to nothing: that play is
        wrong, and another law says what becomes of it.
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
    """How many of the men touched `way` plays."""
    return (Counter(touched) & Counter(source for source, _ in way)).total()


def _ways_to_play(packed: Packed, numbers: Sequence[int], made: _Way = ()) -> Iterator[tuple[_Way, Packed]]:
    """Every way to play `numbers` one after the other as far as it goes, and the position it leaves."""
    stuck = True
    for number in set(numbers):
        rest = list(numbers)
        rest.remove(number)
        for origin, after in single_steps(packed, number):
            stuck = False
            yield from _ways_to_play(after, rest, (*made, (origin, max(origin - number, OFF))))
    if stuck:
        yield made, packed
