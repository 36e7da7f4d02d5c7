"""What the dice may have shown: reported, misreported, half-read or missed, and as seen in pictures."""

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from controller.referee import priors
from controller.referee.dice_tray import DiceTray, Odds
from controller.rules import Dice
from hardware.dice_events import N_OUTCOMES, SENSOR_SURE

ALL_ROLLS = tuple(Dice.rolls())
TIES = tuple(dice for dice in ALL_ROLLS if dice.is_double)
UNKNOWN_FACE: Odds = (1 / 6,) * 6 + (0.0,)


@dataclass(frozen=True, kw_only=True)
class RollHypothesis:
    """A roll that may have been thrown. prior: nats. inferred: the sensor did not report this roll."""

    dice: Dice
    prior: float
    inferred: bool


@dataclass(frozen=True)
class RollEvidence:
    """What was seen of the dice since they were last lifted or thrown.

    reported: both faces that the sensor reported, and the odds of each die; None when it reported no roll.
    seen: the rolls seen in pictures, and in how many. half_read: the odds of both dice of a half-read roll.
    """

    seen: tuple[tuple[Dice, int], ...] = ()
    reported: tuple[tuple[int, int], tuple[Odds, Odds]] | None = None
    half_read: tuple[Odds, Odds] | None = None

    def with_picture(self, dice: tuple[int, ...]) -> "RollEvidence":
        """The evidence with one more picture. Only two dice make a roll."""
        if len(dice) != 2:
            return self
        counts = dict(self.seen)
        roll = Dice(*dice)
        counts[roll] = counts.get(roll, 0) + 1
        return replace(self, seen=tuple(counts.items()))

    @property
    def roll(self) -> Dice | None:
        """The roll seen most often."""
        return max(self.seen, key=lambda seen: seen[1])[0] if self.seen else None

    @property
    def trusted_roll(self) -> Dice | None:
        """The only roll seen in enough pictures to be trusted: surely it lies there, or one much like it."""
        often = [roll for roll, n_seen in self.seen if n_seen >= priors.PICTURES_TO_TRUST]
        return often[0] if len(often) == 1 else None

    def log_likelihood_of(self, dice: Dice) -> float:
        """Log-likelihood of the evidence if `dice` lie there. Pictures of the same dice err alike."""
        read = log_odds_of(dice, self.half_read) if self.half_read else 0.0
        if self.roll is None:
            return read
        if self.roll == dice:
            return read + priors.PICTURE_SHOWS_ROLL_NATS
        is_near = is_one_die_apart(self.roll, dice)
        other = priors.PICTURE_ONE_DIE_OFF_NATS if is_near else priors.PICTURE_OTHER_ROLL_NATS
        return read + (other + priors.TRUSTED_PICTURES_NATS if self.trusted_roll else other)

    def log_likelihood_of_any(self, rolls: tuple[Dice, ...]) -> float:
        """Log-likelihood of the evidence if one of `rolls` lies there."""
        return float(np.logaddexp.reduce([throw.prior for throw in sensor_rolls(rolls, self)]))

    def misread_log_odds(self, dice: Dice, other: Dice) -> float:
        """Log-odds that a roll reported as `dice` was `other`, which differs in one die.

        If `dice` are not the reported roll, the odds are those of a sensor that is as sure as usual.
        """
        usual = (dice.high, dice.low), (sensor_odds(dice.high), sensor_odds(dice.low))
        told = self.reported if self.reported and Dice(*self.reported[0]) == dice else usual
        (first, second), (of_first, of_second) = told
        odds = sum(
            there[now - 1] / there[then - 1]
            for there, then, rest in ((of_first, first, second), (of_second, second, first))
            for now in range(1, 7)
            if now != then and Dice(now, rest) == other
        )
        return math.log(max(odds, priors.LEAST_MISREPORTED))


@cache
def sensor_odds(face: int, sure: float = SENSOR_SURE) -> Odds:
    """The odds of a die reported as `face`; sure: the probability that the report is right."""
    rest = (1 - sure) / (N_OUTCOMES - 1)
    return tuple(sure if number == face else rest for number in range(1, N_OUTCOMES + 1))


def odds_of(tray: DiceTray) -> tuple[Odds, Odds]:
    """The odds of both dice. For a die not reported at rest, all faces are equally likely."""
    first, second = (
        odds or (UNKNOWN_FACE if face is None else sensor_odds(face))
        for face, odds in zip(tray.faces, tray.odds, strict=True)
    )
    return first, second


def log_odds_of(dice: Dice, odds: tuple[Odds, Odds]) -> float:
    """Log-likelihood of two dice showing `dice`, in either order."""
    one, other = odds
    ways = one[dice.high - 1] * other[dice.low - 1] + one[dice.low - 1] * other[dice.high - 1]
    return math.log(max(ways / 2, priors.LEAST_MISREPORTED))


def half_read_rolls(odds: tuple[Odds, Odds], *, ties: bool) -> tuple[Dice, ...]:
    """The rolls that dice with these odds may show, the likeliest first. ties: whether doubles count."""
    likely = {dice: math.log(dice.ways) + log_odds_of(dice, odds) for dice in ALL_ROLLS}
    least = max(likely.values()) - priors.FOLLOW_WITHIN_NATS
    followed = [dice for dice in ALL_ROLLS if likely[dice] > least and (ties or not dice.is_double)]
    return tuple(sorted(followed, key=lambda dice: -likely[dice]))


def is_one_die_apart(one: Dice, other: Dice) -> bool:
    """Whether two rolls differ in one die only."""
    return one != other and bool({one.high, one.low} & {other.high, other.low})


def sensor_rolls(rolls: tuple[Dice, ...], pictures: RollEvidence) -> tuple[RollHypothesis, ...]:
    """The hypotheses for `rolls`: one if the sensor reported both dice, several if it missed one or both."""
    total = sum(dice.ways for dice in rolls)
    return tuple(
        RollHypothesis(
            dice=dice,
            prior=math.log(dice.ways / total) + pictures.log_likelihood_of(dice),
            inferred=len(rolls) > 1,
        )
        for dice in rolls
    )


def any_roll(pictures: RollEvidence = RollEvidence(), *, ties: bool = True) -> tuple[RollHypothesis, ...]:
    """Every roll, for when the sensor reported none. ties: whether doubles count."""
    return sensor_rolls(tuple(dice for dice in ALL_ROLLS if ties or not dice.is_double), pictures)


def roll_seen(dice: Dice, seen: RollEvidence, reported: Dice | None = None) -> RollHypothesis:
    """The hypothesis that `dice` were thrown, though they were `reported` otherwise.

    reported: None for what the sensor reported by `seen`; `dice` if it reported nothing.
    """
    told = reported or (Dice(*seen.reported[0]) if seen.reported else dice)
    misread = 0.0 if told == dice else seen.misread_log_odds(told, dice)
    prior = misread + seen.log_likelihood_of(dice)
    return RollHypothesis(dice=dice, prior=prior, inferred=told != dice or not seen.reported)


def misreported_rolls(dice: Dice, seen: RollEvidence) -> tuple[RollHypothesis, ...]:
    """The rolls that were reported as `dice` because one die was misread."""
    return tuple(roll_seen(other, seen, dice) for other in ALL_ROLLS if is_one_die_apart(dice, other))
