"""A dice.log: each line that came over the serial port, after its time in milliseconds.

A log is loaded with the parser and the listener of the live port, so it gives the same events. No content
makes loading fail: damaged lines are left out and reported in `problems`.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from hardware.dice_events import DiceEvent
from hardware.wire import LOST_AFTER_MS, DiceListener, Line, LineParser, Noise
from sentences import say

_TIMED = re.compile(rb"(\d{1,12}) (.*)", re.DOTALL)


class DiceLogWriter:
    """Writes received lines into a binary file. `write` raises OSError when the disk is full."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, t_ms: int, raw: bytes) -> None:
        """Write one line, given without its newline. It is flushed at once, so that no crash loses it."""
        self._file.write(b"%d %s\n" % (t_ms, raw))
        self._file.flush()


class DiceLog:
    """The events of a dice.log, as a DiceSensor.

    events: every event, in order of time. After the last line the sensor is silent, and so it is lost.
    problems: one sentence for each line that was left out.
    """

    def __init__(self, data: bytes) -> None:
        self.problems: list[str] = []
        self.events: tuple[DiceEvent, ...] = tuple(self._listen(data))
        self._given = 0

    @classmethod
    def load(cls, path: Path) -> "DiceLog":
        """The log in a file. Raises OSError when it cannot be read."""
        return cls(path.read_bytes())

    def events_until(self, t_ms: int) -> Sequence[DiceEvent]:
        """The events up to and including `t_ms` since the last call."""
        start = self._given
        while self._given < len(self.events) and self.events[self._given].t_ms <= t_ms:
            self._given += 1
        return self.events[start : self._given]

    def close(self) -> None:
        """Do nothing: there is no device."""

    def _listen(self, data: bytes) -> Iterator[DiceEvent]:
        listener, t_ms = DiceListener(), 0
        for number, t_ms, raw in _timed_lines(data.split(b"\n")):
            for found in LineParser().feed(raw + b"\n"):
                match found:
                    case Line(message=message):
                        yield from listener.handle_message(message, t_ms)
                    case Noise(problem=problem):
                        self.problems.append(say("dice_line_left_out", number=number, problem=problem))
        yield from listener.silence(t_ms + LOST_AFTER_MS + 1)


def _timed_lines(chunks: Sequence[bytes]) -> Iterator[tuple[int, int, bytes]]:
    """(line number, t_ms, bytes) of each line that is not empty. Times never go back.

    A stated time is accepted when it lies between the times of the lines before and after it. Any other line
    gets the time of the line before it.
    """
    lines = [(number, *_split_time(chunk)) for number, chunk in enumerate(chunks, start=1) if chunk.strip()]
    next_times = _next_times([stated_ms for _, stated_ms, _ in lines])
    now_ms = 0
    for (number, stated_ms, raw), next_ms in zip(lines, next_times, strict=True):
        if stated_ms is not None and now_ms <= stated_ms and (next_ms is None or stated_ms <= next_ms):
            now_ms = stated_ms
        yield number, now_ms, raw


def _split_time(chunk: bytes) -> tuple[int | None, bytes]:
    match = _TIMED.fullmatch(chunk)
    return (int(match[1]), match[2]) if match else (None, chunk)


def _next_times(times_ms: Sequence[int | None]) -> list[int | None]:
    """For each line the time of the next line that states one, None when no later line does."""
    next_ms: int | None = None
    found = []
    for t_ms in reversed(times_ms):
        found.append(next_ms)
        next_ms = next_ms if t_ms is None else t_ms
    return found[::-1]
