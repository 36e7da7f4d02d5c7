"""Draws of round robin and Swiss rounds. Nobody meets the same opponent twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import networkx as nx

from controller.club.tournament.fixtures import NOBODY, TournamentError
from sentences import say

Pair = tuple[int, int]
"""Two entrants who meet; (number, NOBODY) is a bye."""

SWISS_REACH = 12
"""Largest distance in the order at which a Swiss opponent is first looked for; doubled as needed. Guess."""


def circle_round(entrants: Sequence[int], round_number: int) -> list[Pair]:
    """A round, from 1, of a round robin: the first entrant stays, the others rotate (Berger's tables)."""
    ring = [*entrants, NOBODY] if len(entrants) % 2 else list(entrants)
    turn = (round_number - 1) % (len(ring) - 1)
    around = [ring[0], *ring[1 + turn :], *ring[1 : 1 + turn]]
    half = len(ring) // 2
    return [_bye_last(pair) for pair in zip(around[:half], reversed(around[half:]), strict=True)]


def remaining_round(entrants: Sequence[int], met: Collection[frozenset[int]]) -> list[Pair]:
    """A round of a round robin from the pairs that have not met: as many pairs as possible, and among those
    the players with most opponents left.

    It is used when somebody came late or left. A player without an opponent has no fixture and no bye.
    """
    left = {
        one: [two for two in entrants if two != one and frozenset((one, two)) not in met] for one in entrants
    }
    graph: nx.Graph[int] = nx.Graph()
    for one, others in left.items():
        for other in others:
            graph.add_edge(one, other, weight=len(others) + len(left[other]))
    pairs = nx.max_weight_matching(graph, maxcardinality=True)
    place = {number: at for at, number in enumerate(entrants)}
    ordered = (tuple(sorted(pair, key=place.__getitem__)) for pair in pairs)
    return sorted(((one, other) for one, other in ordered), key=lambda pair: place[pair[0]])


def swiss_round(
    order: Sequence[int],
    scores: Mapping[int, int],
    met: Collection[frozenset[int]],
    byes: Mapping[int, int],
) -> list[Pair]:
    """A Swiss round by Monrad's rule: neighbours in the standings meet, unless they have met before.

    order: the entrants, the leader first. scores, byes: how many wins and byes each has had; who is left out
    has none. With an odd number of entrants the bye goes to the last in the order of those with the fewest
    byes, or to the next where that leaves no round.
    Raises TournamentError when no such round exists.
    """
    sitting = list(reversed(order)) if len(order) % 2 else [NOBODY]
    sitting.sort(key=lambda number: (byes.get(number, 0), scores.get(number, 0)))
    for sits in sitting:
        pairs = _neighbours([number for number in order if number != sits], scores, met)
        if pairs is not None:
            return [*pairs, (sits, NOBODY)] if sits else pairs
    raise TournamentError(say("club_no_round_left"))


def _neighbours(
    order: Sequence[int], scores: Mapping[int, int], met: Collection[frozenset[int]]
) -> list[Pair] | None:
    """Pairs of all entrants with the least differences in score, then in place; None when there are none."""
    reach = SWISS_REACH
    while True:
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(range(len(order)))
        graph.add_weighted_edges_from(_edges(order, scores, met, reach))
        matching = nx.max_weight_matching(graph, maxcardinality=True)
        if 2 * len(matching) == len(order):
            places = sorted(tuple(sorted(pair)) for pair in matching)
            return [(order[one], order[other]) for one, other in places]
        if reach >= len(order):
            return None
        reach *= 2


def _edges(
    order: Sequence[int], scores: Mapping[int, int], met: Collection[frozenset[int]], reach: int
) -> Iterable[tuple[int, int, int]]:
    n = len(order)
    for one in range(n):
        for other in range(one + 1, min(n, one + reach + 1)):
            if frozenset((order[one], order[other])) not in met:
                apart = scores.get(order[one], 0) - scores.get(order[other], 0)
                # Scores count first: all differences in place together weigh less than one step in score.
                yield one, other, -4 * apart * apart * n * n - (other - one) ** 2


def _bye_last(pair: Pair) -> Pair:
    return (pair[1], pair[0]) if pair[0] == NOBODY else pair
