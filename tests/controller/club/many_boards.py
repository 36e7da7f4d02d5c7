"""Many boards at a broker: messages a second, what broker, hall and page need, how late the page is.

`python -m tests.controller.club.many_boards N [EVERY_S [SECONDS]]`: each of N boards sends a row and a state
every EVERY_S seconds. Broker, hall, boards and browser are processes of their own. It needs mosquitto and
chromium.
"""

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import paho.mqtt.client as mqtt

from controller.club.hall.hall_server import OpenHall
from controller.club.hall_store.store_of_hall import BoardRow, LogPlace, sqlite_url
from controller.club.wire.board_messages import LogMessage, board_topic, packed, packed_row
from controller.club.wire.board_state import game_state, state_message
from controller.club.wire.broker_files import board_names
from controller.club.wire.club_link import load_link, mqtt_client
from controller.page.page_access import PageAddress
from controller.rules import Player
from tests.broker import broker
from tests.browser import chromium, opened, wait_for
from tests.controller.club.simulated_boards import played_moments, wait_until

NAMES = {Player.WHITE: "Ada Lovelace", Player.BLACK: "Bert"}
READY = "connected"
COUNT_FRAMES = """
window.frames_ms = [];
const count = (t_ms) => { window.frames_ms.push(t_ms); requestAnimationFrame(count); };
requestAnimationFrame(count);
"""


def memory_mb(pid: int | str) -> float:
    """The memory that a process has in use, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def cpu_s(pid: int | str) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class BoardsOfOneThread:
    """The connections of all boards, served by one thread. It sends in turn, at even distances of time."""

    def __init__(self, links: Path, names: list[str]) -> None:
        moments, _ = played_moments()
        self._states = [
            json.loads(state_message(moment.t_ms, game_state(moment, NAMES))) for moment in moments
        ]
        self._names = names
        self._n_sent = dict.fromkeys(names, 0)
        self._selector = selectors.DefaultSelector()
        self._clients: list[mqtt.Client] = []
        for name in names:
            self._clients.append(self._connected(links / f"{name}.toml"))
            if len(self._clients) % 50 == 0:  # who has come must not fall silent until the last one is there
                self.serve(time.monotonic() + 0.1)
                for client in self._clients:
                    client.loop_misc()

    def _connected(self, link: Path) -> mqtt.Client:
        client = mqtt_client(load_link(link), keeps_session=False)
        client.reconnect()
        self._selector.register(client.socket(), selectors.EVENT_READ, client)
        return client

    def serve(self, until_s: float) -> None:
        """Read and write until a time."""
        while (left_s := until_s - time.monotonic()) > 0:
            for key, _ in self._selector.select(min(left_s, 0.05)):
                client = key.data
                client.loop_read()
                while client.socket() is not None and client.socket().pending():
                    client.loop_read()
        for client in self._clients:
            if client.want_write():
                client.loop_write()

    def send(self, at: int) -> None:
        """Let a board send a row and a state."""
        client, name = self._clients[at], self._names[at]
        seq, now_ms = self._n_sent[name], round(time.time() * 1000)
        if not seq:
            client.publish(board_topic(name, "status"), packed(online=True, stream="many"), 1, retain=True)
        row = BoardRow(
            board=name,
            stream="many",
            place=LogPlace(1, seq),
            t_ms=now_ms,
            kind="roll",
            payload={"player": "white", "dice": "31"},
        )
        after = LogPlace(1, seq - 1) if seq else None
        client.publish(board_topic(name, "log"), packed_row(LogMessage(row=row, after=after)), 1)
        state = {**self._states[seq % len(self._states)], "t_ms": now_ms}
        client.publish(board_topic(name, "state"), json.dumps(state, separators=(",", ":")), 1, retain=True)
        self._n_sent[name] += 1

    def run(self, every_s: float) -> None:
        """Send until the process is ended, and keep every connection alive."""
        distance_s, due_s, at = every_s / len(self._names), time.monotonic(), 0
        while True:
            self.serve(due_s)
            while due_s <= time.monotonic():
                self.send(at)
                self._clients[at].loop_misc()
                at, due_s = (at + 1) % len(self._names), due_s + distance_s


@contextmanager
def sending_boards(links: Path, n: int, every_s: float) -> Iterator[int]:
    """The process of all boards; gives its number when they are connected."""
    command = [sys.executable, "-m", "tests.controller.club.many_boards", "boards", str(links)]
    with subprocess.Popen([*command, str(n), str(every_s)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == READY
        try:
            yield process.pid
        finally:
            process.kill()


class Meter:
    """What broker, hall and boards have used, from one reading to the next."""

    def __init__(self, **pids: int | str) -> None:
        self._pids = pids
        self.reset()

    def reset(self) -> None:
        self._began_s = time.monotonic()
        self._used_s = {name: cpu_s(pid) for name, pid in self._pids.items()}

    def show(self) -> None:
        lasted_s = time.monotonic() - self._began_s
        for name, pid in self._pids.items():
            share = (cpu_s(pid) - self._used_s[name]) / lasted_s
            print(f"  {name}: {memory_mb(pid):.1f} MB, {share:.0%} of a core", flush=True)


def watch_page(page: Any, seconds: float) -> None:
    """Count frames and delays of the hall's page for a while."""
    page.evaluate("for (const tile of document.querySelectorAll('.tile')) delete tile.dataset.shownMs")
    page.evaluate(COUNT_FRAMES)
    page.wait_for_timeout(seconds * 1000)
    frames_ms = page.evaluate("window.frames_ms")
    gaps_ms = [later - former for former, later in pairwise(frames_ms)]
    shown = "[...document.querySelectorAll('.tile')].map((tile) => tile.dataset.shownMs).filter(Boolean)"
    late_ms = sorted(int(one) for one in page.evaluate(shown))
    heap_mb = page.evaluate("performance.memory.usedJSHeapSize") / 2**20
    print(f"  page: {len(frames_ms) / seconds:.0f} frames a second, longest gap {max(gaps_ms):.0f} ms")
    of_95_ms = late_ms[len(late_ms) * 95 // 100]
    print(f"  page: {len(late_ms)} tiles drawn after {median(late_ms):.0f} ms (median), {of_95_ms} ms (95 %)")
    print(f"  page: {heap_mb:.0f} MB of JavaScript", flush=True)


def measure(n_boards: int, every_s: float, seconds: float) -> None:
    """Run, and print the figures."""
    with ExitStack() as cleaning:
        folder = Path(cleaning.enter_context(tempfile.TemporaryDirectory(prefix="blotlight-many-")))
        hall_broker = cleaning.enter_context(broker(n_boards))
        hall = OpenHall(
            store_url=sqlite_url(folder / "hall.db"),
            link=hall_broker.link("hall"),
            address=PageAddress(host="127.0.0.1", port=0),
            boards=board_names(n_boards),
            token="a-token-of-the-director",
        )
        cleaning.enter_context(closing(hall))
        wait_until(lambda: hall.listener.is_connected)
        print(f"empty: broker {memory_mb(hall_broker.pid):.1f} MB, hall {memory_mb('self'):.1f} MB")
        began_s = time.monotonic()
        links = hall_broker.folder / "links"
        boards = cleaning.enter_context(sending_boards(links, n_boards, every_s))
        print(f"{n_boards} boards connected by TLS in {time.monotonic() - began_s:.1f} s", flush=True)
        wait_until(lambda: all(one.is_online for one in hall.live.boards()))
        meter = Meter(broker=hall_broker.pid, hall="self", boards=boards)

        def turn(what: str, watch: Any) -> None:
            n_before, began_s = hall.messages.n_messages, time.monotonic()
            meter.reset()
            watch()
            heard = (hall.messages.n_messages - n_before) / (time.monotonic() - began_s)
            wanted = 2 * n_boards / every_s
            print(f"{what}: {heard:.0f} messages a second heard of {wanted:.0f} sent")
            meter.show()

        turn("without a browser", lambda: time.sleep(seconds))
        browser = cleaning.enter_context(chromium())
        with opened(browser, hall.address.url) as page:
            wait_for(page, f"document.querySelectorAll('.tile').length === {n_boards}")
            page.wait_for_timeout(3000)
            turn("with the page open", lambda: watch_page(page, seconds))
        print(f"  ignored: {dict(hall.messages.n_ignored)}, the machine's load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    if sys.argv[1] == "boards":
        connections = BoardsOfOneThread(Path(sys.argv[2]), board_names(int(sys.argv[3])))
        print(READY, flush=True)
        with suppress(KeyboardInterrupt):
            connections.run(float(sys.argv[4]))
    else:
        every_s, seconds = (float(one) for one in [*sys.argv[2:], "3", "20"][:2])
        measure(int(sys.argv[1]), every_s, seconds)
