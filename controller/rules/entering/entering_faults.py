"""Explain a board that no legal play leaves, in games whose checkers are entered by throws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, permutations

from controller.rules.board.position import BAR, OFF, Player, Position
from controller.rules.board.turn_state import Marks
from controller.rules.entering.circuit import FIRST_POINT, HOME_CIRCUIT, Circuit, may_cover
from controller.rules.entering.throw_plays import ThrowPlays
from controller.rules.plays.offences import Offence, OffenceKind, Place

MOST_ENTERING_MOVES_PERMUTED = 4
"""With more displaced checkers than this, sources and targets are paired only in order, furthest back first.

guess: 4! pairings, each with many routings of up to eight numbers, still take well below a second.
"""

ANY_STRAY = 6
"""Pips added for a move that is counted as stray although a number fits it. guess: a whole die."""

MOST_EXPLANATIONS = 2000
"""At most this many explanations of a board are compared, in the order found. guess: bounds the time."""

Moves = list[tuple[int | None, int | None]]
"""(source, target) of each displaced checker, in the mover's circuit; None: it appeared or vanished."""

_WAITING = BAR + 1
_RANK_OF_KIND = {kind: rank for rank, kind in enumerate(OffenceKind)}


def explain_throw(plays: ThrowPlays, seen: Position) -> tuple[Offence, ...]:
    """The offences if the board is `seen` after a throw whose legal plays are `plays`.

    They are the explanation with the fewest offences, then with distances nearest to the numbers, then with
    the kinds that come first in OffenceKind. () when a legal play leaves `seen`. `seen` may have defects.
    Where the opponent may play on for the thrower, nothing about the opponent's checkers is an offence.
    """
    if seen in plays:
        return ()
    change = _ThrowChange(plays, seen)
    explanations = (
        _ThrowExplanation((*own, *change.offences_to_opponent(routes)), sum(route.stray for route in routes))
        for moves in change.matchings()
        for routes in change.routings(moves, change.pool)
        for own in [change.offences_of(routes)]
    )
    best = min(islice(explanations, MOST_EXPLANATIONS), key=_ThrowExplanation.cost)
    return best.offences or (change.not_played_out(),)


@dataclass(frozen=True)
class _ThrowExplanation:
    offences: tuple[Offence, ...]
    stray: int

    def cost(self) -> tuple[int, int, list[int]]:
        return (
            len(self.offences),
            self.stray,
            sorted(_RANK_OF_KIND[offence.kind] for offence in self.offences),
        )


@dataclass(frozen=True, slots=True)
class _ThrowRoute:
    """How one checker moved, in the places of the mover's circuit; 26 is the place of waiting checkers.

    source, target: None for a checker that appeared or vanished. stops: the places where it landed, the last
    included. last: the last number; None when the move fits no numbers. stray: the pips by which it misses.
    """

    source: int | None
    target: int | None
    stops: tuple[int, ...] = ()
    last: int | None = None
    stray: int = 0


class _ThrowChange:
    """The difference between the board before the throw and the board seen, on the mover's circuit."""

    def __init__(self, plays: ThrowPlays, seen: Position) -> None:
        self.player, self.circuit = plays.player, plays.circuit
        self.before = _own(self.circuit, self.player, plays.turn_state.position)
        self.after = _own(self.circuit, self.player, seen)
        self.theirs = _theirs(self.circuit, self.player, plays.turn_state.position)
        self.theirs_after = _theirs(self.circuit, self.player, seen)
        self.waiting = plays.turn_state.waiting_of(self.player)
        self.marks = plays.turn_state.marks_of(self.player)
        self.pool = Counter(sorted(plays.orders, key=len)[-1])
        lost, _ = _lost_and_gained_on_circuit(self.theirs[:BAR], self.theirs_after[:BAR])
        self._hit = lost if self.theirs_after[BAR] > self.theirs[BAR] else []
        self._continuation = plays.circuit.laws.continuation
        self._entry = BAR - self.circuit.shift(self.marks)

    def matchings(self) -> Iterator[Moves]:
        """Every pairing of places that checkers left with places where they landed."""
        lost, gained = _lost_and_gained_on_circuit(self.before, self.after)
        entered = min(self.waiting, self.before[OFF] - self.after[OFF])
        sources: list[int | None] = [*[_WAITING] * max(entered, 0), *lost]
        targets: list[int | None] = [*gained, *[OFF] * max(-entered, 0)]
        yield from _pairings(sources, targets)
        if self.waiting > entered and any(place in HOME_CIRCUIT for place in lost):
            # One checker entered and one borne off leave the number of checkers off the board unchanged.
            yield from _pairings([_WAITING, *sources], [*targets, OFF])

    def routings(self, moves: Moves, pool: Counter[int]) -> Iterator[tuple[_ThrowRoute, ...]]:
        """Every way to make all moves with the numbers in `pool`."""
        if not moves:
            yield ()
            return
        for route, spent in self._routes(*moves[0], pool):
            for rest in self.routings(moves[1:], pool - spent):
                yield (route, *rest)

    def _routes(
        self, source: int | None, target: int | None, pool: Counter[int]
    ) -> Iterator[tuple[_ThrowRoute, Counter[int]]]:
        if source is None or target is None:
            yield _ThrowRoute(source, target), Counter()
            return
        start = self._entry if source >= BAR else source
        for numbers in _handfuls(pool, start - target, may_exceed=target == OFF):
            yield self._route_over(source, start, target, numbers), Counter(numbers)
        pips = start - target
        nearest = min(pool, key=lambda number: abs(number - pips), default=0)
        hit_on_its_way = [place for place in self._hit if start > place > target]
        astray = _ThrowRoute(
            source, target, (*hit_on_its_way, target), stray=abs(pips - nearest) or ANY_STRAY
        )
        yield astray, Counter([nearest] * bool(nearest))

    def _route_over(self, source: int, start: int, target: int, numbers: tuple[int, ...]) -> _ThrowRoute:
        """The route with `numbers` in the order that lands on the fewest points held by the opponent."""
        routes = []
        for order in dict.fromkeys(permutations(numbers) if len(set(numbers)) > 1 else [numbers]):
            stops = [start - sum(order[: n + 1]) for n in range(len(order))]
            if all(stop > OFF for stop in stops[:-1]):
                routes.append(_ThrowRoute(source, target, (*stops[:-1], target), order[-1]))
            if len(routes) >= 8:
                break
        if not routes:
            return _ThrowRoute(source, target, (target,), numbers[-1])
        return min(routes, key=lambda route: len(self._held_on_the_way(route)))

    def _held_on_the_way(self, route: _ThrowRoute) -> list[int]:
        return [stop for stop in route.stops[:-1] if self.theirs[stop] > 1]

    # -- offences

    def offences_of(self, routes: tuple[_ThrowRoute, ...]) -> tuple[Offence, ...]:
        """The offences with the mover's own checkers."""
        return tuple(offence for route in routes if (offence := self._offence_of(route)) is not None)

    def _offence_of(self, route: _ThrowRoute) -> Offence | None:
        if route.source is None:
            assert route.target is not None
            return self._offence(OffenceKind.CHECKER_EXTRA, route.target)
        if route.target is None:
            return self._offence(OffenceKind.CHECKER_MISSING, route.source)
        kind = self._kind_of(route, route.source, route.target)
        if kind is None:
            return None
        held = self._held_on_the_way(route) if kind is OffenceKind.THROUGH_BLOCKED_POINT else []
        return self._offence(kind, route.source, *held, route.target)

    def _kind_of(self, route: _ThrowRoute, source: int, target: int) -> OffenceKind | None:
        if self.after[BAR] and (source != BAR or len(route.stops) > 1):
            return OffenceKind.MOVED_WITH_CHECKER_ON_BAR
        if BAR > target > source:
            return OffenceKind.MOVED_BACKWARDS
        if target == OFF:
            return self._kind_of_bearing_off(route, source)
        if self.theirs[target] > 1:
            return OffenceKind.ONTO_HELD_POINT
        if route.last is None:
            return OffenceKind.WRONG_DISTANCE
        if self._held_on_the_way(route):
            return OffenceKind.THROUGH_BLOCKED_POINT
        return self._kind_of_placing(source, target)

    def _kind_of_bearing_off(self, route: _ThrowRoute, source: int) -> OffenceKind | None:
        if self.waiting or any(self.after[HOME_CIRCUIT.stop : BAR + 1]):
            return OffenceKind.BORE_OFF_TOO_EARLY
        if route.last is None:
            return OffenceKind.WRONG_DISTANCE
        last_point = route.stops[-2] if len(route.stops) > 1 else source
        if route.last > last_point and any(self.after[last_point + 1 : BAR]):
            return OffenceKind.BORE_OFF_FROM_LOWER_POINT
        return None

    def _kind_of_placing(self, source: int, target: int) -> OffenceKind | None:
        """The offence of a step against the laws on placed checkers and on making points, if there is one."""
        placing = self.circuit.laws.placing
        if placing is None:
            return None
        if source == FIRST_POINT and not self.marks & (Marks.ALL_ENTERED | Marks.MOVED_OUT):
            return OffenceKind.PLACED_CHECKER_MOVED
        makes_a_point = self.before[target] < 2 <= self.after[target]
        if makes_a_point and not may_cover(placing, self._men(), source, target):
            return OffenceKind.POINT_MADE_TOO_SOON
        return None

    def _men(self) -> bytes:
        """The mover's checkers as seen and his marks before the throw, laid out for `may_cover`."""
        entered = max(0, self.before[OFF] - self.after[OFF])
        return bytes((0, *self.after[1:], self.waiting - min(entered, self.waiting), int(self.marks)))

    def offences_to_opponent(self, routes: tuple[_ThrowRoute, ...]) -> list[Offence]:
        """The offences with the opponent's checkers, given all points where the mover landed."""
        if self._continuation:
            return []
        stops = {stop for route in routes for stop in route.stops}
        lost, gained = _lost_and_gained_on_circuit(self.theirs[:BAR], self.theirs_after[:BAR])
        to_bar = [BAR] * max(0, self.theirs_after[BAR] - self.theirs[BAR])
        went_to = [*to_bar, *gained]
        found = []
        for place in sorted(lost, key=lambda place: place not in stops):
            to = went_to.pop(0) if went_to else None
            found += self._offence_to_one(place, to, hit=place in stops)
        found += [self._to_opponent(OffenceKind.CHECKER_EXTRA, place) for place in went_to]
        points = sorted(stops - {BAR})
        unhit = [point for point in points if self.theirs[point] == self.theirs_after[point] == 1]
        return found + [self._to_opponent(OffenceKind.HIT_CHECKER_NOT_ON_BAR, point, BAR) for point in unhit]

    def _offence_to_one(self, place: int, to: int | None, *, hit: bool) -> list[Offence]:
        """The offence with an opponent's checker that went from `place` to `to`; None: it vanished."""
        if hit:
            if to == BAR:
                return []
            return [self._to_opponent(OffenceKind.HIT_CHECKER_NOT_ON_BAR, place, to or BAR)]
        if to is None:
            return [self._to_opponent(OffenceKind.CHECKER_MISSING, place)]
        return [self._to_opponent(OffenceKind.MOVED_OPPONENTS_CHECKER, place, to)]

    def not_played_out(self) -> Offence:
        """The offence of a player whose steps were each legal by themselves."""
        changed = [place for place in range(BAR, 0, -1) if self.before[place] != self.after[place]]
        standing = [place for place in range(BAR, 0, -1) if self.after[place]]
        return self._offence(OffenceKind.WHOLE_ROLL_NOT_PLAYED, *(changed or standing[:1] or [OFF]))

    def _offence(self, kind: OffenceKind, *places: int) -> Offence:
        return Offence(kind, tuple(self._place(self.player, place) for place in places))

    def _to_opponent(self, kind: OffenceKind, *places: int) -> Offence:
        bar = Place(BAR, self.player.opponent)
        return Offence(
            kind, tuple(bar if place == BAR else self._place(self.player, place) for place in places)
        )

    def _place(self, player: Player, place: int) -> Place:
        return Place.of(player, self.circuit.point(player, OFF if place == _WAITING else place))


def _lost_and_gained_on_circuit(before: list[int], after: list[int]) -> tuple[list[int], list[int]]:
    """The places that lost and that gained checkers, once for each checker, furthest back first."""
    places = range(len(before) - 1, 0, -1)
    lost = [place for place in places for _ in range(before[place] - after[place])]
    return lost, [place for place in places for _ in range(after[place] - before[place])]


def _pairings(sources: list[int | None], targets: list[int | None]) -> Iterator[Moves]:
    """Every pairing of sources with targets; a checker without a partner appeared or vanished."""
    size = max(len(sources), len(targets))
    sources = sources + [None] * (size - len(sources))
    targets = targets + [None] * (size - len(targets))
    orders = [tuple(targets)]
    if size <= MOST_ENTERING_MOVES_PERMUTED:
        orders = list(dict.fromkeys(permutations(targets)))
    for order in orders:
        yield list(zip(sources, order, strict=True))


def _own(circuit: Circuit, player: Player, position: Position) -> list[int]:
    """The checkers of `player` by the places of his circuit."""
    counts = position.side(player)
    return [counts[circuit.point(player, place)] for place in range(BAR + 1)]


def _theirs(circuit: Circuit, player: Player, position: Position) -> list[int]:
    """The checkers of the opponent of `player` by the same places; at 25 those on the opponent's bar."""
    counts = position.side(player.opponent)
    return [0, *(counts[BAR - circuit.point(player, place)] for place in range(1, BAR)), counts[BAR]]


def _handfuls(pool: Counter[int], pips: int, *, may_exceed: bool) -> Iterator[tuple[int, ...]]:
    """The selections from `pool` that add up to `pips`. With `may_exceed` one number may be too high."""
    low, high = min(pool, default=0), max(pool, default=0)
    for n_high in range(pool[high] + 1 if high != low else 1):
        for n_low in range(pool[low] + 1):
            numbers = (high,) * n_high + (low,) * n_low
            total = sum(numbers)
            if total and (total == pips or (may_exceed and pips < total < pips + max(numbers))):
                yield numbers
