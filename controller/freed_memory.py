"""Gives freed memory back to the system, so that a process takes no more than it uses."""

import ctypes

LARGE_BYTES = 1 << 18
"""Blocks of at least this size get their own mapping, unmapped when freed. A picture has 2.8 MB. Guess."""
MOST_ARENAS = 2
"""Most heaps from which threads allocate. Each heap keeps what it once took. Guess."""
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
"""Parameters of glibc's mallopt(3), as its malloc.h numbers them."""


def give_freed_memory_back() -> None:
    """Set these limits in glibc's malloc. Does nothing where the C library has no mallopt.

    By default malloc raises the size for mappings with each large block that is freed. Then pictures come to
    lie in its heaps, between small blocks that stay.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, LARGE_BYTES)
        mallopt(_ARENA_MAX, MOST_ARENAS)
