"""The board's side of the link: publishes the game from threads of its own. The game never waits for it."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.client import ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.club.wire.board_messages import (
    HAVE_TOPIC,
    WireError,
    board_topic,
    packed,
    packed_row,
    unpacked_have,
)
from controller.club.wire.board_state import (
    HOME_ASSISTANT,
    game_state,
    health_message,
    home_assistant_message,
    state_message,
)
from controller.club.wire.club_link import ClubLink, leave, mqtt_client
from controller.club.wire.log_feed import LogFeed, kept_stream, new_stream
from controller.page.moment import Moment
from controller.record.store import Store, StoreError
from controller.rules import Player
from sentences import say

STATE_EVERY_S = 0.2
"""Least time between two states of the game. Guess: nobody can follow faster changes."""
LOOK_EVERY_S = 1.0
"""Time between two looks at the log while no new moment comes. Guess."""
HEAR_S = 0.5
"""How long rows wait after connecting for the hall to say what it has. Guess."""
END_S = 3.0
"""How long `close` waits for the thread and for the last message, each. Guess."""

QOS = 1
"""MQTT delivers at least once. The hall recognises repeated rows by their place and drops them."""


class BoardPublisher:
    """Publishes a board. log: the file of its matches. tell: receives sentences for people."""

    def __init__(
        self,
        link: ClubLink,
        log: Path,
        names: Mapping[Player, str],
        tell: Callable[[str], None] = lambda sentence: None,
    ) -> None:
        self.board = link.user
        self._log = log
        self._names = names
        self._tell = tell
        self._stream = kept_stream(log.parent)
        self._moment: Moment | None = None
        self._state: Mapping[str, object] = {}
        self._has_news = threading.Event()
        self._lock = threading.Lock()
        self._connected_s: float | None = None
        self._is_new_connection = False
        self._have: list[bytes] = []
        self._calls = 0
        self._is_ending = False
        self._was_lost = False
        self._own_streams = {self._stream}
        self._was_known = self._is_doubled = False
        """Whether the hall has named a log of this board, and then one of another with the same link."""
        self._client = mqtt_client(link, keeps_session=False)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        self._client.will_set(board_topic(self.board, "status"), self._status(False), QOS, retain=True)
        self._client.loop_start()
        self._thread = threading.Thread(target=self._run, name="club", daemon=True)
        self._thread.start()

    def publish(self, moment: Moment) -> None:
        """Hand over the current moment of the game. Returns at once."""
        if not moment.shows_same_as(self._moment):
            self._moment = moment
            self._has_news.set()

    def call_director(self) -> None:
        """Call the director to the table. Returns at once."""
        with self._lock:
            self._calls += 1
        self._has_news.set()

    def close(self) -> None:
        """Send what is pending, publish that the board is offline, and end."""
        self._is_ending = True
        self._has_news.set()
        self._thread.join(END_S)
        if self._client.is_connected():
            status = board_topic(self.board, "status")
            said = self._client.publish(status, self._status(False), QOS, retain=True)
            with suppress(RuntimeError, ValueError):
                said.wait_for_publish(END_S)
        leave(self._client)

    # -- in the thread of the client

    def _on_connect(
        self,
        client: mqtt.Client,
        _data: object,
        _flags: ConnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if reason.is_failure:
            if not self._was_lost:
                self._tell(say("club_refused", reason=reason))
            self._was_lost = True
            return
        client.subscribe(f"{HAVE_TOPIC}/{self.board}", QOS)
        with self._lock:
            self._connected_s, self._is_new_connection = time.monotonic(), True
        if self._was_lost:
            self._was_lost = False
            self._tell(say("club_reached_again"))
        self._has_news.set()

    def _on_connect_fail(self, _client: mqtt.Client, _data: object) -> None:
        if not self._was_lost and not self._is_doubled:
            self._was_lost = True
            self._tell(say("club_lost"))

    def _on_disconnect(
        self,
        _client: mqtt.Client,
        _data: object,
        _flags: DisconnectFlags,
        _reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        with self._lock:
            was_there, self._connected_s = self._connected_s is not None, None
        if was_there and not self._is_ending and not self._is_doubled:
            self._was_lost = True
            self._tell(say("club_lost"))

    def _on_message(self, _client: mqtt.Client, _data: object, message: MQTTMessage) -> None:
        with self._lock:
            self._have.append(bytes(message.payload))
        self._has_news.set()

    # -- in the thread of the publisher

    def _run(self) -> None:
        feed: LogFeed | None = None
        store: Store | None = None
        shown: Moment | None = None
        try:
            while True:
                self._has_news.wait(LOOK_EVERY_S)
                self._has_news.clear()
                is_last = self._is_ending
                if self._connected_s is not None:
                    try:
                        if feed is None and self._log.exists():
                            store = Store(self._log)
                            feed = LogFeed(self.board, self._stream, store)
                        if self._greeting_due():
                            shown = None
                            if feed is not None:
                                feed.connected(time.monotonic())
                        shown = self._send_moment(shown)
                        if feed is not None:
                            self._send_rows(feed)
                    except StoreError:
                        pass  # the keeper of the match reports it
                if is_last:
                    return
                time.sleep(STATE_EVERY_S)
        finally:
            if store is not None:
                store.close()

    def _greeting_due(self) -> bool:
        """Publish that the board is online, once a connection. Returns whether it did so now."""
        with self._lock:
            is_new, self._is_new_connection = self._is_new_connection, False
        if is_new:
            self._send("status", self._status(True), retain=True)
            self._client.publish(
                HOME_ASSISTANT.format(board=self.board), home_assistant_message(self.board), QOS, retain=True
            )
        return is_new

    def _send_moment(self, shown: Moment | None) -> Moment | None:
        moment = self._moment
        if moment is not None and moment is not shown:
            state = game_state(moment, self._names)
            if shown is None or state != self._state:
                self._send("state", state_message(moment.t_ms, state), retain=True)
                self._state = state
            if shown is None or moment.devices != shown.devices:
                self._send("health", health_message(moment), retain=True)
        with self._lock:
            calls, self._calls = self._calls, 0
        if calls:
            self._send("call", packed(wants="director"), retain=True)
        return moment

    def _send_rows(self, feed: LogFeed) -> None:
        now_s = time.monotonic()
        with self._lock:
            heard, self._have = self._have, []
            connected_s = self._connected_s
        for payload in heard:
            with suppress(WireError):
                have = unpacked_have(payload)
                self._note_others(have.stream)
                if feed.lacks(have):
                    self._rename_log(feed, now_s)
                feed.heard(have, now_s)
        if connected_s is None or (now_s - connected_s < HEAR_S and not heard):
            self._has_news.set()
            return
        for message in feed.due(now_s):
            self._send("log", packed_row(message), retain=False)

    def _note_others(self, stream: str) -> None:
        """Say once that another board uses the same link: the two push each other out again and again."""
        if stream in self._own_streams:
            self._was_known = True
        elif self._was_known and not self._is_doubled:
            self._is_doubled = True
            self._tell(say("club_link_twice", user=self.board))

    def _rename_log(self, feed: LogFeed, now_s: float) -> None:
        self._stream = new_stream(self._log.parent)
        self._own_streams.add(self._stream)
        self._send("status", self._status(True), retain=True)
        feed.begin_as(self._stream, now_s)

    def _send(self, kind: str, payload: bytes, *, retain: bool) -> None:
        self._client.publish(board_topic(self.board, kind), payload, QOS, retain=retain)

    def _status(self, online: bool) -> bytes:
        return packed(online=online, stream=self._stream)
