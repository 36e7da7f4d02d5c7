"""Knock-outs as graphs: each fixture takes its players from seats or from other fixtures.

Only the seats and the results are stored. Who meets whom follows from them, so that a corrected result or a
late entrant changes what depends on it and nothing else.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from controller.club.tournament.fixtures import (
    NOBODY,
    Fixture,
    FixtureEnd,
    MatchResult,
    Section,
    fixture_key,
)


@dataclass(frozen=True)
class Seat:
    """The player at a seat of the draw. Seats are numbered from 0."""

    number: int


@dataclass(frozen=True)
class WinnerOf:
    """The winner of a fixture."""

    key: str


@dataclass(frozen=True)
class LoserOf:
    """The loser of a fixture."""

    key: str


@dataclass(frozen=True)
class FirstLossOf:
    """The loser of a fixture of the first round. If it is a bye: its player, if he loses his next fixture."""

    key: str
    next_key: str


@dataclass(frozen=True)
class AgainOf:
    """The player on side 0 or 1 of a final that is played again, as both players have lost once now."""

    key: str
    side: int


Source = Seat | WinnerOf | LoserOf | FirstLossOf | AgainOf


@dataclass(frozen=True, kw_only=True)
class BracketNode:
    """A fixture of a bracket before its players are known."""

    key: str
    section: Section
    round: int
    sources: tuple[Source, Source]


def single_bracket(n_seats: int) -> tuple[BracketNode, ...]:
    """The fixtures of a single knock-out, the first round first. n_seats: a power of two."""
    return _knockout(Section.MAIN, [Seat(number) for number in range(n_seats)])


def consolation_bracket(n_seats: int) -> tuple[BracketNode, ...]:
    """A single knock-out, and a second one among the players who lost their first match in it."""
    main = single_bracket(n_seats)
    n_first = n_seats // 2
    if n_first < 2:
        return main
    sources: list[Source] = [
        FirstLossOf(main[i].key, fixture_key(Section.MAIN, 2, i // 2 + 1)) for i in range(n_first)
    ]
    # The losers of neighbouring fixtures lost to players who then meet each other. Such losers are to meet
    # late: a loser of the first half meets one of the second.
    folded = _by_turns(sources[: n_first // 2], sources[n_first // 2 :])
    return (*main, *_knockout(Section.CONSOLATION, folded))


def double_bracket(n_seats: int) -> tuple[BracketNode, ...]:
    """A double knock-out: a player who loses twice is out.

    Losers of the main bracket enter the losers' bracket in reversed order, so that few players meet again.
    The final is played again when the winner of the main bracket loses it: that is his first loss.
    """
    main = single_bracket(n_seats)
    by_round: dict[int, list[BracketNode]] = {}
    for node in main:
        by_round.setdefault(node.round, []).append(node)
    losers: list[BracketNode] = []
    last: list[Source] = [LoserOf(node.key) for node in by_round[1]]
    for round_number in range(2, len(by_round) + 1):
        nodes = _halved(Section.LOSERS, 2 * round_number - 3, last)
        losers += nodes
        up = [WinnerOf(node.key) for node in nodes]
        down = [LoserOf(node.key) for node in reversed(by_round[round_number])]
        nodes = _halved(Section.LOSERS, 2 * round_number - 2, _by_turns(up, down))
        losers += nodes
        last = [WinnerOf(node.key) for node in nodes]
    final = _node(Section.FINAL, 1, 1, WinnerOf(main[-1].key), last[0])
    again = _node(Section.FINAL, 2, 1, AgainOf(final.key, 0), AgainOf(final.key, 1))
    return (*main, *losers, final, again)


def seat_order(n_seats: int) -> tuple[int, ...]:
    """The rank, from 0, of the player on each seat. The best players meet last and get the byes."""
    order = [0]
    while len(order) < n_seats:
        order = [rank for one in order for rank in (one, 2 * len(order) - 1 - one)]
    return tuple(order)


class Bracket:
    """Who meets whom in a bracket. seats: entrants, NOBODY for an empty seat. out: withdrawn entrants.

    A player is given as his number, NOBODY where nobody will come, None while it is undecided.
    """

    def __init__(
        self,
        nodes: Sequence[BracketNode],
        seats: Sequence[int],
        results: Mapping[str, MatchResult],
        out: Collection[int],
    ) -> None:
        self.nodes = {node.key: node for node in nodes}
        self._seats = seats
        self._results = results
        self._out = out
        self.players = cache(self._players)
        self.outcome = cache(self._outcome)

    def _players(self, key: str) -> tuple[int | None, int | None]:
        """The two players of a fixture."""
        one, other = self.nodes[key].sources
        return self._value(one), self._value(other)

    def _outcome(self, key: str) -> tuple[int | None, int | None, FixtureEnd | None]:
        """(winner, loser, end) of a fixture."""
        one, other = self.players(key)
        if one is None or other is None:
            return None, None, None
        result = self._results.get(key)
        if result is not None and result.players == {one, other}:
            return result.winner, result.loser, result.end
        if other == NOBODY or (one != NOBODY and other in self._out):
            return one, other, FixtureEnd.BYE if NOBODY in (one, other) else FixtureEnd.FORFEIT
        if one == NOBODY or one in self._out:
            return other, one, FixtureEnd.BYE if one == NOBODY else FixtureEnd.FORFEIT
        return None, None, None

    def _value(self, source: Source) -> int | None:
        match source:
            case Seat(number=number):
                return self._seats[number]
            case WinnerOf(key=key):
                return self.outcome(key)[0]
            case LoserOf(key=key):
                return self.outcome(key)[1]
            case FirstLossOf(key=key, next_key=next_key):
                return self._first_loss(key, next_key)
            case AgainOf(key=key, side=side):
                winner = self.outcome(key)[0]
                players = self.players(key)
                if winner is None:
                    return None
                return players[side] if winner == players[1] else NOBODY

    def _first_loss(self, key: str, next_key: str) -> int | None:
        winner, loser, end = self.outcome(key)
        if end is not FixtureEnd.BYE:
            return loser
        next_winner, next_loser, _ = self.outcome(next_key)
        if next_winner is None:
            return None
        return next_loser if next_loser == winner else NOBODY

    def fixtures(self, length_of: Callable[[Section, int], int]) -> Iterator[Fixture]:
        """Every fixture whose two players are known, but for those with NOBODY.

        length_of: gives the points of a match in a round of a section.
        """
        for node in self.nodes.values():
            one, other = self.players(node.key)
            if one and other:
                yield Fixture(
                    key=node.key,
                    section=node.section,
                    round=node.round,
                    one=one,
                    other=other,
                    length=length_of(node.section, node.round),
                )


def _node(section: Section, round_number: int, place: int, one: Source, other: Source) -> BracketNode:
    return BracketNode(
        key=fixture_key(section, round_number, place),
        section=section,
        round=round_number,
        sources=(one, other),
    )


def _knockout(section: Section, sources: Sequence[Source]) -> tuple[BracketNode, ...]:
    """The fixtures of a single knock-out. sources: the players of the first round, a power of two."""
    found: list[BracketNode] = []
    number = 0
    while len(sources) > 1:
        number += 1
        nodes = _halved(section, number, sources)
        found += nodes
        sources = [WinnerOf(node.key) for node in nodes]
    return tuple(found)


def _by_turns(ones: Sequence[Source], others: Sequence[Source]) -> list[Source]:
    return [source for pair in zip(ones, others, strict=True) for source in pair]


def _halved(section: Section, round_number: int, sources: Sequence[Source]) -> list[BracketNode]:
    """The fixtures of a round in which neighbouring sources meet."""
    return [
        _node(section, round_number, i // 2 + 1, sources[i], sources[i + 1])
        for i in range(0, len(sources), 2)
    ]
