"""How many frames a second the computer manages. The loop takes the newest frame whenever it is free."""

from collections import deque

from sentences import say

WINDOW_MS = 10_000
"""Over how long the pace is measured. Guess: a play, or two."""
SLOW_SHARE, WELL_SHARE = 0.4, 0.1
"""Shares of the frames due that are missed, from which on the pace is called slow, and well again. Guesses:
at 5 frames a second, 3 are enough for a warning in good time."""

DICE_SHARE = 0.25
"""The share of its time for dice that a computer gets which does not keep up. Guess."""


class Pace:
    """Frames that were handled, and those missed meanwhile.

    every_ms: the time between two frames that are wanted. is_slow: whether many are missed.
    """

    def __init__(self, every_ms: int) -> None:
        self._every_ms = every_ms
        self._began_ms: int | None = None
        self._lately: deque[tuple[int, int]] = deque()
        self.n_dropped = 0
        self.is_slow = False

    @property
    def a_second(self) -> float:
        """Frames handled a second, lately."""
        return len(self._lately) * 1000 / WINDOW_MS

    def rest_after_dice_ms(self, spent_ms: int) -> int:
        """How long no more dice are to be looked for, after a frame with a look took so long.

        Nothing on a computer that keeps up; else dice get a part of the time, and the board the rest.
        """
        return round(spent_ms / DICE_SHARE) if 0 < self._every_ms < spent_ms else 0

    def note(self, t_ms: int, spent_ms: int) -> str | None:
        """A frame was handled, which took so long. Gives the sentence when the pace becomes slow, or well."""
        missed = spent_ms // self._every_ms if self._every_ms else 0
        self.n_dropped += missed
        self._began_ms = t_ms if self._began_ms is None else self._began_ms
        self._lately.append((t_ms, missed))
        while self._lately[0][0] <= t_ms - WINDOW_MS:
            self._lately.popleft()
        if t_ms - self._began_ms < WINDOW_MS:
            return None
        n_missed = sum(n for _, n in self._lately)
        share = n_missed / (n_missed + len(self._lately))
        wanted = 1000 / self._every_ms if self._every_ms else 0.0
        if not self.is_slow and share >= SLOW_SHARE:
            self.is_slow = True
            return say("pace_slow", given=f"{self.a_second:.1f}", wanted=f"{wanted:.1f}")
        if self.is_slow and share <= WELL_SHARE:
            self.is_slow = False
            return say("pace_well", wanted=f"{wanted:.1f}")
        return None
