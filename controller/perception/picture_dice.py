"""Dice heard by looking: what the camera sees of the dice, told as a dice sensor would tell it.

Used where no sensor speaks. Two dice that lie still on the field are a roll; when they are gone, or others
lie there, they were taken up.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from controller.perception.orientation import Orientation
from controller.rules import Player
from hardware.dice_events import DiceEvent, DiceLifted, DiceMoving, DiceSettled
from vision.dice.dice_reader import SeenDie

SAME_DIE_PLACE = 0.02
"""A die that lies nearer than this (in field widths) to where it lay has not been thrown again."""
SURE_FACE = 0.9
"""What lies upward is told when all that was seen of the die makes it so likely."""
SIGHTINGS_AT_REST = 2
"""Dice that were seen so often at their places lie still."""
RESTED_MS = 600
"""Dice that were seen only once lay still when the next picture came so much later: tumbling ones do not."""
OWN_BRIGHTNESS = 40
"""Grey levels by which the dice of two players differ at least, where each has his own."""
MOST_COUNTED = 2
"""Sightings that count as evidence: pictures of the same thing are mostly wrong in the same way."""
LEANS = 6
"""The place of leaning among the odds, after those of the faces 1 to 6."""


@dataclass(frozen=True, kw_only=True)
class RestingDie:
    """A die at its place. evidence: mean log-likelihood of each face and of leaning (7,) in its sightings."""

    x: float
    y: float
    brightness: float
    evidence: tuple[float, ...]
    n_seen: int = 1

    @staticmethod
    def from_sighting(die: SeenDie) -> "RestingDie":
        evidence = tuple(map(math.log, die.odds))
        return RestingDie(x=die.x, y=die.y, brightness=die.brightness, evidence=evidence)

    def with_sighting(self, die: SeenDie) -> "RestingDie":
        n = self.n_seen
        evidence = tuple(
            (n * a + math.log(b)) / (n + 1) for a, b in zip(self.evidence, die.odds, strict=True)
        )
        return replace(self, evidence=evidence, n_seen=n + 1)

    def is_at(self, die: SeenDie) -> bool:
        return math.hypot(die.x - self.x, die.y - self.y) < SAME_DIE_PLACE

    def shows_same_face(self, die: SeenDie) -> bool:
        return self.evidence.index(max(self.evidence)) == die.odds.index(max(die.odds))

    def dice_event(self, number: int, t_ms: int) -> DiceMoving | DiceSettled:
        """The die as a sensor would tell it: still moving as long as nobody can say how it lies."""
        best, n = max(self.evidence), min(self.n_seen, MOST_COUNTED)
        sure = 1 / sum(math.exp(n * (other - best)) for other in self.evidence)
        if sure < SURE_FACE:
            return DiceMoving(t_ms=t_ms, die=number)
        answer = self.evidence.index(best)
        return DiceSettled(t_ms=t_ms, die=number, face=None if answer == LEANS else answer + 1, sure=sure)


@dataclass
class PictureDice:
    """Follows the dice from picture to picture."""

    _lying: tuple[RestingDie, ...] = field(default=(), init=False)
    _seen_ms: int = field(default=0, init=False)
    _reported: tuple[DiceMoving | DiceSettled, ...] = field(default=(), init=False)
    _overlooked: bool = field(default=False, init=False)

    def dice_events(
        self, dice: Sequence[SeenDie], t_ms: int, *, opening: Orientation | None = None
    ) -> tuple[DiceEvent, ...]:
        """What happened to the dice, from those seen in a picture without a hand, surest first.

        opening: who sits where, when each player is to throw one die. White's is die 1 then; where nothing
        says whose is whose, nothing is told, and the play must tell it.
        """
        events: tuple[DiceEvent, ...] = ()
        if not dice:
            if self._overlooked:
                events = self._taken_up(t_ms, opening)
            self._overlooked = True
            return events
        self._overlooked = False
        if not _as_before(self._lying, dice):
            events = self._taken_up(t_ms, opening)
        self._lying = _followed(self._lying, dice)
        self._seen_ms = t_ms
        if len(self._lying) == 2 and min(die.n_seen for die in self._lying) >= SIGHTINGS_AT_REST:
            events = (*events, *self._report(t_ms, opening))
        return events

    def _report(self, t_ms: int, opening: Orientation | None) -> tuple[DiceEvent, ...]:
        """What has become known of the dice that lie; one that nobody saw is told as moving.

        What was told is only taken back for something as sure.
        """
        if opening and not self._reported:
            ordered = _by_player(self._lying, opening)
            if ordered is None:
                return ()
            self._lying = ordered
        events = [die.dice_event(number, t_ms) for number, die in enumerate(self._lying, start=1)]
        if len(events) == 1:
            events.append(DiceMoving(t_ms=t_ms, die=2))
        before = self._reported or (None, None)
        now = tuple(
            old if old and isinstance(event, DiceMoving) else event
            for old, event in zip(before, events, strict=True)
        )
        self._reported = now
        return tuple(
            event
            for old, event in zip(before, now, strict=True)
            if old is None or event != replace(old, t_ms=event.t_ms)
        )

    def _taken_up(self, t_ms: int, opening: Orientation | None) -> tuple[DiceEvent, ...]:
        """The dice are gone; they are told only now if they lay there between two pictures."""
        events: tuple[DiceEvent, ...] = ()
        if self._lying and not self._reported and t_ms - self._seen_ms >= RESTED_MS:
            events = self._report(self._seen_ms, opening)
        lifted = tuple(DiceLifted(t_ms=t_ms, die=event.die) for event in self._reported)
        self._lying, self._reported = (), ()
        return (*events, *lifted)


def _as_before(lying: tuple[RestingDie, ...], dice: Sequence[SeenDie]) -> bool:
    """Whether the same dice lie there still: both at their places, or one with its face."""
    there = [(old, die) for old in lying for die in dice if old.is_at(die)]
    return len(there) > 1 or any(old.shows_same_face(die) for old, die in there)


def _followed(lying: tuple[RestingDie, ...], dice: Sequence[SeenDie]) -> tuple[RestingDie, ...]:
    """The two dice that lie, after one more picture; one that was overlooked stays, one that lies elsewhere
    now was touched or thrown again."""
    seen = [[die for die in dice if old.is_at(die)] for old in lying]
    new = [RestingDie.from_sighting(die) for die in dice if not any(old.is_at(die) for old in lying)]
    now = [
        old.with_sighting(there[0]) if there else new.pop(0) if new and len(lying) == 2 else old
        for old, there in zip(lying, seen, strict=True)
    ]
    return tuple([*now, *new][:2])


def _by_player(dice: tuple[RestingDie, ...], orientation: Orientation) -> tuple[RestingDie, ...] | None:
    """White's die first: by its colour, else by the half of the board, as each throws to his right."""
    if len(dice) < 2:
        return None
    dark, light = sorted(dice, key=lambda die: die.brightness)
    if light.brightness - dark.brightness >= OWN_BRIGHTNESS:
        return (light, dark) if orientation.light is Player.WHITE else (dark, light)
    left, right = sorted(dice, key=lambda die: die.x)
    if not left.x < 0.5 < right.x:
        return None
    return (right, left) if orientation.white_home.startswith("bottom") else (left, right)
