"""Counts what happens from frame to frame, and says when the computer does not keep up."""

from controller.perception.board_watcher import BoardWatcher
from controller.service.devices import DeviceWatch
from controller.service.health.counters import Counters
from controller.service.health.pace import Pace


class Vitals:
    """Keeps counters and pace. devices: keeps which are there. every_ms: wanted time between two frames."""

    def __init__(self, counters: Counters, devices: DeviceWatch, every_ms: int) -> None:
        self.counters = counters
        self._devices = devices
        self._pace = Pace(every_ms)

    def note_frame(self, t_ms: int) -> None:
        """Note that a frame has come."""
        if self._devices.note_frame(t_ms):
            self.counters.note_found("camera")

    def note_dice(self, is_here: bool, t_ms: int) -> None:
        """Note that the dice sensor was found or lost."""
        if self._devices.note_dice(is_here, t_ms):
            self.counters.note_found("dice")

    def note_handled(self, t_ms: int, now_ms: int, watcher: BoardWatcher) -> str | None:
        """Note a frame of `t_ms` handled at `now_ms`. Returns a sentence if the pace becomes slow or well."""
        counters, pace, spent_ms = self.counters, self._pace, now_ms - t_ms
        counters.note_frame(watcher.reading)
        if watcher.dice_looked_ms == t_ms:
            watcher.hold_dice_until_ms = t_ms + pace.rest_after_dice_ms(spent_ms)
        said = pace.note(t_ms, spent_ms)
        counters.dropped, counters.pictures_a_second = pace.n_dropped, pace.a_second
        if said is not None:
            self._devices.note_pace(round(pace.a_second) if pace.is_slow else None)
        return said
