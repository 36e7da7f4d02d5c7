"""Lines of ../PROTOCOL.md, for MicroPython."""

MAX_LINE_BYTES = 64
MOVING = "*"
UNREADABLE = "?"
"""States of a die beside its faces "1" to "6"."""


def crc16(data):
    """CRC-16/CCITT-FALSE of some bytes."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc


def encode(seq, *fields):
    """One line with its newline."""
    body = ",".join(str(field) for field in (seq,) + fields).encode()  # noqa: RUF005, MicroPython unpacks no tuples
    return b"$" + body + f"*{crc16(body):04X}\n".encode()


class Requests:
    """The host's lines, from bytes as they come. A `$` ends the line before it and starts a new one."""

    def __init__(self):
        self.bad_lines = 0
        self._line = None

    def feed(self, data):
        """The requests ("HELLO", "SNAP") that these bytes complete."""
        found = []
        for byte in data:
            if byte == 0x24:
                if self._line:
                    self._finish(found)
                self._line = bytearray()
            elif self._line is None:
                continue
            elif byte == 0x0A:
                self._finish(found)
            elif len(self._line) >= MAX_LINE_BYTES:
                self.bad_lines += 1
                self._line = None
            elif byte != 0x0D:
                self._line.append(byte)
        return found

    def _finish(self, found):
        body, star, crc = bytes(self._line).partition(b"*")
        self._line = None
        seq, _, kind = body.partition(b",")
        good = star and seq.isdigit() and crc == f"{crc16(body):04X}".encode()
        if good and kind in (b"HELLO", b"SNAP"):
            found.append(kind.decode())
        else:
            self.bad_lines += 1
