"""Counts what happens from frame to frame, and says when the computer does not keep up or sees nothing.

The loop takes the newest frame whenever it is free.
"""

from collections import deque

from controller.perception.board_watcher import BoardWatcher
from controller.service.devices import DeviceWatch
from controller.service.health.counters import Counters
from sentences import say
from vision.board_reading import BoardReading

WINDOW_MS = 10_000
"""Time over which the pace is measured. Guess: a play, or two."""
SLOW_SHARE, WELL_SHARE = 0.4, 0.1
"""The pace becomes slow when at least the first share of the due frames is missed, and well again when at
most the second is. Guesses: at 5 frames a second, 3 are enough for a warning in good time."""

DICE_SHARE = 0.25
"""Share of the time that goes to finding dice on a computer that does not keep up. Guess."""


class Pace:
    """Counts the frames handled, and those missed meanwhile.

    every_ms: the wanted time between two frames. is_slow: whether many are missed.
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
        """How long not to look for dice, after a frame in which that was done took `spent_ms`.

        0 on a computer that keeps up. Otherwise dice get DICE_SHARE of the time, and the board the rest.
        """
        return round(spent_ms / DICE_SHARE) if 0 < self._every_ms < spent_ms else 0

    def note(self, t_ms: int, spent_ms: int) -> str | None:
        """Note a frame that took `spent_ms`. Returns a sentence when the pace becomes slow, or well again."""
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


UNREAD_MS = 10_000
"""Time without a picture that can be read, after which people are told. Guess."""


class Sight:
    """Says when pictures of a board that was learnt cannot be read for a while, and when they can again."""

    def __init__(self) -> None:
        self._unread_since_ms: int | None = None
        self._is_told = False

    def note(self, t_ms: int, reading: BoardReading | None) -> str | None:
        """Note the reading of a frame. Returns a sentence when people are to be told."""
        problem = reading.refused if reading is not None else None
        if problem is None:
            was_told, self._is_told, self._unread_since_ms = self._is_told, False, None
            return say("board_is_read") if was_told else None
        if self._unread_since_ms is None:
            self._unread_since_ms = t_ms
        if self._is_told or t_ms - self._unread_since_ms < UNREAD_MS:
            return None
        self._is_told = True
        return say("pictures_unread", problem=problem)


class Vitals:
    """Keeps counters, pace and sight.

    devices: keeps which are there. every_ms: the wanted time between two frames.
    """

    def __init__(self, counters: Counters, devices: DeviceWatch, every_ms: int) -> None:
        self.counters = counters
        self._devices = devices
        self._pace = Pace(every_ms)
        self._sight = Sight()

    def note_frame(self, t_ms: int) -> None:
        """Note that a frame has come."""
        if self._devices.note_frame(t_ms):
            self.counters.note_found("camera")

    def note_dice(self, is_here: bool, t_ms: int) -> None:
        """Note that the dice sensor was found or lost."""
        if self._devices.note_dice(is_here, t_ms):
            self.counters.note_found("dice")

    def note_handled(self, t_ms: int, now_ms: int, watcher: BoardWatcher) -> str | None:
        """Note a frame of `t_ms` handled at `now_ms`. Returns a sentence when people are to be told."""
        counters, pace, spent_ms = self.counters, self._pace, now_ms - t_ms
        counters.note_frame(watcher.reading)
        if watcher.dice_looked_ms == t_ms:
            watcher.hold_dice_until_ms = t_ms + pace.rest_after_dice_ms(spent_ms)
        said = pace.note(t_ms, spent_ms)
        counters.dropped, counters.pictures_a_second = pace.n_dropped, pace.a_second
        if said is not None:
            self._devices.note_pace(round(pace.a_second) if pace.is_slow else None)
        return said or self._sight.note(t_ms, watcher.reading)
