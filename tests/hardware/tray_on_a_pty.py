"""A simulated tray behind a pseudo-terminal, so that the real serial driver can talk to it."""

import os
import pty
import select
import termios
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path

from hardware.simulated_tray import SimulatedTray


class HandClock:
    """Milliseconds that pass when told to."""

    def __init__(self, t_ms: int = 0) -> None:
        self.t_ms = t_ms

    def __call__(self) -> int:
        return self.t_ms


class TrayOnAPty:
    """The tray answers in a thread of its own; `link` is the port's stable name, as udev would give it.

    Noise may be put on the line, and the cable pulled and plugged in again.
    """

    def __init__(self, link: Path, clock: HandClock) -> None:
        self.link = link
        self.tray = SimulatedTray()
        self._clock = clock
        self._lock = threading.Lock()
        self._paused = False
        self.plug_in()

    def plug_in(self) -> None:
        """As after plugging the cable in: the tray restarts and the port appears under its name."""
        self._master, slave = pty.openpty()
        tty.setraw(slave, termios.TCSANOW)
        self.tray.restart(self._clock())
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(slave))
        self._slave = slave
        self._unplug, self._pulled = os.pipe()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def pull_out(self) -> None:
        """As when the cable is pulled: the port is gone for whoever holds it."""
        os.close(self._pulled)
        self._thread.join()
        self.link.unlink(missing_ok=True)
        for fd in (self._slave, self._master, self._unplug):
            os.close(fd)

    def happen(self, die: int, state: str) -> None:
        with self._lock:
            self.tray.happen(self._clock(), die, state)

    def noise(self, data: bytes) -> None:
        os.write(self._master, data)

    def happen_unheard(self, die: int, state: str) -> None:
        """Something becomes of a die, but the line that says so is lost on its way."""
        with self._lock:
            self._send()
            self.tray.happen(self._clock(), die, state)
            self.tray.lines_until(self._clock())

    def pause(self) -> None:
        """The tray says nothing and hears nothing."""
        with self._lock:
            self._paused = True

    def go_on(self) -> None:
        """The tray speaks again."""
        with self._lock:
            self._paused = False

    def _run(self) -> None:
        while True:
            ready, _, _ = select.select([self._master, self._unplug], [], [], 0.002)
            if self._unplug in ready:
                return
            data = os.read(self._master, 256) if self._master in ready else b""
            with self._lock:
                if not self._paused:
                    self.tray.receive(self._clock(), data)
                    self._send()

    def _send(self) -> None:
        for _, raw in self.tray.lines_until(self._clock()):
            os.write(self._master, raw)


def wait_until(holds: Callable[[], object], patience_s: float = 10.0) -> None:
    """Return as soon as something that another thread does holds; fail when it has not in good time."""
    give_up = time.monotonic() + patience_s
    while not holds():
        assert time.monotonic() < give_up, "waited in vain"
        time.sleep(0.001)
