"""A dice.log: what the serial line said, each line behind the milliseconds at which it came.

Reading goes through the parser and the listener that the live port uses, so a log gives the events that were
heard when it was written. Nothing in the file can make reading fail: what is damaged is left out and named
in `problems`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from hardware.dice_events import DiceEvent
from hardware.wire import DiceListener, Line, LineParser, Noise

_TIMED = re.compile(rb"(\d{1,12}) (.*)", re.DOTALL)


class DiceLogWriter:
    """Writes lines as they are received into a file opened for bytes; a full disk is the caller's OSError."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, t_ms: int, raw: bytes) -> None:
        """One line without its newline, at once, so that a power cut loses nothing."""
        self._file.write(b"%d %s\n" % (t_ms, raw))
        self._file.flush()


class DiceLog:
    """The events of a dice.log, as a DiceSensor.

    events: all of them, in order of time.
    problems: one sentence for each line that was left out.
    """

    def __init__(self, data: bytes) -> None:
        self.problems: list[str] = []
        self.events: tuple[DiceEvent, ...] = tuple(self._listen(data))
        self._given = 0

    @classmethod
    def load(cls, path: Path) -> "DiceLog":
        """The log in a file. Raises OSError when there is no such file or it cannot be read."""
        return cls(path.read_bytes())

    def events_until(self, t_ms: int) -> Sequence[DiceEvent]:
        """The events up to and including `t_ms` that were not given yet."""
        start = self._given
        while self._given < len(self.events) and self.events[self._given].t_ms <= t_ms:
            self._given += 1
        return self.events[start : self._given]

    def close(self) -> None:
        """Nothing to let go of."""

    def _listen(self, data: bytes) -> Iterator[DiceEvent]:
        listener = DiceListener()
        for number, t_ms, raw in _timed_lines(data.split(b"\n")):
            for found in LineParser().feed(raw + b"\n"):
                match found:
                    case Line(message=message):
                        yield from listener.handle_message(message, t_ms)
                    case Noise(problem=problem):
                        self.problems.append(f"Line {number} of the dice log is left out: a line {problem}.")


def _timed_lines(chunks: Sequence[bytes]) -> Iterator[tuple[int, int, bytes]]:
    """(line number, t_ms, bytes) of each line that is not empty; times never go back.

    A time is believed when it lies between the one before and the one after; a line with another time or
    none came, as far as we can tell, with the line before it.
    """
    lines = [(number, *_split_time(chunk)) for number, chunk in enumerate(chunks, start=1) if chunk.strip()]
    now_ms = 0
    for i, (number, stated_ms, raw) in enumerate(lines):
        if stated_ms is not None and now_ms <= stated_ms <= _next_time(lines[i + 1 :], stated_ms):
            now_ms = stated_ms
        yield number, now_ms, raw


def _split_time(chunk: bytes) -> tuple[int | None, bytes]:
    match = _TIMED.fullmatch(chunk)
    return (int(match[1]), match[2]) if match else (None, chunk)


def _next_time(lines: Iterable[tuple[int, int | None, bytes]], default_ms: int) -> int:
    return next((t_ms for _, t_ms, _ in lines if t_ms is not None), default_ms)
