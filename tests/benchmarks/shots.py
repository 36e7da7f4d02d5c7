"""The time that counting the shots at every blot of a position takes."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from controller.rules import shots
from tests.benchmarks.plays import random_games


def run(data: Path | None) -> None:
    """Print the median and the longest time over the positions of random games."""
    taken_s = []
    for position, player, _ in random_games():
        start_s = time.perf_counter()
        shots(position, player)
        taken_s.append(time.perf_counter() - start_s)
    print(f"shots at all blots of a position: median {statistics.median(taken_s) * 1e3:.2f} ms", end=", ")
    print(f"longest {max(taken_s) * 1e3:.2f} ms, {len(taken_s)} positions")
