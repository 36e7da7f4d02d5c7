"""A simulated dice tray. It speaks the protocol of the real one, byte for byte."""

from collections.abc import Sequence
from dataclasses import dataclass

from hardware.dice_events import DiceEvent
from hardware.dice_log import DiceLogWriter
from hardware.wire import (
    HEARTBEAT_MS,
    PROTOCOL_VERSION,
    AskHello,
    AskSnap,
    DiceListener,
    Line,
    LineParser,
    encode,
)
from sentences import say

MOVING = "*"
LIFTED = "-"
NO_FACE = "?"
STATES = "123456" + MOVING + LIFTED + NO_FACE
"""The states of a die: a face, moving, lifted, lying there unread."""


class SimulatedTray:
    """Turns happenings of the dice into the tray's lines, and answers the host's HELLO and SNAP.

    Times are arguments and must not go back. A heartbeat comes every second from the start on.
    """

    def __init__(self, t_ms: int = 0, dice: int = 2) -> None:
        self._states = dict.fromkeys(range(1, dice + 1), LIFTED)
        self._host = LineParser()
        self._bad_lines = 0
        self._out: list[tuple[int, bytes]] = []
        self.restart(t_ms)

    def restart(self, t_ms: int) -> None:
        """Restart as after a power cut: sequence numbers and uptime begin at 0."""
        self._seq = 0
        self._started_ms = t_ms
        self._beats = 0
        self._send(t_ms, "BOOT")

    def happen(self, t_ms: int, die: int, state: str) -> None:
        """Change the state of a die to one of STATES. Raises ValueError for any other state."""
        if len(state) != 1 or state not in STATES:
            raise ValueError(say("no_state_of_die", known=STATES, state=state))
        self._send_heartbeats(t_ms)
        self._states[die] = state
        self._send_state(t_ms, die)

    def receive(self, t_ms: int, data: bytes) -> None:
        """Receive bytes from the host: answer HELLO and SNAP, and count anything else as a bad line."""
        self._send_heartbeats(t_ms)
        for found in self._host.feed(data):
            match found:
                case Line(message=AskHello()):
                    self._send(t_ms, "HELLO", PROTOCOL_VERSION, "simulated", len(self._states), "face+move")
                case Line(message=AskSnap()):
                    for die in self._states:
                        self._send_state(t_ms, die)
                case _:
                    self._bad_lines += 1

    def lines_until(self, t_ms: int) -> list[tuple[int, bytes]]:
        """The lines sent up to `t_ms` since the last call, each with its time and its newline."""
        self._send_heartbeats(t_ms)
        lines, self._out = self._out, []
        return lines

    def _send_state(self, t_ms: int, die: int) -> None:
        state = self._states[die]
        if state == MOVING:
            self._send(t_ms, "MOVE", die)
        else:
            self._send(t_ms, "FACE", die, state)

    def _send_heartbeats(self, t_ms: int) -> None:
        while (beat_ms := self._started_ms + (self._beats + 1) * HEARTBEAT_MS) <= t_ms:
            self._beats += 1
            self._send(beat_ms, "HB", self._beats, self._bad_lines)

    def _send(self, t_ms: int, *fields: object) -> None:
        self._out.append((t_ms, encode(self._seq, *fields)))
        self._seq = (self._seq + 1) % 256


@dataclass(frozen=True, kw_only=True)
class Happening:
    """A die changes to `state` (one of STATES) at `t_ms`."""

    t_ms: int
    die: int
    state: str


class SimulatedDice:
    """A DiceSensor on a simulated tray that follows a script. log: receives every line."""

    def __init__(self, script: Sequence[Happening], log: DiceLogWriter | None = None) -> None:
        self._log = log
        self._script = sorted(script, key=lambda happening: happening.t_ms)
        self._tray = SimulatedTray()
        self._parser = LineParser()
        self._listener = DiceListener()

    def events_until(self, t_ms: int) -> Sequence[DiceEvent]:
        """The events up to and including `t_ms` since the last call."""
        while self._script and self._script[0].t_ms <= t_ms:
            happening = self._script.pop(0)
            self._tray.happen(happening.t_ms, happening.die, happening.state)
        lines = self._tray.lines_until(t_ms)
        if self._log is not None:
            for line_ms, raw in lines:
                self._log.write(line_ms, raw.rstrip(b"\n"))
        return [
            event
            for line_ms, raw in lines
            for found in self._parser.feed(raw)
            if isinstance(found, Line)
            for event in self._listener.handle_message(found.message, line_ms)
        ]

    def close(self) -> None:
        """Do nothing: there is no device."""
