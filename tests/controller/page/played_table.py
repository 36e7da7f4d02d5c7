"""`blotlight play --page` as a process of its own, mostly on a simulated table, at which a test types."""

import re
import subprocess
import sys
import threading
from contextlib import contextmanager

from controller.page.page_access import TOKEN_NAME, invitation

PATIENCE_S = 60.0


SIMULATED = ("controller.cli", "play", "--simulated")


class PlayedTable:
    """folder: where its matches lie. settings: the file that setting the board up writes.

    program: the module that plays, and what stands before the options.
    """

    def __init__(self, folder, *options, program=SIMULATED):
        self.folder, self.settings = folder, folder / "blotlight.toml"
        command = [*program, "--page", "127.0.0.1:0", "--matches", str(folder), *options]
        self.process = subprocess.Popen(
            [sys.executable, "-m", *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said = []
        self._came = threading.Condition()
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()
        self.url = self.wait_for(r"The page is at (\S+)")[1]

    def _listen(self):
        for line in self.process.stdout:
            with self._came:
                self.said.append(line)
                self._came.notify_all()

    def wait_for(self, pattern):
        """Wait until a line was said that holds a pattern."""

        def found():
            return next((one for line in self.said if (one := re.search(pattern, line))), None)

        with self._came:
            assert self._came.wait_for(found, PATIENCE_S), f"never said: {pattern}: {self.said}"
            return found()

    @property
    def invitation(self):
        return invitation(self.url, (self.folder / TOKEN_NAME).read_text().strip())

    def type(self, line):
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def leave(self):
        self.process.terminate()
        self.process.wait(PATIENCE_S)
        self._listener.join(PATIENCE_S)
        self.process.stdin.close()
        self.process.stdout.close()


@contextmanager
def played_table(folder, *options, program=SIMULATED):
    table = PlayedTable(folder, *options, program=program)
    try:
        yield table
    finally:
        table.leave()
