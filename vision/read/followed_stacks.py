"""Counts tall stacks by what came to them and went from them since they were known.

Seen from above, most tall stacks cannot be counted in a single picture. But two pictures of one stack show
what changed. So each stack is compared with how it looked when it changed last; how many lay there then is
known as a distribution, and the single picture counts beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from vision.board_reading import MAX_COUNT, N_POINTS, BoardReading
from vision.geometry import FloatArray
from vision.networks.change_network import MOST_CHANGED, N_CHANGES, Floats, see_changes
from vision.networks.place_reader import levelled
from vision.networks.strips import Strips
from vision.read.calibration import NETWORK, PlaceCounts

COMPARED_FROM, REMEMBERED_FROM = 5, 4
"""Stacks of so many checkers, then or now, are compared; and those from which they may grow in a half-turn
are remembered: up to four lie in a row and are read for sure."""
CHANGE_FLOOR = 0.003
"""Least likelihood of any change."""
ONE_SIDE_SHARE = 0.9
"""A stack belongs to a side that is so probable; guess."""
UNCHANGED, CHANGED = 0.99, 0.5
"""A stack is remembered as it looks now when it has surely not changed, or rather has; guesses."""
PICTURE_WEIGHT = 0.5
"""How much a single picture's count weighs beside what changed: pictures of one stack err alike."""
LEAST_SHARE = 1e-6
"""Least probability of any count: nothing is excluded; guess."""
CONTRADICTED_SHARE = 1e-3
"""What changed is not believed when it agrees less with what the single picture shows; guess."""

_COUNTS = np.arange(MAX_COUNT + 1)
_Held = tuple[int, FloatArray]
"""A side, 1 light or -1 dark, and (16,) how probable each number of its checkers is."""


@dataclass(frozen=True, kw_only=True, eq=False)
class _Stack:
    """A stack of one side as it looked in an earlier picture.

    side: 1 light, -1 dark. seen: (FEATURES, *CELLS) what the network sees in its strip. shares: (16,) how
    probable each number of checkers is.
    """

    side: int
    seen: Floats
    shares: FloatArray


@dataclass(frozen=True, eq=False)
class FollowedStacks:
    """What is known of the stacks on the 24 points."""

    _stacks: Mapping[int, _Stack] = field(default_factory=dict)

    @staticmethod
    def known(strips_bgr: Strips, counts: PlaceCounts) -> "FollowedStacks":
        """From the strips (26, H, W, 3) of a picture of a known position: 24 signed counts."""
        held = {
            place: (1 if count > 0 else -1, np.eye(MAX_COUNT + 1)[abs(count)])
            for place, count in enumerate(counts)
            if abs(count) >= REMEMBERED_FROM
        }
        return FollowedStacks(_seen(strips_bgr, held))

    def followed(self, strips_bgr: Strips, reading: BoardReading) -> tuple["FollowedStacks", BoardReading]:
        """What is known after one more picture, and its reading with tall stacks counted by what changed."""
        if reading.hand:
            return self, reading
        held = {place: _side_shares(reading, place) for place in range(N_POINTS)}
        now = _seen(strips_bgr, {place: one for place, one in held.items() if one and self._asks(place, one)})
        stacks = {place: stack for place, stack in self._stacks.items() if not _is_low(reading, place)}
        points = reading.points.copy()
        for place, change in self._changes(now).items():
            before = self._stacks[place]
            shares = _counted(before.shares, change, now[place].shares)
            if shares is not None:
                points[place] = _row(before.side, shares)
                now[place] = _remembered(before, replace(now[place], shares=shares), change)
        return FollowedStacks({**stacks, **now}), replace(reading, points=points)

    def _asks(self, place: int, held: _Held) -> bool:
        """Whether a place that is held so is to be looked at."""
        return _likeliest(held[1]) >= REMEMBERED_FROM or self._is_comparable(place, *held)

    def _is_comparable(self, place: int, side: int, shares: FloatArray) -> bool:
        before = self._stacks.get(place)
        if before is None or before.side != side:
            return False
        return max(_likeliest(before.shares), _likeliest(shares)) >= COMPARED_FROM

    def _changes(self, now: Mapping[int, _Stack]) -> dict[int, FloatArray]:
        """(N_CHANGES,) likelihoods of what came or went, for each place that can be compared."""
        places = [
            place for place, stack in now.items() if self._is_comparable(place, stack.side, stack.shares)
        ]
        if not places:
            return {}
        said = see_changes(
            np.stack([self._stacks[place].seen for place in places]),
            np.stack([now[place].seen for place in places]),
        )
        mixed = (1 - N_CHANGES * CHANGE_FLOOR) * said.astype(np.float64) + CHANGE_FLOOR
        return dict(zip(places, mixed, strict=True))


def _seen(strips_bgr: Strips, held: Mapping[int, _Held]) -> dict[int, _Stack]:
    """The stacks of places that are held so, as these strips show them."""
    if not held:
        return {}
    seen = NETWORK.features(levelled(strips_bgr, list(held)))
    return {
        place: _Stack(side=side, seen=one, shares=shares)
        for one, (place, (side, shares)) in zip(seen, held.items(), strict=True)
    }


def _likeliest(shares: FloatArray) -> int:
    return int(shares.argmax())


def _remembered(before: _Stack, now: _Stack, change: FloatArray) -> _Stack:
    """What later pictures are compared with."""
    unchanged = change[MOST_CHANGED] / change.sum()
    if unchanged >= UNCHANGED:
        return replace(before, seen=now.seen)
    return now if unchanged < CHANGED else before


def _counted(before: FloatArray, change: FloatArray, seen: FloatArray) -> FloatArray | None:
    """(16,) probabilities of each number now; None where both sources contradict one another."""
    moved = np.zeros(MAX_COUNT + 1)
    for number in range(N_CHANGES):
        for by in _steps(number - MOST_CHANGED):
            lost, won = max(0, -by), max(0, by)
            share = change[number] / len(_steps(number - MOST_CHANGED))
            moved[won : MAX_COUNT + 1 - lost] += share * before[lost : MAX_COUNT + 1 - won]
    moved[0] = 0.0
    moved /= max(moved.sum(), 1e-12)
    if float(moved @ seen) < CONTRADICTED_SHARE:
        return None
    counted = moved * seen**PICTURE_WEIGHT
    return np.asarray(counted / counted.sum())


def _steps(change: int) -> range:
    """The changes that are told as this one: the greatest stand for greater ones, too."""
    if change == MOST_CHANGED:
        return range(MOST_CHANGED, MAX_COUNT)
    return range(-MAX_COUNT + 1, 1 - MOST_CHANGED) if change == -MOST_CHANGED else range(change, change + 1)


def _side_shares(reading: BoardReading, place: int) -> _Held | None:
    """The side that holds a point, and (16,) probabilities of each number of its checkers; None if unsure."""
    if place in reading.unseen or place in reading.mixed:
        return None
    chances = np.exp(reading.points[place])
    for side, own in ((1, chances[MAX_COUNT:]), (-1, chances[MAX_COUNT::-1])):
        held = own * (_COUNTS > 0)
        if held.sum() > ONE_SIDE_SHARE:
            return side, held / held.sum()
    return None


def _is_low(reading: BoardReading, place: int) -> bool:
    """Whether a point surely holds fewer than are remembered."""
    low = slice(MAX_COUNT - REMEMBERED_FROM + 1, MAX_COUNT + REMEMBERED_FROM)
    return place not in reading.unseen and bool(np.exp(reading.points[place, low]).sum() > ONE_SIDE_SHARE)


def _row(side: int, shares: FloatArray) -> FloatArray:
    """(31,) log-likelihoods of a point that surely belongs to a side."""
    row = np.zeros(2 * MAX_COUNT + 1)
    row[MAX_COUNT::side] = shares
    row += LEAST_SHARE
    return np.asarray(np.log(row / row.sum()))
