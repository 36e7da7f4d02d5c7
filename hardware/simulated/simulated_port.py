"""A simulated tray behind a pseudo-terminal, so that the real serial driver talks to it as to a Nano."""

import os
import pty
import select
import termios
import threading
import tty
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

from hardware.simulated.simulated_tray import Happening, SimulatedTray


class TrayOnAPty:
    """The tray answers in a thread of its own; `link` is the port's stable name, as udev would give it.

    The cable can be pulled and plugged in again, and noise put on the line.
    """

    def __init__(self, link: Path, clock_ms: Callable[[], int]) -> None:
        self.link = link
        self._clock_ms = clock_ms
        self._tray = SimulatedTray(clock_ms())
        self._lock = threading.Lock()
        self._paused = False
        self._planned: deque[Happening] = deque()
        self.last_line = b""
        """The last line that was put on the wire."""
        self.plug_in()

    def plug_in(self) -> None:
        """As after plugging the cable in: the tray restarts and the port appears under its name."""
        self._apply_due()
        self._tray.lines_until(self._clock_ms())  # lines sent while the cable was unplugged
        self._host_end, self._tray_end = pty.openpty()
        tty.setraw(self._tray_end, termios.TCSANOW)
        self._tray.restart(self._clock_ms())
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(self._tray_end))
        self._stopped, self._stop = os.pipe()
        self._thread = threading.Thread(target=self._run, name="simulated tray", daemon=True)
        self._thread.start()

    def pull_out(self) -> None:
        """As when the cable is pulled: the port is gone, also for programs that have it open."""
        os.close(self._stop)
        self._thread.join()
        self.link.unlink(missing_ok=True)
        for fd in (self._tray_end, self._host_end, self._stopped):
            os.close(fd)

    def happen(self, die: int, state: str) -> None:
        """A die changes its state now, to one of simulated_tray.STATES."""
        with self._lock:
            self._tray.happen(self._clock_ms(), die, state)

    def plan(self, happenings: Iterable[Happening]) -> None:
        """Let these happen when their time has come; times never go back."""
        with self._lock:
            self._planned.extend(happenings)

    def say_all(self) -> None:
        """Let all happen that is due by now, and put it on the wire."""
        with self._lock:
            self._apply_due()
            self._send()

    def happen_unheard(self, die: int, state: str) -> None:
        """A die changes its state, but the line that reports it is lost."""
        with self._lock:
            self._send()
            self._tray.happen(self._clock_ms(), die, state)
            self._tray.lines_until(self._clock_ms())

    def noise(self, data: bytes) -> None:
        """Bytes that no tray has sent."""
        os.write(self._host_end, data)

    def pause(self) -> None:
        """The tray neither sends nor receives."""
        with self._lock:
            self._paused = True

    def go_on(self) -> None:
        """The tray sends and receives again."""
        with self._lock:
            self._paused = False

    def _run(self) -> None:
        while True:
            ready, _, _ = select.select([self._host_end, self._stopped], [], [], 0.002)
            if self._stopped in ready:
                return
            data = os.read(self._host_end, 256) if self._host_end in ready else b""
            with self._lock:
                self._apply_due()
                if not self._paused:
                    self._tray.receive(self._clock_ms(), data)
                    self._send()

    def _apply_due(self) -> None:
        """Let happen what is planned for now or before."""
        while self._planned and self._planned[0].t_ms <= self._clock_ms():
            happening = self._planned.popleft()
            self._tray.happen(happening.t_ms, happening.die, happening.state)

    def _send(self) -> None:
        for _, raw in self._tray.lines_until(self._clock_ms()):
            os.write(self._host_end, raw)
            self.last_line = raw
