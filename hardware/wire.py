"""The dice sensor's lines: framing, checksum, meaning. Pure functions; firmware/PROTOCOL.md is the contract.

A line is `$<seq>,<TYPE>[,<field>...]*<CRC>` and a newline, at most 64 bytes of 7-bit ASCII. `LineParser`
turns bytes into lines and never raises. `DiceListener` turns lines into the events of
hardware/dice_events.py. A live port and a log use the same two.
"""

import binascii
import re
from dataclasses import dataclass

from hardware.dice_events import DiceEvent, DiceLifted, DiceMoving, DiceSettled, SensorFound, SensorLost
from sentences import say

PROTOCOL_VERSION = 1
MAX_LINE_BYTES = 64
"""The longest line, from `$` to the newline, both included."""
HEARTBEAT_MS = 1000
"""Time between two heartbeats of the sensor. From PROTOCOL.md."""
LOST_AFTER_MS = 3 * HEARTBEAT_MS + HEARTBEAT_MS // 2
"""Silence after which the sensor counts as lost: three missed heartbeats, and half a beat for a late one."""

_START = ord("$")
_END = ord("\n")
_LINE = re.compile(rb"\$((\d{1,3}),([A-Z]{1,8})((?:,[ -#%-)+\-.-~]*)*))\*([0-9A-F]{4})\r?\n?")


@dataclass(frozen=True, kw_only=True)
class Message:
    """What a line says. seq: its number, 0 to 255."""

    seq: int


@dataclass(frozen=True, kw_only=True)
class Boot(Message):
    """The sensor has just started; its numbering begins anew."""


@dataclass(frozen=True, kw_only=True)
class Hello(Message):
    """The sensor's answer to HELLO. dice: how many dice it can tell apart. caps: its capabilities."""

    protocol: int
    firmware: str
    dice: int
    caps: frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Moving(Message):
    """A die is moving."""

    die: int


@dataclass(frozen=True, kw_only=True)
class Face(Message):
    """A die lies still. `face` is 1 to 6, or None when it cannot be read."""

    die: int
    face: int | None


@dataclass(frozen=True, kw_only=True)
class Lifted(Message):
    """A die was taken out."""

    die: int


@dataclass(frozen=True, kw_only=True)
class Heartbeat(Message):
    """Sent every second: how long the sensor has run, and how many bad lines it has received."""

    uptime_s: int
    bad_lines: int


@dataclass(frozen=True, kw_only=True)
class Error(Message):
    """The sensor reports a fault of its own. code: as listed in PROTOCOL.md."""

    code: str


@dataclass(frozen=True, kw_only=True)
class AskHello(Message):
    """The host asks the sensor to identify itself."""


@dataclass(frozen=True, kw_only=True)
class AskSnap(Message):
    """The host asks for the present state of every die."""


FromHost = AskHello | AskSnap


@dataclass(frozen=True, kw_only=True)
class Line:
    """A valid line as received, without its newline, and its message."""

    raw: bytes
    message: Message


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Bytes that are not a valid line, without newline. problem: why, worded to follow 'a line'."""

    raw: bytes
    problem: str


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected. Of b"123456789" it is 0x29B1."""
    return binascii.crc_hqx(data, 0xFFFF)


def encode(seq: int, *fields: object) -> bytes:
    """One line of the protocol, with its newline: `encode(3, "FACE", 1, 6)`."""
    body = ",".join([str(seq % 256), *map(str, fields)]).encode("ascii")
    line = b"$%s*%04X\n" % (body, crc16(body))
    if len(line) > MAX_LINE_BYTES:
        raise ValueError(say("line_too_long", n_bytes=len(line), most=MAX_LINE_BYTES))
    return line


class LineParser:
    """Cuts a stream of bytes into lines. A newline ends a line; a `$` ends the one before and starts another.

    It never raises, and it finds a valid line whatever came before it.
    """

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[Line | Noise]:
        """The lines that these bytes complete, in order. An incomplete line is kept for the next call."""
        found: list[Line | Noise] = []
        for byte in data:
            if byte == _START:
                self._close(found)
            self._buffer.append(byte)
            if byte == _END or len(self._buffer) >= MAX_LINE_BYTES:
                self._close(found)
        return found

    def _close(self, found: list[Line | Noise]) -> None:
        raw = bytes(self._buffer)
        self._buffer.clear()
        if raw.strip(b"\r\n"):
            found.append(parse_line(raw))


def parse_line(raw: bytes) -> Line | Noise:
    """Parse one line, from `$` to the CRC. A newline may follow."""
    match = _LINE.fullmatch(raw)
    raw = raw.rstrip(b"\r\n")
    if match is None:
        return Noise(raw=raw, problem=_why_no_line(raw))
    body, seq, kind, rest, crc = match.groups()
    if crc16(body) != int(crc, 16):
        return Noise(raw=raw, problem=say("wrong_checksum"))
    message = _parse_message(int(seq), kind.decode(), rest.decode().split(",")[1:])
    if message is None:
        return Noise(raw=raw, problem=say("unknown_to_protocol"))
    return Line(raw=raw, message=message)


def _why_no_line(raw: bytes) -> str:
    if not raw.startswith(b"$"):
        return say("without_dollar")
    return say("cut_or_garbled")


def _parse_message(seq: int, kind: str, fields: list[str]) -> Message | None:
    """The message, or None when the type is unknown or its fields do not fit the type."""
    if seq > 255:
        return None
    match kind, fields:
        case "BOOT", []:
            return Boot(seq=seq)
        case "HELLO", []:
            return AskHello(seq=seq)
        case "SNAP", []:
            return AskSnap(seq=seq)
        case "HELLO", [protocol, firmware, dice, caps] if _are_numbers(protocol, dice):
            named = frozenset(caps.split("+")) - {""}
            return Hello(seq=seq, protocol=int(protocol), firmware=firmware, dice=int(dice), caps=named)
        case "MOVE", [die] if _is_die(die):
            return Moving(seq=seq, die=int(die))
        case "FACE", [die, "-"] if _is_die(die):
            return Lifted(seq=seq, die=int(die))
        case "FACE", [die, "?"] if _is_die(die):
            return Face(seq=seq, die=int(die), face=None)
        case "FACE", [die, "1" | "2" | "3" | "4" | "5" | "6" as face] if _is_die(die):
            return Face(seq=seq, die=int(die), face=int(face))
        case "HB", [uptime, bad_lines] if _are_numbers(uptime, bad_lines):
            return Heartbeat(seq=seq, uptime_s=int(uptime), bad_lines=int(bad_lines))
        case "ERR", [code] if code:
            return Error(seq=seq, code=code)
    return None


def _are_numbers(*fields: str) -> bool:
    return all(field.isdecimal() for field in fields)


def _is_die(field: str) -> bool:
    return field in ("1", "2")


class DiceListener:
    """Turns messages of the sensor, and its silence, into events.

    With the first valid line the sensor counts as found. A FACE or MOVE that repeats the known state, as
    after a SNAP, gives no event. After a BOOT or a loss no state is known.
    """

    def __init__(self) -> None:
        self.hello: Hello | None = None
        """The answer to HELLO since the sensor was last found."""
        self.missing_lines = 0
        """The number of lines that never came, by the gaps in the sequence numbers."""
        self.last_error: str | None = None
        """The last fault that the sensor reported."""
        self._seq: int | None = None
        self._known: dict[int, tuple[type[Message], int | None] | None] = {}
        self._message_ms: int | None = None
        self._found: bool | None = None

    @property
    def found(self) -> bool:
        """Whether the sensor sends, and has not named a protocol version other than ours."""
        return self._found is True

    def handle_message(self, message: Message, t_ms: int) -> list[DiceEvent]:
        """The events of one message. A message of the host, echoed by a looped cable, gives none itself."""
        events = self.silence(t_ms)
        if isinstance(message, FromHost):
            return events
        self._message_ms = t_ms
        self._count_missing(message)
        if isinstance(message, Hello):
            self.hello = message
        if self.hello is not None and self.hello.protocol != PROTOCOL_VERSION:
            reason = say("sensor_of_other_protocol", protocol=self.hello.protocol, ours=PROTOCOL_VERSION)
            return events + self._lost(reason, t_ms)
        if not self.found:
            self._found = True
            events.append(SensorFound(t_ms=t_ms))
        return events + self._news(message, t_ms)

    def silence(self, t_ms: int) -> list[DiceEvent]:
        """The loss of the sensor as an event, when it has been silent for too long at `t_ms`."""
        if self._message_ms is None or t_ms - self._message_ms <= LOST_AFTER_MS:
            return []
        return self.lose(say("sensor_silent"), self._message_ms + LOST_AFTER_MS)

    def lose(self, reason: str, t_ms: int) -> list[DiceEvent]:
        """Note that the sensor is lost. The event is given only once until the sensor is found again."""
        self._message_ms = None
        self._seq = None
        self.hello = None
        self._forget()
        return self._lost(reason, t_ms)

    def _lost(self, reason: str, t_ms: int) -> list[DiceEvent]:
        news = self._found is not False
        self._found = False
        return [SensorLost(t_ms=t_ms, reason=reason)] if news else []

    def _count_missing(self, message: Message) -> None:
        if self._seq is not None and not isinstance(message, Boot):
            self.missing_lines += (message.seq - self._seq - 1) % 256
        self._seq = message.seq

    def _news(self, message: Message, t_ms: int) -> list[DiceEvent]:
        match message:
            case Boot():
                self.hello = None
                self._forget()
            case Error(code=code):
                self.last_error = code
            case Moving(die=die) if self._changes(message, die, None):
                return [DiceMoving(t_ms=t_ms, die=die)]
            case Face(die=die, face=face) if self._changes(message, die, face):
                return [DiceSettled(t_ms=t_ms, die=die, face=face)]
            case Lifted(die=die) if self._changes(message, die, None):
                return [DiceLifted(t_ms=t_ms, die=die)]
        return []

    def _changes(self, message: Message, die: int, face: int | None) -> bool:
        state = (type(message), face)
        if self._known.get(die, (Lifted, None)) == state:
            return False
        self._known[die] = state
        return True

    def _forget(self) -> None:
        self._known = dict.fromkeys(self._known)
