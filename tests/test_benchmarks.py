"""The benchmarks are there and can be called."""

from importlib import import_module

import pytest

from controller.rules import legal_plays
from tests.benchmarks.__main__ import BENCHMARKS
from tests.benchmarks.plays import random_games
from tests.benchmarks.timing import interleaved_medians_s
from tests.benchmarks.vision import Tally


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_benchmark_named_can_be_run(name):
    assert callable(import_module(f"tests.benchmarks.{name}").run)


def test_positions_for_timing_are_of_real_games_and_the_same_each_time():
    cases = random_games()
    assert len(cases) == 1000
    assert cases == random_games()
    assert all(position.problems() == () and legal_plays(position, *rest) for position, *rest in cases)


def test_ways_are_timed_in_turn():
    calls = []
    medians_s = interleaved_medians_s({"one": lambda: calls.append(1), "two": lambda: calls.append(2)})
    assert calls[:4] == [1, 2, 1, 2]
    assert set(medians_s) == {"one", "two"}


def test_a_recording_none_of_whose_frames_is_scored_has_a_line_without_figures():
    line = Tally(changed_ms=[20.0], unchanged_ms=[0.5]).line("all hands")
    assert line.split()[-3:] == ["nan", "20.0", "0.50"]
