"""The camera's picture on the page, with what was read drawn on it."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import cv2

from controller.page.moment import Moment, Picture
from controller.service.display import clock_text
from controller.service.lamp_colours import to_lights
from hardware.camera import Image
from hardware.device_checks import CheckStatus, Finding, check_focus, check_light
from sentences import said_again, say
from vision.board_reading import BAR_PLACE, BoardReading
from vision.overlay import draw_overlay

LEAST_S = 0.5
"""Least time between two pictures, however many browsers look. Guess."""
PAGE_JPEG_QUALITY = 80
"""Of 100. Chosen by eye: the drawn counts stay legible."""
LARGEST_PX = 1280
"""Longer side of the picture in pixels."""
N_PLACES = 26
"""Points and the two halves of the bar; the trays lie outside the field."""


@dataclass(frozen=True, kw_only=True)
class CameraFigures:
    """Sentences about a picture. light_is_well and so on: whether nothing needs to be done about it."""

    time: str
    light: str
    light_is_well: bool
    focus: str
    focus_is_well: bool
    reading: str
    reading_is_well: bool


@dataclass(frozen=True, kw_only=True)
class SeenPicture:
    """A picture as JPEG, and what was found in it. drawn_s: when it was drawn, on the view's clock."""

    drawn_s: float
    picture: Picture
    jpeg: bytes
    light: Finding
    focus: Finding

    @property
    def figures(self) -> CameraFigures:
        """Its figures in the current language."""
        reading, is_well = _reading_text(self.picture.reading)
        return CameraFigures(
            time=clock_text(self.picture.frame.t_ms),
            light=said_again(self.light.words),
            light_is_well=self.light.state is CheckStatus.OK,
            focus=said_again(self.focus.words),
            focus_is_well=self.focus.state is CheckStatus.OK,
            reading=reading,
            reading_is_well=is_well,
        )


class CameraView:
    """Draws the newest picture on request, at most every LEAST_S."""

    def __init__(self, clock_s: Callable[[], float] = time.monotonic) -> None:
        self._clock_s = clock_s
        self._lock = threading.Lock()
        self._drawn: SeenPicture | None = None

    def seen(self, moment: Moment | None) -> SeenPicture | None:
        """The picture of a moment, or the one drawn just before; None when there is none."""
        if moment is None or moment.picture is None:
            return None
        with self._lock:
            now_s, drawn = self._clock_s(), self._drawn
            if drawn is None or (
                drawn.picture.frame is not moment.picture.frame and now_s - drawn.drawn_s >= LEAST_S
            ):
                image_bgr = moment.picture.frame.image_bgr
                drawn = self._drawn = SeenPicture(
                    drawn_s=now_s,
                    picture=moment.picture,
                    jpeg=_jpeg(_overlaid(moment)),
                    light=check_light(image_bgr),
                    focus=check_focus(image_bgr),
                )
            return drawn


def _overlaid(moment: Moment) -> Image:
    picture = moment.picture
    assert picture is not None
    if picture.reading is None or picture.geometry is None:
        return picture.frame.image_bgr
    marks = [
        (min(lamp.place, BAR_PLACE), (lamp.rgb[2], lamp.rgb[1], lamp.rgb[0]))
        for lamp in to_lights(moment.lamps, moment.orientation)
        if lamp.place < N_PLACES
    ]
    return draw_overlay(picture.frame.image_bgr, picture.geometry, picture.reading, marks)


def _jpeg(image_bgr: Image) -> bytes:
    scale = LARGEST_PX / max(image_bgr.shape[:2])
    if scale < 1:
        image_bgr = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA).astype(
            "uint8"
        )
    _, coded = cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, PAGE_JPEG_QUALITY])
    return coded.tobytes()


def _reading_text(reading: BoardReading | None) -> tuple[str, bool]:
    """(sentence about a reading, whether nothing needs to be done about it)."""
    if reading is None:
        return say("page_not_read_yet"), False
    if reading.refused:
        return say("page_refused", problem=said_again(reading.refused)), False
    if reading.hand:
        return say("page_hand"), False
    return say("page_read_with", confidence=min(reading.confidences())), True
