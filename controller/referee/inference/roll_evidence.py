"""What the dice may have shown: reported, misreported, half reported or missed, and as pictures show them."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from controller.referee.priors import (
    LEAST_MISREPORTED,
    N_MISREADINGS,
    N_WAYS_TO_LEAN,
    PICTURE_ONE_DIE_OFF_NATS,
    PICTURE_OTHER_ROLL_NATS,
    PICTURE_SHOWS_ROLL_NATS,
    PICTURES_TO_TRUST,
    TRUSTED_PICTURES_NATS,
)
from controller.rules import Dice

ALL_ROLLS = tuple(Dice.rolls())


@dataclass(frozen=True, kw_only=True)
class RollHypothesis:
    """A roll that may have been thrown. prior: nats. inferred: the sensor did not report it so."""

    dice: Dice
    prior: float
    inferred: bool


@dataclass(frozen=True)
class PictureRolls:
    """The rolls seen in pictures since the dice were last lifted or thrown, and how often."""

    seen: tuple[tuple[Dice, int], ...] = ()

    def with_picture(self, dice: tuple[int, ...]) -> "PictureRolls":
        """With what one more picture shows; only two dice make a roll."""
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
        """The roll seen in so many pictures that it surely lies there, or one much like it."""
        return self.roll if any(n_seen >= PICTURES_TO_TRUST for _, n_seen in self.seen) else None

    def log_likelihood_of(self, dice: Dice) -> float:
        """The log-likelihood of what was seen if `dice` lie there. Pictures of the same dice err alike."""
        if self.roll is None:
            return 0.0
        if self.roll == dice:
            return PICTURE_SHOWS_ROLL_NATS
        trust = TRUSTED_PICTURES_NATS if self.trusted_roll else 0.0
        return trust + (
            PICTURE_ONE_DIE_OFF_NATS if is_one_die_apart(self.roll, dice) else PICTURE_OTHER_ROLL_NATS
        )


def is_one_die_apart(one: Dice, other: Dice) -> bool:
    """Whether two rolls differ in one die only."""
    return one != other and bool({one.high, one.low} & {other.high, other.low})


def sensor_rolls(rolls: tuple[Dice, ...], pictures: PictureRolls) -> tuple[RollHypothesis, ...]:
    """The rolls that the sensor's reports allow: one, or several when it missed a die or both."""
    total = sum(dice.ways for dice in rolls)
    return tuple(
        RollHypothesis(
            dice=dice,
            prior=math.log(dice.ways / total) + pictures.log_likelihood_of(dice),
            inferred=len(rolls) > 1,
        )
        for dice in rolls
    )


def misreported_rolls(dice: Dice, pictures: PictureRolls, doubt: float) -> tuple[RollHypothesis, ...]:
    """The rolls that the sensor reported as `dice` because it misread one die.

    doubt: the probability of a misread die.
    """
    prior = math.log(max(doubt, LEAST_MISREPORTED) / N_MISREADINGS)
    return tuple(
        RollHypothesis(dice=other, prior=prior + pictures.log_likelihood_of(other), inferred=True)
        for other in ALL_ROLLS
        if is_one_die_apart(dice, other)
    )


def void_roll_nats(doubt: float) -> float:
    """Prior of a reported roll being thrown over because one die leaned. doubt: as above."""
    return math.log(max(doubt, LEAST_MISREPORTED) * N_WAYS_TO_LEAN / N_MISREADINGS)


def any_roll(pictures: PictureRolls) -> tuple[RollHypothesis, ...]:
    """Every roll, when the sensor reported none."""
    return sensor_rolls(ALL_ROLLS, pictures)


def any_opening_roll(pictures: PictureRolls) -> tuple[RollHypothesis, ...]:
    """Every roll that may begin a game, when the sensor reported none. Equal dice are thrown again."""
    return sensor_rolls(tuple(dice for dice in ALL_ROLLS if not dice.is_double), pictures)


def dice_of(throws: Iterable[RollHypothesis]) -> tuple[Dice, ...]:
    return tuple(throw.dice for throw in throws)
