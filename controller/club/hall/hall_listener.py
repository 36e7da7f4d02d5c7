"""The hall as a client of the broker: receives from every board, stores its rows, and confirms them."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping

import paho.mqtt.client as mqtt
from paho.mqtt.client import ConnectFlags, MQTTMessage
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.club.hall.live_boards import LiveBoards
from controller.club.hall.row_intake import RowIntake
from controller.club.hall_store.store_of_hall import BoardRow
from controller.club.wire.board_messages import (
    BOARDS_TOPIC,
    HAVE_TOPIC,
    HaveMessage,
    WireError,
    board_topic,
    packed_have,
    split_topic,
    unpacked_call,
    unpacked_health,
    unpacked_row,
    unpacked_state,
    unpacked_status,
)
from controller.club.wire.board_publisher import QOS
from controller.club.wire.club_link import ClubLink, leave, mqtt_client
from controller.errors import WorkError
from sentences import say

KEEP_EVERY_S = 0.1
"""Time between two writes of rows; one write holds the rows of all boards. Guess."""


class HallMessages:
    """Handles messages from any broker. An invalid message is counted and does no harm.

    n_ignored: invalid messages, by kind of topic. refused: why the database takes no rows, None when it does.
    """

    def __init__(
        self, intake: RowIntake, live: LiveBoards, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        self.n_ignored: Counter[str] = Counter()
        self.n_messages = 0
        self.refused: WorkError | None = None
        self._intake = intake
        self._live = live
        self._clock_s = clock_s
        self._greet: set[tuple[str, str]] = set()
        """The boards and logs to tell which rows the hall has."""
        self._lock = threading.Lock()

    def handle(self, topic: str, payload: bytes) -> None:
        """Handle a message."""
        kind = "topic"
        with self._lock:
            self.n_messages += 1
            try:
                board, kind = split_topic(topic)
                self._handle(board, kind, payload)
            except WireError:
                self.n_ignored[kind if kind in MESSAGE_KINDS else "topic"] += 1

    def _handle(self, board: str, kind: str, payload: bytes) -> None:
        now_s = self._clock_s()
        match kind:
            case "log":
                message = unpacked_row(board, payload)
                if not self._intake.take(message):
                    self._greet.add((board, message.row.stream))
            case "status":
                is_online, stream = unpacked_status(payload)
                if is_online:
                    self._greet.add((board, stream))
                self._live.change(board, now_s, is_online=is_online)
            case "state":
                self._live.change(board, now_s, state=unpacked_state(payload))
            case "health":
                self._live.change(board, now_s, health=unpacked_health(payload))
            case "call":
                self._live.change(board, now_s, is_called=unpacked_call(payload))
            case _:
                raise WireError(kind)

    def keep(self) -> tuple[list[BoardRow], dict[tuple[str, str], HaveMessage]]:
        """Write the rows that came. Returns them, and the message to send for each board and log."""
        with self._lock:
            greet, self._greet = self._greet, set()
        rows: list[BoardRow] = []
        heard: Mapping[tuple[str, str], HaveMessage] = {}
        try:
            rows, heard = self._intake.keep()  # without the lock: the database may be slow
            self.refused = None
        except WorkError as refused:  # the next call tries the rows again
            self.refused = refused
        return rows, {**{one: self._intake.have(*one) for one in greet}, **heard}


MESSAGE_KINDS = ("status", "state", "health", "log", "call")


class HallListener:
    """Connects the hall to the broker until it is closed.

    note_rows: called again and again with the rows that were written meanwhile, also with none.
    problem: why the broker refuses the hall or a message of it, None when it does not.
    """

    def __init__(
        self, link: ClubLink, messages: HallMessages, note_rows: Callable[[list[BoardRow]], None]
    ) -> None:
        self._messages = messages
        self._note_rows = note_rows
        self._is_ending = threading.Event()
        self.problem: str | None = None
        self._client = mqtt_client(link, keeps_session=True)
        self._client.on_connect = self._on_connect
        self._client.on_message = self._on_message
        self._client.on_publish = self._on_publish
        self._client.loop_start()
        self._thread = threading.Thread(target=self._run, name="hall", daemon=True)
        self._thread.start()

    @property
    def is_connected(self) -> bool:
        """Whether the broker is connected."""
        return self._client.is_connected()

    def end_call(self, board: str) -> None:
        """Let the broker forget a call that was answered. Returns at once."""
        self._client.publish(board_topic(board, "call"), b"", QOS, retain=True)

    def close(self) -> None:
        """Disconnect from the broker, after a last write of rows."""
        self._is_ending.set()
        self._thread.join(5.0)
        leave(self._client)

    def _on_connect(
        self,
        client: mqtt.Client,
        _data: object,
        _flags: ConnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        self.problem = say("club_refused", reason=reason) if reason.is_failure else None
        if not reason.is_failure:
            client.subscribe(f"{BOARDS_TOPIC}/#", QOS)

    def _on_publish(
        self, _client: mqtt.Client, _data: object, _number: int, reason: ReasonCode, _properties: Properties
    ) -> None:
        if reason.is_failure:
            self.problem = say("club_old_access", line=f"topic write {board_topic('+', 'call')}")

    def _on_message(self, _client: mqtt.Client, _data: object, message: MQTTMessage) -> None:
        self._messages.handle(message.topic, bytes(message.payload))

    def _run(self) -> None:
        while True:
            is_last = self._is_ending.wait(KEEP_EVERY_S)
            rows, heard = self._messages.keep()
            self._note_rows(rows)
            for (board, _), have in heard.items():
                self._client.publish(f"{HAVE_TOPIC}/{board}", packed_have(have), QOS, retain=True)
            if is_last:
                return
