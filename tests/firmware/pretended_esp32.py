"""What main.py finds on an ESP32, pretended: its line to the host, its clock, its watchdog.

Runs inside MicroPython.
"""

import sys


class Ended(Exception):
    """The run is over."""


class Machine:
    """machine, and the one watchdog. `plan` is called with the number of each time it is fed."""

    plan = None
    fed = 0

    @staticmethod
    def WDT(timeout):
        assert timeout >= 1000
        return Machine

    @staticmethod
    def feed():
        Machine.fed += 1
        Machine.plan(Machine.fed)


class Time:
    """time, which passes while sleeping."""

    now_ms = 0

    @staticmethod
    def ticks_ms():
        return Time.now_ms

    @staticmethod
    def ticks_diff(now, then):
        return now - then

    @staticmethod
    def sleep_ms(ms):
        Time.now_ms += ms


class FromHost:
    """sys.stdin: what the host has sent."""

    waiting = b""

    @property
    def buffer(self):
        return self

    def read(self, n):
        assert self.waiting, "would wait for ever"
        taken, FromHost.waiting = self.waiting[:n], self.waiting[n:]
        return taken


class ToHost:
    """sys.stdout: what the host is sent is printed as hexadecimal digits."""

    @property
    def buffer(self):
        return self

    def write(self, data):
        print("sent", data.hex())


class Select:
    POLLIN = 1


class Poll:
    def register(self, stream, events):
        assert events == Select.POLLIN

    def poll(self, timeout_ms):
        assert timeout_ms == 0
        return [(FromHost, Select.POLLIN)] if FromHost.waiting else []


class MicroPython:
    @staticmethod
    def kbd_intr(code):
        assert code == -1, "a byte of a line may be 3"


class System:
    stdin, stdout = FromHost(), ToHost()


Select.poll = Poll


def run(plan):
    """main.py until `plan` raises Ended."""
    sys.modules["machine"], sys.modules["micropython"] = Machine, MicroPython
    import main

    main.sys, main.time, main.select = System, Time, Select
    Machine.plan, Machine.fed, Time.now_ms, FromHost.waiting = plan, 0, 0, b""
    try:  # noqa: SIM105, MicroPython has no contextlib
        main.main()
    except Ended:
        pass
