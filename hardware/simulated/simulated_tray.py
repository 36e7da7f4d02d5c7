"""A simulated dice tray. It speaks the protocol of the real one, byte for byte."""

from dataclasses import dataclass

from hardware.wire import HEARTBEAT_MS, PROTOCOL_VERSION, AskHello, AskSnap, Line, LineParser, encode
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

    def __init__(self, t_ms: int = 0) -> None:
        self._states = dict.fromkeys((1, 2), LIFTED)
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
