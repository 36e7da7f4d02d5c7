"""The whole service on one core limited to a fifth of its speed: readings a second, and delay of warnings.

Linux control groups hold it to that share of each hundredth of a second, which needs root:
`python -m tests.benchmarks slow_core`.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from controller.rules import Position
from controller.service.clock import real_ms
from hardware.simulated.simulated_port import TrayOnAPty
from tests.benchmarks.hurried_film import SEATING, HurriedFilm, hurried_film

PERIOD_US = 10_000
SHARES = (1.0, 0.2)
LEAST_A_SECOND, MOST_WARNING_MS = 3.0, 1500
"""Least mean readings a second, and longest delay of a warning, that are allowed."""
N_TURNS = 12
GROUPS = Path("/sys/fs/cgroup")
SETTINGS = """\
[board]
white_home = "{home}"

[match]
position = "{start}"
on_roll = "white"

[dice]
port = "{port}"

[lights]
strip = true
"""


@dataclass(frozen=True, kw_only=True)
class Measured:
    """a_second: readings in each whole second of the game. moving: readings a second during each hand.

    warnings_ms: from a wrong play's settling to the strip's light, None where none came.
    learnt_ms: from the camera's opening to the first reading. busy: share of a whole core.
    """

    a_second: list[float]
    moving: list[float]
    warnings_ms: list[int | None]
    learnt_ms: int | None
    busy: float


def run(data: Path | None = None) -> None:
    """Print the table; exits with an error if a limit is not kept."""
    print("readings a second: mean, in the worst second, during the worst hand; warnings: ms after settling")
    print(" core dice       mean  worst    hand  median ms  most ms")
    good = True
    for has_tray in (True, False):
        film = hurried_film(N_TURNS, has_tray=has_tray)
        for share in SHARES:
            found = measure(film, share, has_tray=has_tray)
            print(line(share, has_tray, found), flush=True)
            good &= holds(found)
    if not good:
        raise SystemExit("a slow computer reads too seldom, or warns too late")


def line(share: float, has_tray: bool, found: Measured) -> str:
    """The row of the table."""
    came = [ms for ms in found.warnings_ms if ms is not None]
    missed = len(found.warnings_ms) - len(came)
    return (
        f"{share:5.0%} {'tray' if has_tray else 'picture':8s} {statistics.mean(found.a_second):6.1f} "
        f"{min(found.a_second):6.1f} {min(found.moving):7.1f} {statistics.median(came or [0]):10.0f} "
        f"{max(came, default=0):8d}  {len(came)} warnings, {missed} missed; read after {found.learnt_ms} ms, "
        f"{found.busy:.0%} of a core"
    )


def holds(found: Measured) -> bool:
    """Whether the limits are kept."""
    soon = [ms is not None and ms <= MOST_WARNING_MS for ms in found.warnings_ms]
    return statistics.mean(found.a_second) >= LEAST_A_SECOND and bool(soon) and all(soon)


def measure(film: HurriedFilm, share: float, *, has_tray: bool) -> Measured:
    """Measure the service while it watches the film with a share of one core."""
    with tempfile.TemporaryDirectory(prefix="blotlight-slow-") as name:
        folder = Path(name)
        (folder / "film").write_bytes(pickle.dumps(film))
        port = folder / "dice"
        (folder / "blotlight.toml").write_text(
            SETTINGS.format(home=SEATING.white_home, start=Position.START, port=port)
        )
        tray = TrayOnAPty(port, real_ms) if has_tray else None
        try:
            with core_group(share) as group:
                began_ms = _watch(film, folder, group, tray)
        finally:
            if tray:
                tray.pull_out()
        return _measured(film, json.loads((folder / "noted.json").read_text()), began_ms)


def _watch(film: HurriedFilm, folder: Path, group: Path | None, tray: TrayOnAPty | None) -> int:
    """Run the service on the film; returns when the film began, in ms of the monotonic clock."""
    join = f"echo $$ > {group}/cgroup.procs; " if group else ""
    service = subprocess.Popen(
        [
            *("sh", "-c", f'{join}exec taskset -c 0 "$@"', "sh", sys.executable),
            *("-m", "tests.benchmarks.slow_service", str(folder / "film"), str(folder)),
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
    )
    assert service.stdout is not None
    began_ms = 0
    for said in service.stdout:
        if begun := re.match(r"FILM BEGINS (\d+)", said):
            began_ms = int(begun[1])
            if tray:
                tray.plan(replace(one, t_ms=one.t_ms + began_ms) for one in film.dice)
            threading.Timer(film.end_ms / 1000, service.terminate).start()
    service.wait()
    return began_ms


def _measured(film: HurriedFilm, noted: dict, began_ms: int) -> Measured:  # type: ignore[type-arg]
    read = [(end - began_ms, seen) for _, end, seen in noted["read"]]
    red = [t_ms - began_ms for t_ms in noted["red"]]
    first_ms = film.moving[0][0]
    return Measured(
        a_second=_rates(read, range(first_ms, film.end_ms - 1000, 1000), 1000),
        moving=[_rate(read, begin, end) for begin, end in film.moving],
        warnings_ms=[
            next((t_ms - settled for t_ms in red if settled <= t_ms < settled + 3000), None)
            for settled in film.settled
        ],
        learnt_ms=next((end for end, seen in read if seen), None),
        busy=noted["processor_s"] * 1000 / film.end_ms,
    )


def _rates(read: Sequence[tuple[int, bool]], begins: Sequence[int], ms: int) -> list[float]:
    return [_rate(read, begin, begin + ms) for begin in begins]


def _rate(read: Sequence[tuple[int, bool]], begin_ms: int, end_ms: int) -> float:
    return sum(begin_ms <= end < end_ms for end, _ in read) * 1000 / (end_ms - begin_ms)


@contextmanager
def core_group(share: float) -> Iterator[Path | None]:
    """A control group whose processes get this share of one core, None for the whole core.

    They have priority over other processes, so that a busy machine makes them no slower.
    """
    if share >= 1:
        yield None
        return
    quota_us = round(share * PERIOD_US)
    is_new = (GROUPS / "cgroup.controllers").exists()
    group = (GROUPS if is_new else GROUPS / "cpu") / f"blotlight-{os.getpid()}"
    if is_new:
        (GROUPS / "cgroup.subtree_control").write_text("+cpu")
    group.mkdir()
    try:
        if is_new:
            (group / "cpu.max").write_text(f"{quota_us} {PERIOD_US}")
            (group / "cpu.weight").write_text("10000")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US))
            (group / "cpu.cfs_quota_us").write_text(str(quota_us))
            (group / "cpu.shares").write_text("100000")
        yield group
    finally:
        group.rmdir()
