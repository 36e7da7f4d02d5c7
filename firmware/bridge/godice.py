"""What a GoDice says over its Nordic UART service, from its maker's published programs.

`R` it rolls; `S`, `FS`, `TS`, `MS` and three signed bytes: it lies still (fairly, after a roll too short,
tilted, after a small move) and gravity points along the vector given.
"""

import struct

from lines import MOVING, UNREADABLE

SERVICES = ("6e400001-b5a3-f393-e0a9-e50e24dcca9e",)
NOTIFY = ("6e400003-b5a3-f393-e0a9-e50e24dcca9e",)
NAME = b"GoDice"

_STILL = (b"S", b"FS", b"TS", b"MS")
_UP = {(-1, 0): 1, (1, 2): 2, (1, 1): 3, (-1, 1): 4, (-1, 2): 5, (1, 0): 6}
"""The face that looks up, by the sign and the number of the axis along which the vector points."""
_LEAST_SHARE = 0.9
"""A die that leans by more than 26 degrees (whose cosine this is) cannot be read."""


def state(message):
    """What a message says of the die: a face "1" to "6", MOVING, UNREADABLE; None when nothing."""
    message = bytes(message)
    if message == b"R":
        return MOVING
    kind, vector = message[:-3], message[-3:]
    if kind not in _STILL or len(vector) != 3:
        return None
    return UNREADABLE if kind == b"TS" else _face(struct.unpack("bbb", vector))


def _face(vector):
    length = sum(v * v for v in vector) ** 0.5
    sizes = [abs(v) for v in vector]
    most = max(sizes)
    if length == 0 or most < _LEAST_SHARE * length:
        return UNREADABLE
    axis = sizes.index(most)
    return str(_UP[(1 if vector[axis] > 0 else -1, axis)])
