"""The camera interface, and the cameras that replay recordings: a folder of frames, a film.

Live cameras are in hardware/live_camera.py.
"""

import errno
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from hardware.device_errors import CameraUnavailable, FilmCutShort, PictureUnreadable
from hardware.film_files import is_cut_short
from sentences import say

# FFmpeg's messages about a film are not meant for people. This module reports what is wrong instead.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
# One thread saves memory: each decoder thread holds pictures of its own.
os.environ.setdefault("OPENCV_FFMPEG_THREADS", "1")

Image = npt.NDArray[np.uint8]
"""A picture (height, width, 3) in blue, green, red, as in OpenCV."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Frame:
    """One picture and its time: `t_ms` on the monotonic clock, or since the start of the recording."""

    t_ms: int
    image_bgr: Image


class Camera(Protocol):
    """A source of frames: a live camera, a film, a folder of pictures, a simulated table."""

    problems: list[str]
    """The problems so far, one sentence each. Lost frames are skipped."""

    @property
    def ended(self) -> bool:
        """Whether no further frame will come. A live camera does not end while it is open."""

    def next_frame(self) -> Frame | None:
        """The next frame in order of time, or None when there is none now.

        A live camera returns its newest frame, each frame once, and waits a fraction of a second for it.
        """

    def close(self) -> None:
        """Release the device or file. May be called twice."""


def frames_of(camera: Camera) -> Iterator[Frame]:
    """Every readable frame of a camera, until it has ended."""
    while not camera.ended:
        frame = camera.next_frame()
        if frame is not None:
            yield frame


class FolderCamera:
    """The frames of a recording: pictures named by their time in milliseconds, such as 0000012345.jpg."""

    broke_off = False
    """Whether frames are missing at the end. A folder does not tell how many there should be."""

    def __init__(self, folder: Path) -> None:
        """Raises CameraUnavailable when there is no such folder or no frame in it."""
        self.problems: list[str] = []
        self._paths = sorted(_timed_pictures(folder), reverse=True)
        if not self._paths:
            raise CameraUnavailable(say("no_frames", folder=folder))

    def __len__(self) -> int:
        return len(self._paths)

    @property
    def ended(self) -> bool:
        """Whether every picture has been read."""
        return not self._paths

    def next_frame(self) -> Frame | None:
        """The next readable picture. Damaged ones are skipped and named in `problems`."""
        while self._paths:
            t_ms, path = self._paths.pop()
            try:
                return Frame(t_ms=t_ms, image_bgr=load_picture(path))
            except PictureUnreadable as problem:
                self.problems.append(say("goes_on_without", problem=problem))
        return None

    def close(self) -> None:
        """Give no more frames."""
        self._paths.clear()


MOST_FPS = 1000
"""Highest frame rate accepted for a film. Guess."""
_FRAME_COUNT_SLACK = 2
"""Frames by which a film may be shorter than its header says; some containers only estimate it. Guess."""


def is_name_for_opencv(path: Path) -> bool:
    """Whether OpenCV can open a file of that name: it ends the process when the name is not UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


class VideoCamera:
    """The frames of a film: frame n is n / `fps` seconds after the start.

    broke_off: whether the film ended earlier than its file says.
    """

    def __init__(self, path: Path, fps: float | None = None, every_ms: int = 0) -> None:
        """Open a film.

        fps: frames per second; None for the rate that the file states. every_ms: time between two frames that
        are returned, rounded to whole frames; the others are skipped. Raises FilmCutShort when the film
        cannot be opened and its end is missing, CameraUnavailable when it cannot be used for another reason.
        """
        if fps is not None and not fps > 0:
            raise CameraUnavailable(say("too_few_fps", fps=fps))
        self.problems: list[str] = []
        self.broke_off = False
        self._count = 0
        if not is_name_for_opencv(path):
            raise CameraUnavailable(say("name_not_utf8", path=path))
        self._film = cv2.VideoCapture(str(path))
        if not self._film.isOpened():
            if path.is_file() and is_cut_short(path):
                raise FilmCutShort(say("film_cut_short", path=path))
            raise CameraUnavailable(say("no_film", path=path))
        self.fps = fps or float(self._film.get(cv2.CAP_PROP_FPS))
        if not 0 < self.fps <= MOST_FPS:
            raise CameraUnavailable(say("film_without_fps", path=path))
        self._stride = max(1, round(every_ms * self.fps / 1000))
        self._expected = int(self._film.get(cv2.CAP_PROP_FRAME_COUNT))
        self._ended = False
        self._path = path

    def __len__(self) -> int:
        """The number of frames still to come, according to the file."""
        return 0 if self._ended else max(0, -(-(self._expected - self._count) // self._stride))

    @property
    def ended(self) -> bool:
        """Whether the film is over."""
        return self._ended

    def next_frame(self) -> Frame | None:
        """The next frame. A film that ends early is reported in `problems`."""
        if self._ended:
            return None
        while self._count % self._stride and self._film.grab():
            self._count += 1
        good, image = self._film.read()
        if not good:
            name, n_read = self._path.name, self._count
            if n_read < self._expected - _FRAME_COUNT_SLACK:
                self.broke_off = True
                self.problems.append(
                    say("film_breaks_off", name=name, n_read=n_read, n_frames=self._expected)
                )
            elif is_cut_short(self._path):
                self.broke_off = True
                self.problems.append(say("film_is_torn", name=name, n_read=n_read))
            self.close()
            return None
        self._count += 1
        t_ms = round((self._count - 1) * 1000 / self.fps)
        return Frame(t_ms=t_ms, image_bgr=np.asarray(image, dtype=np.uint8))

    def close(self) -> None:
        """Close the file."""
        self._ended = True
        self._film.release()


def load_picture(path: Path) -> Image:
    """The picture in a file. Raises PictureUnreadable when it is missing, no picture or a truncated JPEG."""
    return _decoded(path, _bytes_of(path), cv2.IMREAD_COLOR)


_MOST_PIXELS = 5_000_000
"""Width and height of a photograph are halved until it has no more pixels than this. Guess."""
_REDUCED = {
    1: cv2.IMREAD_COLOR,
    2: cv2.IMREAD_REDUCED_COLOR_2,
    4: cv2.IMREAD_REDUCED_COLOR_4,
    8: cv2.IMREAD_REDUCED_COLOR_8,
}
"""How OpenCV reduces width and height by a factor."""


def load_photograph(path: Path) -> tuple[Image, int]:
    """The photograph in a file, and the factor (1, 2, 4 or 8) by which its width and height were reduced.

    A photograph of more than _MOST_PIXELS is reduced while it is decoded. This saves memory, and the reading
    needs no more. Raises PictureUnreadable as `load_picture` does.
    """
    data = _bytes_of(path)
    height, width = (8 * length for length in _decoded(path, data, cv2.IMREAD_REDUCED_COLOR_8).shape[:2])
    shrink = next((by for by in _REDUCED if height * width <= _MOST_PIXELS * by**2), max(_REDUCED))
    return _decoded(path, data, _REDUCED[shrink]), shrink


def _bytes_of(path: Path) -> bytes:
    """The bytes of a file. Raises PictureUnreadable when it cannot be read or is a truncated JPEG.

    The end of a JPEG is checked here because OpenCV fills a missing part with grey.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        why = {
            errno.ENOENT: say("is_not_there"),
            errno.EISDIR: say("is_a_folder"),
            errno.EACCES: say("is_not_yours"),
        }
        reason = why.get(error.errno or 0, say("cannot_be_read", reason=error.strerror))
        raise PictureUnreadable(say("picture_unreadable", path=path, problem=reason)) from error
    if data.startswith(b"\xff\xd8") and not _is_whole_jpeg(data):
        raise PictureUnreadable(say("jpeg_cut_short", path=path))
    return data


def _decoded(path: Path, data: bytes, how: int) -> Image:
    try:
        image = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), how) if data else None
    except cv2.error:
        image = None
    if image is None:
        raise PictureUnreadable(say("no_picture", path=path))
    return np.asarray(image, dtype=np.uint8)


def _is_whole_jpeg(data: bytes) -> bool:
    """Whether an end of image (FFD9) follows the last scan (marker FFDA). Neither marker occurs in a scan,
    where FF is always followed by 00 or a restart marker (ITU-T T.81, B.1.1.5)."""
    return data.rfind(b"\xff\xd9") > data.rfind(b"\xff\xda") > 0


def _timed_pictures(folder: Path) -> Iterator[tuple[int, Path]]:
    if not folder.is_dir():
        raise CameraUnavailable(say("no_frames_folder", folder=folder))
    for path in folder.iterdir():
        if re.fullmatch(r"\d{1,12}\.(jpe?g|png|bmp)", path.name, re.IGNORECASE):
            yield int(path.stem), path
