"""The interface of all sources of dice events."""

from collections.abc import Sequence
from typing import Protocol

from hardware.dice_events import DiceEvent


class DiceSensor(Protocol):
    """A source of dice events: the serial tray, the replay of a log, or a simulated tray."""

    def events_until(self, t_ms: int) -> Sequence[DiceEvent]:
        """The events up to and including `t_ms` since the last call, in order. Never waits."""

    def close(self) -> None:
        """Release the device. May be called twice."""
