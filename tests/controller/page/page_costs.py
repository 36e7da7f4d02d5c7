"""What the page costs: `python -m tests.controller.page.page_costs`."""

import gzip
import json
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from dataclasses import replace
from itertools import count
from pathlib import Path

import cv2
import httpx

from controller.page.page_assets import page_assets
from tests.browser import chromium, opened
from tests.controller.page.paged_table import paged_table
from tests.controller.page.played_table import played_table
from tests.paths import ROOT

N_SPECTATORS, REST_S = 20, 30.0
N_WINDOWS = 9
FILM, FILM_SIZE = "cork-live", (960, 720)
GAME = ("31: 8/5 6/5", "64: 24/18 13/9", "52: 13/8 24/22")
WATCHER = """
import sys, threading, httpx
def watch():
    with httpx.stream("GET", sys.argv[1] + "events", timeout=None) as answer:
        for line in answer.iter_lines():
            pass
threads = [threading.Thread(target=watch, daemon=True) for _ in range(int(sys.argv[2]))]
for thread in threads: thread.start()
print("watching", flush=True)
sys.stdin.read()
"""


def main():
    """Print the figures."""
    assets = page_assets()
    print(f"{sum(len(gzip.compress(asset.content)) for asset in assets.values()) / 1000:.1f} kB gzipped")
    with tempfile.TemporaryDirectory() as folder:
        _print_process(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        _print_film(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        _print_first_paint(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        _print_spectators(Path(folder))


def _print_process(folder):
    """A process that plays on a simulated table; its pictures are drawn in the same process."""
    began_s = time.monotonic()
    with played_table(folder) as table:
        httpx.get(f"{table.url}access", timeout=30).raise_for_status()
        ready_s = time.monotonic() - began_s
        processor_s = _processor_s(table.process.pid)
        print(f"page answers {ready_s:.2f} s after the start, of which {processor_s:.2f} s of the processor")
        for line in GAME:
            table.type(line)
        table.wait_for("plays 13/8 24/22|plays 24/22 13/8|rolls 5-2")
        time.sleep(5)
        print(f"memory with the reader at work on a simulated table: {_memory(table.process.pid)}")


def _print_film(folder):
    """The same with a camera, which gives the pictures of a film."""
    film = ROOT / "controller" / "data" / FILM
    recorded = tomllib.loads((film / "recording.toml").read_text(encoding="utf-8"))
    board = "".join(f"{key} = {json.dumps(value)}\n" for key, value in recorded["board"].items())
    wide, high = FILM_SIZE
    (folder / "blotlight.toml").write_text(
        f"[board]\n{board}[camera]\nsize = [{wide}, {high}]\n[lights]\nstrip = false\n", encoding="utf-8"
    )
    frames = folder / "frames"
    _unroll(film / "video.mp4", frames)
    program = ("tests.controller.page.filmed_play", str(frames), str(recorded["video_fps"]))
    with played_table(folder, "--settings", str(folder / "blotlight.toml"), program=program) as table:
        table.wait_for("plays ")
        url = table.url
        for _ in range(5):
            httpx.get(f"{url}camera.jpg", timeout=30).raise_for_status()
            time.sleep(6)
        print(f"memory with the reader at work on a camera's pictures: {_memory(table.process.pid)}")


def _unroll(film, folder):
    """Write the pictures of a film into a folder: what plays it afterwards needs no decoder of films."""
    folder.mkdir()
    taken = cv2.VideoCapture(str(film))
    for number in count():
        good, image = taken.read()
        if not good:
            break
        cv2.imwrite(str(folder / f"{number:06}.jpg"), image)


def _print_spectators(folder):
    with paged_table(folder) as table:
        table.type(*GAME)
        alone = _rest_share()
        command = [sys.executable, "-c", WATCHER, table.url, str(N_SPECTATORS)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as watchers:
            watchers.stdout.readline()
            while table.page.feed.n_watchers < N_SPECTATORS:
                time.sleep(0.05)
            watched = _rest_share()
            print(f"at rest {alone:.2%} of a core alone, {watched:.2%} with {N_SPECTATORS} spectators")
            print(f"from a reading to a browser beside {N_SPECTATORS} others: {_delays(table)}")
            watchers.communicate("")


def _print_first_paint(folder):
    """From the navigation to the first paint, and to the board, in a browser that knows nothing yet."""
    painted_ms, shown_ms = [], []
    with paged_table(folder) as table, chromium() as browser:
        table.type(*GAME)
        for _ in range(N_WINDOWS):
            with opened(browser, table.url) as page:
                page.wait_for_selector("svg.board:visible")
                shown_ms.append(float(page.evaluate("document.body.dataset.shown")))
                (paint,) = page.evaluate(
                    "performance.getEntriesByName('first-contentful-paint').map((one) => one.startTime)"
                )
                painted_ms.append(paint)
    for what, times_ms in (("first paint", painted_ms), ("board", shown_ms)):
        median_ms, most_ms = statistics.median(times_ms), max(times_ms)
        print(f"{what} after {median_ms:.0f} ms in the median, {most_ms:.0f} ms at most of {N_WINDOWS}")


def _rest_share():
    """The share of a core that this process takes while nothing happens at the table."""
    began_s, spent_s = time.monotonic(), time.process_time()
    time.sleep(REST_S)
    return (time.process_time() - spent_s) / (time.monotonic() - began_s)


def _delays(table):
    """How long a change takes from the loop of the service to one more browser."""
    delays_ms, came = [], threading.Event()
    with httpx.stream("GET", f"{table.url}events", timeout=30) as answer:
        lines = (line for line in answer.iter_lines() if line.startswith("data: "))
        next(lines)
        for _ in range(40):
            moment = table.page.feed.newest
            began_s = time.perf_counter()
            table.page.feed.publish(
                replace(moment, state=replace(moment.state, words=()), told=moment.told[1:])
            )
            next(lines)
            delays_ms.append(1000 * (time.perf_counter() - began_s))
            table.page.feed.publish(moment)
            next(lines)
            came.wait(0.05)
    return f"median {statistics.median(delays_ms):.0f} ms, most {max(delays_ms):.0f} ms of {len(delays_ms)}"


def _processor_s(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def _memory(pid):
    """What the process takes: resident now and at most, and its share of what others use as well."""
    now_mb, most_mb = (_in_mb(Path(f"/proc/{pid}/status"), name) for name in ("VmRSS", "VmHWM"))
    share_mb = _in_mb(Path(f"/proc/{pid}/smaps_rollup"), "Pss")
    return f"{now_mb:.0f} MB resident, {most_mb:.0f} MB at most, {share_mb:.0f} MB of its own share"


def _in_mb(path, name):
    (line,) = [line for line in path.read_text().splitlines() if line.startswith(f"{name}:")]
    return int(line.split()[1]) / 1000


if __name__ == "__main__":
    main()
