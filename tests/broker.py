"""A real mosquitto for tests: Debian's, with the files that `blotlight club init` makes, on loopback."""

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

from controller.club.wire.broker_files import write_broker_files
from controller.club.wire.club_link import load_link
from tests.peers import require_peer

PATIENCE_S = 30


class Broker:
    """A broker that can be killed and started again. link(user): how that user reaches it."""

    def __init__(self, folder, n_boards):
        self._program = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        require_peer(self._program is not None, "Debian's package mosquitto")
        require_peer(shutil.which("openssl") is not None, "Debian's package openssl")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.folder = folder / "broker"
        write_broker_files(
            self.folder, ["127.0.0.1", "localhost"], n_boards, port=self.port, bind="127.0.0.1"
        )
        if os.geteuid() == 0:  # mosquitto gives root's rights away
            folder.chmod(0o755)
            for path in (self.folder, *self.folder.rglob("*")):
                shutil.chown(path, "mosquitto", "mosquitto")
        self._process = None
        self.start()

    def link(self, user):
        return load_link(self.folder / "links" / f"{user}.toml")

    def start(self):
        log = (self.folder / "log").open("ab")
        command = [self._program, "-c", str(self.folder / "mosquitto.conf")]
        self._process = subprocess.Popen(command, stdout=log, stderr=log)
        log.close()
        end_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                assert time.monotonic() < end_s, (self.folder / "log").read_text()
                assert self._process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)

    @property
    def pid(self):
        return self._process.pid

    def kill(self):
        """Kill it as a power cut would."""
        self._process.kill()
        self._process.wait(PATIENCE_S)


class Cable:
    """A line to a port of this computer that can be cut: then nothing comes through, and nobody is told."""

    def __init__(self, port):
        self._to = ("127.0.0.1", port)
        self.port = 0
        self._is_whole = threading.Event()
        self._ends = []
        self.mend()

    def cut(self):
        self._is_whole.clear()
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()

    def mend(self):
        """Whole again; what was open before ends, as after the patience of TCP."""
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends = []
        self._is_whole.set()
        self._server = socket.create_server(("127.0.0.1", self.port))
        self.port = self._server.getsockname()[1]
        threading.Thread(target=self._accept, args=(self._server,), daemon=True).start()

    def _accept(self, server):
        with suppress(OSError):
            while True:
                near, _ = server.accept()
                far = socket.create_connection(self._to)
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one, other):
        with suppress(OSError):
            while data := one.recv(65536):
                self._is_whole.wait()
                other.sendall(data)
        self._is_whole.wait()
        for end in (one, other):
            end.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._is_whole.is_set():
            self.cut()
        for end in self._ends:
            end.close()
        self._is_whole.set()


@contextmanager
def broker(n_boards):
    with tempfile.TemporaryDirectory(prefix="blotlight-club-") as folder:
        found = Broker(Path(folder), n_boards)
        try:
            yield found
        finally:
            found.kill()
