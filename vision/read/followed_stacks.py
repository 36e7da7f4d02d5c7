"""Counts tall stacks by the checkers that came and went since their height was known.

Seen from above, most tall stacks cannot be counted in a single picture, but two pictures of a stack show what
changed. So each stack is compared with how it looked before its last change. The distribution of its number
then, the change, and what the single pictures show give the number now. If the rules tell the number then, it
is known.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from vision.board_reading import MAX_COUNT, N_POINTS, BoardReading
from vision.geometry import FloatArray
from vision.networks.change_network import MOST_CHANGED, N_CHANGES, Floats, see_changes
from vision.networks.place_reader import levelled
from vision.networks.strips import Strips
from vision.read.calibration import NETWORK, PlaceCounts
from vision.read.place_likelihoods import LEAST_PROBABILITY

COMPARED_FROM, REMEMBERED_FROM = 5, 4
"""A stack is compared if it holds so many checkers now or held them before; it is remembered from the second
number on. Up to four lie in a row and are read reliably."""
CHANGE_FLOOR = 0.01
"""Least likelihood of any change."""
ONE_MORE_SHARE = 0.2
"""Likelihood ratio for each checker that came or went beyond the most that a half-turn moves: some half-turns
are not seen. Guess: on rendered games 0.05 to 0.5 give the same."""
ONE_SIDE_SHARE = 0.9
"""Probability above which a stack belongs to a side; guess."""
UNCHANGED, CHANGED = 0.8, 0.5
"""Probabilities of no change: from the first on, a stack is remembered as it looks now; below the second it
has changed, and is also remembered as it looks now; guesses."""
ROW_FLOOR, STACK_FLOOR = 0.001, 0.03
"""Added to the probability that a picture gives each number, up to a full row and above: checkers that lie on
a row are overlooked with high confidence. Chosen on rendered boards."""
CONTRADICTED_SHARE = 0.01
"""The change is discarded when its numbers agree with those of the single picture less probably; guess."""

_NUMBERS = np.arange(MAX_COUNT + 1)
_FLOORS = np.where(_NUMBERS > COMPARED_FROM, STACK_FLOOR, ROW_FLOOR)
_NO_CHANGE_NATS = np.log(np.where(np.arange(N_CHANGES) == MOST_CHANGED, 1.0, CHANGE_FLOOR))
_Held = tuple[int, FloatArray]
"""A side, 1 light or -1 dark, and (16,) the probability of each number of its checkers."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Stack:
    """A stack of one side, as it has looked since its last change.

    side: 1 light, -1 dark. seen: (FEATURES, *CELLS) features of its strip. shares: (16,) the probability of
    each number of checkers. picture_nats: (16,) their mean log-likelihoods over so many `pictures`. before:
    the stack before its last change, where that is known. change_nats: (N_CHANGES,) the mean log-likelihoods
    of the change from `before`. known: the number by the rules, if they tell it as long as it looks so.
    """

    side: int
    seen: Floats
    shares: FloatArray
    picture_nats: FloatArray
    pictures: int = 1
    before: "_Stack | None" = None
    change_nats: FloatArray = field(default_factory=lambda: np.zeros(N_CHANGES))
    known: int | None = None

    @property
    def held(self) -> FloatArray:
        """(16,) the probability of each number of checkers; that of the known number is 1."""
        return self.shares if self.known is None else np.eye(MAX_COUNT + 1)[self.known]

    @property
    def expected(self) -> FloatArray:
        """(16,) the prior probability of each number, from the stack before and the change alone."""
        if self.before is None:
            return np.full(MAX_COUNT + 1, 1 / (MAX_COUNT + 1))
        return _moved(self.before.held, np.exp(self.change_nats))


@dataclass(frozen=True, eq=False)
class FollowedStacks:
    """What is known of the stacks on the 24 points."""

    _stacks: Mapping[int, _Stack] = field(default_factory=dict)

    @staticmethod
    def known(strips_bgr: Strips, counts: PlaceCounts) -> "FollowedStacks":
        """From the strips (26, H, W, 3) of a picture of a known position, given as 24 signed counts."""
        held = {
            place: (1 if count > 0 else -1, np.eye(MAX_COUNT + 1)[abs(count)])
            for place, count in enumerate(counts)
            if abs(count) >= REMEMBERED_FROM
        }
        stacks = _seen(strips_bgr, held)
        return FollowedStacks(
            {place: replace(one, before=one, change_nats=_NO_CHANGE_NATS) for place, one in stacks.items()}
        )

    def with_known(self, counts: PlaceCounts) -> "FollowedStacks":
        """The same, if the rules tell that the pictures show these 24 signed counts.

        They tell the number before the next change. The stacks that lie there are counted as before.
        """
        return FollowedStacks(
            {
                place: replace(stack, known=abs(counts[place])) if counts[place] * stack.side > 0 else stack
                for place, stack in self._stacks.items()
            }
        )

    def followed(self, strips_bgr: Strips, reading: BoardReading) -> tuple["FollowedStacks", BoardReading]:
        """What is known after one more picture, and its reading with tall stacks counted by their changes."""
        if reading.hand:
            return self, reading
        held = {place: _side_shares(reading, place) for place in range(N_POINTS)}
        now = _seen(strips_bgr, {place: one for place, one in held.items() if one and self._asks(place, one)})
        stacks = {place: stack for place, stack in self._stacks.items() if not _is_low(reading, place)}
        points = reading.points.copy()
        for place, (change, since) in self._compared(now).items():
            stack = _continued(self._stacks[place], now[place], change, since)
            if stack is not None:
                now[place] = stack
                points[place] = _row(stack.side, stack.shares)
        stacks |= {place: one for place, one in now.items() if _likeliest(one.shares) >= REMEMBERED_FROM}
        return FollowedStacks(stacks), replace(reading, points=points)

    def _asks(self, place: int, held: _Held) -> bool:
        """Whether features are needed of a place that is held like this."""
        return _likeliest(held[1]) >= REMEMBERED_FROM or self._is_comparable(place, *held)

    def _is_comparable(self, place: int, side: int, shares: FloatArray) -> bool:
        before = self._stacks.get(place)
        if before is None or before.side != side:
            return False
        return max(_likeliest(before.shares), _likeliest(shares)) >= COMPARED_FROM

    def _compared(self, now: Mapping[int, _Stack]) -> dict[int, tuple[FloatArray, FloatArray]]:
        """For each place that can be compared, two times (N_CHANGES,) likelihoods of what came or went.

        The first is since the remembered picture of it, the second since before its last change, if known.
        """
        places = [
            place for place, stack in now.items() if self._is_comparable(place, stack.side, stack.shares)
        ]
        if not places:
            return {}
        then = [self._stacks[place] for place in places]
        before = [stack.before or stack for stack in then]
        changes = _changes([*then, *before], [now[place] for place in places * 2])
        return dict(zip(places, zip(*np.split(changes, 2), strict=True), strict=True))


def _seen(strips_bgr: Strips, held: Mapping[int, _Held]) -> dict[int, _Stack]:
    """The stacks on these held places, as these strips show them."""
    if not held:
        return {}
    seen = NETWORK.features(levelled(strips_bgr, list(held)))
    return {
        place: _Stack(side=side, seen=one, shares=shares, picture_nats=np.log(shares + _FLOORS))
        for one, (place, (side, shares)) in zip(seen, held.items(), strict=True)
    }


def _likeliest(shares: FloatArray) -> int:
    return int(shares.argmax())


def _changes(before: Sequence[_Stack], now: Sequence[_Stack]) -> FloatArray:
    """(N, N_CHANGES) likelihoods of what came or went."""
    said = see_changes(np.stack([one.seen for one in before]), np.stack([one.seen for one in now]))
    return np.asarray((1 - N_CHANGES * CHANGE_FLOOR) * said.astype(np.float64) + CHANGE_FLOOR)


def _continued(stack: _Stack, now: _Stack, change: FloatArray, since: FloatArray) -> _Stack | None:
    """The stack after one more picture; None where the change contradicts what the picture shows.

    change, since: (N_CHANGES,) likelihoods of what came or went since the remembered picture of `stack`, and
    since before its last change.
    """
    if float(_moved(stack.held, change) @ now.shares) < CONTRADICTED_SHARE:
        return None
    if change[MOST_CHANGED] < CHANGED:
        changed = replace(now, before=replace(stack, before=None), change_nats=np.log(change))
        return replace(changed, shares=_both(changed.expected, changed.picture_nats))
    share, change_nats = 1 / (stack.pictures + 1), stack.change_nats
    if stack.before is not None:
        change_nats = change_nats + share * (np.log(since) - change_nats)
    same = replace(
        stack,
        seen=now.seen if change[MOST_CHANGED] >= UNCHANGED else stack.seen,
        known=stack.known if change[MOST_CHANGED] >= UNCHANGED else None,
        pictures=stack.pictures + 1,
        change_nats=change_nats,
        picture_nats=stack.picture_nats + share * (now.picture_nats - stack.picture_nats),
    )
    return replace(same, shares=_both(_moved(same.expected, change), same.picture_nats))


def _both(expected: FloatArray, picture_nats: FloatArray) -> FloatArray:
    """(16,) posterior probabilities of each number, from the expected ones and the pictures."""
    shares = expected * np.exp(picture_nats)
    shares[0] = 0.0
    return np.asarray(shares / shares.sum())


def _moved(before: FloatArray, change: FloatArray) -> FloatArray:
    """(16,) probabilities of each number after a change."""
    moved = np.zeros(MAX_COUNT + 1)
    for number, likelihood in enumerate(change / change.sum()):
        for by, share in _steps(number - MOST_CHANGED):
            lost, won = max(0, -by), max(0, by)
            moved[won : MAX_COUNT + 1 - lost] += likelihood * share * before[lost : MAX_COUNT + 1 - won]
    moved[0] = 0.0
    return np.asarray(moved / max(moved.sum(), LEAST_PROBABILITY))


@cache
def _steps(change: int) -> tuple[tuple[int, float], ...]:
    """The signed numbers that this class of change stands for, each with its share of the likelihood.

    The classes of the greatest changes also stand for greater ones.
    """
    if abs(change) < MOST_CHANGED:
        return ((change, 1.0),)
    steps = range(MOST_CHANGED, MAX_COUNT)
    shares = ONE_MORE_SHARE ** np.arange(len(steps))
    sign = 1 if change > 0 else -1
    return tuple((sign * by, float(share)) for by, share in zip(steps, shares / shares.sum(), strict=True))


def _side_shares(reading: BoardReading, place: int) -> _Held | None:
    """The side that holds a point, with the (16,) probabilities of its number of checkers; None if unsure."""
    if place in reading.unseen or place in reading.mixed:
        return None
    chances = np.exp(reading.points[place])
    for side, own in ((1, chances[MAX_COUNT:]), (-1, chances[MAX_COUNT::-1])):
        held = own * (_NUMBERS > 0)
        if held.sum() > ONE_SIDE_SHARE:
            return side, held / held.sum()
    return None


def _is_low(reading: BoardReading, place: int) -> bool:
    """Whether a point surely holds fewer checkers than REMEMBERED_FROM."""
    low = slice(MAX_COUNT - REMEMBERED_FROM + 1, MAX_COUNT + REMEMBERED_FROM)
    return bool(np.exp(reading.points[place, low]).sum() > ONE_SIDE_SHARE)


def _row(side: int, shares: FloatArray) -> FloatArray:
    """(31,) log-likelihoods of a point that surely belongs to a side."""
    row = np.zeros(2 * MAX_COUNT + 1)
    row[MAX_COUNT::side] = shares
    row += LEAST_PROBABILITY
    return np.asarray(np.log(row / row.sum()))
