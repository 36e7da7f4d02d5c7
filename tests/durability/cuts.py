"""Kills the service and cuts its power at random moments, and looks at what is left of the record.

    python -m tests.durability.cuts --kills 500 --cuts 500

Each time: everything that was shown as recorded must be there, the log must be whole, and the match must go
on at the turn that was last shown, or at the one after it where it was written but the showing came too late.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

from controller.record.keeper import MatchKeeper
from controller.service.restore import restore_match
from tests.durability.evening import MATCH, evening_events, show_evening, summary

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
KILLED_AFTER = 12
"""Lines that are shown at most before a kill. A game has some 300, so it is killed some 40 times."""
PATIENCE_S = 300
"""How long those lines may take on a machine that does other things."""
SECTOR = 512
"""Bytes that a disk writes whole or not at all."""


@dataclass(frozen=True)
class Write:
    """One thing that was done to a file: W write, T cut to `at` bytes, S sync, U removed, R renamed."""

    kind: str
    path: str
    at: int = 0
    data: bytes = b""
    target: str = ""


class Kept:
    """What a game leaves in a folder: its log, and the lines of what was shown."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        self.log, self.shown = folder / "blotlight.db", folder / "shown"

    def shown_lines(self) -> list:
        """Everything that was shown; a line that is not whole was not shown."""
        text = self.shown.read_text() if self.shown.exists() else ""
        return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def watcher_library(folder: Path) -> Path:
    """The library that logs writes, compiled."""
    library = folder / "write_log.so"
    words = ["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(HERE / "write_log.c"), "-ldl"]
    subprocess.run(words, check=True)
    return library


def judge(log: Path, shown: list, all_shown: list) -> str:
    """What is wrong with a log after its program ended unasked; "" when nothing is.

    shown: what had been shown until then; all_shown: what is shown when nobody interrupts.
    """
    said: list[str] = []
    with closing(MatchKeeper(log, MATCH, said.append)) as keeper:
        if said:
            return f"the log is not whole: {said}"
        found = restore_match(keeper.earlier, MATCH.state())
    n_shown = len(shown)
    if found is None:
        return "nothing is left of the match" if n_shown else ""
    expected = all_shown[max(0, n_shown - 1) : n_shown + 1]
    left = summary(found.state)
    if any(_goes_on(left, one) for one in expected):
        return ""
    return f"left {_ending(left)}, expected {' or '.join(map(_ending, expected))}"


def _ending(shown: list) -> str:
    phase, player, rolls, turns = shown
    return f"{phase} {player} {rolls} after {len(turns)} half-turns, the last {turns[-3:]}"


def _goes_on(left: list, shown: list) -> bool:
    """Whether the match goes on where it was: the same half-turns, the same player on roll, the same roll."""
    if left[3] != shown[3]:
        return False
    if shown[0] in ("opening roll", "over", "between games"):
        return left[0] in (shown[0], "before the roll", "rolled", "opening roll")
    return left[1] == shown[1] and (left[2] == shown[2] or left[0] == "before the roll")


def writes_in(log: Path) -> list[Write]:
    """The log of write_log.c."""
    content, found, at = log.read_bytes(), [], 0
    while at < len(content):
        end = content.index(b"\n", at)
        kind, offset, length, path = content[at:end].decode().split(" ", 3)
        path, _, target = path.partition("\t")
        at = end + 1 + int(length)
        found.append(Write(kind, path, int(offset), content[end + 1 : at], target))
    return found


def cut(writes: list[Write], until: int, random: Random, folder: Path, target: Path) -> None:
    """Make `target` the folder as it is after the power was cut before write number `until`.

    What was synchronised is there, and names that were removed before their folder was synchronised are gone.
    Of what was written since, each sector may be there or not, in any order, for a disk writes as it likes.
    The file of shared memory (-shm) was never on the disk.
    """
    done = writes[:until]
    synced = {write.path: number for number, write in enumerate(done) if write.kind == "S"}
    files: dict[str, bytearray] = defaultdict(bytearray)
    keeps = random.choice((0.0, 0.5, 1.0))
    for number, write in enumerate(done):
        is_sure = number < synced.get(write.path, -1)
        is_named = number < synced.get(str(folder), -1)
        match write.kind:
            case "W":
                _write_sectors(files[write.path], write, 1.0 if is_sure else keeps, random)
            case "T" if is_sure or random.random() < keeps:
                content = files[write.path]
                content[write.at :] = bytes(max(0, write.at - len(content)))
            case "U" if is_named or random.random() < keeps:
                files.pop(write.path, None)
            case "R" if write.path in files:
                files[write.target] = files.pop(write.path)
    for path, content in files.items():
        name = Path(path).relative_to(folder)
        if not name.name.endswith("-shm"):
            (target / name).write_bytes(content)


def _write_sectors(content: bytearray, write: Write, share: float, random: Random) -> None:
    for start in range(write.at - write.at % SECTOR, write.at + len(write.data), SECTOR):
        if random.random() < share:
            first, last = max(start, write.at), min(start + SECTOR, write.at + len(write.data))
            content.extend(bytes(max(0, last - len(content))))
            content[first:last] = write.data[first - write.at : last - write.at]


def power_cuts(n_cuts: int, seed: int, *given: str) -> Iterator[str]:
    """What is wrong after each power cut within one game. given: options of tests.durability.evening."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as place:
        folder, log = Path(place) / "kept", Path(place) / "writes"
        kept = Kept(folder)
        watched = {
            "LD_PRELOAD": str(watcher_library(Path(place))),
            "BLOTLIGHT_WATCHED": str(folder),
            "BLOTLIGHT_WRITES": str(log),
        }
        words = [sys.executable, "-m", "tests.durability.evening", str(seed), str(kept.log), str(kept.shown)]
        subprocess.run([*words, *given], cwd=ROOT, env=os.environ | watched, check=True)
        all_shown, writes = [shown for _, shown in kept.shown_lines()], writes_in(log)
        lines = [n for n, write in enumerate(writes) if write.path == str(kept.shown) and write.kind == "W"]
        own = [write for write in writes if write.path != str(kept.shown)]
        assert len(lines) == len(all_shown)
        assert any(write.kind == "S" for write in own)
        for _ in range(n_cuts):
            until = random.randrange(lines[0], len(writes))
            target = Path(place) / "left"
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            cut(writes, until, random, folder, target)
            n_shown = sum(line < until for line in lines)
            yield judge(target / kept.log.name, all_shown[:n_shown], all_shown)


def kills(n_kills: int, seed: int) -> Iterator[str]:
    """What is wrong after each of so many kills. After each, the game goes on with what is left.

    Each play is a process of its own, forked from one that has loaded the modules and nothing else.
    """
    random, events, since = Random(seed), evening_events(seed), 0
    processes = multiprocessing.get_context("forkserver")
    processes.set_forkserver_preload([show_evening.__module__])
    n_done = 0
    with tempfile.TemporaryDirectory() as place:
        left, before, looked_at = (Path(place) / name for name in ("left", "before", "looked_at"))
        left.mkdir()
        while n_done < n_kills:
            _copy(left, before)
            (left / "shown").unlink(missing_ok=True)
            kept = Kept(left)
            play = processes.Process(target=show_evening, args=(events, kept.log, kept.shown, since))
            play.start()
            _wait_for_moment(kept, play, random)
            play.kill()
            play.join()
            if play.exitcode == 0:  # the game was over before
                events, since = evening_events(random.randrange(1_000_000)), 0
                shutil.rmtree(left)
                left.mkdir()
                continue
            lines = kept.shown_lines()
            shown = [line for _, line in lines]
            _copy(left, looked_at)
            wrong = judge(Kept(looked_at).log, shown, shown)
            if wrong and lines:  # what was written may be shown next
                again = Kept(before)
                again.shown.unlink(missing_ok=True)
                show_evening(events, again.log, again.shown, since, len(lines) + 1)
                _copy(left, looked_at)
                wrong = judge(Kept(looked_at).log, shown, [line for _, line in again.shown_lines()])
            since = lines[-1][0] if lines else since
            n_done += 1
            yield wrong


def _copy(folder: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(folder, target)


def _wait_for_moment(kept: Kept, play: BaseProcess, random: Random) -> None:
    """Wait until some lines were shown, and then for a random part of the time that a line takes."""
    began_s, n_shown = time.monotonic(), random.randrange(KILLED_AFTER)
    while play.is_alive() and time.monotonic() < began_s + PATIENCE_S:
        if kept.shown.exists() and kept.shown.read_bytes().count(b"\n") > n_shown:
            break
        time.sleep(0.002)
    time.sleep(random.random() * (time.monotonic() - began_s) / (n_shown + 1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--cuts", type=int, default=500)
    parser.add_argument("--games", type=int, default=10, help="among which they are shared out evenly")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first game")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.games)
    wrong = sum(
        _reported(what, chain.from_iterable(proof(-(-number // options.games), seed) for seed in seeds))
        for what, proof, number in (("power cuts", power_cuts, options.cuts), ("kills", kills, options.kills))
        if number
    )
    return 1 if wrong else 0


def _reported(what: str, verdicts: Iterable[str]) -> int:
    n_done = n_wrong = 0
    for verdict in verdicts:
        n_done += 1
        if verdict:
            n_wrong += 1
            print(verdict, flush=True)
    print(f"{what}: {n_done}, of which something was lost in {n_wrong}", flush=True)
    return n_wrong


if __name__ == "__main__":
    sys.exit(main())
