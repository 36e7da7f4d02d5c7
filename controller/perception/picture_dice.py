"""Dice events from pictures, where there is no dice sensor.

Two dice that lie still on the field are a roll. When they are gone, or two others lie there, they count as
lifted. Players who each have their own dice may leave them lying until they throw again.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from controller.perception.orientation import Orientation
from controller.rules import Player
from hardware.dice_events import LEANS, DiceEvent, DiceLifted, DiceMoving, DiceSettled
from vision.dice.dice_reader import SeenDie

SAME_DIE_PLACE = 0.02
"""A die that moved less than this (in field widths) was not thrown again. Guess."""
SURE_FACE = 0.9
"""A face is reported, with its odds, when its probability (0 to 1) is at least this. Only then does a picture
bear witness to a roll that a sensor reported. Guess. From 0.9 on, 3 of 82 throws on six kinds of boards not
trained on are read wrongly; from 0.42 on, 21 of 111."""
SIGHTINGS_AT_REST = 2
"""Dice seen this many times at their places lie still. Guess."""
RESTED_MS = 600
"""Dice seen only once lay still if they are found gone at least this much later. Guess: a tumbling die is
seen at two places within this time."""
OWN_BRIGHTNESS = 40
"""Least difference of two dice in grey levels (0 to 255) that shows that each player has his own. Guess."""
SURE_PRESENCE = 0.95
"""A die with this presence (0 to 1) replaces one with less. A second pair needs one such die while both dice
of the first lie there, otherwise two. Two such dice beside a lone one show that the lone one is no die. Where
the dice that lie there have less, the presence of the surer one is enough.
Measured: in 982 of 1,088 pictures both thrown dice have it, and in 29 something else has."""
SHARPENING = 0.5
"""How much more the evidence of a sure face counts: its log-likelihoods are multiplied by up to 1.5, those of
an unsure face by less. Further pictures of one die repeat the same error and add nothing. Fitted to 2,549
dice on boards of kinds not trained on: of 1,075 faces told with 0.99 to 0.999, two are wrong, and of 302 told
with 0.95 to 0.99, 14."""


@dataclass(frozen=True, kw_only=True)
class RestingDie:
    """A die that rests on the field.

    x, y: its place in field widths. evidence: (7,) mean log-likelihood of each face and of leaning.
    presence: the greatest of its sightings, see SeenDie.
    """

    x: float
    y: float
    brightness: float
    presence: float
    evidence: tuple[float, ...]
    n_seen: int = 1

    @staticmethod
    def from_sighting(die: SeenDie) -> "RestingDie":
        evidence = tuple(map(math.log, die.odds))
        return RestingDie(
            x=die.x, y=die.y, brightness=die.brightness, presence=die.presence, evidence=evidence
        )

    def with_sighting(self, die: SeenDie) -> "RestingDie":
        n = self.n_seen
        evidence = tuple(
            (n * a + math.log(b)) / (n + 1) for a, b in zip(self.evidence, die.odds, strict=True)
        )
        presence = max(self.presence, die.presence)
        return replace(self, evidence=evidence, presence=presence, n_seen=n + 1)

    @property
    def face(self) -> int:
        """The index of the likeliest face, or of leaning."""
        return self.evidence.index(max(self.evidence))

    def is_at(self, die: SeenDie) -> bool:
        return math.hypot(die.x - self.x, die.y - self.y) < SAME_DIE_PLACE

    def is_among(self, dice: Sequence[SeenDie]) -> bool:
        return any(self.is_at(die) for die in dice)

    def shows_same_face(self, die: SeenDie) -> bool:
        return self.face == die.odds.index(max(die.odds))

    def dice_event(self, number: int, t_ms: int, *, thrower_known: bool) -> DiceMoving | DiceSettled:
        """The event that a sensor would send. Until its face is sure, a die counts as moving."""
        best = max(self.evidence)
        likely = 1 / sum(math.exp(other - best) for other in self.evidence)
        weights = [math.exp((1 + SHARPENING * likely) * (other - best)) for other in self.evidence]
        odds = tuple(weight / sum(weights) for weight in weights)
        if max(odds) < SURE_FACE:
            return DiceMoving(t_ms=t_ms, die=number, odds=odds)
        face = None if self.face == LEANS else self.face + 1
        return DiceSettled(t_ms=t_ms, die=number, face=face, odds=odds, thrower_known=thrower_known)


@dataclass
class PictureDice:
    """Follows the dice from frame to frame, and gives the events that a dice sensor would send."""

    _lying: tuple[RestingDie, ...] = field(default=(), init=False)
    _new: tuple[RestingDie, ...] = field(default=(), init=False)
    """Dice of a second pair that came to lie beside those."""
    _old: tuple[tuple[RestingDie, ...], ...] = field(default=(), init=False)
    """The dice of earlier throws that may still lie there. The dice of one throw are picked up together."""
    _beside: tuple[RestingDie, ...] = field(default=(), init=False)
    """What else looked like dice when the dice in `_lying` came to rest."""
    _shown: tuple[RestingDie, ...] = field(default=(), init=False)
    """What looked like dice beside `_lying` in the last picture."""
    _standing: tuple[RestingDie, ...] = field(default=(), init=False)
    """What looks like a die and stays when dice are picked up: an ornament, or a thing on the table."""
    _seen_ms: int = field(default=0, init=False)
    _reported: tuple[DiceMoving | DiceSettled, ...] = field(default=(), init=False)
    _told: tuple[RestingDie, ...] = field(default=(), init=False)
    """The dice of `_lying` as they lay when they were last reported."""
    _overlooked: bool = field(default=False, init=False)

    def dice_events(
        self, dice: Sequence[SeenDie], t_ms: int, *, opening: Orientation | None = None
    ) -> tuple[DiceEvent, ...]:
        """The events since the last frame.

        dice: the dice seen in a frame without a hand.
        opening: the orientation, when each player throws one die. White's is then die 1, if anything shows
            whose die is whose.
        """
        events: tuple[DiceEvent, ...] = ()
        left = tuple(pair for pair in self._old if _as_before(pair, dice))
        elsewhere = _elsewhere(dice, (*self._standing, *(old for pair in left for old in pair)))
        dice = sorted(elsewhere, key=lambda die: -die.presence)
        if not dice:
            if self._overlooked:
                events = self._taken_up(t_ms, opening)
            self._overlooked = True
            return events
        self._overlooked = False
        beside = _elsewhere(dice, (*self._lying, *self._beside))
        least = min(SURE_PRESENCE, max((die.presence for die in self._lying), default=1.0))
        second = self._second_pair(dice, beside, least)
        self._new = _followed(self._new, second) if second else ()
        if len([die for die in beside if die.presence >= least]) >= 2 and _is_no_die(self._lying, dice):
            self._standing = (*self._standing, *self._lying)
            self._lying = _followed((), beside)
        elif not _as_before(self._lying, dice):
            events, self._old = self._taken_up(t_ms, opening), left
            stayed = [thing for thing in self._beside if thing.is_among(dice)]
            self._standing = (*self._standing, *stayed)
            self._lying = _followed((), self._thrown(_elsewhere(dice, stayed)))
        elif _rest(self._new):
            lying, self._old = self._new, (*left, self._lying)
            events = self._taken_up(t_ms, opening)
            self._lying = lying
        else:
            lying = _followed(self._lying, [die for die in dice if die not in second])
            lies_still = _rest(lying) or t_ms - self._seen_ms >= RESTED_MS
            changed = [_is_thrown_anew(*die, dice) for die in zip(self._told, lying, strict=False)]
            if lies_still and any(changed):
                events = self._taken_up(t_ms, opening)
            self._lying = lying
        self._seen_ms = t_ms
        self._shown = tuple(map(RestingDie.from_sighting, _elsewhere(dice, self._lying)))
        if _rest(self._lying):
            events = (*events, *self._report(t_ms, opening))
        else:
            self._beside = self._shown
        return events

    @property
    def undecided(self) -> bool:
        """Whether the next frame decides what the dice in the last one did: come to rest, or leave."""
        return bool(self._new) or (bool(self._lying) and (self._overlooked or not self._reported))

    def _thrown(self, dice: list[SeenDie]) -> list[SeenDie]:
        """Which of the dice are a new throw, once the first pair is gone: all, or only the two that are new.

        Those that stayed are then of an earlier throw, of which one die was overlooked.
        """
        came = _elsewhere(dice, self._shown)
        if len(came) < 2 or len(came) == len(dice):
            return dice
        self._old = (*self._old, tuple(RestingDie.from_sighting(die) for die in dice if die not in came))
        return came

    def _second_pair(self, dice: Sequence[SeenDie], beside: list[SeenDie], least: float) -> list[SeenDie]:
        """The dice of a second pair, or what may be such dice; [] where there is none.

        dice: what looks like a die, the surest first. beside: those that are not of the first pair.
        least: the presence from which something is surely a die.
        """
        sure = [die for die in beside if die.presence >= least or any(new.is_at(die) for new in self._new)]
        if len(sure) == 1 and all(old.is_among(dice) for old in self._lying):
            # Nobody throws a single third die: the surest of the others is its partner.
            sure += [die for die in beside if die not in sure][:1]
        return sure if len(self._lying) == 2 and len(sure) >= 2 else []

    def _report(self, t_ms: int, opening: Orientation | None) -> tuple[DiceEvent, ...]:
        """The new events about the resting dice. A die that was not seen is reported as moving.

        A reported face is only replaced by another face that is sure.
        """
        ordered = _by_player(self._lying, opening) if opening else self._lying
        if ordered and not self._reported:
            self._lying = ordered
        events = [
            die.dice_event(number, t_ms, thrower_known=ordered is not None)
            for number, die in enumerate(self._lying, start=1)
        ]
        if len(events) == 1:
            events.append(DiceMoving(t_ms=t_ms, die=2))
        before = self._reported or (None, None)
        now = tuple(
            old if old and isinstance(event, DiceMoving) else event
            for old, event in zip(before, events, strict=True)
        )
        self._reported, self._told = now, self._lying
        return tuple(
            event
            for old, event in zip(before, now, strict=True)
            if old is None or event != replace(old, t_ms=event.t_ms)
        )

    def _taken_up(self, t_ms: int, opening: Orientation | None) -> tuple[DiceEvent, ...]:
        """Report the dice as lifted. A roll that lay there for a single frame is reported first."""
        events: tuple[DiceEvent, ...] = ()
        if self._lying and not self._reported and t_ms - self._seen_ms >= RESTED_MS:
            events = self._report(self._seen_ms, opening)
        lifted = tuple(DiceLifted(t_ms=t_ms, die=event.die) for event in self._reported)
        self._lying, self._new, self._reported, self._told = (), (), (), ()
        return (*events, *lifted)


def _elsewhere(dice: Sequence[SeenDie], places: Sequence[RestingDie]) -> list[SeenDie]:
    """Those dice that lie at none of these places."""
    return [die for die in dice if not any(there.is_at(die) for there in places)]


def _rest(dice: tuple[RestingDie, ...]) -> bool:
    """Whether these are two dice that lie still."""
    return len(dice) == 2 and min(die.n_seen for die in dice) >= SIGHTINGS_AT_REST


def _is_no_die(lying: tuple[RestingDie, ...], dice: Sequence[SeenDie]) -> bool:
    """Whether something that lay there alone still lies there, among the `dice` of a new throw."""
    return len(lying) == 1 and lying[0].n_seen >= SIGHTINGS_AT_REST and lying[0].is_among(dice)


def _as_before(lying: tuple[RestingDie, ...], dice: Sequence[SeenDie]) -> bool:
    """Whether the same dice still lie there: both at their places, or one that shows the same face."""
    there = [(old, die) for old in lying for die in dice if old.is_at(die)]
    return len(there) > 1 or any(old.shows_same_face(die) for old, die in there)


def _is_thrown_anew(before: RestingDie, now: RestingDie, dice: Sequence[SeenDie]) -> bool:
    """Whether a die was thrown again, though the other one, or what passes for it, still lies there."""
    return not before.is_among(dice) and now.face != before.face


def _followed(lying: tuple[RestingDie, ...], dice: Sequence[SeenDie]) -> tuple[RestingDie, ...]:
    """The two resting dice after one more frame.

    dice: the surest first. A die that is not seen now is kept, unless a new one is seen elsewhere: then it
    was touched or thrown again. What hardly looked like a die is replaced by a new one that surely does.
    """
    seen = [[die for die in dice if old.is_at(die)] for old in lying]
    new = [RestingDie.from_sighting(die) for die in dice if not any(old.is_at(die) for old in lying)]
    now = []
    for old, there in zip(lying, seen, strict=True):
        may_go = len(lying) == 2 and (not there or old.presence < SURE_PRESENCE)
        if may_go and new and (not there or new[0].presence >= SURE_PRESENCE):
            now.append(new.pop(0))
        else:
            now.append(old.with_sighting(there[0]) if there else old)
    return tuple([*now, *new][:2])


def _by_player(dice: tuple[RestingDie, ...], orientation: Orientation) -> tuple[RestingDie, ...] | None:
    """The dice, White's first: by colour, else by half of the board (each throws to his right); else None."""
    if len(dice) < 2:
        return None
    dark, light = sorted(dice, key=lambda die: die.brightness)
    if light.brightness - dark.brightness >= OWN_BRIGHTNESS:
        return (light, dark) if orientation.light is Player.WHITE else (dark, light)
    left, right = sorted(dice, key=lambda die: die.x)
    if not left.x < 0.5 < right.x:
        return None
    return (right, left) if orientation.white_home.startswith("bottom") else (left, right)
