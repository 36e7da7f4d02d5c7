"""Boards at a broker: how many messages a second, and what broker and hall need.

`python -m tests.controller.club.many_boards N [SECONDS]`. Each board is a connection of this process, which
publishes a state and a row once a second. It needs mosquitto.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import paho.mqtt.client as mqtt

from controller.club.hall.hall_listener import HallListener, HallMessages
from controller.club.hall.live_boards import LiveBoards
from controller.club.hall.row_intake import RowIntake
from controller.club.hall_store.store_of_hall import BoardRow, HallStore, LogPlace, sqlite_url
from controller.club.wire.board_messages import LogMessage, board_topic, packed, packed_row
from controller.club.wire.board_state import state_message
from controller.club.wire.broker_files import board_names
from controller.club.wire.club_link import mqtt_client
from controller.page.moment import Moment
from controller.perception.orientation import Orientation
from controller.referee import RefereeState
from controller.rules import Player
from tests.broker import Broker, broker

STREAM = "benchmark"


def memory_mb(pid: int | str = "self") -> float:
    """The memory that a process has in use, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def cpu_s(pid: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def connected(hall_broker: Broker, names: list[str]) -> list[mqtt.Client]:
    """A client for each board, all served by this thread's calls of `loop`."""
    clients = []
    for name in names:
        client = mqtt_client(hall_broker.link(name), keeps_session=False)
        client.reconnect()
        clients.append(client)
    return clients


def measure(n_boards: int, seconds: float, show: Callable[[str], None] = print) -> None:
    """Run, and print the figures."""
    names = board_names(n_boards)
    moment = Moment(t_ms=0, state=RefereeState(), orientation=Orientation())
    state = state_message(moment, {Player.WHITE: "Ada Lovelace", Player.BLACK: "Bert"})
    before_mb = memory_mb()
    with TemporaryDirectory() as folder, broker(n_boards) as hall_broker:
        empty_mb = memory_mb(hall_broker.pid)
        store = HallStore(sqlite_url(Path(folder) / "hall.db"))
        live = LiveBoards({name: table for table, name in enumerate(names, start=1)})
        arrived: list[float] = []
        messages = HallMessages(RowIntake(store), live)
        listener = HallListener(
            hall_broker.link("hall"),
            messages,
            lambda rows: arrived.extend(time.time() * 1000 - row.t_ms for row in rows),
        )
        began_s = time.monotonic()
        clients = connected(hall_broker, names)
        show(f"{n_boards} boards connected by TLS in {time.monotonic() - began_s:.1f} s")
        for client in clients:
            client.loop_start()
        for client, name in zip(clients, names, strict=True):
            client.publish(board_topic(name, "status"), packed(online=True, stream=STREAM), 1, retain=True)
        began_s, used_s, seen = time.monotonic(), cpu_s(hall_broker.pid), messages.n_messages
        n_sent = 0
        while time.monotonic() - began_s < seconds:
            round_s = time.monotonic()
            for client, name in zip(clients, names, strict=True):
                row = BoardRow(
                    board=name,
                    stream=STREAM,
                    place=LogPlace(1, n_sent),
                    t_ms=round(time.time() * 1000),
                    kind="roll",
                    payload={"player": "white", "dice": "31"},
                )
                after = LogPlace(1, n_sent - 1) if n_sent else None
                client.publish(board_topic(name, "log"), packed_row(LogMessage(row=row, after=after)), 1)
                client.publish(board_topic(name, "state"), state, 1, retain=True)
            n_sent += 1
            time.sleep(max(0.0, 1 - (time.monotonic() - round_s)))
        lasted_s = time.monotonic() - began_s
        time.sleep(3)
        n_seen = messages.n_messages - seen
        show(f"{n_seen / lasted_s:.0f} messages a second heard, {len(state)} bytes a state")
        show(f"rows kept: {len(arrived)} of {n_sent * n_boards}; to disk: median {median(arrived):.0f} ms")
        share = (cpu_s(hall_broker.pid) - used_s) / lasted_s
        show(f"broker: {memory_mb(hall_broker.pid):.1f} MB, {empty_mb:.1f} MB empty, {share:.0%} of a core")
        show(f"hall and simulated boards: {memory_mb() - before_mb:.0f} MB more than before")
        for client in clients:
            client.disconnect()
            client.loop_stop()
        listener.close()
        store.close()


if __name__ == "__main__":
    measure(int(sys.argv[1]), float(sys.argv[2]) if len(sys.argv) > 2 else 20.0)
