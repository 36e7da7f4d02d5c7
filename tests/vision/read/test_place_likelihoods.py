"""What the networks say of each place, as likelihoods of what lies there."""

import numpy as np
import pytest

from vision.networks.place_reader import MIXED, N_CLASSES, PlaceReading
from vision.read.place_likelihoods import COVERING_HAND_FROM, HIDDEN_FROM, reading_of


def said(classes: dict[int, int], hidden: tuple[int, ...] = (), hand: float = 0.0) -> PlaceReading:
    """An answer that is sure of these classes, and that all other places are bare."""
    probabilities = np.zeros((26, N_CLASSES), dtype=np.float32)
    for place in range(26):
        probabilities[place, classes.get(place, 0)] = 1.0
    covers = np.zeros(26, dtype=np.float32)
    covers[list(hidden)] = HIDDEN_FROM
    return PlaceReading(probabilities=probabilities, hidden=covers, hand=hand, pad=0.0)


def test_a_point_with_both_colours_is_mixed_only_while_it_is_seen():
    assert reading_of(said({3: MIXED})).mixed == {3}
    assert reading_of(said({3: MIXED}, hidden=(3,))).mixed == frozenset()


def test_a_point_that_is_only_likely_to_be_mixed_is_not_surely_so():
    answer = said({3: MIXED, 4: MIXED})
    answer.probabilities[3, [2, MIXED]] = 0.2, 0.8
    reading = reading_of(answer)
    assert reading.mixed == {3, 4}
    assert reading.surely_mixed == {4}
    assert reading_of(said({4: MIXED}, hidden=(4,))).surely_mixed == frozenset()


def test_a_hidden_place_favours_no_count():
    reading = reading_of(said({3: 5}, hidden=(3,)))
    assert reading.unseen == {3}
    assert reading.points[3] == pytest.approx(np.full(31, -np.log(31)))


def test_half_of_the_bar_hides_the_bar():
    reading = reading_of(said({24: 2}, hidden=(25,)))
    assert reading.unseen == {24}
    assert reading.bar[0] == pytest.approx(reading.bar[1])


def test_a_doubtful_hand_counts_where_something_is_hidden():
    assert not reading_of(said({}, hand=COVERING_HAND_FROM)).hand
    assert reading_of(said({}, hidden=(0,), hand=COVERING_HAND_FROM)).hand


def test_a_mixed_half_of_the_bar_holds_one_of_each_side():
    assert reading_of(said({24: MIXED, 25: 2})).bar_counts() == (3, 1)
