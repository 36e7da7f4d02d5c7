"""A recording RPi.GPIO, and a chain of APA102 LEDs that listens to its edges."""

from collections.abc import Callable, Sequence

DATA, CLOCK = 10, 11


class FakeGpio:
    """Behaves like the RPi.GPIO module; keeps every call to output, and may be told of each."""

    BCM = 11
    OUT = 0

    def __init__(self) -> None:
        self.edges: list[tuple[int, int]] = []
        self.outputs: dict[int, int] = {}
        self.on_output: Callable[[], None] = lambda: None

    def setwarnings(self, flag: bool) -> None:
        pass

    def setmode(self, mode: int) -> None:
        assert mode == self.BCM

    def setup(self, channel: int, direction: int, *, initial: int) -> None:
        assert direction == self.OUT
        self.outputs[channel] = initial

    def output(self, channel: int, value: int) -> None:
        self.on_output()
        assert channel in self.outputs, f"pin {channel} is no output"
        self.outputs[channel] = value
        self.edges.append((channel, value))

    def cleanup(self, channel: Sequence[int]) -> None:
        for pin in channel:
            del self.outputs[pin]

    def forget_all_but_the_last(self, n_leds: int) -> None:
        """Drop the edges of all whole updates but the last, so that a long run stays quick to look at."""
        rises = [i for i, edge in enumerate(self.edges) if edge == (CLOCK, 1)]
        n_old = len(rises) // update_bits(n_leds) - 1
        if n_old > 0:
            del self.edges[: rises[n_old * update_bits(n_leds) - 1] + 2]

    def take_edges(self) -> list[tuple[int, int]]:
        """The calls since the last time."""
        edges, self.edges = self.edges, []
        return edges


def clocked_bits(edges: Sequence[tuple[int, int]]) -> list[int]:
    """The data line at each rising edge of the clock, which is when an APA102 reads it."""
    data, bits = 0, []
    for channel, value in edges:
        if channel == DATA:
            data = value
        elif value == 1:
            bits.append(data)
    return bits


def update_bits(n_leds: int) -> int:
    """The bits of one update: start, LEDs, end."""
    return 32 + 32 * n_leds + 32 + 8 * ((n_leds + 15) // 16)


def updates(edges: Sequence[tuple[int, int]], n_leds: int) -> list[list[tuple[int, int, int, int]]]:
    """(level, red, green, blue) of each LED after each whole update, as the chips decode them.

    Each chip waits for 32 zero bits, takes the first 32 bits that begin with 111 for itself and passes on the
    rest half a clock late, so the end must bring n/2 more edges or more, and 32 zeros for the latch.
    """
    bits = clocked_bits(edges)
    size = update_bits(n_leds)
    return [_decode(bits[i : i + size], n_leds) for i in range(0, len(bits) - size + 1, size)]


def _decode(bits: list[int], n_leds: int) -> list[tuple[int, int, int, int]]:
    assert bits[:32] == [0] * 32, "no start frame"
    end = bits[32 + 32 * n_leds :]
    assert len(end) >= 32 + n_leds / 2, "the end frame is too short"
    assert not any(end), "the end frame would light an LED beyond the strip"
    return [_led(bits[32 + 32 * i : 64 + 32 * i]) for i in range(n_leds)]


def _led(bits: list[int]) -> tuple[int, int, int, int]:
    assert bits[:3] == [1, 1, 1], "no LED frame"
    header, blue, green, red = (int("".join(map(str, bits[i : i + 8])), 2) for i in (0, 8, 16, 24))
    return header & 31, red, green, blue
