"""Explain a board that no legal play leaves, by the offences of lowest cost."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import permutations, zip_longest

from controller.rules.board.dice import Dice
from controller.rules.board.position import BAR, HOME_POINTS, OFF, Player, Position
from controller.rules.laws.law_sets import MODERN
from controller.rules.laws.law_terms import Laws, ordinary
from controller.rules.plays.legal_plays import LegalPlays, after_steps, legal_plays
from controller.rules.plays.offences import Offence, OffenceKind, Place
from controller.rules.plays.packed_steps import pack, single_steps
from controller.rules.plays.steps import Step

MOST_MOVES_PERMUTED = 5
"""With more displaced checkers than this, sources and targets are paired only in order, furthest back first.

guess: 5! pairings, each with few routings, take some milliseconds.
"""

ONE_MOVE_TOO_MANY_PIPS = 6
"""Pips added to those of a checker that moved after the roll was used up. guess: a whole die."""


@lru_cache(maxsize=64)
def explain(
    position: Position, player: Player, dice: Dice, seen: Position, laws: Laws = MODERN
) -> tuple[Offence, ...]:
    """What `player` did wrong if the board is `seen` after he played `dice` from `position`.

    It is the explanation with the fewest offences, then with distances nearest to the dice, then with the
    kinds that come first in OffenceKind. () when a legal play leaves `seen`. `seen` may have defects: a
    checker missing or too many, both players on one point.
    """
    plays = legal_plays(position, player, dice, laws)
    if seen in plays:
        return ()
    return min(_explanations(_Change.to(seen, plays)), key=_Explanation.cost).offences


def unfurnished(seen: Position, laws: Laws = MODERN, thrown: Collection[Player] = ()) -> tuple[Offence, ...]:
    """One offence with every place where `seen` differs from the start position; () when none does.

    thrown: the players who have thrown a die. Such a player may no longer require that his opponent's
    checkers be set up properly; where the laws say so, he plays on without those of his own that he omitted.
    """
    ordinary(laws)
    wrong = [place for player in Player for place in _wrongly_furnished(seen, laws, player, thrown)]
    if not wrong or not laws.furnishing_may_be_required:
        return ()
    in_order = sorted(wrong, key=lambda place: (place.number, str(place)))
    return (Offence(OffenceKind.BOARD_NOT_FURNISHED, tuple(in_order)),)


def _wrongly_furnished(seen: Position, laws: Laws, player: Player, thrown: Collection[Player]) -> set[Place]:
    """The places of `player` that his opponent may still require to be set up properly."""
    there, due = seen.side(player), laws.start.side(player)
    only_omitted = all(a <= b for a, b in zip(there[1:], due[1:], strict=True))
    stays_out = only_omitted and laws.omitted_men_stay_out and player in thrown
    if player.opponent in thrown or stays_out:
        return set()
    return {Place.of(player, number) for number, (a, b) in enumerate(zip(there, due, strict=True)) if a != b}


def steps_between(position: Position, player: Player, result: Position) -> tuple[Step, ...]:
    """The steps, legal or not, that plainly lead `player` from `position` to `result`, whatever the dice.

    The checker furthest back is taken to the gained place furthest back, and so on. () when these steps do
    not give `result`.
    """
    lost, gained = _lost_and_gained(position.side(player), result.side(player))
    if len(lost) != len(gained):
        return ()
    opposing = position.side(player.opponent)
    steps: list[Step] = []
    for source, target in zip(lost, gained, strict=True):
        first_there = all(step.target != target for step in steps)
        hit = target != OFF and opposing[BAR - target] == 1 and first_there
        steps.append(Step(source, target, hit))
    return tuple(steps) if after_steps(position, player, steps) == result else ()


@dataclass(frozen=True, slots=True)
class _Move:
    """A checker moved from `source` to `target`, in the mover's numbering; None: it appeared or vanished."""

    source: int | None
    target: int | None


@dataclass(frozen=True)
class _Change:
    """The difference between the board before the play and the board seen, in the mover's numbering.

    own: the places that lost the mover's checkers and those that gained some, once for each checker, furthest
        back first.
    opposing: the same for the opponent's checkers, furthest back for him first; his bar is 0, his tray 25.
    """

    plays: LegalPlays
    seen: Position
    own: tuple[list[int], list[int]]
    opposing: tuple[list[int], list[int]]

    @classmethod
    def to(cls, seen: Position, plays: LegalPlays) -> _Change:
        player, before = plays.player, plays.position
        lost, gained = _lost_and_gained(before.side(player), seen.side(player))
        their_lost, their_gained = _lost_and_gained(before.side(player.opponent), seen.side(player.opponent))
        turned = [BAR - place for place in their_lost], [BAR - place for place in their_gained]
        return cls(plays, seen, (lost, gained), turned)

    def matchings(self) -> Iterator[tuple[_Move, ...]]:
        """Every pairing of places that lost a checker with places that gained one."""
        lost, gained = self.own
        size = max(len(lost), len(gained))
        if size > MOST_MOVES_PERMUTED:
            yield tuple(_Move(*pair) for pair in zip_longest(lost, gained))
            return
        padded: list[int | None] = [*gained, *[None] * (size - len(gained))]
        for targets in set(permutations(padded)):
            yield tuple(_Move(*pair) for pair in zip_longest(lost, targets))

    def opponents_count(self, place: int) -> int:
        """How many checkers the opponent had on the mover's `place` before the play."""
        return self.plays.position.side(self.plays.player.opponent)[BAR - place]

    def hit_places(self) -> tuple[int, ...]:
        """The places that lost an opponent's checker, if his bar gained one; otherwise none."""
        lost, gained = self.opposing
        return tuple(lost) if OFF in gained else ()

    def still_on_the_bar(self) -> bool:
        """Whether the mover had a checker on the bar before the play and has one now."""
        return all(board.side(self.plays.player)[BAR] for board in (self.plays.position, self.seen))

    def stands_behind(self, place: int) -> bool:
        """Whether the mover now has a checker further back than `place`."""
        return any(self.seen.side(self.plays.player)[place + 1 :])

    def offence(self, kind: OffenceKind, *places: int) -> Offence:
        """An offence with the mover's checkers, at places in his numbering."""
        return Offence(kind, tuple(Place.of(self.plays.player, place) for place in places))

    def offence_to_opponent(self, kind: OffenceKind, *places: int) -> Offence:
        """An offence with the opponent's checkers, in the mover's numbering; 0 his bar, 25 his tray."""
        opponent = self.plays.player.opponent
        return Offence(kind, tuple(Place.of(opponent, BAR - place) for place in places))


def _lost_and_gained(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[list[int], list[int]]:
    rows = enumerate(zip(before, after, strict=True))
    differences = [(place, now - then) for place, (then, now) in rows]
    lost = [place for place, difference in reversed(differences) for _ in range(-difference)]
    gained = [place for place, difference in reversed(differences) for _ in range(difference)]
    return lost, gained


@dataclass(frozen=True)
class _Explanation:
    """stray_pips: by how many pips the moves miss the numbers thrown. player: who made the moves."""

    offences: tuple[Offence, ...]
    stray_pips: int
    player: Player

    def cost(self) -> tuple[int, int, list[int], list[int]]:
        """A lower value for a better explanation; the last tie is broken towards the mover's lower places."""
        kinds = [offence.kind for offence in self.offences]
        astray = self.stray_pips + sum(_UNLIKELY_PIPS.get(kind, 0) for kind in kinds)
        places = [place.seen_by(self.player) for offence in self.offences for place in offence.places]
        return len(self.offences), astray, sorted(_RANK[kind] for kind in kinds), places


_RANK = {kind: rank for rank, kind in enumerate(OffenceKind)}
_UNLIKELY_PIPS = {
    OffenceKind.MOVED_BACKWARDS: 6,
    OffenceKind.CHECKER_MISSING: 6,
    OffenceKind.MOVED_OPPONENTS_CHECKER: 12,
    OffenceKind.CHECKER_EXTRA: 12,
}
"""Pips added for offences that players hardly ever commit. guess: one die, two dice."""


@dataclass(frozen=True, eq=False)
class _Route:
    """How one move may have been made. Routes are compared by identity: `_routes` gives the same ones again.

    stops: the places where the checker landed, the last included (0 for the tray).
    left: the numbers of the roll that are left after it.
    last_number: the number of its last step; None when the move fits no numbers.
    """

    move: _Move
    stops: tuple[int, ...]
    left: tuple[int, ...]
    last_number: int | None
    stray_pips: int = 0


def _explanations(change: _Change) -> Iterator[_Explanation]:
    """The explanations, without those that have more offences than one before them."""
    numbers, hits = change.plays.dice.numbers, change.hit_places()
    offences_of, fewest = cache(partial(_offence_of, change)), math.inf
    for routes in (routes for moves in change.matchings() for routes in _routings(moves, numbers, hits)):
        offences = [offence for route in routes for offence in offences_of(route)]
        if len(offences) > fewest:
            continue
        offences += _offences_to_opponent(change, {stop for route in routes for stop in route.stops})
        left = routes[-1].left if routes else numbers
        stray_pips = sum(route.stray_pips for route in routes)
        found = tuple(offences) or (_not_played_out(change, routes, left),)
        fewest = min(fewest, len(found))
        yield _Explanation(found, stray_pips, change.plays.player)


def _routings(
    moves: tuple[_Move, ...], numbers: tuple[int, ...], hits: tuple[int, ...]
) -> Iterator[tuple[_Route, ...]]:
    """Every way to make all `moves`, one after another, with `numbers`."""
    if not moves:
        yield ()
        return
    for route in _routes(moves[0], numbers, hits):
        for rest in _routings(moves[1:], route.left, hits):
            yield (route, *rest)


@lru_cache(maxsize=256)
def _routes(move: _Move, numbers: tuple[int, ...], hits: tuple[int, ...]) -> list[_Route]:
    if move.source is None or move.target is None:
        return [_Route(move, (), numbers, None)]
    fitting = [
        route
        for length in range(1, len(numbers) + 1)
        for spent in sorted(set(permutations(numbers, length)))
        if (route := _route_with(move, move.source, move.target, spent, numbers)) is not None
    ]
    stray = _stray_routes(move, move.source - move.target, move.target, numbers)
    return fitting + stray + _stray_routes_over(hits, move, move.source, move.target, numbers)


def _route_with(
    move: _Move, source: int, target: int, spent: tuple[int, ...], numbers: tuple[int, ...]
) -> _Route | None:
    """The route from `source` to `target` with exactly the numbers `spent`, in this order; None for none."""
    stops = [source - sum(spent[: n + 1]) for n in range(len(spent))]
    arrives = stops[-1] == target or (target == OFF and stops[-1] < OFF)
    if not arrives or any(stop <= OFF for stop in stops[:-1]):
        return None
    return _Route(move, (*stops[:-1], target), _numbers_left(numbers, spent), spent[-1])


def _stray_routes(move: _Move, pips: int, target: int, numbers: tuple[int, ...]) -> list[_Route]:
    """The routes whose distance differs from the one number that each uses up."""
    if not numbers:
        return [_Route(move, (target,), (), None, stray_pips=abs(pips) + ONE_MOVE_TOO_MANY_PIPS)]
    return [
        _Route(move, (target,), _numbers_left(numbers, (number,)), None, _stray_pips(pips, number))
        for number in sorted(set(numbers))
        if number != pips and not (target == OFF and number > pips)
    ]


def _stray_routes_over(
    hits: tuple[int, ...], move: _Move, source: int, target: int, numbers: tuple[int, ...]
) -> list[_Route]:
    """The routes by way of a point in `hits` whose two distances do not both fit the numbers."""
    return [
        _Route(move, (via, target), _numbers_left(numbers, spent), None, stray_pips)
        for via in hits
        if source > via > target
        for spent in sorted(set(permutations(numbers, 2)))
        if (stray_pips := _stray_pips(source - via, spent[0]) + _stray_pips(via - target, spent[1]))
    ]


def _stray_pips(pips: int, number: int) -> int:
    went_backwards = pips < 0
    return -pips if went_backwards else abs(number - pips)


def _numbers_left(numbers: tuple[int, ...], spent: tuple[int, ...]) -> tuple[int, ...]:
    return tuple((Counter(numbers) - Counter(spent)).elements())


def _offence_of(change: _Change, route: _Route) -> tuple[Offence, ...]:
    """The offence of one move, the first kind that applies; () for a legal move."""
    source, target = route.move.source, route.move.target
    if target is None:
        return (change.offence(OffenceKind.CHECKER_MISSING, *([] if source is None else [source])),)
    if source is None:
        return (change.offence(OffenceKind.CHECKER_EXTRA, target),)
    kind = _kind_of(change, route, source, target)
    if kind is None:
        return ()
    if kind is OffenceKind.THROUGH_BLOCKED_POINT:
        return (change.offence(kind, source, *_held_on_the_way(change, route), target),)
    if kind is OffenceKind.CHECKER_MISSING:
        return (change.offence(kind, source),)
    return (change.offence(kind, source, target),)


def _kind_of(change: _Change, route: _Route, source: int, target: int) -> OffenceKind | None:
    strays = route.last_number is None
    if change.still_on_the_bar() and (source != BAR or len(route.stops) > 1):
        return OffenceKind.MOVED_WITH_CHECKER_ON_BAR
    if target > source:
        return OffenceKind.MOVED_BACKWARDS
    if target == OFF:
        return _kind_of_bearing_off(change, route, source)
    if change.opponents_count(target) > 1:
        return OffenceKind.ONTO_HELD_POINT
    if strays:
        return OffenceKind.WRONG_DISTANCE
    return OffenceKind.THROUGH_BLOCKED_POINT if _held_on_the_way(change, route) else None


def _kind_of_bearing_off(change: _Change, route: _Route, source: int) -> OffenceKind | None:
    if route.last_number is None:
        # No number bears a checker off from outside the home board: it is more likely to have fallen down.
        return OffenceKind.WRONG_DISTANCE if source in HOME_POINTS else OffenceKind.CHECKER_MISSING
    if _held_on_the_way(change, route):
        return OffenceKind.THROUGH_BLOCKED_POINT
    if change.stands_behind(max(HOME_POINTS)):
        return OffenceKind.BORE_OFF_TOO_EARLY
    last_point = route.stops[-2] if len(route.stops) > 1 else source
    if route.last_number > last_point and change.stands_behind(last_point):
        return OffenceKind.BORE_OFF_FROM_LOWER_POINT
    return None


def _held_on_the_way(change: _Change, route: _Route) -> list[int]:
    return [stop for stop in route.stops[:-1] if change.opponents_count(stop) > 1]


def _offences_to_opponent(change: _Change, stops: set[int]) -> list[Offence]:
    """The offences with the opponent's checkers, given all points where the mover landed."""
    lost, gained = change.opposing
    # A checker that vanished may be counted as borne off in `seen`; treat it as missing.
    gained = [place for place in gained if place != BAR]
    offences = []
    for place in sorted(lost, key=lambda place: place not in stops):
        # A hit checker goes to the bar; another one that left its place was moved or is missing.
        to = OFF if OFF in gained else gained[0] if gained else None
        if to is not None:
            gained.remove(to)
        offences += _offence_to_one(change, place, to, hit=place in stops)
    offences += [change.offence_to_opponent(OffenceKind.CHECKER_EXTRA, place) for place in gained]
    points = {stop for stop in stops if OFF < stop < BAR}
    unhit = [point for point in points if change.opponents_count(point) == 1 and point not in lost]
    offences += [
        change.offence_to_opponent(OffenceKind.HIT_CHECKER_NOT_ON_BAR, place, OFF) for place in sorted(unhit)
    ]
    return offences


def _offence_to_one(change: _Change, place: int, to: int | None, *, hit: bool) -> list[Offence]:
    if hit and to == OFF:
        return []
    if hit:
        return [
            change.offence_to_opponent(OffenceKind.HIT_CHECKER_NOT_ON_BAR, place, OFF if to is None else to)
        ]
    if to is None:
        return [change.offence_to_opponent(OffenceKind.CHECKER_MISSING, place)]
    return [change.offence_to_opponent(OffenceKind.MOVED_OPPONENTS_CHECKER, place, to)]


def _not_played_out(change: _Change, routes: tuple[_Route, ...], left: tuple[int, ...]) -> Offence:
    """The offence of a player whose steps were each legal by themselves."""
    plays = change.plays
    moved = [
        place for route in routes for place in (route.move.source, route.move.target) if place is not None
    ]
    movable = {
        origin for number in set(left) for origin, _ in single_steps(pack(change.seen, plays.player), number)
    }
    only_one = len(next(iter(plays)).steps) == 1 and not movable
    if only_one and plays.dice.high in left and moved:
        return change.offence(OffenceKind.HIGHER_NUMBER_NOT_PLAYED, *moved)
    places = sorted(movable, reverse=True) or moved
    return change.offence(OffenceKind.WHOLE_ROLL_NOT_PLAYED, *places)
