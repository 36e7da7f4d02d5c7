"""A terminal for tests: a command on a pseudo-terminal, and the screen that a person would see."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

from tests.paths import ROOT

CSI = re.compile(r"\x1b\[([?\d;]*)([A-Za-z])")
LONGEST_SEQUENCE = 48
PATIENCE_S = 60.0
"""How long a test waits for what should appear. A slow machine needs some of it; nothing sleeps it out."""


class TerminalScreen:
    """The characters on a screen, from the control sequences that the program uses (ECMA-48)."""

    def __init__(self, columns: int, rows: int) -> None:
        self.unknown: list[str] = []
        self._pending = ""
        self.resize(columns, rows)

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self._saved = (0, 0)

    @property
    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.cells]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def feed(self, data: str) -> None:
        data, self._pending = self._pending + data, ""
        at = 0
        while at < len(data):
            if data[at] != "\x1b":
                self._put(data[at])
                at += 1
            elif data[at + 1 : at + 2] in ("7", "8"):
                self._keep(data[at + 1])
                at += 2
            elif found := CSI.match(data, at):
                self._control(found[1], found[2])
                at = found.end()
            elif len(data) - at < LONGEST_SEQUENCE:
                self._pending = data[at:]
                return
            else:  # the echo of what was typed has split a sequence
                at += 1

    def _keep(self, sign: str) -> None:
        if sign == "7":
            self._saved = (self.row, self.column)
        else:
            self.row, self.column = self._saved

    def _control(self, given: str, final: str) -> None:
        numbers = [int(number) for number in given.split(";") if number.isdigit()]
        if final == "H":
            row, column = (*numbers, 1, 1)[:2] if len(numbers) != 1 else (numbers[0], 1)
            self.row, self.column = min(row, self.rows) - 1, min(column, self.columns) - 1
        elif final == "K":
            start = 0 if numbers == [2] else self.column
            self.cells[self.row][start:] = [" "] * (self.columns - start)
        elif final == "J":
            first = 0 if numbers == [2] else self.row
            if first == self.row:
                self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
                first += 1
            for row in range(first, self.rows):
                self.cells[row] = [" "] * self.columns
        elif final != "m":
            self.unknown.append(given + final)

    def _put(self, char: str) -> None:
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self._next_row()
        elif char >= " ":
            if self.column == self.columns:
                self.column = 0
                self._next_row()
            self.cells[self.row][self.column] = char
            self.column += 1

    def _next_row(self) -> None:
        if self.row < self.rows - 1:
            self.row += 1
        else:
            self.cells = [*self.cells[1:], [" "] * self.columns]


class Terminal:
    """`blotlight ARGUMENTS` on a pseudo-terminal of this size; a context manager."""

    def __init__(self, arguments: list[str], columns: int, rows: int, home: Path, **environment: str) -> None:
        self.screen = TerminalScreen(columns, rows)
        self.raw = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._master, slave = pty.openpty()
        self._set_size(columns, rows)
        known = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        command = "import sys; from controller.cli.entry import main; sys.exit(main())"
        self.process = subprocess.Popen(
            [sys.executable, "-c", command, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=home,
            env={**known, "PYTHONPATH": str(ROOT), **environment},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.wait_for_end()
        os.close(self._master)

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(columns, rows)
        self._set_size(columns, rows)

    def wait_for(self, text: str | Callable[[str], bool]) -> str:
        """The screen once it shows `text`, which may be wrapped."""
        shows = text if callable(text) else lambda screen: text in " ".join(screen.split())
        end_s = time.monotonic() + PATIENCE_S
        while not shows(self.screen.text):
            left_s = end_s - time.monotonic()
            assert left_s > 0, f"{text!r} never came:\n{self.screen.text}"
            assert self._read(left_s), f"the program ended before {text!r} came:\n{self.screen.text}"
        return self.screen.text

    def wait_for_end(self) -> int:
        """The exit status, once the program has ended."""
        while self._read(PATIENCE_S):
            pass
        return self.process.wait(PATIENCE_S)

    def _read(self, wait_s: float) -> bool:
        """Read what comes within a while; False when the program has ended."""
        if not select.select([self._master], [], [], wait_s)[0]:
            return True
        try:
            data = os.read(self._master, 65536)
        except OSError:
            return False
        decoded = self._decoder.decode(data)
        self.raw += decoded
        self.screen.feed(decoded)
        return bool(data)

    def _set_size(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
