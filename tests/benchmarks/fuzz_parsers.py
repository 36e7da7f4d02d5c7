"""Feeds every parser garbage of up to a megabyte, and reports what took long or failed.

    python -m tests.benchmarks.fuzz_parsers --seconds 60

A parser may return or raise a ValueError. Any other exception is a failure, and so are more than 2 s and more
than 200 MB. Each parser runs in a process of its own, so that none hides in the memory that another needed.
The seed is printed, and `--seed` repeats a run.
"""

from __future__ import annotations

import argparse
import random
import resource
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from itertools import repeat
from types import FrameType

from controller.record.mat_reader import parse_mat
from controller.record.sgf import parse_sgf
from controller.record.thrown_games import parse_thrown_game
from controller.rules import (
    Position,
    Situation,
    TurnState,
    draw_diagram,
    parse_diagram,
    parse_situation,
    parse_steps,
    xgid,
)

MOST_SECONDS = 2.0
GIVEN_UP_SECONDS = 20.0
"""A parser that takes so long is interrupted."""
MOST_MEMORY_MB = 200
MOST_CHARACTERS = 1_000_000

_MAT = (
    " 5 point match\n\n Game 1\n Ada : 0    Bert : 0\n"
    "  1) 31: 8/5 6/5    52: 13/8 13/11\n  2)  Doubles => 2  Takes\n"
)
_SGF = (
    "(;FF[4]GM[6]MI[length:5][game:0]PW[Ada]PB[Bert];W[31hefe];B[52lqln];W[double];B[take];PL[W]AE[a:y]AW[f])"
)
_THROWN = (
    '{"laws": "russian-cady", "leader": "white"}\n'
    '{"player": "white", "dice": "65", "play": "off/19 off/20"}\n'
)

PARSERS: dict[str, tuple[Callable[[str], object], str]] = {
    "mat": (parse_mat, _MAT),
    "sgf": (parse_sgf, _SGF),
    "thrown game": (parse_thrown_game, _THROWN),
    "XGID and IDs": (parse_situation, xgid(Situation(position=Position.START))),
    "diagram": (parse_diagram, draw_diagram(Position.START)),
    "position": (Position.parse, str(Position.START)),
    "turn state": (TurnState.parse, "0:0 white throws 0-0 0-0"),
    "play": (parse_steps, "8/5* 6/5(2) bar/20"),
}


def garbage(sample: str, chance: random.Random) -> str:
    """`sample` with pieces of it repeated, cut, moved and replaced, up to a megabyte long."""
    pieces = [sample]
    for _ in range(chance.randint(1, 6)):
        text = chance.choice(pieces)
        begin = chance.randrange(len(text) + 1)
        piece = text[begin : begin + chance.choice((1, 2, 5, 20, 200))] or " "
        most = MOST_CHARACTERS // len(piece)
        pieces.append(piece * chance.choice((1, 2, 10, chance.randint(1, most), most)))
        pieces.append("".join(chance.choice(sample + "\x00\ud800é9 \n:[]()") for _ in range(20)))
    chance.shuffle(pieces)
    return "".join(pieces)[:MOST_CHARACTERS]


def fuzz(name: str, seconds: float, seed: int) -> list[str]:
    """The failures of one parser in so many seconds."""
    parse, sample = PARSERS[name]
    chance, failures, n = random.Random(seed), [], 0
    worst_s, before_mb = 0.0, _memory_mb()
    signal.signal(signal.SIGPROF, _give_up)
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        text, begun_s = garbage(sample, chance), time.process_time()
        signal.setitimer(signal.ITIMER_PROF, GIVEN_UP_SECONDS)
        try:
            with suppress(ValueError):
                parse(text)
        except Exception as error:  # whatever is raised is what we look for
            failures.append(f"{name}: {type(error).__name__}: {error} at {text[:60]!r}")
        signal.setitimer(signal.ITIMER_PROF, 0)
        took_s = time.process_time() - begun_s
        worst_s, n = max(worst_s, took_s), n + 1
        if took_s > MOST_SECONDS:
            failures.append(f"{name}: {took_s:.1f} s for {len(text)} characters that begin {text[:60]!r}")
    grown_mb = _memory_mb() - before_mb
    if grown_mb > MOST_MEMORY_MB:
        failures.append(f"{name}: the process grew by {grown_mb} MB")
    print(f"{name:16}{n:8} inputs, worst {worst_s:.2f} s, process grown by {grown_mb} MB")
    return failures


def _give_up(_signal: int, _frame: FrameType | None) -> None:
    raise TimeoutError("it was interrupted")


def _memory_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="for each parser")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 30))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    with ProcessPoolExecutor(max_workers=1, max_tasks_per_child=1) as processes:
        found = processes.map(fuzz, PARSERS, repeat(options.seconds), repeat(options.seed))
        failures = [line for lines in found for line in lines]
    print("\n".join(failures) or "no failure")
    return int(bool(failures))


if __name__ == "__main__":
    sys.exit(main())
