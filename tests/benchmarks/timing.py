"""Timing of several ways to do the same thing, fair to all on a busy machine."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping

REPETITIONS = 15


def interleaved_medians_s(ways: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Median seconds of processor time of each way; all are run in turn, REPETITIONS times."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    gc.disable()
    try:
        for _ in range(REPETITIONS):
            for name, way in ways.items():
                start_s = time.process_time()
                way()
                taken[name].append(time.process_time() - start_s)
            gc.collect()
    finally:
        gc.enable()
    return {name: statistics.median(times_s) for name, times_s in taken.items()}
