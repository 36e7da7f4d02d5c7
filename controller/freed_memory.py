"""Memory that was freed goes back to the system: a process should take no more than it uses."""

import ctypes

LARGE_BYTES = 1 << 18
"""From this size on a block is mapped by itself, and unmapped when freed. A picture has 2.8 MB. Guess."""
MOST_ARENAS = 2
"""Heaps of which threads take their memory. Each keeps what it once took. Guess."""
_MMAP_THRESHOLD, _ARENA_MAX = -3, -8
"""Parameters of glibc's mallopt(3), as its malloc.h numbers them."""


def give_freed_memory_back() -> None:
    """Set glibc's malloc so, where there is one.

    By default it raises the size with each large block that is freed, until pictures lie in its heaps,
    between small blocks that stay.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, LARGE_BYTES)
        mallopt(_ARENA_MAX, MOST_ARENAS)
