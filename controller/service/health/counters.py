"""What the service has counted since it started, and the page that Prometheus reads it from."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from controller.referee import Effect, OffenceShown, Question, TurnRecorded
from vision.board_reading import BoardReading

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""Prometheus' text format (prometheus.io/docs/instrumenting/exposition_formats)."""
THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
"""The processor's temperature in thousandths of a degree Celsius (Linux, driver-api/thermal)."""


@dataclass
class Counters:
    """Counts since the start, and the last values.

    dropped: frames that were due while the loop was busy. margin_nats: `margin_nats` of the last reading.
    found_again: by device, how often it came back. pictures_a_second: lately.
    """

    frames: int = 0
    readings: int = 0
    dropped: int = 0
    questions: int = 0
    offences: int = 0
    half_turns: int = 0
    margin_nats: float | None = None
    pictures_a_second: float | None = None
    found_again: dict[str, int] = field(default_factory=lambda: {"camera": 0, "dice": 0})

    def note(self, effect: Effect) -> None:
        """Count what the referee did."""
        self.questions += isinstance(effect, Question)
        self.offences += isinstance(effect, OffenceShown)
        self.half_turns += isinstance(effect, TurnRecorded) and not effect.mended

    def note_frame(self, reading: BoardReading | None) -> None:
        """Count a frame. reading: None or refused when the board could not be read in it."""
        self.frames += 1
        if reading is not None and not reading.refused:
            self.readings += 1
            self.margin_nats = margin_nats(reading)

    def note_found(self, device: str) -> None:
        """Count that a device came back."""
        self.found_again[device] += 1

    def text(self, celsius: Callable[[], float | None]) -> str:
        """All of it in Prometheus' text format. celsius: the processor's temperature, if it is known."""
        return "".join(self._lines(celsius()))

    def _lines(self, celsius: float | None) -> Iterator[str]:
        for name, value in (
            ("frames", self.frames),
            ("readings", self.readings),
            ("dropped_frames", self.dropped),
            ("half_turns", self.half_turns),
            ("offences", self.offences),
            ("questions", self.questions),
        ):
            yield f"# TYPE blotlight_{name}_total counter\nblotlight_{name}_total {value}\n"
        yield "# TYPE blotlight_reconnects_total counter\n"
        for device, times in self.found_again.items():
            yield f'blotlight_reconnects_total{{device="{device}"}} {times}\n'
        for name, gauge in (
            ("reading_margin_nats", self.margin_nats),
            ("frames_per_second", self.pictures_a_second),
            ("temperature_celsius", celsius),
        ):
            if gauge is not None:
                yield f"# TYPE blotlight_{name} gauge\nblotlight_{name} {gauge:.3f}\n"


def margin_nats(reading: BoardReading) -> float:
    """Difference in nats of the two likeliest contents, at the least sure of the points that are seen."""
    seen = [place for place in range(len(reading.points)) if place not in reading.unseen]
    best = np.sort(reading.points[seen], axis=1)[:, -2:]
    return float((best[:, 1] - best[:, 0]).min()) if seen else 0.0


def processor_celsius(path: Path = THERMAL) -> float | None:
    """The temperature of the processor; None where nothing measures it."""
    try:
        return int(path.read_text()) / 1000
    except (OSError, ValueError):
        return None
