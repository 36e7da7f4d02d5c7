"""Run the benchmarks, all or those named."""

import argparse
from importlib import import_module
from pathlib import Path

BENCHMARKS = (
    "plays",
    "shots",
    "vision",
    "photos",
    "corners",
    "families",
    "dice",
    "half_turns",
    "referee",
    "slow_core",
)
"""Modules of this package, each with `run(data: Path | None) -> None`, which prints a table."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of {', '.join(BENCHMARKS)}")
    parser.add_argument("--data", type=Path, help="folder with labelled recordings, for those that need them")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    for name in arguments.names or BENCHMARKS:
        print(f"== {name}")
        import_module(f"tests.benchmarks.{name}").run(arguments.data)
        print()


if __name__ == "__main__":
    main()
