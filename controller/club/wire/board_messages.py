"""The messages between boards and hall: topics, and JSON objects that are checked before use.

board-messages.schema.json describes the messages for other programs, asyncapi.json the topics.

    blotlight/1/boards/BOARD/status   retained; the broker itself sends `online: false` when a board is lost
    blotlight/1/boards/BOARD/state    retained; the current state of the game
    blotlight/1/boards/BOARD/health   retained; the devices
    blotlight/1/boards/BOARD/log      each row of the board's log, in order, until the hall has it
    blotlight/1/boards/BOARD/call     retained; the director is called; empty when he has come
    blotlight/1/have/BOARD            retained, from the hall: the last row that it has stored
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from controller.club.hall_store.store_of_hall import BoardRow, LogPlace
from controller.printable import is_printable

WIRE_VERSION = 1
ROOT_TOPIC = f"blotlight/{WIRE_VERSION}"
BOARDS_TOPIC, HAVE_TOPIC = f"{ROOT_TOPIC}/boards", f"{ROOT_TOPIC}/have"
BOARD_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
STREAM_NAME = re.compile(r"[A-Za-z0-9-]{1,40}")
"""A log's name. It stands in names of files."""
LARGEST_MESSAGE_BYTES = 65_536
"""Size of the largest message that is read. A row with two candidates has some 2 000 bytes. Guess."""
LARGEST_NUMBER = 2**53 - 1
"""The largest integer that every JSON parser reads exactly."""

JsonObject = Mapping[str, Any]


class WireError(ValueError):
    """A message or topic that is not valid here."""


@dataclass(frozen=True, kw_only=True)
class LogMessage:
    """A row of a board's log. after: the place of the row before it in the log, None for the first row."""

    row: BoardRow
    after: LogPlace | None


@dataclass(frozen=True, kw_only=True)
class HaveMessage:
    """What the hall has of a log. place: the last row that it has stored, None when it has none."""

    stream: str
    place: LogPlace | None


def board_topic(board: str, kind: str) -> str:
    """The topic of one kind of message of a board."""
    return f"{BOARDS_TOPIC}/{board}/{kind}"


def split_topic(topic: str) -> tuple[str, str]:
    """(board, kind) of a board's topic. Raises WireError for any other topic."""
    parts = topic.split("/")
    if len(parts) != 5 or "/".join(parts[:3]) != BOARDS_TOPIC or not BOARD_NAME.fullmatch(parts[3]):
        raise WireError(topic)
    return parts[3], parts[4]


def packed(**fields: object) -> bytes:
    """The bytes of a message with these fields and the version."""
    return json.dumps({"v": WIRE_VERSION, **fields}, separators=(",", ":"), allow_nan=False).encode()


def packed_row(message: LogMessage) -> bytes:
    """A row as a message."""
    row = message.row
    return packed(
        stream=row.stream,
        match=row.place.match,
        seq=row.place.seq,
        after=None if message.after is None else [message.after.match, message.after.seq],
        t_ms=row.t_ms,
        kind=row.kind,
        row=row.payload,
    )


def packed_have(have: HaveMessage) -> bytes:
    """What the hall has, as a message."""
    return packed(stream=have.stream, have=None if have.place is None else [have.place.match, have.place.seq])


def unpacked(payload: bytes) -> JsonObject:
    """The JSON object in a message of version WIRE_VERSION. Raises WireError when it is invalid."""
    if len(payload) > LARGEST_MESSAGE_BYTES:
        raise WireError(len(payload))
    try:
        found = json.loads(payload.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise WireError(payload[:40]) from error
    if not isinstance(found, dict) or found.get("v") is not WIRE_VERSION:
        raise WireError(payload[:40])
    return found


def unpacked_row(board: str, payload: bytes) -> LogMessage:
    """The row in a `log` message of a board. Raises WireError when it is invalid."""
    data = unpacked(payload)
    row = data.get("row")
    if not isinstance(row, dict):
        raise WireError(payload[:40])
    after = data.get("after", ())
    return LogMessage(
        row=BoardRow(
            board=board,
            stream=_stream(data),
            place=LogPlace(_number(data.get("match"), least=1), _number(data.get("seq"))),
            t_ms=_number(data.get("t_ms"), least=-LARGEST_NUMBER),
            kind=_text(data, "kind", most=40),
            payload=row,
        ),
        after=None if after is None else _place(after),
    )


def unpacked_have(payload: bytes) -> HaveMessage:
    """What the hall has, from a `have` message. Raises WireError when it is invalid."""
    data = unpacked(payload)
    have = data.get("have", ())
    return HaveMessage(stream=_stream(data), place=None if have is None else _place(have))


def unpacked_status(payload: bytes) -> tuple[bool, str]:
    """(whether the board is online, its log) from a `status` message. Raises WireError when it is invalid."""
    data = unpacked(payload)
    if not isinstance(data.get("online"), bool):
        raise WireError(payload[:40])
    return data["online"], _stream(data)


def unpacked_state(payload: bytes) -> JsonObject:
    """The game at a board, from a `state` message. Raises WireError when it is invalid."""
    data = unpacked(payload)
    if not all(field in data and is_right(data[field]) for field, is_right in _STATE_FIELDS.items()):
        raise WireError(payload[:40])
    return {field: data[field] for field in _STATE_FIELDS}


def unpacked_health(payload: bytes) -> JsonObject:
    """The devices of a board, from a `health` message. Raises WireError when it is invalid."""
    data = unpacked(payload)
    devices = data.get("devices")
    if not isinstance(devices, list) or len(devices) > 8 or not all(map(_is_device, devices)):
        raise WireError(payload[:40])
    return {"devices": devices}


def unpacked_call(payload: bytes) -> bool:
    """Whether a `call` message calls; an empty one ends a call. Raises WireError when it is invalid."""
    if payload and unpacked(payload).get("wants") != "director":
        raise WireError(payload[:40])
    return bool(payload)


# -- what each field may be


def _refuse(name: str) -> None:
    raise WireError(name)


def _number(value: object, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= LARGEST_NUMBER:
        raise WireError(value)
    return value


def _text(data: JsonObject, field: str, *, most: int) -> str:
    if not _is_text(data.get(field), most, least=1):
        raise WireError(field)
    return str(data[field])


def _stream(data: JsonObject) -> str:
    stream = _text(data, "stream", most=40)
    if not STREAM_NAME.fullmatch(stream):
        raise WireError(stream)
    return stream


def _place(value: object) -> LogPlace:
    if not isinstance(value, list) or len(value) != 2:
        raise WireError(value)
    return LogPlace(_number(value[0], least=1), _number(value[1]))


def _is_text(value: object, most: int, least: int = 0) -> bool:
    return isinstance(value, str) and least <= len(value) <= most and is_printable(value)


def _is_count(least: int, most: int) -> Callable[[object], bool]:
    return lambda value: type(value) is int and least <= value <= most


def _is_list(n: tuple[int, int], is_right: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and n[0] <= len(value) <= n[1] and all(map(is_right, value))


def _has(**fields: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: (
        isinstance(value, dict)
        and value.keys() == fields.keys()
        and all(is_right(value[name]) for name, is_right in fields.items())
    )


def _one_of(*values: object) -> Callable[[object], bool]:
    return lambda value: isinstance(value, str | None) and value in values


_is_flag: Callable[[object], bool] = lambda value: isinstance(value, bool)  # noqa: E731
PLAYER_FIELDS: Mapping[str, Callable[[object], bool]] = {
    "colour": _one_of("white", "black"),
    "name": lambda value: _is_text(value, 60),
    "checkers": _one_of("light", "dark"),
    "seat": _one_of("top", "bottom"),
    "score": _is_count(0, 10_000),
    "pips": _is_count(0, 1000),
    "is_on_roll": _is_flag,
}
"""The fields of a player in a `state` message, and what each may be."""
_is_board = _has(
    points=_is_list((24, 24), _is_count(-15, 15)),
    guests=_is_list((24, 24), _is_count(-15, 15)),
    bar=_is_list((2, 2), _is_count(-15, 15)),
    off=_is_list((2, 2), _is_count(-15, 15)),
    labels=_is_list((24, 24), lambda value: _is_text(value, 4)),
)
_is_cube = _has(
    value=_is_count(1, 2**20), owner=_one_of("white", "black", None), place=_one_of("middle", "top", "bottom")
)
_is_device = _has(name=_one_of("camera", "dice", "lights"), is_here=_is_flag, is_set_up=_is_flag)
_STATE_FIELDS: Mapping[str, Callable[[object], bool]] = {
    "t_ms": _is_count(-LARGEST_NUMBER, LARGEST_NUMBER),
    "length": _is_count(0, 10_000),
    "game": _is_count(1, 10_000),
    "phase": lambda value: _is_text(value, 20),
    "is_crawford": _is_flag,
    "players": _is_list((2, 2), _has(**PLAYER_FIELDS)),
    "board": _is_board,
    "dice": _is_list((0, 4), _is_count(0, 6)),
    "cube": lambda value: value is None or _is_cube(value),
    "offences": _is_list((0, 20), lambda value: _is_text(value, 40)),
    "has_question": _is_flag,
}
