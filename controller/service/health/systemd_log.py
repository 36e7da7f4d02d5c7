"""Writes what the service says, with fields, to systemd's journal (systemd.io/JOURNAL_NATIVE_PROTOCOL)."""

import json
import os
import socket
import sys
from collections.abc import Mapping, Sequence

from controller.commands.typed_commands import PLAYER_COLOURS, Names
from controller.perception.orientation import Orientation
from controller.record.journal import KINDS, effect_payload
from controller.referee import Effect, Lamp, RefereeState
from controller.referee.words.sentences import Speech, effect_sentence
from controller.service.display import Asked, DeviceState
from sentences import Said, asks_for_deed

SOCKET = "/run/systemd/journal/socket"
WARNING, INFO = 4, 6
"""Priorities of syslog (RFC 5424)."""


class SystemdLog:
    """A Display that sends each sentence to the journal, and with it what it is about.

    BLOTLIGHT_KIND: the kind of an effect, as the log of the match names it, or the key of another sentence.
    BLOTLIGHT_DATA: the fields of an effect, as JSON. Whatever asks people to do something is a warning.
    """

    def __init__(self, path: str = SOCKET, speech: Speech = Speech.PLAIN) -> None:
        """Raises OSError when there is no journal."""
        self.orientation = Orientation()
        self.lamps: tuple[Lamp, ...] = ()
        self.names: Names = PLAYER_COLOURS
        self._speech = speech
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.connect(path)
        except OSError:
            self._socket.close()
            raise

    def note(self, effect: Effect) -> None:
        """Send the sentence of an effect, if it has one."""
        text = effect_sentence(effect, self.names, self._speech)
        if text is not None:
            data = json.dumps(effect_payload(effect))
            self._send(text, INFO, effect.t_ms, KINDS[type(effect)], data)

    def say(self, t_ms: int, sentence: str) -> None:
        key = sentence.key if isinstance(sentence, Said) else ""
        self._send(sentence, WARNING if asks_for_deed(key) else INFO, t_ms, key)

    def _send(self, text: str, priority: int, t_ms: int, kind: str, data: str = "") -> None:
        fields = {
            "MESSAGE": text,
            "PRIORITY": str(priority),
            "SYSLOG_IDENTIFIER": "blotlight",
            "BLOTLIGHT_T_MS": str(t_ms),
            "BLOTLIGHT_KIND": kind,
            "BLOTLIGHT_DATA": data,
        }
        try:
            self._socket.send(b"".join(_field(name, value) for name, value in fields.items() if value))
        except OSError:
            print(text, flush=True)  # too long for a datagram, or the journal is restarting

    def close(self) -> None:
        self._socket.close()

    def draw(self, state: RefereeState, t_ms: int, devices: Sequence[DeviceState], asked: Asked) -> None:
        """Nothing: a log does not draw the game."""

    def show_pages(self, lines: Sequence[str]) -> None:
        """Nothing: pages of help belong to the terminal."""

    def turn_page(self) -> None:
        """Nothing: pages of help belong to the terminal."""


def _field(name: str, value: str) -> bytes:
    """One field, with its length: a value may have several lines."""
    data = value.encode()
    return name.encode() + b"\n" + len(data).to_bytes(8, "little") + data + b"\n"


def open_systemd_log(environment: Mapping[str, str], speech: Speech, path: str = SOCKET) -> SystemdLog | None:
    """The journal, if it is what reads our output (systemd.exec(5), JOURNAL_STREAM); else None."""
    try:
        found = os.fstat(sys.stdout.fileno())
        if environment.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}":
            return SystemdLog(path, speech)
    except (OSError, ValueError):
        pass
    return None
