"""What was miscounted while the truth was known is in doubt later."""

from dataclasses import replace

import numpy as np
import pytest

from vision.board_reading import MAX_COUNT, BoardReading, flat_log_likelihoods
from vision.read.count_biases import BIAS_SHARE, CountBiases


def seen(counts: dict[int, int]) -> BoardReading:
    points = np.full((24, 31), 1e-6)
    for place in range(24):
        points[place, MAX_COUNT + counts.get(place, 0)] = 1.0
    return BoardReading(points=np.log(points / points.sum(axis=1, keepdims=True)), bar=np.zeros((2, 16)))


def truth(counts: dict[int, int]) -> tuple[int, ...]:
    return tuple(counts.get(place, 0) for place in range(24))


def test_an_undercounted_stack_is_thought_taller_later_too():
    biases = CountBiases.measured(seen({12: -7}), truth({12: -8}))
    later = biases.allowed_for(seen({12: -6}))
    assert later.counts()[12] == -7
    assert later.confidences()[12] == pytest.approx(BIAS_SHARE, abs=0.01)


def test_other_places_and_the_other_side_are_read_as_before():
    biases = CountBiases.measured(seen({12: -7}), truth({12: -8}))
    reading = seen({12: 2, 3: 4})
    assert biases.allowed_for(reading).points == pytest.approx(reading.points)


def test_a_board_that_was_read_rightly_changes_nothing():
    biases = CountBiases.measured(seen({0: 5, 5: -5}), truth({0: 5, 5: -5}))
    reading = seen({0: 3})
    assert biases.allowed_for(reading) is reading


@pytest.mark.parametrize("shown", [0, 1])
def test_a_place_that_was_read_bare_or_as_the_other_sides_was_not_miscounted(shown):
    assert CountBiases.measured(seen({12: shown}), truth({12: -2})) == CountBiases({})


def test_a_hidden_place_teaches_nothing_and_stays_undecided():
    hidden = seen({})
    hidden.points[12] = flat_log_likelihoods(31)
    hidden = replace(hidden, unseen=frozenset({12}))
    assert CountBiases.measured(hidden, truth({12: -8})) == CountBiases({})
    later = CountBiases.measured(seen({12: -7}), truth({12: -8})).allowed_for(hidden)
    assert later.points[12] == pytest.approx(hidden.points[12])


def test_a_checker_of_a_stack_once_overcounted_does_not_change_sides():
    biases = CountBiases.measured(seen({12: -7}), truth({12: -5}))
    assert biases.allowed_for(seen({12: -1})).counts()[12] == -1


def test_rows_stay_distributions():
    biases = CountBiases.measured(seen({1: 13}), truth({1: 15}))
    for count in (1, 13, 14, 15):
        later = biases.allowed_for(seen({1: count}))
        assert np.exp(later.points[1]).sum() == pytest.approx(1)
