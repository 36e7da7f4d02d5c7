"""The dice tray on a serial port. The port is found, opened and read, and reopened when it is lost.

One thread owns the port. It speaks the protocol and puts events into a queue. Callers take events from the
queue and never wait for the device.
"""

import glob
import queue
import termios
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import serial

from hardware.device_errors import DicePortNotFound, disk_remedy
from hardware.dice_events import DiceEvent
from hardware.dice_log import DiceLogWriter
from hardware.wire import Boot, DiceListener, Face, FromHost, Hello, Lifted, Line, LineParser, Moving, encode
from sentences import say

BAUD = 115_200
UDEV_NAME = "/dev/blotlight-dice"
BY_ID = "/dev/serial/by-id/*"

UNPLUGGED = (serial.SerialException, OSError, termios.error, TypeError)
"""The errors that pyserial 3.5 raises when the cable is pulled: SerialException from read and write, OSError
from in_waiting, termios.error from flushing. It raises TypeError when another thread closes the port during a
read."""


@dataclass(frozen=True, kw_only=True)
class PortTiming:
    """Times of the driver. A Nano resets when its port is opened and answers some 2 s later.

    ask_every_ms: time between two requests without an answer; guess. deaf_after_ms: silence after which the
    port is reopened: twice what the Nano needs. retry_s: waits between attempts to open the port; guesses.
    """

    ask_every_ms: int = 500
    deaf_after_ms: int = 4000
    retry_s: tuple[float, ...] = (0.2, 0.5, 1.0, 2.0, 5.0)


def find_dice_port(named: str | None = None) -> str:
    """The path of the tray's port: `named`, else its udev name, else the only adapter plugged in.

    Raises DicePortNotFound when there is none, or several.
    """
    if named is not None:
        return named
    if Path(UDEV_NAME).exists():
        return UDEV_NAME
    adapters = sorted(glob.glob(BY_ID))
    if len(adapters) == 1:
        return adapters[0]
    if adapters:
        raise DicePortNotFound(say("many_adapters", n_adapters=len(adapters), adapters=", ".join(adapters)))
    raise DicePortNotFound(say("no_tray"))


class SerialDice:
    """The dice tray on a real serial port (or a pty), as a DiceSensor.

    find_port: returns the path to open, before each attempt; may raise DicePortNotFound.
    clock_ms: monotonic milliseconds.
    log: receives every line as it came, noise included.
    """

    def __init__(
        self,
        find_port: Callable[[], str],
        clock_ms: Callable[[], int],
        *,
        log: DiceLogWriter | None = None,
        timing: PortTiming | None = None,
    ) -> None:
        self._find_port = find_port
        self._clock_ms = clock_ms
        self._log = log
        self._timing = timing or PortTiming()
        self._listener = DiceListener()
        self._events: queue.SimpleQueue[DiceEvent] = queue.SimpleQueue()
        self._held: list[DiceEvent] = []
        self._stop = threading.Event()
        self._spoke = False
        self.log_problem: str | None = None
        """Why the log is no longer kept, or None."""
        self._thread = threading.Thread(target=self._run, name="dice port", daemon=True)
        self._thread.start()

    @property
    def hello(self) -> Hello | None:
        """The tray's answer to HELLO, None before it came."""
        return self._listener.hello

    @property
    def last_error(self) -> str | None:
        """The last fault that the tray reported, None when it reported none."""
        return self._listener.last_error

    def events_until(self, t_ms: int) -> Sequence[DiceEvent]:
        """The events up to and including `t_ms` since the last call. Never waits."""
        while not self._events.empty():
            self._held.append(self._events.get())
        given = [event for event in self._held if event.t_ms <= t_ms]
        self._held = self._held[len(given) :]
        return given

    def close(self) -> None:
        """Stop the thread and release the port. May be called twice."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        failures = 0
        while not self._stop.is_set():
            self._spoke = False
            try:
                with _open(self._find_port()) as port:
                    self._converse(port)
            except DicePortNotFound as reason:
                self._lose(str(reason))
            except UNPLUGGED as error:
                self._lose(say("tray_port_unusable", problem=error))
            failures = 0 if self._spoke else failures + 1
            self._stop.wait(self._timing.retry_s[min(failures, len(self._timing.retry_s) - 1)])

    def _converse(self, port: serial.Serial) -> None:
        """Talk with the tray until it falls silent. Raises one of UNPLUGGED when the cable is pulled."""
        talk = _Conversation(self._listener, self._timing, self._clock_ms())
        while not self._stop.is_set() and not talk.is_deaf(now_ms := self._clock_ms()):
            for request in talk.requests(now_ms):
                port.write(request)
            data = port.read(max(1, port.in_waiting))
            now_ms = self._clock_ms()
            for found in talk.parser.feed(data):
                self._write_log(now_ms, found.raw)
                if isinstance(found, Line) and not isinstance(found.message, FromHost):  # that is an echo
                    self._put(talk.handle_line(found, now_ms))
                    self._spoke = True
            self._put(self._listener.silence(now_ms))
        if not self._stop.is_set():
            self._lose(say("tray_silent"))

    def _write_log(self, t_ms: int, raw: bytes) -> None:
        if self._log is None:
            return
        try:
            self._log.write(t_ms, raw)
        except OSError as error:
            self._log = None
            self.log_problem = say("dice_log_ends", reason=error.strerror, remedy=disk_remedy(error))

    def _lose(self, reason: str) -> None:
        self._put(self._listener.lose(reason, self._clock_ms()))

    def _put(self, events: Sequence[DiceEvent]) -> None:
        for event in events:
            self._events.put(event)


class _Conversation:
    """Decides what to send to the tray: HELLO until it answers, then SNAP until the state of a die comes."""

    def __init__(self, listener: DiceListener, timing: PortTiming, opened_ms: int) -> None:
        self.parser = LineParser()
        self._listener = listener
        self._timing = timing
        self._line_ms = opened_ms
        self._next_ask_ms = opened_ms
        self._seq = 0
        self._missing_lines = listener.missing_lines
        self._snap_due = True

    def handle_line(self, line: Line, now_ms: int) -> list[DiceEvent]:
        """The events of a line. HELLO, BOOT or a gap makes a SNAP due; the state of a die answers it."""
        self._line_ms = now_ms
        if isinstance(line.message, Moving | Face | Lifted):
            self._snap_due = False
        events = self._listener.handle_message(line.message, now_ms)
        if isinstance(line.message, Hello | Boot) or self._listener.missing_lines > self._missing_lines:
            self._missing_lines = self._listener.missing_lines
            self._snap_due = True
            self._next_ask_ms = now_ms
        return events

    def is_deaf(self, now_ms: int) -> bool:
        """Whether the tray was silent for so long that the port should be reopened."""
        return now_ms - self._line_ms > self._timing.deaf_after_ms

    def requests(self, now_ms: int) -> list[bytes]:
        """The lines to send now."""
        wanted = "HELLO" if self._listener.hello is None else "SNAP" if self._snap_due else None
        if wanted is None or now_ms < self._next_ask_ms:
            return []
        self._next_ask_ms = now_ms + self._timing.ask_every_ms
        self._seq += 1
        return [encode(self._seq - 1, wanted)]


def _open(path: str) -> serial.Serial:
    return serial.Serial(path, BAUD, timeout=0.1, write_timeout=1.0, exclusive=True)
