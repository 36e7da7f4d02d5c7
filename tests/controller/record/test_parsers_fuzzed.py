"""A short form of `python -m tests.benchmarks.fuzz_parsers`."""

import pytest

from tests.benchmarks.fuzz_parsers import PARSERS, fuzz


@pytest.mark.parametrize("name", PARSERS)
def test_half_a_second_of_garbage_is_harmless(name):
    assert fuzz(name, 0.5, seed=1) == []
