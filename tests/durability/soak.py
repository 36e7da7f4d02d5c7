"""Hours at the table in a few minutes: does memory grow, are files or threads left open?

    python -m tests.durability.soak --play-hours 8 --faulty-hours 8 --idle-hours 24

The live service with its reader, referee, log, photographs and page over a drawn table, on a clock that the
program moves. What a first stretch fills once, such as caches, does not count as growth.
"""

import argparse
import ctypes
import gc
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median

import httpx

from controller.freed_memory import give_freed_memory_back
from controller.record.match_settings import MatchSettings
from controller.rules import OFF, Dice, Player, Position, legal_plays
from controller.simulation.screenplay import REST_MS
from hardware.camera import Frame
from hardware.simulated.drawn_table import draw_table
from tests.benchmarks.illegal_plays import illegal_play
from tests.benchmarks.players import sensibly
from tests.controller.page.paged_table import PagedTable
from tests.controller.service.matches.table_in_hand import LOOKS
from tests.durability.evening import evening_events, played

HOUR_MS = 3_600_000
PLAY_EVERY_MS, IDLE_EVERY_MS = 800, 1000
"""The time between two frames: those of a slow computer, so that hours fit into minutes."""
SMALL = "small"
LOOKS[SMALL] = replace(LOOKS["felt"], size_wh=(640, 360))
MATCH = MatchSettings(white="Ada", black="Bert", length=5)
WARM_SHARE, WARM_MS = 0.25, HOUR_MS
"""What comes before growth counts: this share of a short run, at most so long."""
SAMPLES = 60
"""Measurements of a run after it is warm."""
MOST_GROWTH_BYTES = 2_000_000
WRONG_SHARE = 0.1
"""Plays that are wrong at first."""


@dataclass(frozen=True, kw_only=True)
class Load:
    """What the process holds: memory in bytes, open files, threads."""

    memory: int
    files: int
    threads: int

    @staticmethod
    def now() -> "Load":
        """After everything that can be given back was given back."""
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return Load(
            memory=pages * os.sysconf("SC_PAGESIZE"),
            files=len(os.listdir("/proc/self/fd")),
            threads=threading.active_count(),
        )


@dataclass(frozen=True, kw_only=True)
class Growth:
    """From the first third of the measurements to the last third, each by its median."""

    memory: int
    files: int
    threads: int

    @staticmethod
    def of(loads: list[Load]) -> "Growth":
        third = len(loads) // 3
        first, last = loads[:third], loads[-third:]
        memory, files, threads = (
            round(
                median(getattr(load, name) for load in last) - median(getattr(load, name) for load in first)
            )
            for name in ("memory", "files", "threads")
        )
        return Growth(memory=memory, files=files, threads=threads)

    @property
    def is_small(self) -> bool:
        """Whether nothing leaks."""
        return self.memory < MOST_GROWTH_BYTES and self.files <= 0 and self.threads <= 0


class SoakedTable(PagedTable):
    """A table whose happenings are forgotten once they are over. every_ms: the time between two frames."""

    def __init__(self, folder: Path, every_ms: int) -> None:
        self.every_ms = every_ms
        super().__init__(folder, MATCH, look=SMALL)
        self.screen._out = open(os.devnull, "w")  # noqa: SIM115 - closed in leave
        self.browser = httpx.Client(base_url=self.url, timeout=30)

    def wait(self, ms: int) -> None:
        for _ in range(-(-ms // self.every_ms)):
            self.clock.t_ms += self.every_ms
            self._new = True
            self.service.run_once(self.page.lines())

    def next_frame(self) -> Frame | None:
        """A scene is drawn once: drawing takes longest."""
        if not self._new:
            return None
        self._new = False
        scene = self.table.scene(self.clock.t_ms)
        if scene != self._drawn[0]:
            self._drawn = scene, draw_table(scene, self._look)
        return Frame(t_ms=self.clock.t_ms, image_bgr=self._drawn[1])

    _drawn: tuple = (None, None)

    def look(self) -> None:
        """Somebody looks at the page."""
        self.browser.get("/camera.jpg").raise_for_status()
        self.browser.get("/camera").raise_for_status()
        self.browser.get("/matches").raise_for_status()

    def leave(self) -> None:
        self.browser.close()
        super().leave()
        self.screen._out.close()


def play_games(table: SoakedTable, chance: Random) -> Iterator[int]:
    """Games of two sensible players; gives the number of the game after each half-turn."""
    for number in count(1):
        for _ in play_game(table, chance):
            yield number


def play_game(table: SoakedTable, chance: Random) -> Iterator[None]:
    """The half-turns of a game; now and then a play is wrong at first."""
    hands = table.hands
    hands._furnish()
    table.wait(4000)
    position, player = Position.START, None
    while True:
        thrown = chance.randint(1, 6), chance.randint(1, 6)
        while player is None and thrown[0] == thrown[1]:
            thrown = chance.randint(1, 6), chance.randint(1, 6)
        player = player or (Player.WHITE if thrown[0] > thrown[1] else Player.BLACK)
        plays = legal_plays(position, player, Dice(max(thrown), min(thrown)))
        play = sensibly(plays, chance)
        director = hands._director()
        director.throw_dice(thrown)
        wrong = chance.random() < WRONG_SHARE and illegal_play(play, plays, chance, stands=False)
        if wrong:
            director.carry_checkers(player, wrong.steps)
            director.arrange(wrong.result, hand=None)
            director.wait(2 * REST_MS)
            director.arrange(position, hand=None)
            director.wait(REST_MS)
        director.carry_checkers(player, play.steps)
        director.wait(REST_MS)
        director.lift_dice()
        hands._add_script(director)
        table.wait(table.table.end_ms - table.clock.t_ms + table.every_ms)
        position, player = play.result, player.opponent
        yield
        if position.side(player.opponent)[OFF] == 15:
            table.wait(4000)
            return


def play(hours: float, folder: Path, every_ms: int) -> Iterator[tuple[Load, str]]:
    """Matches of five points, one after the other."""
    table = SoakedTable(folder, every_ms)
    counters = table.service._vitals.counters
    try:
        due_ms = warm_ms = min(WARM_MS, hours * HOUR_MS * WARM_SHARE)
        for n_turns, game in enumerate(play_games(table, Random(1)), start=1):
            if table.clock.t_ms >= due_ms:
                table.look()
                due_ms += (hours * HOUR_MS - warm_ms) / SAMPLES
                told = f"{counters.half_turns} of {n_turns} half-turns recorded"
                yield Load.now(), f"{table.clock.t_ms / HOUR_MS:.2f} h, game {game}, {told}"
            if table.clock.t_ms >= hours * HOUR_MS:
                return
    finally:
        table.leave()


def faulty(hours: float, folder: Path) -> Iterator[tuple[Load, str]]:
    """Games in which everything goes wrong now and then, with the boards read as the reader would."""
    folder.mkdir()
    warm_ms, played_ms = min(WARM_MS, hours * HOUR_MS * WARM_SHARE), 0
    for seed in count(1):
        log = folder / f"{seed}.db"
        with told_by_another(seed) as (length_ms, events):
            for _ in played([], events, log):
                pass
        log.unlink()
        played_ms += length_ms
        if played_ms >= warm_ms:
            yield Load.now(), f"{played_ms / HOUR_MS:.2f} h, {seed} games"
        if played_ms >= hours * HOUR_MS:
            return


@contextmanager
def told_by_another(seed: int) -> Iterator[tuple[int, Iterator]]:
    """How long a game lasts, and its events, told one by one: no service holds those of a whole game at once.

    Another process makes them up, so that this one grows only by what the service leaves.
    """
    ours, theirs = get_context("spawn").Pipe(duplex=False)
    teller = get_context("spawn").Process(target=tell, args=(seed, theirs))
    teller.start()
    theirs.close()
    yield ours.recv(), iter(ours.recv, None)
    teller.join()
    teller.close()
    ours.close()


def tell(seed: int, told: Connection) -> None:
    """Send how long a game lasts, each of its events, and None."""
    events = evening_events(seed)
    told.send(events[-1].t_ms)
    for event in (*events, None):
        told.send(event)


def idle(hours: float, folder: Path, every_ms: int) -> Iterator[tuple[Load, str]]:
    """A board that nobody touches."""
    table = SoakedTable(folder, every_ms)
    try:
        warm_ms = min(WARM_MS, hours * HOUR_MS * WARM_SHARE)
        table.wait(round(warm_ms))
        for _ in range(SAMPLES):
            table.wait(round((hours * HOUR_MS - warm_ms) / SAMPLES))
            table.look()
            yield (
                Load.now(),
                f"{table.clock.t_ms / HOUR_MS:.2f} h, {table.service._vitals.counters.frames} frames",
            )
    finally:
        table.leave()


def soaked(found: Iterator[tuple[Load, str]], name: str) -> Growth:
    """Run to the end; what grew."""
    loads, did = [], ""
    for load, did in found:
        loads.append(load)
        if len(loads) % 5 == 1:
            print(
                f"{name}: {load.memory / 1e6:.1f} MB, {load.files} files, {load.threads} threads; {did}",
                flush=True,
            )
    growth = Growth.of(loads)
    print(
        f"{name}: grew by {growth.memory / 1e6:.2f} MB, {growth.files} files, {growth.threads} threads; {did}"
    )
    return growth


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--play-hours", type=float, default=0.0)
    parser.add_argument("--faulty-hours", type=float, default=0.0)
    parser.add_argument("--idle-hours", type=float, default=0.0)
    options = parser.parse_args()
    give_freed_memory_back()
    found = []
    with tempfile.TemporaryDirectory(prefix="blotlight-soak-") as folder:
        if options.play_hours:
            found.append(soaked(play(options.play_hours, Path(folder) / "play", PLAY_EVERY_MS), "play"))
        if options.faulty_hours:
            found.append(soaked(faulty(options.faulty_hours, Path(folder) / "faulty"), "faulty"))
        if options.idle_hours:
            found.append(soaked(idle(options.idle_hours, Path(folder) / "idle", IDLE_EVERY_MS), "idle"))
    return 0 if found and all(growth.is_small for growth in found) else 1


if __name__ == "__main__":
    sys.exit(main())
