"""A dice sensor made of Bluetooth dice: what the radio hears goes out as the lines of ../PROTOCOL.md."""

import lines
from lines import MOVING, UNREADABLE

PROTOCOL = 1
VERSION = "bluetooth-1.1.0"
HEARTBEAT_MS = 1000
DICE = (1, 2)


class Bridge:
    """`send` is given the bytes for the host."""

    def __init__(self, send):
        self._send = send
        self._seq = 0
        self._states = {}
        self._requests = lines.Requests()
        self._uptime_s = 0
        self._since_beat_ms = 0
        self._say("BOOT")

    def from_die(self, die, state):
        """What die 1 or 2 does now: a face "1" to "6", MOVING, UNREADABLE."""
        if state != self._states.get(die):
            self._states[die] = state
            self._tell(die)

    def lost_die(self, die):
        """The radio no longer hears a die: it may lie there, but cannot be read."""
        if die in self._states and self._states[die] != UNREADABLE:
            self._states[die] = UNREADABLE
            self._tell(die)

    def from_host(self, data):
        """Bytes from the host."""
        for request in self._requests.feed(data):
            if request == "HELLO":
                self._say("HELLO", PROTOCOL, VERSION, len(DICE), "face+move")
            else:
                for die in sorted(self._states):
                    self._tell(die)

    def pass_time(self, ms):
        """So much time has passed."""
        self._since_beat_ms += ms
        while self._since_beat_ms >= HEARTBEAT_MS:
            self._since_beat_ms -= HEARTBEAT_MS
            self._uptime_s += 1
            self._say("HB", self._uptime_s, self._requests.bad_lines)

    def _tell(self, die):
        state = self._states[die]
        if state == MOVING:
            self._say("MOVE", die)
        else:
            self._say("FACE", die, state)

    def _say(self, *fields):
        self._send(lines.encode(self._seq, *fields))
        self._seq = (self._seq + 1) % 256
