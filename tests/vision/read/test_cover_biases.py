"""What looks covered while nothing covers it is not taken for covered later."""

import numpy as np
import pytest

from vision.networks.place_reader import N_CLASSES, PlaceReading
from vision.networks.strips import N_PLACES
from vision.read.cover_biases import CoverBiases

PANE = 2
"""A place whose field looks like a cover."""


def said(hidden: float, hand: float = 0.001, pad: float = 0.0) -> PlaceReading:
    shares = np.full(N_PLACES, 0.001, dtype=np.float32)
    shares[PANE] = hidden
    rows = np.full((N_PLACES, N_CLASSES), 1 / N_CLASSES, dtype=np.float32)
    return PlaceReading(probabilities=rows, hidden=shares, hand=hand, pad=pad)


def test_a_place_that_looked_covered_at_the_start_is_not_covered_when_it_looks_the_same():
    later = CoverBiases.measured(said(0.53)).allowed_for(said(0.6))
    assert later.hidden[PANE] < 0.05


def test_it_is_when_it_looks_far_more_so():
    later = CoverBiases.measured(said(0.53)).allowed_for(said(0.999))
    assert later.hidden[PANE] > 0.5


def test_the_field_over_which_a_hand_seemed_to_be_is_judged_alike():
    biases = CoverBiases.measured(said(0.001, hand=0.2))
    assert biases.allowed_for(said(0.001, hand=0.4)).hand < 0.1
    assert biases.allowed_for(said(0.001, hand=0.99)).hand > 0.5


def test_a_board_that_was_told_as_it_should_be_is_told_so_later():
    reading = said(0.9, hand=0.7)
    later = CoverBiases.measured(said(0.001)).allowed_for(reading)
    assert later.hidden == pytest.approx(reading.hidden)
    assert later.hand == pytest.approx(reading.hand)


def test_a_hand_that_was_over_the_field_at_the_start_and_left_is_seen_when_it_comes_back():
    biases = CoverBiases.measured(said(0.001, hand=0.9)).after(said(0.001, hand=0.01), 0)
    assert biases.allowed_for(said(0.001, hand=0.9)).hand > 0.5


def test_what_goes_on_looking_covered_is_not_believed_to_be():
    biases = CoverBiases.measured(said(0.53)).after(said(0.4), 0)
    assert biases.allowed_for(said(0.6)).hidden[PANE] < 0.05


def shown_for_a_minute(reading: PlaceReading) -> CoverBiases:
    """A board that looked clear when it was learnt, and then so, a picture a second."""
    biases = CoverBiases.measured(said(0.001)).after(said(0.001), 0)
    for second in range(1, 61):
        biases = biases.after(reading, 1000 * second)
    return biases


def test_what_looks_covered_for_a_minute_is_how_the_board_looks():
    reading = said(0.6, hand=0.7)
    later = shown_for_a_minute(reading).allowed_for(reading)
    assert later.hidden[PANE] < 0.2
    assert later.hand < 0.2


def test_what_is_surely_covered_stays_so_and_so_does_what_a_pad_lies_on():
    for reading in (said(0.99, hand=0.99), said(0.6, pad=0.9)):
        later = shown_for_a_minute(reading).allowed_for(reading)
        assert later.hidden[PANE] > 0.5


def test_a_hand_that_rests_for_some_seconds_is_seen_all_the_time():
    reading = said(0.6, hand=0.7)
    biases = CoverBiases.measured(said(0.001)).after(said(0.001), 0)
    for second in range(1, 31):
        biases = biases.after(reading, 1000 * second)
        assert biases.allowed_for(reading).hand > 0.5


def test_a_hand_is_seen_though_the_board_looks_a_little_like_one():
    biases = shown_for_a_minute(said(0.5, hand=0.6))
    assert biases.allowed_for(said(0.5, hand=0.97)).hand > 0.5


def test_once_it_looks_clear_again_it_is_judged_as_before():
    reading = said(0.6, hand=0.7)
    biases = shown_for_a_minute(reading).after(said(0.001), 61_000)
    assert biases.allowed_for(reading).hand == pytest.approx(0.7, abs=0.01)


def test_a_hand_is_seen_at_once_though_nothing_had_moved_for_minutes():
    """Pictures that look the same are not read."""
    biases = CoverBiases.measured(said(0.001)).after(said(0.001), 0)
    reading = said(0.6, hand=0.8)
    for t_ms in (300_000, 300_500, 301_000):
        biases = biases.after(reading, t_ms)
        assert biases.allowed_for(reading).hand == pytest.approx(0.8, abs=0.01)


def test_certainty_stays_finite():
    later = CoverBiases.measured(said(1.0, hand=1.0)).allowed_for(said(1.0, hand=1.0))
    assert np.isfinite(later.hidden).all()
    assert later.hand == pytest.approx(0.005, abs=0.001)
