"""How a board or the hall reaches the broker: the link file written by `blotlight club init`."""

import ssl
from dataclasses import dataclass
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from controller.club.wire.board_messages import BOARD_NAME
from controller.errors import InputError
from controller.options import OptionTable, naming_lines
from controller.service.recordings.recording import load_toml
from sentences import say

LINK_KEEP_ALIVE_S, LEAST_KEEP_ALIVE_S, MOST_KEEP_ALIVE_S = 15, 10, 120
"""Default, least and most time after its last sign of life within which a lost board is shown as lost. With
15 s a busy board may send a sign of life 2.5 s late."""
BROKER_LOOKS_S = 6
"""Time between two checks of mosquitto 2.0 for silent clients (`keepalive__check` in its src/keepalive.c)."""
WILL_UNDERWAY_S = 1
"""How long the last will may take from the broker to the hall. Guess."""
BROKER_PATIENCE = 1.5
"""The broker publishes the last will after 1.5 times the keep-alive of MQTT (MQTT 5, 3.1.2.10)."""
RECONNECT_S = (1, 15)
"""Least and most time between two attempts to reach the broker. Guess."""
SESSION_S = 24 * 3600
"""How long the broker keeps messages for a hall that is disconnected: an evening and a night."""
IGNORE_TIME = ssl.VerifyFlags(0x20_0000)
"""OpenSSL's X509_V_FLAG_NO_CHECK_TIME: a Pi without a network time has a clock that is late."""
LONGEST_HOST, LONGEST_PASSWORD, LONGEST_PEM = 253, 200, 20_000


@dataclass(frozen=True, kw_only=True)
class ClubLink:
    """Address and password. user: name of the board, or `hall`. ca_pem: certificate authority of the broker.

    keep_alive_s: time within which everybody sees that this board is lost.
    """

    host: str
    port: int
    user: str
    password: str
    ca_pem: str
    keep_alive_s: int = LINK_KEEP_ALIVE_S

    @property
    def mqtt_keep_alive_s(self) -> int:
        """The keep-alive of MQTT with which the broker publishes the last will in time."""
        return int((self.keep_alive_s - BROKER_LOOKS_S - WILL_UNDERWAY_S) / BROKER_PATIENCE)


def load_link(path: Path) -> ClubLink:
    """The link in a file. Raises InputError, which names what is wrong."""
    data = load_toml(path, say("club_no_link", file=path))
    broker = data.get("broker", {})
    with naming_lines(path):
        if not isinstance(broker, dict) or data.keys() - {"broker"}:
            raise InputError(say("club_no_link", file=path))
        table = OptionTable("broker", broker, path.name)
        user = table.text("user", "", most=40)
        if not BOARD_NAME.fullmatch(user):
            raise table.wrong("user", say("club_wrong_user"))
        pem = broker.get("ca", "")
        if not isinstance(pem, str) or "BEGIN CERTIFICATE" not in pem[:LONGEST_PEM]:
            raise table.wrong("ca", say("club_wrong_ca"))
        return ClubLink(
            host=table.text("host", "", most=LONGEST_HOST),
            port=table.whole_number("port", 8883, least=1, most=65535),
            user=user,
            password=table.text("password", "", most=LONGEST_PASSWORD),
            ca_pem=pem,
            keep_alive_s=table.whole_number(
                "keep_alive_s", LINK_KEEP_ALIVE_S, least=LEAST_KEEP_ALIVE_S, most=MOST_KEEP_ALIVE_S
            ),
        )


def mqtt_client(link: ClubLink, *, keeps_session: bool) -> mqtt.Client:
    """A client that is not connected yet. Raises InputError when the certificate cannot be used.

    keeps_session: whether the broker keeps messages while the client is disconnected.
    """
    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=link.user, protocol=mqtt.MQTTv5)
    client.username_pw_set(link.user, link.password)
    try:
        context = ssl.create_default_context(cadata=link.ca_pem)
    except (ssl.SSLError, ValueError):
        raise InputError(say("club_bad_ca", host=link.host)) from None
    context.verify_flags |= IGNORE_TIME
    client.tls_set_context(context)
    client.reconnect_delay_set(*RECONNECT_S)
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = SESSION_S if keeps_session else 0
    client.connect_async(
        link.host,
        link.port,
        keepalive=link.mqtt_keep_alive_s,
        clean_start=not keeps_session,
        properties=properties,
    )
    return client


def leave(client: mqtt.Client) -> None:
    """Disconnect from the broker. The client's sockets close as soon as nothing refers to it.

    They must not wait for the garbage collector: paho uses `select`, which accepts no descriptor from 1024
    on, so that later clients of the same process could not connect.
    """
    client.disconnect()
    client.loop_stop()
    client.on_connect = client.on_disconnect = client.on_message = None
    client.on_connect_fail = client.on_publish = None
