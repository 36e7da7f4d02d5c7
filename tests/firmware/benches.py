"""The dice tray's firmware under test: its core on this machine, and its real binary in a simulated ATmega.

Both take the same commands (firmware/bench/stimuli.h), so both must behave alike.
"""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hardware.wire import Line, LineParser, Message, Noise
from tests.paths import FIRMWARE
from tests.peers import require_peer

PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
"""Where the pips of each face are, in pip distances from the middle of the die."""

SENSORS = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)] + [(0, 0)]
"""Where the ten sensors of a well are: the grid row by row, then the second centre."""

ROTATIONS = (0, 1, 2, 3)


@dataclass(frozen=True, kw_only=True)
class Optics:
    """What a sensor gets back, in ADC counts, over the body of a die, over a pip and over nothing."""

    body: int = 300
    pip: int = 70
    nothing: int = 20


WHITE_DIE = Optics()
EMPTY = [WHITE_DIE.nothing] * 10


def reflected(up: int, rotation: int = 0, optics: Optics = WHITE_DIE) -> list[int]:
    """What the ten sensors get back from a die that shows `up` and was turned by quarter turns."""
    pips = PIPS[7 - up]
    for _ in range(rotation):
        pips = [(-y, x) for x, y in pips]
    return [optics.pip if sensor in pips else optics.body for sensor in SENSORS]


class Bench:
    """A tray that was just switched on. Times are milliseconds since then."""

    def __init__(self, command: Sequence[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.now_ms = 0

    def do(self, command: str) -> None:
        """A command of firmware/bench/stimuli.h that answers nothing."""
        assert self._process.stdin is not None
        self._process.stdin.write(command.encode() + b"\n")

    def lay(self, well: int, levels: Sequence[int]) -> None:
        """Put something into a well (1 or 2)."""
        self.do(f"set {well - 1} {' '.join(map(str, levels))}")

    def send(self, data: bytes) -> None:
        """Bytes from the host."""
        self.do(f"send {data.hex()}")

    def lines(self, ms: int) -> list[tuple[int, Line | Noise]]:
        """Let time pass; the lines that were sent meanwhile, each with its time."""
        self.do(f"run {ms}")
        self.now_ms += ms
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.flush()
        lines = []
        while (answer := self._process.stdout.readline()) != b"done\n":
            assert answer, "the bench has died"
            t_ms, _, raw = answer.partition(b" ")
            lines += [(int(t_ms), found) for found in LineParser().feed(raw)]
        return lines

    def run(self, ms: int) -> list[Message]:
        """Let time pass; what was said meanwhile. Every line must be good."""
        said = []
        for _, line in self.lines(ms):
            assert isinstance(line, Line), line
            said.append(line.message)
        return said

    def close(self) -> None:
        self._process.communicate()
        assert self._process.returncode == 0, "a sanitizer or the simulator has complained"


def build(target: str) -> Path:
    """Make a target of firmware/Makefile."""
    subprocess.run(["make", "--quiet", target], cwd=FIRMWARE, check=True, capture_output=True)
    return FIRMWARE / "build"


def core_bench() -> list[str]:
    """The command of the core, compiled for this machine with sanitizers."""
    require_peer(shutil.which("cc") and shutil.which("make"), "Debian's packages gcc and make")
    return [str(build("host") / "host")]


def atmega_bench() -> list[str]:
    """The command of the real binary in a simulated ATmega."""
    require_peer(shutil.which("cc") and shutil.which("make"), "Debian's packages gcc and make")
    require_peer(shutil.which("pkg-config"), "Debian's package pkg-config")
    require_peer(shutil.which("avr-gcc"), "Debian's package gcc-avr")
    require_peer(Path("/usr/lib/avr/include/avr/io.h").exists(), "Debian's package avr-libc")
    require_peer(Path("/usr/include/simavr/sim_avr.h").exists(), "Debian's package libsimavr-dev")
    require_peer(Path("/usr/include/libelf.h").exists(), "Debian's package libelf-dev")
    build("all")
    return [str(build("board") / "board"), str(FIRMWARE / "build" / "tray.elf")]
