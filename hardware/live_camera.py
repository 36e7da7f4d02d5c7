"""Cameras over the board: Pi camera modules through picamera2, USB cameras through V4L2.

A thread skips pictures until one is asked for, and keeps the newest from then on. So a caller never gets an
old picture, and few are decoded in vain. When no picture comes, because the camera stalled or its cable was
pulled, the camera is reopened.
"""

import importlib
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import cv2
import numpy as np

from hardware.camera import Frame, Image
from hardware.device_errors import CameraUnavailable, PicameraBroken
from sentences import say

ANY_CAMERA, PI_CAMERA = "auto", "picamera"
"""Names of cameras: whichever is there, a Pi camera module."""
SIZE_WH = (1280, 720)
"""Default width and height of the pictures in pixels."""


class PictureSource(Protocol):
    """An open camera device."""

    def wait(self) -> bool:
        """Wait for the next picture. Returns False when none comes."""

    def picture(self) -> Image | None:
        """The picture for which `wait` waited, None when it cannot be read."""

    def lock_exposure(self) -> None:
        """Keep the present exposure, gain and white balance, so that a hand does not change them."""

    def close(self) -> None:
        """Release the device."""


@dataclass(frozen=True, kw_only=True)
class CameraTiming:
    """Times of the driver. Guesses.

    warm_up_ms: time before the exposure is locked. stalled_after_ms: time without a picture after which the
    camera counts as stalled. wait_s: how long `next_frame` waits. retry_s: wait before reopening.
    """

    warm_up_ms: int = 2000
    stalled_after_ms: int = 2000
    wait_s: float = 0.05
    retry_s: float = 1.0


class LiveCamera:
    """A camera over the board, as a Camera.

    open_source: opens the device, again after each failure; raises CameraUnavailable with what to do.
    clock_ms: monotonic milliseconds, the time of the frames. every_ms: least time between two frames.
    """

    def __init__(
        self,
        open_source: Callable[[], PictureSource],
        clock_ms: Callable[[], int],
        *,
        every_ms: int = 0,
        timing: CameraTiming | None = None,
    ) -> None:
        self.problems: list[str] = []
        self._open_source = open_source
        self._clock_ms = clock_ms
        self._every_ms = every_ms
        self._timing = timing or CameraTiming()
        self._is_wanted = True
        self.given_ms: int | None = None
        """When the last frame that was asked for was taken; None before the first."""
        self.n_passed = 0
        """The number of pictures that were skipped, because none was asked for or due."""
        self._newest: Frame | None = None
        self._came = threading.Condition()
        self._last_ms = clock_ms()
        self._failing = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    @property
    def ended(self) -> bool:
        """Whether the camera was closed."""
        return self._stop.is_set()

    def next_frame(self) -> Frame | None:
        """The newest frame, each frame once; None when none came within a fraction of a second."""
        with self._came:
            self._is_wanted = True
            if self._newest is None and not self.ended:
                self._came.wait(self._timing.wait_s)
            frame, self._newest = self._newest, None
            if frame is not None:
                self._is_wanted, self.given_ms = False, frame.t_ms
            if frame is None and self._clock_ms() - self._last_ms > self._timing.stalled_after_ms:
                self._fail(say("camera_silent"))
            return frame

    def close(self) -> None:
        """Stop the thread, which releases the device. Waits 2 s at most, in case the device hangs."""
        self._stop.set()
        with self._came:
            self._came.notify_all()
        self._thread.join(timeout=2.0)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with closing(self._open_source()) as source:
                    self._take_pictures(source)
            except CameraUnavailable as reason:
                with self._came:
                    self._fail(str(reason))
            except Exception as problem:  # a driver may raise anything; the camera is reopened
                with self._came:
                    self._fail(say("camera_driver_failed", problem=_first_line(problem)))
            self._stop.wait(self._timing.retry_s)

    def _take_pictures(self, source: PictureSource) -> None:
        """Take pictures until the source gives none or the camera is closed."""
        opened_ms, locked = self._clock_ms(), False
        while not self._stop.is_set() and source.wait():
            now_ms = self._clock_ms()
            if not locked and now_ms - opened_ms >= self._timing.warm_up_ms:
                source.lock_exposure()
                locked = True
            is_due = self._is_due(now_ms)
            image = source.picture() if is_due else None
            if is_due and image is None:
                break
            with self._came:
                if image is None or not self._is_wanted:  # another was given while this one was decoded
                    self.n_passed += 1
                else:
                    self._newest = Frame(t_ms=now_ms, image_bgr=image)
                self._last_ms = now_ms
                self._failing = False
                self._came.notify_all()
        with self._came:
            if not self._stop.is_set():
                self._fail(say("camera_opened_anew"))

    def _is_due(self, now_ms: int) -> bool:
        """Whether a picture that comes now is to be kept."""
        with self._came:
            soonest_ms = now_ms if self.given_ms is None else self.given_ms + self._every_ms
            return self._is_wanted and now_ms >= soonest_ms

    def _fail(self, sentence: str) -> None:
        """Report a problem, only one until pictures come again."""
        if not self._failing:
            self.problems.append(sentence)
        self._failing = True


class V4l2Source:
    """A USB camera through OpenCV: MJPG, one picture in the buffer."""

    def __init__(self, device: str, size_wh: tuple[int, int] = SIZE_WH) -> None:
        """Open the camera at a path, or by its name. Raises CameraUnavailable when it cannot be opened."""
        device = device if device.startswith("/") else named_camera(device)
        if not Path(device).exists():
            raise CameraUnavailable(say("no_camera_at", device=device))
        self._capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise CameraUnavailable(say("camera_not_opened", device=device))
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size_wh[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size_wh[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def wait(self) -> bool:
        """Fetch the next picture from the driver. V4L2 gives up by itself after some seconds without one."""
        return self._capture.grab()

    def picture(self) -> Image | None:
        """Decode the picture that `wait` fetched."""
        good, image = self._capture.retrieve()
        return np.asarray(image, dtype=np.uint8) if good else None

    def lock_exposure(self) -> None:
        """Turn the automatic controls off and keep their last values. Missing controls are ignored."""
        for automatic, manual, value in _V4L2_AUTOMATICS:
            settled = self._capture.get(value)
            self._capture.set(automatic, manual)
            self._capture.set(value, settled)

    def close(self) -> None:
        """Release the device."""
        self._capture.release()


def named_camera(name: str, devices: Path = Path("/sys/class/video4linux")) -> str:
    """The path of the USB camera whose name contains `name`. Its device number may change.

    Raises CameraUnavailable, which lists the names found, when there is none.
    """
    names = {}
    for device in _video_devices(devices):
        with suppress(OSError):  # unplugged meanwhile
            names[device.name] = (device / "name").read_text().strip()
    for device_name, its_name in names.items():
        if name.lower() in its_name.lower():
            return f"/dev/{device_name}"
    known = ", ".join(names.values()) or say("none_at_all")
    raise CameraUnavailable(say("no_camera_named", name=name, known=known))


def camera_that_is_there(devices: Path = Path("/sys/class/video4linux")) -> str:
    """The name of the Pi camera module if there is one, else the path of the first USB camera.

    Raises CameraUnavailable when there is neither.
    """
    broken = None
    try:
        picamera2: Any = _picamera2()
        # libcamera lists USB cameras too.
        if any("usb" not in str(one["Id"]) for one in picamera2.Picamera2.global_camera_info()):
            return PI_CAMERA
    except CameraUnavailable as problem:
        broken = problem
    for device in _video_devices(devices):
        if any(part.startswith("usb") for part in device.resolve().parts):
            return f"/dev/{device.name}"
    if isinstance(broken, PicameraBroken):
        raise broken
    raise CameraUnavailable(say("no_camera_found"))


def _video_devices(devices: Path) -> list[Path]:
    """The V4L2 devices that give pictures. Each camera also has other devices."""
    found = []
    for device in sorted(devices.glob("video*"), key=lambda path: (len(path.name), path.name)):
        with suppress(OSError):  # unplugged meanwhile
            if (device / "index").read_text().strip() == "0":
                found.append(device)
    return found


_V4L2_AUTOMATICS = (
    (cv2.CAP_PROP_AUTO_EXPOSURE, 1, cv2.CAP_PROP_EXPOSURE),  # 1 is V4L2_EXPOSURE_MANUAL
    (cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE),
    (cv2.CAP_PROP_AUTOFOCUS, 0, cv2.CAP_PROP_FOCUS),
)
"""(property of the automatic control, its value for manual, the property that it controls)."""


AF_MANUAL, AF_AUTO, AF_START = 0, 1, 0
AF_FOCUSED, AF_FAILED = 2, 3
"""Values of libcamera's controls AfMode and AfTrigger, and of AfState in its metadata."""
PICAMERA_FRAME_S = 1 / 30
"""The time between two pictures of picamera2's video configuration (its manual, 4.2)."""
PICTURE_S = 2.0
"""How long a picture may take to come. Guess."""
FOCUS_S = 5.0
"""How long the lens may take to focus. Guess."""


class PicameraSource:
    """A Pi camera module through Debian's python3-picamera2.

    lens_dioptres: position at which the lens of a module that focuses by software is held, 0 for far away, 10
    for 10 cm. With None the module focuses once, and the position found is kept here.
    """

    def __init__(self, size_wh: tuple[int, int] = SIZE_WH, lens_dioptres: float | None = None) -> None:
        """Raises CameraUnavailable when picamera2 or the camera is missing."""
        self.lens_dioptres = lens_dioptres
        picamera2: Any = _picamera2()
        try:
            self._camera = picamera2.Picamera2()
        except (RuntimeError, IndexError) as error:
            raise CameraUnavailable(say("no_pi_camera", problem=error)) from error
        main = {"size": size_wh, "format": "RGB888"}  # which is blue, green, red in memory
        self._camera.configure(self._camera.create_video_configuration(main=main))
        self._camera.start()

    def wait(self) -> bool:
        """Wait for the time of one picture. picamera2 itself drops pictures that nobody takes."""
        time.sleep(PICAMERA_FRAME_S)
        return True

    def picture(self) -> Image | None:
        """The next picture, None when the module gives none in time."""
        try:
            job = self._camera.capture_array("main", wait=False)
            image = self._camera.wait(job, timeout=PICTURE_S)
        except (TimeoutError, RuntimeError):
            return None
        return np.asarray(image, dtype=np.uint8)

    def lock_exposure(self) -> None:
        """Keep the last values of the automatic controls, and hold the lens."""
        if "AfMode" in self._camera.camera_controls:
            if self.lens_dioptres is None:
                self.lens_dioptres = self._focused()
            self._camera.set_controls({"AfMode": AF_MANUAL, "LensPosition": self.lens_dioptres})
        found = self._camera.capture_metadata()
        kept = {
            name: found[name] for name in ("ExposureTime", "AnalogueGain", "ColourGains") if name in found
        }
        self._camera.set_controls({"AeEnable": False, "AwbEnable": False, **kept})

    def _focused(self) -> float:
        """Focus once. Returns the position of the lens in dioptres."""
        self._camera.set_controls({"AfMode": AF_AUTO, "AfTrigger": AF_START})
        give_up_s = time.monotonic() + FOCUS_S
        while True:
            found = self._camera.capture_metadata()  # waits for the next picture
            if found.get("AfState") in (AF_FOCUSED, AF_FAILED) or time.monotonic() > give_up_s:
                return float(found.get("LensPosition", 0.0))

    def close(self) -> None:
        """Release the module."""
        self._camera.stop()
        self._camera.close()


def _picamera2() -> ModuleType:
    """The library. Raises CameraUnavailable when it is missing, PicameraBroken when it does not load."""
    try:
        return importlib.import_module("picamera2")
    except ModuleNotFoundError as error:
        if error.name == "picamera2":
            raise CameraUnavailable(say("no_picamera2")) from error
        raise PicameraBroken(say("picamera2_broken", problem=_first_line(error))) from error
    except Exception as error:  # a numpy that it was not built for raises ValueError
        raise PicameraBroken(say("picamera2_broken", problem=_first_line(error))) from error


def _first_line(problem: Exception) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0].rstrip(".")


def open_camera(device: str, size_wh: tuple[int, int], lens_dioptres: float | None = None) -> PictureSource:
    """Open a camera by its name. Raises CameraUnavailable when there is none.

    device: "auto" for whichever is there, "picamera", the path of a V4L2 device, or part of a USB camera's
    name.
    """
    if device == ANY_CAMERA:
        device = camera_that_is_there()
    if device == PI_CAMERA:
        return PicameraSource(size_wh, lens_dioptres=lens_dioptres)
    return V4l2Source(device, size_wh)
