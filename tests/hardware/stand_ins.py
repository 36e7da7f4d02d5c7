"""Devices that stand in for real ones where a test needs no thread and no port."""

from collections.abc import Callable, Sequence

from hardware.dice_events import DiceEvent
from hardware.dice_log import DiceLogWriter
from hardware.light_port import PlaceLight
from hardware.simulated.simulated_tray import Happening, SimulatedTray
from hardware.wire import DiceListener, Line, LineParser


class SimulatedDice:
    """A DiceSensor on a simulated tray that follows a script. log: receives every line."""

    def __init__(self, script: Sequence[Happening], log: DiceLogWriter | None = None) -> None:
        self._log = log
        self._script = sorted(script, key=lambda happening: happening.t_ms)
        self._tray = SimulatedTray()
        self._parser = LineParser()
        self._listener = DiceListener()

    def events_until(self, t_ms: int) -> Sequence[DiceEvent]:
        """The events up to and including `t_ms` since the last call."""
        while self._script and self._script[0].t_ms <= t_ms:
            happening = self._script.pop(0)
            self._tray.happen(happening.t_ms, happening.die, happening.state)
        lines = self._tray.lines_until(t_ms)
        if self._log is not None:
            for line_ms, raw in lines:
                self._log.write(line_ms, raw.rstrip(b"\n"))
        return [
            event
            for line_ms, raw in lines
            for found in self._parser.feed(raw)
            if isinstance(found, Line)
            for event in self._listener.handle_message(found.message, line_ms)
        ]

    def close(self) -> None:
        """Do nothing: there is no device."""


class MirrorLights:
    """Lights that only remember what they were asked to show.

    history: (t_ms, the lamps lit from then on) for each change.
    """

    def __init__(self, clock_ms: Callable[[], int]) -> None:
        self._clock_ms = clock_ms
        self.history: list[tuple[int, tuple[PlaceLight, ...]]] = []

    @property
    def lamps(self) -> tuple[PlaceLight, ...]:
        """The lamps lit now."""
        return self.history[-1][1] if self.history else ()

    def show(self, lamps: Sequence[PlaceLight]) -> None:
        """Light these lamps and no others."""
        if tuple(lamps) != self.lamps:
            self.history.append((self._clock_ms(), tuple(lamps)))

    def close(self) -> None:
        """Make all places dark."""
        self.show(())
