"""What the dice may have shown, as reported by the sensor and seen in pictures."""

import math

import pytest

from controller.referee.dice_tray import DiceTray, DieState
from controller.referee.inference.roll_evidence import (
    UNKNOWN_FACE,
    RollEvidence,
    any_roll,
    half_read_rolls,
    is_one_die_apart,
    misreported_rolls,
    odds_of,
    sensor_odds,
    sensor_rolls,
)
from controller.referee.priors import PICTURES_TO_TRUST, TRUSTED_PICTURES_NATS
from controller.rules import Dice
from tests.controller.referee.inference.boards import NO_PICTURES


def pictures(*rolls: tuple[int, ...]) -> RollEvidence:
    shown = NO_PICTURES
    for roll in rolls:
        shown = shown.with_picture(roll)
    return shown


def chance(throws) -> float:
    return sum(math.exp(throw.prior) for throw in throws)


def test_a_reported_roll_is_certain():
    (throw,) = sensor_rolls((Dice(3, 1),), NO_PICTURES)
    assert (throw.dice, throw.prior, throw.inferred) == (Dice(3, 1), 0.0, False)


def test_any_roll_is_as_likely_as_the_dice_fall():
    by_roll = {throw.dice: math.exp(throw.prior) for throw in any_roll(NO_PICTURES)}
    assert by_roll[Dice(3, 1)] == pytest.approx(2 / 36)
    assert by_roll[Dice(3, 3)] == pytest.approx(1 / 36)
    assert sum(by_roll.values()) == pytest.approx(1)


def test_no_double_begins_a_game():
    throws = any_roll(ties=False)
    assert len(throws) == 15
    assert chance(throws) == pytest.approx(1)


def test_a_die_that_was_not_read_may_show_any_face():
    tray = DiceTray((DieState.LYING, DieState.MOVING), (3, None))
    rolls = half_read_rolls(odds_of(tray), ties=True)
    assert {frozenset((dice.high, dice.low)) for dice in rolls} == {frozenset((3, n)) for n in range(1, 7)}
    throws = sensor_rolls(rolls, RollEvidence(half_read=odds_of(tray)))
    assert len({round(throw.prior, 2) for throw in throws}) == 1, "the other die is fair"


def test_dice_that_are_not_sure_are_as_likely_as_their_odds():
    one, other = (0.6, 0.4, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0.9, 0.1, 0)
    rolls = half_read_rolls((one, other), ties=True)
    assert rolls == (Dice(5, 1), Dice(5, 2), Dice(6, 1), Dice(6, 2))
    assert rolls == half_read_rolls((other, one), ties=True), "nobody knows which die is which"
    first, second, *_ = sensor_rolls(rolls, RollEvidence(half_read=(one, other)))
    assert first.prior - second.prior == pytest.approx(math.log(0.6 / 0.4))


def reported(first: int, second: int, sure: float) -> RollEvidence:
    odds = sensor_odds(first, sure), sensor_odds(second, sure)
    return RollEvidence(reported=((first, second), odds))


def test_a_misreported_roll_costs_its_doubt_and_differs_in_one_die():
    throws = misreported_rolls(Dice(3, 1), reported(1, 3, 0.99))
    assert all(is_one_die_apart(throw.dice, Dice(3, 1)) and throw.inferred for throw in throws)
    assert len(throws) == 10
    assert chance(throws) == pytest.approx(2 * 5 / 6 * 0.01 / 0.99), "a misread die may also lean"


def test_the_face_that_a_die_nearly_showed_is_the_likelier_misreading():
    nearly_two = (0.8, 0.15, 0.01, 0.01, 0.01, 0.01, 0.01)
    seen = RollEvidence(reported=((1, 1), (sensor_odds(1), nearly_two)))
    likeliest = max(misreported_rolls(Dice(1, 1), seen), key=lambda throw: throw.prior)
    assert likeliest.dice == Dice(2, 1)
    assert math.exp(likeliest.prior) == pytest.approx(0.15 / 0.8, rel=0.01)


def test_a_sure_die_is_still_misreported_now_and_then():
    assert 0 < chance(misreported_rolls(Dice(3, 1), reported(3, 1, 1.0))) < 1e-4


def test_one_roll_shows_what_it_shows_and_of_several_each_has_its_share():
    shown, one, other = pictures((3, 1)), Dice(3, 1), Dice(5, 4)
    assert shown.log_likelihood_of_any((one,)) == shown.log_likelihood_of(one)
    both = [math.exp(shown.log_likelihood_of(dice)) for dice in (one, other)]
    assert math.exp(shown.log_likelihood_of_any((one, other))) == pytest.approx(sum(both) / 2)


def test_two_rolls_that_share_no_face_are_more_than_one_die_apart():
    assert not is_one_die_apart(Dice(3, 1), Dice(5, 4))
    assert not is_one_die_apart(Dice(3, 1), Dice(3, 1))
    assert is_one_die_apart(Dice(3, 1), Dice(3, 3))


def test_without_pictures_no_roll_is_preferred():
    assert NO_PICTURES.log_likelihood_of(Dice(3, 1)) == 0


def test_the_roll_in_the_pictures_is_the_likeliest_and_one_with_one_other_face_the_next():
    shown = pictures((3, 1))
    same, near, far = (shown.log_likelihood_of(dice) for dice in (Dice(3, 1), Dice(3, 2), Dice(5, 4)))
    assert same > near > far


def test_one_die_in_a_picture_is_no_roll():
    assert pictures((3,), (), (3, 1, 2)).roll is None


def test_the_order_of_pictures_makes_no_difference():
    one, other = pictures((3, 1), (3, 2), (3, 1)), pictures((3, 2), (3, 1), (3, 1))
    assert one.roll == other.roll == Dice(3, 1)
    assert one.log_likelihood_of(Dice(3, 2)) == other.log_likelihood_of(Dice(3, 2))


def test_a_roll_in_many_pictures_makes_the_others_less_likely():
    few, many = pictures(*[(3, 1)] * (PICTURES_TO_TRUST - 1)), pictures(*[(3, 1)] * PICTURES_TO_TRUST)
    assert (few.trusted_roll, many.trusted_roll) == (None, Dice(3, 1))
    other = Dice(5, 4)
    assert many.log_likelihood_of(other) - few.log_likelihood_of(other) == pytest.approx(
        TRUSTED_PICTURES_NATS
    )


def test_a_tie_is_none_of_the_rolls_that_a_half_read_throw_may_show_where_it_is_void():
    odds = (sensor_odds(3), UNKNOWN_FACE)
    assert Dice(3, 3) in half_read_rolls(odds, ties=True)
    assert Dice(3, 3) not in half_read_rolls(odds, ties=False)
    assert not half_read_rolls((sensor_odds(3), sensor_odds(3)), ties=False)
