"""A simulated tray behind a pseudo-terminal, to which the real serial driver talks as to a Nano."""

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
    """A simulated tray, which answers in a thread of its own. link: the port's stable name, as from udev.

    The cable can be pulled and plugged in again, and noise can be put on the line.
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
        """Plug the cable in: the tray restarts and the port appears under its name."""
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
        """Pull the cable: the port disappears, also for programs that have it open."""
        os.close(self._stop)
        self._thread.join()
        self.link.unlink(missing_ok=True)
        for fd in (self._tray_end, self._host_end, self._stopped):
            os.close(fd)

    def happen(self, die: int, state: str) -> None:
        """Change the state of a die now, to one of simulated_tray.STATES."""
        with self._lock:
            self._tray.happen(self._clock_ms(), die, state)

    def plan(self, happenings: Iterable[Happening]) -> None:
        """Let these happen at their times, which never go back."""
        with self._lock:
            self._planned.extend(happenings)

    def say_all(self) -> None:
        """Apply all happenings that are due now, and send their lines."""
        with self._lock:
            self._apply_due()
            self._send()

    def happen_unheard(self, die: int, state: str) -> None:
        """Change the state of a die, and lose the line that reports it."""
        with self._lock:
            self._send()
            self._tray.happen(self._clock_ms(), die, state)
            self._tray.lines_until(self._clock_ms())

    def noise(self, data: bytes) -> None:
        """Put bytes on the line that no tray has sent."""
        os.write(self._host_end, data)

    def pause(self) -> None:
        """Stop the tray from sending and receiving."""
        with self._lock:
            self._paused = True

    def go_on(self) -> None:
        """Let the tray send and receive again."""
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
        """Apply the planned happenings that are due."""
        while self._planned and self._planned[0].t_ms <= self._clock_ms():
            happening = self._planned.popleft()
            self._tray.happen(happening.t_ms, happening.die, happening.state)

    def _send(self) -> None:
        for _, raw in self._tray.lines_until(self._clock_ms()):
            os.write(self._host_end, raw)
            self.last_line = raw
