"""One picture read without calibration, and what is said of it."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from controller.errors import InputError, WorkError
from hardware.camera import read_picture
from hardware.errors import PictureUnreadable
from vision.geometry import BoardGeometry, Corners
from vision.overlay import draw_overlay
from vision.photo import read_photo
from vision.reading import BoardReading

ROW = 12
USUAL_BAR = (0.47, 0.53)
"""The bar's edges as fractions of the field's width, where they were not given."""


@dataclass(frozen=True)
class PhotoResult:
    """What one picture shows, in the picture's own order."""

    reading: BoardReading

    @property
    def confidence(self) -> float:
        """The probability (0 to 1) that the whole board is as read."""
        if self.reading.refused:
            return 0.0
        bar = np.exp(self.reading.bar.max(axis=1))
        return float(np.prod(self.reading.confidences()) * np.prod(bar))

    def as_json(self) -> dict[str, object]:
        """The keys of `blotlight read --json`; without a position when the picture was refused."""
        reading = self.reading
        places = [place_text(count) for count in reading.counts()]
        light, dark = reading.bar_counts()
        refused = reading.refused is not None
        return {
            "top": None if refused else places[:ROW],
            "bottom": None if refused else places[ROW:],
            "bar": None if refused else {"light": light, "dark": dark},
            "dice": list(reading.dice),
            "refused": reading.refused,
            "confidence": round(self.confidence, 4),
            "place_confidence": [round(value, 4) for value in reading.confidences()],
        }

    def as_text(self) -> str:
        """Two rows of places and the bar, or the reason why not."""
        if self.reading.refused:
            return f"Refused: {self.reading.refused}."
        light, dark = self.reading.bar_counts()
        rows = [
            " ".join(f"{place_text(count):>3}" for count in row)
            for row in (self.reading.counts()[:ROW], self.reading.counts()[ROW:])
        ]
        return "\n".join([*rows, f"bar: {light} light, {dark} dark", f"confidence: {self.confidence:.0%}"])


def place_text(count: int) -> str:
    """What lies on a place: "0", "5L" for five light, "2D" for two dark checkers."""
    return f"{count}L" if count > 0 else f"{-count}D" if count else "0"


def read_picture_file(
    path: Path, corners_px: Corners, bar: tuple[float, float] | None, overlay: Path | None = None
) -> PhotoResult:
    """Read the picture in a file, and draw what was read into another.

    Raises InputError for a file that is no picture, GeometryError when the corners do not fit it.
    """
    try:
        image_bgr = read_picture(path)
    except PictureUnreadable as error:
        raise InputError(f"{error}") from None
    height, width = image_bgr.shape[:2]
    geometry = BoardGeometry(corners_px=corners_px, image_wh=(width, height), bar=bar or USUAL_BAR)
    reading = read_photo(image_bgr, geometry, bar_known=bar is not None)
    if overlay and not cv2.imwrite(str(overlay), draw_overlay(image_bgr, geometry, reading)):
        raise WorkError(f"{overlay} cannot be written; name a .png or .jpg in a folder that exists.")
    return PhotoResult(reading)
