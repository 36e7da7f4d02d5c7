"""Kills the service and cuts its power at random moments, and looks at what is left of the record.

    python -m tests.durability.cuts --kills 500 --cuts 500

Each time: everything that was shown as recorded must be there, the log must be whole, and the match must go
on at the turn that was last shown, or at the one after it where it was written but the showing came too late.
"""

import argparse
import json
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
from pathlib import Path
from random import Random

from controller.record.keeper import MatchKeeper
from controller.service.restore import restore_match
from tests.durability.evening import MATCH, summary

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
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


class Play:
    """One game in a process of its own. `folder` holds the log; `shown` the lines of what was shown."""

    def __init__(self, folder: Path, seed: int, *given: str, watched: Path | None = None) -> None:
        self.log, self.shown, self.writes = (
            folder / "blotlight.db",
            folder / "shown",
            folder.parent / "writes",
        )
        environment = dict(os.environ)
        if watched is not None:
            environment |= {
                "LD_PRELOAD": str(watched),
                "BLOTLIGHT_WATCHED": str(folder),
                "BLOTLIGHT_WRITES": str(self.writes),
            }
        words = [sys.executable, "-m", "tests.durability.evening", str(seed), str(self.log), str(self.shown)]
        self.process = subprocess.Popen([*words, *given], cwd=ROOT, env=environment)

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
        return "nothing is left of the match" if n_shown > 1 else ""
    expected = all_shown[max(0, n_shown - 1) : n_shown + 1]
    left = summary(found.state)
    if any(_goes_on(left, one) for one in expected):
        return ""
    return f"left {left[:3]} {len(left[3])} turns, expected {[(one[:3], len(one[3])) for one in expected]}"


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
        folder = Path(place) / "kept"
        folder.mkdir()
        play = Play(folder, seed, *given, watched=watcher_library(Path(place)))
        assert play.process.wait() == 0
        all_shown, writes = play.shown_lines(), writes_in(play.writes)
        lines = [n for n, write in enumerate(writes) if write.path == str(play.shown) and write.kind == "W"]
        own = [write for write in writes if write.path != str(play.shown)]
        assert len(lines) == len(all_shown)
        assert any(write.kind == "S" for write in own)
        for _ in range(n_cuts):
            until = random.randrange(lines[0], len(writes))
            target = Path(place) / "left"
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            cut(writes, until, random, folder, target)
            n_shown = sum(line < until for line in lines)
            yield judge(target / play.log.name, all_shown[:n_shown], all_shown)


def kills(n_kills: int, seed: int, *given: str) -> Iterator[str]:
    """What is wrong after each kill of a game."""
    random = Random(seed)
    with tempfile.TemporaryDirectory() as place:
        for number in range(n_kills):
            folder = Path(place) / str(number)
            folder.mkdir()
            if number == 0:
                whole = Play(folder, seed, *given)
                began_s = time.monotonic()
                assert whole.process.wait() == 0
                all_shown = whole.shown_lines()
                took_s = time.monotonic() - began_s
                shutil.rmtree(folder)
                folder.mkdir()
            play = Play(folder, seed, *given)
            _wait_for(play, random.randrange(len(all_shown)), took_s * 10)
            time.sleep(random.random() * took_s / len(all_shown))
            play.process.kill()
            play.process.wait()
            yield judge(play.log, play.shown_lines(), all_shown)
            shutil.rmtree(folder)


def _wait_for(play: Play, n_shown: int, patience_s: float) -> None:
    give_up_s = time.monotonic() + patience_s
    while play.process.poll() is None and time.monotonic() < give_up_s:
        if play.shown.exists() and play.shown.read_bytes().count(b"\n") > n_shown:
            return
        time.sleep(0.002)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--cuts", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    wrong = _reported("power cuts", power_cuts(options.cuts, options.seed))
    return 1 if wrong + _reported("kills", kills(options.kills, options.seed)) else 0


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
