"""Notifies systemd of the state of the service (sd_notify(3)). Does nothing without systemd."""

import socket
from collections.abc import Callable, Mapping


class Systemd:
    """READY, WATCHDOG and STOPPING for the service manager.

    environment: holds NOTIFY_SOCKET and WATCHDOG_USEC. clock_ms: real monotonic milliseconds.
    """

    def __init__(self, environment: Mapping[str, str], clock_ms: Callable[[], int]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._every_ms = int(environment.get("WATCHDOG_USEC", "0")) // 3000
        self._clock_ms = clock_ms
        self._next_ms = clock_ms()
        self._is_ready = False

    def ready(self) -> None:
        """Notify that the service is ready. Only the first call notifies."""
        if not self._is_ready:
            self._is_ready = True
            self._notify("READY=1")

    def alive(self) -> None:
        """Notify that the loop runs, three times in each period of the watchdog."""
        if self._every_ms and self._clock_ms() >= self._next_ms:
            self._next_ms = self._clock_ms() + self._every_ms
            self._notify("WATCHDOG=1")

    def stopping(self) -> None:
        """Notify that the service is ending."""
        self._notify("STOPPING=1")

    def _notify(self, message: str) -> None:
        if not self._address:
            return
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            try:
                line.sendto(message.encode(), address)
            except OSError:
                self._address = ""  # the listener is gone; the game goes on
